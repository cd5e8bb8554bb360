//! What a server tells models: its tools, prompts and resources, and itself.

use muster_core::{Check, Finding};
use serde_json::Value;

use super::answer::Answer;
use super::text::{Text, Texts};

/// What something is that a server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The server itself.
    Server,
    /// A tool.
    Tool,
    /// A prompt.
    Prompt,
    /// A resource.
    Resource,
    /// A pattern of resources.
    Template,
}

/// Something that a server offers, with every text in it.
pub(crate) struct Item<'a> {
    /// Whose it is.
    pub(crate) answer: &'a Answer<'a>,
    /// What it is.
    pub(crate) kind: Kind,
    /// Its index in its list.
    #[allow(dead_code, reason = "for checks to come")]
    pub(crate) index: usize,
    /// Its name, or its address where it has none. Foreign.
    pub(crate) name: &'a str,
    /// Every text that a model may be told of it, and where it stands.
    pub(crate) texts: Vec<Text<'a>>,
}

impl<'a> Item<'a> {
    /// The item of `kind` that `value` is.
    pub(crate) fn new(answer: &'a Answer<'a>, kind: Kind, index: usize, value: &'a Value) -> Self {
        let mut names = ["name", "uri", "uriTemplate"].iter();
        let name = names.find_map(|key| value.get(key)?.as_str());
        Item {
            answer,
            kind,
            index,
            name: name.unwrap_or_default(),
            texts: Texts::of_item(value),
        }
    }

    /// The server of `answer` itself: its instructions, and what it calls itself.
    pub(crate) fn of_server(answer: &'a Answer<'a>) -> Self {
        let launched = answer.launched;
        Item {
            answer,
            kind: Kind::Server,
            index: 0,
            name: answer.candidate.name,
            texts: Texts::of_server(
                launched.instructions.as_deref(),
                launched.server_info.as_ref(),
            ),
        }
    }

    /// A finding about it.
    pub(crate) fn finding(&self, check: &'static Check, text: impl Into<String>) -> Finding {
        let finding = self.answer.finding(check, text);
        match self.kind {
            Kind::Tool => finding.of_tool(self.name),
            _ => finding,
        }
    }

    /// What it is and its name, to begin a sentence with: `tool query`.
    pub(crate) fn called(&self) -> String {
        let kind = match self.kind {
            Kind::Server => return "the server".to_owned(),
            Kind::Tool => "tool",
            Kind::Prompt => "prompt",
            Kind::Resource => "resource",
            Kind::Template => "resource pattern",
        };
        // An address may hold a password.
        let name = match self.kind {
            Kind::Resource | Kind::Template => self.answer.launch.plain(self.name),
            _ => self.name.to_owned(),
        };
        format!("{kind} {}", self.answer.launch.word(&name))
    }

    /// Where `text` stands, to follow "in" or "holds": `its description`, `the description of its parameter path`.
    #[allow(dead_code, reason = "for checks to come")]
    pub(crate) fn place(&self, text: &Text<'_>) -> String {
        let of = match &text.parameter {
            Some(parameter) => {
                format!("its parameter {}", self.answer.launch.word(parameter))
            }
            None if text.output => "its output".to_owned(),
            None => return format!("its {}", text.part.phrase()),
        };
        match text.output {
            true if text.parameter.is_some() => {
                format!("the {} of {of} of its output", text.part.phrase())
            }
            _ => format!("the {} of {of}", text.part.phrase()),
        }
    }
}
