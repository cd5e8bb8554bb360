//! A server that does not keep to the protocol, which could be forgiven.

use muster_core::{Audience, Check, Confidence, Finding, Oddity, Severity, State};

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "odd-protocol",
    severity: Severity::Note,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server does not keep to the protocol",
    explanation: "What it did could be forgiven, and cost nothing here. Other clients may be stricter.",
    help: "Tell whoever makes the server, or use a newer version of it.",
    links: &[],
    example: lessons::FAULTY,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    let works = !matches!(answer.launched.state, State::Failed(_));
    for oddity in &answer.launched.oddities {
        // Who ends whatever is asked did not end because of the question.
        if !works && *oddity == Oddity::DiedAtProbe {
            continue;
        }
        if let Some(text) = text(answer, oddity) {
            found.push(answer.finding(&CHECK, text));
        }
    }
}

fn text(answer: &Answer<'_>, oddity: &Oddity) -> Option<String> {
    Some(match oddity {
        // Told with what came of it, or by a check of their own.
        Oddity::StdoutNoise { .. }
        | Oddity::OddItem { .. }
        | Oddity::SlowStart { .. }
        | Oddity::NullCursor { .. }
        | Oddity::RepeatedCursor
        | Oddity::RefusedCursor
        | Oddity::CutList { .. }
        | Oddity::AskedClient { .. } => return None,
        Oddity::TooLong { bytes } => format!("sent a message of {bytes} bytes, which was dropped"),
        Oddity::OddId => "sent a message whose id is neither a number nor a text".to_owned(),
        Oddity::TextualId => "answers with an id as text that was sent as a number".to_owned(),
        Oddity::StrayAnswer { .. } => "sent an answer to nothing that was asked".to_owned(),
        Oddity::ErrorWithoutId => "sent an error without the id that it answers to".to_owned(),
        Oddity::Batch => "sent messages in a batch, which only one old revision knows".to_owned(),
        Oddity::MissingField {
            method,
            field,
            assumed,
        } => format!("its answer to {method} has no {field}: taken for {assumed}"),
        Oddity::WrongType { method, field } => {
            format!("its answer to {method} has a {field} of the wrong type")
        }
        Oddity::UnknownVersion { version } => format!(
            "speaks the revision {}, which is not known: some agents refuse it",
            answer.launch.plain(version)
        ),
        Oddity::LateDiscovery => {
            "is so slow to answer that agents take it for one of the older kind".to_owned()
        }
        Oddity::DiedAtProbe => {
            "ended at the first question, for its revisions, and was started again: agents that do not do so lose it".to_owned()
        }
        Oddity::Unconfirmed => "answers before it was greeted".to_owned(),
        Oddity::Other(text) => answer.launch.plain(text),
    })
}
