//! What OpenCode calls things, for those who come from another agent.

use muster_core::{Address, Idiom, Table, Thing, Tilde, TimeUnit, Transport};

pub(super) static IDIOM: Idiom = Idiom {
    keys: &[
        (Thing::Command, "command"),
        (Thing::Url, "url"),
        (Thing::Env, "environment"),
        (Thing::Cwd, "cwd"),
        (Thing::Headers, "headers"),
        (Thing::Transport, "type"),
        (Thing::StartTimeout, "timeout"),
        (Thing::Timeout, "timeout"),
    ],
    other_keys: &["enabled", "disabled", "oauth"],
    instead: &[(
        Thing::Args,
        "write program and arguments as one list: \"command\": [\"npx\", \"-y\", …]",
    )],
    transports: &[
        (Transport::Stdio, &["local"]),
        (Transport::Http, &["remote"]),
        (Transport::Sse, &["remote"]),
    ],
    address: Address::NeedsWord,
    times: Some(TimeUnit::Milliseconds),
    tilde: Tilde::Kept,
    tables: &[
        Table {
            key: "mcp",
            path: &["mcp"],
            reader: "OpenCode",
        },
        Table {
            key: "mcp.servers",
            path: &["mcp", "servers"],
            reader: "OpenCode 2",
        },
    ],
    files: &["opencode.json", "opencode.jsonc"],
    switch_off: Some("write \"enabled\": false"),
    approve_tools: Some("tools are approved under permission of opencode.json"),
    ..Idiom::SILENT
};
