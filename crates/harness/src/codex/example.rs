//! What Codex has in the demo.

/// Path in the made-up home, and content.
pub(super) const FILES: &[(&str, &str)] = &[
    (".codex/config.toml", include_str!("example/config.toml")),
    (
        "shop/.codex/config.toml",
        include_str!("example/project-config.toml"),
    ),
];
