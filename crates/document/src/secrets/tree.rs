//! Secrets in a parsed file: what the keys around a value say about it.

use super::cover::Cover;
use super::decoded::Decoded;
use super::{arguments, detect, loose, names, url, word};
use crate::{Member, Node, Span, Value};

/// What is known of a part of a file.
pub(super) struct Known {
    /// What is hidden.
    pub(super) cover: Cover,
    /// Keys and values, in no order: the rest is punctuation and comments.
    pub(super) claimed: Vec<Span>,
}

/// Judges the keys and values of `root` that lie in `window`, a part of `source`.
pub(super) fn judge(source: &str, root: &Node, window: Span, depth: usize) -> Known {
    judge_at(source, root, Place::Open, window, depth)
}

/// The same for a tree whose values are secrets, all of them.
pub(super) fn judge_secrets(source: &str, root: &Node, depth: usize) -> Known {
    judge_at(
        source,
        root,
        Place::Secret,
        Span::new(0, source.len()),
        depth,
    )
}

fn judge_at(source: &str, root: &Node, place: Place, window: Span, depth: usize) -> Known {
    let known = Known {
        cover: Cover::none(),
        claimed: Vec::new(),
    };
    // A document of TOML is a table without braces.
    let text = root.span.of(source);
    let json = text.starts_with('{') || (root.as_array().is_some() && text.starts_with('['));
    let mut reader = Reader {
        source,
        json,
        window,
        depth,
        known,
    };
    reader.node(root, place);
    reader.known
}

/// What the keys above a value say about it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing.
    Open,
    /// Its members are called as users like: a server called `token` is no secret.
    Named,
    /// It holds servers by their names, and settings: a text in it may be meant as a server.
    Mcp,
    /// Its members are servers.
    Servers,
    /// It is a server, or a part of one that is known not to be secret.
    Entry,
    /// Some of its members are servers, so a text beside them may be meant as one.
    Mixed,
    /// It stands in a server where a word of a few, a number or a switch belongs: other text may be anything.
    Choice,
    /// It names the kind of a server.
    Kind,
    /// It and everything in it is secret.
    Secret,
    /// It names variables.
    Variables,
    /// It is an address.
    Address,
    /// It is a command, or its words.
    Command,
}

struct Reader<'t> {
    source: &'t str,
    /// Whether members stand one behind the other, so that those outside the window need not be looked at.
    json: bool,
    window: Span,
    depth: usize,
    known: Known,
}

impl Reader<'_> {
    fn node(&mut self, node: &Node, place: Place) {
        if self.is_closed(node) && !self.is_seen(node.span) {
            return;
        }
        match &node.value {
            Value::Table(members) if place == Place::Open && is_entry(members) => {
                self.table(members, Place::Entry);
            }
            Value::Table(members)
                if place == Place::Open
                    && members
                        .iter()
                        .any(|member| is_entry(member.value.members())) =>
            {
                self.table(members, Place::Mixed);
            }
            Value::Table(members) => self.table(members, place),
            Value::Array(items) => self.array(items, place, None),
            Value::String(text) => self.string(node.span, text, place),
            Value::Number(_) | Value::Datetime(_) => {
                self.claim(node.span);
                if place == Place::Secret {
                    self.known.cover.hide(node.span);
                }
            }
            Value::Bool(_) | Value::Null => self.claim(node.span),
        }
    }

    /// Whether all of `node` lies in its span. Tables of TOML may go on under later headers.
    fn is_closed(&self, node: &Node) -> bool {
        let text = node.span.of(self.source);
        match node.value {
            Value::Table(_) => text.starts_with('{'),
            Value::Array(_) => text.starts_with('[') && !text.starts_with("[["),
            _ => true,
        }
    }

    fn is_seen(&self, span: Span) -> bool {
        span.start < self.window.end && self.window.start < span.end
    }

    fn claim(&mut self, span: Span) {
        if self.is_seen(span) {
            self.known.claimed.push(span);
        }
    }

    fn table(&mut self, members: &[Member], place: Place) {
        let first = members
            .partition_point(|member| self.json && member.value.span.end <= self.window.start);
        for member in members.iter().skip(first) {
            if self.json && member.key.span.start >= self.window.end {
                break;
            }
            if self.is_seen(member.key.span) {
                self.claim(member.key.span);
                self.judge(member.key.span, &member.key.text, loose::key);
            }
            let inner = place_of(member, place);
            match &member.value.value {
                Value::Array(items)
                    if inner == Place::Command && self.is_seen(member.value.span) =>
                {
                    let program = members
                        .iter()
                        .rev()
                        .find(|member| member.key.text == "command");
                    let program = program.and_then(|program| program.value.as_str());
                    self.array(items, inner, program);
                }
                _ => self.node(&member.value, inner),
            }
        }
    }

    /// The strings of a list are read as a command's words, as far as nothing else is known of them.
    fn array(&mut self, items: &[Node], place: Place, program: Option<&str>) {
        if !matches!(
            place,
            Place::Open
                | Place::Named
                | Place::Mcp
                | Place::Servers
                | Place::Entry
                | Place::Command
        ) {
            for item in items {
                self.node(item, place);
            }
            return;
        }
        let literals: Vec<Decoded> = items.iter().map(|item| self.word(item)).collect();
        let words: Vec<&str> = literals.iter().map(Decoded::text).collect();
        let covers = match (place, program) {
            (Place::Command, None) => arguments::judge(&words, self.depth),
            (_, program) => arguments::judge_rest(program, &words, self.depth),
        };
        for ((item, literal), cover) in items.iter().zip(&literals).zip(covers) {
            if matches!(item.value, Value::String(_) | Value::Number(_)) {
                self.claim(item.span);
                self.known.cover.add(cover.through(literal), 0);
                if is_long(item.span) {
                    self.hide_inside(item.span);
                }
            } else {
                let inner = match place {
                    Place::Servers => Place::Servers,
                    Place::Command => Place::Secret,
                    _ => Place::Open,
                };
                self.node(item, inner);
            }
        }
    }

    /// An element of a list as a word; what is no word, or too long for one, is an empty one.
    fn word(&self, item: &Node) -> Decoded {
        match &item.value {
            Value::String(text) if !is_long(item.span) => {
                Decoded::literal(self.source, item.span, text)
            }
            Value::Number(number) => Decoded::plain(&number.text, item.span.start),
            _ => Decoded::default(),
        }
    }

    fn string(&mut self, span: Span, text: &str, place: Place) {
        if !self.is_seen(span) {
            return;
        }
        self.claim(span);
        let depth = self.depth;
        self.judge(span, text, |text| match place {
            Place::Open | Place::Named | Place::Mcp | Place::Entry | Place::Mixed => {
                word::judge(text, depth)
            }
            // A server's name alone is no server; the path of a file with servers is.
            Place::Servers if detect::is_path(text) => word::judge(text, depth),
            Place::Choice | Place::Variables if CHOICES.contains(&text) => Cover::none(),
            Place::Kind if text.chars().all(is_letter) => word::judge(text, depth),
            Place::Secret | Place::Servers | Place::Choice | Place::Kind => {
                word::hide_strictly(text)
            }
            Place::Variables if names::is_variable(text) && !detect::is_suspicious(text) => {
                Cover::none()
            }
            Place::Variables => word::hide_strictly(text),
            Place::Address => url::judge(text),
            Place::Command => arguments::judge(&[text], depth)
                .pop()
                .unwrap_or_else(|| Cover::all(text)),
        });
    }

    /// Judges the literal at `span`, which means `text`. A long one is hidden without looking at it.
    fn judge(&mut self, span: Span, text: &str, judge: impl Fn(&str) -> Cover) {
        if is_long(span) {
            self.hide_inside(span);
            return;
        }
        let literal = Decoded::literal(self.source, span, text);
        let cover = judge(literal.text());
        self.known.cover.add(cover.through(&literal), 0);
    }

    /// Hides a string but for its quotes.
    fn hide_inside(&mut self, span: Span) {
        self.known
            .cover
            .hide(Span::new(span.start + 1, span.end.saturating_sub(1)));
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '-' | '_')
}

fn is_long(span: Span) -> bool {
    span.end.saturating_sub(span.start) > word::LONGEST
}

/// Words that servers' keys take.
const CHOICES: &[&str] = &[
    "true",
    "false",
    "on",
    "off",
    "yes",
    "no",
    "all",
    "none",
    "default",
    "local",
    "remote",
    "auto",
    "prompt",
    "writes",
    "approve",
    "ask",
    "allow",
    "deny",
    "always",
    "never",
    "oauth",
    "chatgpt",
    "ema_auth",
    "connection",
    "catalog",
    "code_mode",
    "deferred",
    "direct",
];

/// Whether a table is a server, wherever it stands. Claude Code's hooks have a command, too.
fn is_entry(members: &[Member]) -> bool {
    let hook =
        |member: &Member| member.key.text == "type" && member.value.as_str() == Some("command");
    members
        .iter()
        .any(|member| matches!(member.key.text.as_str(), "command" | "url" | "httpUrl"))
        && !members.iter().any(hook)
}

/// What `member`, in a table at `place`, is.
fn place_of(member: &Member, place: Place) -> Place {
    let key = member.key.text.as_str();
    match place {
        Place::Secret | Place::Variables => return place,
        // Not even a server is called `env`.
        Place::Named | Place::Mcp
            if member.value.is_table() && !matches!(key, "env" | "headers") =>
        {
            return match key {
                "servers" if place == Place::Mcp => Place::Servers,
                _ => Place::Open,
            };
        }
        Place::Servers if member.value.is_table() && !matches!(key, "env" | "headers") => {
            return Place::Entry;
        }
        Place::Servers => return Place::Secret,
        // Gemini CLI's lists of names; any other list there is meant as a server.
        Place::Mcp
            if member.value.as_array().is_some() && !matches!(key, "allowed" | "excluded") =>
        {
            return Place::Secret;
        }
        _ => {}
    }
    let known = place_of_key(key);
    match known {
        Some(Place::Command) if member.value.is_table() => Place::Secret,
        Some(known) => known,
        None if place == Place::Entry && matches!(key, "type" | "transport") => Place::Kind,
        None if matches!(place, Place::Entry | Place::Choice) && !is_text(key) => Place::Choice,
        None if matches!(place, Place::Mixed | Place::Mcp) && member.value.as_str().is_some() => {
            Place::Choice
        }
        None => Place::Open,
    }
}

/// What a key says by itself.
fn place_of_key(key: &str) -> Option<Place> {
    Some(match key {
        "env_http_headers" | "env_headers" | "env_vars" | "bearer_token_env_var" => {
            Place::Variables
        }
        "mcpServers" | "mcp_servers" | "managedMcpServers" | "servers" => Place::Servers,
        "mcp" => Place::Mcp,
        "projects" | "profiles" | "plugins" | "extensions" | "agents" => Place::Named,
        "args"
        | "arguments"
        | "command"
        | "cmd"
        | "argv"
        | "serverCommand"
        | "headersHelper"
        | "http_headers_helper" => Place::Command,
        _ if names::holds_secrets(key) || names::is_secret(key) => Place::Secret,
        _ if ["url", "uri", "endpoint"]
            .iter()
            .any(|ending| key.to_ascii_lowercase().ends_with(ending)) =>
        {
            Place::Address
        }
        _ => return None,
    })
}

/// Keys of a server under which people write words: of any meaning, or of tools.
fn is_text(key: &str) -> bool {
    matches!(
        key,
        "cwd"
            | "name"
            | "title"
            | "description"
            | "displayName"
            | "version"
            | "environment_id"
            | "enabled_tools"
            | "disabled_tools"
            | "scopes"
            | "alwaysAllow"
            | "autoApprove"
            | "includeTools"
            | "excludeTools"
    )
}
