//! `auth = "ema_auth"`: sign-in that the administrator manages.

use muster_core::Scope;
use muster_document::Shown;

use super::layers::Layer;
use super::merge::Merged;
use super::rules;
use super::stop::Stop;

/// What must come from one single layer.
const TOGETHER: &[&str] = &[
    "url",
    "auth",
    "scopes",
    "oauth_resource",
    "oauth",
    "bearer_token_env_var",
    "http_headers",
    "env_http_headers",
    "http_headers_helper",
];

/// Whether the administrator manages the sign-in of `server`.
pub(super) fn is_managed(server: &Merged<'_>) -> bool {
    server.get("auth").and_then(Merged::as_str) == Some("ema_auth")
}

/// Stops Codex where a managed sign-in is put together from several layers or touched by a project. Observed on 0.171.0: it counts
/// as managed if it is so with or without the project's files.
pub(super) fn check(config: &Merged<'_>, layers: &[Layer]) -> Option<Stop> {
    let outside = || {
        layers
            .iter()
            .enumerate()
            .filter(|(_, layer)| layer.scope != Scope::Project)
            .filter_map(|(at, layer)| Some((at, layer.root()?)))
    };
    let servers = config.get("mcp_servers")?;
    if !servers
        .members()
        .any(|(_, server)| server.get("auth").is_some())
    {
        return None;
    }
    let without_project = Merged::of(outside());
    let broken = servers.members().find(|(name, server)| {
        let lower = without_project.at(&["mcp_servers", name]);
        let managed = is_managed(server) || lower.is_some_and(is_managed);
        let whole = |(at, root)| {
            Merged::of([(at, root)])
                .at(&["mcp_servers", name])
                .is_some_and(|alone| agree(server, alone))
        };
        managed && !outside().any(whole)
    });
    broken.map(|(name, server)| {
        let place = server.get("auth").and_then(Merged::origin).and_then(|origin| layers.get(origin.layer)?.place(origin.key));
        let name = Shown(name);
        let words = format!(
            "enterprise MCP server `{name}` must define its transport, authorization, scopes, and resource in one non-project config layer"
        );
        Stop::new(&rules::ENTERPRISE, words).at(place)
    })
}

fn agree(one: &Merged<'_>, two: &Merged<'_>) -> bool {
    TOGETHER
        .iter()
        .all(|key| match (one.get(key), two.get(key)) {
            (None, None) => true,
            (Some(one), Some(two)) => one.same(two),
            _ => false,
        })
}
