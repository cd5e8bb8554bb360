//! Whose file a file is.

use camino::Utf8Path;

/// Files and folders of the agents that Muster knows.
const OWNERS: [(&str, &str); 9] = [
    ("claude-code", ".claude.json"),
    ("claude-code", ".mcp.json"),
    ("claude-code", ".claude"),
    ("codex", ".codex"),
    ("gemini-cli", ".gemini"),
    ("cursor", ".cursor"),
    ("opencode", "opencode.json"),
    ("opencode", "opencode.jsonc"),
    ("pi", ".pi"),
];

/// Whether the file at `path` is the own one of another agent than `harness`: what stands there is read by that one.
pub(crate) fn is_another_agents(harness: &str, path: &Utf8Path) -> bool {
    let owner = path.components().rev().find_map(|part| {
        let owner = OWNERS.iter().find(|(_, name)| *name == part.as_str());
        owner.map(|(owner, _)| *owner)
    });
    owner.is_some_and(|owner| owner != harness)
}
