//! What Muster found, for people and for programs.
//!
//! ```text
//! Survey ─► view ─► JSON           (exact: scripts rely on it)
//!        └► text, Markdown         (for people)
//!                  └─► Page        (scrubbed: may be written)
//! ```
//!
//! Everything printable is masked where it is made; [`Page`] takes out what slipped through. This crate is pure: no disk, no process,
//! no clock, no environment. What the reader's screen can do comes in as a [`Look`].

mod ascii;
mod bounded;
mod checked;
mod excerpt;
mod explain;
mod finding;
mod json;
mod known;
mod launch;
mod look;
mod markdown;
mod marks;
mod matrix;
mod name;
mod offering;
mod outcome;
mod page;
mod paths;
mod running;
mod schema;
mod sign_in;
mod signature;
mod standing;
mod story;
mod survey;
mod target;
mod text;
pub mod view;

use muster_core::{Fate, Finding, RunningServer};

pub use checked::Checked;
pub use explain::Topic;
pub use known::Known;
pub use launch::{Launch, meant};
pub use look::{Detail, Format, Look};
pub use offering::{Offering, Offers, State};
pub use outcome::{Outcome, Saved, binary, is_error, structured, texts};
pub use page::Page;
pub use schema::Schema;
pub use sign_in::{SignedIn, SignedOut, signed_in, signed_out};
pub(crate) use signature::Signature;
pub use survey::Survey;
pub use text::{Progress, commands, progress};

/// The version of Muster, as JSON and man pages state it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The answer to `muster list`.
pub fn list(survey: &Survey<'_>, format: Format, look: Look, detail: Detail) -> Page {
    match format {
        Format::Json => Page::json(json::write(&view::List::new(survey)), survey),
        Format::Text => Page::text(text::list(survey, look, detail), survey, look),
        Format::Markdown => Page::markdown(markdown::list(survey, detail), survey),
    }
}

/// The answer to `muster list --by server`.
pub fn list_by_server(survey: &Survey<'_>, format: Format, look: Look, detail: Detail) -> Page {
    match format {
        Format::Json => Page::json(json::write(&view::List::by_server(survey)), survey),
        Format::Text => Page::text(text::matrix(survey, look, detail), survey, look),
        Format::Markdown => Page::markdown(markdown::matrix(survey, detail), survey),
    }
}

/// The answer to `muster check`.
pub fn check(survey: &Survey<'_>, format: Format, look: Look, detail: Detail) -> Page {
    // What is wrapped or cut with a secret in it nobody knows again.
    let scrubber = page::scrubber(survey);
    let findings: Vec<Finding> = survey
        .findings
        .iter()
        .map(|finding| finding::clean(finding, &scrubber))
        .collect();
    let survey = &Survey {
        findings: &findings,
        ..*survey
    };
    match format {
        Format::Json => {
            Page::scrubbed_json(&scrubber, json::write(&view::Check::new(survey, &scrubber)))
        }
        Format::Text => Page::scrubbed(
            &scrubber,
            text::check(survey, &scrubber, look, detail),
            look,
        ),
        Format::Markdown => Page::scrubbed_markdown(&scrubber, markdown::check(survey, &scrubber)),
    }
}

/// The answer to `muster why`.
pub fn why(survey: &Survey<'_>, name: &str, format: Format, look: Look, detail: Detail) -> Page {
    match format {
        Format::Json => Page::json(json::write(&view::Why::new(survey, name)), survey),
        Format::Text => Page::text(text::why(survey, name, look, detail), survey, look),
        Format::Markdown => Page::markdown(markdown::why(survey, name, detail), survey),
    }
}

/// The answer to `muster explain`: one of `topics` whole, several as a list. `more` are commands that list others, each with what it
/// lists.
pub fn explain(topics: &[Topic], more: &[(String, String)], format: Format, look: Look) -> Page {
    match format {
        Format::Json => Page::own(json::write(&view::Explain::new(topics))),
        Format::Text => Page::own_text(text::explain(topics, more, look), look),
        Format::Markdown => Page::own(markdown::explain(topics, 2)),
    }
}

/// What servers can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    /// Tools: `muster tools`.
    Tools,
    /// Resources and their templates: `muster resources`.
    Resources,
    /// Prompts: `muster prompts`.
    Prompts,
}

/// The answer to `muster tools`, `resources` and `prompts`. With `whole`, all is told of each: what its parameters mean, all of its
/// description.
pub fn offerings(
    kind: Offered,
    offerings: &[Offering<'_>],
    known: &Known,
    format: Format,
    look: Look,
    whole: bool,
) -> Page {
    // What is wrapped or cut with a secret in it nobody knows again.
    let clean: Vec<offering::Clean<'_>> = offerings
        .iter()
        .map(|offering| offering::Clean::of(offering, known))
        .collect();
    let offerings: Vec<Offering<'_>> = clean.iter().map(offering::Clean::offering).collect();
    let offerings = offerings.as_slice();
    match format {
        Format::Json => match kind {
            Offered::Tools => known.json(&view::OfferedTools::new(offerings)),
            Offered::Resources => known.json(&view::Resources::new(offerings)),
            Offered::Prompts => known.json(&view::Prompts::new(offerings)),
        },
        Format::Text => known.page(text::offering(kind, offerings, look, whole), look),
        Format::Markdown => known.markdown(&markdown::offering(kind, offerings)),
    }
}

/// What came of `muster call`, `read` or `prompt`: in JSON the result as the server sent it.
pub fn outcome(outcome: &Outcome<'_>, known: &Known, format: Format, look: Look) -> Page {
    match format {
        Format::Json => known.json(outcome.result),
        Format::Text => known.page(text::result(outcome, look), look),
        Format::Markdown => known.markdown(&markdown::result(outcome)),
    }
}

/// JSON of somebody else, as it is but for secrets and what could act on a terminal.
pub fn raw(value: &serde_json::Value, known: &Known) -> Page {
    known.json(value)
}

/// One line of somebody else's, neutralised, without the secrets.
pub fn remark(line: &str, known: &Known, look: Look) -> Page {
    known.page(muster_document::Shown(line).to_string(), look)
}

/// The answer to `muster ps`: the `servers` that run, and, with `--reap`, what became of the processes that were to be ended.
pub fn ps(
    servers: &[RunningServer],
    reaped: Option<&[(u32, Fate)]>,
    format: Format,
    look: Look,
    detail: Detail,
) -> Page {
    match format {
        Format::Json => {
            let view = view::Ps::new(servers, reaped.unwrap_or_default());
            Page::json_of(json::write(&view), servers)
        }
        Format::Text => Page::text_of(text::ps(servers, reaped, look, detail), servers, look),
        Format::Markdown => Page::text_of(
            markdown::ps(servers, reaped, detail),
            servers,
            Look {
                unicode: true,
                ..look
            },
        ),
    }
}

/// What became of the processes that were to be ended, where the rest was shown before.
pub fn reaped(reaped: &[(u32, Fate)]) -> Page {
    Page::own(format!("{}\n", running::fates(reaped)))
}

/// Every one of `topics` as a section of a page in Markdown, for the reference.
pub fn reference(topics: &[Topic]) -> String {
    markdown::explain(topics, 2)
}
