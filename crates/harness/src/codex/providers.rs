//! `model_providers` and the profiles of older versions. Observed on 0.171.0.

use muster_document::Shown;

use super::merge::Merged;
use super::nested::{ANALYTICS, APPROVAL_POLICY};
use super::panel::WINDOWS;
use super::schema::{Fault, NONZERO_U64, TEXT_MAP, TEXTS, Type, U64};
use super::tooling::{FEATURES, TOOLS};

const WIRE_API: Type = Type::Retired {
    word: "chat",
    message: "`wire_api = \"chat\"` is no longer supported. How to fix: set `wire_api = \"responses\"` in your provider config. More info: https://github.com/openai/codex/discussions/7782",
    then: &Type::Choice(&["responses"]),
};

const PROVIDER_AUTH: Type = Type::Needing(
    &Type::Record {
        name: "ModelProviderAuthInfo",
        elements: 5,
        fields: &[
            ("command", Type::Text),
            ("args", TEXTS),
            ("timeout_ms", NONZERO_U64),
            ("refresh_interval_ms", U64),
            ("cwd", Type::Path),
        ],
    },
    &["command"],
);

const PROVIDER_AWS: Type = Type::Record {
    name: "ModelProviderAwsAuthInfo",
    elements: 4,
    fields: &[
        ("profile", Type::Text),
        ("region", Type::Text),
        (
            "credential_export",
            Type::Opaque {
                name: "CredentialExportConfig",
            },
        ),
        (
            "auth_refresh",
            Type::Opaque {
                name: "AwsAuthRefreshConfig",
            },
        ),
    ],
};

/// `model_providers`.
pub(super) const MODEL_PROVIDERS: Type = Type::Checked(
    &Type::Map(&Type::Record {
        name: "ModelProviderInfo",
        elements: 24,
        fields: &[
            ("name", Type::Text),
            ("base_url", Type::Text),
            ("env_key", Type::Text),
            ("env_key_instructions", Type::Text),
            ("experimental_bearer_token", Type::Text),
            ("auth", PROVIDER_AUTH),
            ("aws", PROVIDER_AWS),
            ("wire_api", WIRE_API),
            ("query_params", TEXT_MAP),
            ("http_headers", TEXT_MAP),
            ("env_http_headers", TEXT_MAP),
            ("request_max_retries", U64),
            ("stream_max_retries", U64),
            ("stream_idle_timeout_ms", U64),
            ("websocket_connect_timeout_ms", U64),
            ("requires_openai_auth", Type::Bool),
            ("supports_websockets", Type::Bool),
            ("supports_standalone_web_search", Type::Bool),
            ("model_catalog_url", Type::Text),
            (
                "capabilities",
                Type::Opaque {
                    name: "ModelProviderCapabilities",
                },
            ),
        ],
    }),
    providers,
);

/// `profiles.NAME`, which stops Codex only where it is asked for, or has a wrong type.
pub(super) const PROFILE: Type = Type::Record {
    name: "ConfigProfile",
    elements: 30,
    fields: &[
        ("analytics", ANALYTICS),
        ("approval_policy", APPROVAL_POLICY),
        (
            "approvals_reviewer",
            Type::Choice(&["user", "auto_review", "guardian_subagent"]),
        ),
        ("chatgpt_base_url", Type::Text),
        ("experimental_compact_prompt_file", Type::Path),
        ("experimental_use_unified_exec_tool", Type::Bool),
        ("features", FEATURES),
        ("include_apps_instructions", Type::Bool),
        ("include_collaboration_mode_instructions", Type::Bool),
        ("include_environment_context", Type::Bool),
        ("include_permissions_instructions", Type::Bool),
        ("js_repl_node_path", Type::Path),
        ("js_repl_node_module_dirs", Type::List(&Type::Path)),
        ("model", Type::Text),
        ("model_catalog_json", Type::Path),
        ("model_instructions_file", Type::Path),
        ("model_provider", Type::Text),
        ("model_reasoning_effort", Type::Text),
        (
            "model_reasoning_summary",
            Type::Choice(&["auto", "concise", "detailed", "none"]),
        ),
        ("model_verbosity", Type::Choice(&["low", "medium", "high"])),
        ("oss_provider", Type::Text),
        (
            "personality",
            Type::Choice(&["none", "friendly", "pragmatic"]),
        ),
        ("plan_mode_reasoning_effort", Type::Text),
        (
            "sandbox_mode",
            Type::Choice(&["read-only", "workspace-write", "danger-full-access"]),
        ),
        ("service_tier", Type::Text),
        ("tools", TOOLS),
        (
            "tui",
            Type::Struct {
                name: "ProfileTui",
                fields: &[(
                    "session_picker_view",
                    Type::Choice(&["comfortable", "dense"]),
                )],
            },
        ),
        (
            "web_search",
            Type::Choice(&["disabled", "cached", "indexed", "live"]),
        ),
        ("windows", WINDOWS),
    ],
};

/// Providers that no configuration may define.
const RESERVED: &[&str] = &["lmstudio", "ollama", "openai"];

/// Providers that take `aws`.
const AWS: &[&str] = &["amazon-bedrock", "amazon-bedrock-runtime"];

/// Keys of a provider that stop Codex in `amazon-bedrock`, as far as they were tried.
const NOT_OF_BEDROCK: &[&str] = &["name", "env_key", "query_params"];

/// What Codex asks of providers beyond the types.
fn providers(table: &Merged<'_>) -> Result<(), Fault> {
    let says = |id: &str| {
        table
            .get(id)
            .filter(|provider| provider.members().next().is_some())
    };
    let reserved: Vec<_> = RESERVED
        .iter()
        .filter_map(|id| Some((id, says(id)?)))
        .collect();
    if let Some((_, first)) = reserved.first() {
        let ids: Vec<_> = reserved.iter().map(|(id, _)| format!("`{id}`")).collect();
        let words = format!(
            "model_providers contains reserved built-in provider IDs: {}. Built-in providers cannot be overridden. Rename your custom provider (for example, `openai-custom`).",
            ids.join(", ")
        );
        return Err(Fault::at(first, words));
    }
    table
        .members()
        .filter(|(id, _)| !RESERVED.contains(id))
        .try_for_each(|(id, provider)| self::provider(id, provider))
}

fn provider(id: &str, provider: &Merged<'_>) -> Result<(), Fault> {
    let fail = |value: &Merged<'_>, words: &str| {
        Err(Fault::at(
            value,
            format!("model_providers.{}: provider {words}", Shown(id)),
        ))
    };
    let bedrock = AWS.contains(&id);
    if id == "amazon-bedrock"
        && let Some((_, other)) = provider
            .members()
            .find(|(key, _)| NOT_OF_BEDROCK.contains(key))
    {
        let words = "model_providers.amazon-bedrock only supports changing `base_url`, `auth`, `http_headers`, `aws.profile`, `aws.region`, `aws.credential_export`, and `aws.auth_refresh`; other non-default provider fields are not supported";
        return Err(Fault::at(other, words));
    }
    if let Some(aws) = provider.get("aws").filter(|_| !bedrock) {
        return fail(
            aws,
            "aws is only supported for `amazon-bedrock` or `amazon-bedrock-runtime`",
        );
    }
    let name = provider.get("name").and_then(Merged::as_str);
    if !bedrock && name.is_none_or(|name| name.trim().is_empty()) {
        return fail(provider, "name must not be empty");
    }
    let Some(auth) = provider.get("auth") else {
        return Ok(());
    };
    let command = auth.get("command").and_then(Merged::as_str);
    if command.is_some_and(|command| command.trim().is_empty()) {
        return fail(auth, "auth.command must not be empty");
    }
    if provider.get("env_key").is_some() {
        return fail(auth, "auth cannot be combined with env_key");
    }
    if provider
        .get("requires_openai_auth")
        .and_then(Merged::as_bool)
        == Some(true)
    {
        return fail(auth, "auth cannot be combined with requires_openai_auth");
    }
    Ok(())
}
