//! The command line of `agent`, `cursor-agent` and `cursor`: which session it would start.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{CommandLineError, Mode, Session, World, absolute};
use muster_document::{Masked, Secret};

/// Who asks for servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Surface {
    /// `agent` in a terminal, with a person at it or (`-p`) without.
    #[default]
    Terminal,
    /// `agent mcp list`.
    List,
    /// `agent acp`.
    Acp,
    /// The editor.
    Editor,
}

/// A command line of Cursor's as far as it matters here.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct CommandLine {
    pub(super) surface: Surface,
    /// `-p`: nobody can be asked.
    print: bool,
    /// `--approve-mcps`.
    pub(super) approve_mcps: bool,
    /// `--worktree`.
    pub(super) worktree: bool,
    /// `--workspace DIR`, or the folder that the editor opens; as written.
    pub(super) workspace: Option<String>,
    /// `--data-dir DIR`, as written.
    pub(super) data_dir: Option<String>,
    /// `--add-dir DIR`, in order, as written.
    pub(super) add_dirs: Vec<String>,
    /// `--plugin-dir DIR`, in order, as written.
    pub(super) plugin_dirs: Vec<String>,
}

/// Flags with a value that change nothing here.
const PASSED_OVER: &[&str] = &[
    "-e",
    "--endpoint",
    "-H",
    "--header",
    "-n",
    "--name",
    "--api-key",
    "--mode",
    "--model",
    "--output-format",
    "--sandbox",
    "--worktree-base",
];

/// Flags whose value may be left out and that change nothing here.
const MAYBE_VALUE: &[&str] = &["--resume"];

/// Flags of the editor with a value.
const EDITOR_PASSED_OVER: &[&str] = &[
    "-g",
    "--goto",
    "--extensions-dir",
    "--install-extension",
    "--locale",
    "--log",
    "--profile",
    "--uninstall-extension",
    "--user-data-dir",
];

/// Subcommands that start no session of which servers could be asked.
const NO_SESSION: &[&str] = &[
    "about",
    "create-chat",
    "generate-rule",
    "help",
    "install-shell-integration",
    "login",
    "logout",
    "ls",
    "models",
    "rule",
    "status",
    "uninstall-shell-integration",
    "update",
    "upgrade",
    "whoami",
    "worker",
];

impl CommandLine {
    /// The command line that `world` asks about; without one, `agent` in the world's mode.
    pub(super) fn of(world: &World<'_>) -> CommandLine {
        let asked = world.session.as_ref();
        asked
            .and_then(|session| CommandLine::parse(&session.words).ok())
            .unwrap_or_default()
    }

    /// Understands `words`, of which the first is the program. By the vendor's pages of autumn 2026.
    ///
    /// # Errors
    /// Where nothing is started of which servers could be asked, a flag lacks its value, or Muster cannot tell.
    pub(super) fn parse(words: &[String]) -> Result<CommandLine, CommandLineError> {
        let program = words.first().map(String::as_str).unwrap_or_default();
        let program = program.rsplit(['/', '\\']).next().unwrap_or_default();
        let rest = words.get(1..).unwrap_or_default();
        match (program.split('.').next(), rest.first().map(String::as_str)) {
            (Some("cursor"), Some("agent")) => terminal(rest.get(1..).unwrap_or_default()),
            (Some("cursor"), _) => editor(rest),
            _ => terminal(rest),
        }
    }

    /// What this is to the rest of Muster.
    pub(super) fn session(&self, words: &[String], cwd: &Utf8Path) -> Session {
        // Nobody answers Cursor's own questions about servers in ACP mode either.
        let headless = self.print || self.surface == Surface::Acp;
        let mode = match headless && self.surface != Surface::List {
            true => Mode::Headless,
            false => Mode::Interactive,
        };
        let folder = self.workspace.as_deref();
        Session {
            words: words.to_vec(),
            mode,
            folder: folder.map(|folder| absolute(folder, cwd)),
            lists: self.surface == Surface::List,
        }
    }

    /// The folders of `--add-dir`, absolute from `start`, where the command is given.
    pub(super) fn added_folders(&self, start: &Utf8Path) -> Vec<Utf8PathBuf> {
        let folders = self.add_dirs.iter();
        folders.map(|folder| absolute(folder, start)).collect()
    }
}

fn terminal(words: &[String]) -> Result<CommandLine, CommandLineError> {
    let mut line = CommandLine::default();
    let mut plain = Vec::new();
    let mut rest = words.iter().map(String::as_str).peekable();
    while let Some(word) = rest.next() {
        if word == "--" {
            break;
        }
        if !word.starts_with('-') || word == "-" {
            plain.push(word);
            continue;
        }
        let (flag, attached) = split(word);
        let mut value = || {
            let next = attached.or_else(|| rest.next());
            next.map(str::to_owned)
                .ok_or_else(|| CommandLineError::MissingValue(flag.to_owned()))
        };
        match flag {
            "-p" | "--print" => line.print = true,
            "--approve-mcps" => line.approve_mcps = true,
            "--workspace" => line.workspace = Some(value()?),
            "--data-dir" => line.data_dir = Some(value()?),
            "--add-dir" => line.add_dirs.push(value()?),
            "--plugin-dir" => line.plugin_dirs.push(value()?),
            "-c" | "--cloud" => {
                return Err(CommandLineError::Refused(
                    "a cloud agent runs elsewhere: Muster cannot tell what it loads".to_owned(),
                ));
            }
            "-w" | "--worktree" => {
                line.worktree = true;
                rest.next_if(|next| attached.is_none() && !next.starts_with('-'));
            }
            flag if MAYBE_VALUE.contains(&flag) => {
                rest.next_if(|next| attached.is_none() && !next.starts_with('-'));
            }
            flag if PASSED_OVER.contains(&flag) => {
                value()?;
            }
            _ => {}
        }
    }
    match (plain.first(), plain.get(1)) {
        (Some(&"acp"), _) => line.surface = Surface::Acp,
        (Some(&"mcp"), Some(&("list" | "list-tools"))) => line.surface = Surface::List,
        (Some(&"mcp"), other) => {
            let other = other.copied().unwrap_or_default();
            return Err(no_session(&format!("agent mcp {other}")));
        }
        (Some(command), _) if NO_SESSION.contains(command) => {
            return Err(no_session(&format!("agent {command}")));
        }
        _ => {}
    }
    Ok(line)
}

fn editor(words: &[String]) -> Result<CommandLine, CommandLineError> {
    let mut line = CommandLine {
        surface: Surface::Editor,
        ..CommandLine::default()
    };
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        let (flag, attached) = split(word);
        match flag {
            "--" => break,
            "--add-mcp" => return Err(no_session("cursor --add-mcp")),
            flag if EDITOR_PASSED_OVER.contains(&flag) => {
                attached.or_else(|| rest.next());
            }
            flag if flag.starts_with('-') => {}
            folder => {
                line.workspace.get_or_insert_with(|| folder.to_owned());
            }
        }
    }
    Ok(line)
}

/// A long flag and the value attached to it with `=`.
fn split(word: &str) -> (&str, Option<&str>) {
    match word.split_once('=') {
        Some((flag, value)) if flag.starts_with("--") => (flag, Some(value)),
        _ => (word, None),
    }
}

fn no_session(command: &str) -> CommandLineError {
    let command = Masked::word(&Secret::new(command.trim_end()));
    CommandLineError::Refused(format!("`{command}` starts no session"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<CommandLine, CommandLineError> {
        CommandLine::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    fn session(line: &str) -> Session {
        parse(line)
            .unwrap()
            .session(&[], Utf8Path::new("/work/repo"))
    }

    #[test]
    fn surfaces_and_modes() {
        for (line, surface, mode) in [
            ("agent", Surface::Terminal, Mode::Interactive),
            ("agent fix it", Surface::Terminal, Mode::Interactive),
            ("cursor-agent -p hi", Surface::Terminal, Mode::Headless),
            ("cursor agent --print hi", Surface::Terminal, Mode::Headless),
            ("agent --model x acp", Surface::Acp, Mode::Headless),
            ("agent mcp list", Surface::List, Mode::Interactive),
            (
                "agent --resume list mcp list",
                Surface::List,
                Mode::Interactive,
            ),
            ("agent -- mcp list", Surface::Terminal, Mode::Interactive),
            ("/opt/bin/cursor .", Surface::Editor, Mode::Interactive),
            ("cursor", Surface::Editor, Mode::Interactive),
        ] {
            assert_eq!(parse(line).unwrap().surface, surface, "{line}");
            assert_eq!(session(line).mode, mode, "{line}");
        }
        assert!(session("agent mcp list").lists && !session("agent acp").lists);
    }

    #[test]
    fn flags_that_matter_are_found_among_others() {
        let line = parse("agent -w fix --model gpt --approve-mcps --workspace=../x --add-dir a --add-dir b --data-dir d -p hi").unwrap();
        assert!(line.approve_mcps && line.worktree);
        assert_eq!(line.add_dirs, ["a", "b"]);
        assert_eq!(line.data_dir.as_deref(), Some("d"));
        assert_eq!(session("agent --workspace=../x").folder.unwrap(), "/work/x");
        assert_eq!(
            session("cursor -n --goto a:1 sub").folder.unwrap(),
            "/work/repo/sub"
        );
        assert_eq!(session("cursor").folder, None);
    }

    #[test]
    fn what_starts_no_session_is_refused() {
        for (line, words) in [
            ("agent login", "`agent login` starts no session"),
            (
                "agent mcp enable db",
                "`agent mcp enable` starts no session",
            ),
            ("agent mcp", "`agent mcp` starts no session"),
            (
                "cursor --add-mcp {}",
                "`cursor --add-mcp` starts no session",
            ),
            (
                "agent -c hi",
                "a cloud agent runs elsewhere: Muster cannot tell what it loads",
            ),
            ("agent --workspace", "`--workspace` needs a value"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), words, "{line}");
        }
    }
}
