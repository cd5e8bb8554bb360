//! Names that Claude Code keeps for itself.

/// Names that Claude Code keeps for itself, as they are compared. They are written `Claude Preview`, `Claude Browser`, `Claude in
/// Chrome` and `claude.ai`.
const RESERVED: [&str; 7] = [
    "workspace",
    "claude-in-chrome",
    "computer-use",
    "Claude_Preview",
    "Claude_Browser",
    "Claude_in_Chrome",
    "claude_ai",
];

/// Whether Claude Code keeps the name for itself. Compared after every character outside `[A-Za-z0-9_-]` became `_` and trailing
/// `_` were taken off. Observed on 2.1.332: `workspace!` is reserved, `_workspace` is not.
pub(in super::super) fn is_reserved(name: &str) -> bool {
    name == "__proto__" || RESERVED.contains(&plain_name(name).trim_end_matches('_'))
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
