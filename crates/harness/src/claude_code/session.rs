//! The command line of `claude`: which session it would start.

use camino::Utf8Path;
use muster_core::{CommandLineError, Mode, Session, World};

/// The flags that change which servers load.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Flags {
    /// `-p`: nobody can be asked.
    pub(super) print: bool,
    /// `claude mcp list` or `claude mcp get`.
    pub(super) lists: bool,
    /// `--mcp-config`: files or JSON texts, in order.
    pub(super) mcp_config: Vec<String>,
    /// `--strict-mcp-config`.
    pub(super) strict_mcp_config: bool,
    /// `--setting-sources`; `None` for all.
    pub(super) setting_sources: Option<Vec<String>>,
    /// `--settings`: a file or a JSON text.
    pub(super) settings: Option<String>,
    /// `--plugin-dir`, in order.
    pub(super) plugin_dirs: Vec<String>,
    /// `--agent`.
    pub(super) agent: Option<String>,
    /// `--agents`: a JSON text, or with `-p` a file that holds one.
    pub(super) agents: Option<String>,
    /// `--plugin-url`: there may be agents that no file here shows.
    pub(super) hidden_agents: bool,
    /// `--disallowedTools`: rules that hide tools.
    pub(super) disallowed: Vec<String>,
    /// What empties a session: `--bare`, `--restricted`, `--safe-mode` or their variables.
    pub(super) bare: Option<Bare>,
}

/// A mode in which a session starts none of the configured servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// `--bare`, or `CLAUDE_CODE_SIMPLE=1`.
    Simple,
    /// `--restricted`.
    Restricted,
    /// `--safe-mode`, or `CLAUDE_CODE_SAFE_MODE=1`: not even what `--mcp-config` gives.
    Safe,
}

impl Bare {
    /// What to call it.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Bare::Simple => "--bare (or CLAUDE_CODE_SIMPLE)",
            Bare::Restricted => "--restricted",
            Bare::Safe => "--safe-mode (or CLAUDE_CODE_SAFE_MODE)",
        }
    }
}

/// Flags with one value each, beside those of [`Flags`].
const ONE_VALUE: &[&str] = &[
    "--append-system-prompt",
    "--append-system-prompt-file",
    "--autocompact",
    "--debug-file",
    "--effort",
    "--environment",
    "--fallback-model",
    "--input-format",
    "--json-schema",
    "--max-budget-usd",
    "--max-turns",
    "--model",
    "--name",
    "-n",
    "--output-format",
    "--permission-mode",
    "--permission-prompt-tool",
    "--permission-prompts",
    "--remote-control-session-name-prefix",
    "--session-id",
    "--system-prompt",
    "--system-prompt-file",
    "--system-prompt-snapshot",
];

/// Flags that take every word up to the next flag.
const MANY_VALUES: &[&str] = &[
    "--add-dir",
    "--allowedTools",
    "--allowed-tools",
    "--betas",
    "--file",
    "--tools",
];

/// Flags whose value may be left out.
const MAYBE_VALUE: &[&str] = &[
    "--cloud",
    "--debug",
    "-d",
    "--from-pr",
    "--prompt-suggestions",
    "--remote-control",
    "--resume",
    "-r",
    "--teleport",
    "--worktree",
    "-w",
];

impl Flags {
    /// The flags of the session that `world` asks about, with the variables that act like flags.
    ///
    /// # Errors
    /// As [`read`].
    pub(super) fn of(world: &World<'_>) -> Result<Flags, CommandLineError> {
        let mut flags = match &world.session {
            Some(session) => read(&session.words)?,
            None => Flags::default(),
        };
        let on = |name: &str| {
            let value = world
                .env
                .get(name)
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase();
            matches!(value.as_str(), "1" | "true" | "yes" | "on")
        };
        if on("CLAUDE_CODE_SAFE_MODE") {
            flags.bare = Some(Bare::Safe);
        } else if on("CLAUDE_CODE_SIMPLE") {
            flags.bare.get_or_insert(Bare::Simple);
        }
        // Its own list command takes no notice of these two.
        if flags.lists {
            flags.bare = flags.bare.filter(|bare| *bare != Bare::Simple);
            flags.strict_mcp_config = false;
        }
        Ok(flags)
    }

    /// The first of `--setting-sources` that Claude Code does not know: it does not start then.
    pub(super) fn unknown_source(&self) -> Option<&str> {
        let known = |source: &str| matches!(source, "user" | "project" | "local");
        self.setting_sources
            .iter()
            .flatten()
            .map(String::as_str)
            .find(|source| !known(source))
    }

    /// Whether servers and settings of `source` (`user`, `project`, `local`) are read.
    pub(super) fn reads_source(&self, source: &str) -> bool {
        self.setting_sources
            .as_ref()
            .is_none_or(|sources| sources.iter().any(|named| named == source))
    }
}

/// The session that `words` would start.
///
/// # Errors
/// As [`read`].
pub(super) fn session(words: &[String], _cwd: &Utf8Path) -> Result<Session, CommandLineError> {
    let flags = read(words)?;
    let mode = if flags.print {
        Mode::Headless
    } else {
        Mode::Interactive
    };
    Ok(Session {
        words: words.to_vec(),
        mode,
        folder: None,
        lists: flags.lists,
    })
}

/// Reads a command line; its first word is the program.
///
/// # Errors
/// A flag that lacks its value. Unknown flags are passed over.
pub(super) fn read(words: &[String]) -> Result<Flags, CommandLineError> {
    let mut flags = Flags::default();
    let mut rest = words
        .get(1..)
        .unwrap_or_default()
        .iter()
        .map(String::as_str)
        .peekable();
    let mut plain = Vec::new();
    while let Some(word) = rest.next() {
        if word == "--" {
            break;
        }
        let (flag, inline) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag, Some(value)),
            _ => (word, None),
        };
        let mut value = || {
            inline
                .or_else(|| rest.next())
                .map(str::to_owned)
                .ok_or_else(|| CommandLineError::MissingValue(flag.to_owned()))
        };
        match flag {
            "-p" | "--print" => flags.print = true,
            "--strict-mcp-config" => flags.strict_mcp_config = true,
            "--bare" => flags.bare = Some(Bare::Simple),
            "--restricted" => flags.bare = Some(Bare::Restricted),
            "--safe-mode" => flags.bare = Some(Bare::Safe),
            "--settings" => flags.settings = Some(value()?),
            "--plugin-dir" => flags.plugin_dirs.push(value()?),
            "--agent" => flags.agent = Some(value()?),
            "--agents" => flags.agents = Some(value()?),
            "--plugin-url" => {
                flags.hidden_agents = true;
                drop(value()?);
            }
            "--setting-sources" => {
                let sources = value()?;
                flags.setting_sources = Some(
                    sources
                        .split(',')
                        .map(|source| source.trim().to_owned())
                        .filter(|source| !source.is_empty())
                        .collect(),
                );
            }
            "--mcp-config" => {
                flags.mcp_config.push(value()?);
                while let Some(more) =
                    rest.next_if(|word| inline.is_none() && !word.starts_with('-'))
                {
                    flags.mcp_config.push(more.to_owned());
                }
            }
            "--disallowedTools" | "--disallowed-tools" => {
                let mut hide = |list: &str| {
                    let rules = list.split([',', ' ']).filter(|rule| !rule.is_empty());
                    flags.disallowed.extend(rules.map(str::to_owned));
                };
                inline.into_iter().for_each(&mut hide);
                while let Some(list) =
                    rest.next_if(|word| inline.is_none() && !word.starts_with('-'))
                {
                    hide(list);
                }
            }
            flag if ONE_VALUE.contains(&flag) => drop(value()?),
            flag if MANY_VALUES.contains(&flag) && inline.is_none() => {
                while rest.next_if(|word| !word.starts_with('-')).is_some() {}
            }
            flag if MAYBE_VALUE.contains(&flag) && inline.is_none() => {
                rest.next_if(|word| !word.starts_with('-'));
            }
            flag if flag.starts_with('-') => {}
            plain_word => plain.push(plain_word),
        }
    }
    flags.lists = plain.first() == Some(&"mcp");
    Ok(flags)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str) -> Flags {
        read(&line.split(' ').map(str::to_owned).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn flags_that_matter_are_found_among_others() {
        let found = flags(
            "claude --model opus --add-dir a b -p --mcp-config x.json y.json --setting-sources=user,local hi",
        );
        assert!(found.print && !found.lists);
        assert_eq!(found.mcp_config, ["x.json", "y.json"]);
        assert_eq!(
            found.setting_sources,
            Some(vec!["user".to_owned(), "local".to_owned()])
        );
        assert!(found.reads_source("local") && !found.reads_source("project"));
    }

    #[test]
    fn its_own_list_command_is_known() {
        assert!(flags("claude mcp list").lists);
        assert!(!flags("claude mcp-list").lists);
        assert!(!flags("claude -p mcp").lists || flags("claude -p mcp").print);
    }

    #[test]
    fn no_sources_at_all() {
        assert_eq!(
            flags("claude --setting-sources= hi").setting_sources,
            Some(Vec::new())
        );
    }

    #[test]
    fn a_flag_without_its_value_is_refused() {
        let words = ["claude".to_owned(), "--settings".to_owned()];
        assert_eq!(
            read(&words),
            Err(CommandLineError::MissingValue("--settings".to_owned()))
        );
    }
}
