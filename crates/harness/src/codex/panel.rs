//! What is inside the tables of `config.toml` that are about the panel and what it tells others. Observed on 0.171.0: every key here was
//! given values of each type.

use super::schema::{I64, NONZERO_U64, TEXT_MAP, TEXTS, Type, U32, USIZE};

const KEYMAP: Type = Type::Record {
    name: "TuiKeymap",
    elements: 0,
    fields: &[
        (
            "global",
            Type::Opaque {
                name: "TuiGlobalKeymap",
            },
        ),
        (
            "chat",
            Type::Opaque {
                name: "TuiChatKeymap",
            },
        ),
        (
            "composer",
            Type::Opaque {
                name: "TuiComposerKeymap",
            },
        ),
        (
            "editor",
            Type::Opaque {
                name: "TuiEditorKeymap",
            },
        ),
        (
            "approval",
            Type::Opaque {
                name: "TuiApprovalKeymap",
            },
        ),
        (
            "vim_normal",
            Type::Opaque {
                name: "TuiVimNormalKeymap",
            },
        ),
        (
            "vim_operator",
            Type::Opaque {
                name: "TuiVimOperatorKeymap",
            },
        ),
        (
            "vim_search",
            Type::Opaque {
                name: "TuiVimSearchKeymap",
            },
        ),
        (
            "vim_text_object",
            Type::Opaque {
                name: "TuiVimTextObjectKeymap",
            },
        ),
        (
            "pager",
            Type::Opaque {
                name: "TuiPagerKeymap",
            },
        ),
        (
            "list",
            Type::Opaque {
                name: "TuiListKeymap",
            },
        ),
        (
            "agents",
            Type::Opaque {
                name: "TuiAgentsKeymap",
            },
        ),
    ],
};

const QUICK_DIAL: Type = Type::Needing(
    &Type::Record {
        name: "QuickDial",
        elements: 2,
        fields: &[("input", Type::Text)],
    },
    &["input"],
);

/// `tui`.
pub(super) const TUI: Type = Type::Open {
    name: "Tui",
    fields: &[
        ("animations", Type::Bool),
        (
            "alternate_screen",
            Type::Choice(&["auto", "always", "never"]),
        ),
        ("theme", Type::Text),
        ("status_line", TEXTS),
        ("status_line_use_colors", Type::Bool),
        ("terminal_title", TEXTS),
        ("pet", Type::Text),
        ("pet_anchor", Type::Choice(&["composer", "screen-bottom"])),
        ("resume_cwd", Type::Choice(&["current", "session"])),
        ("keymap", KEYMAP),
        ("presets", Type::Map(&QUICK_DIAL)),
        (
            "model_availability_nux",
            Type::Table {
                name: "ModelAvailabilityNuxConfig",
                member: &Type::Unplaced(&U32),
            },
        ),
        ("terminal_resize_reflow_max_rows", USIZE),
        (
            "effects",
            Type::Struct {
                name: "TuiEffects",
                fields: &[("starfield", Type::Bool), ("welcome", Type::Bool)],
            },
        ),
        (
            "rendering",
            Type::Opaque {
                name: "TuiRendering",
            },
        ),
        ("show_tooltips", Type::Bool),
        ("show_server_version_notice", Type::Bool),
        ("auto_recap", Type::Bool),
        ("question_esc_back", Type::Bool),
        ("raw_output_mode", Type::Bool),
        ("collapse_turn_details", Type::Bool),
        ("mouse_scroll_speed", Type::Float),
        ("copy_on_select", Type::Choice(&["auto", "always", "never"])),
        ("copy_on_select_clear_selection", Type::Bool),
        ("right_click_paste", Type::Choice(&["auto", "on", "off"])),
        ("vim_mode_default", Type::Bool),
        (
            "session_picker_view",
            Type::Choice(&["comfortable", "dense"]),
        ),
        (
            "agents_overview_grouping",
            Type::Choice(&["project", "status", "model"]),
        ),
        ("default_hosts", Type::Map(&TEXT_MAP)),
    ],
    flattened: &[
        (
            "notifications",
            Type::AnyOf {
                name: "Notifications",
                types: &[Type::Bool, TEXTS],
            },
        ),
        (
            "notification_method",
            Type::Buffered(&["auto", "osc9", "osc777", "bel"]),
        ),
        (
            "notification_condition",
            Type::Buffered(&["unfocused", "always"]),
        ),
    ],
    rest: &Type::Any,
};

const TLS: Type = Type::Record {
    name: "OtelTlsConfig",
    elements: 3,
    fields: &[
        ("ca-certificate", Type::Path),
        ("client-certificate", Type::Path),
        ("client-private-key", Type::Path),
    ],
};

const EXPORTER: Type = Type::Variant(&[
    ("none", None),
    ("statsig", None),
    (
        "otlp-http",
        Some(Type::Needing(
            &Type::Struct {
                name: "variant OtelExporterKind::OtlpHttp",
                fields: &[
                    ("endpoint", Type::Text),
                    ("headers", TEXT_MAP),
                    ("protocol", Type::Choice(&["binary", "json"])),
                    ("tls", TLS),
                ],
            },
            &["endpoint", "protocol"],
        )),
    ),
    (
        "otlp-grpc",
        Some(Type::Needing(
            &Type::Struct {
                name: "variant OtelExporterKind::OtlpGrpc",
                fields: &[
                    ("endpoint", Type::Text),
                    ("headers", TEXT_MAP),
                    ("tls", TLS),
                ],
            },
            &["endpoint"],
        )),
    ),
]);

/// `otel`.
pub(super) const OTEL: Type = Type::Record {
    name: "OtelConfigToml",
    elements: 13,
    fields: &[
        ("environment", Type::Text),
        ("log_user_prompt", Type::Bool),
        ("exporter", EXPORTER),
        ("trace_exporter", EXPORTER),
        ("metrics_exporter", EXPORTER),
        ("headers_helper", Type::Text),
        ("headers_helper_refresh_interval_ms", NONZERO_U64),
        ("log_sse_deltas", Type::Bool),
        ("log_agent_responses", Type::Bool),
        ("log_guardian_assessments", Type::Bool),
        ("span_attributes", TEXT_MAP),
        ("tracestate", Type::Map(&TEXT_MAP)),
    ],
};

const MIGRATION_PROMPTS: Type = Type::Record {
    name: "ExternalConfigMigrationPrompts",
    elements: 4,
    fields: &[
        ("home", Type::Bool),
        ("home_last_prompted_at", I64),
        ("projects", Type::Map(&Type::Bool)),
        ("project_last_prompted_at", Type::Map(&I64)),
    ],
};

/// `notice`.
pub(super) const NOTICE: Type = Type::Record {
    name: "Notice",
    elements: 9,
    fields: &[
        ("hide_full_access_warning", Type::Bool),
        ("hide_world_writable_warning", Type::Bool),
        ("fast_default_opt_out", Type::Bool),
        ("hide_rate_limit_model_nudge", Type::Bool),
        ("hide_gpt5_1_migration_prompt", Type::Bool),
        ("hide_gpt-5.1-codex-max_migration_prompt", Type::Bool),
        ("model_migrations", TEXT_MAP),
        ("external_config_migration_prompts", MIGRATION_PROMPTS),
    ],
};

/// `audio`.
pub(super) const AUDIO: Type = Type::Record {
    name: "RealtimeAudioToml",
    elements: 3,
    fields: &[("microphone", Type::Text), ("speaker", Type::Text)],
};

/// `realtime`.
pub(super) const REALTIME: Type = Type::Record {
    name: "RealtimeToml",
    elements: 4,
    fields: &[
        ("transport", Type::Choice(&["webrtc", "websocket"])),
        ("type", Type::Choice(&["conversational", "transcription"])),
        ("version", Type::Choice(&["v1", "v2", "v3"])),
        (
            "voice",
            Type::Choice(&[
                "alloy", "arbor", "ash", "aube", "ballad", "breeze", "bubbie", "cedar", "coral",
                "cove", "echo", "ember", "haetsal", "hanul", "himari", "juniper", "leher", "maple",
                "marin", "miko", "neer", "porto", "rindo", "rio", "rivage", "sage", "selva",
                "shimmer", "sol", "sonna", "spruce", "tinta", "vale", "verse", "viola",
            ]),
        ),
    ],
};

/// `windows`.
pub(super) const WINDOWS: Type = Type::Record {
    name: "WindowsToml",
    elements: 2,
    fields: &[
        ("sandbox", Type::Choice(&["elevated", "unelevated", "mxc"])),
        ("allow_mxc", Type::Bool),
    ],
};
