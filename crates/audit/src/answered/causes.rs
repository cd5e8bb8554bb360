//! Why servers fail, told by what they and the system say. The rows come from public reports: each is something that many people met.

mod rows;

use muster_core::{Candidate, FailureClass, Launched, Start, State};
use muster_document::{Masked, Secret};

use rows::{CAUSES, NPM, PYTHON};

/// What is likely behind a failure, and what to try. Both may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Likely {
    /// The cause, as a sentence without its full stop.
    pub cause: String,
    /// What to try, likewise.
    pub help: String,
}

/// What is likely behind the failure of `launched`, which came of `candidate`; `None` where nothing tells, or nothing failed.
pub fn likely(candidate: &Candidate<'_>, launched: &Launched) -> Option<Likely> {
    if matches!(launched.state, State::NeedsSignIn { .. }) {
        return Some(Likely {
            cause: "nobody has signed in yet, or the sign-in has ended".to_owned(),
            help: format!("muster login {}", muster_document::Shown(candidate.name)),
        });
    }
    let class = match &launched.state {
        State::Failed(failure) => Some(failure.class),
        State::TimedOut { .. } => None,
        _ => return None,
    };
    let said = said(launched);
    let words = words(candidate);
    let program = words.first().map_or("", |word| file_name(word.expose()));
    let row = CAUSES.iter().find(|row| {
        // A timeout is a cause of its own unless something was said.
        let of_class = match class {
            Some(class) => row.classes.is_empty() || row.classes.contains(&class),
            None => row.classes.is_empty() && !row.says.is_empty(),
        };
        of_class
            && (row.programs.is_empty() || row.programs.contains(&program))
            && (row.says.is_empty() || row.says.iter().any(|words| said.contains(words)))
    });
    let filled = |text: &str| fill(text, candidate.name, words, program);
    match row {
        Some(row) => Some(Likely {
            cause: filled(row.cause),
            help: filled(row.help),
        }),
        None => by_itself(candidate, launched),
    }
}

/// What follows from the failure alone.
fn by_itself(candidate: &Candidate<'_>, launched: &Launched) -> Option<Likely> {
    let silent = launched.stderr_tail.trim().is_empty();
    let likely = |cause: &str, help: &str| {
        let words = words(candidate);
        let program = words.first().map_or("", |word| file_name(word.expose()));
        Some(Likely {
            cause: cause.to_owned(),
            help: fill(help, candidate.name, words, program),
        })
    };
    match &launched.state {
        State::TimedOut { .. } if launched.era.is_some() => None,
        State::TimedOut { .. } if launched.noise.lines > 0 => likely(
            "it is no MCP server over its standard streams: it writes text and answers nothing",
            "look up how it is started for MCP; some need an argument such as stdio",
        ),
        State::TimedOut { .. }
            if NPM.contains(&program(candidate)) || PYTHON.contains(&program(candidate)) =>
        {
            likely(
                "the package is downloaded at its first start, which takes longer than this",
                "start it once by hand, or allow it more time: --timeout 60",
            )
        }
        State::TimedOut { .. } => likely(
            "it waits for something, or is no MCP server",
            "start it by hand and look what it says, or allow it more time: --timeout 60",
        ),
        State::Failed(failure)
            if failure.class == FailureClass::Ended && launched.noise.lines > 0 && silent =>
        {
            likely(
                "it is no MCP server: it writes text to its standard output and ends",
                "look up how it is started for MCP; some need an argument such as stdio",
            )
        }
        // Whatever it is, it began as an MCP server does.
        State::Failed(_) if launched.era.is_some() => None,
        State::Failed(failure) if failure.class == FailureClass::Ended && silent => likely(
            "it ends by itself and says nothing",
            "start it by hand; some servers need an argument such as stdio",
        ),
        _ => None,
    }
}

/// Everything that was said about the failure, in lower case.
fn said(launched: &Launched) -> String {
    let failure = match &launched.state {
        State::Failed(failure) => failure.text.as_str(),
        _ => "",
    };
    let noise = launched.noise.first.as_deref().unwrap_or_default();
    format!("{failure}\n{}\n{noise}", launched.stderr_tail).to_lowercase()
}

fn words<'c>(candidate: &'c Candidate<'_>) -> &'c [Secret] {
    match &candidate.plan.start {
        Start::Process { argv, .. } => argv,
        Start::Remote { .. } => &[],
    }
}

fn program<'c>(candidate: &'c Candidate<'_>) -> &'c str {
    words(candidate)
        .first()
        .map_or("", |word| file_name(word.expose()))
}

fn file_name(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let ends = [".exe", ".cmd", ".bat"];
    ends.iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name)
}

/// `text` with its stand-ins filled in, masked.
fn fill(text: &str, name: &str, words: &[Secret], program: &str) -> String {
    let package = words
        .iter()
        .skip(1)
        .find(|word| !word.expose().starts_with('-'))
        .map_or_else(|| "PACKAGE".to_owned(), unversioned);
    let shown = |text: &str| Masked::word(&Secret::new(text)).to_string();
    text.replace("{package}", &package)
        .replace("{program}", &shown(program))
        .replace("{name}", &muster_document::Shown(name).to_string())
}

/// A package without its version: `@acme/db@1.2` is `@acme/db`.
fn unversioned(word: &Secret) -> String {
    let text = word.expose();
    let end = text
        .char_indices()
        .skip(1)
        .find(|(_, character)| matches!(character, '@' | '='))
        .map_or(text.len(), |(at, _)| at);
    Masked::word(&Secret::new(text.get(..end).unwrap_or(text))).to_string()
}

#[cfg(test)]
mod tests;
