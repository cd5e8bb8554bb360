//! The command line of `pi`: which session it starts, and its flags that change which servers load.

use muster_core::{CommandLineError, Mode, Session, World};
use muster_document::{Masked, Secret};

/// A command line of Pi's as far as it matters here.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Flags {
    /// `pi mcp list`.
    pub(super) lists: bool,
    /// `-p`, or `--mode json` or `rpc`: nobody can be asked.
    pub(super) headless: bool,
    /// `--approve` or `--no-approve`, whichever comes last.
    pub(super) approve: Option<bool>,
    /// `--no-mcp`.
    pub(super) no_mcp: bool,
    /// `--no-extensions`.
    pub(super) no_extensions: bool,
    /// `-e`, in order.
    pub(super) extensions: Vec<String>,
    /// `--offline`.
    pub(super) offline: bool,
    /// A flag that limits what tools the model sees, as written.
    pub(super) limits_tools: Option<&'static str>,
    /// A flag that may open the session of another folder, as written.
    pub(super) other_folder: Option<&'static str>,
    /// Flags that Pi does not know: an extension may.
    pub(super) unknown: Vec<String>,
}

/// Flags that take one value and change nothing here.
const ONE_VALUE: &[&str] = &[
    "--provider",
    "--model",
    "--api-key",
    "--system-prompt",
    "--append-system-prompt",
    "--session-id",
    "--fork",
    "--session-dir",
    "--models",
    "--thinking",
    "--skill",
    "--prompt-template",
    "--theme",
];

/// Flags without a value that change nothing here.
const NO_VALUE: &[&str] = &[
    "--continue",
    "-c",
    "--no-session",
    "--no-skills",
    "-ns",
    "--no-prompt-templates",
    "-np",
    "--no-themes",
    "--no-context-files",
    "-nc",
    "--verbose",
];

/// First words that start no session.
const NO_SESSION: &[&str] = &[
    "auth",
    "install",
    "remove",
    "uninstall",
    "update",
    "list",
    "config",
];

impl Flags {
    /// The flags of the session that `world` asks about.
    pub(super) fn of(world: &World<'_>) -> Flags {
        let asked = world
            .session
            .as_ref()
            .and_then(|session| Flags::read(&session.words).ok());
        asked.unwrap_or_else(|| Flags {
            headless: world.headless(),
            ..Flags::default()
        })
    }

    /// Understands `words`, of which the first is the program. Observed on 1.6.0.
    ///
    /// # Errors
    /// Where Pi would refuse them, or starts nothing of which servers could be asked.
    pub(super) fn read(words: &[String]) -> Result<Flags, CommandLineError> {
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        match words.split_first() {
            Some((&"mcp", rest)) => mcp(rest),
            Some((word, _)) if NO_SESSION.contains(word) => Err(no_session(word)),
            _ => session(&words),
        }
    }

    /// What this is to the rest of Muster.
    pub(super) fn session(&self, words: &[String]) -> Session {
        Session {
            words: words.to_vec(),
            mode: match self.headless {
                true => Mode::Headless,
                false => Mode::Interactive,
            },
            folder: None,
            lists: self.lists,
        }
    }
}

fn no_session(what: &str) -> CommandLineError {
    CommandLineError::Refused(format!("`pi {what}` starts no session"))
}

/// `pi mcp …`.
fn mcp(rest: &[&str]) -> Result<Flags, CommandLineError> {
    match rest.split_first() {
        Some((&"list", options))
            if !options.iter().any(|word| matches!(*word, "-h" | "--help")) =>
        {
            match options.iter().find(|word| **word != "--json") {
                None => Ok(Flags {
                    lists: true,
                    ..Flags::default()
                }),
                Some(word) if word.starts_with("--") => Err(CommandLineError::Refused(format!(
                    "pi mcp list: Unknown option {}",
                    Masked::word(&Secret::new(*word))
                ))),
                Some(_) => Err(CommandLineError::Refused(
                    "Usage: pi mcp list [--json]".to_owned(),
                )),
            }
        }
        Some((command, _)) if !command.starts_with('-') => Err(no_session(&format!(
            "mcp {}",
            Masked::word(&Secret::new(*command))
        ))),
        _ => Err(no_session("mcp")),
    }
}

fn session(words: &[&str]) -> Result<Flags, CommandLineError> {
    let mut flags = Flags::default();
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        let is_last = rest.peek().is_none();
        match word {
            "--" => break,
            "--help" | "-h" | "--version" | "-v" | "--list-models" => return Err(no_session(word)),
            "--export" if !is_last => return Err(no_session(word)),
            "--mode" => match rest.next_if(|mode| !mode.starts_with('-')) {
                Some("json" | "rpc") => flags.headless = true,
                Some("text") => flags.headless = false,
                Some(_) => return Err(refused("Valid values of --mode: text, json, rpc")),
                None => return Err(CommandLineError::MissingValue(word.to_owned())),
            },
            "--name" | "-n" | "--use-theme" | "--tui-mode" => {
                let may_be_a_flag = matches!(word, "--name" | "-n");
                if rest
                    .next_if(|value| may_be_a_flag || !value.starts_with('-'))
                    .is_none()
                {
                    return Err(CommandLineError::MissingValue(word.to_owned()));
                }
            }
            "--print" | "-p" => {
                flags.headless = true;
                rest.next_if(|next| {
                    !next.starts_with('@') && (!next.starts_with('-') || next.starts_with("---"))
                });
            }
            "--extension" | "-e" if !is_last => {
                flags.extensions.extend(rest.next().map(str::to_owned));
            }
            "--no-extensions" | "-ne" => flags.no_extensions = true,
            "--no-mcp" => flags.no_mcp = true,
            "--approve" | "-a" => flags.approve = Some(true),
            "--no-approve" | "-na" => flags.approve = Some(false),
            "--offline" => flags.offline = true,
            "--no-tools" | "-nt" => flags.limits_tools = Some("--no-tools"),
            "--no-builtin-tools" | "-nbt" => {}
            "--tools" | "-t" if !is_last => {
                flags.limits_tools = Some("--tools");
                rest.next();
            }
            "--exclude-tools" | "-xt" if !is_last => {
                flags.limits_tools = Some("--exclude-tools");
                rest.next();
            }
            "--session" if !is_last => {
                flags.other_folder = Some("--session");
                rest.next();
            }
            "--resume" | "-r" => flags.other_folder = Some("--resume"),
            flag if NO_VALUE.contains(&flag) => {}
            flag if ONE_VALUE.contains(&flag) && !is_last => drop(rest.next()),
            flag if flag.starts_with("--") => match flag.split_once('=') {
                Some((name, _)) => flags.unknown.push(name.to_owned()),
                None => {
                    rest.next_if(|next| !next.starts_with(['-', '@']));
                    flags.unknown.push(flag.to_owned());
                }
            },
            flag if flag.starts_with('-') => {
                return Err(CommandLineError::Refused(format!(
                    "Unknown option: {}",
                    Masked::word(&Secret::new(flag))
                )));
            }
            _ => {}
        }
    }
    Ok(flags)
}

fn refused(text: &str) -> CommandLineError {
    CommandLineError::Refused(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Flags, CommandLineError> {
        Flags::read(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn flags_that_matter_are_found_among_others() {
        let flags =
            read("pi --model a/b -e builtin:mcp -ne -p hi --no-mcp -na -a --tools x").unwrap();
        let expected = Flags {
            headless: true,
            approve: Some(true),
            no_mcp: true,
            no_extensions: true,
            extensions: vec!["builtin:mcp".to_owned()],
            limits_tools: Some("--tools"),
            ..Flags::default()
        };
        assert_eq!(flags, expected);
        assert!(read("pi -- -p --no-mcp").unwrap() == Flags::default());
    }

    #[test]
    fn who_can_be_asked() {
        for (line, headless) in [
            ("pi", false),
            ("pi hi", false),
            ("pi --mode text hi", false),
            ("pi --print", true),
            ("pi --mode rpc", true),
            ("pi hi --mode json", true),
            ("pi --name -p", false),
            ("pi --model -p", false),
        ] {
            assert_eq!(read(line).unwrap().headless, headless, "{line}");
        }
    }

    #[test]
    fn the_words_after_print_are_its_message() {
        assert!(!read("pi -p mcp list").unwrap().lists);
        assert_eq!(read("pi -p ---x").unwrap().unknown, [""; 0]);
        assert!(read("pi -p --no-mcp").unwrap().no_mcp);
    }

    #[test]
    fn its_own_list_command_is_known() {
        assert!(read("pi mcp list").unwrap().lists);
        assert!(read("pi mcp list --json").unwrap().lists);
        for line in [
            "pi mcp",
            "pi mcp --help",
            "pi mcp list --help",
            "pi mcp list x",
            "pi mcp list --approve",
            "pi mcp add x -- y",
            "pi list",
            "pi auth login",
            "pi --version",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn flags_that_pi_does_not_know_may_be_an_extension_s() {
        assert_eq!(
            read("pi --plan now --x=1 --deep -p hi").unwrap().unknown,
            ["--plan", "--x", "--deep"]
        );
        assert_eq!(read("pi -x").unwrap_err().to_string(), "Unknown option: -x");
        assert_eq!(read("pi -e").unwrap_err().to_string(), "Unknown option: -e");
        assert_eq!(read("pi --model").unwrap().unknown, ["--model"]);
        assert_eq!(
            read("pi --mode -p").unwrap_err(),
            CommandLineError::MissingValue("--mode".to_owned())
        );
    }
}
