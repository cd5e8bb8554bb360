//! What Pi has in the demo.

/// Path in the made-up home, and content.
pub(super) const FILES: &[(&str, &str)] = &[
    (".pi/agent/mcp.json", include_str!("example/mcp.json")),
    (
        "shop/.pi/mcp.json",
        include_str!("example/project-mcp.json"),
    ),
];
