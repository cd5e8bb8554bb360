//! Identities in `requirements.toml`: which server an administrator means.

use muster_document::{Masked, Secret};
// Codex uses this crate too: its messages about bad expressions are this crate's.
use regex_lite::Regex;

use super::merge::Merged;

/// What an allowed server must be.
#[derive(Debug)]
pub(super) enum Identity {
    /// This command; the arguments are free.
    Command(String),
    /// This address.
    Url(String),
    /// This program with arguments that match, one by one.
    Invocation {
        executable: String,
        args: Vec<Matcher>,
    },
    /// An address that matches.
    UrlMatcher(Matcher),
}

#[derive(Debug)]
pub(super) enum Matcher {
    Exact(String),
    Prefix(String),
    Regex(Regex),
}

/// What is wrong with an identity.
pub(super) enum Wrong {
    /// Its shape: Codex says no more than that.
    Shape,
    /// A regular expression of it: the words.
    Regex(String),
}

/// Reads an identity as Codex does: a plain `command` decides, then a plain `url`, whatever stands beside them; the forms with
/// matchers take no other key.
pub(super) fn identity(value: &Merged<'_>) -> Result<Identity, Wrong> {
    let text = |key: &str| value.get(key).and_then(Merged::as_str).map(str::to_owned);
    if let Some(command) = text("command") {
        return Ok(Identity::Command(command));
    }
    if let Some(url) = text("url") {
        return Ok(Identity::Url(url));
    }
    let command = value.get("command").filter(|_| only(value, &["command"]));
    if let Some(command) = command.filter(|command| only(command, &["executable", "args"])) {
        let executable = command
            .get("executable")
            .and_then(Merged::as_str)
            .ok_or(Wrong::Shape)?
            .to_owned();
        let args = command
            .get("args")
            .and_then(Merged::as_list)
            .ok_or(Wrong::Shape)?
            .iter()
            .enumerate();
        let args = args.map(|(at, arg)| {
            matcher(arg).map_err(|wrong| match wrong {
                Wrong::Regex(words) => {
                    Wrong::Regex(format!("invalid argument matcher at index {at}: {words}"))
                }
                Wrong::Shape => Wrong::Shape,
            })
        });
        return Ok(Identity::Invocation {
            executable,
            args: args.collect::<Result<_, _>>()?,
        });
    }
    match value.get("url").filter(|_| only(value, &["url"])) {
        Some(url) => matcher(url).map(Identity::UrlMatcher),
        None => Err(Wrong::Shape),
    }
}

fn matcher(value: &Merged<'_>) -> Result<Matcher, Wrong> {
    let text = |key: &str| {
        value
            .get(key)
            .and_then(Merged::as_str)
            .map(str::to_owned)
            .filter(|_| only(value, &["match", key]))
    };
    match value.get("match").and_then(Merged::as_str) {
        Some("exact") => text("value").map(Matcher::Exact).ok_or(Wrong::Shape),
        Some("prefix") => text("value").map(Matcher::Prefix).ok_or(Wrong::Shape),
        Some("regex") => {
            let expression = text("expression").ok_or(Wrong::Shape)?;
            let words = |error| {
                Wrong::Regex(format!(
                    "invalid regex `{}`: {error}",
                    Masked::word(&Secret::new(expression.as_str()))
                ))
            };
            Regex::new(&expression).map_err(words)?;
            Regex::new(&format!("^(?:{expression})$"))
                .map(Matcher::Regex)
                .map_err(words)
        }
        _ => Err(Wrong::Shape),
    }
}

fn only(value: &Merged<'_>, keys: &[&str]) -> bool {
    value.members().all(|(key, _)| keys.contains(&key))
}

impl Identity {
    /// Whether `server` is the one that is meant.
    pub(super) fn is(&self, server: &Merged<'_>) -> bool {
        let text = |key: &str| server.get(key).and_then(Merged::as_str);
        match self {
            Identity::Command(command) => text("command") == Some(command),
            Identity::Url(url) => text("url") == Some(url),
            Identity::UrlMatcher(matcher) => text("url").is_some_and(|url| matcher.is(url)),
            Identity::Invocation { executable, args } => {
                let given = server
                    .get("args")
                    .and_then(Merged::as_list)
                    .unwrap_or_default();
                let pairs = || args.iter().zip(given);
                text("command") == Some(executable)
                    && given.len() == args.len()
                    && pairs().all(|(matcher, arg)| arg.as_str().is_some_and(|arg| matcher.is(arg)))
            }
        }
    }
}

impl Matcher {
    fn is(&self, text: &str) -> bool {
        match self {
            Matcher::Exact(exact) => exact == text,
            Matcher::Prefix(prefix) => text.starts_with(prefix),
            Matcher::Regex(regex) => regex.is_match(text),
        }
    }
}
