//! What Cursor calls things, for those who come from another agent.

use muster_core::{Idiom, Table, Thing};

/// It reads no word for the transport and no times. Whether it follows `~/` is not known.
pub(super) static IDIOM: Idiom = Idiom {
    keys: &[
        (Thing::Command, "command"),
        (Thing::Url, "url"),
        (Thing::Args, "args"),
        (Thing::Env, "env"),
        (Thing::EnvFile, "envFile"),
        (Thing::Headers, "headers"),
    ],
    other_keys: &["auth"],
    tables: &[Table {
        key: "mcpServers",
        path: &["mcpServers"],
        reader: "Cursor",
    }],
    files: &[".cursor"],
    switch_off: Some("agent mcp disable SERVER"),
    ..Idiom::SILENT
};
