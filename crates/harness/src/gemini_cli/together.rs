//! What is put together with the settings' entries: the server of `mcp.serverCommand`, and those of extensions.

use std::collections::HashMap;
use std::rc::Rc;

use muster_core::{Definition, Entry, Objection, Reason, Scope, Sourced, Status};
use muster_document::{Place, Secret, Shown};

use super::entry::{Config, Part};
use super::extensions::Extension;
use super::judge::{Circumstances, Row, lost_name, stacked};
use super::rules;
use super::server_command;
use super::settings::place;
use super::value::Js;

/// Names that every JavaScript object has: `gemini mcp list` takes them for configured servers.
const INHERITED: [&str; 11] = [
    "constructor",
    "__defineGetter__",
    "__defineSetter__",
    "hasOwnProperty",
    "__lookupGetter__",
    "__lookupSetter__",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toString",
    "valueOf",
    "toLocaleString",
];

/// `mcp.serverCommand`.
pub(super) struct Command<'l, 'd> {
    pub(super) row: Option<Row<'l, 'd>>,
    /// It cannot be understood, and then no configured server starts.
    pub(super) failure: Option<Objection>,
}

impl<'l, 'd> Circumstances<'_, 'l, 'd> {
    pub(super) fn server_command(&self) -> Command<'l, 'd> {
        let nothing = Command {
            row: None,
            failure: None,
        };
        let given = self
            .settings
            .get(&["mcp", "serverCommand"])
            .filter(|(_, value)| value.truthy());
        let Some((layer, value)) = given.filter(|_| !self.flags.lists) else {
            return nothing;
        };
        let here = place(layer, value);
        if self.command_words(value).is_none() {
            let text = "Error initializing MCP clients: failed to parse mcpServerCommand: no configured server starts";
            let reason = Reason::new(&rules::SERVER_COMMAND, "stops", text, Some(here));
            let objection = Objection::new(Status::Broken, "mcp.serverCommand is broken", reason);
            return Command {
                row: None,
                failure: Some(objection.with_remedy("write mcp.serverCommand without operators, patterns and comments, or as an entry of mcpServers")),
            };
        }
        // As it is written: values of variables may be secret.
        let written = value
            .node
            .as_str()
            .map_or_else(|| value.spelled(), str::to_owned);
        let words = server_command::words(&written, &|_, spelling| spelling.to_owned());
        let mut words = words.unwrap_or_default().into_iter().map(|word| Sourced {
            value: Secret::new(word),
            place: Some(here.clone()),
        });
        let command = words.next();
        let mut objections = Vec::new();
        if command.is_none() {
            let reason = Reason::new(
                &rules::SERVER_COMMAND,
                "invalid",
                "mcp.serverCommand is blank",
                Some(here.clone()),
            );
            objections.push(
                Objection::new(Status::Invalid, "no command, no url", reason)
                    .with_remedy("write a command into mcp.serverCommand"),
            );
        }
        objections.extend(self.lists.objection(server_command::NAME));
        objections.extend(self.switches.objection(server_command::NAME));
        let entry = Entry {
            transport: command.as_ref().map(|_| muster_core::Transport::Stdio),
            command,
            args: words.collect(),
            ..Entry::default()
        };
        let key = layer
            .root
            .member("mcp")
            .map(|(key, _)| layer.document.place(key.span));
        let definition = Definition {
            name: server_command::NAME.to_owned(),
            scope: layer.owner.scope(),
            place: key,
            entry: Rc::new(entry),
            rule: &rules::SERVER_COMMAND,
        };
        let text = format!(
            "made of mcp.serverCommand in {}, {}",
            Shown(&self.world.shown(layer.path)),
            layer.owner.meaning()
        );
        let facts = vec![Reason::new(
            &rules::SERVER_COMMAND,
            "defined",
            text,
            Some(here),
        )];
        let row = self.row(
            definition,
            facts,
            self.shut_out(layer.owner),
            stacked(objections),
            None,
            None,
        );
        Command {
            row: Some(row),
            failure: None,
        }
    }

    /// The words of `mcp.serverCommand` with everything filled.
    pub(super) fn command_words(&self, value: &Js<'_>) -> Option<Vec<String>> {
        server_command::words(&value.spelled(), &|name, _| {
            self.env.get(name).unwrap_or_default().to_owned()
        })
    }

    /// Adds the servers of extensions, or what they add to configured ones. Observed on 0.61.0: in a session they merge key by key, the
    /// settings over the extension; the list command takes the settings' alone.
    pub(super) fn extend(
        &self,
        rows: &mut Vec<Row<'l, 'd>>,
        winners: &HashMap<String, usize>,
        failed: bool,
    ) {
        let mut taken: HashMap<String, &'l Extension<'d>> = HashMap::new();
        for extension in self.extensions {
            for (name, key, value) in extension.servers() {
                let part = Part {
                    value,
                    document: extension.document,
                };
                let place = key.map(|key| extension.document.place(key.span));
                let alone = Config { parts: vec![part] };
                let mut row = self.of_extension(&name, place.clone(), extension, alone);
                if self.flags.lists && INHERITED.contains(&name.as_str()) {
                    row.contender
                        .out
                        .get_or_insert_with(|| lost_name(&name, place));
                }
                if row.contender.out.is_none() {
                    if let Some(first) = taken.get(&name) {
                        row.contender.out = Some(already(&name, extension, first));
                    } else {
                        taken.insert(name.clone(), extension);
                        let configured = winners
                            .get(&name)
                            .filter(|_| !failed)
                            .and_then(|at| rows.get_mut(*at));
                        if let Some(configured) = configured
                            && self.add_to(configured, &mut row, part)
                        {
                            continue;
                        }
                    }
                }
                rows.push(row);
            }
            for (key, value) in extension.lost() {
                let place = Some(extension.document.place(key.span));
                let config = Config {
                    parts: vec![Part {
                        value,
                        document: extension.document,
                    }],
                };
                let mut row = self.of_extension(&key.text, place.clone(), extension, config);
                row.contender
                    .out
                    .get_or_insert_with(|| lost_name(&key.text, place));
                rows.push(row);
            }
        }
    }

    fn of_extension(
        &self,
        name: &str,
        place: Option<Place>,
        extension: &'l Extension<'d>,
        config: Config<'l, 'd>,
    ) -> Row<'l, 'd> {
        let definition = Definition {
            name: name.to_owned(),
            scope: Scope::Extension,
            place: place.clone(),
            entry: Rc::new(config.entry()),
            rule: &rules::EXTENSION,
        };
        let text = format!("comes with the extension {}", Shown(&extension.name));
        let facts = vec![Reason::new(&rules::EXTENSION, "defined", text, place)];
        let out = match (self.stop, self.trust.trusted, &extension.out) {
            (Some(stop), _, _) => Some(stop.objection()),
            (None, _, Some(out)) => Some(out.clone()),
            (None, false, None) => Some(self.trust.objection()),
            (None, true, None) => None,
        };
        let held = self.held(name, &config, Some(extension));
        self.row(definition, facts, out, held, Some(config), Some(extension))
    }

    /// Puts a configured entry over an extension's of the same name. Tells whether the two are one row now.
    fn add_to(
        &self,
        configured: &mut Row<'l, 'd>,
        row: &mut Row<'l, 'd>,
        part: Part<'l, 'd>,
    ) -> bool {
        let Some(own) = configured
            .config
            .as_ref()
            .and_then(|config| config.parts.first().copied())
        else {
            return false;
        };
        let foreign = own
            .value
            .get("extension")
            .and_then(|extension| extension.get("id"))
            .is_some_and(Js::truthy);
        let Some(extension) = row.extension else {
            return false;
        };
        let inherited = self.flags.lists && own.value.truthy();
        if foreign || inherited {
            let text = match inherited {
                true => "gemini mcp list shows the settings' entry alone, a session would put the two together".to_owned(),
                false => format!("Skipping MCP config for server with name \"{}\" as it already exists", Shown(&row.name)),
            };
            let reason = Reason::new(
                &rules::EXTENSION_MERGE,
                "wins",
                text,
                configured.contender.definition.place.clone(),
            );
            row.contender.out = Some(Objection::new(
                Status::Overridden,
                "the settings' entry wins",
                reason,
            ));
            return false;
        }
        if self.flags.lists {
            return false;
        }
        // The settings' own extension key would make them the weaker part.
        let weaker = own.value.get("extension").is_some_and(Js::truthy);
        let parts = if weaker {
            vec![part, own]
        } else {
            vec![own, part]
        };
        let config = Config { parts };
        let had = configured
            .config
            .as_ref()
            .and_then(Config::transport)
            .is_some();
        let name = row.name.clone();
        let held = self.held(&name, &config, Some(extension));
        let alone = configured.contender.held.is_none();
        let merges = |text: String, place: &Option<Place>| {
            Reason::new(&rules::EXTENSION_MERGE, Reason::MERGES, text, place.clone())
        };
        if let Some(held) = held.as_ref().filter(|_| alone) {
            let text = format!(
                "the extension {} has an entry of this name too; with what that adds it cannot be used ({}), so it starts alone",
                Shown(&extension.name),
                held.short
            );
            configured
                .contender
                .facts
                .push(merges(text, &row.contender.definition.place));
            return true;
        }
        let (mut definition, mut facts) = match had {
            true => (
                configured.contender.definition.clone(),
                configured.contender.facts.clone(),
            ),
            false => (
                row.contender.definition.clone(),
                row.contender.facts.clone(),
            ),
        };
        facts.retain(|fact| matches!(fact.label, "defined" | "trust"));
        definition.entry = Rc::new(config.entry());
        let text = match had {
            true => format!(
                "the extension {} has an entry of this name too: {}",
                Shown(&extension.name),
                if alone {
                    "it starts once alone and once with what that adds"
                } else {
                    "what that says counts too"
                }
            ),
            false => format!(
                "{} has an entry of this name too, without command or url: what it says counts",
                Shown(&self.world.shown(own.document.path()))
            ),
        };
        let other = if had {
            &row.contender
        } else {
            &configured.contender
        };
        facts.push(merges(text, &other.definition.place));
        let out = configured.contender.out.take();
        *configured = self.row(definition, facts, out, held, Some(config), Some(extension));
        true
    }
}

/// A server of an extension whose name another extension has taken.
fn already(name: &str, extension: &Extension<'_>, first: &Extension<'_>) -> Objection {
    let text = format!(
        "Skipping MCP config for server with name \"{}\" from extension \"{}\" as it already exists: {} comes first",
        Shown(name),
        Shown(&extension.name),
        Shown(&first.name)
    );
    let reason = Reason::new(&rules::EXTENSION_NAME, "wins", text, None);
    let short = format!("{} has the name", Shown(&first.name));
    Objection::new(Status::Overridden, short, reason)
        .with_remedy(format!("disable the extension {}", Shown(&first.name)))
}
