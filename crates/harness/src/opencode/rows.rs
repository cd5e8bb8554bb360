//! Verdicts: every definition that was found, with what becomes of it and why.

use std::cmp::Reverse;
use std::rc::Rc;

use muster_core::{
    Contender, Definition, Entry, Objection, Reason, Rule, Scope, Server, Status, World, settle,
};
use muster_document::{Place, Shown, Span};

use super::account::Account;
use super::address;
use super::entries::{self, Found, Kind, Outcome};
use super::entry;
use super::gather::Gathered;
use super::launch;
use super::layers::Layer;
use super::merge::{Merged, Speaker};
use super::rules;
use super::stop::Stop;
use super::tooling::{Filters, Left};

/// Where a row stands among the others: what is never read last, higher layers first, then the order of the file.
type Rank = (bool, Reverse<usize>, usize);

/// Collects the rows of one resolution.
pub(super) struct Rows<'r> {
    world: &'r World<'r>,
    account: &'r Account<'r>,
    filters: Filters,
    lists: bool,
    found: Vec<(Rank, Contender)>,
}

impl<'r> Rows<'r> {
    pub(super) fn new(
        world: &'r World<'r>,
        account: &'r Account<'r>,
        filters: Filters,
        lists: bool,
    ) -> Self {
        Rows {
            world,
            account,
            filters,
            lists,
            found: Vec::new(),
        }
    }

    /// All servers, in order of precedence.
    pub(super) fn settle(mut self, gathered: &Gathered) -> Vec<Server> {
        self.add_merged();
        self.add_left_out();
        self.add_lost();
        self.add_off(gathered);
        self.add_foreign(gathered);
        self.found.sort_by_key(|(rank, _)| *rank);
        let stop = self.account.stop.as_ref();
        let world = self.world;
        let contenders = self.found.into_iter().map(|(_, contender)| match stop {
            // What its own fault costs keeps its own reason.
            Some(stop) if contender.out.is_none() => Contender {
                out: Some(stop.objection(world)),
                ..contender
            },
            _ => contender,
        });
        settle(contenders.collect(), &rules::MERGE)
    }

    fn add_merged(&mut self) {
        let account = self.account;
        for server in &account.servers.list {
            match server.defining() {
                Some(defining) => self.add_server(server, defining),
                None => self.add_ghost(server),
            }
        }
    }

    fn add_server(&mut self, server: &Merged<'_>, defining: Speaker) {
        let account = self.account;
        let Some(layer) = account.layer(defining.layer) else {
            return;
        };
        let mut entry = entry::of_merged(server, account);
        let left = self.filters.left(server.name);
        let hidden = hidden_tools(&left);
        entry.tools_only = left.only;
        entry.tools_without = left.without;
        let definition = self.definition(server.name, defining, entry);
        let mut facts = vec![defined(&definition, &layer.name)];
        facts.extend(self.merged_from(server, defining));
        facts.extend(self.remarks(server));
        facts.extend(fails(server, account));
        facts.extend(hidden);
        let held = self.switched_off(server);
        self.push(
            definition,
            (false, Reverse(defining.layer), defining.key.start),
            facts,
            None,
            held,
        );
    }

    /// A name of which no file says what it is: files only switch it.
    fn add_ghost(&mut self, server: &Merged<'_>) {
        let account = self.account;
        for speaker in server.speakers.iter().rev() {
            let Some(layer) = account.layer(speaker.layer) else {
                continue;
            };
            let found = account.entry(speaker.layer, speaker.key);
            let entry = found.map_or_else(Entry::default, |found| {
                entry::of_part(&entries::meant(found.node), layer)
            });
            let definition = self.definition(server.name, *speaker, entry);
            let place = definition.place.clone();
            let name = Shown(server.name).to_string();
            let out = match found.map(|found| &found.outcome) {
                Some(Outcome::Switch(_, Some(fault))) => {
                    let text = format!(
                        "without a good server in the entry only its enabled counts: {}",
                        fault.sentence(Some(layer))
                    );
                    let place = layer.place(fault.span).or(place);
                    let reason = Reason::new(&rules::PARTIAL, "entry", text, place);
                    Objection::new(Status::Invalid, "no good server in it", reason)
                        .with_remedy(remedy_for(found))
                }
                _ => {
                    let text = format!("it only switches {name}, and no file says what {name} is");
                    let reason = Reason::new(&rules::PARTIAL, "entry", text, place);
                    Objection::new(Status::Ignored, "switches what nobody defines", reason)
                        .with_remedy(format!(
                            "define {name} here or in another file: type and command, or type and url"
                        ))
                }
            };
            let facts = vec![defined(&definition, &layer.name)];
            let rank = (false, Reverse(speaker.layer), speaker.key.start);
            self.push(definition, rank, facts, Some(out), None);
        }
    }

    /// Entries of 2.x that do not count beside good files.
    fn add_left_out(&mut self) {
        let account = self.account;
        let good: Vec<(usize, &Layer)> = account.good().map(|(at, layer, _)| (at, layer)).collect();
        for (at, layer) in good {
            let found = account.said.get(at).map(|said| said.found.as_slice());
            for found in found.unwrap_or_default() {
                let out = match &found.outcome {
                    Outcome::LeftOut(fault) => left_out(
                        found,
                        layer,
                        fault.sentence(Some(layer)),
                        layer.place(fault.span),
                    ),
                    Outcome::Hidden(flat) => {
                        let name = Shown(&found.key.text).to_string();
                        let text =
                            format!("mcp.{name} of the same file wins over mcp.servers.{name}");
                        let reason = Reason::new(&rules::NESTED, "wins", text, layer.place(*flat));
                        Objection::new(Status::Overridden, "mcp's own entry wins", reason)
                            .with_remedy(format!("remove mcp.{name}"))
                    }
                    _ => continue,
                };
                self.add_found(at, layer, found, Some(out));
            }
        }
    }

    /// Servers of files that stop OpenCode.
    fn add_lost(&mut self) {
        let account = self.account;
        let bad: Vec<(usize, Stop)> = account.bad().map(|(at, stop)| (at, stop.clone())).collect();
        for (at, stop) in bad {
            let Some(layer) = account.layer(at) else {
                continue;
            };
            let found = account.said.get(at).map(|said| said.found.as_slice());
            for found in found.unwrap_or_default() {
                let out = match &found.outcome {
                    Outcome::Fatal(fault) => self.fatal(
                        layer,
                        found,
                        fault.sentence(Some(layer)),
                        layer.place(fault.span),
                    ),
                    _ => stop.objection(self.world),
                };
                self.add_found(at, layer, found, Some(out));
            }
        }
    }

    fn fatal(
        &self,
        layer: &Layer,
        found: &Found<'_>,
        sentence: String,
        place: Option<Place>,
    ) -> Objection {
        let text = format!(
            "OpenCode does not start: Configuration is invalid at {}: {sentence}",
            Shown(&layer.name)
        );
        let reason = Reason::new(&rules::ENTRY, "stops", text, place);
        Objection::new(Status::Invalid, "stops OpenCode", reason)
            .with_remedy(remedy_for(Some(found)))
    }

    /// Servers of the project's files where these are switched off.
    fn add_off(&mut self, gathered: &Gathered) {
        for layer in &gathered.off {
            let Some(root) = layer.root() else { continue };
            for found in entries::read(root).found {
                let text =
                    "OPENCODE_DISABLE_PROJECT_CONFIG is on: OpenCode reads no file of the project";
                let reason = Reason::new(&rules::PROJECT_OFF, "switch", text, None);
                let out = Objection::new(Status::Off, "project files are off", reason)
                    .with_remedy("unset OPENCODE_DISABLE_PROJECT_CONFIG");
                self.add_aside(layer, &found.key.text, found.key.span, &found, out);
            }
        }
    }

    fn add_found(&mut self, at: usize, layer: &Layer, found: &Found<'_>, out: Option<Objection>) {
        let entry = entry::of_part(&entries::meant(found.node), layer);
        let speaker = Speaker {
            layer: at,
            key: found.key.span,
        };
        let definition = self.definition(&found.key.text, speaker, entry);
        let facts = vec![defined(&definition, &layer.name)];
        let rank = (false, Reverse(at), found.key.span.start);
        self.push(definition, rank, facts, out, None);
    }

    fn add_aside(
        &mut self,
        layer: &Layer,
        name: &str,
        key: Span,
        found: &Found<'_>,
        out: Objection,
    ) {
        let definition = Definition {
            name: name.to_owned(),
            scope: layer.owner.scope,
            place: layer.place(key),
            entry: Rc::new(entry::of_part(&entries::meant(found.node), layer)),
            rule: layer.owner.rule,
        };
        let facts = vec![defined(&definition, &layer.name)];
        self.push(
            definition,
            (true, Reverse(0), key.start),
            facts,
            Some(out),
            None,
        );
    }

    pub(super) fn push_aside(&mut self, definition: Definition, file: &str, out: Objection) {
        let start = definition
            .place
            .as_ref()
            .map_or(0, |place| place.span.start);
        let facts = vec![defined(&definition, file)];
        self.push(
            definition,
            (true, Reverse(0), start),
            facts,
            Some(out),
            None,
        );
    }

    /// What the other layers give to a server.
    fn merged_from(&self, server: &Merged<'_>, defining: Speaker) -> Vec<Reason> {
        let others = server
            .speakers
            .iter()
            .filter(|speaker| speaker.layer != defining.layer);
        let reason = |speaker: &Speaker| {
            let layer = self.account.layer(speaker.layer)?;
            let keys = server.given_by(speaker.layer);
            let text = match keys.is_empty() {
                true => format!(
                    "{} says something too, and higher layers replace it",
                    Shown(&layer.name)
                ),
                false => format!("{} gives {}", Shown(&layer.name), keys.join(", ")),
            };
            let place = layer.place(speaker.key);
            Some(Reason::new(&rules::MERGE, Reason::MERGES, text, place))
        };
        others.filter_map(reason).collect()
    }

    /// What a reader of its entries may expect and OpenCode does not do.
    fn remarks(&self, server: &Merged<'_>) -> Vec<Reason> {
        let mut remarks = Vec::new();
        for speaker in &server.speakers {
            let found = self.account.entry(speaker.layer, speaker.key);
            let (Some(found), Some(layer)) = (found, self.account.layer(speaker.layer)) else {
                continue;
            };
            if let Outcome::Switch(_, Some(fault)) = &found.outcome {
                let text = format!(
                    "of the entry in {} only enabled counts: {}",
                    Shown(&layer.name),
                    fault.sentence(Some(layer))
                );
                let place = layer.place(fault.span);
                remarks.push(Reason::new(&rules::PARTIAL, "entry", text, place));
            }
            if let Some(fault) = &found.deaf {
                let text = format!(
                    "disabled does not count beside what OpenCode 2 does not know: {}",
                    fault.sentence(Some(layer))
                );
                let place = found
                    .node
                    .member("disabled")
                    .and_then(|member| layer.place(member.key.span));
                remarks.push(Reason::new(&rules::DISABLED, "switch", text, place));
            }
        }
        remarks
    }

    fn switched_off(&self, server: &Merged<'_>) -> Option<Objection> {
        let enabled = server.enabled.filter(|enabled| !enabled.value.on)?;
        let layer = self.account.layer(enabled.layer)?;
        let place = layer.place(enabled.span);
        let (said, wanted) = match enabled.value.key {
            "disabled" => ("disabled = true", "\"disabled\": false"),
            _ => ("enabled = false", "\"enabled\": true"),
        };
        let rule = match enabled.value.key {
            "disabled" => &rules::DISABLED,
            _ => &rules::ENABLED,
        };
        let remedy = match &place {
            Some(place) => format!(
                "write {wanted} in line {} of {}",
                place.position.line,
                Shown(&self.world.shown(&place.path))
            ),
            None => format!("write {wanted} into {}", Shown(&layer.name)),
        };
        let text = format!("{} says {said}", Shown(&layer.name));
        let reason = Reason::new(rule, "switch", text, place);
        Some(Objection::new(Status::Off, "switched off", reason).with_remedy(remedy))
    }

    fn definition(&self, name: &str, speaker: Speaker, entry: Entry) -> Definition {
        let layer = self.account.layer(speaker.layer);
        Definition {
            name: name.to_owned(),
            scope: layer.map_or(Scope::User, |layer| layer.owner.scope),
            place: layer.and_then(|layer| layer.place(speaker.key)),
            entry: Rc::new(entry),
            rule: layer.map_or(&rules::GLOBAL, |layer| layer.owner.rule),
        }
    }

    fn push(
        &mut self,
        definition: Definition,
        rank: Rank,
        facts: Vec<Reason>,
        out: Option<Objection>,
        held: Option<Objection>,
    ) {
        let text = match self.lists {
            true => "nothing speaks against it: opencode mcp list starts it to see",
            false => "nothing speaks against it: it starts in this session, and nobody is asked",
        };
        self.found.push((
            rank,
            Contender {
                definition,
                facts,
                out,
                held,
                verdict: Reason::new(&rules::START, "loads", text, None),
            },
        ));
    }
}

pub(super) fn defined(definition: &Definition, file: &str) -> Reason {
    let text = format!(
        "defined in {}, {} scope",
        Shown(file),
        definition.scope.word()
    );
    Reason::new(definition.rule, "defined", text, definition.place.clone())
}

/// What would make an entry a good one.
fn remedy_for(found: Option<&Found<'_>>) -> &'static str {
    let node = found.map(|found| found.node);
    let has = |key: &str| node.is_some_and(|node| node.get(key).is_some());
    match (has("command"), has("url")) {
        (_, true) => "write it as {\"type\": \"remote\", \"url\": \"…\"}",
        (true, _) => "write it as {\"type\": \"local\", \"command\": [\"…\", \"…\"]}",
        _ => "write type and command, or type and url",
    }
}

fn left_out(found: &Found<'_>, layer: &Layer, sentence: String, place: Option<Place>) -> Objection {
    let only_switch = found.node.get("type").is_none() && found.node.get("disabled").is_some();
    let remedy = match only_switch {
        true => "write enabled in place of disabled",
        false => remedy_for(Some(found)),
    };
    let text = format!("OpenCode leaves it out without a word: {sentence}");
    let place = place.or_else(|| layer.place(found.key.span));
    let reason = Reason::new(&rules::NESTED, "entry", text, place);
    Objection::new(Status::Invalid, "malformed, left out", reason).with_remedy(remedy)
}

/// What `tools` and `permission` take from the model.
fn hidden_tools(left: &Left) -> Option<Reason> {
    let listed = |names: &[String]| {
        let names: Vec<_> = names.iter().map(|name| Shown(name).to_string()).collect();
        names.join(", ")
    };
    let text = match (&left.only, left.without.as_slice()) {
        (Some(only), _) => format!("the model sees only its tools {}", listed(only)),
        (None, []) => return None,
        (None, [all]) if all == "*" => "it starts, and the model sees none of its tools".to_owned(),
        (None, without) => format!("the model does not see its tools {}", listed(without)),
    };
    Some(Reason::new(&rules::TOOLS, "tools", text, None))
}

/// What OpenCode says of a good entry as soon as it tries to start it.
fn fails(server: &Merged<'_>, account: &Account<'_>) -> Option<Reason> {
    let (rule, words, from): (&'static Rule, _, _) = match server.kind?.value {
        Kind::Local => {
            let command = server.command.filter(|_| server.words().is_empty())?;
            (&rules::COMMAND, launch::NO_PROGRAM.to_owned(), command)
        }
        Kind::Remote => {
            let url = server.url?;
            url.value.as_str().filter(|url| !address::parses(url))?;
            (&rules::URL, launch::no_address(server.name), url)
        }
    };
    let text = format!("it fails as soon as it is tried: {words}");
    let place = account.place(from.layer, from.value.span);
    Some(Reason::new(rule, "start", text, place))
}
