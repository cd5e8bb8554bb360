//! `muster.tools/1`, `muster.resources/1`, `muster.prompts/1`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::offering::word;
use crate::{Offering, Signature, VERSION, offering};

/// What servers offer as tools.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.tools/1")]
pub struct Tools {
    /// `muster.tools/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// Every server that was asked, or would have been.
    pub servers: Vec<Offerer<Signed>>,
}

/// What servers offer as prompts.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.prompts/1")]
pub struct Prompts {
    /// `muster.prompts/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// Every server that was asked, or would have been.
    pub servers: Vec<Offerer<Signed>>,
}

/// What servers offer as resources.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.resources/1")]
pub struct Resources {
    /// `muster.resources/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// Every server that was asked, or would have been.
    pub servers: Vec<Offerer<Addressed>>,
}

/// One server. What there is none of is `null` or empty.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Offerer<Item> {
    /// The name by which it goes here, or its address, hidden parts as `•••`.
    pub server: String,
    /// Ids of the agents whose definition was used.
    pub harnesses: Vec<&'static str>,
    /// What came of asking it.
    pub state: Came,
    /// Why it failed or was not started.
    pub reason: Option<String>,
    /// The era it is spoken to in.
    pub era: Option<&'static str>,
    /// The revision that is spoken.
    pub protocol: Option<String>,
    /// What it says of itself, as it sent it.
    pub server_info: Value,
    /// How it wants to be used.
    pub instructions: Option<String>,
    /// What it offers.
    pub items: Vec<Item>,
    /// Items that are none and were left out.
    pub left_out: usize,
    /// Whether there are more than were taken.
    pub cut: bool,
}

/// What came of asking a server.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Came {
    /// It answered.
    Ok,
    /// It could not be started, or did not answer.
    Failed,
    /// It was not started.
    NotStarted,
}

/// A tool or a prompt.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Signed {
    /// Its name.
    pub name: String,
    /// What it takes and gives, as people read it.
    pub signature: String,
    /// All of it, as the server sent it.
    pub definition: Value,
}

/// A resource, or a template of some.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Addressed {
    /// Its address, or the template of it.
    pub uri: String,
    /// Whether that is a template (RFC 6570).
    pub template: bool,
    /// All of it, as the server sent it.
    pub definition: Value,
}

impl Tools {
    /// The view of `offerings`.
    pub fn new(offerings: &[Offering<'_>]) -> Tools {
        let signed = |tool: &Value| signed(tool, Signature::of_tool(tool));
        Tools {
            schema: "muster.tools/1",
            muster: VERSION,
            servers: offerers(offerings, |items, _| items.iter().map(signed).collect()),
        }
    }
}

impl Prompts {
    /// The view of `offerings`.
    pub fn new(offerings: &[Offering<'_>]) -> Prompts {
        let signed = |prompt: &Value| signed(prompt, Signature::of_prompt(prompt));
        Prompts {
            schema: "muster.prompts/1",
            muster: VERSION,
            servers: offerers(offerings, |items, _| items.iter().map(signed).collect()),
        }
    }
}

impl Resources {
    /// The view of `offerings`.
    pub fn new(offerings: &[Offering<'_>]) -> Resources {
        let addressed = |item: &Value, key: &str| Addressed {
            uri: word(item, key).to_owned(),
            template: key == "uriTemplate",
            definition: item.clone(),
        };
        let all = |items: &[Value], templates: &[Value]| {
            let items = items.iter().map(|item| addressed(item, "uri"));
            let templates = templates.iter().map(|item| addressed(item, "uriTemplate"));
            items.chain(templates).collect()
        };
        Resources {
            schema: "muster.resources/1",
            muster: VERSION,
            servers: offerers(offerings, all),
        }
    }
}

fn signed(definition: &Value, signature: Signature) -> Signed {
    Signed {
        name: word(definition, "name").to_owned(),
        signature: signature.line(),
        definition: definition.clone(),
    }
}

fn offerers<Item>(
    offerings: &[Offering<'_>],
    items: impl Fn(&[Value], &[Value]) -> Vec<Item>,
) -> Vec<Offerer<Item>> {
    let offerer = |offering: &Offering<'_>| {
        let (state, reason, offers) = match offering.state {
            offering::State::Offers(offers) => (Came::Ok, None, Some(offers)),
            offering::State::Failed(why) => (Came::Failed, Some(why.to_owned()), None),
            offering::State::NotStarted(why) => (Came::NotStarted, Some(why.to_owned()), None),
        };
        Offerer {
            server: offering.server.to_owned(),
            harnesses: offering.harnesses.to_vec(),
            state,
            reason,
            era: offers.map(|offers| offers.era),
            protocol: offers.map(|offers| offers.protocol.to_owned()),
            server_info: offers.map_or(Value::Null, |offers| offers.server_info.clone()),
            instructions: offers.and_then(|offers| offers.instructions.map(str::to_owned)),
            items: offers.map_or_else(Vec::new, |offers| items(offers.items, offers.templates)),
            left_out: offers.map_or(0, |offers| offers.odd),
            cut: offers.is_some_and(|offers| offers.cut),
        }
    };
    offerings.iter().map(offerer).collect()
}
