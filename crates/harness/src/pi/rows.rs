//! Verdicts: every definition that was found, with what becomes of it and why.

use muster_core::{
    Contender, Definition, Dossier, Objection, Reason, Rule, Scope, Server, Sourced, Status, World,
    settle,
};
use muster_document::{Masked, Secret, Shown};

use super::config::Found;
use super::entry::Goal;
use super::helper;
use super::rules;
use super::stop::Stop;
use super::template::Value;
use super::trust::{Answer, Trust};

/// What is asked, and what holds for all servers.
#[derive(Debug)]
pub(super) struct Circumstances<'c> {
    pub(super) world: &'c World<'c>,
    /// About `pi mcp list`.
    pub(super) lists: bool,
    pub(super) stop: Option<&'c Stop>,
    pub(super) trust: Option<&'c Trust>,
    /// Why no server starts at all.
    pub(super) mcp_off: Option<&'c Objection>,
}

impl Circumstances<'_> {
    /// Judges `found`, the strongest first.
    pub(super) fn judge(&self, found: Vec<Found>) -> Vec<Server> {
        let contenders = found.into_iter().map(|found| self.contender(found));
        settle(contenders.collect(), &rules::REPLACE)
    }

    fn contender(&self, mut found: Found) -> Contender {
        let mut facts = vec![defined(self.world, &found)];
        facts.append(&mut found.facts);
        if found.scope == Scope::Project
            && let Some(trust) = self.trust.filter(|trust| trust.answer == Answer::Yes)
        {
            facts.push(trust.reason.clone());
        }
        let skipped = found.skipped.take();
        facts.extend(url_decides(&found).filter(|_| skipped.is_none()));
        let untrusted = self.trust.filter(|_| found.untrusted).map(untrusted);
        let held = self.held(&found, &mut facts);
        let ignored = skipped
            .as_ref()
            .is_some_and(|skipped| skipped.status == Status::Ignored);
        let (out, held) = match (self.stop, untrusted) {
            _ if ignored => (skipped, None),
            (Some(stop), _) => (Some(stop.objection()), None),
            (None, Some(untrusted)) => (Some(untrusted), skipped.or(held)),
            (None, None) => (skipped, held),
        };
        let verdict = match self.lists {
            true => Reason::new(&rules::LIST, "loads", "pi mcp list starts it", None),
            false => Reason::new(
                &rules::START,
                "loads",
                "nothing speaks against it: it starts in this session",
                None,
            ),
        };
        Contender {
            definition: Definition {
                rule: rule_of(found.scope),
                name: found.name,
                scope: found.scope,
                place: Some(found.place),
                entry: found.entry.into(),
            },
            facts,
            out,
            held,
            verdict,
        }
    }

    /// What keeps the winner of a name from starting.
    fn held(&self, found: &Found, facts: &mut Vec<Reason>) -> Option<Objection> {
        if let Some(off) = self.mcp_off {
            return Some(off.clone());
        }
        if let Some(place) = &found.off {
            let file = self.world.shown(&place.path);
            let line = place.position.line;
            let reason = Reason::new(
                &rules::ENABLED,
                "switch",
                "enabled is false",
                Some(place.clone()),
            );
            return Some(
                Objection::new(Status::Off, "switched off", reason).with_remedy(format!(
                    "set enabled to true in line {line} of {}",
                    Shown(&file)
                )),
            );
        }
        if let Goal::NoAddress { place, words, .. } = &found.goal {
            let reason = Reason::new(&rules::BAD_URL, "address", *words, Some(place.clone()));
            let remedy = "take url out of it to run the command, or write an http address";
            return Some(
                Objection::new(Status::Broken, "its url is no address", reason).with_remedy(remedy),
            );
        }
        self.values(found, facts).or_else(|| too_long(found))
    }

    /// What becomes of the values of `env` or `headers`: the first that gives nothing makes the server fail.
    fn values(&self, found: &Found, facts: &mut Vec<Reason>) -> Option<Objection> {
        let (kind, pairs) = match found.goal {
            Goal::Command => ("env", &found.entry.env),
            _ => ("header", &found.entry.headers),
        };
        pairs.iter().find_map(|(name, value)| {
            let what = format!(
                "MCP server \"{}\" {kind} \"{}\"",
                Shown(&found.name),
                Shown(name)
            );
            match Value::of(value.value.expose(), &self.world.env) {
                Value::Text(_) => None,
                Value::Missing(names) => Some(missing(&what, &names, value)),
                Value::Command(command) => match helper::gives_nothing(command, self.world) {
                    Some(why) => Some(no_value(&what, why, value)),
                    None => {
                        let text = format!(
                            "{kind} {} is what a command prints, which Pi runs at the start",
                            Shown(name)
                        );
                        facts.push(Reason::new(
                            &rules::HELPER,
                            "helper",
                            text,
                            value.place.clone(),
                        ));
                        None
                    }
                },
            }
        })
    }
}

fn missing(what: &str, names: &[&str], value: &Sourced<Secret>) -> Objection {
    const SHOWN: usize = 4;
    // Some write the secret itself where its variable's name belongs.
    let shown: Vec<_> = names
        .iter()
        .take(SHOWN)
        .map(|name| Masked::word(&Secret::new(*name)).to_string())
        .collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (noun, names) = (
        if names.len() == 1 {
            "variable"
        } else {
            "variables"
        },
        shown.join(", "),
    );
    let text = format!("Failed to resolve {what} from environment {noun}: {names}{more}");
    let reason = Reason::new(&rules::VARIABLES, "variables", text, value.place.clone());
    Objection::new(Status::Broken, "a variable is unset", reason).with_remedy(format!(
        "set {names}{more} in the environment of pi, to more than nothing"
    ))
}

fn no_value(what: &str, why: &str, value: &Sourced<Secret>) -> Objection {
    let text = format!("Failed to resolve {what} from shell command: {why}");
    let reason = Reason::new(&rules::HELPER, "helper", text, value.place.clone());
    Objection::new(Status::Broken, "its ! command gives nothing", reason)
        .with_remedy("let the command after ! print the value")
}

/// Timers of Node end at once beyond 2^31 milliseconds; only what is no finite number is waited for without end.
fn too_long(found: &Found) -> Option<Objection> {
    const LONGEST_SECONDS: u64 = 2_147_483;
    let timeout = found.entry.call_timeout.as_ref()?;
    if timeout.value.as_secs() <= LONGEST_SECONDS {
        return None;
    }
    let text = "timeout counts in seconds; one this long ends at once";
    let reason = Reason::new(&rules::TIMEOUT, "timeout", text, timeout.place.clone());
    Some(
        Objection::new(Status::Broken, "timeout is too long", reason)
            .with_remedy(format!("write at most {LONGEST_SECONDS} seconds")),
    )
}

fn untrusted(trust: &Trust) -> Objection {
    let (status, short) = match trust.answer {
        Answer::Unknown => (Status::Unknown, "an extension decides"),
        _ => (Status::Untrusted, "folder not trusted"),
    };
    Objection::new(status, short, trust.reason.clone()).with_remedy(trust.remedy.clone())
}

fn url_decides(found: &Found) -> Option<Reason> {
    let command = found
        .entry
        .unread
        .iter()
        .find(|key| key.value == "command")?;
    let text = "there is a url: Pi calls that, and the command never runs";
    Some(Reason::new(
        &rules::URL_DECIDES,
        "transport",
        text,
        command.place.clone(),
    ))
}

/// The rule that makes Pi read what stands in `scope`.
fn rule_of(scope: Scope) -> &'static Rule {
    match scope {
        Scope::Project => &rules::PROJECT,
        _ => &rules::USER,
    }
}

fn defined(world: &World<'_>, found: &Found) -> Reason {
    let file = world.shown(&found.place.path);
    let text = format!("defined in {}, {} scope", Shown(&file), found.scope.word());
    Reason::new(
        rule_of(found.scope),
        "defined",
        text,
        Some(found.place.clone()),
    )
}

/// What ends `pi mcp list`: the first server, switched on, whose address it cannot look up.
pub(super) fn end_of_list(dossier: &Dossier<'_>, found: &[Found]) -> Option<Stop> {
    let bad = found.iter().find_map(|found| {
        let counts =
            found.skipped.is_none() && !found.untrusted && !found.replaced && found.off.is_none();
        match &found.goal {
            Goal::NoAddress {
                place,
                ends_the_list: true,
                ..
            } if counts => Some((found, place)),
            _ => None,
        }
    });
    let (found, place) = bad?;
    let file = dossier.world.shown(&place.path);
    let words = format!(
        "the url of {} is no address (Invalid URL)",
        Shown(&found.name)
    );
    let remedy = format!("correct line {} of {}", place.position.line, Shown(&file));
    Some(Stop::of_list(&rules::BAD_URL, &words, Some(place.clone())).remedied_by(remedy))
}
