//! What Pi calls things, for those who come from another agent.

use muster_core::{Idiom, Table, Thing, Tilde, TimeUnit, Transport, TrustStore};

pub(super) static IDIOM: Idiom = Idiom {
    keys: &[
        (Thing::Command, "command"),
        (Thing::Url, "url"),
        (Thing::Args, "args"),
        (Thing::Env, "env"),
        (Thing::Cwd, "cwd"),
        (Thing::Headers, "headers"),
        (Thing::Transport, "type"),
        (Thing::StartTimeout, "timeout"),
        (Thing::CallTimeout, "timeout"),
        (Thing::Timeout, "timeout"),
    ],
    other_keys: &[
        "enabled",
        "description",
        "exposure",
        "toolExposure",
        "oauth",
        "auth",
    ],
    transports: &[
        (Transport::Stdio, &["stdio"]),
        (Transport::Http, &["http", "streamable-http"]),
    ],
    times: Some(TimeUnit::Seconds),
    tilde: Tilde::Followed,
    tables: &[Table {
        key: "mcpServers",
        path: &["mcpServers"],
        reader: "Pi",
    }],
    files: &[".pi"],
    switch_off: Some("write \"enabled\": false"),
    trust: Some(TrustStore {
        files: &["/trust.json"],
        table: None,
        trusts: |folder| folder.as_bool() == Some(true),
        below: true,
        links: false,
    }),
    ..Idiom::SILENT
};
