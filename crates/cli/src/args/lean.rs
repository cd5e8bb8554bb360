//! The command line read by no more grammar than it needs.
//!
//! The whole grammar repeats the common options in each of some twenty commands, which takes longer to lay out than most answers
//! take to find. A command line that the grammar of its own command accepts means the same in the whole of it; every other one, and
//! every question for help, is read by the whole, which knows what to say.

use std::ffi::OsString;

use clap::{Args as _, FromArgMatches as _, Subcommand as _};

use super::{Alone, Args, Command, Common};

/// What `words` mean, its first word the program; `None` where only the whole grammar can tell.
pub(super) fn read(words: &[OsString]) -> Option<Args> {
    let grammar = Common::augment_args(clap::Command::new("muster"));
    let grammar = Alone::augment_args(grammar).disable_version_flag(true);
    let commands = Command::augment_subcommands(clap::Command::new("muster"));
    let asked = words
        .iter()
        .skip(1)
        .take_while(|word| *word != "--")
        .find_map(|word| commands.find_subcommand(word));
    let grammar = match asked {
        Some(command) => grammar.subcommand(command.clone()),
        None => grammar,
    };
    let mut matches = grammar.try_get_matches_from(words).ok()?;
    Args::from_arg_matches_mut(&mut matches).ok()
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};
    use proptest::prelude::*;

    use super::*;

    /// Words that command lines are made of, good and bad.
    const WORDS: &[&str] = &[
        "list",
        "check",
        "why",
        "tools",
        "call",
        "explain",
        "ps",
        "demo",
        "schema",
        "completions",
        "help",
        "db",
        "--project",
        "/w",
        "--project=/w",
        "--harness",
        "codex",
        "--harness=nobody",
        "--format",
        "json",
        "--format=xml",
        "--headless",
        "-q",
        "-v",
        "--verbose",
        "--by",
        "server",
        "--launch",
        "--deny=note",
        "--help",
        "-h",
        "--version",
        "-V",
        "--nonsense",
        "--",
        "claude",
        "-p",
        "bash",
        "key=value",
        "--yes",
        "--reap",
        "--output",
        "",
        "-o",
        "--color=never",
    ];

    fn parsed(words: &[OsString]) -> Option<String> {
        let args = Args::try_parse_from(words).ok()?;
        Some(format!("{args:?}"))
    }

    proptest! {
        /// What the small grammar accepts means the same in the whole one.
        #[test]
        fn it_says_what_the_whole_grammar_says(words in prop::collection::vec(prop::sample::select(WORDS), 0..6)) {
            let words: Vec<OsString> = std::iter::once("muster").chain(words).map(OsString::from).collect();
            if let Some(args) = read(&words) {
                prop_assert_eq!(Some(format!("{args:?}")), parsed(&words));
            }
        }
    }

    #[test]
    fn every_command_is_read_by_it() {
        let reads = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            read(&words).is_some()
        };
        assert!(
            reads("muster")
                && reads("muster --headless -- claude -p")
                && reads("muster why db --format json")
        );
        assert!(
            reads("muster --harness codex list -- codex exec hi")
                && reads("muster check --deny never")
        );
        for line in [
            "muster --help",
            "muster help",
            "muster --version",
            "muster list --help",
            "muster lst",
            "muster why",
        ] {
            assert!(!reads(line), "{line}");
        }
        assert!(Args::command().get_subcommands().count() > 10);
    }
}
