//! What Cursor has in the demo.

/// Path in the made-up home, and content.
pub(super) const FILES: &[(&str, &str)] = &[
    (".cursor/mcp.json", include_str!("example/mcp.json")),
    (
        "shop/.cursor/mcp.json",
        include_str!("example/project-mcp.json"),
    ),
];
