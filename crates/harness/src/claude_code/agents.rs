//! Servers of the agent that runs the session: a list in the frontmatter of the agent's file.

use std::collections::HashSet;
use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Elsewhere, Files, GitRoot, Loaded, Reason, Scope, Status};
use muster_document::{Dialect, Document, Node, Shown};

use super::entry::Refusal;
use super::ground::Ground;
use super::session::Flags;
use super::settings::Settings;
use super::sources::{Found, Origin, Unread, read_map};
use super::state::{State, Trust};
use super::{Stop, dialect, rules};

/// How deep folders of agents are followed, how many of them, and how many files are read, each up to how many bytes.
const DEEPEST: usize = 8;
const MOST_FOLDERS: usize = 200;
const MOST_FILES: usize = 1_000;
const LARGEST_FILE: u64 = 1 << 20;

/// How many files of agents that do not run the session are looked into, each up to how many bytes.
const MOST_OTHER_FILES: usize = 200;
const LARGEST_OTHER_FILE: u64 = 1 << 16;

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
    if let Some(found) = from_flag(dossier, flags, agent) {
        return Ok(found);
    }
    let Some((file, trusted)) = find(dossier, ground, flags, state, agent) else {
        return missing(dossier, flags, agent);
    };
    let mut found = file
        .document()
        .map(|document| servers(document, document.root(), true))
        .unwrap_or_default();
    if !trusted {
        for server in &mut found {
            server.unread = Some(Unread {
                status: Status::Untrusted,
                short: "folder not trusted".to_owned(),
                text: "servers of a project's agent start only in a trusted folder".to_owned(),
                remedy: "start claude here and trust the folder".to_owned(),
            });
        }
    }
    Ok(found)
}

/// The servers of the agent that `--agents` defines; `None` where it defines none of that name.
fn from_flag(dossier: &mut Dossier<'_>, flags: &Flags, agent: &str) -> Option<Vec<Found>> {
    let given = flags.agents.as_deref()?;
    if given.trim_start().starts_with('{') {
        let document = Document::parse(
            Utf8Path::new("--agents").into(),
            given.as_bytes(),
            dialect::JSON,
        )
        .ok()?;
        return Some(servers(&document, document.root().get(agent)?, false));
    }
    let path = dossier.world.at(given, &dossier.world.cwd);
    let loaded = dossier.load(&path, Scope::Flag, dialect::JSON, Files::LIMIT);
    let document = loaded.document()?;
    Some(servers(document, document.root().get(agent)?, true))
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
    list_markdown(dossier, folder)
        .into_iter()
        .map(|path| dossier.load(&path, scope, Dialect::YamlFrontMatter, LARGEST_FILE))
        .find(|loaded| {
            let root = loaded.document().map(Document::root);
            let text = |key: &str| root.and_then(|root| root.get(key)).and_then(Node::as_str);
            text("name") == Some(agent) && text("description").is_some()
        })
}

/// The Markdown files below `folder`. Links to folders are followed as far as they stay below it: a repository must not send Muster
/// through the whole disk.
fn list_markdown(dossier: &Dossier<'_>, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut files = Vec::new();
    let Some(top) = dossier.world.files.real_path(folder) else {
        return files;
    };
    let mut seen = HashSet::new();
    let mut waiting = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        let real = dossier
            .world
            .files
            .real_path(&folder)
            .filter(|real| real.starts_with(&top));
        let new = real.is_some_and(|real| seen.insert(real));
        if !new || depth > DEEPEST || seen.len() > MOST_FOLDERS {
            continue;
        }
        let names = dossier
            .world
            .files
            .list(&folder)
            .unwrap_or_else(|_| Rc::from([]));
        for path in names.iter().take(MOST_FILES).map(|name| folder.join(name)) {
            if path.extension() == Some("md") {
                files.push(path);
            } else if dossier.world.files.is_folder(&path) {
                waiting.push((path, depth + 1));
            }
        }
    }
    files.truncate(MOST_FILES);
    files
}

/// The servers in files of agents of which none runs this session, to be told to somebody who asks for one of their names.
pub(super) fn of_others(dossier: &mut Dossier<'_>, ground: &Ground) -> Vec<Elsewhere> {
    let folders = ground
        .trust_walk()
        .map(|folder| (folder.join(".claude/agents"), Scope::Project))
        .chain([(ground.config.join("agents"), Scope::User)]);
    let mut known = HashSet::new();
    let files: Vec<(Utf8PathBuf, Scope)> = folders
        .flat_map(|(folder, scope)| {
            let files = list_markdown(dossier, &folder).into_iter();
            files.map(move |file| (file, scope))
        })
        // The folder of the user's agents can lie above the session folder too.
        .filter(|(file, _)| known.insert(file.clone()))
        .take(MOST_OTHER_FILES)
        .collect();
    let mut found = Vec::new();
    for (path, scope) in files {
        let size = dossier.world.files.metadata(&path).map(|file| file.size);
        if size.is_ok_and(|size| size <= LARGEST_OTHER_FILE) {
            found.extend(of_other(dossier, &path, scope).unwrap_or_default());
        }
    }
    found
}

/// The servers in the file of one agent; `None` where it is no such file.
fn of_other(dossier: &mut Dossier<'_>, path: &Utf8Path, scope: Scope) -> Option<Vec<Elsewhere>> {
    let source = dossier.examine(path, Dialect::YamlFrontMatter)?;
    let document = source.document()?;
    let agent = document.root();
    let name = agent.get("name")?.as_str()?;
    let list = agent.get("mcpServers").and_then(Node::as_array)?;
    let found: Vec<Elsewhere> = list
        .iter()
        .flat_map(Node::effective_members)
        .map(|server| Elsewhere {
            name: server.key.text.clone(),
            place: document.place(server.key.span),
            text: format!("defined by the agent {} for its own sessions", Shown(name)),
        })
        .collect();
    if !found.is_empty() {
        let note = "its servers start only in a session of that agent";
        dossier.look_at(path, scope, Some(note.to_owned()));
    }
    Some(found)
}

/// The elements of the list that define servers; plain names stand for servers that are configured elsewhere.
fn servers(document: &Document, agent: &Node, placed: bool) -> Vec<Found> {
    let list = agent
        .get("mcpServers")
        .and_then(Node::as_array)
        .unwrap_or_default();
    let mut all = Vec::new();
    for element in list {
        let mut found = read_map(document, element, Origin::Agent, placed);
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
