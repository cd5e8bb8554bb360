//! A server's name as something that can be seen.

/// `name`; a stand-in where there is none, in quotes where blanks begin or end it. Foreign text still.
pub(crate) fn name(name: &str) -> String {
    match name {
        "" => "(no name)".to_owned(),
        name if name.starts_with(' ') || name.ends_with(' ') => format!("\"{name}\""),
        name => name.to_owned(),
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
