//! Text that may be secret.

use std::fmt;

use super::{credential, names, references};

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

    /// Whether some word of the text is a credential by its own looks: a key of a known service, or a long random word. Masking hides
    /// more than that; here a wrong yes accuses somebody.
    pub fn holds_credential(&self) -> bool {
        let ends = |c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '=' | ',' | ';' | '"' | '\'' | '&' | '?' | ':' | '@' | '/'
                )
        };
        self.0.len() >= credential::LONG && self.0.split(ends).any(credential::is_credential)
    }

    /// Whether the text, written under `name`, is a credential: the name says that it is a secret, and it is no reference, no
    /// placeholder and nothing that consists of plain words.
    pub fn is_credential_of(&self, name: &str) -> bool {
        let value = match self.0.split_once(' ') {
            Some((scheme, rest)) if names::is_scheme(scheme) => rest.trim(),
            _ => self.0.as_str(),
        };
        names::is_secret(name) && credential::is_credential_value(value)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(•••)")
    }
}
