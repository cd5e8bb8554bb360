//! Where definitions stand: each file is read into [`Found`]s.

use std::sync::Arc;

use camino::Utf8Path;
use muster_core::{Dossier, Entry, FileState, Files, Loaded, Rule, Scope, Status};
use muster_document::{Dialect, Document, JsonDialect, Node, Place, Shown, Span};

use super::approval::{Answer, Kept};
use super::entry::{self, Checked, Fault};
use super::expand::Variables;
use super::ground::Ground;
use super::rules;
use crate::foreign;

/// A definition as it was found, not yet judged.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) origin: Origin,
    /// Where its name stands.
    pub(super) place: Place,
    pub(super) checked: Checked,
    /// What was said to it.
    pub(super) answer: Answer,
    /// Why nobody can tell whether its file is read.
    pub(super) doubt: Option<Fault>,
}

impl Found {
    /// What it says, as written.
    pub(super) fn entry(&self) -> &Entry {
        &self.checked.entry
    }
}

/// The kinds of place that definitions stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// `.cursor/mcp.json` of the project root.
    Project,
    /// `~/.cursor/mcp.json`.
    User,
    /// A plugin's.
    Plugin,
    /// `.cursor/mcp.json` of a folder of `--add-dir`.
    Added,
    /// `.cursor/mcp.json` below or above the project root.
    Nested,
    /// Where Cursor never looks.
    Elsewhere(Scope),
}

impl Origin {
    /// The scope of the contract.
    pub(super) fn scope(self) -> Scope {
        match self {
            Origin::Project | Origin::Nested => Scope::Project,
            Origin::User => Scope::User,
            Origin::Plugin => Scope::Plugin,
            Origin::Added => Scope::Flag,
            Origin::Elsewhere(scope) => scope,
        }
    }

    /// The rule that makes Cursor read it.
    pub(super) fn rule(self) -> &'static Rule {
        match self {
            Origin::Project => &rules::PROJECT_FILE,
            Origin::User => &rules::USER_FILE,
            Origin::Plugin => &rules::PLUGIN,
            Origin::Added => &rules::ADDED_FOLDER,
            Origin::Nested => &rules::NESTED,
            Origin::Elsewhere(_) => &rules::ELSEWHERE,
        }
    }

    /// What the place means, for the first line of a story.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Origin::Project => "project scope: comes with the folder's files",
            Origin::User => "user scope: yours, in every folder",
            Origin::Plugin => "comes with a plugin of yours",
            Origin::Added => "of a folder given with --add-dir",
            Origin::Nested => "in a folder that is not the project root",
            Origin::Elsewhere(_) => "written where Cursor never looks",
        }
    }
}

/// `JSON.parse`: what every source agrees that Cursor reads.
const STRICT: JsonDialect = JsonDialect::JSON_PARSE;

/// What some say that it reads too.
pub(super) const LENIENT: Dialect = Dialect::Json(JsonDialect {
    comments: true,
    trailing_commas: true,
    ..STRICT.with_bom()
});

/// What decides about the definitions of a file besides the file.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) ground: &'a Ground,
    pub(super) kept: &'a Kept,
    /// The variables of the project's file.
    pub(super) variables: Variables<'a>,
}

impl Reader<'_> {
    /// The servers of the file at `path`.
    pub(super) fn file(
        &self,
        dossier: &mut Dossier<'_>,
        path: &Utf8Path,
        origin: Origin,
    ) -> Vec<Found> {
        let loaded = dossier.load(path, origin.scope(), LENIENT, Files::LIMIT);
        let shown = Shown(&dossier.world.shown(path)).to_string();
        match (&loaded, loaded.document()) {
            (_, Some(document)) => {
                let doubt = doubt(dossier, path, &shown);
                if let Some(doubt) = &doubt {
                    dossier.mark(path, FileState::Read, &*doubt.text, doubt.place.clone());
                }
                let Some(servers) = servers(dossier, document, path, &shown) else {
                    return foreign_keys(document, origin, &shown);
                };
                let mut found = self.map(document, servers, origin);
                for server in &mut found {
                    server.doubt.clone_from(&doubt);
                }
                found.extend(foreign_keys(document, origin, &shown));
                found
            }
            (Loaded::Broken(_), None) => self.lost(dossier, &loaded, origin, &shown),
            (Loaded::Skipped(fault), None) => {
                let text = format!("{shown} {fault}: nothing of it loads");
                dossier.note(origin.rule(), text, None);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// The servers of a map, each looked at.
    pub(super) fn map(&self, document: &Document, servers: &Node, origin: Origin) -> Vec<Found> {
        let members = servers.effective_members().into_iter();
        let asked =
            origin == Origin::Project || (origin == Origin::User && self.ground.home_is_project());
        members
            .map(|member| {
                let name = member.key.text.clone();
                let answer = match asked {
                    true => {
                        let root = &self.ground.root;
                        self.kept
                            .answer(root, &name, &member.value, &self.variables)
                    }
                    false => Answer::None,
                };
                Found {
                    checked: entry::check(document, &member.value),
                    place: document.place(member.key.span),
                    doubt: None,
                    name,
                    origin,
                    answer,
                }
            })
            .collect()
    }

    /// The servers that a file costs which does not parse.
    fn lost(
        &self,
        dossier: &mut Dossier<'_>,
        loaded: &Loaded,
        origin: Origin,
        shown: &str,
    ) -> Vec<Found> {
        let Some(error) = loaded.error() else {
            return Vec::new();
        };
        let place = error.place.clone();
        let text = format!("{shown} is no JSON ({error}): nothing of it loads");
        dossier.note(&rules::SYNTAX, text, Some(place.clone()));
        let fault = Fault {
            status: Status::Invalid,
            short: "its file is broken".to_owned(),
            label: "file",
            text: format!("{shown} is no JSON: {error}"),
            rule: &rules::SYNTAX,
            remedy: Some(format!("correct line {} of {shown}", place.position.line)),
            place: Some(place),
        };
        let Some(document) = loaded.salvage(LENIENT) else {
            return Vec::new();
        };
        let servers = document.root().get("mcpServers");
        let mut found = servers
            .map(|servers| self.map(&document, servers, origin))
            .unwrap_or_default();
        for server in &mut found {
            server.checked.fault = Some(fault.clone());
        }
        found
    }
}

/// What is in a file beyond JSON, so that sources disagree whether Cursor reads it.
fn doubt(dossier: &Dossier<'_>, path: &Utf8Path, shown: &str) -> Option<Fault> {
    let bytes = dossier.world.files.read(path, Files::LIMIT).ok()?;
    let error = Document::parse(Arc::from(path), &bytes, Dialect::Json(STRICT)).err()?;
    let (what, place) = if bytes.starts_with(b"\xEF\xBB\xBF") {
        // The text that places count in is without the mark.
        ("begins with a byte order mark".to_owned(), None)
    } else {
        let what = format!("is JSON only with liberties ({error})");
        (what, Some(error.place))
    };
    let remedy = match &place {
        Some(place) => format!("write plain JSON: line {} of {shown}", place.position.line),
        None => format!("save {shown} without a byte order mark"),
    };
    Some(Fault {
        status: Status::Unknown,
        short: "its file is no plain JSON".to_owned(),
        label: "file",
        text: format!("{shown} {what}: sources disagree whether Cursor reads it"),
        place,
        rule: &rules::SYNTAX,
        remedy: Some(remedy),
    })
}

/// The `mcpServers` of a file; a file without gives no servers, and is told where it says something else.
fn servers<'d>(
    dossier: &mut Dossier<'_>,
    document: &'d Document,
    path: &Utf8Path,
    shown: &str,
) -> Option<&'d Node> {
    let root = document.root();
    let (what, span): (_, Span) = match root.get("mcpServers") {
        Some(servers) if servers.is_table() => return Some(servers),
        Some(servers) => ("mcpServers is no object", servers.span),
        None if root.is_table() && root.members().is_empty() => return None,
        None if root.is_table() => ("there is no mcpServers", root.span),
        None => ("the file is no object", root.span),
    };
    let place = Some(document.place(span));
    dossier.mark(path, FileState::Broken, what, place.clone());
    let text = format!("{shown}: {what}: it gives no servers");
    dossier.note(&rules::KEY, text, place);
    None
}

/// Servers that stand under another program's key.
fn foreign_keys(document: &Document, origin: Origin, shown: &str) -> Vec<Found> {
    let remedy = format!("move it under mcpServers in {shown}");
    let foreign = foreign::servers(document.root(), "mcpServers").into_iter();
    let found = foreign.flat_map(|foreign| {
        let text = format!("{}: Cursor reads mcpServers only", foreign.whose());
        let (servers, scope) = (foreign.servers, origin.scope());
        ignored(document, servers, scope, &rules::KEY, &text, &remedy)
    });
    found.collect()
}

/// The servers of a map that Cursor never reads.
pub(super) fn ignored(
    document: &Document,
    servers: &Node,
    scope: Scope,
    rule: &'static Rule,
    text: &str,
    remedy: &str,
) -> Vec<Found> {
    let members = servers.effective_members().into_iter();
    let members = members.filter(|member| member.value.is_table());
    members
        .map(|member| {
            let place = document.place(member.key.span);
            let mut checked = entry::check(document, &member.value);
            checked.remarks.clear();
            checked.fault = Some(Fault {
                status: Status::Ignored,
                short: "never read there".to_owned(),
                label: "ignored",
                text: text.to_owned(),
                place: Some(place.clone()),
                rule,
                remedy: Some(remedy.to_owned()),
            });
            Found {
                name: member.key.text.clone(),
                origin: Origin::Elsewhere(scope),
                place,
                checked,
                answer: Answer::None,
                doubt: None,
            }
        })
        .collect()
}
