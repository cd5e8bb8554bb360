//! From what was found to verdicts.

use std::collections::HashMap;
use std::rc::Rc;

use muster_core::{
    Contender, Definition, Environment, Giver, Objection, Reason, Server, Status, World, settle,
};
use muster_document::{Place, Shown};

use super::enablement::ServerSwitches;
use super::entry::Config;
use super::extensions::Extension;
use super::faults;
use super::layers::{Merged, Written, lost, written};
use super::lists::Lists;
use super::rules;
use super::server_command;
use super::session::Flags;
use super::settings::{Layer, Owner, Settings, place};
use super::stop::Stop;
use super::tools;
use super::trust::Decision;
use super::variables;

/// Everything that decides about a definition besides the definition itself.
#[derive(Debug)]
pub(super) struct Circumstances<'c, 'l, 'd> {
    pub(super) world: &'c World<'c>,
    pub(super) flags: &'c Flags,
    /// Every settings file that is there.
    pub(super) layers: &'l [Layer<'d>],
    /// Those that count.
    pub(super) settings: &'c Settings<'l, 'd>,
    pub(super) merged: &'c Merged<'l, 'd>,
    /// Whether the project's settings count.
    pub(super) project_counts: &'c Decision,
    /// Whether servers may start.
    pub(super) trust: &'c Decision,
    pub(super) extensions: &'l [Extension<'d>],
    pub(super) lists: &'c Lists,
    pub(super) switches: &'c ServerSwitches,
    /// The environment after the `.env` was read.
    pub(super) env: &'c Environment,
    /// Whose words that `.env` holds.
    pub(super) env_giver: Giver,
    pub(super) stop: Option<&'c Stop>,
}

/// A row on its way to a verdict, with what a session would use of it.
#[derive(Debug)]
pub(super) struct Row<'l, 'd> {
    pub(super) contender: Contender,
    /// The entry; none for `mcp.serverCommand`, which is a command line.
    pub(super) config: Option<Config<'l, 'd>>,
    /// The extension that it comes from, or that adds to it.
    pub(super) extension: Option<&'l Extension<'d>>,
    pub(super) name: String,
}

/// A server with what a session would use of it.
#[derive(Debug)]
pub(super) struct Judged<'l, 'd> {
    pub(super) server: Server,
    pub(super) config: Option<Config<'l, 'd>>,
    pub(super) extension: Option<&'l Extension<'d>>,
}

/// The order in which layers are shown: precedence.
const STRONGEST_FIRST: [Owner; 4] = [Owner::System, Owner::Project, Owner::User, Owner::Defaults];

impl<'l, 'd> Circumstances<'_, 'l, 'd> {
    /// Every definition with its verdict, in order of precedence.
    pub(super) fn judge(&self) -> Vec<Judged<'l, 'd>> {
        let command = self.server_command();
        let mut rows: Vec<Row<'l, 'd>> = command.row.into_iter().collect();
        let replaced = !rows.is_empty();
        // Where the settings' own winners stand among the rows.
        let mut winners: HashMap<String, usize> = HashMap::new();
        for owner in STRONGEST_FIRST {
            let Some(layer) = self.layers.iter().find(|layer| layer.owner == owner) else {
                continue;
            };
            for (name, entry) in written(layer) {
                let row = self.configured(&name, entry, command.failure.as_ref());
                let wins = self
                    .merged
                    .winners
                    .get(&name)
                    .is_some_and(|winner| std::ptr::eq(winner.value, entry.value));
                if wins && !(replaced && name == server_command::NAME) {
                    winners.insert(name, rows.len());
                }
                rows.push(row);
            }
            rows.extend(self.lost(layer));
        }
        let failed = command.failure.is_some();
        self.extend(&mut rows, &winners, failed);
        let mut extras = Vec::with_capacity(rows.len());
        let contenders = rows.into_iter().map(|row| {
            extras.push((row.config, row.extension));
            row.contender
        });
        let servers = settle(contenders.collect(), &rules::MERGE);
        let judged = servers.into_iter().zip(extras);
        judged
            .map(|(server, (config, extension))| Judged {
                server,
                config,
                extension,
            })
            .collect()
    }

    /// An entry of a settings file.
    fn configured(
        &self,
        name: &str,
        entry: Written<'l, 'd>,
        failure: Option<&Objection>,
    ) -> Row<'l, 'd> {
        let owner = entry.layer.owner;
        let config = Config {
            parts: vec![entry.part()],
        };
        let shown = self.world.shown(entry.layer.path);
        let mut facts = vec![Reason::new(
            owner.rule(),
            "defined",
            format!("defined in {}, {}", Shown(&shown), owner.meaning()),
            entry
                .place()
                .or_else(|| Some(place(entry.layer, entry.value))),
        )];
        if owner == Owner::Project && self.trust.trusted {
            facts.push(self.project_counts.reason());
        }
        let out = self
            .shut_out(owner)
            .or_else(|| self.gone(name, entry))
            .or_else(|| failure.cloned());
        let definition = Definition {
            name: name.to_owned(),
            scope: owner.scope(),
            place: entry.place(),
            entry: Rc::new(config.entry()),
            rule: owner.rule(),
        };
        let held = self.held(name, &config, None);
        self.row(definition, facts, out, held, Some(config), None)
    }

    pub(super) fn row(
        &self,
        definition: Definition,
        mut facts: Vec<Reason>,
        out: Option<Objection>,
        held: Option<Objection>,
        config: Option<Config<'l, 'd>>,
        extension: Option<&'l Extension<'d>>,
    ) -> Row<'l, 'd> {
        if out.is_none() && held.is_none() {
            facts.extend(self.lists.surprise(&definition.name));
            facts.extend(
                config
                    .as_ref()
                    .and_then(|config| variables::unset(config, &self.world.env, self.env)),
            );
            facts.extend(
                config
                    .as_ref()
                    .and_then(|config| tools::hidden(self, &definition.name, config)),
            );
        }
        let verdict = match self.flags.lists {
            true => Reason::new(
                &rules::LIST,
                "loads",
                "gemini mcp list connects to it",
                None,
            ),
            false => Reason::new(
                &rules::START,
                "loads",
                "nothing speaks against it: it starts in this session",
                None,
            ),
        };
        let name = definition.name.clone();
        Row {
            contender: Contender {
                definition,
                facts,
                out,
                held,
                verdict,
            },
            config,
            extension,
            name,
        }
    }

    /// What keeps every server of a layer out.
    pub(super) fn shut_out(&self, owner: Owner) -> Option<Objection> {
        if let Some(stop) = self.stop {
            return Some(stop.objection());
        }
        if !self.trust.trusted {
            return Some(self.trust.objection());
        }
        (owner == Owner::Project && !self.project_counts.trusted).then(|| {
            let mut objection = self.project_counts.objection();
            if let Some(reason) = objection.reasons.last_mut() {
                reason.rule = &rules::SKIP_TRUST;
                reason.text = "the project's settings were read before --skip-trust counted: only your own servers start".to_owned();
            }
            objection
        })
    }

    /// An entry that a stronger layer or JavaScript takes away.
    fn gone(&self, name: &str, entry: Written<'_, '_>) -> Option<Objection> {
        if let Some(by) = self.merged.wipes(entry.layer) {
            let text = "a stronger layer's mcpServers is no object and counts as false: it takes all weaker servers away";
            let reason = Reason::new(&rules::MERGE_ODD, "wins", text, Some(by.clone()));
            let objection = Objection::new(Status::Overridden, "mcpServers above is empty", reason);
            return Some(objection.with_remedy("make that mcpServers an object, or take it out"));
        }
        let own = entry.place();
        let dropped = self
            .merged
            .dropped
            .iter()
            .any(|(lost, place)| lost == name && Some(place) == own.as_ref());
        dropped.then(|| lost_name(name, own))
    }

    /// Entries that are lost when a file is checked.
    fn lost(&self, layer: &'l Layer<'d>) -> Option<Row<'l, 'd>> {
        let (key, document) = lost(layer)?;
        let place = Some(document.place(key.span));
        let definition = Definition {
            name: key.text.clone(),
            scope: layer.owner.scope(),
            place: place.clone(),
            entry: Rc::default(),
            rule: layer.owner.rule(),
        };
        let shown = self.world.shown(layer.path);
        let fact = format!("defined in {}, {}", Shown(&shown), layer.owner.meaning());
        let facts = vec![Reason::new(
            layer.owner.rule(),
            "defined",
            fact,
            place.clone(),
        )];
        let out = self
            .shut_out(layer.owner)
            .or_else(|| Some(lost_name(&key.text, place)));
        Some(self.row(definition, facts, out, None, None, None))
    }

    /// What keeps a server from starting although its name is its own, in the order of the real program.
    pub(super) fn held(
        &self,
        name: &str,
        config: &Config<'_, '_>,
        extension: Option<&Extension<'_>>,
    ) -> Option<Objection> {
        if let Some(nothing) = faults::no_connection(config, name) {
            return Some(nothing);
        }
        let objections = [
            self.lists.objection(name),
            self.switches.objection(name),
            // Of an extension's entry, that extension counts and not what the entry says.
            faults::false_extension(config).filter(|_| !self.flags.lists && extension.is_none()),
            faults::unusable(config, self.flags.lists),
        ];
        stacked(objections.into_iter().flatten().collect())
    }
}

/// An entry whose name means something else to JavaScript.
pub(super) fn lost_name(name: &str, place: Option<Place>) -> Objection {
    let text = format!(
        "an entry called {} is lost when Gemini CLI reads the file",
        Shown(name)
    );
    let reason = Reason::new(&rules::NAME, "invalid", text, place);
    Objection::new(Status::Invalid, "its name is lost", reason).with_remedy("give it another name")
}

/// Several objections as one: the first decides, and what would help must help against all.
pub(super) fn stacked(objections: Vec<Objection>) -> Option<Objection> {
    let mut objections = objections.into_iter();
    let mut first = objections.next()?;
    for other in objections {
        let remedies = first.remedies.iter().zip(&other.remedies);
        first.remedies = remedies
            .map(|(one, more)| format!("{one}; and then: {more}"))
            .collect();
        first.reasons.splice(0..0, other.reasons);
    }
    Some(first)
}
