//! Foreign text that cannot act.

use std::fmt;

/// Text written by somebody else, printed so that it cannot act: control characters, bidirectional overrides, zero-width and
/// blank-looking characters appear as `\u{…}`. What is left is one line of visible text.
#[derive(Clone, Copy)]
pub struct Shown<'t>(pub &'t str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
