//! The other keys of `config.toml`: a wrong type in any of them stops Codex, and with it every server.
//!
//! Observed on 0.171.0 for every key here. Codex knows 109; what is inside the tables called [`Type::Opaque`], and whether a file
//! that a key names can be read, is not checked. So a configuration that passes here may still stop the real program.

use super::merge::Merged;
use super::schema::{Fault, Numbers, TEXTS, Type, U16, U64};
use super::validate::{APPROVAL_MODE, TOOLS};

const I64: Type = Type::Whole {
    name: "i64",
    least: i64::MIN as i128,
    most: i64::MAX as i128,
};
const USIZE: Type = Type::Whole {
    name: "usize",
    least: 0,
    most: u64::MAX as i128,
};

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
    (
        "features",
        Type::Unplaced(&Type::Table {
            name: "FeaturesToml",
            member: &Type::Feature,
        }),
    ),
    ("projects", PROJECTS),
    ("project_root_markers", TEXTS),
    ("profile", Type::Text),
    (
        "profiles",
        Type::Map(&Type::Opaque {
            name: "ConfigProfile",
        }),
    ),
    ("model", Type::Text),
    ("review_model", Type::Text),
    ("model_provider", Type::Text),
    (
        "model_providers",
        Type::Map(&Type::Opaque {
            name: "ModelProviderInfo",
        }),
    ),
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
    (
        "approval_policy",
        Type::Choice(&["untrusted", "on-failure", "on-request", "granular", "never"]),
    ),
    (
        "approvals_reviewer",
        Type::Choice(&["user", "auto_review", "guardian_subagent"]),
    ),
    (
        "auto_review",
        Type::Opaque {
            name: "AutoReviewToml",
        },
    ),
    (
        "shell_environment_policy",
        Type::Opaque {
            name: "ShellEnvironmentPolicyTomlRaw",
        },
    ),
    ("allow_login_shell", Type::Bool),
    (
        "sandbox_mode",
        Type::Choice(&["read-only", "workspace-write", "danger-full-access"]),
    ),
    (
        "sandbox_workspace_write",
        Type::Opaque {
            name: "SandboxWorkspaceWrite",
        },
    ),
    ("default_permissions", Type::Text),
    (
        "permissions",
        Type::Opaque {
            name: "PermissionsToml",
        },
    ),
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
    ("history", Type::Opaque { name: "History" }),
    ("sqlite_home", Type::Path),
    ("log_dir", Type::Path),
    (
        "file_opener",
        Type::Choice(&["vscode", "vscode-insiders", "windsurf", "cursor", "none"]),
    ),
    ("tui", Type::Opaque { name: "Tui" }),
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
    (
        "audio",
        Type::Opaque {
            name: "RealtimeAudioToml",
        },
    ),
    (
        "realtime",
        Type::Opaque {
            name: "RealtimeToml",
        },
    ),
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
    ("tools", Type::Opaque { name: "ToolsToml" }),
    (
        "tool_suggest",
        Type::Opaque {
            name: "ToolSuggestConfig",
        },
    ),
    ("agents", Type::Opaque { name: "AgentsToml" }),
    (
        "memories",
        Type::Opaque {
            name: "MemoriesToml",
        },
    ),
    (
        "skills",
        Type::Opaque {
            name: "SkillsConfig",
        },
    ),
    ("hooks", Type::Opaque { name: "HooksToml" }),
    (
        "marketplaces",
        Type::Map(&Type::Opaque {
            name: "MarketplaceConfig",
        }),
    ),
    ("suppress_unstable_features_warning", Type::Bool),
    (
        "ghost_snapshot",
        Type::Opaque {
            name: "GhostSnapshotToml",
        },
    ),
    ("check_for_update_on_startup", Type::Bool),
    ("disable_paste_burst", Type::Bool),
    (
        "analytics",
        Type::Opaque {
            name: "AnalyticsConfigToml",
        },
    ),
    (
        "feedback",
        Type::Opaque {
            name: "FeedbackConfigToml",
        },
    ),
    (
        "apps",
        Type::Opaque {
            name: "AppsConfigToml",
        },
    ),
    ("desktop", Type::Map(&Type::Any)),
    (
        "otel",
        Type::Opaque {
            name: "OtelConfigToml",
        },
    ),
    (
        "windows",
        Type::Opaque {
            name: "WindowsToml",
        },
    ),
    ("notice", Type::Opaque { name: "Notice" }),
    ("oss_provider", Type::Text),
    (
        "orchestrator",
        Type::Opaque {
            name: "OrchestratorToml",
        },
    ),
    (
        "code_mode",
        Type::Opaque {
            name: "CodeModeToml",
        },
    ),
];

/// What Codex reads before it looks for project files, in the order of the file.
static EARLY_KEYS: &[(&str, Type)] = &[("projects", PROJECTS), ("project_root_markers", TEXTS)];

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
                    "unknown variant `yes`, expected `trusted` or `untrusted` in projects./x.trust_level",
                ),
            ),
            ("approval_policy = { granular = {} }", None),
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
