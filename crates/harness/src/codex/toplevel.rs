//! The other keys of `config.toml`: a wrong type in any of them stops Codex, and with it every server.
//!
//! Observed on 0.171.0 for every key here. Codex knows 109; what is inside the tables called [`Type::Opaque`], how permissions fit
//! together, and whether a file that a key names can be read, is not checked. So a configuration that passes here may still stop
//! the real program.

use super::merge::Merged;
use super::schema::{Fault, I64, Numbers, TEXTS, Type, U16, U64, USIZE};
use super::validate::{APPROVAL_MODE, TOOLS};
use super::{nested, panel, providers, tooling};

/// What a `[projects."DIR"]` table holds.
pub(super) const PROJECTS: Type = Type::Map(&Type::Struct {
    name: "ProjectConfig",
    fields: &[("trust_level", Type::Choice(&["trusted", "untrusted"]))],
});

const PLUGINS: Type = Type::Unplaced(&Type::Table {
    name: "PluginsConfigToml",
    member: &Type::Struct {
        name: "PluginConfig",
        fields: &[
            ("enabled", Type::Bool),
            (
                "mcp_servers",
                Type::Map(&Type::Struct {
                    name: "PluginMcpServerConfig",
                    fields: &[
                        ("enabled", Type::Bool),
                        ("default_tools_approval_mode", APPROVAL_MODE),
                        ("enabled_tools", TEXTS),
                        ("disabled_tools", TEXTS),
                        ("tools", TOOLS),
                    ],
                }),
            ),
        ],
    },
});

/// Every key whose type is known.
static KEYS: &[(&str, Type)] = &[
    ("mcp_servers", Type::Map(&Type::Server)),
    ("plugins", PLUGINS),
    ("features", tooling::FEATURES),
    ("projects", PROJECTS),
    ("project_root_markers", TEXTS),
    ("profile", Type::Text),
    ("profiles", Type::Map(&providers::PROFILE)),
    ("model", Type::Text),
    ("review_model", Type::Text),
    ("model_provider", Type::Text),
    ("model_providers", providers::MODEL_PROVIDERS),
    ("model_context_window", I64),
    ("model_auto_compact_token_limit", I64),
    (
        "model_auto_compact_token_limit_scope",
        Type::Choice(&["total", "body_after_prefix"]),
    ),
    ("model_reasoning_effort", Type::Text),
    ("plan_mode_reasoning_effort", Type::Text),
    (
        "model_reasoning_summary",
        Type::Choice(&["auto", "concise", "detailed", "none"]),
    ),
    ("model_verbosity", Type::Choice(&["low", "medium", "high"])),
    ("model_catalog_json", Type::Path),
    ("model_instructions_file", Type::Path),
    ("experimental_compact_prompt_file", Type::Path),
    ("approval_policy", nested::APPROVAL_POLICY),
    (
        "approvals_reviewer",
        Type::Choice(&["user", "auto_review", "guardian_subagent"]),
    ),
    ("auto_review", nested::AUTO_REVIEW),
    ("shell_environment_policy", nested::SHELL_ENVIRONMENT_POLICY),
    ("allow_login_shell", Type::Bool),
    (
        "sandbox_mode",
        Type::Choice(&["read-only", "workspace-write", "danger-full-access"]),
    ),
    ("sandbox_workspace_write", nested::SANDBOX_WORKSPACE_WRITE),
    ("default_permissions", Type::Text),
    ("permissions", nested::PERMISSIONS),
    ("notify", TEXTS),
    ("instructions", Type::Text),
    ("developer_instructions", Type::Text),
    ("include_permissions_instructions", Type::Bool),
    ("include_apps_instructions", Type::Bool),
    ("include_collaboration_mode_instructions", Type::Bool),
    ("include_environment_context", Type::Bool),
    ("compact_prompt", Type::Text),
    ("forced_login_method", Type::Choice(&["chatgpt", "api"])),
    (
        "cli_auth_credentials_store",
        Type::Choice(&["file", "keyring", "auto", "ephemeral"]),
    ),
    (
        "mcp_oauth_credentials_store",
        Type::Choice(&["auto", "file", "keyring"]),
    ),
    ("mcp_oauth_callback_port", U16),
    ("mcp_oauth_callback_url", Type::Text),
    ("mcp_optional_startup_grace_ms", U64),
    ("project_doc_max_bytes", USIZE),
    ("project_doc_fallback_filenames", TEXTS),
    ("tool_output_token_limit", USIZE),
    ("background_terminal_max_timeout", U64),
    ("js_repl_node_path", Type::Path),
    ("js_repl_node_module_dirs", Type::List(&Type::Path)),
    ("history", nested::HISTORY),
    ("sqlite_home", Type::Path),
    ("log_dir", Type::Path),
    (
        "file_opener",
        Type::Choice(&["vscode", "vscode-insiders", "windsurf", "cursor", "none"]),
    ),
    ("tui", panel::TUI),
    ("hide_agent_reasoning", Type::Bool),
    ("show_raw_agent_reasoning", Type::Bool),
    (
        "personality",
        Type::Choice(&["none", "friendly", "pragmatic"]),
    ),
    ("service_tier", Type::Text),
    ("chatgpt_base_url", Type::Text),
    ("openai_base_url", Type::Text),
    ("apps_mcp_product_sku", Type::Text),
    ("audio", panel::AUDIO),
    ("realtime", panel::REALTIME),
    ("experimental_realtime_ws_base_url", Type::Text),
    ("experimental_realtime_ws_model", Type::Text),
    ("experimental_realtime_ws_backend_prompt", Type::Text),
    ("experimental_realtime_ws_startup_context", Type::Text),
    ("experimental_realtime_start_instructions", Type::Text),
    ("experimental_use_unified_exec_tool", Type::Bool),
    (
        "web_search",
        Type::Choice(&["disabled", "cached", "indexed", "live"]),
    ),
    ("tools", tooling::TOOLS),
    ("tool_suggest", tooling::TOOL_SUGGEST),
    ("agents", tooling::AGENTS),
    ("memories", nested::MEMORIES),
    ("skills", tooling::SKILLS),
    ("hooks", tooling::HOOKS),
    ("marketplaces", Type::Map(&nested::MARKETPLACE)),
    ("suppress_unstable_features_warning", Type::Bool),
    ("ghost_snapshot", nested::GHOST_SNAPSHOT),
    ("check_for_update_on_startup", Type::Bool),
    ("disable_paste_burst", Type::Bool),
    ("analytics", nested::ANALYTICS),
    ("feedback", nested::FEEDBACK),
    ("apps", tooling::APPS),
    ("desktop", Type::Map(&Type::Any)),
    ("otel", panel::OTEL),
    ("windows", panel::WINDOWS),
    ("notice", panel::NOTICE),
    ("oss_provider", Type::Text),
    ("orchestrator", tooling::ORCHESTRATOR),
    (
        "code_mode",
        Type::Record {
            name: "CodeModeToml",
            elements: 1,
            fields: &[],
        },
    ),
    ("experimental_thread_store", nested::THREAD_STORE),
    ("experimental_thread_store_endpoint", Type::Text),
    ("forced_chatgpt_workspace_id", nested::WORKSPACE_ID),
    ("mcp_enterprise_managed_auth", nested::ENTERPRISE_AUTH),
    (
        "responses",
        Type::Record {
            name: "ResponsesToml",
            elements: 1,
            fields: &[],
        },
    ),
    (
        "rollout_trace",
        Type::Record {
            name: "RolloutTraceToml",
            elements: 2,
            fields: &[],
        },
    ),
    (
        "cloud",
        Type::Record {
            name: "CloudToml",
            elements: 1,
            fields: &[],
        },
    ),
    (
        "computer_use",
        Type::Record {
            name: "ComputerUseConfigToml",
            elements: 3,
            fields: &[],
        },
    ),
    (
        "browser_use",
        Type::Record {
            name: "BrowserUseConfigToml",
            elements: 3,
            fields: &[],
        },
    ),
    (
        "goals",
        Type::Record {
            name: "GoalsToml",
            elements: 1,
            fields: &[],
        },
    ),
];

/// What does not count in a project's file, and so is not checked there either. Observed on 0.171.0, the whole list by trying
/// every key.
pub(super) const NOT_OF_A_PROJECT: &[&str] = &[
    "profile",
    "profiles",
    "model_provider",
    "model_providers",
    "notify",
    "chatgpt_base_url",
    "openai_base_url",
    "apps_mcp_product_sku",
    "experimental_realtime_ws_base_url",
    "otel",
];

/// What Codex reads before it looks for project files, in the order of the file.
static EARLY_KEYS: &[(&str, Type)] = &[("projects", PROJECTS), ("project_root_markers", TEXTS)];

/// Whether `key` is one of them.
pub(super) fn is_early(key: &str) -> bool {
    EARLY_KEYS.iter().any(|(early, _)| *early == key)
}

/// Holds the keys that decide which project files are read against their types.
///
/// # Errors
/// The first complaint.
pub(super) fn check_early(config: &Merged<'_>) -> Result<(), Fault> {
    check(EARLY_KEYS, config)
}

/// Holds the whole merged configuration against the types that are known, in the order in which its keys first appear.
///
/// # Errors
/// The first complaint.
pub(super) fn check_all(config: &Merged<'_>) -> Result<(), Fault> {
    check(KEYS, config)
}

/// What Codex asks of the configuration beyond the types, once it has read it whole.
///
/// # Errors
/// The first complaint.
pub(super) fn check_sense(config: &Merged<'_>) -> Result<(), Fault> {
    let agents = ["max_concurrent_threads_per_session", "max_threads"]
        .iter()
        .find_map(|key| config.at(&["agents", key]));
    let number = agents
        .and_then(Merged::as_number)
        .and_then(|number| number.as_i128());
    if let (Some(agents), Some(0)) = (agents, number) {
        let words = "agents.max_concurrent_threads_per_session must be at least 1";
        return Err(Fault::at(agents, words));
    }
    let profiles = config
        .get("permissions")
        .filter(|table| table.members().next().is_some());
    let default = config.get("default_permissions");
    match (profiles, default) {
        (Some(profiles), None) if config.get("sandbox_mode").is_none() => {
            let words =
                "config defines `[permissions]` profiles but does not set `default_permissions`";
            Err(Fault::at(profiles, words))
        }
        (None, Some(name)) if name.as_str().is_some_and(|name| !name.starts_with(':')) => {
            let words = "default_permissions requires a `[permissions]` table";
            Err(Fault::at(name, words))
        }
        _ => Ok(()),
    }
}

fn check(keys: &[(&'static str, Type)], config: &Merged<'_>) -> Result<(), Fault> {
    config.members().try_for_each(|(key, value)| {
        let known = keys.iter().find(|(name, _)| *name == key);
        known.map_or(Ok(()), |(name, kind)| {
            kind.check(value, Numbers::Shown)
                .map_err(|fault| fault.inside(name))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;
    use muster_document::{Dialect, Document};

    use super::*;

    /// Each line was given to the real program, 0.171.0.
    #[test]
    fn what_makes_no_sense_stops_codex() {
        for (text, sense) in [
            ("agents.max_threads = 0", false),
            (
                "agents = { max_threads = 0, max_concurrent_threads_per_session = 3 }",
                true,
            ),
            ("permissions.x = {}", false),
            ("permissions = {}", true),
            ("sandbox_mode = 'read-only'\npermissions.x = {}", true),
            ("permissions.x = {}\ndefault_permissions = 'x'", true),
            ("default_permissions = 'x'", false),
            ("default_permissions = ':workspace'", true),
        ] {
            let path = Arc::from(Utf8Path::new("/t"));
            let document = Document::parse(path, text.as_bytes(), Dialect::Toml).unwrap();
            let checked = check_sense(&Merged::of([(0, document.root())]));
            assert_eq!(checked.is_ok(), sense, "{text}");
        }
    }

    /// Each line was given to the real program, 0.171.0; only hidden values differ.
    #[test]
    fn the_real_words() {
        for (text, expected) in [
            (
                "model = 1",
                Some("invalid type: integer `1`, expected a string in model"),
            ),
            (
                "model = 1e3",
                Some("invalid type: floating point `1000.0`, expected a string in model"),
            ),
            ("model = 1979-05-27", None),
            (
                "features = 1",
                Some("invalid type: integer `1`, expected struct FeaturesToml in features"),
            ),
            (
                "features.plugins = 1",
                Some("invalid type: integer `1`, expected a boolean in features"),
            ),
            (
                "plugins = 1",
                Some("invalid type: integer `1`, expected struct PluginsConfigToml in plugins"),
            ),
            (
                "plugins.'a@b' = 1",
                Some("invalid type: integer `1`, expected struct PluginConfig in plugins"),
            ),
            (
                "plugins.'a@b'.mcp_servers.s.enabled = 1",
                Some("invalid type: integer `1`, expected a boolean in plugins"),
            ),
            (
                "projects = 1",
                Some("invalid type: integer `1`, expected a map in projects"),
            ),
            (
                "projects.'/x' = 't'",
                Some("invalid type: string \"•••\", expected struct ProjectConfig in projects./x"),
            ),
            (
                "projects.'/x'.trust_level = 'yes'",
                Some(
                    "unknown variant `•••`, expected `trusted` or `untrusted` in projects./x.trust_level",
                ),
            ),
            (
                "approval_policy = { granular = {} }",
                Some("missing field `sandbox_approval` in approval_policy"),
            ),
            (
                "mcp_servers = []",
                Some("invalid type: sequence, expected a map in mcp_servers"),
            ),
            (
                "mcp_servers.x = 'npx'",
                Some(
                    "invalid type: string \"•••\", expected struct RawMcpServerConfig in mcp_servers.x",
                ),
            ),
            ("whatever = 1", None),
            ("features.code_mode = {}", None),
            (
                "features.multi_agent_v2 = 1",
                Some(
                    "data did not match any variant of untagged enum FeatureToml in features.multi_agent_v2",
                ),
            ),
            (
                "features.plugins = {}",
                Some("invalid type: map, expected a boolean in features"),
            ),
            (
                "history.persistence = { none = 1 }",
                Some("expected table, found integer in history.persistence"),
            ),
            (
                "tui.notifications = 1",
                Some("data did not match any variant of untagged enum Notifications in tui"),
            ),
            (
                "agents.max_depth = true",
                Some("invalid type: boolean `true`, expected i32 in agents.max_depth"),
            ),
            (
                "agents.r.description = 1",
                Some("invalid type: integer `1`, expected a string in agents"),
            ),
            (
                "otel.exporter.otlp-http = {}",
                Some("missing field `endpoint` in otel.exporter"),
            ),
            (
                "otel.exporter.otlp-grpc.endpoint = 1",
                Some("invalid type: integer `1`, expected a string in otel.exporter.endpoint"),
            ),
            (
                "skills.config = [{ enabled = 1 }]",
                Some("invalid type: integer `1`, expected a boolean in skills.config.enabled"),
            ),
            (
                "hooks.Stop = [{ hooks = [{ type = 'command' }] }]",
                Some("missing field `command` in hooks"),
            ),
            (
                "otel = []",
                Some("invalid length 0, expected struct OtelConfigToml with 13 elements in otel"),
            ),
            ("model_providers.openai = {}", None),
            (
                "model_providers.x.aws = {}",
                Some(
                    "model_providers.x: provider aws is only supported for `amazon-bedrock` or `amazon-bedrock-runtime` in model_providers",
                ),
            ),
            (
                "model_providers.x = { name = 'x', auth = { command = 'y' }, env_key = 'A' }",
                Some(
                    "model_providers.x: provider auth cannot be combined with env_key in model_providers",
                ),
            ),
        ] {
            let document = Document::parse(
                Arc::from(Utf8Path::new("/t")),
                text.as_bytes(),
                Dialect::Toml,
            )
            .unwrap();
            let found = check_all(&Merged::of([(0, document.root())]))
                .err()
                .map(|fault| format!("{} in {}", fault.message, fault.within.unwrap_or_default()));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
