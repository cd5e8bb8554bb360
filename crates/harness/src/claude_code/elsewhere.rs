//! Definitions written where Claude Code never looks, so that nobody wonders why they do not load.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Platform, Scope, Source, Status, World, normalize};
use muster_document::{Document, Node, Shown};

use super::dialect;
use super::ground::Ground;
use super::sources::{Found, Origin, Unread, read_map};
use super::state::State;
use crate::foreign;

/// Everything near this place that looks like a definition and is none. Observed on 2.1.332 for each of the places.
pub(super) fn find(dossier: &mut Dossier<'_>, ground: &Ground, state: &State) -> Vec<Found> {
    let mut found = dead_keys(dossier, ground, state);
    for (path, kind) in decoys(dossier, ground) {
        found.extend(read_decoy(dossier, ground, &path, kind));
    }
    found
}

/// Servers of a file that Claude Code reads, under keys that it does not.
pub(super) fn under_foreign_keys(
    document: &Document,
    scope: Scope,
    shown: &Shown<'_>,
) -> Vec<Found> {
    let mut found = Vec::new();
    for foreign in foreign::servers(document.root(), "mcpServers") {
        let unread = Unread {
            status: Status::Ignored,
            short: format!("{} is not read", foreign.key),
            text: format!(
                "{}: Claude Code reads mcpServers of {shown}, nothing else",
                foreign.whose()
            ),
            remedy: format!("move it under \"mcpServers\" in {shown}"),
        };
        let mut here = servers(document, Some(foreign.servers), scope);
        for server in &mut here {
            server.unread = Some(unread.clone());
        }
        found.extend(here);
    }
    found
}

/// A kind of file in which people look for servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decoy {
    /// A state file that another one takes the place of.
    State,
    /// A settings file: `mcpServers` is no settings key.
    Settings(Scope),
    /// A file of another name, or in another folder, than `.mcp.json`.
    Misplaced(Scope),
    /// Another program's.
    Foreign(&'static str, Scope),
}

impl Decoy {
    /// Why it is not read, for a line of `muster list`.
    fn short(self) -> String {
        match self {
            Decoy::State => "not the live state file".to_owned(),
            Decoy::Settings(_) => "not read from settings".to_owned(),
            Decoy::Misplaced(_) => "never read there".to_owned(),
            Decoy::Foreign(program, _) => format!("{program}'s, not read here"),
        }
    }
}

fn decoys(dossier: &Dossier<'_>, ground: &Ground) -> Vec<(Utf8PathBuf, Decoy)> {
    let mut list: Vec<(Utf8PathBuf, Decoy)> = Vec::new();
    let mut folders = vec![ground.cwd.clone(), ground.project.clone()];
    folders.extend(ground.git.as_ref().map(|root| root.folder.clone()));
    for folder in folders {
        for name in [".claude/settings.json", ".claude/settings.local.json"] {
            list.push((folder.join(name), Decoy::Settings(Scope::Project)));
        }
        for name in [
            ".claude/.mcp.json",
            ".claude/mcp.json",
            "mcp.json",
            ".claude.json",
            "claude_desktop_config.json",
            ".claude/claude_desktop_config.json",
        ] {
            list.push((folder.join(name), Decoy::Misplaced(Scope::Project)));
        }
        list.push((
            folder.join(".vscode/mcp.json"),
            Decoy::Foreign("VS Code", Scope::Project),
        ));
    }
    let mut homes = vec![ground.config.clone()];
    homes.extend(dossier.world.home.as_ref().map(|home| home.join(".claude")));
    for config in homes {
        list.push((config.join("settings.json"), Decoy::Settings(Scope::User)));
        list.push((config.join(".mcp.json"), Decoy::Misplaced(Scope::User)));
        list.push((config.join("mcp.json"), Decoy::Misplaced(Scope::User)));
        list.push((
            config.join("claude_desktop_config.json"),
            Decoy::Misplaced(Scope::User),
        ));
        list.push((config.join(".claude.json"), Decoy::State));
        list.push((config.join(".config.json"), Decoy::State));
    }
    list.extend(
        dossier
            .world
            .home
            .as_ref()
            .map(|home| (home.join(".claude.json"), Decoy::State)),
    );
    let desktop = desktop_folders(dossier.world).into_iter();
    list.extend(desktop.map(|folder| {
        let file = folder.join("claude_desktop_config.json");
        (file, Decoy::Foreign("Claude Desktop", Scope::User))
    }));
    // The first mention of a path says most about it; what is really read is no decoy.
    let read: Vec<Utf8PathBuf> = ground
        .project_file_folders(dossier.world)
        .map(|folder| folder.join(".mcp.json"))
        .chain([ground.state.clone()])
        .collect();
    let mut kept: Vec<(Utf8PathBuf, Decoy)> = Vec::new();
    for (path, kind) in list {
        if !read.contains(&path)
            && !kept.iter().any(|(known, _)| *known == path)
            && dossier.world.files.is_file(&path)
        {
            kept.push((path, kind));
        }
    }
    kept
}

/// Where Claude Desktop keeps its file. Documented, not observed; there is no Claude Desktop for Linux, but people build it.
fn desktop_folders(world: &World<'_>) -> Vec<Utf8PathBuf> {
    let home = world.home.iter();
    match world.platform {
        Platform::Windows => {
            let named = world.env.filled("APPDATA");
            let named = named.map(|data| world.at(data, &world.cwd));
            let usual = || world.home.as_ref().map(|home| home.join("AppData/Roaming"));
            let data = named.or_else(usual).into_iter();
            data.map(|data| data.join("Claude")).collect()
        }
        Platform::MacOs => home
            .map(|home| home.join("Library/Application Support/Claude"))
            .collect(),
        Platform::Linux => home
            .flat_map(|home| [home.join(".config/Claude"), home.join(".config/claude")])
            .collect(),
    }
}

fn read_decoy(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    path: &Utf8Path,
    kind: Decoy,
) -> Vec<Found> {
    let scope = match kind {
        Decoy::State => Scope::User,
        Decoy::Settings(scope) | Decoy::Misplaced(scope) | Decoy::Foreign(_, scope) => scope,
    };
    let text = why_unread(dossier, ground, path, kind);
    let remedy = match scope {
        Scope::User => format!(
            "write it into {}",
            Shown(&dossier.world.shown(&ground.state))
        ),
        _ => "write it into .mcp.json of this folder".to_owned(),
    };
    let source = dossier.examine(path, dialect::SETTINGS);
    let Some(document) = source.as_deref().and_then(Source::document) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    found.extend(servers(document, document.root().get("mcpServers"), scope));
    for foreign in foreign::servers(document.root(), "mcpServers") {
        found.extend(servers(document, Some(foreign.servers), scope));
    }
    if kind == Decoy::State {
        let here = document
            .root()
            .get("projects")
            .and_then(|projects| projects.get(ground.project.as_str()));
        found.extend(servers(
            document,
            here.and_then(|project| project.get("mcpServers")),
            Scope::Local,
        ));
    }
    for server in &mut found {
        server.unread = Some(Unread {
            status: Status::Ignored,
            short: kind.short(),
            text: text.clone(),
            remedy: remedy.clone(),
        });
    }
    if !found.is_empty() {
        dossier.look_at(path, scope, Some(text));
    }
    found
}

fn why_unread(dossier: &Dossier<'_>, ground: &Ground, path: &Utf8Path, kind: Decoy) -> String {
    let shown = dossier.world.shown(path);
    let shown = Shown(&shown);
    match kind {
        Decoy::State => {
            format!(
                "{shown} is not read: {} is the live state file",
                Shown(&dossier.world.shown(&ground.state))
            )
        }
        Decoy::Settings(_) => {
            format!("{shown} is a settings file: Claude Code reads no servers from settings")
        }
        Decoy::Misplaced(_) => {
            format!("{shown} is never read: only .mcp.json in the session folder and above it is")
        }
        Decoy::Foreign(program, _) => format!("{shown} is {program}'s: Claude Code never reads it"),
    }
}

fn servers(document: &Document, map: Option<&Node>, scope: Scope) -> Vec<Found> {
    map.filter(|map| map.is_table())
        .map(|map| read_map(document, map, Origin::Elsewhere(scope), true))
        .unwrap_or_default()
}

/// Servers of the state file under a key that means this very place but is never looked up: another spelling of the path, a
/// subfolder's own key, a worktree's own key, a folder above.
fn dead_keys(dossier: &Dossier<'_>, ground: &Ground, state: &State) -> Vec<Found> {
    let mut found = Vec::new();
    for (key, document, map) in state.other_projects(&ground.project) {
        if !means_this_place(dossier, ground, key) {
            continue;
        }
        let text = format!(
            "stored under {}, but for this place Claude Code looks under {} only, by its exact text",
            Shown(key),
            Shown(ground.project.as_str())
        );
        let remedy = format!(
            "move it under {} in {}",
            Shown(ground.project.as_str()),
            Shown(&dossier.world.shown(&ground.state))
        );
        let mut here = servers(document, Some(map), Scope::Local);
        for server in &mut here {
            server.unread = Some(Unread {
                status: Status::Ignored,
                short: "under another folder's key".to_owned(),
                text: text.clone(),
                remedy: remedy.clone(),
            });
        }
        found.extend(here);
    }
    found
}

/// Whether a key of `projects` other than the live one denotes this place.
pub(super) fn means_this_place(dossier: &Dossier<'_>, ground: &Ground, key: &str) -> bool {
    // Folders above count too: people expect what they stored there to hold below.
    let here = |path: &Utf8Path| {
        path == ground.project
            || path == dossier.world.folder
            || ground.cwd.ancestors().any(|above| path == above)
    };
    let path = match dossier.world.platform {
        Platform::Windows => dossier.world.at(key, &ground.cwd),
        _ => normalize(Utf8Path::new(key)),
    };
    here(&path)
        || path.as_str().eq_ignore_ascii_case(ground.project.as_str())
        || (path.is_absolute()
            && dossier
                .world
                .files
                .real_path(&path)
                .is_some_and(|real| here(&real)))
}
