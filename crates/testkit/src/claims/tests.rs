//! The claims notice a harness that breaks them.

use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::Utf8Path;
use muster_core::{
    CommandLineError, Definition, Dossier, Evidence, Field, Giver, Handed, Idiom, LaunchError,
    LaunchPlan, Mode, Reason, Rule, Scope, Server, Session, Sourced, Status, Unset, VariableForm,
    World,
};
use muster_document::{Dialect, JsonDialect, Secret};

use super::*;

static RULE: Rule = Rule {
    id: "fake/rule",
    summary: "everything loads",
    evidence: Evidence::Documented("1"),
    cases: &[],
};
static OTHER: Rule = Rule {
    id: "fake/other",
    ..RULE
};

static RULES: &[&Rule] = &[&RULE];

/// What a harness does wrong.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    Twice,
    PastTheEnd,
    NoAccount,
    WrongName,
    OtherRule,
    Changing,
    Variable,
    ChangingPlan,
    HandedTwice,
    HandedAndWithheld,
    LimitElsewhere,
    Remark,
}

/// Lists the servers of one file, and has a fault.
struct Fake(Fault);

static RUNS: AtomicUsize = AtomicUsize::new(0);

impl Harness for Fake {
    fn id(&self) -> &'static str {
        "fake"
    }

    fn name(&self) -> &'static str {
        "Fake"
    }

    fn rules_version(&self) -> &'static str {
        "1"
    }

    fn rules(&self) -> &'static [&'static Rule] {
        RULES
    }

    fn home_variables(&self) -> &'static [&'static str] {
        &[]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["fake"]
    }

    fn package(&self) -> Option<&'static str> {
        None
    }

    fn variables(&self, _field: Field) -> &'static [VariableForm] {
        &[]
    }

    fn unset(&self, _field: Field) -> Unset {
        Unset::StaysText
    }

    fn tool_name(&self, _server: &str, tool: &str) -> String {
        tool.to_owned()
    }

    fn idiom(&self) -> &'static Idiom {
        &Idiom::SILENT
    }

    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
        let mut server = server.clone();
        server.definition.entry = Rc::new(Entry {
            command: Some(Sourced {
                value: Secret::new("db"),
                place: None,
            }),
            ..Entry::default()
        });
        let mut plan = LaunchPlan::as_written(world, &server, "<tool>")?;
        let Start::Process { env, withheld, .. } = &mut plan.start else {
            return Ok(plan);
        };
        let variable = |name: &str| Handed {
            name: name.to_owned(),
            value: Secret::new(""),
            giver: Giver::Entry,
        };
        match self.0 {
            Fault::ChangingPlan => {
                let run = RUNS.fetch_add(1, Ordering::Relaxed);
                plan.remarks.push(format!("run {run}"));
            }
            Fault::HandedTwice => env.extend([variable("A"), variable("A")]),
            Fault::HandedAndWithheld => {
                env.push(variable("A"));
                withheld.push("A".to_owned());
            }
            Fault::LimitElsewhere => {
                plan.call_timeout.place = server.definition.place.map(past_the_end)
            }
            Fault::Remark => plan.remarks.push("a sentence.".to_owned()),
            _ => {}
        }
        Ok(plan)
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
        let path = Utf8Path::new("/work/repo/fake.json");
        let loaded = dossier.load(
            path,
            Scope::Project,
            Dialect::Json(JsonDialect::JSON_PARSE),
            1000,
        );
        let mut servers = Vec::new();
        for member in loaded
            .document()
            .iter()
            .flat_map(|document| document.root().members())
        {
            let mut place = loaded
                .document()
                .map(|document| document.place(member.key.span));
            if let (Fault::PastTheEnd, Some(place)) = (self.0, &mut place) {
                place.span.end += 1000;
            }
            let mut server = server(&member.key.text, place);
            match self.0 {
                Fault::Twice => servers.push(server.clone()),
                Fault::WrongName => server.definition.name.push('x'),
                Fault::OtherRule => server.reasons.push(Reason::new(&OTHER, "", "", None)),
                Fault::Changing => {
                    server.definition.name = format!("é{}", RUNS.fetch_add(1, Ordering::Relaxed))
                }
                Fault::Variable if world.env.get(UNUSED).is_some() => {
                    server.reasons.push(server.reasons[0].clone())
                }
                _ => {}
            }
            servers.push(server);
        }
        if self.0 == Fault::NoAccount {
            dossier.sources.clear();
        }
        resolution(dossier, servers)
    }
}

fn past_the_end(mut place: Place) -> Place {
    place.span.end += 1000;
    place
}

fn server(name: &str, place: Option<Place>) -> Server {
    let definition = Definition {
        name: name.to_owned(),
        scope: Scope::Project,
        place,
        entry: Default::default(),
        rule: &RULE,
    };
    Server {
        definition,
        status: Status::Configured,
        short: None,
        reasons: vec![Reason::new(&RULE, "defined", "it is there", None)],
        remedies: Vec::new(),
        further: Vec::new(),
        replaces: Vec::new(),
    }
}

fn resolution(dossier: Dossier<'_>, servers: Vec<Server>) -> Resolution {
    Resolution {
        id: "fake",
        name: "Fake",
        rules_version: "1",
        installed: None,
        files: dossier.files,
        servers,
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

/// The first claim that `fault` breaks; empty if all hold.
fn check(fault: Fault) -> String {
    let stage = Stage::new("//- /work/repo/fake.json\n{\"db\": {}}\n//- /work/repo/other\n");
    broken(&Fake(fault), &stage)
        .into_iter()
        .next()
        .unwrap_or_default()
}

#[test]
fn each_broken_claim_is_noticed() {
    assert_eq!(check(Fault::None), "");
    assert_eq!(check(Fault::Twice), "two servers called \"db\" load");
    assert!(
        check(Fault::PastTheEnd)
            .starts_with("a place is outside of the text of /work/repo/fake.json")
    );
    assert!(check(Fault::NoAccount).ends_with("of which there is no text"));
    assert_eq!(
        check(Fault::WrongName),
        "the place of \"dbx\" does not hold its name"
    );
    assert_eq!(
        check(Fault::OtherRule),
        "the rule `fake/other` is not registered"
    );
    assert_eq!(check(Fault::Changing), "a second resolution is another");
    assert_eq!(
        check(Fault::Variable),
        "a file or variable that was not asked for makes a difference"
    );
    assert_eq!(
        check(Fault::ChangingPlan),
        "a second plan for \"db\" is another"
    );
    assert_eq!(
        check(Fault::HandedTwice),
        "\"db\" is handed variables twice or in no order"
    );
    assert_eq!(
        check(Fault::HandedAndWithheld),
        "\"db\" is handed a variable that is withheld"
    );
    assert_eq!(
        check(Fault::LimitElsewhere),
        "a limit of \"db\" is in no text of the account"
    );
    assert_eq!(check(Fault::Remark), "a remark on \"db\" is no fragment");
}
