//! One server's entry: what it says, and whether Claude Code takes it.

use muster_core::{Entry, Rule, Sourced, Transport};
use muster_document::{Document, Masked, Node, Place, Secret, Shown, Span, Value};

use super::dialect::type_word;
use super::rules;

/// An entry as it was understood.
#[derive(Debug)]
pub(super) struct Checked {
    /// What it says, as far as it can be shown.
    pub(super) entry: Entry,
    /// Why Claude Code skips it, in its own words; `None` where it takes it.
    pub(super) refusal: Option<Refusal>,
    /// What it warns of, in its own words.
    pub(super) warnings: Vec<(String, Place)>,
    /// It asks for a program that gives header fields.
    pub(super) has_headers_helper: bool,
}

/// Why an entry is skipped.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The real program's words.
    pub(super) message: String,
    /// The few words for a line of `muster list`.
    pub(super) short: String,
    /// The value that is wrong; `None` for what the command line gave.
    pub(super) place: Option<Place>,
    /// The rule that it breaks.
    pub(super) rule: &'static Rule,
    /// What would mend it, where that is clear.
    pub(super) remedy: Option<String>,
}

impl Refusal {
    /// The refusal of a whole file, for `words`.
    pub(super) fn of_file(words: &str, place: Place, rule: &'static Rule) -> Refusal {
        Refusal {
            message: words.to_owned(),
            short: "its file is broken".to_owned(),
            place: Some(place),
            rule,
            remedy: Some("mend the file: nothing of it loads as it is".to_owned()),
        }
    }
}

/// The kinds of entry that files may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stdio,
    Http,
    Sse,
    Ws,
}

impl Kind {
    fn transport(self) -> Transport {
        match self {
            Kind::Stdio => Transport::Stdio,
            Kind::Http => Transport::Http,
            Kind::Sse => Transport::Sse,
            Kind::Ws => Transport::Ws,
        }
    }
}

/// Reads the entry `node`, called `name`, as every file scope does. Observed on 2.1.332: one bad entry never affects others.
pub(super) fn check(document: &Document, name: &str, node: &Node) -> Checked {
    let name = Shown(name);
    let kind = match kind_of(node) {
        Ok(kind) => kind,
        Err(refused) => {
            let entry = read_entry(document, node, None);
            let refusal = Some(refused.tell(document, &name, node));
            return Checked {
                entry,
                refusal,
                warnings: Vec::new(),
                has_headers_helper: false,
            };
        }
    };
    let mut problems = Problems::default();
    match kind {
        Kind::Stdio => check_stdio(node, &mut problems),
        remote => check_remote(node, remote, &mut problems),
    }
    check_common(node, &mut problems);
    let entry = read_entry(document, node, Some(kind));
    let refusal = problems.first.map(|first| Refusal {
        message: format!(
            "Skipped — invalid MCP server config for \"{name}\": {}",
            problems.messages.join("; ")
        ),
        short: first.short,
        place: Some(document.place(first.span.unwrap_or(node.span))),
        rule: &rules::VALIDITY,
        remedy: None,
    });
    let blanks = if refusal.is_none() {
        stray_blanks(node)
    } else {
        None
    };
    let warnings = blanks
        .into_iter()
        .map(|(text, span)| (text, document.place(span)))
        .collect();
    Checked {
        entry,
        refusal,
        warnings,
        has_headers_helper: kind != Kind::Stdio && node.get("headersHelper").is_some(),
    }
}

/// Why an entry has no kind.
enum Unkind<'n> {
    NotAnObject,
    UrlWithoutType,
    TypeNotAString(&'n Node),
    Sdk(&'n Node),
    Proxy(&'n Node),
    Unknown(&'n Node, &'n str),
}

fn kind_of(node: &Node) -> Result<Kind, Unkind<'_>> {
    if !node.is_table() {
        return Err(Unkind::NotAnObject);
    }
    let Some(word) = node.get("type") else {
        return match (node.get("url"), node.get("command")) {
            (Some(_), None) => Err(Unkind::UrlWithoutType),
            _ => Ok(Kind::Stdio),
        };
    };
    match word.as_str() {
        Some("stdio") => Ok(Kind::Stdio),
        Some("http" | "streamable-http") => Ok(Kind::Http),
        Some("sse") => Ok(Kind::Sse),
        Some("ws") => Ok(Kind::Ws),
        Some("sdk") => Err(Unkind::Sdk(word)),
        Some("claudeai-proxy") => Err(Unkind::Proxy(word)),
        Some(other) => Err(Unkind::Unknown(word, other)),
        // Anything but a string is judged as a stdio entry, whose `type` may only be "stdio".
        None => Err(Unkind::TypeNotAString(word)),
    }
}

impl Unkind<'_> {
    fn tell(self, document: &Document, name: &Shown<'_>, node: &Node) -> Refusal {
        let refuse = |message: String, short: &str, span: Span, remedy: Option<&str>| Refusal {
            message: format!("Skipped — {message}"),
            short: short.to_owned(),
            place: Some(document.place(span)),
            rule: &rules::VALIDITY,
            remedy: remedy.map(str::to_owned),
        };
        match self {
            Unkind::NotAnObject => {
                let found = type_word(Some(node));
                let message = format!(
                    "invalid MCP server config for \"{name}\": (root): expected object, received {found}"
                );
                refuse(message, "not an object", node.span, None)
            }
            Unkind::UrlWithoutType => {
                let message = format!(
                    "MCP server \"{name}\" has a \"url\" but no \"type\"; add \"type\": \"http\" (or \"sse\" / \"ws\") to this entry"
                );
                let span = node
                    .member("url")
                    .map_or(node.span, |member| member.key.span);
                let remedy = "add \"type\": \"http\" to the entry (\"sse\" for a server of the older protocol)";
                refuse(message, "url without type", span, Some(remedy))
            }
            Unkind::TypeNotAString(word) => {
                let mut problems = Problems::default();
                problems.add(
                    "type",
                    "expected \"stdio\"".to_owned(),
                    Some(word.span),
                    "type is not a string",
                );
                check_stdio(node, &mut problems);
                check_common(node, &mut problems);
                let message = format!(
                    "invalid MCP server config for \"{name}\": {}",
                    problems.messages.join("; ")
                );
                refuse(message, "type is not a string", word.span, None)
            }
            Unkind::Sdk(word) => {
                let message = format!(
                    "MCP server \"{name}\" declares type \"sdk\", which only an SDK host application can register"
                );
                refuse(message, "type sdk is for SDK hosts", word.span, None)
            }
            Unkind::Proxy(word) => {
                let message = format!(
                    "MCP server \"{name}\" declares type \"claudeai-proxy\", which only claude.ai connectors use"
                );
                refuse(message, "type claudeai-proxy", word.span, None)
            }
            Unkind::Unknown(word, text) => {
                let message = format!(
                    "unknown MCP server type \"{}\" for server \"{name}\"",
                    Masked::word(&Secret::new(text))
                );
                let remedy =
                    "\"type\" is one of \"stdio\", \"http\", \"sse\", \"ws\", spelled exactly so";
                refuse(message, "unknown type", word.span, Some(remedy))
            }
        }
    }
}

/// What is wrong with an entry, in the order in which the real program says it.
#[derive(Default)]
struct Problems {
    messages: Vec<String>,
    first: Option<First>,
}

struct First {
    short: String,
    span: Option<Span>,
}

impl Problems {
    fn add(&mut self, path: &str, complaint: String, span: Option<Span>, short: &str) {
        self.messages.push(format!("{path}: {complaint}"));
        self.first.get_or_insert_with(|| First {
            short: short.to_owned(),
            span,
        });
    }

    /// Complains unless `node` is absent (and may be) or is a `wanted`.
    fn expect(&mut self, path: &str, node: Option<&Node>, wanted: &str, fits: bool) {
        if !fits {
            let complaint = format!("expected {wanted}, received {}", type_word(node));
            let short = match node {
                None => format!("no {path}"),
                Some(_) => format!("{path} is not {}", article(wanted)),
            };
            self.add(path, complaint, node.map(|node| node.span), &short);
        }
    }
}

fn article(wanted: &str) -> String {
    match wanted {
        "record" | "object" => "an object".to_owned(),
        "array" => "a list".to_owned(),
        other => format!("a {other}"),
    }
}

fn check_stdio(node: &Node, problems: &mut Problems) {
    let command = node.get("command");
    match command.and_then(Node::as_str) {
        Some("") => problems.add(
            "command",
            "Command cannot be empty".to_owned(),
            command.map(|c| c.span),
            "command is empty",
        ),
        found => problems.expect("command", command, "string", found.is_some()),
    }
    if let Some(args) = node.get("args") {
        match args.as_array() {
            None => problems.expect("args", Some(args), "array", false),
            Some(items) => {
                for (at, item) in items.iter().enumerate() {
                    problems.expect(
                        &format!("args.{at}"),
                        Some(item),
                        "string",
                        item.as_str().is_some(),
                    );
                }
            }
        }
    }
    check_record(node, "env", problems);
}

fn check_remote(node: &Node, kind: Kind, problems: &mut Problems) {
    let url = node.get("url");
    problems.expect(
        "url",
        url,
        "string",
        url.is_some_and(|url| url.as_str().is_some()),
    );
    check_record(node, "headers", problems);
    check_optional(
        node,
        "headersHelper",
        "string",
        |value| value.as_str().is_some(),
        problems,
    );
    if kind != Kind::Ws
        && let Some(oauth) = node.get("oauth")
    {
        check_oauth(oauth, problems);
    }
}

/// An object of strings.
fn check_record(node: &Node, key: &str, problems: &mut Problems) {
    let Some(record) = node.get(key) else { return };
    if !record.is_table() {
        problems.expect(key, Some(record), "record", false);
    }
    for member in record.effective_members() {
        let path = format!("{key}.{}", Shown(&member.key.text));
        problems.expect(
            &path,
            Some(&member.value),
            "string",
            member.value.as_str().is_some(),
        );
    }
}

fn check_optional(
    node: &Node,
    key: &str,
    wanted: &str,
    fits: impl Fn(&Node) -> bool,
    problems: &mut Problems,
) {
    if let Some(value) = node.get(key) {
        problems.expect(key, Some(value), wanted, fits(value));
    }
}

fn check_oauth(oauth: &Node, problems: &mut Problems) {
    if !oauth.is_table() {
        problems.expect("oauth", Some(oauth), "object", false);
        return;
    }
    let at = |key: &str| oauth.get(key).map(|value| (format!("oauth.{key}"), value));
    if let Some((path, value)) = at("clientId") {
        problems.expect(&path, Some(value), "string", value.as_str().is_some());
    }
    if let Some((path, value)) = at("callbackPort") {
        check_positive(&path, value, problems);
    }
    if let Some((path, value)) = at("authServerMetadataUrl") {
        match value.as_str() {
            None => problems.expect(&path, Some(value), "string", false),
            Some(url) => {
                if !url.contains("://") {
                    problems.add(
                        &path,
                        "Invalid URL".to_owned(),
                        Some(value.span),
                        "oauth URL is no URL",
                    );
                }
                if !url
                    .get(..8)
                    .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
                {
                    let complaint = "authServerMetadataUrl must use https://".to_owned();
                    problems.add(&path, complaint, Some(value.span), "oauth URL is not https");
                }
            }
        }
    }
    if let Some((path, value)) = at("scopes") {
        match value.as_str() {
            Some("") => {
                let complaint = "Too small: expected string to have >=1 characters".to_owned();
                problems.add(&path, complaint, Some(value.span), "oauth scopes are empty");
            }
            found => problems.expect(&path, Some(value), "string", found.is_some()),
        }
    }
    if let Some((path, value)) = at("xaa") {
        problems.expect(&path, Some(value), "boolean", value.as_bool().is_some());
    }
}

/// An integer from 1 to the largest that JavaScript counts exactly.
fn check_positive(path: &str, node: &Node, problems: &mut Problems) {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    let Value::Number(number) = &node.value else {
        problems.expect(path, Some(node), "number", false);
        return;
    };
    let value = number.as_f64();
    if value.is_infinite() {
        problems.expect(path, Some(node), "number", false);
    } else if value.fract() != 0.0 {
        problems.expect(path, Some(node), "int", false);
    } else if value > LARGEST {
        let complaint = "Too big: expected int to be <=9007199254740991".to_owned();
        problems.add(
            path,
            complaint,
            Some(node.span),
            &format!("{path} is too large"),
        );
    } else if value <= 0.0 {
        let complaint = "Too small: expected number to be >0".to_owned();
        problems.add(
            path,
            complaint,
            Some(node.span),
            &format!("{path} is not above 0"),
        );
    }
}

fn check_common(node: &Node, problems: &mut Problems) {
    if let Some(timeout) = node.get("timeout") {
        check_positive("timeout", timeout, problems);
    }
    for key in ["alwaysLoad", "bareElicitationCapability"] {
        check_optional(
            node,
            key,
            "boolean",
            |value| value.as_bool().is_some(),
            problems,
        );
    }
}

/// The fields with blanks at either end, which the real program warns of.
fn stray_blanks(node: &Node) -> Option<(String, Span)> {
    let stray = |text: &str| text.trim() != text;
    let mut fields = Vec::new();
    let mut first = None;
    let mut look = |field: &str, node: Option<&Node>| {
        let nodes: Vec<&Node> = match node.map(|node| &node.value) {
            Some(Value::Array(items)) => items.iter().collect(),
            _ => node.into_iter().collect(),
        };
        if let Some(found) = nodes
            .into_iter()
            .find(|node| node.as_str().is_some_and(stray))
        {
            fields.push(field.to_owned());
            first.get_or_insert(found.span);
        }
    };
    look("command", node.get("command"));
    look("args", node.get("args"));
    look("url", node.get("url"));
    for key in ["env", "headers"] {
        let Some(record) = node.get(key) else {
            continue;
        };
        for member in record.effective_members() {
            if stray(&member.key.text) || member.value.as_str().is_some_and(stray) {
                fields.push(format!("{key}.{}", Shown(member.key.text.trim())));
                first.get_or_insert(member.key.span);
            }
        }
    }
    first.map(|span| {
        (
            format!("Leading or trailing whitespace in: {}", fields.join(", ")),
            span,
        )
    })
}

/// What the entry says. Without a kind, what can be made out of it.
fn read_entry(document: &Document, node: &Node, kind: Option<Kind>) -> Entry {
    let sourced = |node: &Node| {
        let value = Secret::new(node.as_str()?);
        Some(Sourced {
            value,
            place: Some(document.place(node.span)),
        })
    };
    let record = |key: &str| -> Vec<(String, Sourced<Secret>)> {
        let members = node
            .get(key)
            .map(Node::effective_members)
            .unwrap_or_default();
        members
            .into_iter()
            .filter_map(|member| Some((member.key.text.clone(), sourced(&member.value)?)))
            .collect()
    };
    let mut entry = Entry {
        transport: kind.map(Kind::transport),
        ..Entry::default()
    };
    if kind.is_none_or(|kind| kind == Kind::Stdio) {
        entry.command = node.get("command").and_then(sourced);
        let args = node
            .get("args")
            .and_then(Node::as_array)
            .unwrap_or_default();
        entry.args = args.iter().filter_map(sourced).collect();
        entry.env = record("env");
    }
    if kind.is_none_or(|kind| kind != Kind::Stdio) {
        entry.url = node.get("url").and_then(sourced);
        entry.headers = record("headers");
    }
    entry
}

/// Names that Claude Code keeps for itself.
const RESERVED: [&str; 8] = [
    "workspace",
    "claude-in-chrome",
    "computer-use",
    "Claude Preview",
    "Claude Browser",
    "Claude in Chrome",
    "claude.ai",
    "__proto__",
];

/// Whether Claude Code keeps the name for itself. Compared after every character outside `[A-Za-z0-9_-]` became `_` and trailing
/// `_` were taken off. Observed on 2.1.332: `workspace!` is reserved, `_workspace` is not.
pub(super) fn is_reserved(name: &str) -> bool {
    let plain = |name: &str| plain_name(name).trim_end_matches('_').to_owned();
    name == "__proto__"
        || RESERVED
            .iter()
            .any(|reserved| *reserved != "__proto__" && plain(reserved) == plain(name))
}

/// `name` with every character outside `[A-Za-z0-9_-]` replaced by `_`.
pub(super) fn plain_name(name: &str) -> String {
    // JavaScript replaces UTF-16 code units, so a character beyond the basic plane becomes two.
    name.encode_utf16()
        .map(|unit| match u8::try_from(unit).map(char::from) {
            Ok(letter) if letter.is_ascii_alphanumeric() || letter == '_' || letter == '-' => {
                letter
            }
            _ => '_',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;

    use super::*;

    fn refusal(entry: &str) -> Option<String> {
        let text = format!("{{\"x\":{entry}}}");
        let path: Arc<Utf8Path> = Arc::from(Utf8Path::new("/f"));
        let document = Document::parse(path, text.as_bytes(), super::super::dialect::JSON).unwrap();
        let node = document.root().get("x").unwrap();
        check(&document, "x", node).refusal.map(|refusal| {
            let message = refusal
                .message
                .strip_prefix("Skipped — ")
                .unwrap()
                .to_owned();
            message
                .strip_prefix("invalid MCP server config for \"x\": ")
                .map(str::to_owned)
                .unwrap_or(message)
        })
    }

    #[test]
    fn refusals_use_the_words_of_the_real_program() {
        let cases = [
            (r#""x""#, "(root): expected object, received string"),
            ("null", "(root): expected object, received null"),
            (r#"{"type":null,"command":"c"}"#, "type: expected \"stdio\""),
            (
                r#"{"type":"sdk"}"#,
                "MCP server \"x\" declares type \"sdk\", which only an SDK host application can register",
            ),
            (
                r#"{"type":"HTTP","url":"http://h"}"#,
                "unknown MCP server type \"HTTP\" for server \"x\"",
            ),
            (
                r#"{"url":"http://h"}"#,
                "MCP server \"x\" has a \"url\" but no \"type\"; add \"type\": \"http\" (or \"sse\" / \"ws\") to this entry",
            ),
            ("{}", "command: expected string, received undefined"),
            (r#"{"command":""}"#, "command: Command cannot be empty"),
            (
                r#"{"command":3,"args":"x"}"#,
                "command: expected string, received number; args: expected array, received string",
            ),
            (
                r#"{"command":"x","args":[1,null,{}],"env":{"A":null,"B":true}}"#,
                "args.0: expected string, received number; args.1: expected string, received null; \
                 args.2: expected string, received object; env.A: expected string, received null; \
                 env.B: expected string, received boolean",
            ),
            (
                r#"{"type":"http","url":"http://h","oauth":{"clientId":1,"callbackPort":-1,"scopes":"","authServerMetadataUrl":"http://x","xaa":1}}"#,
                "oauth.clientId: expected string, received number; oauth.callbackPort: Too small: expected number to be >0; \
                 oauth.authServerMetadataUrl: authServerMetadataUrl must use https://; \
                 oauth.scopes: Too small: expected string to have >=1 characters; oauth.xaa: expected boolean, received number",
            ),
            (
                r#"{"command":"c","timeout":0}"#,
                "timeout: Too small: expected number to be >0",
            ),
            (
                r#"{"command":"c","timeout":1.5}"#,
                "timeout: expected int, received number",
            ),
            (
                r#"{"command":"c","timeout":-1.5}"#,
                "timeout: expected int, received number",
            ),
            (
                r#"{"command":"c","timeout":1e999}"#,
                "timeout: expected number, received Infinity",
            ),
            (
                r#"{"command":"c","timeout":9007199254740993}"#,
                "timeout: Too big: expected int to be <=9007199254740991",
            ),
            (
                r#"{"command":"c","timeout":null}"#,
                "timeout: expected number, received null",
            ),
        ];
        for (entry, words) in cases {
            assert_eq!(refusal(entry).as_deref(), Some(words), "{entry}");
        }
    }

    #[test]
    fn entries_that_load() {
        for entry in [
            r#"{"command":"c","url":"http://h"}"#,
            r#"{"command":" "}"#,
            r#"{"type":"streamable-http","url":""}"#,
            r#"{"type":"ws","url":"x","oauth":1}"#,
            r#"{"command":"c","disabled":true,"cwd":1,"headers":1,"oauth":1}"#,
            r#"{"type":"http","url":"x","oauth":{"callbackPort":70000,"other":1},"command":1,"args":1}"#,
            r#"{"command":"c","timeout":9007199254740991}"#,
        ] {
            assert_eq!(refusal(entry), None, "{entry}");
        }
    }

    #[test]
    fn reserved_names_are_compared_without_trailing_underscores_only() {
        for name in [
            "workspace",
            "workspace!",
            "workspace_",
            "claude_ai",
            "claude.ai_",
            "Claude_Preview",
            "claude-in-chrome ",
            "__proto__",
        ] {
            assert!(is_reserved(name), "{name}");
        }
        for name in [
            "Workspace",
            "Claude.ai",
            "claude-preview",
            "ide",
            "_workspace",
            "!workspace",
            " workspace",
            "_claude_ai",
            "_proto_",
        ] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
