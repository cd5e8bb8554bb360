//! What Muster itself has in the demo.

/// Path in the made-up home, and content.
pub(super) const FILES: &[(&str, &str)] = &[(
    ".config/muster/config.json",
    include_str!("example/config.json"),
)];
