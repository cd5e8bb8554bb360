//! What the reader's screen can do, and how much is said on it.

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

impl Look {
    /// What stands for text that was cut out.
    pub(crate) fn ellipsis(self) -> &'static str {
        if self.unicode { "…" } else { "..." }
    }
}

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
