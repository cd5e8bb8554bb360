//! What OpenCode has in the demo.

/// Path in the made-up home, and content.
pub(super) const FILES: &[(&str, &str)] = &[
    (
        ".config/opencode/opencode.jsonc",
        include_str!("example/global.jsonc"),
    ),
    ("shop/opencode.json", include_str!("example/project.json")),
];
