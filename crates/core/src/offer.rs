//! What a harness gives its model of what servers offer: after its filters, under its names, without what it loses.

use serde_json::Value;

use crate::{Candidate, Harness, LaunchPlan, Launched, Oddity};

/// What the servers of one harness offer its model together.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The id of the harness.
    pub harness: &'static str,
    /// Its tools, server by server.
    pub tools: Vec<Offered>,
    /// Servers that work and of which it loses every tool, by their index among what was launched, and over what.
    pub lost: Vec<(usize, ListFault)>,
}

/// A tool as a harness gives it to its model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// The index of its server among what was launched.
    pub server: usize,
    /// Its index among that server's tools.
    pub tool: usize,
    /// The name under which the model sees it. Foreign.
    pub name: String,
    /// About how many tokens its definition takes.
    pub tokens: usize,
}

/// A fault of one tool, or of the list, over which a harness may lose every tool of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListFault {
    /// An item that is no object, or whose name is no text.
    NoTool,
    /// A tool without `inputSchema`.
    NoSchema,
    /// A tool whose `inputSchema` is no object.
    SchemaNoObject,
    /// A tool whose `inputSchema` does not say `"type": "object"`.
    SchemaOfNoObject,
    /// `nextCursor: null`.
    NullCursor,
    /// A cursor that was given before.
    RepeatedCursor,
}

impl ListFault {
    /// Every fault.
    pub const ALL: [ListFault; 6] = [
        ListFault::NoTool,
        ListFault::NoSchema,
        ListFault::SchemaNoObject,
        ListFault::SchemaOfNoObject,
        ListFault::NullCursor,
        ListFault::RepeatedCursor,
    ];

    /// What is wrong, to follow "its list of tools".
    pub fn phrase(self) -> &'static str {
        match self {
            ListFault::NoTool => "has an item that is no object or has no textual name",
            ListFault::NoSchema => "has a tool without inputSchema",
            ListFault::SchemaNoObject => "has a tool whose inputSchema is no object",
            ListFault::SchemaOfNoObject => {
                "has a tool whose inputSchema does not say \"type\": \"object\""
            }
            ListFault::NullCursor => "ends with nextCursor: null",
            ListFault::RepeatedCursor => "comes to a page that was there before",
        }
    }

    /// The first tool of `launched` that has the fault, by its index in the list; `Some(None)` where the list itself has it.
    pub fn of(self, launched: &Launched) -> Option<Option<usize>> {
        let tool = |wrong: fn(Option<&Value>) -> bool| {
            let mut tools = launched.tools.iter();
            tools
                .position(|tool| wrong(tool.get("inputSchema")))
                .map(Some)
        };
        let odd =
            |wanted: &dyn Fn(&Oddity) -> bool| launched.oddities.iter().any(wanted).then_some(None);
        match self {
            ListFault::NoTool => launched.odd_tools.first().map(|(index, _)| Some(*index)),
            ListFault::NoSchema => tool(|schema| schema.is_none()),
            ListFault::SchemaNoObject => {
                tool(|schema| schema.is_some_and(|schema| !schema.is_object()))
            }
            ListFault::SchemaOfNoObject => tool(|schema| {
                schema.is_some_and(|schema| {
                    schema.is_object()
                        && schema.get("type").and_then(Value::as_str) != Some("object")
                })
            }),
            ListFault::NullCursor => odd(
                &|oddity| matches!(oddity, Oddity::NullCursor { method } if *method == "tools/list"),
            ),
            ListFault::RepeatedCursor => odd(&|oddity| *oddity == Oddity::RepeatedCursor),
        }
    }
}

/// What each of `harnesses` gives its model of `launched`, where each is what came of the candidate at the same index.
pub fn offers(
    harnesses: &[&'static dyn Harness],
    candidates: &[Candidate<'_>],
    launched: &[Launched],
) -> Vec<Offer> {
    harnesses
        .iter()
        .map(|harness| offer(*harness, candidates, launched))
        .collect()
}

fn offer(harness: &dyn Harness, candidates: &[Candidate<'_>], launched: &[Launched]) -> Offer {
    let mut offer = Offer {
        harness: harness.id(),
        tools: Vec::new(),
        lost: Vec::new(),
    };
    for (server, (candidate, launched)) in candidates.iter().zip(launched).enumerate() {
        let mut users = candidate.users.iter();
        let Some(user) = users.find(|user| user.harness == harness.id()) else {
            continue;
        };
        let mut faults = harness.loses_tools_over().iter();
        if let Some(fault) = faults.find(|fault| fault.of(launched).is_some()) {
            offer.lost.push((server, *fault));
            continue;
        }
        for (tool, value) in launched.tools.iter().enumerate() {
            let Some(name) = tool_name(value) else {
                continue;
            };
            if user.plan.offers(name) {
                offer.tools.push(Offered {
                    server,
                    tool,
                    name: harness.tool_name(candidate.name, name),
                    tokens: tokens(value),
                });
            }
        }
    }
    offer
}

impl Offer {
    /// How many tokens all of it takes, about.
    pub fn tokens(&self) -> usize {
        self.tools.iter().map(|tool| tool.tokens).sum()
    }

    /// Pairs of tools of one name: the first that has it, and another.
    pub fn collisions(&self) -> Vec<(&Offered, &Offered)> {
        let mut first = std::collections::HashMap::new();
        let mut pairs = Vec::new();
        for tool in &self.tools {
            match first.get(tool.name.as_str()) {
                Some(before) => pairs.push((*before, tool)),
                None => {
                    first.insert(tool.name.as_str(), tool);
                }
            }
        }
        pairs
    }
}

impl LaunchPlan {
    /// Whether its filters let the tool called `name` through. A `*` in a filter stands for anything.
    pub fn offers(&self, name: &str) -> bool {
        let fits = |pattern: &String| fits(pattern, name);
        let wanted = self.tools_only.as_ref();
        wanted.is_none_or(|only| only.iter().any(fits)) && !self.tools_without.iter().any(fits)
    }
}

/// The name of a tool, as it was sent.
pub fn tool_name(tool: &Value) -> Option<&str> {
    tool.get("name").and_then(Value::as_str)
}

/// What a model is told of a tool, in tokens: a quarter of its bytes, as is usual where nobody counts.
pub fn tokens(tool: &Value) -> usize {
    let told = ["name", "description", "inputSchema"];
    let bytes: usize = told
        .iter()
        .filter_map(|key| tool.get(key))
        .map(|value| value.to_string().len())
        .sum();
    bytes.div_ceil(4)
}

/// Whether `text` is what `pattern` says, where `*` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(middle) = last.replace(part) {
            match rest.split_once(middle) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
    }
    match last {
        Some(end) => rest.ends_with(end),
        None => rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, expected) in [
            ("read", "read", true),
            ("read", "read_file", false),
            ("read*", "read_file", true),
            ("*", "", true),
            ("*file", "read_file", true),
            ("r*d*file", "read_file", true),
            ("r*x*file", "read_file", false),
            ("aa*a", "aa", false),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn tokens_are_a_quarter_of_what_the_model_is_told() {
        let tool = serde_json::json!({"name": "ab", "description": "cd", "inputSchema": {}, "annotations": {"title": "long"}});
        assert_eq!(tokens(&tool), 3);
    }
}
