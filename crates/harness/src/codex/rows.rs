//! Verdicts: every definition that was found, with what becomes of it and why.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Contender, Definition, Dossier, Entry, Objection, Reason, Rule, Scope, Server, Status, World,
    settle,
};
use muster_document::{Node, Place, Shown};

use super::entry::{self, Places};
use super::gather::{Gathered, Lost, OffLayer};
use super::merge::{Merged, Origin};
use super::plugins::Plugin;
use super::rules;
use super::start::{self, Question};
use super::stop::Stop;
use super::trust::Decision;
use super::validate;

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
        stop: Option<&Stop>,
    ) -> (Vec<Server>, Option<String>) {
        self.add_configured();
        self.gathered
            .off
            .iter()
            .for_each(|off| self.add_untrusted(off));
        self.gathered
            .lost
            .iter()
            .for_each(|lost| self.add_lost(lost));
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
                .or_else(|| start::switched_off(server, &places))
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
                "merges",
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
                Shown(&self.world.tilde(&place.path)),
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

    fn add_untrusted(&mut self, off: &OffLayer) {
        let Some(root) = off.layer.root() else { return };
        let places = |origin: Origin| off.layer.place(origin.key);
        let alone = Merged::of([(0, root)]);
        let servers = alone
            .get("mcp_servers")
            .into_iter()
            .flat_map(Merged::members);
        for (name, server) in servers {
            let place = server.origin().and_then(places);
            let definition =
                self.definition(name, off.layer.scope, place, entry::entry(server, &places));
            let facts = vec![defined(&definition, &off.layer.name)];
            self.push(
                definition,
                facts,
                Some(self.untrusted(off.decision.as_ref())),
                None,
            );
        }
    }

    fn untrusted(&self, decision: Option<&Decision>) -> Objection {
        let folder = Shown(self.gathered.trust_folder.as_str()).to_string();
        let file = Shown(&self.user_file).to_string();
        let (text, place) = match decision {
            Some(decision) => (
                format!("{} is marked untrusted", Shown(&decision.folder)),
                decision.place.clone(),
            ),
            None => (format!("no [projects] table trusts {folder}"), None),
        };
        let objection = Objection::new(
            Status::Untrusted,
            "folder not trusted",
            Reason::new(&rules::TRUST, "trust", text, place),
        );
        match decision {
            Some(decision) => {
                let table = format!("[projects.\"{}\"]", Shown(&decision.folder));
                objection.with_remedy(format!("set trust_level = \"trusted\" under {table} in {file}"))
            }
            None => objection.with_remedy(format!(
                "trust this folder: run codex here and answer yes, or add [projects.\"{folder}\"] trust_level = \"trusted\" to {file}"
            )),
        }
    }

    /// Servers of a file that does not parse. Their file stops Codex, unless it would not have counted.
    fn add_lost(&mut self, lost: &Lost) {
        let place = Some(lost.remnant.place.clone());
        let name = self.world.tilde(&lost.remnant.place.path);
        let definition = self.definition(
            &lost.remnant.name,
            lost.scope,
            place.clone(),
            Entry::default(),
        );
        let facts = vec![defined(&definition, &name)];
        let out = if lost.untrusted {
            self.untrusted(None)
        } else {
            Objection::new(
                Status::Invalid,
                "its file is broken",
                Reason::new(&rules::SYNTAX, "file", "its file does not parse", place),
            )
        };
        self.push(definition, facts, Some(out), None);
    }

    fn add_plugins(&mut self, plugins: &[Plugin]) {
        let mut taken: HashMap<String, String> = HashMap::new();
        for plugin in plugins {
            let members = plugin
                .servers()
                .map(Node::effective_members)
                .unwrap_or_default();
            for member in members {
                let server = Merged::single(&member.value, member.key.span);
                self.add_plugin_server(plugin, &member.key.text, &server, &mut taken);
            }
        }
    }

    fn add_plugin_server(
        &mut self,
        plugin: &Plugin,
        name: &str,
        server: &Merged<'_>,
        taken: &mut HashMap<String, String>,
    ) {
        let Some(document) = plugin.document() else {
            return;
        };
        let places = |origin: Origin| Some(document.place(origin.key));
        let gathered = self.gathered;
        let table = self
            .config
            .at(&["plugins", &plugin.id, "mcp_servers", name]);
        let mut entry = entry::entry(server, &places);
        if let Some(table) = table {
            let given = entry::entry(table, &|origin| gathered.place(origin));
            entry.tools_only = given.tools_only.or(entry.tools_only);
            entry.tools_without = if table.get("disabled_tools").is_some() {
                given.tools_without
            } else {
                entry.tools_without
            };
        }
        let definition =
            self.definition(name, Scope::Plugin, server.origin().and_then(places), entry);
        let mut facts = vec![Reason::new(
            &rules::PLUGIN,
            "defined",
            format!("brought by the plugin {}", Shown(&plugin.id)),
            definition.place.clone(),
        )];
        facts.push(Reason::new(
            &rules::PLUGIN,
            "plugin",
            format!("[plugins.\"{}\"] switches the plugin on", Shown(&plugin.id)),
            plugin.place.clone(),
        ));
        let out = plugin
            .off
            .clone()
            .or_else(|| skipped(server, &places))
            .or_else(|| other_plugin(name, taken));
        if out.is_none() {
            taken
                .entry(name.to_owned())
                .or_insert_with(|| plugin.id.clone());
        }
        let switch = match table {
            Some(table) => start::switched_off(table, &|origin| gathered.place(origin)),
            None => start::switched_off(server, &places),
        };
        let held = gathered
            .requirements
            .as_ref()
            .and_then(|requirements| requirements.denies_plugin(&plugin.id, name, server))
            .or(switch)
            .or_else(|| self.question.objection(name, server, &places));
        if out.is_none() && self.config.at(&["mcp_servers", name]).is_none() {
            self.note_required(name, server, held.as_ref());
        }
        self.push(definition, facts, out, held);
    }

    /// Remembers a required server that fails.
    fn note_required(&mut self, name: &str, server: &Merged<'_>, held: Option<&Objection>) {
        let fails = held
            .and_then(|held| held.reasons.last())
            .is_some_and(|reason| start::is_failure(reason.rule));
        if fails && start::is_required(server) && self.required.is_none() {
            self.required = Some(name.to_owned());
        }
    }

    fn definition(
        &self,
        name: &str,
        scope: Scope,
        place: Option<Place>,
        entry: Entry,
    ) -> Definition {
        Definition {
            name: name.to_owned(),
            scope,
            place,
            entry: Rc::new(entry),
            rule: rule_of(scope),
        }
    }

    fn push(
        &mut self,
        definition: Definition,
        facts: Vec<Reason>,
        out: Option<Objection>,
        held: Option<Objection>,
    ) {
        let verdict = match self.question.lists {
            true => Reason::new(
                &rules::LIST,
                "verdict",
                "codex mcp list reports it as enabled",
                None,
            ),
            false => Reason::new(
                &rules::START,
                "verdict",
                "nothing speaks against it: Codex starts it",
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

fn defined(definition: &Definition, file: &str) -> Reason {
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
    let depth = place.map_or(0, |place| Utf8Path::ancestors(&place.path).count());
    (
        scope,
        Reverse(depth),
        place.map_or(number, |place| place.span.start),
    )
}

/// Codex skips a plugin's bad servers one by one.
fn skipped(server: &Merged<'_>, places: Places<'_>) -> Option<Objection> {
    let (words, origin) = match validate::check_server(server) {
        Err(fault) => (fault.message, fault.origin),
        Ok(()) if super::enterprise::is_managed(server) => (
            "a plugin cannot ask for auth = \"ema_auth\"".to_owned(),
            server.origin(),
        ),
        Ok(()) => return None,
    };
    let reason = Reason::new(
        &rules::PLUGIN_ENTRY,
        "invalid",
        format!("Codex skips this server: {words}"),
        origin.and_then(places),
    );
    Some(Objection::new(Status::Invalid, "Codex skips it", reason))
}

fn other_plugin(name: &str, taken: &HashMap<String, String>) -> Option<Objection> {
    let winner = Shown(taken.get(name)?);
    let text = format!(
        "the plugin {winner} brings {} too, and its id comes first",
        Shown(name)
    );
    let reason = Reason::new(&rules::PLUGIN_NAME, "wins", text, None);
    Some(Objection::new(
        Status::Overridden,
        "another plugin's wins",
        reason,
    ))
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

/// What concerns nobody here, counted.
pub(super) fn note_elsewhere(
    dossier: &mut Dossier<'_>,
    codex_home: &Utf8Path,
    profile: Option<&str>,
    config: &Merged<'_>,
    user_file: &Utf8PathBuf,
) {
    let listed = dossier
        .world
        .files
        .list(codex_home)
        .map(|names| names.to_vec())
        .unwrap_or_default();
    let asked = profile.map(|profile| format!("{profile}.config.toml"));
    let others = listed
        .iter()
        .filter(|name| name.ends_with(".config.toml") && Some(name.as_str()) != asked.as_deref())
        .count();
    if others > 0 {
        let files = if others == 1 {
            "1 profile file is"
        } else {
            &format!("{others} profile files are")
        };
        dossier.note(
            &rules::PROFILE,
            format!("{files} read only with -p NAME"),
            None,
        );
    }
    let tables = config.get("profiles").into_iter().flat_map(Merged::members);
    let servers: usize = tables
        .filter_map(|(_, table)| Some(table.get("mcp_servers")?.members().count()))
        .sum();
    if servers > 0 {
        let text = format!(
            "{servers} in [profiles.NAME.mcp_servers] of {}: Codex no longer reads these",
            Shown(user_file.as_str())
        );
        dossier.note(&rules::LEGACY_PROFILE, text, None);
    }
}
