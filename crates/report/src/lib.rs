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

mod json;
mod page;
mod schema;
mod survey;
pub mod view;

pub use page::Page;
pub use schema::Schema;
pub use survey::Survey;

/// The version of Muster, as JSON and man pages state it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A form that an answer can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For people, on a terminal.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For people, in an issue or a chat.
    Markdown,
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// Only what loads.
    Quiet,
    /// What a person asks first.
    #[default]
    Normal,
    /// Files looked at, rules, notes, nothing cut.
    Verbose,
}

/// What the reader's screen can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// How many columns a line may fill.
    pub width: usize,
    /// Whether it shows more than ASCII.
    pub unicode: bool,
    /// Whether it shows colour.
    pub colour: bool,
}

/// The answer to `muster list`.
pub fn list(survey: &Survey<'_>, format: Format, look: Look, detail: Detail) -> Page {
    let _ = (look, detail);
    match format {
        Format::Json => Page::json(&json::write(&view::List::new(survey)), survey.resolutions),
        Format::Text | Format::Markdown => Page::text("", survey.resolutions),
    }
}
