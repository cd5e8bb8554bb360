//! Where definitions stand: each place is read into [`Found`]s, the nearest file first.

use std::rc::Rc;
use std::sync::Arc;

use camino::Utf8Path;
use muster_core::{Dossier, FileState, Files, Loaded, Reason, Rule, Scope, Source, Status};
use muster_document::{Dialect, Document, Masked, Node, Place, Secret, Shown};

use super::dialect::{self, type_word};
use super::entry::{self, Checked, FileFault, Refusal};
use super::expand::{Missing, Variables};
use super::ground::Ground;
use super::settings::{Owner, Settings};
use super::state::State;
use super::{Stop, elsewhere, rules};
use crate::foreign;

/// A definition as it was found, not yet judged.
#[derive(Debug)]
pub(super) struct Found {
    /// The name under which it is listed.
    pub(super) name: String,
    /// The kind of place it stands in.
    pub(super) origin: Origin,
    /// Where its name stands; `None` for what the command line gave.
    pub(super) place: Option<Place>,
    /// What it says.
    pub(super) checked: Checked,
    /// Why it is never read, if it stands where Claude Code does not look.
    pub(super) unread: Option<Unread>,
}

/// Why a definition does not count where it stands.
#[derive(Debug, Clone)]
pub(super) struct Unread {
    /// `Ignored` where Claude Code never looks, `Untrusted` where it would in a trusted folder.
    pub(super) status: Status,
    /// The reason in at most about 30 characters.
    pub(super) short: String,
    /// The reason.
    pub(super) text: String,
    /// What would make it count.
    pub(super) remedy: String,
}

/// The kinds of place that definitions stand in, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// `--mcp-config`.
    Flag,
    /// `managed-mcp.json`.
    ManagedFile,
    /// `managedMcpServers` of managed settings.
    ManagedSettings,
    /// The frontmatter of the agent that runs the session.
    Agent,
    /// The state file, for this folder.
    Local,
    /// `.mcp.json`.
    Project,
    /// The state file, for every folder.
    User,
    /// A plugin of the user's.
    Plugin,
    /// A plugin in the project's `.claude/skills`.
    ProjectPlugin,
    /// Where Claude Code never looks.
    Elsewhere(Scope),
}

impl Origin {
    /// The scope of the contract.
    pub(super) fn scope(self) -> Scope {
        match self {
            Origin::Flag => Scope::Flag,
            Origin::ManagedFile | Origin::ManagedSettings => Scope::Managed,
            Origin::Agent => Scope::Agent,
            Origin::Local => Scope::Local,
            Origin::Project => Scope::Project,
            Origin::User => Scope::User,
            Origin::Plugin | Origin::ProjectPlugin => Scope::Plugin,
            Origin::Elsewhere(scope) => scope,
        }
    }

    /// The rule that makes Claude Code read it.
    pub(super) fn rule(self) -> &'static Rule {
        match self {
            Origin::Flag => &rules::FLAG_CONFIG,
            Origin::ManagedFile => &rules::MANAGED_FILE,
            Origin::ManagedSettings => &rules::MANAGED_SERVERS,
            Origin::Agent => &rules::AGENT,
            Origin::Local => &rules::LOCAL_SCOPE,
            Origin::Project => &rules::PROJECT_SCOPE,
            Origin::User => &rules::USER_SCOPE,
            Origin::Plugin => &rules::PLUGIN,
            Origin::ProjectPlugin => &rules::PROJECT_PLUGIN,
            Origin::Elsewhere(_) => &rules::ELSEWHERE,
        }
    }

    /// What the place means, for the first line of a story.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Origin::Flag => "given with --mcp-config, for this session only",
            Origin::ManagedFile => "managed scope: your administrator's",
            Origin::ManagedSettings => "managed scope: from your administrator's settings",
            Origin::Agent => "of the agent that runs the session",
            Origin::Local => "local scope: yours, for this folder only",
            Origin::Project => "project scope: comes with the folder's files",
            Origin::User => "user scope: yours, in every folder",
            Origin::Plugin => "comes with a plugin of yours",
            Origin::ProjectPlugin => "comes with a plugin in the project's .claude/skills",
            Origin::Elsewhere(_) => "written where Claude Code never looks",
        }
    }
}

/// The servers of a map, each checked.
pub(super) fn read_map(
    document: &Document,
    servers: &Node,
    origin: Origin,
    placed: bool,
) -> Vec<Found> {
    let members = servers.effective_members().into_iter();
    members
        .map(|member| {
            let name = member.key.text.clone();
            let mut checked = entry::check(document, &name, &member.value);
            if entry::is_reserved(&name) {
                checked.refusal = Some(reserved(&name, document.place(member.key.span)));
            }
            let place = placed.then(|| document.place(member.key.span));
            if !placed {
                checked.forget_places();
            }
            Found {
                name,
                origin,
                place,
                checked,
                unread: None,
            }
        })
        .collect()
}

/// The refusal of a name that Claude Code keeps for itself.
pub(super) fn reserved(name: &str, place: Place) -> Refusal {
    Refusal {
        message: format!(
            "\"{}\" is a reserved MCP server name and was not loaded",
            Shown(name)
        ),
        short: "reserved name".to_owned(),
        place: Some(place),
        rule: &rules::RESERVED_NAME,
        remedy: Some("give it another name".to_owned()),
    }
}

/// The servers of the state file: of the folder `project`, or of every folder.
pub(super) fn from_state(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    state: &State,
    project: Option<&Utf8Path>,
) -> Vec<Found> {
    let origin = if project.is_some() {
        Origin::Local
    } else {
        Origin::User
    };
    let mut found = match state.servers(dossier, &ground.state, project) {
        Some((document, servers)) => read_map(document, servers, origin, true),
        None => Vec::new(),
    };
    if let (Origin::User, Some(document)) = (origin, state.document()) {
        let shown = dossier.world.shown(&ground.state);
        found.extend(elsewhere::under_foreign_keys(
            document,
            Scope::User,
            &Shown(&shown),
        ));
    }
    found
}

/// The servers of every `.mcp.json` from the session folder upward, the nearest first.
pub(super) fn from_project_files(dossier: &mut Dossier<'_>, ground: &Ground) -> Vec<Found> {
    let world = dossier.world;
    ground
        .project_file_folders(world)
        .flat_map(|folder| from_project_file(dossier, &folder.join(".mcp.json")))
        .collect()
}

fn from_project_file(dossier: &mut Dossier<'_>, path: &Utf8Path) -> Vec<Found> {
    let loaded = dossier.load(
        path,
        Scope::Project,
        dialect::JSON,
        dialect::PROJECT_FILE_LIMIT,
    );
    let shown = dossier.world.shown(path);
    let shown = Shown(&shown);
    let fault = |words: String, place: Place, remedy: String| FileFault {
        words,
        place,
        remedy,
        rule: &rules::PROJECT_FILE,
    };
    if let Some(document) = loaded.document() {
        return match wrapped_servers(document) {
            Ok(servers) => {
                let mut found = read_map(document, servers, Origin::Project, true);
                found.extend(elsewhere::under_foreign_keys(
                    document,
                    Scope::Project,
                    &shown,
                ));
                found
            }
            Err((words, place)) => {
                dossier.mark(path, FileState::Broken, words.clone(), Some(place.clone()));
                note_loss(dossier, path, &words, Some(place.clone()));
                lost(
                    document,
                    &fault(
                        words,
                        place,
                        format!("put the servers of {shown} into an object under \"mcpServers\""),
                    ),
                )
            }
        };
    }
    match &loaded {
        Loaded::Skipped(skipped) => {
            let words = skipped.to_string();
            note_loss(dossier, path, &words, None);
            // One that is only too large for Claude Code is read all the same, to name the servers that it costs.
            let too_large = matches!(skipped, muster_core::FileFault::TooLarge { .. });
            let source = too_large
                .then(|| dossier.examine(path, dialect::JSON))
                .flatten();
            let Some(document) = source.as_deref().and_then(Source::document) else {
                return Vec::new();
            };
            let place = document.place(document.root().span);
            lost(
                document,
                &fault(words, place, format!("make {shown} smaller")),
            )
        }
        Loaded::Broken(_) => {
            let Some(error) = loaded.error() else {
                return Vec::new();
            };
            let place = error.place.clone();
            let words = format!(
                "MCP config is not a valid JSON (line {}, column {})",
                place.position.line, place.position.column
            );
            note_loss(dossier, path, &words, Some(place.clone()));
            let remedy = format!("correct line {} of {shown}: {error}", place.position.line);
            let Some(document) = loaded.salvage(dialect::JSON) else {
                return Vec::new();
            };
            lost(&document, &fault(words, place, remedy))
        }
        _ => Vec::new(),
    }
}

fn note_loss(dossier: &mut Dossier<'_>, path: &Utf8Path, words: &str, place: Option<Place>) {
    let text = format!(
        "{}: {words}: nothing of it loads",
        Shown(&dossier.world.shown(path))
    );
    dossier.note(&rules::PROJECT_FILE, text, place);
}

/// The servers that a file would have given, all invalid with it: those under `mcpServers`, else what looks like servers under
/// other programs' keys or at the root.
fn lost(document: &Document, fault: &FileFault) -> Vec<Found> {
    let root = document.root();
    let (maps, sure) = match root.get("mcpServers") {
        Some(map) => (vec![map], true),
        None => {
            let foreign = foreign::servers(root, "mcpServers");
            let maps: Vec<_> = foreign.iter().map(|foreign| foreign.servers).collect();
            (if maps.is_empty() { vec![root] } else { maps }, false)
        }
    };
    let mut found = Vec::new();
    for map in maps {
        let servers = read_map(document, map, Origin::Project, true);
        found.extend(
            servers
                .into_iter()
                .filter(|server| sure || map.get(&server.name).is_some_and(foreign::is_server)),
        );
    }
    for server in &mut found {
        server.checked.refusal = Some(fault.refusal());
    }
    found
}

/// The `mcpServers` of a file that must hold one, or the real program's complaint.
fn wrapped_servers(document: &Document) -> Result<&Node, (String, Place)> {
    let root = document.root();
    let here = document.place(root.span);
    if root.is_null() {
        return Err(("MCP config is not a valid JSON".to_owned(), here));
    }
    if !root.is_table() {
        return Err((
            format!(
                "Invalid input: expected object, received {}",
                type_word(Some(root))
            ),
            here,
        ));
    }
    match root.get("mcpServers") {
        Some(servers) if servers.is_table() => Ok(servers),
        None if root.get("servers").is_some() => {
            let place = root
                .member("servers")
                .map_or(here, |member| document.place(member.key.span));
            let words = "mcpServers: Missing \"mcpServers\" — found \"servers\" instead. Claude Code reads MCP servers from the \"mcpServers\" key.";
            Err((words.to_owned(), place))
        }
        other => {
            let place = other.map_or(here, |node| document.place(node.span));
            Err((
                format!(
                    "mcpServers: Invalid input: expected record, received {}",
                    type_word(other)
                ),
                place,
            ))
        }
    }
}

/// What `managed-mcp.json` gives; `None` where there is none. One that is there shuts out all other files, even if it is broken.
pub(super) fn from_managed_file(dossier: &mut Dossier<'_>, ground: &Ground) -> Option<Vec<Found>> {
    let path = ground.managed.join("managed-mcp.json");
    let loaded = dossier.load(&path, Scope::Managed, dialect::JSON, Files::LIMIT);
    if matches!(loaded, Loaded::Absent) {
        return None;
    }
    let servers = loaded
        .document()
        .ok_or_else(|| ("it cannot be read".to_owned(), None));
    let servers = servers.and_then(|document| {
        let servers = wrapped_servers(document).map_err(|(words, place)| (words, Some(place)))?;
        Ok(read_map(document, servers, Origin::ManagedFile, true))
    });
    Some(servers.unwrap_or_else(|(words, place)| {
        let shown = dossier.world.shown(&path);
        let text = format!(
            "{}: {words}; it still shuts out every other file, so nothing loads",
            Shown(&shown)
        );
        let place = place.or_else(|| loaded.error().map(|error| error.place.clone()));
        dossier.note(&rules::MANAGED_FILE, text, place);
        Vec::new()
    }))
}

/// The `managedMcpServers` of managed settings, the strongest file first.
pub(super) fn from_managed_settings(settings: &Settings, variables: &Variables) -> Vec<Found> {
    let mut all = Vec::new();
    for file in settings.of(Owner::Managed) {
        let servers = file
            .get("managedMcpServers")
            .filter(|servers| servers.is_table());
        let (Some(servers), Some(document)) = (servers, file.parsed()) else {
            continue;
        };
        let mut found = read_map(document, servers, Origin::ManagedSettings, true);
        for server in &mut found {
            let node = servers.get(&server.name);
            if let Some(short) =
                node.and_then(|node| managed_complaint(&server.name, node, variables))
                && server.checked.refusal.is_none()
            {
                server.checked.refusal = Some(Refusal {
                    message: format!(
                        "Skipped — managedMcpServers takes only https servers with plain names: {short}"
                    ),
                    short: short.to_owned(),
                    place: server.place.clone(),
                    rule: &rules::MANAGED_SERVERS,
                    remedy: None,
                });
            }
        }
        all.extend(found);
    }
    all
}

/// Why an entry is not one that managed settings may hold.
fn managed_complaint(name: &str, node: &Node, variables: &Variables) -> Option<&'static str> {
    let plain = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let kind = node.get("type").and_then(Node::as_str);
    let url = node.get("url").and_then(Node::as_str).unwrap_or_default();
    let expanded = variables.expand_text(url, true, &mut Missing::default());
    let host = expanded
        .get(8..)
        .unwrap_or_default()
        .split('/')
        .next()
        .unwrap_or_default();
    if !plain || matches!(name, "constructor" | "prototype" | "__proto__") {
        Some("name not allowed")
    } else if !matches!(kind, Some("http" | "streamable-http" | "sse")) {
        Some("not http or sse")
    } else if !expanded
        .get(..8)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
    {
        Some("not https")
    } else if host.contains(['$', '{', '}']) {
        Some("no address: a variable of its host is unset")
    } else {
        None
    }
}

/// What `--mcp-config` gives, the last value first. A file that is missing or holds no `mcpServers` stops Claude Code.
pub(super) fn from_flag(
    dossier: &mut Dossier<'_>,
    values: &[String],
) -> Result<Vec<Found>, Box<Stop>> {
    let mut all = Vec::new();
    for value in values.iter().rev() {
        let text = value.trim_start().starts_with('{');
        let source = if text {
            parse_text(value, "--mcp-config", dialect::JSON)
        } else {
            load_flag_file(dossier, value)
        };
        let servers = source.as_deref().and_then(|source| match source {
            Source::Parsed(document) => wrapped_servers(document)
                .ok()
                .map(|servers| (document, servers)),
            Source::Broken(_) => None,
        });
        let Some((document, servers)) = servers else {
            let named = if text {
                "its JSON text".to_owned()
            } else {
                Masked::path(&Secret::new(value)).to_string()
            };
            let words =
                format!("Claude Code does not start: --mcp-config {named} gives no mcpServers");
            let reason = Reason::new(&rules::FLAG_CONFIG, "flag", words, None);
            return Err(Box::new(Stop {
                reason,
                remedy: "mend what --mcp-config names".to_owned(),
            }));
        };
        all.extend(read_map(document, servers, Origin::Flag, !text));
    }
    Ok(all)
}

fn load_flag_file(dossier: &mut Dossier<'_>, value: &str) -> Option<Rc<Source>> {
    let path = dossier.world.at(value, &dossier.world.cwd);
    match dossier.load(&path, Scope::Flag, dialect::JSON, Files::LIMIT) {
        Loaded::Document(source) => Some(source),
        _ => None,
    }
}

fn parse_text(text: &str, label: &str, dialect: Dialect) -> Option<Rc<Source>> {
    let document =
        Document::parse(Arc::from(Utf8Path::new(label)), text.as_bytes(), dialect).ok()?;
    Some(Rc::new(Source::Parsed(document)))
}
