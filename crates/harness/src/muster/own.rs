//! Muster's own list: `mcp_servers` of its `config.json`.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Dossier, FileState, Files, Loaded, Objection, Platform, Reason, Rule, Scope, Status, World,
};
use muster_document::{Dialect, Document, JsonDialect, Node, Place, Shown, Value};

use super::entry::{self, Checked};
use super::rules;
use crate::foreign;

/// A definition as it was found, not yet judged.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) origin: Origin,
    /// Where its name stands.
    pub(super) place: Option<Place>,
    pub(super) checked: Checked,
    /// Why it does not load whatever it says: its file, or what was said of it in Claude Code.
    pub(super) out: Option<Objection>,
}

/// The kinds of place that definitions stand in, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Muster's own list.
    Own,
    /// One of Claude Code's: local, project or user.
    ClaudeCode(Scope),
    /// Where Muster never looks.
    Elsewhere(Scope),
}

impl Origin {
    /// The scope of the contract.
    pub(super) fn scope(self) -> Scope {
        match self {
            Origin::Own => Scope::Own,
            Origin::ClaudeCode(scope) | Origin::Elsewhere(scope) => scope,
        }
    }

    /// The rule that makes Muster read it.
    pub(super) fn rule(self) -> &'static Rule {
        match self {
            Origin::Own => &rules::FILE,
            Origin::ClaudeCode(_) => &rules::CLAUDE_CODE,
            Origin::Elsewhere(_) => &rules::ELSEWHERE,
        }
    }

    /// What the place means, for the first line of a story.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Origin::Own => "Muster's own: yours, in every folder",
            Origin::ClaudeCode(Scope::Local) => {
                "taken from Claude Code: yours, for this folder only"
            }
            Origin::ClaudeCode(Scope::Project) => {
                "taken from Claude Code: comes with the folder's files"
            }
            Origin::ClaudeCode(_) => "taken from Claude Code: yours, in every folder",
            Origin::Elsewhere(_) => "written where Muster never looks",
        }
    }
}

/// What `config.json` says.
#[derive(Debug, Default)]
pub(super) struct Own {
    pub(super) found: Vec<Found>,
    /// Whether Claude Code's servers are taken.
    pub(super) takes_claude_code: bool,
}

/// JSON in which comments, trailing commas and a byte order mark may stand.
pub(super) const DIALECT: Dialect = Dialect::Json(JsonDialect {
    comments: true,
    trailing_commas: true,
    ..JsonDialect::SERDE_JSON.with_bom()
});

/// Where Muster's own list stands; `None` where no home is known.
pub(super) fn config_file(world: &World<'_>) -> Option<Utf8PathBuf> {
    let named = |variable| world.env.filled(variable).map(Utf8PathBuf::from);
    let home = world.home.as_deref();
    let folder = match world.platform {
        Platform::Windows => {
            named("APPDATA").or_else(|| Some(home?.join("AppData").join("Roaming")))
        }
        // A relative path means nothing there, says the specification.
        Platform::Linux | Platform::MacOs => named("XDG_CONFIG_HOME")
            .filter(|folder| folder.as_str().starts_with('/'))
            .or_else(|| Some(home?.join(".config"))),
    };
    Some(folder?.join("muster").join("config.json"))
}

/// Reads Muster's own list at `path`.
pub(super) fn read(dossier: &mut Dossier<'_>, path: &Utf8Path) -> Own {
    let loaded = dossier.load(path, Scope::Own, DIALECT, Files::LIMIT);
    let shown = Shown(&dossier.world.shown(path)).to_string();
    let mut own = Own {
        found: Vec::new(),
        takes_claude_code: true,
    };
    let salvaged = loaded.salvage(DIALECT);
    if let Loaded::Skipped(fault) = &loaded {
        let text = format!("{shown} {fault}: none of Muster's own servers loads");
        dossier.note(&rules::SYNTAX, text, None);
    }
    let Some(document) = loaded.document().or(salvaged.as_ref()) else {
        return own;
    };
    own.takes_claude_code = takes_claude_code(dossier, document, &shown);
    let servers = servers(dossier, document, path, &shown);
    note_doubles(dossier, document, servers, &shown);
    own.found = map(document, servers, Origin::Own);
    if let Some(error) = loaded.error() {
        let place = error.place.clone();
        let text = format!("{shown} does not parse ({error}): none of Muster's own servers loads");
        dossier.note(&rules::SYNTAX, text, Some(place.clone()));
        let text = format!("its file does not parse: {error}");
        let reason = Reason::new(&rules::SYNTAX, "file", text, Some(place));
        let line = error.place.position.line;
        let lost = Objection::new(Status::Invalid, "its file is broken", reason)
            .with_remedy(format!("correct line {line} of {shown}"));
        for server in &mut own.found {
            server.out = Some(lost.clone());
        }
    }
    own.found.extend(foreign_keys(document, &shown));
    own
}

/// What `claude_code_servers` says. What is no boolean takes nothing: it was not meant as a yes.
fn takes_claude_code(dossier: &mut Dossier<'_>, document: &Document, shown: &str) -> bool {
    let Some(value) = document.root().get("claude_code_servers") else {
        return true;
    };
    let text = match value.as_bool() {
        Some(true) => return true,
        Some(false) => {
            "Claude Code's servers are not taken: claude_code_servers is false".to_owned()
        }
        None => format!(
            "Claude Code's servers are not taken: claude_code_servers of {shown} is neither true nor false"
        ),
    };
    let place = document.place(value.span);
    dossier.note(&rules::NOT_TAKEN, text, Some(place));
    false
}

/// The `mcp_servers` of the file, if it has any.
fn servers<'d>(
    dossier: &mut Dossier<'_>,
    document: &'d Document,
    path: &Utf8Path,
    shown: &str,
) -> Option<&'d Node> {
    let root = document.root();
    let (what, span) = match root.get("mcp_servers") {
        Some(servers) if servers.is_table() => return Some(servers),
        Some(servers) => ("mcp_servers is no object", servers.span),
        None if root.is_table() => return None,
        None => ("the file is no object", root.span),
    };
    let place = Some(document.place(span));
    dossier.mark(path, FileState::Broken, what, place.clone());
    let text = format!("{shown}: {what}: none of Muster's own servers loads");
    dossier.note(&rules::KEY, text, place);
    None
}

/// A name that stands twice in the list: the last counts.
fn note_doubles(
    dossier: &mut Dossier<'_>,
    document: &Document,
    servers: Option<&Node>,
    shown: &str,
) {
    let mut counts = std::collections::HashMap::new();
    let members = servers.map(Node::members).unwrap_or_default();
    for member in members {
        *counts.entry(member.key.text.as_str()).or_insert(0_usize) += 1;
    }
    if counts.len() == members.len() {
        return;
    }
    let effective = servers.map(Node::effective_members).unwrap_or_default();
    for member in effective {
        let name = member.key.text.as_str();
        if let Some(count) = counts.get(name).filter(|count| **count > 1) {
            let text = format!(
                "{} stands {count} times in {shown}: the last counts",
                Shown(name)
            );
            let place = document.place(member.key.span);
            dossier.note(&rules::SYNTAX, text, Some(place));
        }
    }
}

/// The servers of a map, each looked at.
pub(super) fn map(document: &Document, servers: Option<&Node>, origin: Origin) -> Vec<Found> {
    let members = servers.map(Node::effective_members).unwrap_or_default();
    let found = members.into_iter().map(|member| {
        let mut checked = entry::check(document, &member.value);
        let place = document.place(member.key.span);
        if member.key.text.is_empty() && checked.refusal.is_none() {
            let text = "a server without a name cannot be asked for";
            let reason = Reason::new(&rules::ENTRY, "invalid", text, Some(place.clone()));
            let refusal = Objection::new(Status::Invalid, "no name", reason);
            checked.refusal = Some(refusal.with_remedy("give it a name"));
        }
        Found {
            name: member.key.text.clone(),
            origin,
            place: Some(place),
            checked,
            out: None,
        }
    });
    found.collect()
}

/// Servers that stand under another program's key.
fn foreign_keys(document: &Document, shown: &str) -> Vec<Found> {
    let remedy = format!("move it under mcp_servers in {shown}");
    let foreign = foreign::servers(document.root(), "mcp_servers").into_iter();
    let found = foreign.flat_map(|foreign| {
        let text = format!("{}: Muster reads mcp_servers", foreign.whose());
        ignored(
            document,
            foreign.servers,
            Scope::Own,
            &rules::KEY,
            &text,
            &remedy,
        )
    });
    found.collect()
}

/// The servers of a map that Muster never reads.
pub(super) fn ignored(
    document: &Document,
    servers: &Node,
    scope: Scope,
    rule: &'static Rule,
    text: &str,
    remedy: &str,
) -> Vec<Found> {
    let mut found = map(document, Some(servers), Origin::Elsewhere(scope));
    let mut tables = servers
        .effective_members()
        .into_iter()
        .map(|member| matches!(member.value.value, Value::Table(_)));
    found.retain(|_| tables.next() == Some(true));
    for server in &mut found {
        let reason = Reason::new(rule, "ignored", text, server.place.clone());
        let objection = Objection::new(Status::Ignored, "never read there", reason);
        server.out = Some(objection.with_remedy(remedy));
        server.checked.remarks.clear();
    }
    found
}
