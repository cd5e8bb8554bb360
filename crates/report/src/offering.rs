//! What servers offer to whoever uses them by hand.

use serde_json::Value;

use crate::Known;

/// What came of asking one server what it offers. All texts are foreign.
#[derive(Debug, Clone, Copy)]
pub struct Offering<'o> {
    /// The name by which it goes here, or the address, masked.
    pub server: &'o str,
    /// Ids of the agents whose definition it is; empty for a server without one.
    pub harnesses: &'o [&'static str],
    /// What it offers, or why it was not asked.
    pub state: State<'o>,
}

/// What came of it.
#[derive(Debug, Clone, Copy)]
pub enum State<'o> {
    /// It answered.
    Offers(Offers<'o>),
    /// It could not be started, or did not answer; why, as may be printed.
    Failed(&'o str),
    /// It was not started; why, as may be printed.
    NotStarted(&'o str),
}

/// What it answered.
#[derive(Debug, Clone, Copy)]
pub struct Offers<'o> {
    /// `modern` or `legacy`.
    pub era: &'static str,
    /// The revision, as it wrote it.
    pub protocol: &'o str,
    /// Its name and version, as it sent them.
    pub server_info: &'o Value,
    /// How it wants to be used.
    pub instructions: Option<&'o str>,
    /// What it offers, as it sent it.
    pub items: &'o [Value],
    /// Templates of addresses, beside resources.
    pub templates: &'o [Value],
    /// Items that are none and were left out.
    pub odd: usize,
    /// Whether there are more than were taken.
    pub cut: bool,
}

/// An offering without the secrets of the run.
#[derive(Debug)]
pub(crate) struct Clean<'o> {
    of: &'o Offering<'o>,
    /// Why it was not asked; its protocol, where it was.
    text: String,
    server_info: Value,
    instructions: Option<String>,
    items: Vec<Value>,
    templates: Vec<Value>,
}

impl<'o> Clean<'o> {
    /// `of` without what is `known`.
    pub(crate) fn of(of: &'o Offering<'o>, known: &Known) -> Clean<'o> {
        let all = |items: &[Value]| items.iter().map(|item| known.clean(item)).collect();
        match of.state {
            State::Offers(offers) => Clean {
                of,
                text: known.without_secrets(offers.protocol),
                server_info: known.clean(offers.server_info),
                instructions: offers.instructions.map(|text| known.without_secrets(text)),
                items: all(offers.items),
                templates: all(offers.templates),
            },
            State::Failed(why) | State::NotStarted(why) => Clean {
                of,
                text: known.without_secrets(why),
                server_info: Value::Null,
                instructions: None,
                items: Vec::new(),
                templates: Vec::new(),
            },
        }
    }

    /// As an offering.
    pub(crate) fn offering(&self) -> Offering<'_> {
        Offering {
            state: match self.of.state {
                State::Offers(offers) => State::Offers(Offers {
                    protocol: &self.text,
                    server_info: &self.server_info,
                    instructions: self.instructions.as_deref(),
                    items: &self.items,
                    templates: &self.templates,
                    ..offers
                }),
                State::Failed(_) => State::Failed(&self.text),
                State::NotStarted(_) => State::NotStarted(&self.text),
            },
            ..*self.of
        }
    }
}

impl Offers<'_> {
    /// Its own name and version: `acme-db 1.2`.
    pub(crate) fn own_name(&self) -> String {
        let word = |key| self.server_info.get(key).and_then(Value::as_str);
        let words = [word("name"), word("version")];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The text under `key` of an item; empty where there is none.
pub(crate) fn word<'v>(item: &'v Value, key: &str) -> &'v str {
    item.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The first paragraph of a text, in one line.
pub(crate) fn gist(text: &str) -> String {
    let lines = text.trim().lines();
    let first: Vec<&str> = lines
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    first.join(" ")
}
