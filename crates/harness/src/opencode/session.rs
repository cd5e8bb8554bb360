//! The command line: which session it starts, and in which folder.

use camino::Utf8Path;
use muster_core::{CommandLineError, Mode, Session, absolute};
use muster_document::{Masked, Secret};

/// A command line of OpenCode's as far as it matters here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CommandLine {
    /// It is `opencode mcp list`.
    pub(super) lists: bool,
    /// It is the program of 2.x, `opencode2`.
    pub(super) next: bool,
    /// It is `opencode run --dir`, which reads its configuration before it moves: relative paths in variables start where it is given.
    pub(super) moves_late: bool,
    headless: bool,
    /// As written.
    folder: Option<String>,
}

/// Flags that take a value, long and short.
const WITH_VALUE: &[&str] = &[
    "--log-level",
    "--model",
    "-m",
    "--session",
    "-s",
    "--prompt",
    "--agent",
    "--port",
    "--hostname",
    "--mdns-domain",
    "--cors",
    "--replay-limit",
    "--command",
    "--format",
    "--title",
    "--attach",
    "--password",
    "-p",
    "--username",
    "-u",
    "--variant",
    "--dir",
    "--cwd",
    "--event",
    "--token",
];

/// Subcommands that start no session of which servers could be asked.
const NO_SESSION: &[&str] = &[
    "completion",
    "console",
    "auth",
    "providers",
    "upgrade",
    "uninstall",
    "models",
    "debug",
    "stats",
    "export",
    "import",
    "agent",
    "session",
    "db",
    "plugin",
    "plug",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    /// The panel, with its folder given.
    Panel,
    Run,
    Mcp,
    List,
    /// `github`: only `github run` starts a session.
    Github,
    Other,
}

impl CommandLine {
    /// Understands `words`, of which the first is the program. Observed on 1.18.33; flags it does not know are passed over.
    ///
    /// # Errors
    /// Where OpenCode would refuse them, or starts nothing of which servers could be asked.
    pub(super) fn parse(words: &[String]) -> Result<CommandLine, CommandLineError> {
        let program = words.first().map(String::as_str).unwrap_or_default();
        let file = program.rsplit(['/', '\\']).next().unwrap_or_default();
        let mut line = CommandLine {
            next: file.split('.').next() == Some("opencode2"),
            ..CommandLine::default()
        };
        let mut level = Level::Root;
        let mut interactive = false;
        let mut attached = false;
        let mut rest = words.iter().skip(1).map(String::as_str).peekable();
        while let Some(word) = rest.next() {
            if word == "--" {
                break;
            }
            if !word.starts_with('-') || word == "-" {
                level = line.positional(level, word)?;
                continue;
            }
            let (flag, given) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (word, None),
            };
            match flag {
                "-h" | "--help" | "-v" | "--version" => return Err(refused(flag)),
                "-i" | "--interactive" | "--mini" => interactive = true,
                // Takes every word up to the next flag.
                "-f" | "--file" => {
                    while rest.peek().is_some_and(|next| !next.starts_with('-')) {
                        rest.next();
                    }
                }
                flag if WITH_VALUE.contains(&flag) => {
                    let value = given
                        .or_else(|| rest.next())
                        .ok_or_else(|| CommandLineError::MissingValue(flag.to_owned()))?;
                    match (flag, level) {
                        ("--dir", Level::Run | Level::Root) => line.folder = Some(value.to_owned()),
                        ("--attach", _) => attached = true,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        match level {
            Level::Mcp => Err(refused("mcp")),
            Level::Github => Err(refused("github")),
            Level::Run if attached => Err(refused("run --attach")),
            _ => {
                line.moves_late = level == Level::Run && line.folder.is_some();
                line.headless &= !interactive;
                Ok(line)
            }
        }
    }

    fn positional(&mut self, level: Level, word: &str) -> Result<Level, CommandLineError> {
        match (level, word) {
            (Level::Root, "run") => {
                self.headless = true;
                Ok(Level::Run)
            }
            (Level::Root, "serve" | "acp") => {
                self.headless = true;
                Ok(Level::Other)
            }
            (Level::Root, "web" | "pr") => Ok(Level::Other),
            (Level::Root, "mcp") => Ok(Level::Mcp),
            (Level::Root, "github") => Ok(Level::Github),
            (Level::Github, "run") => {
                self.headless = true;
                Ok(Level::Other)
            }
            (Level::Root, "attach") => Err(refused("attach")),
            (Level::Root, other) if NO_SESSION.contains(&other) => Err(refused(other)),
            (Level::Root, folder) => {
                self.folder = Some(folder.to_owned());
                Ok(Level::Panel)
            }
            (Level::Panel, other) => Err(CommandLineError::Refused(format!(
                "Unknown argument: {}",
                Masked::path(&Secret::new(other))
            ))),
            (Level::Mcp, "list" | "ls") => {
                self.lists = true;
                Ok(Level::List)
            }
            (Level::Mcp, other) => Err(CommandLineError::Refused(format!(
                "`opencode mcp {}` starts no session",
                Masked::word(&Secret::new(other))
            ))),
            (Level::Github, other) => Err(CommandLineError::Refused(format!(
                "`opencode github {}` starts no session",
                Masked::word(&Secret::new(other))
            ))),
            (level, _) => Ok(level),
        }
    }

    /// What this is to the rest of Muster.
    pub(super) fn session(&self, words: &[String], cwd: &Utf8Path) -> Session {
        Session {
            words: words.to_vec(),
            mode: if self.headless {
                Mode::Headless
            } else {
                Mode::Interactive
            },
            folder: self.folder.as_deref().map(|folder| absolute(folder, cwd)),
            lists: self.lists,
        }
    }
}

fn refused(what: &str) -> CommandLineError {
    let text = match what {
        "attach" | "run --attach" => {
            format!("`opencode {what}` uses the servers of a session that runs already")
        }
        _ => format!("`opencode {what}` starts no session"),
    };
    CommandLineError::Refused(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(line: &str) -> Result<Session, CommandLineError> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let parsed = CommandLine::parse(&words)?;
        Ok(parsed.session(&words, Utf8Path::new("/w/repo")))
    }

    #[test]
    fn sessions_with_their_folders_and_modes() {
        for (line, mode, folder, lists) in [
            ("opencode", Mode::Interactive, None, false),
            ("opencode ../x", Mode::Interactive, Some("/w/x"), false),
            (
                "opencode -m a/b --prompt hi /x",
                Mode::Interactive,
                Some("/x"),
                false,
            ),
            ("opencode run hi there", Mode::Headless, None, false),
            ("opencode run -i hi", Mode::Interactive, None, false),
            (
                "opencode run -f a b --dir sub hi",
                Mode::Headless,
                Some("/w/repo/sub"),
                false,
            ),
            (
                "opencode run --dir=/y -- mcp list",
                Mode::Headless,
                Some("/y"),
                false,
            ),
            ("opencode serve --port 1", Mode::Headless, None, false),
            ("opencode web", Mode::Interactive, None, false),
            (
                "opencode --print-logs mcp list",
                Mode::Interactive,
                None,
                true,
            ),
            ("opencode mcp ls", Mode::Interactive, None, true),
            ("opencode github run --token t", Mode::Headless, None, false),
            ("opencode2 mcp list", Mode::Interactive, None, true),
        ] {
            let found = session(line).unwrap();
            assert_eq!(found.mode, mode, "{line}");
            assert_eq!(found.folder.as_ref().map(|f| f.as_str()), folder, "{line}");
            assert_eq!(found.lists, lists, "{line}");
        }
    }

    #[test]
    fn refusals() {
        for (line, text) in [
            ("opencode mcp", "`opencode mcp` starts no session"),
            ("opencode mcp add x", "`opencode mcp add` starts no session"),
            ("opencode models", "`opencode models` starts no session"),
            (
                "opencode --version",
                "`opencode --version` starts no session",
            ),
            (
                "opencode attach http://x",
                "`opencode attach` uses the servers of a session that runs already",
            ),
            (
                "opencode run --attach http://x hi",
                "`opencode run --attach` uses the servers of a session that runs already",
            ),
            ("opencode a b", "Unknown argument: b"),
            ("opencode run --dir", "`--dir` needs a value"),
        ] {
            assert_eq!(session(line).unwrap_err().to_string(), text, "{line}");
        }
    }

    #[test]
    fn the_program_of_2_is_known_by_its_name() {
        let next = |word: &str| CommandLine::parse(&[word.to_owned()]).unwrap().next;
        assert!(next("/usr/bin/opencode2"));
        assert!(next("opencode2.exe"));
        assert!(!next("opencode"));
    }
}
