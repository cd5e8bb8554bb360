//! What is inside the other tables of `config.toml`. Observed on 0.171.0: every key here was
//! given values of each type.

use super::schema::{I64, TEXT_MAP, TEXTS, Type, USIZE};

/// The one key of many tables.
pub(super) const ENABLED: &[(&str, Type)] = &[("enabled", Type::Bool)];

/// What `approval_policy` takes.
pub(super) const APPROVAL_POLICY: Type = Type::Variant(&[
    ("untrusted", None),
    ("on-failure", None),
    ("on-request", None),
    (
        "granular",
        Some(Type::Needing(
            &Type::Record {
                name: "GranularApprovalConfig",
                elements: 5,
                fields: &[
                    ("sandbox_approval", Type::Bool),
                    ("rules", Type::Bool),
                    ("mcp_elicitations", Type::Bool),
                    ("skill_approval", Type::Bool),
                    ("request_permissions", Type::Bool),
                ],
            },
            &["sandbox_approval", "rules", "mcp_elicitations"],
        )),
    ),
    ("never", None),
]);

/// `history`.
pub(super) const HISTORY: Type = Type::Struct {
    name: "History",
    fields: &[
        ("persistence", Type::Choice(&["save-all", "none"])),
        ("max_bytes", USIZE),
    ],
};

/// `sandbox_workspace_write`.
pub(super) const SANDBOX_WORKSPACE_WRITE: Type = Type::Struct {
    name: "SandboxWorkspaceWrite",
    fields: &[
        ("writable_roots", Type::List(&Type::Path)),
        ("network_access", Type::Bool),
        ("exclude_tmpdir_env_var", Type::Bool),
        ("exclude_slash_tmp", Type::Bool),
    ],
};

/// `shell_environment_policy`.
pub(super) const SHELL_ENVIRONMENT_POLICY: Type = Type::Record {
    name: "ShellEnvironmentPolicyTomlRaw",
    elements: 7,
    fields: &[
        ("inherit", Type::Choice(&["core", "all", "none"])),
        ("ignore_default_excludes", Type::Bool),
        ("exclude", TEXTS),
        ("set", TEXT_MAP),
        ("include_only", TEXTS),
        ("experimental_use_profile", Type::Bool),
        ("filters", Type::Map(&Type::Choice(&["include", "exclude"]))),
    ],
};

/// `auto_review`.
pub(super) const AUTO_REVIEW: Type = Type::Record {
    name: "AutoReviewToml",
    elements: 5,
    fields: &[("policy", Type::Text)],
};

/// `memories`.
pub(super) const MEMORIES: Type = Type::Record {
    name: "MemoriesToml",
    elements: 15,
    fields: &[
        ("dual_write", Type::Bool),
        ("disable_on_external_context", Type::Bool),
        ("generate_memories", Type::Bool),
        ("use_memories", Type::Bool),
        ("dedicated_tools", Type::Bool),
        ("max_raw_memories_for_consolidation", USIZE),
        ("max_unused_days", I64),
        ("max_rollout_age_days", I64),
        ("max_rollouts_per_startup", USIZE),
        ("min_rollout_idle_hours", I64),
        ("extract_model", Type::Text),
        ("consolidation_model", Type::Text),
        ("consolidation_service_tier", Type::Text),
        ("min_rate_limit_remaining_percent", I64),
        ("version", Type::Choice(&["v1", "v2"])),
        ("no_memories_if_mcp_or_web_search", Type::Bool),
    ],
};

/// `analytics`.
pub(super) const ANALYTICS: Type = Type::Record {
    name: "AnalyticsConfigToml",
    elements: 1,
    fields: ENABLED,
};

/// `feedback`.
pub(super) const FEEDBACK: Type = Type::Record {
    name: "FeedbackConfigToml",
    elements: 1,
    fields: ENABLED,
};

/// `ghost_snapshot`.
pub(super) const GHOST_SNAPSHOT: Type = Type::Record {
    name: "GhostSnapshotToml",
    elements: 3,
    fields: &[
        ("ignore_large_untracked_files", I64),
        ("ignore_large_untracked_dirs", I64),
        ("disable_warnings", Type::Bool),
    ],
};

/// `experimental_thread_store`.
pub(super) const THREAD_STORE: Type = Type::Kinds {
    name: "ThreadStoreToml",
    kinds: &[
        ("local", Type::Any),
        (
            "in_memory",
            Type::Unplaced(&Type::Needing(
                &Type::Open {
                    name: "ThreadStoreToml",
                    fields: &[("id", Type::Text)],
                    flattened: &[],
                    rest: &Type::Any,
                },
                &["id"],
            )),
        ),
    ],
};

/// `forced_chatgpt_workspace_id`.
pub(super) const WORKSPACE_ID: Type = Type::AnyOf {
    name: "Repr",
    types: &[Type::Text, TEXTS],
};

/// `mcp_enterprise_managed_auth`.
pub(super) const ENTERPRISE_AUTH: Type = Type::Needing(
    &Type::Record {
        name: "McpEnterpriseManagedAuthConfig",
        elements: 1,
        fields: &[(
            "idp",
            Type::Needing(
                &Type::Record {
                    name: "McpServerIdpOAuthConfig",
                    elements: 4,
                    fields: &[("issuer", Type::Text)],
                },
                &["issuer"],
            ),
        )],
    },
    &["idp"],
);

/// `permissions`.
pub(super) const PERMISSIONS: Type = Type::Open {
    name: "PermissionsToml",
    fields: &[],
    flattened: &[],
    rest: &Type::Struct {
        name: "PermissionProfileToml",
        fields: &[
            ("description", Type::Text),
            ("extends", Type::Text),
            (
                "workspace_roots",
                Type::Open {
                    name: "WorkspaceRootsToml",
                    fields: &[],
                    flattened: &[],
                    rest: &Type::Bool,
                },
            ),
            (
                "filesystem",
                Type::Opaque {
                    name: "FilesystemPermissionsToml",
                },
            ),
            (
                "network",
                Type::Record {
                    name: "NetworkToml",
                    elements: 0,
                    fields: &[
                        ("enabled", Type::Bool),
                        ("enable_socks5", Type::Bool),
                        ("enable_socks5_udp", Type::Bool),
                        ("allow_upstream_proxy", Type::Bool),
                        ("dangerously_allow_non_loopback_proxy", Type::Bool),
                        ("dangerously_allow_all_unix_sockets", Type::Bool),
                        ("allow_local_binding", Type::Bool),
                        ("proxy_url", Type::Text),
                        ("socks_url", Type::Text),
                        ("mode", Type::Buffered(&["limited", "full"])),
                    ],
                },
            ),
        ],
    },
};

/// `marketplaces.NAME`.
pub(super) const MARKETPLACE: Type = Type::Record {
    name: "MarketplaceConfig",
    elements: 0,
    fields: &[
        ("last_updated", Type::Text),
        ("last_revision", Type::Text),
        ("source_type", Type::Choice(&["git", "local"])),
        ("source", Type::Text),
        ("ref", Type::Text),
        ("sparse_paths", TEXTS),
    ],
};
