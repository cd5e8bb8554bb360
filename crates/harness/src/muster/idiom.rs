//! What Muster's own file calls things, for those who come from another agent.

use muster_core::{Idiom, Thing, Tilde, TimeUnit};

/// Of a wrong word for a transport its own message tells. `mcp_servers` in another agent's file is meant for the agent it comes from.
pub(super) static IDIOM: Idiom = Idiom {
    keys: &[
        (Thing::Command, "command"),
        (Thing::Url, "url"),
        (Thing::Args, "args"),
        (Thing::Env, "env"),
        (Thing::Cwd, "cwd"),
        (Thing::Headers, "headers"),
        (Thing::Transport, "type"),
        (Thing::StartTimeout, "startup_timeout_sec"),
        (Thing::CallTimeout, "tool_timeout_sec"),
        (Thing::Timeout, "startup_timeout_sec"),
        (Thing::BearerVariable, "bearer_token_env_var"),
        (Thing::OnlyTools, "enabled_tools"),
        (Thing::WithoutTools, "disabled_tools"),
    ],
    other_keys: &["enabled", "disabled", "env_vars", "env_http_headers"],
    times: Some(TimeUnit::Seconds),
    tilde: Tilde::Kept,
    switch_off: Some("write \"enabled\": false"),
    ..Idiom::SILENT
};
