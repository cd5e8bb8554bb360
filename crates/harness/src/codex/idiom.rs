//! What Codex calls things, for those who come from another agent.

use muster_core::{Address, Field, Idiom, SelfApproval, Table, Thing, Tilde, TimeUnit, TrustStore};
use muster_document::Node;

pub(super) static IDIOM: Idiom = Idiom {
    keys: &[
        (Thing::Command, "command"),
        (Thing::Url, "url"),
        (Thing::Args, "args"),
        (Thing::Env, "env"),
        (Thing::Cwd, "cwd"),
        (Thing::Headers, "http_headers"),
        (Thing::StartTimeout, "startup_timeout_sec"),
        (Thing::CallTimeout, "tool_timeout_sec"),
        (Thing::Timeout, "startup_timeout_sec"),
        (Thing::BearerVariable, "bearer_token_env_var"),
        (Thing::OnlyTools, "enabled_tools"),
        (Thing::WithoutTools, "disabled_tools"),
    ],
    other_keys: &[
        "env_vars",
        "env_http_headers",
        "http_headers_helper",
        "auth",
        "oauth",
        "oauth_resource",
        "scopes",
        "enabled",
        "required",
        "supports_parallel_tool_calls",
        "startup_timeout_ms",
        "startup_readiness",
        "environment_id",
        "default_tools_approval_mode",
        "tools",
        "omit_tools_from",
        "tool_input_schema_max_bytes",
    ],
    // An entry with both stops everything, and is told as such.
    command_beside_address: false,
    address: Address::OnlyHttp,
    times: Some(TimeUnit::Seconds),
    tilde: Tilde::Kept,
    instead_of_variable: |field| {
        Some(match field {
            Field::EnvValue => {
                "name it in env_vars instead, which passes it on: env_vars = [\"NAME\"]"
            }
            Field::HeaderValue => {
                "name it in env_http_headers = { HEADER = \"NAME\" }, or for a token in bearer_token_env_var = \"NAME\""
            }
            _ => "write the value itself, or start the server through a shell",
        })
    },
    tables: &[Table {
        key: "mcp_servers",
        path: &["mcp_servers"],
        reader: "Codex",
    }],
    files: &[".codex"],
    switch_off: Some("write enabled = false"),
    approve_tools: Some("write default_tools_approval_mode, or approval_mode for one tool"),
    trust: Some(TrustStore {
        files: &["/config.toml"],
        table: Some("projects"),
        trusts: |folder| folder.get("trust_level").and_then(Node::as_str) == Some("trusted"),
        below: false,
        links: false,
    }),
    self_approvals: &[SelfApproval {
        servers: Some("mcp_servers"),
        key: "default_tools_approval_mode",
        approves: |value| value.as_str() == Some("approve"),
        what: "lets a server's tools run without a question",
    }],
    // By a hash in their names.
    tells_tools_apart: true,
    ..Idiom::SILENT
};
