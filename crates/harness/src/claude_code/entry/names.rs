//! Names that Claude Code keeps for itself.

/// Names that Claude Code keeps for itself.
const RESERVED: [&str; 8] = [
    "workspace",
    "claude-in-chrome",
    "computer-use",
    "Claude Preview",
    "Claude Browser",
    "Claude in Chrome",
    "claude.ai",
    "__proto__",
];

/// Whether Claude Code keeps the name for itself. Compared after every character outside `[A-Za-z0-9_-]` became `_` and trailing
/// `_` were taken off. Observed on 2.1.332: `workspace!` is reserved, `_workspace` is not.
pub(in super::super) fn is_reserved(name: &str) -> bool {
    let plain = |name: &str| plain_name(name).trim_end_matches('_').to_owned();
    name == "__proto__"
        || RESERVED
            .iter()
            .any(|reserved| *reserved != "__proto__" && plain(reserved) == plain(name))
}

/// `name` with every character outside `[A-Za-z0-9_-]` replaced by `_`.
pub(in super::super) fn plain_name(name: &str) -> String {
    // JavaScript replaces UTF-16 code units, so a character beyond the basic plane becomes two.
    name.encode_utf16()
        .map(|unit| match u8::try_from(unit).map(char::from) {
            Ok(letter) if letter.is_ascii_alphanumeric() || letter == '_' || letter == '-' => {
                letter
            }
            _ => '_',
        })
        .collect()
}
