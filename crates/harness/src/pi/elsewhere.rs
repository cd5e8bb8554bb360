//! Definitions near this place that Pi never reads, so that nobody wonders why they do not load.

use camino::Utf8PathBuf;
use muster_core::{Dossier, Objection, Reason, Rule, Scope, Source, Status};
use muster_document::{Dialect, Document, JsonDialect, Node, Shown};

use super::config::{Found, found};
use super::ground::{self, Ground};
use super::rules;
use super::settings::JSON;
use crate::foreign;

/// Other programs' files in a project, and a name without its folder.
const FOREIGN: [(&str, &str); 4] = [
    (".mcp.json", "is Claude Code's: Pi never reads it"),
    (".cursor/mcp.json", "is Cursor's: Pi never reads it"),
    (".vscode/mcp.json", "is VS Code's: Pi never reads it"),
    ("mcp.json", "is never read: only .pi/mcp.json is"),
];

/// What is not Pi's may be read by a parser with more liberties.
const LENIENT: Dialect = Dialect::Json(JsonDialect {
    comments: true,
    trailing_commas: true,
    ..JsonDialect::JSON_PARSE.with_bom()
});

/// Everything near this place that looks like a definition and is none.
pub(super) fn find(dossier: &mut Dossier<'_>, ground: &Ground) -> Vec<Found> {
    let mut all = foreign_keys(dossier, ground);
    for decoy in decoys(dossier, ground) {
        all.extend(read_decoy(dossier, ground, &decoy));
    }
    all
}

/// Servers in Pi's own files under a key that it does not know.
fn foreign_keys(dossier: &mut Dossier<'_>, ground: &Ground) -> Vec<Found> {
    let own = [
        ground.user_file().map(|path| (path, Scope::User)),
        Some((ground.project_file(), Scope::Project)),
    ];
    let mut all = Vec::new();
    for (path, scope) in own.into_iter().flatten() {
        let shown = dossier.world.shown(&path);
        // Loaded before: it is not read again.
        let loaded = dossier.load(&path, scope, JSON, muster_core::Files::LIMIT);
        let Some(document) = loaded.document() else {
            continue;
        };
        let root = document.root();
        for other in foreign::servers(root, "mcpServers") {
            let text = format!("{}: Pi reads mcpServers alone", other.whose());
            let remedy = format!("call the key mcpServers in {}", Shown(&shown));
            let short = format!("Pi does not read {}", other.key);
            let out = ignored(&rules::KEY, &short, text, remedy);
            all.extend(servers(document, other.servers, scope, &out));
        }
        if root.get("mcpServers").is_none() && foreign::looks_like_servers(root) {
            let text = "it stands under no key: Pi reads mcpServers alone".to_owned();
            let remedy = format!(
                "put it into an object under mcpServers in {}",
                Shown(&shown)
            );
            let out = ignored(&rules::KEY, "not under mcpServers", text, remedy);
            all.extend(servers(document, root, scope, &out));
        }
    }
    all
}

/// A file in which people look for Pi's servers.
struct Decoy {
    path: Utf8PathBuf,
    scope: Scope,
    /// Why it is not read, after its name.
    why: &'static str,
    /// Whether it is an error of folder: a project's file above the session folder.
    above: bool,
}

fn decoys(dossier: &Dossier<'_>, ground: &Ground) -> Vec<Decoy> {
    let world = dossier.world;
    let mut list = Vec::new();
    let mut add = |path: Utf8PathBuf, scope, why, above| {
        list.push(Decoy {
            path,
            scope,
            why,
            above,
        });
    };
    let settings = "is a settings file: Pi reads no servers from settings";
    let misplaced = "is never read";
    add(
        ground.project.join("settings.json"),
        Scope::Project,
        settings,
        false,
    );
    for name in ["agent/mcp.json", ".mcp.json", "mcp.local.json"] {
        add(ground.project.join(name), Scope::Project, misplaced, false);
    }
    for folder in world.cwd.ancestors().skip(1) {
        let why = "is not read here: Pi reads the session folder's own .pi/mcp.json alone";
        add(folder.join(".pi/mcp.json"), Scope::Project, why, true);
    }
    // Who never used Pi did not mean it.
    let in_use = ground
        .agent
        .iter()
        .chain([&ground.project])
        .any(|folder| world.files.exists(folder));
    if in_use {
        for (name, why) in FOREIGN {
            add(world.cwd.join(name), Scope::Project, why, false);
        }
        let state = world.home.as_ref().map(|home| home.join(".claude.json"));
        // Most of what may be large there is no server.
        let small = |path: &Utf8PathBuf| {
            world
                .files
                .metadata(path)
                .is_ok_and(|found| found.size < 256 * 1024)
        };
        if let Some(state) = state.filter(small) {
            add(
                state,
                Scope::User,
                "is Claude Code's: Pi never reads it",
                false,
            );
        }
    }
    if let Some(agent) = &ground.agent {
        add(agent.join("settings.json"), Scope::User, settings, false);
        add(agent.join(".mcp.json"), Scope::User, misplaced, false);
    }
    if let Some(home) = &world.home {
        add(home.join(".pi/mcp.json"), Scope::User, misplaced, false);
        add(home.join(".pi/.mcp.json"), Scope::User, misplaced, false);
        add(
            home.join(".config/pi/mcp.json"),
            Scope::User,
            misplaced,
            false,
        );
        add(
            home.join(".config/pi/agent/mcp.json"),
            Scope::User,
            misplaced,
            false,
        );
    }
    if let Some(config) = world.env.filled("XDG_CONFIG_HOME") {
        for name in ["pi/mcp.json", "pi/agent/mcp.json"] {
            let path = muster_core::absolute(config, &world.cwd).join(name);
            add(path, Scope::User, misplaced, false);
        }
    }
    if let Some(usual) = ground::usual_agent(world).filter(|_| ground.moved) {
        let why = "is not read: PI_CODING_AGENT_DIR points elsewhere";
        add(usual.join("mcp.json"), Scope::User, why, false);
    }
    // What is really read is no decoy, and of two mentions the first counts.
    let mut known: Vec<Utf8PathBuf> = ground.user_file().into_iter().collect();
    known.push(ground.project_file());
    list.retain(|decoy| {
        let new = !known.contains(&decoy.path) && world.files.is_file(&decoy.path);
        if new {
            known.push(decoy.path.clone());
        }
        new
    });
    list
}

fn read_decoy(dossier: &mut Dossier<'_>, ground: &Ground, decoy: &Decoy) -> Vec<Found> {
    let source = dossier.examine(&decoy.path, LENIENT);
    let Some(document) = source.as_deref().and_then(Source::document) else {
        return Vec::new();
    };
    let world = dossier.world;
    let shown = world.shown(&decoy.path);
    let text = format!("{} {}", Shown(&shown), decoy.why);
    let right = match (decoy.scope, ground.user_file()) {
        (Scope::User, Some(user)) => world.shown(&user),
        _ => ".pi/mcp.json".to_owned(),
    };
    let remedy = match decoy.above {
        true => format!(
            "start pi in that folder, or write it into {} here",
            Shown(&right)
        ),
        false => format!("write it into {}", Shown(&right)),
    };
    let out = ignored(&rules::ELSEWHERE, "never read there", text.clone(), remedy);
    let found: Vec<Found> = foreign::all_servers(document.root())
        .into_iter()
        .flat_map(|map| servers(document, map, decoy.scope, &out))
        .collect();
    if !found.is_empty() {
        dossier.look_at(&decoy.path, decoy.scope, Some(text));
    }
    found
}

fn ignored(rule: &'static Rule, short: &str, text: String, remedy: String) -> Objection {
    let reason = Reason::new(rule, "ignored", text, None);
    Objection::new(Status::Ignored, short, reason).with_remedy(remedy)
}

/// The servers of a map that Pi does not read: what looks like one.
fn servers(document: &Document, map: &Node, scope: Scope, out: &Objection) -> Vec<Found> {
    let members = map.effective_members().into_iter();
    members
        .filter(|member| foreign::is_server(&member.value))
        .map(|member| Found {
            skipped: Some(out.clone()),
            ..found(document, member, scope)
        })
        .collect()
}
