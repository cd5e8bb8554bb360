//! Verdicts: every definition that was found, with what becomes of it and why.

use std::cmp::Reverse;
use std::rc::Rc;

use camino::Utf8Path;
use muster_core::{
    Contender, Definition, Entry, Objection, Reason, Rule, Scope, Server, Status, World, settle,
};
use muster_document::{Place, Shown};

use super::entry;
use super::gather::Gathered;
use super::layers::{self, Layer};
use super::merge::{Merged, Origin};
use super::plugins::Plugin;
use super::rules;
use super::start::{self, Question};
use super::stop::Stop;

/// Where a row stands among the others: precedence, nearer folders first, then the order of the file.
type Rank = (usize, Reverse<usize>, usize);

/// Collects the rows of one resolution.
pub(super) struct Rows<'r> {
    pub(super) world: &'r World<'r>,
    pub(super) gathered: &'r Gathered,
    pub(super) config: &'r Merged<'r>,
    pub(super) question: Question<'r>,
    /// How a person would call the user's `config.toml`.
    pub(super) user_file: String,
    found: Vec<(Rank, Contender)>,
    /// A required server that fails, and so ends the session.
    pub(super) required: Option<String>,
}

impl<'r> Rows<'r> {
    pub(super) fn new(
        world: &'r World<'r>,
        gathered: &'r Gathered,
        config: &'r Merged<'r>,
        question: Question<'r>,
        user_file: String,
    ) -> Self {
        Rows {
            world,
            gathered,
            config,
            question,
            user_file,
            found: Vec::new(),
            required: None,
        }
    }

    /// All servers, in order of precedence. `stop` keeps each of them from loading.
    pub(super) fn settle(
        mut self,
        plugins: &[Plugin],
        decoys: &[Layer],
        stop: Option<&Stop>,
    ) -> (Vec<Server>, Option<String>) {
        self.add_configured();
        self.add_aside();
        self.add_decoys(decoys);
        self.add_plugins(plugins);
        self.found.sort_by_key(|(rank, _)| *rank);
        let required = if stop.is_none() { self.required } else { None };
        let contenders = self.found.into_iter().map(|(_, contender)| match stop {
            Some(stop) => Contender {
                out: Some(stop.objection()),
                ..contender
            },
            None => contender,
        });
        let mut servers = settle(contenders.collect(), &rules::PLUGIN_NAME);
        if let Some(name) = &required {
            servers
                .iter_mut()
                .filter(|server| server.status == Status::Configured)
                .for_each(|server| end_with(server, name));
        }
        (servers, required)
    }

    fn add_configured(&mut self) {
        let servers = self
            .config
            .get("mcp_servers")
            .into_iter()
            .flat_map(Merged::members);
        for (name, server) in servers {
            let gathered = self.gathered;
            let places = |origin: Origin| gathered.place(origin);
            let Some(origin) = entry::defining(server) else {
                continue;
            };
            let Some(layer) = gathered.layers.get(origin.layer) else {
                continue;
            };
            let definition = self.definition(
                name,
                layer.scope,
                gathered.place(origin),
                entry::entry(server, &places),
            );
            let mut facts = vec![defined(&definition, &layer.name)];
            facts.extend(self.merged_from(server, origin));
            facts.extend(self.trusted(server));
            let held = gathered
                .requirements
                .as_ref()
                .and_then(|requirements| requirements.denies(name, server))
                .or_else(|| start::switched_off(self.world, server, &places))
                .or_else(|| self.question.objection(name, server, &places));
            self.note_required(name, server, held.as_ref());
            self.push(definition, facts, None, held);
        }
    }

    /// What the other layers give to a server.
    fn merged_from(&self, server: &Merged<'_>, defining: Origin) -> Vec<Reason> {
        let others = server
            .origins
            .iter()
            .filter(|origin| origin.layer != defining.layer);
        let reason = |origin: &Origin| {
            let layer = self.gathered.layers.get(origin.layer)?;
            let gives = |value: &Merged<'_>| {
                value
                    .origins
                    .last()
                    .is_some_and(|last| last.layer == origin.layer)
            };
            let keys: Vec<_> = server
                .members()
                .filter(|(_, value)| gives(value))
                .map(|(key, _)| Shown(key).to_string())
                .collect();
            let text = match keys.is_empty() {
                true => format!(
                    "{} says something too, and higher layers replace it",
                    Shown(&layer.name)
                ),
                false => format!("{} gives {}", Shown(&layer.name), keys.join(", ")),
            };
            Some(Reason::new(
                &rules::MERGE,
                Reason::MERGES,
                text,
                self.gathered.place(*origin),
            ))
        };
        others.filter_map(reason).collect()
    }

    /// Who trusts the folders whose files speak of a server.
    fn trusted(&self, server: &Merged<'_>) -> Option<Reason> {
        let speaks = |layer: usize| server.origins.iter().any(|origin| origin.layer == layer);
        let (_, decision) = self
            .gathered
            .trusted_by
            .iter()
            .rev()
            .find(|(layer, _)| speaks(*layer))?;
        let text = match &decision.place {
            Some(place) => format!(
                "{} trusts {}",
                Shown(&layers::name(self.world, &place.path)),
                Shown(&decision.folder)
            ),
            None => format!("the command line trusts {}", Shown(&decision.folder)),
        };
        Some(Reason::new(
            &rules::TRUST,
            "trust",
            text,
            decision.place.clone(),
        ))
    }

    /// Remembers a required server that fails.
    pub(super) fn note_required(
        &mut self,
        name: &str,
        server: &Merged<'_>,
        held: Option<&Objection>,
    ) {
        let fails = held
            .and_then(|held| held.reasons.last())
            .is_some_and(|reason| start::is_failure(reason.rule));
        if fails && start::is_required(server) && self.required.is_none() {
            self.required = Some(name.to_owned());
        }
    }

    pub(super) fn definition(
        &self,
        name: &str,
        scope: Scope,
        place: Option<Place>,
        entry: impl Into<Rc<Entry>>,
    ) -> Definition {
        Definition {
            name: name.to_owned(),
            scope,
            place,
            entry: entry.into(),
            rule: rule_of(scope),
        }
    }

    pub(super) fn push(
        &mut self,
        definition: Definition,
        facts: Vec<Reason>,
        out: Option<Objection>,
        held: Option<Objection>,
    ) {
        let verdict = match self.question.lists {
            true => Reason::new(
                &rules::LIST,
                "loads",
                "codex mcp list reports it as enabled",
                None,
            ),
            false => Reason::new(
                &rules::START,
                "loads",
                "nothing speaks against it: it starts in this session",
                None,
            ),
        };
        let rank = rank(&definition, self.found.len());
        self.found.push((
            rank,
            Contender {
                definition,
                facts,
                out,
                held,
                verdict,
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

/// The rule that makes Codex read what stands in `scope`.
fn rule_of(scope: Scope) -> &'static Rule {
    match scope {
        Scope::Managed => &rules::MANAGED,
        Scope::Flag => &rules::OVERRIDE,
        Scope::Project => &rules::PROJECT,
        Scope::Profile => &rules::PROFILE,
        Scope::Plugin => &rules::PLUGIN,
        _ => &rules::LAYERS,
    }
}

fn rank(definition: &Definition, number: usize) -> Rank {
    const HIGHEST_FIRST: [Scope; 7] = [
        Scope::Managed,
        Scope::Flag,
        Scope::Project,
        Scope::Profile,
        Scope::User,
        Scope::System,
        Scope::Plugin,
    ];
    let scope = HIGHEST_FIRST
        .iter()
        .position(|scope| *scope == definition.scope)
        .unwrap_or(HIGHEST_FIRST.len());
    let place = definition
        .place
        .as_ref()
        .filter(|_| definition.scope != Scope::Plugin);
    let depth = place.map_or(0, |place| depth(&place.path));
    (
        scope,
        Reverse(depth),
        place.map_or(number, |place| place.span.start),
    )
}

/// How deep a file lies.
fn depth(path: &Utf8Path) -> usize {
    path.as_str().bytes().filter(|byte| *byte == b'/').count()
}

/// A server that would start, in a session that ends because `required` fails.
fn end_with(server: &mut Server, required: &str) {
    let name = Shown(required);
    let text = format!("the session ends at once: the required server {name} does not start");
    server.status = Status::Broken;
    server.short = Some("a required server fails".to_owned());
    server.reasons.pop();
    server
        .reasons
        .push(Reason::new(&rules::REQUIRED, "required", text, None));
    server.remedies = vec![format!("correct {name}, or drop its required = true")];
}
