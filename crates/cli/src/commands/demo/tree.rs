//! The made-up home and project, as data.

/// What stands for the made-up home in the files.
pub(super) const HOME: &str = "{{HOME}}";

/// The project's folder, in the home.
pub(super) const PROJECT: &str = "shop";

/// Path in the home, and content.
pub(super) const FILES: &[(&str, &str)] = &[
    (".claude.json", include_str!("files/claude.json")),
    (
        ".claude/settings.json",
        include_str!("files/claude-settings.json"),
    ),
    (
        ".claude/skills/toolbox/.claude-plugin/plugin.json",
        include_str!("files/plugin.json"),
    ),
    (
        ".claude/skills/toolbox/.mcp.json",
        include_str!("files/plugin-mcp.json"),
    ),
    (
        ".codex/config.toml",
        include_str!("files/codex-config.toml"),
    ),
    ("shop/.mcp.json", include_str!("files/project-mcp.json")),
    (
        "shop/.codex/config.toml",
        include_str!("files/project-codex-config.toml"),
    ),
    ("shop/.git/HEAD", "ref: refs/heads/main\n"),
];
