//! A list that does not end as lists do.

use muster_core::{Audience, Check, Confidence, Finding, Oddity, Severity};

use crate::answered::answer::Answer;
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "odd-list",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server's list does not end as lists do",
    explanation: "A list is asked for page by page, each page naming the next by a cursor. `null` is no cursor, and a cursor that was given before leads in a circle. Some agents ask for ever, some keep the first page only, some lose everything.",
    help: "Tell whoever makes the server.",
    links: &[],
    example: lessons::FAULTY,
};

pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    for oddity in &answer.launched.oddities {
        let text = match oddity {
            Oddity::NullCursor { method } => {
                format!("{method} ends with nextCursor: null, which is not allowed")
            }
            Oddity::RepeatedCursor => {
                "a list comes to a page that was there before: it was read up to there".to_owned()
            }
            Oddity::RefusedCursor => {
                "refuses a cursor of its own: the list was begun again".to_owned()
            }
            Oddity::CutList { method, limit } => {
                format!("{method} goes on and on: it was cut at the limit of {limit}")
            }
            _ => continue,
        };
        found.push(answer.finding(&CHECK, text));
    }
}
