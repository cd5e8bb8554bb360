//! The command line of `muster`: which of its commands starts servers for an agent.

use camino::Utf8Path;
use muster_core::{CommandLineError, Mode, Session, absolute};
use muster_document::{Masked, Secret};

/// Flags with a value.
const WITH_VALUE: &[&str] = &[
    "--color",
    "--format",
    "--harness",
    "--home",
    "--http",
    "--output",
    "--system-root",
];

/// The session that `words` would start: `muster serve`, which asks nobody.
///
/// # Errors
/// Where it is another command, or a flag lacks its value.
pub(super) fn session(words: &[String], cwd: &Utf8Path) -> Result<Session, CommandLineError> {
    let mut folder = None;
    let mut command = None;
    let mut rest = words.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        let (flag, attached) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag, Some(value)),
            _ => (word, None),
        };
        let mut value = || {
            let value = attached.or_else(|| rest.next());
            value.ok_or_else(|| CommandLineError::MissingValue(flag.to_owned()))
        };
        match flag {
            "--" => break,
            "--project" => folder = Some(absolute(value()?, cwd)),
            flag if WITH_VALUE.contains(&flag) => {
                value()?;
            }
            flag if flag.starts_with('-') => {}
            word => {
                command.get_or_insert(word);
            }
        }
    }
    if command != Some("serve") {
        let told = Masked::word(&Secret::new(command.unwrap_or_default()));
        let told = format!("muster {told}");
        return Err(CommandLineError::Refused(format!(
            "`{}` starts no session: `muster serve` does",
            told.trim_end()
        )));
    }
    Ok(Session {
        words: words.to_vec(),
        mode: Mode::Headless,
        folder,
        lists: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Session, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        session(&words, Utf8Path::new("/work/repo")).map_err(|error| error.to_string())
    }

    #[test]
    fn serve_is_a_session_that_asks_nobody() {
        let found = parsed("muster --project ../x serve --http 127.0.0.1:0").unwrap();
        assert_eq!(found.mode, Mode::Headless);
        assert_eq!(found.folder.unwrap(), "/work/x");
        assert_eq!(parsed("muster serve").unwrap().folder, None);
    }

    #[test]
    fn other_commands_start_none() {
        for (line, words) in [
            ("muster", "`muster` starts no session: `muster serve` does"),
            (
                "muster list",
                "`muster list` starts no session: `muster serve` does",
            ),
            (
                "muster --http=x list serve",
                "`muster list` starts no session: `muster serve` does",
            ),
            ("muster serve --project", "`--project` needs a value"),
        ] {
            assert_eq!(parsed(line).unwrap_err(), words, "{line}");
        }
    }
}
