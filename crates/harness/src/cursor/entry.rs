//! What an entry says, and what is wrong with it.

use muster_core::{Entry, Objection, Reason, Rule, Sourced, Status, Transport};
use muster_document::{Document, Masked, Node, Place, Secret, Value};

use super::rules;

/// Why a definition does not load, or why nobody can tell.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) status: Status,
    /// At most about 30 characters.
    pub(super) short: String,
    pub(super) label: &'static str,
    pub(super) text: String,
    pub(super) place: Option<Place>,
    pub(super) rule: &'static Rule,
    pub(super) remedy: Option<String>,
}

impl Fault {
    /// The same as an objection.
    pub(super) fn objection(self) -> Objection {
        let reason = Reason::new(self.rule, self.label, self.text, self.place);
        let objection = Objection::new(self.status, self.short, reason);
        match self.remedy {
            Some(remedy) => objection.with_remedy(remedy),
            None => objection,
        }
    }
}

/// An entry after a look at it.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) entry: Entry,
    /// `Invalid` where there is nothing to load, `Unknown` where no source says what becomes of it.
    pub(super) fault: Option<Fault>,
    /// What is worth a line in its story.
    pub(super) remarks: Vec<(&'static Rule, String, Option<Place>)>,
}

/// Keys that count beside a command.
const STDIO_KEYS: [&str; 5] = ["type", "command", "args", "env", "envFile"];
/// Keys that count beside an address.
const REMOTE_KEYS: [&str; 4] = ["type", "url", "headers", "auth"];

/// Looks at the entry `node` of `document`.
pub(super) fn check(document: &Document, node: &Node) -> Checked {
    let mut look = Look {
        document,
        node,
        checked: Checked::default(),
    };
    if !node.is_table() {
        look.invalid("not an object", "the entry is not an object", node);
        return look.checked;
    }
    // `null` is what JavaScript takes for absent.
    let has = |key: &str| node.get(key).is_some_and(|value| !value.is_null());
    match (has("command"), has("url")) {
        (true, _) => look.stdio(),
        (false, true) => look.remote(),
        (false, false) => look.invalid(
            "neither command nor url",
            "the entry has neither a command nor a url: nothing to start or to call",
            node,
        ),
    }
    look.kind();
    look.unread();
    look.checked
}

struct Look<'d> {
    document: &'d Document,
    node: &'d Node,
    checked: Checked,
}

impl Look<'_> {
    fn stdio(&mut self) {
        self.checked.entry.transport = Some(Transport::Stdio);
        let command = self.node.get("command");
        match command.and_then(Node::as_str) {
            Some("") => self.invalid("command is empty", "command is empty", self.node),
            Some(_) => {}
            None => self.invalid(
                "command is not a string",
                "command is not a string: nothing that can be started",
                command.unwrap_or(self.node),
            ),
        }
        self.checked.entry.command = command.and_then(|node| self.sourced(node));
        if let Some(args) = self.node.get("args").filter(|args| !args.is_null()) {
            let items = args.as_array();
            if items.is_none_or(|items| items.iter().any(|item| item.as_str().is_none())) {
                self.unknown_shape("args", "a list of strings", args);
            }
            let items = items.unwrap_or_default().iter();
            self.checked.entry.args = items.filter_map(|item| self.sourced(item)).collect();
        }
        self.checked.entry.env = self.record("env");
        if let Some(file) = self.node.get("envFile").filter(|file| !file.is_null())
            && file.as_str().is_none()
        {
            self.unknown_shape("envFile", "a string", file);
        }
    }

    fn remote(&mut self) {
        self.checked.entry.transport = Some(Transport::Http);
        let url = self.node.get("url");
        if url.and_then(Node::as_str).is_none_or(str::is_empty) {
            let place = url.unwrap_or(self.node);
            self.invalid(
                "url is no address",
                "url is empty or not a string: nothing that can be called",
                place,
            );
        }
        self.checked.entry.url = url.and_then(|node| self.sourced(node));
        self.checked.entry.headers = self.record("headers");
    }

    /// An object of strings.
    fn record(&mut self, key: &str) -> Vec<(String, Sourced<Secret>)> {
        let Some(record) = self.node.get(key).filter(|record| !record.is_null()) else {
            return Vec::new();
        };
        let members = record.effective_members();
        let odd = members.iter().any(|member| member.value.as_str().is_none());
        if odd || !record.is_table() {
            self.unknown_shape(key, "an object of strings", record);
        }
        let texts = members.into_iter();
        texts
            .filter_map(|member| Some((member.key.text.clone(), self.sourced(&member.value)?)))
            .collect()
    }

    /// What `type` says, and whether it contradicts the rest.
    fn kind(&mut self) {
        let Some(word) = self.node.get("type").filter(|word| !word.is_null()) else {
            return;
        };
        let text = word.as_str();
        self.checked.entry.transport_word = text.map(|text| Sourced {
            value: text.to_owned(),
            place: Some(self.document.place(word.span)),
        });
        let fits = match (self.checked.entry.transport, text) {
            (Some(Transport::Stdio), Some("stdio")) | (None, _) => true,
            (Some(Transport::Http), Some("sse")) => {
                self.checked.entry.transport = Some(Transport::Sse);
                true
            }
            (Some(Transport::Http), Some("http" | "streamable-http" | "streamableHttp")) => true,
            _ => false,
        };
        if fits {
            return;
        }
        let told = Masked::word(&Secret::new(text.unwrap_or("no string")));
        let beside = match self.checked.entry.transport {
            Some(Transport::Stdio) => "a command",
            _ => "a url",
        };
        self.fault(
            Status::Unknown,
            "type contradicts the rest",
            format!(
                "type is {told} beside {beside}: the vendor's table requires type, others saw that it is never read"
            ),
            word,
            &rules::TYPE,
            Some("leave type out, or let it say what the rest says".to_owned()),
        );
    }

    fn unread(&mut self) {
        let read: &[&str] = match self.checked.entry.transport {
            Some(Transport::Stdio) => &STDIO_KEYS,
            Some(_) => &REMOTE_KEYS,
            None => return,
        };
        for member in self.node.effective_members() {
            let key = member.key.text.as_str();
            if read.contains(&key) {
                continue;
            }
            let place = Some(self.document.place(member.key.span));
            if key == "disabled" && matches!(member.value.value, Value::Bool(true)) {
                let text =
                    "disabled is never read from mcp.json: Cursor keeps its switches elsewhere";
                let remark = (&rules::KEYS, text.to_owned(), place.clone());
                self.checked.remarks.push(remark);
            }
            if key == "envFile" {
                let text = "envFile counts beside a command only: a url gets nothing from it";
                let remark = (&rules::KEYS, text.to_owned(), place.clone());
                self.checked.remarks.push(remark);
            }
            self.checked.entry.unread.push(Sourced {
                value: key.to_owned(),
                place,
            });
        }
    }

    fn sourced(&self, node: &Node) -> Option<Sourced<Secret>> {
        Some(Sourced {
            value: Secret::new(node.as_str()?),
            place: Some(self.document.place(node.span)),
        })
    }

    fn invalid(&mut self, short: &str, text: &str, node: &Node) {
        self.fault(
            Status::Invalid,
            short,
            text.to_owned(),
            node,
            &rules::ENTRY,
            None,
        );
    }

    fn unknown_shape(&mut self, key: &str, wanted: &str, node: &Node) {
        self.fault(
            Status::Unknown,
            &format!("{key} is not {wanted}"),
            format!("{key} is not {wanted}: no source says what Cursor does then"),
            node,
            &rules::ENTRY,
            Some(format!("write {key} as {wanted}")),
        );
    }

    /// Enters a fault; what is sure comes before what is not known, else the first counts.
    fn fault(
        &mut self,
        status: Status,
        short: &str,
        text: String,
        node: &Node,
        rule: &'static Rule,
        remedy: Option<String>,
    ) {
        let known = self.checked.fault.as_ref().map(|fault| fault.status);
        if known.is_none() || (known == Some(Status::Unknown) && status == Status::Invalid) {
            self.checked.fault = Some(Fault {
                status,
                short: short.to_owned(),
                label: "entry",
                text,
                place: Some(self.document.place(node.span)),
                rule,
                remedy,
            });
        }
    }
}
