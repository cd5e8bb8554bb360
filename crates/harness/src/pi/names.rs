//! The names under which a model sees tools.

use sha2::{Digest as _, Sha256};

/// How the names are made, in one line.
pub(super) const PATTERN: &str = "mcp__<server>__<tool>";

/// How long a name may be.
const LONGEST: usize = 64;

/// The name of `tool` of `server`: every other character than letters, digits and `_` is `_`; one that is too long ends in a digest.
/// Observed on 1.6.0. Tools of one server whose names become equal all end so; that is for somebody who knows all of them.
pub(super) fn tool_name(server: &str, tool: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '_'
        }
    };
    // JavaScript counts and replaces UTF-16 units.
    let sanitized = |text: &str| -> String {
        text.chars()
            .flat_map(|c| std::iter::repeat_n(plain(c), c.len_utf16()))
            .collect()
    };
    let mut name = format!("mcp__{}__{}", sanitized(server), sanitized(tool));
    if name.len() > LONGEST {
        let digest = digest(server, tool);
        name.truncate(LONGEST - 1 - digest.len());
        name.extend(["_", &digest]);
    }
    name
}

/// The first eight hexadecimal digits of the SHA-256 of both names.
fn digest(server: &str, tool: &str) -> String {
    let hash = Sha256::digest(format!("{server}\0{tool}"));
    hash.iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_real_program() {
        for (tool, name) in [
            ("short", "mcp__my_server__short".to_owned()),
            ("dot.name", "mcp__my_server__dot_name".to_owned()),
            (
                &"x".repeat(48),
                format!("mcp__my_server__{}", "x".repeat(48)),
            ),
            (
                &"t".repeat(60),
                format!("mcp__my_server__{}_c8281900", "t".repeat(39)),
            ),
        ] {
            assert_eq!(tool_name("my-server", tool), name);
        }
        assert_eq!(digest("my-server", "a-b"), "afa6479f");
        assert_eq!(digest("my-server", "a_b"), "4744a30b");
        assert_eq!(tool_name("s", "\u{1F600}\u{e9}"), "mcp__s_____");
    }
}
