//! What is a credential beyond doubt.

use super::{detect, references};

/// Shorter words are no keys of any service.
pub(super) const LONG: usize = 20;

/// Whether `word` is a credential. For accusing somebody, where masking hides when in doubt: of a known key enough must follow, plain words are none, and neither are examples.
pub(super) fn is_credential(word: &str) -> bool {
    word.len() >= LONG
        && !is_example(word)
        && !is_digest(word)
        && (detect::is_known_key(word) || detect::is_random(word))
        && !detect::is_plain_compound(word)
        && !detect::is_path(word)
}

/// Whether `value`, of which its name says that it is a secret, is one and no stand-in for it.
pub(super) fn is_credential_value(value: &str) -> bool {
    let letters = value.chars().any(char::is_alphabetic);
    let digits = value.chars().any(|c| c.is_ascii_digit());
    value.len() >= 8
        && letters
        && digits
        && !value.contains(['$', '{', '%', '<', '/', ' '])
        && !references::is_placeholder(value)
        && !is_example(value)
        && !detect::is_plain_compound(value)
}

/// Identifiers, commits and digests look as random as keys.
fn is_digest(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
}

fn is_example(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    [
        "example",
        "xxxx",
        "1234567",
        "abcdef",
        "placeholder",
        "changeme",
    ]
    .iter()
    .any(|part| word.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_told_from_what_stands_for_them() {
        for word in [
            "ghp_Zt8kQ2mW9xR4vB7nL1cYpD3sHfJ6gKqUeT0a",
            "sk-ant-api03-Zt8kQ2mW9xR4vB7nL1cY",
        ] {
            assert!(is_credential(word), "{word}");
        }
        for word in [
            "AKIAIOSFODNN7EXAMPLE",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxx",
            "sk-learn",
            "@modelcontextprotocol/server-everything2",
            "my-postgres-server-16",
            "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
            "550e8400-e29b-41d4-a716-446655440000",
            "0123456789abcdef0123456789abcdef",
        ] {
            assert!(!is_credential(word), "{word}");
        }
        for value in ["hunter2hunter", "p4ssw0rd-9x"] {
            assert!(is_credential_value(value), "{value}");
        }
        for value in [
            "${TOKEN}",
            "changeme1",
            "dev-token",
            "test",
            "your_key_here",
            "postgres",
            "<token1>",
        ] {
            assert!(!is_credential_value(value), "{value}");
        }
    }
}
