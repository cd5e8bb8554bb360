//! Lines of a file, masked for an excerpt.

use crate::{Document, Masked, Secret};

/// Line `line` (from 1) of `document` with every secret in it hidden; `None` past the end.
pub fn excerpt_line(document: &Document, line: u32) -> Option<Masked> {
    let span = document.lines().line_span(document.text(), line)?;
    Some(Masked::word(&Secret::new(span.of(document.text()))))
}
