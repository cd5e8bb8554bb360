//! What came of servers, as Markdown.

use muster_core::State;
use muster_document::{Scrubber, code};

use super::{head, plain, row};
use crate::checked::{Checked, last_words, line_of, target};
use crate::name::name;
use crate::view::reason;

/// So many last words are shown.
const LINES: usize = 4;

/// A table of servers, and a card for each that does not work.
pub(super) fn all(checked: &Checked<'_>, scrubber: &Scrubber) -> String {
    let mut text = String::from("\n### Started\n\n");
    text.push_str(&head([
        "server",
        "agents",
        "state",
        "ready after",
        "tools",
        "revision",
    ]));
    for (candidate, launched, _) in checked.each() {
        let ready = launched
            .startup
            .map(|time| format!("{:.2} s", time.as_secs_f64()));
        text.push_str(&row([
            plain(&name(candidate.name)),
            plain(&launched.harnesses.join(", ")),
            launched.state.word().to_owned(),
            ready.unwrap_or_default(),
            launched.tools.len().to_string(),
            plain(
                &launched
                    .protocol
                    .as_deref()
                    .map(|protocol| line_of(protocol, scrubber))
                    .unwrap_or_default(),
            ),
        ]));
    }
    for (candidate, launched, likely) in checked.each() {
        let Some(why) = reason(&launched.state, scrubber) else {
            continue;
        };
        text.push_str(&format!(
            "\n**{}** {}: {}\n",
            plain(&name(candidate.name)),
            launched.state.word(),
            plain(&why)
        ));
        if matches!(launched.state, State::NotStarted(_)) {
            text.push_str(&format!("\n- command: {}\n", code(&target(candidate))));
            continue;
        }
        let words = last_words(launched, scrubber);
        let start = words.len().saturating_sub(LINES);
        text.push('\n');
        for line in words.get(start..).unwrap_or_default() {
            text.push_str(&format!("- stderr: {}\n", code(line)));
        }
        if let Some((cause, help)) = likely {
            text.push_str(&format!(
                "- likely: {}\n- try: {}\n",
                plain(cause),
                plain(help)
            ));
        }
    }
    text.push('\n');
    text.push_str(&head(["agent", "tools", "tokens (about)", "names twice"]));
    for offer in checked.offers {
        text.push_str(&row([
            offer.harness.to_owned(),
            offer.tools.len().to_string(),
            offer.tokens().to_string(),
            offer.collisions().len().to_string(),
        ]));
    }
    text
}
