//! What Gemini CLI calls things, for those who come from another agent.

use muster_core::{Idiom, SelfApproval, Table, Thing, Tilde, TimeUnit, Transport, TrustStore};

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
        (Thing::OnlyTools, "includeTools"),
        (Thing::WithoutTools, "excludeTools"),
    ],
    other_keys: &[
        "httpUrl",
        "tcp",
        "trust",
        "description",
        "oauth",
        "authProviderType",
    ],
    transports: &[
        (Transport::Stdio, &["stdio"]),
        (Transport::Http, &["http"]),
        (Transport::Sse, &["sse"]),
    ],
    times: Some(TimeUnit::Milliseconds),
    tilde: Tilde::Kept,
    tables: &[Table {
        key: "mcpServers",
        path: &["mcpServers"],
        reader: "Gemini CLI",
    }],
    files: &[".gemini"],
    switch_off: Some("name SERVER in mcp.excluded of the settings"),
    approve_tools: Some("write \"trust\": true, as a truth value"),
    trust: Some(TrustStore {
        files: &["/trustedFolders.json"],
        table: None,
        trusts: |folder| folder.as_str() == Some("TRUST_FOLDER"),
        below: true,
        links: true,
    }),
    self_approvals: &[SelfApproval {
        servers: Some("mcpServers"),
        key: "trust",
        approves: |value| value.as_bool() == Some(true),
        what: "lets a server's tools run without a question",
    }],
    ..Idiom::SILENT
};
