//! Definitions written where Cursor never looks, so that nobody wonders why they do not load.

use camino::Utf8PathBuf;
use muster_core::{Dossier, Scope, Source, absolute};
use muster_document::Shown;

use super::ground::Ground;
use super::rules;
use super::sources::{Found, LENIENT, ignored};
use crate::foreign;

/// Everything near this place that looks like a definition and is none.
pub(super) fn find(dossier: &mut Dossier<'_>, ground: &Ground) -> Vec<Found> {
    let mut found = Vec::new();
    for decoy in decoys(dossier, ground) {
        let source = dossier.examine(&decoy.path, LENIENT);
        let Some(document) = source.as_deref().and_then(Source::document) else {
            continue;
        };
        let shown = Shown(&dossier.world.shown(&decoy.path)).to_string();
        let text = format!("{shown} is never read: {}", decoy.why);
        let remedy = match decoy.scope {
            Scope::User => "write it into ~/.cursor/mcp.json",
            _ => "write it into .cursor/mcp.json of the project root, under mcpServers",
        };
        let before = found.len();
        for servers in foreign::all_servers(document.root()) {
            let rule = &rules::ELSEWHERE;
            found.extend(ignored(document, servers, decoy.scope, rule, &text, remedy));
        }
        if found.len() > before {
            dossier.look_at(&decoy.path, decoy.scope, Some(text));
        }
    }
    found
}

/// A file in which people look for servers.
struct Decoy {
    path: Utf8PathBuf,
    scope: Scope,
    why: &'static str,
}

fn decoys(dossier: &Dossier<'_>, ground: &Ground) -> Vec<Decoy> {
    let world = dossier.world;
    let mut list: Vec<Decoy> = Vec::new();
    let mut add = |path: Utf8PathBuf, scope: Scope, why: &'static str| {
        let read = path == ground.project_file || Some(&path) == ground.user_file.as_ref();
        if !read && world.files.is_file(&path) && !list.iter().any(|known| known.path == path) {
            list.push(Decoy { path, scope, why });
        }
    };
    let only = "Cursor reads .cursor/mcp.json";
    add(ground.root.join("mcp.json"), Scope::Project, only);
    add(ground.root.join(".cursor/.mcp.json"), Scope::Project, only);
    let of_code = "it is VS Code's, whose key is servers";
    add(
        ground.root.join(".vscode/mcp.json"),
        Scope::Project,
        of_code,
    );
    let unmoved = [
        (
            "CURSOR_CONFIG_DIR",
            "",
            "CURSOR_CONFIG_DIR does not move mcp.json",
        ),
        (
            "CURSOR_DATA_DIR",
            "",
            "CURSOR_DATA_DIR does not move mcp.json",
        ),
        (
            "XDG_CONFIG_HOME",
            "cursor",
            "XDG_CONFIG_HOME does not move mcp.json",
        ),
    ];
    for (variable, below, why) in unmoved {
        if let Some(folder) = world.env.filled(variable) {
            let folder = absolute(folder, &world.start).join(below);
            add(folder.join("mcp.json"), Scope::User, why);
        }
    }
    if let Some(home) = &world.home {
        let user = "Cursor reads ~/.cursor/mcp.json";
        for below in [
            ".cursor/.mcp.json",
            ".cursor/cli-config.json",
            ".config/cursor/mcp.json",
        ] {
            add(home.join(below), Scope::User, user);
        }
    }
    list
}
