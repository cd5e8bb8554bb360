//! What an entry says, spelled as Claude Code or as Codex takes it, and what is wrong with it.

mod fields;
mod remote;

use muster_core::{Entry, Objection, Reason, Rule, Sourced, Status, Transport};
use muster_document::{Document, Masked, Node, Place, Secret, Shown};

use super::rules;

use fields::noun;
pub(super) use remote::is_address;

/// An entry after a look at it.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) entry: Entry,
    /// Why Muster refuses it.
    pub(super) refusal: Option<Objection>,
    /// Where it is switched off.
    pub(super) off: Option<(&'static str, Place)>,
    /// What is worth a line in its story.
    pub(super) remarks: Vec<(String, Option<Place>)>,
}

/// Keys of every entry.
const COMMON: &[&str] = &[
    "type",
    "enabled",
    "disabled",
    "enabled_tools",
    "disabled_tools",
    "startup_timeout_sec",
    "startup_timeout_ms",
    "tool_timeout_sec",
    "timeout",
];
/// Keys beside a command.
const STDIO: &[&str] = &["command", "args", "env", "env_vars", "cwd"];
/// Keys beside a url.
const REMOTE: &[&str] = &[
    "url",
    "headers",
    "http_headers",
    "env_http_headers",
    "bearer_token_env_var",
    "headersHelper",
    "http_headers_helper",
];

/// Looks at the entry `node` of `document`.
pub(super) fn check(document: &Document, node: &Node) -> Checked {
    let mut look = Look {
        document,
        node,
        checked: Checked::default(),
        problems: Vec::new(),
    };
    if node.is_table() {
        look.switches();
        let kind = look.kind();
        match kind {
            Some(Transport::Stdio) => look.stdio(),
            Some(_) => look.remote(),
            None => {}
        }
        look.common();
        look.unread(kind);
    } else {
        look.problem(
            "not an object",
            format!("the entry is {}, not an object", noun(node)),
            node,
            "write it as an object",
        );
    }
    look.finish()
}

/// Something that is wrong with an entry.
struct Problem {
    status: Status,
    short: String,
    text: String,
    place: Place,
    remedy: String,
    rule: &'static Rule,
}

struct Look<'d> {
    document: &'d Document,
    node: &'d Node,
    checked: Checked,
    problems: Vec<Problem>,
}

impl<'d> Look<'d> {
    /// The value of `key`; `null` is what says nothing.
    fn get(&self, key: &str) -> Option<&'d Node> {
        self.node.get(key).filter(|value| !value.is_null())
    }

    fn switches(&mut self) {
        for (key, off) in [("enabled", false), ("disabled", true)] {
            let Some(value) = self.get(key) else { continue };
            match value.as_bool() {
                None => self.mistyped(key, value, "true or false"),
                Some(said) if said == off => {
                    let place = self.document.place(value.span);
                    self.checked.off.get_or_insert((key, place));
                }
                Some(_) => {}
            }
        }
    }

    /// How the server is reached.
    fn kind(&mut self) -> Option<Transport> {
        let (command, url) = (self.get("command"), self.get("url"));
        let transport = match self.get("type") {
            Some(word) => self.named(word)?,
            None => match (command, url) {
                (Some(_), _) => Transport::Stdio,
                (None, Some(_)) => Transport::Http,
                (None, None) => {
                    // It may switch off what Claude Code has under its name.
                    if self.checked.off.is_none() {
                        self.problem(
                            "neither command nor url",
                            "it has neither a command to start nor a url to call".to_owned(),
                            self.node,
                            "write a command or a url",
                        );
                    }
                    return None;
                }
            },
        };
        self.checked.entry.transport = Some(transport);
        let (missing, has) = match transport {
            Transport::Stdio => ("command", command.is_some()),
            _ => ("url", url.is_some()),
        };
        if !has && self.checked.off.is_none() {
            let text = format!("its type asks for a {missing}, and there is none");
            let remedy = format!("write a {missing}, or another type");
            self.problem(&format!("no {missing}"), text, self.node, &remedy);
        }
        Some(transport)
    }

    /// The transport that `type` names.
    fn named(&mut self, word: &Node) -> Option<Transport> {
        let Some(text) = word.as_str() else {
            self.mistyped("type", word, "a string");
            return None;
        };
        self.checked.entry.transport_word = Some(Sourced {
            value: text.to_owned(),
            place: Some(self.document.place(word.span)),
        });
        match text {
            "stdio" => return Some(Transport::Stdio),
            "http" | "streamable-http" | "streamable_http" | "streamableHttp" => {
                return Some(Transport::Http);
            }
            "sse" => return Some(Transport::Sse),
            "ws" | "websocket" => {
                self.checked.entry.transport = Some(Transport::Ws);
                self.problems.push(Problem {
                    status: Status::Unsupported,
                    short: "WebSocket is not spoken".to_owned(),
                    text: "Muster does not speak MCP over WebSocket".to_owned(),
                    place: self.document.place(word.span),
                    remedy: "use the server's http address, if it has one".to_owned(),
                    rule: &rules::TRANSPORT,
                });
            }
            other => {
                let told = Masked::word(&Secret::new(other));
                self.problems.push(Problem {
                    status: Status::Invalid,
                    short: "unknown type".to_owned(),
                    text: format!(
                        "type is {told}: Muster knows stdio, http, streamable-http and sse"
                    ),
                    place: self.document.place(word.span),
                    remedy: "write one of these, or leave type out".to_owned(),
                    rule: &rules::TRANSPORT,
                });
            }
        }
        None
    }

    fn stdio(&mut self) {
        let command = self.text("command");
        if let Some(empty) = command
            .as_ref()
            .filter(|text| text.value.expose().is_empty())
        {
            let place = empty.place.clone();
            self.problem_at(
                "command is empty",
                "command is empty".to_owned(),
                place,
                "write a command",
            );
        }
        self.checked.entry.command = command;
        self.checked.entry.args = self.texts("args");
        self.checked.entry.env = self.record("env");
        for name in self
            .checked
            .entry
            .env
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
        {
            if name.is_empty() || name.contains(['=', '\0']) {
                let text = format!(
                    "env holds {:?}, which is no variable's name",
                    Shown(&name).to_string()
                );
                self.problem("no variable's name", text, self.node, "correct that name");
            }
        }
        self.checked.entry.cwd = self.text("cwd");
        self.checked.entry.forwarded = self.forwarded();
    }

    /// Names in `env_vars`, spelled as strings or as objects with a `name`.
    fn forwarded(&mut self) -> Vec<Sourced<String>> {
        let Some(list) = self.get("env_vars") else {
            return Vec::new();
        };
        let items = list.as_array().unwrap_or_default();
        let name = |item: &'d Node| item.as_str().or_else(|| item.get("name")?.as_str());
        if list.as_array().is_none() || items.iter().any(|item| name(item).is_none()) {
            self.mistyped("env_vars", list, "a list of names");
        }
        let named = items.iter().filter_map(|item| {
            Some(Sourced {
                value: name(item)?.to_owned(),
                place: Some(self.document.place(item.span)),
            })
        });
        named.collect()
    }

    fn common(&mut self) {
        let entry = Entry {
            startup_timeout: self
                .duration("startup_timeout_sec", 1.0)
                .or(self.duration("startup_timeout_ms", 1000.0)),
            call_timeout: self
                .duration("tool_timeout_sec", 1.0)
                .or(self.duration("timeout", 1000.0)),
            ..std::mem::take(&mut self.checked.entry)
        };
        self.checked.entry = entry;
        let names = |found: Vec<Sourced<Secret>>| -> Vec<String> {
            let texts = found.iter();
            texts.map(|text| text.value.expose().to_owned()).collect()
        };
        if self.get("enabled_tools").is_some() {
            self.checked.entry.tools_only = Some(names(self.texts("enabled_tools")));
        }
        self.checked.entry.tools_without = names(self.texts("disabled_tools"));
    }

    /// Keys that Muster does not read.
    fn unread(&mut self, kind: Option<Transport>) {
        let of_kind: &[&str] = match kind {
            Some(Transport::Stdio) => STDIO,
            Some(_) => REMOTE,
            None => return,
        };
        for member in self.node.effective_members() {
            let key = member.key.text.as_str();
            if COMMON.contains(&key) || of_kind.contains(&key) {
                continue;
            }
            let place = Some(self.document.place(member.key.span));
            if key == "url" {
                let text = "it has a command and a url: without a type the command counts";
                self.checked.remarks.push((text.to_owned(), place.clone()));
            }
            self.checked.entry.unread.push(Sourced {
                value: key.to_owned(),
                place,
            });
        }
    }

    /// One refusal for all that is wrong: one reason each, and what would mend them all.
    fn finish(self) -> Checked {
        let Look {
            mut checked,
            problems,
            ..
        } = self;
        let remedies: Vec<&str> = problems.iter().map(|found| &*found.remedy).collect();
        let remedy = remedies.join("; and ");
        let mut problems = problems.into_iter();
        checked.refusal = problems.next().map(|first| {
            let reason =
                |found: Problem| Reason::new(found.rule, "invalid", found.text, Some(found.place));
            let (status, short) = (first.status, first.short.clone());
            let deciding = reason(first);
            Objection {
                status,
                short,
                // The deciding one comes last.
                reasons: problems.map(reason).chain([deciding]).collect(),
                remedies: vec![remedy],
            }
        });
        checked
    }
}
