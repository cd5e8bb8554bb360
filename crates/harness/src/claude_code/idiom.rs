//! What Claude Code calls things, for those who come from another agent.

use muster_core::{
    Address, Idiom, SelfApproval, Table, Thing, Tilde, TimeUnit, Transport, TrustStore,
};
use muster_document::Node;

pub(super) static IDIOM: Idiom = Idiom {
    keys: &[
        (Thing::Command, "command"),
        (Thing::Url, "url"),
        (Thing::Args, "args"),
        (Thing::Env, "env"),
        (Thing::Headers, "headers"),
        (Thing::Transport, "type"),
        (Thing::CallTimeout, "timeout"),
        (Thing::Timeout, "timeout"),
    ],
    other_keys: &[
        "headersHelper",
        "oauth",
        "alwaysLoad",
        "bareElicitationCapability",
    ],
    instead: &[(
        Thing::StartTimeout,
        "set MCP_TIMEOUT, in milliseconds, where Claude Code is started",
    )],
    transports: &[
        (Transport::Stdio, &["stdio"]),
        (Transport::Http, &["http", "streamable-http"]),
        (Transport::Sse, &["sse"]),
        (Transport::Ws, &["ws"]),
    ],
    reserved_transports: &["sdk", "claudeai-proxy"],
    address: Address::NeedsWord,
    times: Some(TimeUnit::Milliseconds),
    tilde: Tilde::Kept,
    plugin_variables: &[
        "CLAUDE_PLUGIN_ROOT",
        "CLAUDE_PLUGIN_DATA",
        "CLAUDE_PROJECT_DIR",
    ],
    tables: &[Table {
        key: "mcpServers",
        path: &["mcpServers"],
        reader: "Claude Code",
    }],
    files: &[".claude.json", ".mcp.json", ".claude"],
    switch_off: Some("switch it off with /mcp in a session here"),
    approve_tools: Some(
        "tools are approved in permissions.allow of the settings, as mcp__SERVER__TOOL",
    ),
    trust: Some(TrustStore {
        files: &["/.claude.json", "/.config.json"],
        table: Some("projects"),
        trusts: |folder| says_yes(folder.get("hasTrustDialogAccepted")),
        below: true,
        links: false,
    }),
    self_approvals: &[SelfApproval {
        servers: None,
        key: "enableAllProjectMcpServers",
        approves: |value| says_yes(Some(value)),
        what: "approves every server of its .mcp.json, those to come too",
    }],
    ..Idiom::SILENT
};

fn says_yes(value: Option<&Node>) -> bool {
    value.and_then(Node::as_bool) == Some(true)
}
