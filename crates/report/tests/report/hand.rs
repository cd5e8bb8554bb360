//! Resolutions built by hand, from configuration files given as text.

use std::rc::Rc;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Definition, Elsewhere, Entry, Evidence, FileReport, FileState, Mode, Note, Reason, Resolution,
    Rule, Scope, Server, Source, Sourced, Status, Transport,
};
use muster_document::{Dialect, Document, JsonDialect, Member, Node, Place, Secret};
use muster_report::Survey;

pub(crate) static DEFINED: Rule = Rule {
    id: "acme/files",
    summary: "Acme reads its files",
    evidence: Evidence::Observed("1.2.3"),
    cases: &["files"],
};
pub(crate) static APPROVAL: Rule = Rule {
    id: "acme/approval",
    summary: "Acme asks first",
    evidence: Evidence::Documented("1.2.3"),
    cases: &[],
};

/// The session folder of every survey here.
pub(crate) const FOLDER: &str = "/home/me/src/shop";
/// The home of every survey here.
pub(crate) const HOME: &str = "/home/me";

/// A harness under construction.
pub(crate) struct Hand {
    resolution: Resolution,
}

impl Hand {
    /// A harness that found nothing yet.
    pub(crate) fn new(id: &'static str, name: &'static str) -> Hand {
        Hand {
            resolution: Resolution {
                id,
                name,
                rules_version: "1.2.3",
                installed: Some("1.2.3".to_owned()),
                files: Vec::new(),
                servers: Vec::new(),
                elsewhere: Vec::new(),
                notes: Vec::new(),
                stopped: None,
                sources: Vec::new(),
                variables: Vec::new(),
                situation: None,
                takes_from: None,
                first_steps: Vec::new(),
            },
        }
    }

    /// Lets the harness read the file `path` with the JSON `text`, and gives every member of it a server: `status` and `short` by
    /// the order in `verdicts`.
    pub(crate) fn file(
        mut self,
        path: &str,
        scope: Scope,
        text: &str,
        verdicts: &[(Status, Option<&str>)],
    ) -> Hand {
        let document = Document::parse(
            Arc::from(Utf8Path::new(path)),
            text.as_bytes(),
            Dialect::Json(JsonDialect::JSON_PARSE),
        )
        .unwrap();
        for (at, member) in document.root().members().iter().enumerate() {
            let (status, short) = verdicts[at.min(verdicts.len() - 1)];
            self.resolution
                .servers
                .push(server(&document, member, scope, status, short));
        }
        self.looked(path, scope, FileState::Read, None, None);
        self.resolution
            .sources
            .push(Rc::new(Source::Parsed(document)));
        self
    }

    /// Lets the harness look at `path` and find nothing.
    pub(crate) fn absent(mut self, path: &str, scope: Scope) -> Hand {
        self.looked(path, scope, FileState::Absent, None, None);
        self
    }

    /// Lets the harness stumble over the file `path`.
    pub(crate) fn broken(mut self, path: &str, scope: Scope, text: &str) -> Hand {
        let error = Document::parse(
            Arc::from(Utf8Path::new(path)),
            text.as_bytes(),
            Dialect::Json(JsonDialect::JSON_PARSE),
        )
        .unwrap_err();
        self.looked(
            path,
            scope,
            FileState::Broken,
            Some(error.to_string()),
            Some(error.place.clone()),
        );
        self.resolution.sources.push(Rc::new(Source::Broken(error)));
        self
    }

    /// Lets the harness find `path` without being able to read it.
    pub(crate) fn unreadable(mut self, path: &str, scope: Scope, why: &str) -> Hand {
        self.looked(
            path,
            scope,
            FileState::Unreadable,
            Some(why.to_owned()),
            None,
        );
        self
    }

    /// Lets the harness find a name that is of no concern here, where the server called `like` is defined.
    pub(crate) fn elsewhere(mut self, name: &str, like: &str, text: &str) -> Hand {
        let place = self.server(like).definition.place.clone().unwrap();
        self.resolution.elsewhere.push(Elsewhere {
            name: name.to_owned(),
            place,
            text: text.to_owned(),
        });
        self
    }

    /// Lets the broken file stop everything.
    pub(crate) fn stopped(mut self, text: &str) -> Hand {
        let place = self
            .resolution
            .files
            .iter()
            .find_map(|file| file.place.clone());
        self.resolution.stopped = Some(Note {
            rule: &DEFINED,
            text: text.to_owned(),
            place,
        });
        self
    }

    /// Adds a reason before the last one of the server called `name`; the place is that of its definition.
    pub(crate) fn reason(mut self, name: &str, label: &'static str, text: &str) -> Hand {
        let server = self.server(name);
        let place = server.definition.place.clone();
        let last = server.reasons.len() - 1;
        server.reasons.insert(
            last,
            Reason {
                rule: &APPROVAL,
                label,
                text: text.to_owned(),
                place,
            },
        );
        self
    }

    /// Adds a way to make the server called `name` load.
    pub(crate) fn remedy(mut self, name: &str, text: &str) -> Hand {
        self.server(name).remedies.push(text.to_owned());
        self
    }

    /// Adds a note.
    pub(crate) fn note(mut self, text: &str) -> Hand {
        self.resolution.notes.push(Note {
            rule: &DEFINED,
            text: text.to_owned(),
            place: None,
        });
        self
    }

    /// Says how a first server could be added.
    pub(crate) fn first_step(mut self, text: &str) -> Hand {
        self.resolution.first_steps.push(text.to_owned());
        self
    }

    /// Changes what else there is to change.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Resolution)) -> Hand {
        change(&mut self.resolution);
        self
    }

    /// The resolution.
    pub(crate) fn done(self) -> Resolution {
        self.resolution
    }

    fn server(&mut self, name: &str) -> &mut Server {
        self.resolution
            .servers
            .iter_mut()
            .find(|server| server.definition.name == name)
            .unwrap()
    }

    fn looked(
        &mut self,
        path: &str,
        scope: Scope,
        state: FileState,
        note: Option<String>,
        place: Option<Place>,
    ) {
        self.resolution.files.push(FileReport {
            path: Utf8PathBuf::from(path),
            scope,
            state,
            note,
            place,
        });
    }
}

/// `resolutions` found in the usual folder.
pub(crate) fn survey(resolutions: &[Resolution]) -> Survey<'_> {
    Survey {
        folder: Utf8Path::new(FOLDER),
        cwd: Utf8Path::new(FOLDER),
        home: Some(Utf8Path::new(HOME)),
        mode: Mode::Interactive,
        session: None,
        resolutions,
        findings: &[],
        launches: &[],
        checked: None,
    }
}

fn server(
    document: &Document,
    member: &Member,
    scope: Scope,
    status: Status,
    short: Option<&str>,
) -> Server {
    let place = Some(document.place(member.key.span));
    let defined = Reason {
        rule: &DEFINED,
        label: "defined",
        text: format!("{} scope", scope.word()),
        place: place.clone(),
    };
    let verdict = Reason {
        rule: &APPROVAL,
        label: "approval",
        text: short.unwrap_or("nothing speaks against it").to_owned(),
        place: None,
    };
    Server {
        definition: Definition {
            name: member.key.text.clone(),
            scope,
            place,
            entry: Rc::new(entry(document, &member.value)),
            rule: &DEFINED,
        },
        status,
        short: short.map(str::to_owned),
        reasons: vec![defined, verdict],
        remedies: Vec::new(),
        further: Vec::new(),
        replaces: Vec::new(),
    }
}

fn entry(document: &Document, node: &Node) -> Entry {
    let sourced = |node: &Node| Sourced {
        value: Secret::new(node.as_str().unwrap_or_default()),
        place: Some(document.place(node.span)),
    };
    let pairs = |key: &str| -> Vec<(String, Sourced<Secret>)> {
        node.get(key)
            .map(|table| {
                table
                    .members()
                    .iter()
                    .map(|m| (m.key.text.clone(), sourced(&m.value)))
                    .collect()
            })
            .unwrap_or_default()
    };
    let url = node.get("url").map(sourced);
    Entry {
        transport: Some(if url.is_some() {
            Transport::Http
        } else {
            Transport::Stdio
        }),
        command: node.get("command").map(sourced),
        args: node
            .get("args")
            .and_then(Node::as_array)
            .unwrap_or_default()
            .iter()
            .map(sourced)
            .collect(),
        cwd: node.get("cwd").map(sourced),
        env: pairs("env"),
        url,
        headers: pairs("headers"),
        tools_only: None,
        tools_without: Vec::new(),
        ..Entry::default()
    }
}
