//! Servers of subagents: in the front matter of their files. They start, if at all, with the agent, not with the session.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Contender, Definition, Dossier, Elsewhere, Entry, FileState, Objection, Reason, Scope, Source,
    Status,
};
use muster_document::{Dialect, Document, Node, Place, Shown};

use super::ground::{FOLDER, Ground};
use super::rules;

/// How many files are looked into, each up to how many bytes.
const MOST: usize = 200;
const LARGEST: u64 = 1 << 16;

/// What agents' files hold: servers of concern to nobody here, and those of agents that are refused.
#[derive(Debug, Default)]
pub(super) struct Agents {
    pub(super) elsewhere: Vec<Elsewhere>,
    pub(super) refused: Vec<Contender>,
}

/// Looks into the agents of the user and, where `trusted`, of the project.
pub(super) fn find(dossier: &mut Dossier<'_>, ground: &Ground, home: &Utf8Path) -> Agents {
    let mut folders = vec![(home.join(FOLDER).join("agents"), Scope::User)];
    if ground.project_settings.is_some() {
        folders.push((ground.cwd.join(FOLDER).join("agents"), Scope::Project));
    }
    let mut found = Agents::default();
    let mut files: Vec<(Utf8PathBuf, Scope)> = Vec::new();
    folders.retain(|(folder, _)| {
        let own = folder.parent();
        own.is_some_and(|own| dossier.world.files.is_folder(own))
    });
    for (folder, scope) in folders {
        let names = dossier
            .world
            .files
            .list(&folder)
            .map(|names| names.to_vec())
            .unwrap_or_default();
        let names = names
            .iter()
            .filter(|name| name.ends_with(".md") && !name.starts_with('_'));
        files.extend(names.take(MOST).map(|name| (folder.join(name), scope)));
    }
    for (path, scope) in files {
        let small = dossier
            .world
            .files
            .metadata(&path)
            .is_ok_and(|file| file.size <= LARGEST);
        if small && let Some(source) = dossier.examine(&path, Dialect::YamlFrontMatter) {
            read(dossier, &path, scope, &source, &mut found);
        }
    }
    found
}

fn read(
    dossier: &mut Dossier<'_>,
    path: &Utf8Path,
    scope: Scope,
    source: &Source,
    found: &mut Agents,
) {
    let Some(document) = source.document() else {
        return;
    };
    let root = document.root();
    let agent = root
        .get("name")
        .and_then(Node::as_str)
        .unwrap_or_else(|| path.file_stem().unwrap_or_default());
    let servers = |key: &str| {
        root.get(key)
            .map(Node::effective_members)
            .unwrap_or_default()
    };
    // The documentation calls the key so, and the program refuses the agent for it. Observed on 0.61.0.
    let misnamed = servers("mcpServers");
    if !misnamed.is_empty() {
        let text = "Failed to load agent: Unrecognized key(s) in object: 'mcpServers'";
        let place = root
            .member("mcpServers")
            .map(|member| document.place(member.key.span));
        dossier.look_at(path, scope, None);
        dossier.mark(path, FileState::Broken, text, place.clone());
        let refused = misnamed.into_iter().map(|server| {
            let named = document.place(server.key.span);
            refusal(
                server.key.text.clone(),
                named,
                text,
                place.clone(),
                &entry(document, &server.value),
            )
        });
        found.refused.extend(refused);
        return;
    }
    let own = servers("mcp_servers");
    if own.is_empty() {
        return;
    }
    dossier.look_at(
        path,
        scope,
        Some("its servers are not started with the session".to_owned()),
    );
    found
        .elsewhere
        .extend(own.into_iter().map(|server| Elsewhere {
            name: server.key.text.clone(),
            place: document.place(server.key.span),
            text: format!(
                "defined by the agent {} for itself: not started with the session",
                Shown(agent)
            ),
        }));
}

fn refusal(
    name: String,
    named: Place,
    text: &str,
    place: Option<Place>,
    entry: &Entry,
) -> Contender {
    let reason = Reason::new(&rules::AGENT, "agent", text, place);
    let out = Objection::new(Status::Invalid, "its agent is refused", reason);
    let definition = Definition {
        name,
        scope: Scope::Agent,
        place: Some(named.clone()),
        entry: std::rc::Rc::new(entry.clone()),
        rule: &rules::AGENT,
    };
    Contender {
        definition,
        facts: vec![Reason::new(
            &rules::AGENT,
            "defined",
            "defined in the file of a subagent",
            Some(named),
        )],
        out: Some(out.with_remedy("call the key mcp_servers")),
        held: None,
        verdict: Reason::new(&rules::AGENT, "loads", "starts with its agent", None),
    }
}

/// What a subagent's entry says: its command or its address.
fn entry(document: &Document, node: &Node) -> Entry {
    let text = |key: &str| {
        let value = node.get(key)?;
        Some(muster_core::Sourced {
            value: muster_document::Secret::new(value.as_str()?),
            place: Some(document.place(value.span)),
        })
    };
    Entry {
        command: text("command"),
        url: text("http_url").or_else(|| text("url")),
        ..Entry::default()
    }
}
