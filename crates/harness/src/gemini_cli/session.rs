//! The command line of `gemini`: which session it would start.

use camino::Utf8Path;
use muster_core::{CommandLineError, Mode, Session, World};

/// The flags that change which servers load, or which of their tools are offered.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Flags {
    /// `-p`: nobody can be asked.
    pub(super) print: bool,
    /// `gemini mcp …`.
    pub(super) lists: bool,
    /// `-e`: the extensions that are on, in lower case; empty for what is written.
    pub(super) extensions: Vec<String>,
    /// `--allowed-mcp-server-names`; `None` where it is not given.
    pub(super) allowed: Option<Vec<String>>,
    /// `--skip-trust`.
    pub(super) skip_trust: bool,
    /// `-y`, or `--approval-mode yolo`: tools are used without asking.
    pub(super) yolo: bool,
    /// `--approval-mode` is given.
    pub(super) approval: bool,
    /// `--ignore-env`.
    pub(super) ignore_env: bool,
}

/// Flags with one value each, beside those of [`Flags`].
const ONE_VALUE: &[&str] = &[
    "-m",
    "--model",
    "-i",
    "--prompt-interactive",
    "--policy",
    "--admin-policy",
    "--allowed-tools",
    "--session-file",
    "--session-id",
    "--delete-session",
    "--include-directories",
    "-o",
    "--output-format",
    "--fake-responses",
    "--fake-responses-non-strict",
    "--record-responses",
];

/// Flags whose value may be left out.
const MAYBE_VALUE: &[&str] = &["-r", "--resume", "-w", "--worktree"];

/// Words that begin a command of their own.
const COMMANDS: &[&str] = &[
    "mcp",
    "extensions",
    "extension",
    "skills",
    "skill",
    "hooks",
    "hook",
    "gemma",
];

impl Flags {
    /// The flags of the session that `world` asks about.
    pub(super) fn of(world: &World<'_>) -> Flags {
        let read = world.session.as_ref().map(|session| read(&session.words));
        read.and_then(Result::ok).unwrap_or_default()
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
/// A flag that lacks its value, and what the real program refuses. Unknown flags are passed over.
pub(super) fn read(words: &[String]) -> Result<Flags, CommandLineError> {
    let mut flags = Flags::default();
    let mut rest = words
        .get(1..)
        .unwrap_or_default()
        .iter()
        .map(String::as_str)
        .peekable();
    let mut plain = Vec::new();
    let (mut prompt, mut asks, mut yolo) = (false, false, false);
    let (mut names, mut extensions): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut names_given = false;
    while let Some(word) = rest.next() {
        if word == "--" {
            plain.extend(rest);
            break;
        }
        let (flag, inline) = flag(word);
        let mut value = || {
            inline
                .or_else(|| rest.next_if(|next| !next.starts_with('-') || *next == "-"))
                .ok_or_else(|| CommandLineError::MissingValue(flag.to_owned()))
        };
        match flag {
            "-p" | "--prompt" => {
                flags.print = true;
                prompt |= !value()?.is_empty();
            }
            "-i" | "--prompt-interactive" => {
                asks = true;
                value()?;
            }
            "-e" | "--extensions" => extensions.push(value()?),
            "--allowed-mcp-server-names" | "--allowedMcpServerNames" => {
                names_given = true;
                names.push(value()?);
            }
            "--approval-mode" | "--approvalMode" => {
                flags.approval = true;
                flags.yolo = value()? == "yolo";
            }
            "-y" | "--yolo" => yolo = switch(inline),
            "--no-yolo" => yolo = false,
            "--skip-trust" | "--skipTrust" => flags.skip_trust = switch(inline),
            "--no-skip-trust" => flags.skip_trust = false,
            "--ignore-env" => flags.ignore_env = true,
            flag if ONE_VALUE.contains(&flag) => drop(value()?),
            flag if MAYBE_VALUE.contains(&flag) => drop(value()),
            flag if flag.starts_with('-') && flag != "-" => {}
            plain_word => plain.push(plain_word),
        }
    }
    flags.lists = plain.first() == Some(&"mcp");
    let command = plain.first().is_some_and(|first| COMMANDS.contains(first));
    let refused = |text: &str| Err(CommandLineError::Refused(text.to_owned()));
    if prompt && !plain.is_empty() && !command {
        return refused("Cannot use both a positional prompt and the --prompt (-p) flag together");
    }
    if prompt && asks {
        return refused("Cannot use both --prompt (-p) and --prompt-interactive (-i) together");
    }
    if yolo && flags.approval {
        return refused(
            "Cannot use both --yolo (-y) and --approval-mode together. Use --approval-mode=yolo instead.",
        );
    }
    flags.yolo |= yolo;
    flags.allowed = names_given.then(|| separated(&names));
    flags.extensions = separated(&extensions)
        .into_iter()
        .map(|name| name.to_lowercase())
        .collect();
    Ok(flags)
}

/// A word as a flag and the value in it.
fn flag(word: &str) -> (&str, Option<&str>) {
    if word.starts_with("--") {
        return match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (word, None),
        };
    }
    // `-pTEXT` and `-p=TEXT`.
    match (word.get(..2), word.get(2..)) {
        (Some(flag @ ("-p" | "-e" | "-m" | "-i" | "-o")), Some(value)) if !value.is_empty() => {
            (flag, Some(value.strip_prefix('=').unwrap_or(value)))
        }
        _ => (word, None),
    }
}

fn switch(inline: Option<&str>) -> bool {
    inline != Some("false")
}

/// Lists of names with commas, several of them as one.
fn separated(values: &[&str]) -> Vec<String> {
    if values == [""] {
        return vec![String::new()];
    }
    let names = values.iter().flat_map(|value| value.split(','));
    names
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(line: &str) -> Result<Flags, CommandLineError> {
        read(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    fn flags(line: &str) -> Flags {
        read_line(line).unwrap()
    }

    #[test]
    fn flags_that_matter_are_found_among_others() {
        let found = flags(
            "gemini -m flash --allowed-mcp-server-names a,b --allowed-mcp-server-names=c -e My -y -p hi",
        );
        assert!(found.print && !found.lists && found.yolo);
        assert_eq!(
            found.allowed,
            Some(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()])
        );
        assert_eq!(found.extensions, ["my"]);
        assert!(flags("gemini --skip-trust --approval-mode yolo").yolo);
        assert!(!flags("gemini --approval-mode=plan hi there").print);
        assert!(flags("gemini -phi").print);
    }

    #[test]
    fn its_own_list_command_is_known() {
        assert!(flags("gemini mcp list").lists);
        assert!(flags("gemini -d mcp list").lists);
        assert!(!flags("gemini extensions list").lists);
    }

    #[test]
    fn what_it_refuses() {
        for (line, expected) in [
            (
                "gemini --allowed-mcp-server-names a b -p hi",
                "Cannot use both a positional prompt and the --prompt (-p) flag together",
            ),
            (
                "gemini -p hi -i ho",
                "Cannot use both --prompt (-p) and --prompt-interactive (-i) together",
            ),
            (
                "gemini -y --approval-mode plan",
                "Cannot use both --yolo (-y) and --approval-mode together. Use --approval-mode=yolo instead.",
            ),
            ("gemini --extensions", "`--extensions` needs a value"),
        ] {
            assert_eq!(read_line(line).unwrap_err().to_string(), expected, "{line}");
        }
    }

    #[test]
    fn no_names_at_all() {
        let words: Vec<_> = ["gemini", "-e", ""].map(str::to_owned).to_vec();
        assert_eq!(read(&words).unwrap().extensions, [""]);
        assert_eq!(
            flags("gemini --allowed-mcp-server-names ,").allowed,
            Some(Vec::new())
        );
        assert_eq!(flags("gemini hi").allowed, None);
    }
}
