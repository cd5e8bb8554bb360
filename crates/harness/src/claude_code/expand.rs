//! `${NAME}` and `${NAME:-default}` in entries.

use std::collections::HashSet;

use camino::Utf8PathBuf;
use muster_core::{Entry, Environment, Transport, World};
use muster_document::{Node, Value};

use super::settings::{Owner, Settings};

/// The variables that expansion sees.
#[derive(Debug, Clone)]
pub(super) struct Variables {
    env: Environment,
    plugin: Option<PluginFolders>,
}

/// What the variables of a plugin hold.
#[derive(Debug, Clone)]
pub(super) struct PluginFolders {
    /// `CLAUDE_PLUGIN_ROOT`.
    pub(super) root: Utf8PathBuf,
    /// `CLAUDE_PLUGIN_DATA`.
    pub(super) data: Utf8PathBuf,
    /// `CLAUDE_PROJECT_DIR`.
    pub(super) project: Utf8PathBuf,
}

/// An entry's fields after expansion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Expanded {
    /// The command and its arguments.
    pub(super) command: Option<Vec<String>>,
    /// The address.
    pub(super) url: Option<String>,
    /// Variables that are unset and have no default. They stay as written.
    pub(super) missing: Missing,
}

/// Names of variables in the order of their first use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Missing {
    names: Vec<String>,
    known: HashSet<String>,
}

impl Missing {
    /// How many are named in a sentence.
    const SHOWN: usize = 8;

    fn add(&mut self, name: &str) {
        if self.known.insert(name.to_owned()) {
            self.names.push(name.to_owned());
        }
    }

    /// Every name.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The names for a sentence; `None` where there are none.
    pub(super) fn sentence(&self) -> Option<String> {
        let named = self
            .names
            .get(..self.names.len().min(Self::SHOWN))
            .filter(|names| !names.is_empty())?
            .join(", ");
        Some(match self.names.len().saturating_sub(Self::SHOWN) {
            0 => named,
            more => format!("{named} and {more} more"),
        })
    }
}

/// How long a text may grow by its variables, in bytes: a file may name a long one a hundred thousand times.
const LONGEST: usize = 1 << 20;

impl Variables {
    /// The process environment, over it the `env` of the user's settings, of `--settings` and of managed settings; a project's does
    /// not count. Observed on 2.1.332.
    pub(super) fn of(world: &World<'_>, settings: &Settings) -> Variables {
        let mut env = world.env.clone();
        // Only plugins are given this one.
        env.remove("CLAUDE_PROJECT_DIR");
        for owner in [Owner::User, Owner::Flag, Owner::Managed] {
            // Of several files of one owner the strongest comes first.
            let files: Vec<_> = settings.of(owner).collect();
            for member in files
                .iter()
                .rev()
                .filter_map(|file| file.get("env"))
                .flat_map(Node::effective_members)
            {
                if let Some(text) = as_text(&member.value) {
                    env.set(&member.key.text, text);
                }
            }
        }
        Variables { env, plugin: None }
    }

    /// The same variables with those that the settings of the project give and that were unset: headless sessions judge policies once
    /// more with them. `None` where there are none.
    pub(super) fn with_project(&self, settings: &Settings) -> Option<Variables> {
        let mut late = self.clone();
        let mut changed = false;
        for owner in [Owner::ProjectKeyLocal, Owner::Local, Owner::Project] {
            for member in settings
                .of(owner)
                .filter_map(|file| file.get("env"))
                .flat_map(Node::effective_members)
            {
                if let Some(text) =
                    as_text(&member.value).filter(|_| late.env.get(&member.key.text).is_none())
                {
                    late.env.set(&member.key.text, text);
                    changed = true;
                }
            }
        }
        changed.then_some(late)
    }

    /// The same variables for a plugin.
    pub(super) fn with_plugin(&self, folders: PluginFolders) -> Variables {
        Variables {
            env: self.env.clone(),
            plugin: Some(folders),
        }
    }

    /// The folders of the plugin that they are for.
    pub(super) fn plugin(&self) -> Option<&PluginFolders> {
        self.plugin.as_ref()
    }

    /// Whether the variable is set and an entry is given nothing for it all the same.
    pub(super) fn is_blanked(&self, name: &str, remote: bool) -> bool {
        is_blank(name, remote) && self.env.filled(name).is_some()
    }

    fn get(&self, name: &str, remote: bool) -> Option<&str> {
        if let Some(plugin) = &self.plugin {
            match name {
                "CLAUDE_PLUGIN_ROOT" => return Some(plugin.root.as_str()),
                "CLAUDE_PLUGIN_DATA" => return Some(plugin.data.as_str()),
                "CLAUDE_PROJECT_DIR" => return Some(plugin.project.as_str()),
                _ => {}
            }
        }
        if is_blank(name, remote) {
            return Some("");
        }
        self.env.get(name)
    }

    /// What the fields of `entry` become.
    pub(super) fn expand(&self, entry: &Entry) -> Expanded {
        let mut missing = Missing::default();
        let remote = entry.transport != Some(Transport::Stdio);
        let mut expand = |text: &str| self.expand_text(text, remote, &mut missing);
        let command = entry.command.as_ref().map(|command| {
            std::iter::once(command)
                .chain(&entry.args)
                .map(|word| expand(word.value.expose()))
                .collect()
        });
        for (_, value) in &entry.env {
            expand(value.value.expose());
        }
        let url = entry.url.as_ref().map(|url| expand(url.value.expose()));
        for (_, value) in &entry.headers {
            // Header values go through twice, so a default or a variable's value may hold further variables.
            let once = expand(value.value.expose());
            expand(&once);
        }
        Expanded {
            command,
            url,
            missing,
        }
    }

    /// `text` after one pass: results are not looked at again. Linear in the text; what grows too long stays as written.
    pub(super) fn expand_text(&self, text: &str, remote: bool, missing: &mut Missing) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        // Once a default has no end, no later one has.
        let mut closed = true;
        while let Some((before, after)) = rest
            .split_once("${")
            .filter(|_| out.len() < LONGEST.max(text.len()))
        {
            out.push_str(before);
            let Some((reference, tail)) = Reference::read(after, &mut closed) else {
                out.push_str("${");
                rest = after;
                continue;
            };
            match self.get(reference.name, remote).or(reference.default) {
                Some(value) => out.push_str(value),
                None => {
                    out.push_str("${");
                    out.push_str(reference.name);
                    out.push('}');
                    missing.add(reference.name);
                }
            }
            rest = tail;
        }
        out.push_str(rest);
        out
    }
}

/// A value as JavaScript makes text of it; objects never make a useful one.
pub(super) fn as_text(node: &Node) -> Option<String> {
    match &node.value {
        Value::String(text) | Value::Datetime(text) => Some(text.clone()),
        Value::Number(number) => Some(number.text.clone()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null => Some("null".to_owned()),
        Value::Array(items) => Some(
            items
                .iter()
                .map(|item| as_text(item).unwrap_or_default())
                .collect::<Vec<_>>()
                .join(","),
        ),
        Value::Table(_) => None,
    }
}

/// A reference to a variable.
struct Reference<'t> {
    name: &'t str,
    default: Option<&'t str>,
}

impl<'t> Reference<'t> {
    /// Reads the reference whose `${` was just passed, and gives what follows it. `closed` turns false where no `}` follows at all.
    fn read(after: &'t str, closed: &mut bool) -> Option<(Reference<'t>, &'t str)> {
        let letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = after.bytes().take_while(letter).count();
        let (name, rest) = after.split_at_checked(length)?;
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        if let Some(tail) = rest.strip_prefix('}') {
            return Some((
                Reference {
                    name,
                    default: None,
                },
                tail,
            ));
        }
        let rest = rest.strip_prefix(":-").filter(|_| *closed)?;
        let end = rest.split_once('}');
        *closed = end.is_some();
        end.map(|(default, tail)| {
            (
                Reference {
                    name,
                    default: Some(default),
                },
                tail,
            )
        })
    }
}

/// Credentials that Claude Code blanks in entries, upper-case; `*` stands for any run. The first list holds for every entry, the
/// second for addresses and headers only. A lower bound, found among some 330 names on 2.1.332.
const BLANK_EVERYWHERE: &[&str] = &[
    "OTEL_*",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_REFRESH_TOKEN",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_TRUSTED_DEVICE_TOKEN",
    "CLAUDE_BRIDGE_OAUTH_TOKEN",
    "CLAUDE_SESSION_INGRESS_TOKEN_FILE",
    "MCP_CLIENT_SECRET",
    "MCP_XAA_IDP_CLIENT_SECRET",
];

const BLANK_IN_REMOTE: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_CUSTOM_HEADERS",
    "ANTHROPIC_FOUNDRY_API_KEY",
    "ANTHROPIC_FOUNDRY_AUTH_TOKEN",
    "ANTHROPIC_AWS_API_KEY",
    "ANTHROPIC_IDENTITY_TOKEN",
    "ANTHROPIC_IDENTITY_TOKEN_FILE",
    "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_OAUTH_ACCESS_TOKEN",
    "GOOGLE_GHA_CREDS_PATH",
    "CLOUDSDK_AUTH_ACCESS_TOKEN",
    "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE",
    "AZURE_CLIENT_SECRET",
    "AZURE_CLIENT_CERTIFICATE_PATH",
    "AZURE_CLIENT_CERTIFICATE_PASSWORD",
    "AZURE_FEDERATED_TOKEN_FILE",
    "AZURE_PASSWORD",
    "MSI_SECRET",
    "IDENTITY_HEADER",
    "NPM_TOKEN",
    "NODE_AUTH_TOKEN",
    "PYPI_TOKEN",
    "TWINE_USERNAME",
    "TWINE_PASSWORD",
    "UV_PUBLISH_TOKEN",
    "UV_PUBLISH_PASSWORD",
    "UV_INDEX_URL",
    "UV_DEFAULT_INDEX",
    "UV_EXTRA_INDEX_URL",
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "POETRY_PYPI_TOKEN_PYPI",
    "POETRY_HTTP_BASIC_*",
    "HATCH_INDEX_AUTH",
    "FLIT_PASSWORD",
    "GEM_HOST_API_KEY",
    "BUNDLE_*__*",
    "COMPOSER_AUTH",
    "CARGO_REGISTRY_TOKEN",
    "CARGO_REGISTRIES_*_TOKEN",
    "SONAR_TOKEN",
    "VAULT_TOKEN",
    "VAULT_ROLE_ID",
    "VAULT_SECRET_ID",
    "CONSUL_HTTP_TOKEN",
    "NOMAD_TOKEN",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_URL",
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_RUNTIME_URL",
    "ALL_INPUTS",
    "OVERRIDE_GITHUB_TOKEN",
    "DEFAULT_WORKFLOW_TOKEN",
    "SSH_SIGNING_KEY",
];

/// Whether Claude Code blanks the variable, with or without the prefix that GitHub Actions gives inputs.
fn is_blank(name: &str, remote: bool) -> bool {
    let upper = name.to_ascii_uppercase();
    let plain = upper.strip_prefix("INPUT_").unwrap_or(&upper);
    let in_list = |list: &[&str]| {
        list.iter()
            .any(|pattern| matches(pattern, &upper) || matches(pattern, plain))
    };
    in_list(BLANK_EVERYWHERE) || (remote && in_list(BLANK_IN_REMOTE))
}

/// As patterns are matched; none of these begins with a star, and nearly every name is told from them by its first letter.
fn matches(pattern: &str, text: &str) -> bool {
    pattern.as_bytes().first() == text.as_bytes().first() && super::address::wildcard(pattern, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(text: &str, remote: bool) -> (String, Vec<String>) {
        let env = [
            ("FOO", "foo"),
            ("EMPTY", ""),
            ("OTEL_X", "o"),
            ("NPM_TOKEN", "n"),
            ("NEST", "${FOO}"),
        ]
        .into_iter()
        .collect();
        let mut missing = Missing::default();
        let out = Variables { env, plugin: None }.expand_text(text, remote, &mut missing);
        (out, missing.names)
    }

    #[test]
    fn references() {
        let cases = [
            ("a${FOO}b", "afoob"),
            ("${EMPTY:-x}", ""),
            ("${UNSET:-}", ""),
            ("${UNSET:-a:-b}", "a:-b"),
            ("${NEST}", "${FOO}"),
            (r"\${FOO}", r"\foo"),
            (
                "$FOO ${FOO-x} ${FOO:+x} ${a.b} ${1A} ${env:X} ${ X } ${",
                "$FOO ${FOO-x} ${FOO:+x} ${a.b} ${1A} ${env:X} ${ X } ${",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(
                expand(text, false),
                (expected.to_owned(), Vec::new()),
                "{text}"
            );
        }
    }

    #[test]
    fn an_unset_variable_without_default_stays_and_is_named_once() {
        assert_eq!(
            expand("${NO}-${NO}-${TOO}", false),
            (
                "${NO}-${NO}-${TOO}".to_owned(),
                vec!["NO".to_owned(), "TOO".to_owned()]
            )
        );
    }

    #[test]
    fn unclosed_references_take_no_longer_than_others() {
        // Quadratic work on either of these would take minutes.
        let text = "${".repeat(1_000_000);
        assert_eq!(expand(&text, false).0.len(), text.len());
        let text = "${A:-".repeat(400_000);
        assert_eq!(expand(&text, false).0.len(), text.len());
        let text: String = (0..200_000).map(|n| format!("${{V{n}}}")).collect();
        assert_eq!(expand(&text, false).1.len(), 200_000);
    }

    #[test]
    fn a_text_does_not_grow_without_end() {
        let env = [("LONG", "x".repeat(10_000))].into_iter().collect();
        let out = Variables { env, plugin: None }.expand_text(
            &"${LONG}".repeat(100_000),
            false,
            &mut Missing::default(),
        );
        assert!(out.len() < 3 * LONGEST, "{}", out.len());
    }

    #[test]
    fn credentials_are_blank() {
        assert_eq!(expand("<${OTEL_X}>", false).0, "<>");
        assert_eq!(expand("<${NPM_TOKEN}>", false).0, "<n>");
        assert_eq!(expand("<${NPM_TOKEN}${input_npm_token}>", true).0, "<>");
    }
}
