//! What a server did that it should not have, and that could be forgiven.

/// Something odd that a server did. Texts are foreign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Oddity {
    /// Lines on its standard output that are no messages.
    StdoutNoise {
        /// The first of them, cut.
        first: String,
    },
    /// A line, or an answer, longer than the limit; dropped.
    TooLong {
        /// Its bytes, as far as they were counted.
        bytes: u64,
    },
    /// A message whose id is neither a number nor a string; passed over.
    OddId,
    /// It answers with the text of an id instead of the id.
    TextualId,
    /// An answer to nothing that was asked; passed over.
    StrayAnswer {
        /// The id, as JSON.
        id: String,
    },
    /// An error without an id, taken as the answer to the only open request.
    ErrorWithoutId,
    /// Messages in a batch, which only the revision 2025-03-26 knows.
    Batch,
    /// It lacks a field that its revision requires; what was assumed instead.
    MissingField {
        /// The method whose result it is.
        method: &'static str,
        /// The field.
        field: &'static str,
        /// What is assumed.
        assumed: &'static str,
    },
    /// A field of another type than its revision says; passed over.
    WrongType {
        /// The method whose result it is.
        method: &'static str,
        /// The field.
        field: &'static str,
    },
    /// It asks the client something over stdio in the modern era, which knows no such requests.
    AskedClient {
        /// What it asks.
        method: String,
    },
    /// It speaks a revision that Muster does not know.
    UnknownVersion {
        /// The revision.
        version: String,
    },
    /// It was known to be modern only after it had been asked to initialize.
    LateDiscovery,
    /// It ended at the question for its revisions and was started again.
    DiedAtProbe,
    /// A cursor that was given before; the list ends there.
    RepeatedCursor,
    /// `nextCursor: null`, which some agents lose all tools over.
    NullCursor {
        /// The list.
        method: &'static str,
    },
    /// It refused a cursor of its own; the list was begun again.
    RefusedCursor,
    /// A list was cut at a limit.
    CutList {
        /// The list.
        method: &'static str,
        /// At what: `pages`, `items` or `bytes`.
        limit: &'static str,
    },
    /// An item of a list that is no object or lacks what it is known by; left out.
    OddItem {
        /// The list.
        method: &'static str,
        /// Where in the list, from 0.
        index: usize,
        /// What is wrong with it.
        why: String,
    },
    /// It took this long to start, in whole seconds.
    SlowStart {
        /// The seconds.
        seconds: u64,
    },
    /// It answers an ask over HTTP without saying how; taken for the modern era.
    Unconfirmed,
    /// Anything else, in words.
    Other(String),
}
