//! What Gemini CLI has in the demo.

/// Path in the made-up home, and content.
pub(super) const FILES: &[(&str, &str)] = &[
    (
        ".gemini/settings.json",
        include_str!("example/settings.json"),
    ),
    (
        ".gemini/trustedFolders.json",
        include_str!("example/trusted-folders.json"),
    ),
    (
        "shop/.gemini/settings.json",
        include_str!("example/project-settings.json"),
    ),
];
