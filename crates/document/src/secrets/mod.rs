//! Secrets and foreign text.
//!
//! - [`Secret`]: text that may be secret. Nothing prints it.
//! - [`Masked`]: printable text made from secrets, hidden parts as `•••`. Only this module makes it.
//! - [`Shown`]: text written by somebody else, printed so that it cannot act in a terminal.
//! - [`Scrubber`]: the last writer, which takes every secret the run knows out of what is written.

mod excerpt;
mod masked;
mod scrub;
mod secret;
mod shown;

pub use excerpt::excerpt_line;
pub use masked::Masked;
pub use scrub::Scrubber;
pub use secret::Secret;
pub use shown::Shown;
