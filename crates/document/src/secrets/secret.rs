//! Text that may be secret.

use std::fmt;

use super::references;

/// Text that may hold a secret: an argument, an environment or header value, an address. It has no `Display`, its `Debug` shows
/// nothing, it is not serialisable. It becomes printable through [`Masked`](crate::Masked) alone.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Secret(String);

impl Secret {
    /// Takes `text` out of sight.
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// The text itself, to compare or to hand to a program. Never to print.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Names of the variables that the text takes values from: `${NAME}`, `${env:NAME}`, `${NAME:-fallback}`, `Bearer $NAME`.
    pub fn variables(&self) -> Vec<&str> {
        references::names(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(•••)")
    }
}
