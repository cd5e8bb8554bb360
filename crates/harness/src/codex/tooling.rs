//! What is inside the tables of `config.toml` that are about tools and agents. Observed on 0.171.0: every key here was
//! given values of each type.

use super::nested::ENABLED;
use super::schema::{I32, TEXTS, Type, U64, USIZE};

const TOGGLE: Type = Type::Record {
    name: "FeatureToggleToml",
    elements: 1,
    fields: ENABLED,
};

/// `agents`: its own keys, and a role under every other name.
pub(super) const AGENTS: Type = Type::Open {
    name: "AgentsToml",
    fields: &[
        ("max_threads", USIZE),
        ("max_depth", I32),
        ("job_max_runtime_seconds", U64),
        ("interrupt_message", Type::Bool),
        ("default_subagent_model", Type::Text),
        ("default_subagent_reasoning_effort", Type::Text),
        ("max_concurrent_threads_per_session", USIZE),
        ("enabled", Type::Bool),
    ],
    flattened: &[],
    rest: &Type::Record {
        name: "AgentRoleToml",
        elements: 3,
        fields: &[
            ("description", Type::Text),
            ("config_file", Type::Path),
            ("nickname_candidates", TEXTS),
        ],
    },
};

const SKILL: Type = Type::Needing(
    &Type::Record {
        name: "SkillConfig",
        elements: 3,
        fields: &[
            ("path", Type::Path),
            ("name", Type::Text),
            ("enabled", Type::Bool),
        ],
    },
    &["enabled"],
);

/// `skills`.
pub(super) const SKILLS: Type = Type::Record {
    name: "SkillsConfig",
    elements: 0,
    fields: &[
        (
            "bundled",
            Type::Struct {
                name: "BundledSkillsConfig",
                fields: &[("enabled", Type::Bool)],
            },
        ),
        ("include_instructions", Type::Bool),
        ("config", Type::List(&SKILL)),
    ],
};

const HOOK_STATE: Type = Type::Struct {
    name: "HookStateToml",
    fields: &[("enabled", Type::Bool), ("trusted_hash", Type::Text)],
};

const HOOK: Type = Type::Kinds {
    name: "HookHandlerConfig",
    kinds: &[
        (
            "command",
            Type::Needing(
                &Type::Open {
                    name: "HookHandlerConfig",
                    fields: &[
                        ("command", Type::Text),
                        ("timeout", U64),
                        ("async", Type::Bool),
                        ("statusMessage", Type::Text),
                    ],
                    flattened: &[],
                    rest: &Type::Any,
                },
                &["command"],
            ),
        ),
        ("mcp_tool", Type::Any),
        ("prompt", Type::Any),
        ("agent", Type::Any),
    ],
};

const HOOK_GROUPS: Type = Type::List(&Type::Struct {
    name: "MatcherGroup",
    fields: &[("matcher", Type::Text), ("hooks", Type::List(&HOOK))],
});

/// `hooks`.
pub(super) const HOOKS: Type = Type::Open {
    name: "HooksToml",
    fields: &[("state", Type::Map(&HOOK_STATE))],
    flattened: &[
        ("PreToolUse", HOOK_GROUPS),
        ("PostToolUse", HOOK_GROUPS),
        ("SessionStart", HOOK_GROUPS),
        ("Stop", HOOK_GROUPS),
        ("UserPromptSubmit", HOOK_GROUPS),
        ("PermissionRequest", HOOK_GROUPS),
        ("PreCompact", HOOK_GROUPS),
        ("PostCompact", HOOK_GROUPS),
        ("SubagentStart", HOOK_GROUPS),
        ("SubagentStop", HOOK_GROUPS),
        ("SessionEnd", HOOK_GROUPS),
        ("PreModelRequest", HOOK_GROUPS),
        ("PostModelRequest", HOOK_GROUPS),
    ],
    rest: &Type::Any,
};

const APP_TOOL: Type = Type::Struct {
    name: "AppToolConfig",
    fields: &[
        ("enabled", Type::Bool),
        (
            "approval_mode",
            Type::Buffered(&["auto", "prompt", "writes", "approve"]),
        ),
    ],
};

const APP: Type = Type::Struct {
    name: "AppConfig",
    fields: &[
        ("enabled", Type::Bool),
        (
            "approvals_reviewer",
            Type::Buffered(&["user", "auto_review", "guardian_subagent"]),
        ),
        (
            "default_tools_approval_mode",
            Type::Buffered(&["auto", "prompt", "writes", "approve"]),
        ),
        ("default_tools_enabled", Type::Bool),
        ("destructive_enabled", Type::Bool),
        ("open_world_enabled", Type::Bool),
        (
            "tools",
            Type::Open {
                name: "AppToolsConfig",
                fields: &[],
                flattened: &[],
                rest: &APP_TOOL,
            },
        ),
        (
            "links",
            Type::Open {
                name: "AppLinksConfig",
                fields: &[],
                flattened: &[],
                rest: &Type::Any,
            },
        ),
    ],
};

/// `apps`: one under every name but `_default`.
pub(super) const APPS: Type = Type::Open {
    name: "AppsConfigToml",
    fields: &[(
        "_default",
        Type::Struct {
            name: "AppsDefaultConfig",
            fields: &[
                ("enabled", Type::Bool),
                ("destructive_enabled", Type::Bool),
                ("open_world_enabled", Type::Bool),
                (
                    "approvals_reviewer",
                    Type::Choice(&["user", "auto_review", "guardian_subagent"]),
                ),
                (
                    "default_tools_approval_mode",
                    Type::Choice(&["auto", "prompt", "writes", "approve"]),
                ),
            ],
        },
    )],
    flattened: &[],
    rest: &APP,
};

/// `orchestrator`.
pub(super) const ORCHESTRATOR: Type = Type::Record {
    name: "OrchestratorToml",
    elements: 2,
    fields: &[("skills", TOGGLE), ("mcp", TOGGLE)],
};

const WEB_SEARCH: Type = Type::AnyOf {
    name: "WebSearchToolConfigInput",
    types: &[
        Type::Bool,
        Type::Open {
            name: "WebSearchToolConfig",
            fields: &[
                ("context_size", Type::Choice(&["low", "medium", "high"])),
                ("allowed_domains", TEXTS),
                (
                    "location",
                    Type::Open {
                        name: "WebSearchLocation",
                        fields: &[
                            ("country", Type::Text),
                            ("region", Type::Text),
                            ("city", Type::Text),
                            ("timezone", Type::Text),
                        ],
                        flattened: &[],
                        rest: &Type::Any,
                    },
                ),
            ],
            flattened: &[],
            rest: &Type::Any,
        },
    ],
};

/// `tools`.
pub(super) const TOOLS: Type = Type::Record {
    name: "ToolsToml",
    elements: 4,
    fields: &[
        ("web_search", WEB_SEARCH),
        (
            "experimental_request_user_input",
            Type::Struct {
                name: "ExperimentalRequestUserInput",
                fields: ENABLED,
            },
        ),
        (
            "update_plan",
            Type::Struct {
                name: "UpdatePlanToolConfig",
                fields: ENABLED,
            },
        ),
    ],
};

const TOOL: &[(&str, Type)] = &[
    ("type", Type::Choice(&["connector", "plugin"])),
    ("id", Type::Text),
];

/// `tool_suggest`.
pub(super) const TOOL_SUGGEST: Type = Type::Struct {
    name: "ToolSuggestConfig",
    fields: &[
        (
            "discoverables",
            Type::List(&Type::Needing(
                &Type::Record {
                    name: "ToolSuggestDiscoverable",
                    elements: 2,
                    fields: TOOL,
                },
                &["type", "id"],
            )),
        ),
        (
            "disabled_tools",
            Type::List(&Type::Needing(
                &Type::Record {
                    name: "ToolSuggestDisabledTool",
                    elements: 2,
                    fields: TOOL,
                },
                &["type", "id"],
            )),
        ),
    ],
};

/// A feature that may have a table of its own.
const FEATURE: Type = Type::AnyOf {
    name: "FeatureToml",
    types: &[
        Type::Bool,
        Type::Open {
            name: "",
            fields: ENABLED,
            flattened: &[],
            rest: &Type::Any,
        },
    ],
};

/// `features`.
pub(super) const FEATURES: Type = Type::Open {
    name: "FeaturesToml",
    fields: &[
        ("apps_mcp_path_override", FEATURE),
        ("async_compaction", FEATURE),
        ("code_mode", FEATURE),
        ("code_mode_host", FEATURE),
        ("context_management", FEATURE),
        ("current_time_reminder", FEATURE),
        ("guardianv2", FEATURE),
        ("guardianv3", FEATURE),
        ("multi_agent_v2", FEATURE),
        ("network_proxy", FEATURE),
        ("non_prefixed_mcp_tool_names", FEATURE),
        ("rollout_budget", FEATURE),
        ("runtime_agent_instances", FEATURE),
        ("sleep_tool", FEATURE),
        ("token_budget", FEATURE),
    ],
    flattened: &[],
    rest: &Type::Bool,
};
