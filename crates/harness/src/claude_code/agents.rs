//! Servers of the agent that runs the session: a list in the frontmatter of the agent's file.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Files, GitRoot, Loaded, Scope};
use muster_document::{Document, Node, Shown};

use super::ground::Ground;
use super::rules;
use super::session::Flags;
use super::settings::Settings;
use super::sources::{Found, Origin, read_map};
use super::state::{State, Trust};

/// How deep folders of agents are followed, and how many files of them are read.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 1_000;

/// The servers of the agent that `--agent` or the setting `agent` names; the project's agent wins over the user's. Observed on
/// 2.1.332: bad elements of the list are skipped one by one, and an element with more than one name is bad.
pub(super) fn from_agent(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    flags: &Flags,
    settings: &Settings,
    state: &State,
) -> Vec<Found> {
    let chosen = settings
        .files
        .iter()
        .find_map(|file| file.get("agent")?.as_str());
    let Some(agent) = flags.agent.as_deref().or(chosen) else {
        return Vec::new();
    };
    let Some((file, trusted)) = find(dossier, ground, flags, state, agent) else {
        let text = format!(
            "agent {} has no file here: the session runs it without servers of its own, or not at all",
            Shown(agent)
        );
        dossier.note(&rules::AGENT, text, None);
        return Vec::new();
    };
    if !trusted {
        let text = format!(
            "{}: servers of a project's agent need a trusted folder",
            Shown(
                &dossier.world.tilde(
                    file.document()
                        .map_or(Utf8Path::new(""), |document| document.path())
                )
            )
        );
        dossier.note(&rules::AGENT, text, None);
        return Vec::new();
    }
    file.document().map(servers).unwrap_or_default()
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
        .map(|path| dossier.load(&path, scope, super::dialect::JSON, Files::LIMIT))
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

/// The elements of the list that define a server; the others name one that is configured elsewhere.
fn servers(document: &Document) -> Vec<Found> {
    let list = document
        .root()
        .get("mcpServers")
        .and_then(Node::as_array)
        .unwrap_or_default();
    let alone = list.iter().filter(|element| element.members().len() == 1);
    alone
        .flat_map(|element| read_map(document, element, Origin::Agent, true))
        .collect()
}
