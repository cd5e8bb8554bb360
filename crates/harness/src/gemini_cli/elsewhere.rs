//! Definitions where Gemini CLI never looks: files with a wrong name or in a wrong place, other programs' files, keys of other programs,
//! and files of its own that do not count here.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Contender, Definition, Dossier, Entry, GitRoot, Objection, Reason, Rule, Scope, Sourced,
    Status, Transport,
};
use muster_document::{Dialect, Document, JsonDialect, Node, Secret, Shown};

use super::ground::{FOLDER, Ground};
use super::rules;
use super::settings::{LayerFile, Text};
use super::stop::Stop;
use crate::foreign;

/// How files that Gemini CLI does not read are read here: with every liberty.
const DIALECT: Dialect = Dialect::Json(JsonDialect {
    comments: true,
    trailing_commas: true,
    bom: true,
    ..JsonDialect::JSON_PARSE
});

/// Names of files beside `settings.json` that are not read.
const BESIDE: [&str; 5] = [
    "settings.local.json",
    "settings.jsonc",
    "mcp.json",
    "mcp_servers.json",
    "config.json",
];

/// A file to look into.
struct Decoy {
    path: Utf8PathBuf,
    scope: Scope,
    /// Why Gemini CLI does not read it.
    text: String,
}

/// Every definition that somebody may have expected to count.
pub(super) fn find(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    layers: &[LayerFile],
    stop: Option<&Stop>,
) -> Vec<Contender> {
    let mut found = Vec::new();
    let own = Shown(&dossier.world.shown(&ground.user_settings)).to_string();
    for layer in layers {
        found.extend(unused(dossier, layer, stop));
    }
    let read: HashSet<Utf8PathBuf> = layers.iter().map(|layer| layer.path.clone()).collect();
    let mut seen = HashSet::new();
    for decoy in decoys(dossier, ground) {
        if read.contains(&decoy.path)
            || !seen.insert(decoy.path.clone())
            || !dossier.world.files.is_file(&decoy.path)
        {
            continue;
        }
        let remedy = match decoy.scope {
            Scope::Project => "write it into .gemini/settings.json of this folder".to_owned(),
            _ => format!("write it into {own}"),
        };
        let Some(source) = dossier.examine(&decoy.path, DIALECT) else {
            continue;
        };
        let Some(document) = source.document() else {
            continue;
        };
        let before = found.len();
        let out = ignored(&rules::ELSEWHERE, "never read there", &decoy.text, &remedy);
        for table in foreign::all_servers(document.root()) {
            found.extend(servers(document, table, decoy.scope, &out));
        }
        if found.len() > before {
            dossier.look_at(&decoy.path, decoy.scope, Some(decoy.text));
        }
    }
    found
}

/// What a settings file holds that does not count: all of one that is skipped or does not parse, and what stands under other programs' keys.
fn unused(dossier: &Dossier<'_>, layer: &LayerFile, stop: Option<&Stop>) -> Vec<Contender> {
    let Some(document) = layer.document() else {
        return Vec::new();
    };
    let scope = layer.owner.scope();
    let shown = Shown(&dossier.world.shown(&layer.path)).to_string();
    let own = document.root().get("mcpServers");
    let mut found = Vec::new();
    match &layer.text {
        Text::Read(_) => {}
        Text::Skipped(_, reason) => {
            let remedy = "let only root write to it and to the folders above";
            let out = ignored(&rules::SECURE, "its file is not safe", reason, remedy);
            found.extend(
                own.iter()
                    .flat_map(|table| servers(document, table, scope, &out)),
            );
        }
        Text::Broken(_) => {
            let out = stop.map(Stop::objection).unwrap_or_else(|| {
                let reason = Reason::new(&rules::SYNTAX, "file", "its file does not parse", None);
                Objection::new(Status::Invalid, "its file is broken", reason)
            });
            found.extend(
                own.iter()
                    .flat_map(|table| servers(document, table, scope, &out)),
            );
        }
    }
    for foreign in foreign::servers(document.root(), "mcpServers") {
        let text = format!("Gemini CLI reads mcpServers: {}", foreign.whose());
        let remedy = format!("move it under mcpServers in {shown}");
        let short = format!("Gemini CLI reads no {}", foreign.key);
        let out = ignored(&rules::ELSEWHERE, &short, &text, &remedy);
        let members = servers(document, foreign.servers, scope, &out);
        found.extend(members);
    }
    found
}

fn ignored(rule: &'static Rule, short: &str, text: &str, remedy: &str) -> Objection {
    let reason = Reason::new(rule, "ignored", text, None);
    Objection::new(Status::Ignored, short, reason).with_remedy(remedy)
}

/// The files that are looked into, the first mention of a path says most about it.
fn decoys(dossier: &Dossier<'_>, ground: &Ground) -> Vec<Decoy> {
    let world = dossier.world;
    let files = world.files;
    let mut list = Vec::new();
    let mut add = |path: Utf8PathBuf, scope: Scope, text: &str| {
        list.push(Decoy {
            path,
            scope,
            text: text.to_owned(),
        })
    };
    let never = |path: &Utf8Path| {
        format!(
            "{} is never read: only settings.json in that folder is",
            Shown(&world.shown(path))
        )
    };
    let here = ground.cwd.join(FOLDER);
    if ground.project_settings.is_some() && files.is_folder(&here) {
        for name in BESIDE {
            add(here.join(name), Scope::Project, &never(&here.join(name)));
        }
        let extensions = here.join("extensions");
        if files.is_folder(&extensions) {
            for name in files
                .list(&extensions)
                .map(|names| names.to_vec())
                .unwrap_or_default()
            {
                let path = extensions.join(name).join("gemini-extension.json");
                add(
                    path,
                    Scope::Project,
                    "extensions are read from ~/.gemini/extensions only, never from a project",
                );
            }
        }
    }
    add(
        ground.cwd.join("gemini-extension.json"),
        Scope::Project,
        "this is an extension's file: it counts once the extension is installed",
    );
    add(
        ground.cwd.join(".vscode/mcp.json"),
        Scope::Project,
        "this is VS Code's file: Gemini CLI never reads it",
    );
    for path in above(dossier, ground) {
        let text = format!(
            "{} is above this folder: of a project, Gemini CLI reads only .gemini/settings.json of the folder it is started in",
            Shown(&world.shown(&path))
        );
        add(path, Scope::Project, &text);
    }
    let own = ground.home.join(FOLDER);
    // Where Gemini CLI was never used, one look must do.
    let beside = if files.is_folder(&own) {
        &BESIDE[..]
    } else {
        &[]
    };
    for name in beside {
        add(own.join(name), Scope::User, &never(&own.join(name)));
    }
    if let Some(home) = &world.home {
        if *home != ground.home {
            add(
                home.join(FOLDER).join("settings.json"),
                Scope::User,
                "GEMINI_CLI_HOME points elsewhere: this file is not read",
            );
        }
        for path in [
            ".config/gemini/settings.json",
            ".config/gemini-cli/settings.json",
            ".gemini.json",
            ".gemini/gemini-extension.json",
        ] {
            add(
                home.join(path),
                Scope::User,
                "this file is never read: the user's settings are ~/.gemini/settings.json",
            );
        }
    }
    let usual = world.system("/etc/gemini-cli");
    if usual.join("settings.json") != ground.system_settings.path {
        add(
            usual.join("settings.json"),
            Scope::Managed,
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH points elsewhere: this file is not read",
        );
    }
    if usual.join("system-defaults.json") != ground.system_defaults.path {
        add(
            usual.join("system-defaults.json"),
            Scope::Managed,
            "a variable points elsewhere: this file is not read",
        );
    }
    list
}

/// Settings files of the folders above the session folder that people expect to hold: up to the repository's root, and its main checkout.
fn above(dossier: &Dossier<'_>, ground: &Ground) -> Vec<Utf8PathBuf> {
    let Some(git) = GitRoot::find(dossier.world.files, &ground.cwd) else {
        return Vec::new();
    };
    let inside = ground
        .cwd
        .ancestors()
        .skip(1)
        .take_while(|folder| folder.starts_with(&git.folder));
    let main = git.main_checkout();
    let folders = inside.map(Utf8Path::to_owned).chain(main);
    let folders = folders.filter(|folder| *folder != ground.home && *folder != ground.cwd);
    folders
        .map(|folder| folder.join(FOLDER).join("settings.json"))
        .collect()
}

/// The servers in `table`.
fn servers(document: &Document, table: &Node, scope: Scope, out: &Objection) -> Vec<Contender> {
    table
        .effective_members()
        .into_iter()
        .filter(|member| member.value.is_table())
        .map(|member| {
            let place = Some(document.place(member.key.span));
            let mut out = out.clone();
            if let Some(reason) = out.reasons.last_mut()
                && reason.place.is_none()
            {
                reason.place.clone_from(&place);
            }
            Contender {
                definition: Definition {
                    name: member.key.text.clone(),
                    scope,
                    place: place.clone(),
                    entry: std::rc::Rc::new(entry(document, &member.value)),
                    rule: &rules::ELSEWHERE,
                },
                facts: vec![Reason::new(
                    &rules::ELSEWHERE,
                    "defined",
                    "written where Gemini CLI does not use it",
                    place,
                )],
                out: Some(out),
                held: None,
                verdict: Reason::new(&rules::START, "loads", "it starts in this session", None),
            }
        })
        .collect()
}

/// What can be made out of an entry that is not used.
fn entry(document: &Document, node: &Node) -> Entry {
    let sourced = |node: &Node| {
        Some(Sourced {
            value: Secret::new(node.as_str()?),
            place: Some(document.place(node.span)),
        })
    };
    let pairs = |key: &str| {
        let members = node
            .get(key)
            .map(Node::effective_members)
            .unwrap_or_default()
            .into_iter();
        members
            .filter_map(|member| Some((member.key.text.clone(), sourced(&member.value)?)))
            .collect()
    };
    let text = |key: &str| node.get(key).and_then(sourced);
    let (command, url) = (text("command"), text("httpUrl").or_else(|| text("url")));
    let transport = match (&url, &command) {
        (Some(_), _) => Some(Transport::Http),
        (None, Some(_)) => Some(Transport::Stdio),
        (None, None) => None,
    };
    Entry {
        transport,
        command,
        args: node
            .get("args")
            .and_then(Node::as_array)
            .unwrap_or_default()
            .iter()
            .filter_map(sourced)
            .collect(),
        cwd: text("cwd"),
        env: pairs("env"),
        url,
        headers: pairs("headers"),
        ..Entry::default()
    }
}
