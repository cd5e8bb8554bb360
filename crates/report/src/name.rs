//! A server's name as something that can be seen.

use std::borrow::Cow;

/// `name`; a stand-in where there is none, in quotes where blanks begin or end it. Foreign text still.
pub(crate) fn name(name: &str) -> Cow<'_, str> {
    match name {
        "" => Cow::Borrowed("(no name)"),
        name if name.starts_with(' ') || name.ends_with(' ') => Cow::Owned(format!("\"{name}\"")),
        name => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_nothing_but_blanks_is_seen() {
        assert_eq!(name("db"), "db");
        assert_eq!(name("my db"), "my db");
        assert_eq!(name(""), "(no name)");
        assert_eq!(name(" "), "\" \"");
        assert_eq!(name("db "), "\"db \"");
    }
}
