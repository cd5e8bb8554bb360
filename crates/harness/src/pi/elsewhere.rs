//! Definitions near this place that Pi never reads, so that nobody wonders why they do not load.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Objection, Reason, Rule, Scope, Source, Status};
use muster_document::{Dialect, Document, JsonDialect, Node, Shown};

use super::config::{Found, found};
use super::ground::{self, Ground};
use super::rules;
use super::settings::JSON;
use crate::foreign;

const SETTINGS: &str = "is a settings file: Pi reads no servers from settings";
const MISPLACED: &str = "is never read";

/// Files in a folder of Pi's, with why it does not read them.
const IN_PROJECT: &[(&str, &str)] = &[
    ("settings.json", SETTINGS),
    ("agent/mcp.json", MISPLACED),
    (".mcp.json", MISPLACED),
    ("mcp.local.json", MISPLACED),
];
const IN_AGENT: &[(&str, &str)] = &[("settings.json", SETTINGS), (".mcp.json", MISPLACED)];
const IN_HOME: &[(&str, &str)] = &[("mcp.json", MISPLACED), (".mcp.json", MISPLACED)];
const IN_CONFIG: &[(&str, &str)] = &[("mcp.json", MISPLACED), ("agent/mcp.json", MISPLACED)];

/// Other programs' files in a project, and a name without its folder.
const FOREIGN: &[(&str, &str)] = &[
    (".mcp.json", "is Claude Code's: Pi never reads it"),
    (".cursor/mcp.json", "is Cursor's: Pi never reads it"),
    (".vscode/mcp.json", "is VS Code's: Pi never reads it"),
    ("mcp.json", "is never read: only .pi/mcp.json is"),
];

/// Claude Code keeps more than servers in its own; what is larger, in bytes, is not worth a look here.
const STATE_LIMIT: u64 = 256 * 1024;

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

impl Decoy {
    fn new(path: Utf8PathBuf, scope: Scope, why: &'static str) -> Decoy {
        Decoy {
            path,
            scope,
            why,
            above: false,
        }
    }
}

fn decoys(dossier: &Dossier<'_>, ground: &Ground) -> Vec<Decoy> {
    let world = dossier.world;
    let mut list = Vec::new();
    // Nothing lies in a folder that is not there.
    let mut beside = |folder: &Utf8Path, scope: Scope, names: &[(&str, &'static str)]| {
        let there = world.files.exists(folder);
        for (name, why) in names.iter().filter(|_| there) {
            list.push(Decoy::new(folder.join(name), scope, why));
        }
        there
    };
    let mut in_use = beside(&ground.project, Scope::Project, IN_PROJECT);
    if let Some(agent) = &ground.agent {
        in_use |= beside(agent, Scope::User, IN_AGENT);
    }
    // Who never used Pi did not mean it.
    if in_use {
        beside(&world.cwd, Scope::Project, FOREIGN);
    }
    if let Some(home) = &world.home {
        beside(&home.join(".pi"), Scope::User, IN_HOME);
        beside(&home.join(".config/pi"), Scope::User, IN_CONFIG);
    }
    if let Some(config) = world.env.filled("XDG_CONFIG_HOME") {
        let folder = muster_core::absolute(config, &world.cwd).join("pi");
        beside(&folder, Scope::User, IN_CONFIG);
    }
    if let Some(state) = world.home.as_ref().map(|home| home.join(".claude.json"))
        && in_use
        && world
            .files
            .metadata(&state)
            .is_ok_and(|found| found.size < STATE_LIMIT)
    {
        list.push(Decoy::new(
            state,
            Scope::User,
            "is Claude Code's: Pi never reads it",
        ));
    }
    for folder in world.cwd.ancestors().skip(1) {
        let why = "is not read here: Pi reads the session folder's own .pi/mcp.json alone";
        list.push(Decoy {
            above: true,
            ..Decoy::new(folder.join(".pi/mcp.json"), Scope::Project, why)
        });
    }
    if let Some(usual) = ground::usual_agent(world).filter(|_| ground.moved) {
        let why = "is not read: PI_CODING_AGENT_DIR points elsewhere";
        list.push(Decoy::new(usual.join("mcp.json"), Scope::User, why));
    }
    // What is really read is no decoy, and of two mentions the first counts.
    let mut known: HashSet<Utf8PathBuf> = ground.user_file().into_iter().collect();
    known.insert(ground.project_file());
    list.retain(|decoy| known.insert(decoy.path.clone()) && world.files.is_file(&decoy.path));
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
