//! The command line: which session it starts, and its flags that change which servers load.

use camino::Utf8Path;
use muster_core::{CommandLineError, Mode, Session, absolute};

use muster_document::{Masked, Secret};

use super::overrides::Override;

/// What a command line starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Program {
    /// The panel in a terminal: `codex`, `codex resume`, `codex fork`.
    #[default]
    Tui,
    /// A run that asks nobody: `codex exec`, `codex review`, a server for another program.
    Exec,
    /// `codex mcp list` and `codex mcp get`.
    McpList,
}

/// A command line of Codex's as far as it matters here.
#[derive(Debug, Default)]
pub(super) struct CommandLine {
    pub(super) program: Program,
    /// `-c KEY=VALUE`, in order.
    pub(super) overrides: Vec<Override>,
    /// `--enable FEATURE`.
    enabled: Vec<String>,
    /// `--disable FEATURE`.
    disabled: Vec<String>,
    /// `-p NAME`.
    pub(super) profile: Option<String>,
    /// `-C DIR`, as written.
    folder: Option<String>,
    /// `codex exec --ignore-user-config`.
    pub(super) ignore_user_config: bool,
    /// `codex exec --trust`.
    pub(super) trust: bool,
    /// `codex exec` and `codex review` without a flag that lets them run outside git.
    pub(super) needs_git: bool,
}

/// Flags that take a value and change nothing here.
const PASSED_OVER: &[&str] = &[
    "--remote",
    "--remote-auth-token-env",
    "-m",
    "--model",
    "--local-provider",
    "-s",
    "--sandbox",
    "--add-dir",
    "-a",
    "--ask-for-approval",
    "--thread-source",
    "--cyber-access-program",
    "--output-schema",
    "--color",
    "-o",
    "--output-last-message",
    "--base",
    "--commit",
    "--title",
    "--listen",
];

/// Subcommands that start no session of which servers could be asked.
const NO_SESSION: &[&str] = &[
    "login",
    "logout",
    "plugin",
    "remote-control",
    "completion",
    "update",
    "doctor",
    "sandbox",
    "debug",
    "apply",
    "a",
    "queue",
    "archive",
    "delete",
    "migrate-rollouts",
    "migrate-nfs-db",
    "unarchive",
    "cloud",
    "exec-server",
    "features",
    "help",
];

/// Where in the command line the parser is: what was given at one level cannot be given there twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Session,
    Mcp,
    McpList,
}

impl CommandLine {
    /// `program` without flags.
    pub(super) fn plain(program: Program) -> CommandLine {
        CommandLine {
            program,
            ..CommandLine::default()
        }
    }

    /// Understands `words`, of which the first is the program. Observed on 0.171.0.
    ///
    /// # Errors
    /// Where Codex would refuse them, or starts nothing of which servers could be asked.
    pub(super) fn parse(words: &[String]) -> Result<CommandLine, CommandLineError> {
        let mut line = CommandLine::default();
        let mut level = Level::Root;
        let mut profile_at = None;
        let mut anywhere = false;
        let mut rest = words.iter().skip(1).map(String::as_str).peekable();
        while let Some(word) = rest.next() {
            if word == "--" {
                break;
            }
            if !word.starts_with('-') || word == "-" {
                level = line.positional(level, word)?;
                continue;
            }
            let (flag, attached) = split_flag(word);
            if matches!(level, Level::Mcp | Level::McpList)
                && !matches!(
                    flag,
                    "-c" | "--config" | "--enable" | "--disable" | "--json" | "-h" | "--help"
                )
            {
                return Err(CommandLineError::Refused(format!(
                    "codex mcp: unexpected argument '{flag}' found"
                )));
            }
            let mut value = || match attached {
                Some(value) => Ok(value.to_owned()),
                None => rest
                    .next()
                    .map(str::to_owned)
                    .ok_or_else(|| CommandLineError::MissingValue(flag.to_owned())),
            };
            match flag {
                "-c" | "--config" => line.overrides.push(Override::parse(&value()?)?),
                "--enable" => line.enabled.push(value()?),
                "--disable" => line.disabled.push(value()?),
                "-p" | "--profile" => {
                    if profile_at.replace(level) == Some(level) {
                        return Err(CommandLineError::Refused("the argument '--profile <CONFIG_PROFILE_V2>' cannot be used multiple times".to_owned()));
                    }
                    line.profile = Some(plain_profile(value()?)?);
                }
                "-C" | "--cd" => line.folder = Some(value()?),
                "--ignore-user-config" => line.ignore_user_config = true,
                "--trust" => line.trust = true,
                "--skip-git-repo-check"
                | "--yolo"
                | "--dangerously-bypass-approvals-and-sandbox" => anywhere = true,
                // Takes every word up to the next flag.
                "-i" | "--image" => {
                    value()?;
                    while rest.peek().is_some_and(|next| !next.starts_with('-')) {
                        rest.next();
                    }
                }
                flag if PASSED_OVER.contains(&flag) => {
                    value()?;
                }
                _ => {}
            }
        }
        if level == Level::Mcp {
            return Err(CommandLineError::Refused(
                "`codex mcp` without a command starts no session".to_owned(),
            ));
        }
        line.needs_git &= !anywhere;
        Ok(line)
    }

    fn positional(&mut self, level: Level, word: &str) -> Result<Level, CommandLineError> {
        match (level, word) {
            (Level::Root, "exec" | "e" | "review") => {
                self.program = Program::Exec;
                self.needs_git = true;
            }
            (Level::Root, "app-server" | "mcp-server") => self.program = Program::Exec,
            (Level::Root, "mcp") => return Ok(Level::Mcp),
            (Level::Root, other) if NO_SESSION.contains(&other) => {
                return Err(CommandLineError::Refused(format!(
                    "`codex {other}` starts no session"
                )));
            }
            (Level::Mcp, "list" | "get") => {
                self.program = Program::McpList;
                return Ok(Level::McpList);
            }
            (Level::Mcp, other) => {
                return Err(CommandLineError::Refused(format!(
                    "`codex mcp {}` starts no session",
                    Masked::word(&Secret::new(other))
                )));
            }
            (Level::McpList, _) => return Ok(level),
            // A prompt, a session's id, or a subcommand of `exec`.
            _ => {}
        }
        Ok(Level::Session)
    }

    /// `--enable` and `--disable` as overrides: they come before every `-c`, and a no wins.
    pub(super) fn toggles(&self) -> impl Iterator<Item = Override> {
        let one = |on: bool| move |feature: &String| Override::feature(feature, on);
        self.enabled
            .iter()
            .map(one(true))
            .chain(self.disabled.iter().map(one(false)))
    }

    /// What this is to the rest of Muster. `codex -C DIR mcp list` ignores its `-C`.
    pub(super) fn session(&self, words: &[String], cwd: &Utf8Path) -> Session {
        let lists = self.program == Program::McpList;
        let folder = self
            .folder
            .as_deref()
            .filter(|_| !lists)
            .map(|folder| absolute(folder, cwd));
        let mode = if self.program == Program::Exec {
            Mode::Headless
        } else {
            Mode::Interactive
        };
        Session {
            words: words.to_vec(),
            mode,
            folder,
            lists,
        }
    }
}

/// A flag and the value attached to it: `--config=K=V`, `-cK=V`, `-c=K=V`.
fn split_flag(word: &str) -> (&str, Option<&str>) {
    if word.starts_with("--") {
        return word
            .split_once('=')
            .map_or((word, None), |(flag, value)| (flag, Some(value)));
    }
    match word.char_indices().nth(2).map(|(at, _)| word.split_at(at)) {
        Some((flag, value)) => (flag, Some(value.strip_prefix('=').unwrap_or(value))),
        None => (word, None),
    }
}

fn plain_profile(name: String) -> Result<String, CommandLineError> {
    let plain = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    match plain {
        true => Ok(name),
        false => Err(CommandLineError::Refused(format!(
            "invalid --profile value `{}`; pass a plain name such as `work`",
            Masked::path(&Secret::new(name))
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<CommandLine, CommandLineError> {
        CommandLine::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn programs_and_modes() {
        for (line, program) in [
            ("codex", Program::Tui),
            ("codex fix the tests", Program::Tui),
            ("codex -m gpt exec hi", Program::Exec),
            ("codex exec", Program::Exec),
            ("codex e hi", Program::Exec),
            ("codex resume exec", Program::Tui),
            (
                "codex -c a=1 mcp -c b=2 list -c c=3 --json",
                Program::McpList,
            ),
            ("codex -- exec", Program::Tui),
        ] {
            assert_eq!(parse(line).unwrap().program, program, "{line}");
        }
        assert!(parse("codex exec hi").unwrap().needs_git);
        assert!(!parse("codex exec --yolo hi").unwrap().needs_git);
        assert!(!parse("codex --yolo exec hi").unwrap().needs_git);
        assert!(!parse("codex app-server").unwrap().needs_git);
        assert!(parse("codex login").is_err());
        assert!(parse("codex mcp add x").is_err());
        assert!(parse("codex mcp list -p a").is_err());
    }

    #[test]
    fn flags_in_all_spellings() {
        let line = parse(
            "codex -pwork exec --config=a.b=1 -cc=2 -i one two --enable=plugins -C ../x --trust hi",
        )
        .unwrap();
        assert_eq!(line.profile.as_deref(), Some("work"));
        assert_eq!(line.overrides.len(), 2);
        assert_eq!(
            line.session(&[], Utf8Path::new("/w/repo")).folder.unwrap(),
            "/w/x"
        );
        assert!(line.trust);
        assert_eq!(
            parse("codex -C /x mcp list")
                .unwrap()
                .session(&[], Utf8Path::new("/w"))
                .folder,
            None
        );
    }

    #[test]
    fn refusals() {
        assert_eq!(
            parse("codex -p").unwrap_err(),
            CommandLineError::MissingValue("-p".to_owned())
        );
        assert_eq!(
            parse("codex -p a -p b").unwrap_err().to_string(),
            "the argument '--profile <CONFIG_PROFILE_V2>' cannot be used multiple times"
        );
        assert_eq!(
            parse("codex -p a.b").unwrap_err().to_string(),
            "invalid --profile value `a.b`; pass a plain name such as `work`"
        );
        assert_eq!(
            parse("codex -c mcp_servers.x").unwrap_err().to_string(),
            "Invalid override (missing '='): mcp_servers.x"
        );
        assert_eq!(
            parse("codex -c hunter2").unwrap_err().to_string(),
            "Invalid override (missing '='): •••"
        );
        assert_eq!(
            parse("codex -c =hunter2").unwrap_err().to_string(),
            "Empty key in override: =•••"
        );
    }
}
