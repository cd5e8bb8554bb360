//! What Claude Code has in the demo.

/// Path in the made-up home, and content.
pub(super) const FILES: &[(&str, &str)] = &[
    (".claude.json", include_str!("example/state.json")),
    (
        ".claude/settings.json",
        include_str!("example/settings.json"),
    ),
    (
        ".claude/skills/toolbox/.claude-plugin/plugin.json",
        include_str!("example/plugin.json"),
    ),
    (
        ".claude/skills/toolbox/.mcp.json",
        include_str!("example/plugin-mcp.json"),
    ),
    ("shop/.mcp.json", include_str!("example/project-mcp.json")),
];
