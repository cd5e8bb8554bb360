//! Servers of the agent that runs the session: a list in the frontmatter of the agent's file.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Files, GitRoot, Loaded, Reason, Scope, Status};
use muster_document::{Dialect, Document, Node, Shown};

use super::entry::Refusal;
use super::ground::Ground;
use super::session::Flags;
use super::settings::Settings;
use super::sources::{Found, Origin, Unread, read_map};
use super::state::{State, Trust};
use super::{Stop, rules};

/// How deep folders of agents are followed, and how many files of them are read.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 1_000;

/// Agents that come with Claude Code and have no servers of their own.
const BUILT_IN: [&str; 5] = [
    "claude",
    "Explore",
    "general-purpose",
    "Plan",
    "statusline-setup",
];

/// The servers of the agent that `--agent` or the setting `agent` names; the project's agent wins over the user's. Observed on
/// 2.1.332: bad elements of the list are skipped one by one, and an element with more than one name is bad.
pub(super) fn from_agent(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    flags: &Flags,
    settings: &Settings,
    state: &State,
) -> Result<Vec<Found>, Box<Stop>> {
    if flags.lists {
        return Ok(Vec::new());
    }
    let chosen = settings
        .files
        .iter()
        .find_map(|file| file.get("agent")?.as_str());
    let Some(agent) = flags.agent.as_deref().or(chosen) else {
        return Ok(Vec::new());
    };
    let Some((file, trusted)) = find(dossier, ground, flags, state, agent) else {
        return missing(dossier, flags, agent);
    };
    let mut found = file.document().map(servers).unwrap_or_default();
    if !trusted {
        for server in &mut found {
            server.unread = Some(Unread {
                status: Status::Untrusted,
                text: "servers of a project's agent start only in a trusted folder".to_owned(),
                remedy: "start claude here and trust the folder".to_owned(),
            });
        }
    }
    Ok(found)
}

/// An agent without a file here. Named on the command line it keeps Claude Code from starting, unless it may come from elsewhere.
fn missing(dossier: &mut Dossier<'_>, flags: &Flags, agent: &str) -> Result<Vec<Found>, Box<Stop>> {
    if BUILT_IN.contains(&agent) {
        return Ok(Vec::new());
    }
    if flags.agent.is_none() || flags.hidden_agents || !flags.plugin_dirs.is_empty() {
        dossier.note(
            &rules::AGENT,
            format!(
                "agent {} has no file here, so its servers are not known",
                Shown(agent)
            ),
            None,
        );
        return Ok(Vec::new());
    }
    let text = format!(
        "Claude Code does not start: --agent '{}' not found",
        Shown(agent)
    );
    let reason = Reason::new(&rules::AGENT, "agent", text, None);
    Err(Box::new(Stop {
        reason,
        remedy:
            "name an agent that has a file in .claude/agents here or in your configuration folder"
                .to_owned(),
    }))
}

/// The file of the agent, and whether its servers may start.
fn find(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    flags: &Flags,
    state: &State,
    agent: &str,
) -> Option<(Loaded, bool)> {
    if flags.reads_source("project") {
        for folder in ground.trust_walk() {
            if let Some(file) = find_below(
                dossier,
                &folder.join(".claude/agents"),
                Scope::Project,
                agent,
            ) {
                // The folder that holds the agent must be trusted, which outside git need not be the session's.
                let key = match GitRoot::find(dossier.world.files, folder) {
                    Some(_) => ground.project.clone(),
                    None => folder.to_owned(),
                };
                return Some((file, Trust::is_strict(state, &key)));
            }
        }
    }
    if !flags.reads_source("user") {
        return None;
    }
    find_below(dossier, &ground.config.join("agents"), Scope::User, agent).map(|file| (file, true))
}

/// The file below `folder` whose frontmatter has the name and a description: Claude Code goes by that, not by the file's name.
fn find_below(
    dossier: &mut Dossier<'_>,
    folder: &Utf8Path,
    scope: Scope,
    agent: &str,
) -> Option<Loaded> {
    let mut files = Vec::new();
    list_markdown(dossier, folder, 0, &mut files);
    files
        .into_iter()
        .map(|path| dossier.load(&path, scope, Dialect::YamlFrontMatter, Files::LIMIT))
        .find(|loaded| {
            let root = loaded.document().map(Document::root);
            let text = |key: &str| root.and_then(|root| root.get(key)).and_then(Node::as_str);
            text("name") == Some(agent) && text("description").is_some()
        })
}

fn list_markdown(
    dossier: &Dossier<'_>,
    folder: &Utf8Path,
    depth: usize,
    files: &mut Vec<Utf8PathBuf>,
) {
    let Ok(names) = dossier.world.files.list(folder) else {
        return;
    };
    for name in names.iter() {
        let path = folder.join(name);
        if files.len() >= MOST_FILES {
            return;
        }
        if name.ends_with(".md") {
            files.push(path);
        } else if depth < DEEPEST && dossier.world.files.is_folder(&path) {
            list_markdown(dossier, &path, depth + 1, files);
        }
    }
}

/// The elements of the list that define servers; plain names stand for servers that are configured elsewhere.
fn servers(document: &Document) -> Vec<Found> {
    let list = document
        .root()
        .get("mcpServers")
        .and_then(Node::as_array)
        .unwrap_or_default();
    let mut all = Vec::new();
    for element in list {
        let mut found = read_map(document, element, Origin::Agent, true);
        if found.len() > 1 {
            for server in &mut found {
                server.checked.refusal = Some(Refusal {
                    message: "Skipped — an element of mcpServers must name one server".to_owned(),
                    short: "two names in one element".to_owned(),
                    place: server.place.clone(),
                    rule: &rules::AGENT,
                    remedy: Some("give each server an element of its own".to_owned()),
                });
            }
        }
        all.extend(found);
    }
    all
}
