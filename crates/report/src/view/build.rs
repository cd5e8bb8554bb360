//! From resolutions to views. What leaves here is masked; names stay exact, because scripts compare them.

use muster_core::Resolution;
use muster_document::{Masked, Place};

use super::{File, Finding, Harness, List, Note, Origin, Reason, Server, Tools};
use crate::paths::without_secrets;
use crate::{Survey, VERSION};

impl<'a> List<'a> {
    /// The view of everything `survey` found.
    pub fn new(survey: &Survey<'a>) -> List<'a> {
        List {
            schema: "muster.list/1",
            muster: VERSION,
            project: survey.cwd.as_str(),
            mode: survey.mode.into(),
            harnesses: survey.resolutions.iter().map(Harness::new).collect(),
            findings: survey.findings.iter().map(Finding::new).collect(),
            by_server: None,
        }
    }
}

impl<'a> Harness<'a> {
    fn new(resolution: &'a Resolution) -> Harness<'a> {
        Harness {
            id: resolution.id,
            name: resolution.name,
            rules: resolution.rules_version,
            installed: resolution.installed.as_deref(),
            files: resolution.files.iter().map(File::new).collect(),
            servers: resolution.servers.iter().map(Server::new).collect(),
            notes: notes(resolution),
        }
    }
}

impl<'a> File<'a> {
    pub(crate) fn new(report: &'a muster_core::FileReport) -> File<'a> {
        File {
            path: without_secrets(report.path.as_str()),
            scope: report.scope.into(),
            state: report.state.into(),
            note: report.note.as_deref(),
        }
    }
}

impl<'a> Server<'a> {
    pub(crate) fn new(server: &'a muster_core::Server) -> Server<'a> {
        let definition = &server.definition;
        let entry = &definition.entry;
        Server {
            name: &definition.name,
            loads: server.status.loads(),
            status: server.status.into(),
            scope: definition.scope.into(),
            transport: entry.transport.map(Into::into),
            command: command(entry).map(|words| words.into_iter().map(String::from).collect()),
            url: url(entry).map(String::from),
            cwd: entry
                .cwd
                .as_ref()
                .map(|cwd| Masked::word(&cwd.value).into()),
            env: entry.env.iter().map(|(name, _)| name.as_str()).collect(),
            headers: entry
                .headers
                .iter()
                .map(|(name, _)| name.as_str())
                .collect(),
            origin: Origin::of(definition.place.as_ref()),
            reasons: server.reasons.iter().map(Reason::new).collect(),
            tools: Tools {
                only: entry.tools_only.clone(),
                without: entry.tools_without.clone(),
            },
        }
    }
}

impl<'a> Reason<'a> {
    fn new(reason: &'a muster_core::Reason) -> Reason<'a> {
        Reason {
            rule: reason.rule.id,
            text: &reason.text,
            origin: Origin::of(reason.place.as_ref()),
        }
    }
}

impl<'a> Note<'a> {
    fn new(note: &'a muster_core::Note) -> Note<'a> {
        Note {
            rule: note.rule.id,
            text: &note.text,
            origin: Origin::of(note.place.as_ref()),
        }
    }
}

impl<'a> Finding<'a> {
    pub(crate) fn new(finding: &'a muster_core::Finding) -> Finding<'a> {
        Finding {
            rule: finding.check.id,
            severity: finding.severity.into(),
            harness: finding.harness,
            server: finding.server.as_deref(),
            tool: finding.tool.as_deref(),
            text: &finding.text,
            help: finding.help.as_deref(),
            origin: Origin::of(finding.place.as_ref()),
        }
    }
}

impl<'a> Origin<'a> {
    pub(crate) fn of(place: Option<&'a Place>) -> Option<Origin<'a>> {
        place.map(|place| Origin {
            file: without_secrets(place.path.as_str()),
            line: place.position.line,
            column: place.position.column,
        })
    }
}

/// The notes of a harness, what stops it first.
pub(crate) fn notes(resolution: &Resolution) -> Vec<Note<'_>> {
    resolution
        .stopped
        .iter()
        .chain(&resolution.notes)
        .map(Note::new)
        .collect()
}

/// The masked command line of `entry`.
pub(crate) fn command(entry: &muster_core::Entry) -> Option<Vec<Masked>> {
    let program = entry.command.as_ref()?;
    let words = std::iter::once(program).chain(&entry.args);
    Some(Masked::command_line(words.map(|word| &word.value)))
}

/// The masked address of `entry`.
pub(crate) fn url(entry: &muster_core::Entry) -> Option<Masked> {
    entry.url.as_ref().map(|url| Masked::url(&url.value))
}
