//! What all that was read says together: the merged servers, or what stops OpenCode.

use std::collections::HashMap;

use muster_core::{Dossier, FileState};
use muster_document::{Node, Place, Span, Value};

use super::entries::{self, Found, Kind, Outcome, Part, Said};
use super::gather::{Gathered, Item};
use super::layers::Layer;
use super::merge::{From, Servers};
use super::rules;
use super::schema::{Fault, Step, check, own};
use super::shapes;
use super::stop::Stop;

/// The configuration of a session.
#[derive(Debug)]
pub(super) struct Account<'g> {
    gathered: &'g Gathered,
    /// What each item says of servers, in the order of the items.
    pub(super) said: Vec<Said<'g>>,
    pub(super) servers: Servers<'g>,
    /// For calls of servers that have no timeout of their own, in milliseconds.
    pub(super) call_timeout: Option<From<f64>>,
    /// The first thing that stops OpenCode.
    pub(super) stop: Option<Stop>,
    /// Which items cannot be used, with the reason.
    bad: Vec<Option<Stop>>,
    /// Where an entry is in `said`, by its layer and the start of its name.
    entries: HashMap<(usize, usize), usize>,
}

impl<'g> Account<'g> {
    pub(super) fn of(gathered: &'g Gathered) -> Account<'g> {
        let mut account = Account {
            gathered,
            said: Vec::new(),
            servers: Servers::default(),
            call_timeout: None,
            stop: None,
            bad: Vec::new(),
            entries: HashMap::new(),
        };
        for (at, item) in gathered.items.iter().enumerate() {
            account.add(at, item);
        }
        account.stop = account.bad.iter().flatten().next().cloned();
        account
    }

    fn add(&mut self, at: usize, item: &'g Item) {
        let root = item
            .layer
            .as_ref()
            .and_then(|layer| Some((layer, layer.root()?)));
        let Some((layer, root)) = root else {
            self.bad.push(item.stop.clone());
            self.said.push(Said::default());
            return;
        };
        if item.unchecked {
            self.add_unchecked(at, root);
            self.bad.push(None);
            self.said.push(Said::default());
            return;
        }
        let said = entries::read(root);
        let bad = item
            .stop
            .clone()
            .or_else(|| fatal(root, &said).map(|fault| invalid(&fault, layer)));
        if bad.is_none() {
            for found in &said.found {
                match &found.outcome {
                    Outcome::Says(part) => self.lay(at, found, part),
                    Outcome::Switch(enabled, _) => {
                        let part = Part {
                            enabled: Some(*enabled),
                            ..Part::default()
                        };
                        self.lay(at, found, &part);
                    }
                    _ => {}
                }
            }
            self.take_timeout(at, root, &said);
        }
        let starts = said.found.iter().map(|found| found.key.span.start);
        self.entries.extend(
            starts
                .enumerate()
                .map(|(number, start)| ((at, start), number)),
        );
        self.bad.push(bad);
        self.said.push(said);
    }

    /// The entry of layer `at` whose name stands at `key`.
    pub(super) fn entry(&self, at: usize, key: Span) -> Option<&Found<'g>> {
        let number = self.entries.get(&(at, key.start))?;
        self.said.get(at)?.found.get(*number)
    }

    fn lay(&mut self, layer: usize, found: &Found<'g>, part: &Part<'g>) {
        self.servers
            .lay(&found.key.text, layer, found.key.span, part);
    }

    /// The old file is merged as it is: what is of a wrong type does not count, and nothing stops OpenCode.
    fn add_unchecked(&mut self, layer: usize, root: &'g Node) {
        let Some(mcp) = root.get("mcp") else { return };
        for member in own(mcp) {
            let node = &member.value;
            let of_type = |key: &str, fits: fn(&Node) -> bool| node.get(key).filter(|v| fits(v));
            let kind = node.get("type").map(|value| {
                let kind = match value.as_str() {
                    Some("remote") => Kind::Remote,
                    _ => Kind::Local,
                };
                (kind, value.span)
            });
            let part = Part {
                kind,
                command: of_type("command", |node| node.as_array().is_some()),
                cwd: of_type("cwd", |node| node.as_str().is_some()),
                environment: of_type("environment", Node::is_table),
                enabled: entries::enabled(node),
                timeout: None,
                url: of_type("url", |node| node.as_str().is_some()),
                headers: of_type("headers", Node::is_table),
                oauth: of_type("oauth", |node| {
                    node.is_table() || node.as_bool() == Some(false)
                }),
            };
            self.servers
                .lay(&member.key.text, layer, member.key.span, &part);
        }
    }

    fn take_timeout(&mut self, layer: usize, root: &Node, said: &Said<'_>) {
        let experimental = root
            .get("experimental")
            .and_then(|experimental| experimental.get("mcp_timeout"));
        let own = experimental.and_then(|value| match &value.value {
            Value::Number(number) => Some((number.as_f64(), value.span)),
            _ => None,
        });
        if let Some((value, span)) = own.or(said.timeout) {
            self.call_timeout = Some(From { value, layer, span });
        }
    }

    pub(super) fn layer(&self, at: usize) -> Option<&'g Layer> {
        self.gathered.items.get(at)?.layer.as_ref()
    }

    /// `span` of layer `at` as a place.
    pub(super) fn place(&self, at: usize, span: Span) -> Option<Place> {
        self.layer(at)?.place(span)
    }

    /// Items that cannot be used, each with the reason.
    pub(super) fn bad(&self) -> impl Iterator<Item = (usize, &Stop)> {
        self.bad
            .iter()
            .enumerate()
            .filter_map(|(at, stop)| Some((at, stop.as_ref()?)))
    }

    /// Items that count, lowest first.
    pub(super) fn good(&self) -> impl Iterator<Item = (usize, &'g Layer, &'g Node)> {
        self.bad.iter().enumerate().filter_map(|(at, bad)| {
            let layer = self.layer(at).filter(|_| bad.is_none())?;
            Some((at, layer, layer.root()?))
        })
    }

    /// Tells the account of files which of them parse and cannot be used.
    pub(super) fn mark(&self, dossier: &mut Dossier<'_>) {
        for (at, stop) in self.bad() {
            let parsed = self
                .gathered
                .items
                .get(at)
                .is_some_and(|item| item.stop.is_none());
            let path = self.layer(at).and_then(Layer::path);
            if let (true, Some(path)) = (parsed, path) {
                let note = "OpenCode refuses it";
                dossier.mark(path, FileState::Broken, note, stop.place().cloned());
            }
        }
    }
}

fn invalid(fault: &Fault<'_>, layer: &Layer) -> Stop {
    let name = muster_document::Shown(&layer.name).to_string();
    let message = format!(
        "Configuration is invalid at {name}: {}",
        fault.sentence(Some(layer))
    );
    let rule = match fault.path.first() {
        Some(Step::Key(key)) if key.text == "mcp" => &rules::ENTRY,
        _ => &rules::KEYS,
    };
    Stop::new(rule, message, &layer.name).at(layer.place(fault.span))
}

/// What in a file that parses stops OpenCode: of several things the one about servers.
fn fatal<'l>(root: &'l Node, said: &Said<'l>) -> Option<Fault<'l>> {
    if !root.is_table() {
        return Some(Fault {
            complaint: "Expected object".to_owned(),
            got: Some(root),
            path: Vec::new(),
            span: root.span,
        });
    }
    let entry = || {
        said.found.iter().find_map(|found| match &found.outcome {
            Outcome::Fatal(fault) => Some(fault.clone()),
            _ => None,
        })
    };
    permissions(root)
        .or_else(|| said.fatal.clone())
        .or_else(entry)
        .or_else(|| check(root, &shapes::CONFIG, &[]).err())
}

/// Permissions of 2.x, which 1.18.33 refuses whatever they say.
fn permissions<'l>(root: &'l Node) -> Option<Fault<'l>> {
    let fault = |path: Vec<Step<'l>>, span: Span| {
        Fault {
        complaint: "V2 permissions are not supported by OpenCode V1. Use V1 \"permission\" rules or run opencode2.".to_owned(),
        got: None,
        path,
        span,
    }
    };
    if let Some(member) = root.member("permissions") {
        return Some(fault(vec![Step::Key(&member.key)], member.key.span));
    }
    ["agents", "agent", "mode"].iter().find_map(|key| {
        let agents = root.member(key)?;
        own(&agents.value).into_iter().find_map(|agent| {
            let member = agent.value.member("permissions")?;
            let path = [&agents.key, &agent.key, &member.key].map(Step::Key);
            Some(fault(path.to_vec(), member.key.span))
        })
    })
}
