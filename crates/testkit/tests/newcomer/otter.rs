//! Otter, which does not exist: all that Muster would know of one more agent.

use std::rc::Rc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Address, CommandLineError, Contender, Definition, Dossier, Entry, Evidence, Field, Files,
    Harness, Idiom, LaunchError, LaunchPlan, Mode, Objection, Reason, Resolution, Rule, Scope,
    SelfApproval, Server, Session, Sourced, Status, Table, Thing, Tilde, TimeUnit, Transport,
    TrustStore, Unset, VariableForm, World, settle,
};
use muster_document::{Dialect, Document, JsonDialect, Member, Node, Secret};

const JSON: Dialect = Dialect::Json(JsonDialect::JSON_PARSE);
const SEEN: Evidence = Evidence::Documented("9");

static FILES: Rule = Rule {
    id: "otter/files",
    summary: "servers stand in .otter/tools.json of the home and of the session folder, whose entries replace those of the home",
    evidence: SEEN,
    cases: &[],
};
static ENTRY: Rule = Rule {
    id: "otter/entry",
    summary: "an address needs a word in via",
    evidence: SEEN,
    cases: &[],
};
static TRUST: Rule = Rule {
    id: "otter/trust",
    summary: "a project counts if ~/.otter/trusted.json says yes to its folder",
    evidence: SEEN,
    cases: &[],
};

static RULES: &[&Rule] = &[&FILES, &ENTRY, &TRUST];

static IDIOM: Idiom = Idiom {
    keys: &[
        (Thing::Command, "run"),
        (Thing::Args, "argv"),
        (Thing::Env, "vars"),
        (Thing::Url, "at"),
        (Thing::Transport, "via"),
        (Thing::StartTimeout, "patience"),
        (Thing::Timeout, "patience"),
    ],
    other_keys: &["auto"],
    instead: &[(Thing::Headers, "sign in with otter login")],
    transports: &[(Transport::Stdio, &["pipe"]), (Transport::Http, &["web"])],
    address: Address::NeedsWord,
    times: Some(TimeUnit::Seconds),
    tilde: Tilde::Kept,
    tables: &[Table {
        key: "tool_servers",
        path: &["tool_servers"],
        reader: "Otter",
    }],
    files: &[".otter"],
    switch_off: Some("otter drop SERVER"),
    trust: Some(TrustStore {
        files: &["/trusted.json"],
        table: None,
        trusts: |folder| folder.as_str() == Some("yes"),
        below: false,
        links: false,
    }),
    self_approvals: &[SelfApproval {
        servers: Some("tool_servers"),
        key: "auto",
        approves: |value| value.as_bool() == Some(true),
        what: "lets a server's tools run without a question",
    }],
    ..Idiom::SILENT
};

/// Otter.
#[derive(Debug)]
pub(crate) struct Otter;

impl Harness for Otter {
    fn id(&self) -> &'static str {
        "otter"
    }

    fn name(&self) -> &'static str {
        "Otter"
    }

    fn rules_version(&self) -> &'static str {
        "9"
    }

    fn rules(&self) -> &'static [&'static Rule] {
        RULES
    }

    fn home_variables(&self) -> &'static [&'static str] {
        &[]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["otter"]
    }

    fn package(&self) -> Option<&'static str> {
        None
    }

    fn variables(&self, field: Field) -> &'static [VariableForm] {
        match field {
            Field::EnvValue => &[VariableForm::EnvCurly],
            _ => &[],
        }
    }

    fn unset(&self, _field: Field) -> Unset {
        Unset::Empty
    }

    fn tool_name(&self, server: &str, tool: &str) -> String {
        format!("{}_{tool}", server.replace('-', "_"))
    }

    fn idiom(&self) -> &'static Idiom {
        &IDIOM
    }

    fn session(&self, words: &[String], _cwd: &Utf8Path) -> Result<Session, CommandLineError> {
        Ok(Session {
            words: words.to_vec(),
            mode: Mode::Interactive,
            folder: None,
            lists: false,
        })
    }

    fn resolve(&self, world: &World<'_>) -> Resolution {
        let mut dossier = Dossier::new(world);
        let trusted = is_trusted(&mut dossier);
        let mut contenders = Vec::new();
        for (path, scope) in places(world) {
            let loaded = dossier.load(&path, scope, JSON, Files::LIMIT);
            let Some(document) = loaded.document() else {
                continue;
            };
            let servers = document.root().get("tool_servers");
            let members = servers.map(Node::effective_members).unwrap_or_default();
            let counts = trusted || scope != Scope::Project;
            contenders.extend(
                members
                    .into_iter()
                    .map(|member| contender(document, member, scope, counts)),
            );
        }
        Resolution {
            id: self.id(),
            name: self.name(),
            rules_version: self.rules_version(),
            installed: None,
            servers: settle(contenders, &FILES),
            files: dossier.files,
            elsewhere: Vec::new(),
            notes: dossier.notes,
            stopped: None,
            sources: dossier.sources,
            variables: Vec::new(),
            situation: None,
            takes_from: None,
            first_steps: Vec::new(),
        }
    }

    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
        match LaunchError::of(server) {
            Some(error) => Err(error),
            None => LaunchPlan::as_written(world, server, "<server>_<tool>"),
        }
    }
}

/// Its files, the strongest first.
fn places(world: &World<'_>) -> Vec<(Utf8PathBuf, Scope)> {
    let own = |folder: &Utf8Path| folder.join(".otter/tools.json");
    let user = world.home.as_deref().map(own);
    let mut places = vec![(own(&world.cwd), Scope::Project)];
    places.extend(user.map(|user| (user, Scope::User)));
    places.dedup_by(|a, b| a.0 == b.0);
    places
}

fn is_trusted(dossier: &mut Dossier<'_>) -> bool {
    let world = dossier.world;
    let Some(home) = &world.home else {
        return false;
    };
    let path = home.join(".otter/trusted.json");
    let loaded = dossier.load(&path, Scope::User, JSON, Files::LIMIT);
    let answer = loaded
        .document()
        .and_then(|document| document.root().get(world.cwd.as_str()));
    answer.and_then(Node::as_str) == Some("yes")
}

fn contender(document: &Document, member: &Member, scope: Scope, counts: bool) -> Contender {
    let place = document.place(member.key.span);
    let entry = entry(document, &member.value);
    let reason = |rule, label, text: &str| Reason::new(rule, label, text, Some(place.clone()));
    let lost = entry.url.is_some() && entry.transport.is_none();
    let out = lost.then(|| {
        let reason = reason(&ENTRY, "invalid", "an address without \"via\"");
        Objection::new(Status::Invalid, "no via", reason)
    });
    let held = (!counts).then(|| {
        let reason = reason(&TRUST, "trust", "the folder is not trusted");
        Objection::new(Status::Untrusted, "the folder is not trusted", reason)
    });
    Contender {
        definition: Definition {
            name: member.key.text.clone(),
            scope,
            place: Some(place.clone()),
            entry: Rc::new(entry),
            rule: &FILES,
        },
        facts: Vec::new(),
        out,
        held,
        verdict: reason(&FILES, "defined", "it starts with the session"),
    }
}

fn entry(document: &Document, node: &Node) -> Entry {
    let secret = |node: &Node| {
        node.as_str().map(|text| Sourced {
            value: Secret::new(text),
            place: Some(document.place(node.span)),
        })
    };
    let word = node.get("via").and_then(|node| {
        node.as_str().map(|text| Sourced {
            value: text.to_owned(),
            place: Some(document.place(node.span)),
        })
    });
    let spoken = word.as_ref().and_then(|word| {
        let mut transports = IDIOM.transports.iter();
        transports.find(|(_, words)| words.contains(&word.value.as_str()))
    });
    let vars = node.get("vars").map(Node::effective_members);
    let patience = node.get("patience").and_then(|node| match &node.value {
        muster_document::Value::Number(number) => Some(Sourced {
            value: Duration::try_from_secs_f64(number.as_f64()).ok()?,
            place: Some(document.place(node.span)),
        }),
        _ => None,
    });
    let unread = node
        .effective_members()
        .into_iter()
        .filter(|member| IDIOM.every_key().all(|key| key != member.key.text.as_str()));
    Entry {
        transport: match spoken {
            Some((transport, _)) => Some(*transport),
            None => node.get("run").map(|_| Transport::Stdio),
        },
        command: node.get("run").and_then(secret),
        args: node
            .get("argv")
            .and_then(Node::as_array)
            .unwrap_or_default()
            .iter()
            .filter_map(secret)
            .collect(),
        env: vars
            .unwrap_or_default()
            .into_iter()
            .filter_map(|member| Some((member.key.text.clone(), secret(&member.value)?)))
            .collect(),
        url: node.get("at").and_then(secret),
        transport_word: word,
        startup_timeout: patience,
        unread: unread
            .map(|member| Sourced {
                value: member.key.text.clone(),
                place: Some(document.place(member.key.span)),
            })
            .collect(),
        ..Entry::default()
    }
}
