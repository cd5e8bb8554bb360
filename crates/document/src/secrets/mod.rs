//! Secrets and foreign text.
//!
//! - [`Secret`]: text that may be secret. Nothing prints it.
//! - [`Masked`]: printable text made from secrets, hidden parts as `•••`. Only this module makes it.
//! - [`Shown`]: text written by somebody else, printed so that it cannot act in a terminal, or with [`Shown::markdown`] and [`code`] in
//!   Markdown.
//! - [`Scrubber`]: the last writer, which takes every secret the run knows out of what is written.
//! - [`Excerpt`]: a line of a file, masked, for messages that point into it.
//!
//! Inside, a *judge* looks at a text and gives a [`cover::Cover`]: the byte ranges to hide. Judges call each other for the parts of a text
//! (an address in a shell's word in a JSON string); [`decoded::Decoded`] keeps the way back through quotes and escapes.
//!
//! ```text
//! arguments ─► word ─► url, detect        excerpt ─► tree ─► arguments, word, url
//!                └───► loose ─► tree              └► loose (comments, broken files)
//! ```

mod arguments;
mod cover;
mod credential;
mod decoded;
mod detect;
mod excerpt;
mod filled;
mod loose;
mod markdown;
mod masked;
mod names;
mod needles;
mod references;
mod scrub;
mod secret;
mod shell;
mod shown;
mod tree;
mod url;
mod word;

pub use excerpt::{Excerpt, excerpt, excerpt_at, excerpt_broken, excerpt_line};
pub use markdown::{MarkdownShown, code};
pub use masked::{Masked, Masking};
pub use scrub::Scrubber;
pub use secret::Secret;
pub use shown::Shown;
