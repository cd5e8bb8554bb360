//! What groups of settings hold that are described by a name in Gemini CLI's own schema, 0.61.0.

use super::schema::Type::{self, AnyOf, Bool, List, Number, OneOf, Open, OpenWith, Strict, Text};

pub(super) const TEXTS: Type = List(&Text);

/// An entry of `mcpServers`.
pub(super) const SERVER: Type = Strict(
    &[
        ("command", Text),
        ("args", TEXTS),
        ("env", OpenWith(&[], &Text)),
        ("cwd", Text),
        ("url", Text),
        ("httpUrl", Text),
        ("headers", OpenWith(&[], &Text)),
        ("tcp", Text),
        ("type", OneOf(&["stdio", "sse", "http"])),
        ("timeout", Number),
        ("trust", Bool),
        ("description", Text),
        ("includeTools", TEXTS),
        ("excludeTools", TEXTS),
        ("extension", Open(&[])),
        ("oauth", Open(&[])),
        (
            "authProviderType",
            OneOf(&[
                "dynamic_discovery",
                "google_credentials",
                "service_account_impersonation",
            ]),
        ),
        ("targetAudience", Text),
        ("targetServiceAccount", Text),
    ],
    &[],
);

pub(super) const REQUIRED_SERVER: Type = Strict(
    &[
        ("url", Text),
        ("type", OneOf(&["sse", "http"])),
        ("headers", OpenWith(&[], &Text)),
        ("timeout", Number),
        ("trust", Bool),
        ("description", Text),
        ("includeTools", TEXTS),
        ("excludeTools", TEXTS),
        ("oauth", Open(&[])),
        (
            "authProviderType",
            OneOf(&[
                "dynamic_discovery",
                "google_credentials",
                "service_account_impersonation",
            ]),
        ),
        ("targetAudience", Text),
        ("targetServiceAccount", Text),
    ],
    &[],
);

pub(super) const TELEMETRY: Type = AnyOf(&[
    Bool,
    Strict(
        &[
            ("enabled", Bool),
            ("target", Text),
            ("otlpEndpoint", Text),
            ("otlpProtocol", OneOf(&["grpc", "http"])),
            ("traces", Bool),
            ("logPrompts", Bool),
            ("outfile", Text),
            ("useCollector", Bool),
            ("useCliAuth", Bool),
        ],
        &[],
    ),
]);

pub(super) const BUG_COMMAND: Type = Strict(&[("urlTemplate", Text)], &["urlTemplate"]);

pub(super) const TOOL_OUTPUT: Type = Strict(&[("tokenBudget", Number)], &[]);

pub(super) const AGENT_OVERRIDE: Type = Strict(
    &[
        ("modelConfig", Open(&[])),
        (
            "runConfig",
            Strict(&[("maxTimeMinutes", Number), ("maxTurns", Number)], &[]),
        ),
        ("enabled", Bool),
    ],
    &[],
);

pub(super) const CUSTOM_THEME: Type = Strict(
    &[
        ("type", OneOf(&["custom"])),
        ("name", Text),
        (
            "text",
            Strict(
                &[
                    ("primary", Text),
                    ("secondary", Text),
                    ("link", Text),
                    ("accent", Text),
                    ("response", Text),
                ],
                &[],
            ),
        ),
        (
            "background",
            Strict(
                &[
                    ("primary", Text),
                    ("diff", Strict(&[("added", Text), ("removed", Text)], &[])),
                ],
                &[],
            ),
        ),
        (
            "border",
            Strict(&[("default", Text), ("focused", Text)], &[]),
        ),
        (
            "ui",
            Strict(
                &[("comment", Text), ("symbol", Text), ("gradient", TEXTS)],
                &[],
            ),
        ),
        (
            "status",
            Strict(
                &[("error", Text), ("success", Text), ("warning", Text)],
                &[],
            ),
        ),
        ("Background", Text),
        ("Foreground", Text),
        ("LightBlue", Text),
        ("AccentBlue", Text),
        ("AccentPurple", Text),
        ("AccentCyan", Text),
        ("AccentGreen", Text),
        ("AccentYellow", Text),
        ("AccentRed", Text),
        ("DiffAdded", Text),
        ("DiffRemoved", Text),
        ("Comment", Text),
        ("Gray", Text),
        ("DarkGray", Text),
        ("GradientColors", TEXTS),
    ],
    &["type", "name"],
);

pub(super) const TEXT_OR_TEXTS: Type = AnyOf(&[Text, TEXTS]);

pub(super) const SANDBOX: Type = AnyOf(&[
    Bool,
    Text,
    Strict(
        &[
            ("enabled", Bool),
            (
                "command",
                OneOf(&["docker", "podman", "sandbox-exec", "runsc", "lxc"]),
            ),
            ("image", Text),
            ("allowedPaths", TEXTS),
            ("networkAccess", Bool),
        ],
        &[],
    ),
]);

pub(super) const HOOKS: Type = List(&Open(&[
    ("matcher", Text),
    (
        "hooks",
        List(&Open(&[
            ("name", Text),
            ("type", Text),
            ("command", Text),
            ("description", Text),
            ("timeout", Number),
        ])),
    ),
]));

pub(super) const MODEL_DEFINITION: Type = Open(&[
    ("displayName", Text),
    ("family", Text),
    ("isPreview", Bool),
    ("isVisible", Bool),
    ("dialogDescription", Text),
    (
        "features",
        Open(&[("thinking", Bool), ("multimodalToolUse", Bool)]),
    ),
]);

pub(super) const MODEL_RESOLUTION: Type = Open(&[
    ("default", Text),
    (
        "contexts",
        List(&Open(&[
            (
                "condition",
                Open(&[
                    ("useGemini3_1", Bool),
                    ("useLatestFlash", Bool),
                    ("useLatestFlashLite", Bool),
                    ("useGemini3_5Flash", Bool),
                    ("useGemini3_1FlashLite", Bool),
                    ("useCustomTools", Bool),
                    ("hasAccessToPreview", Bool),
                    ("requestedModels", TEXTS),
                ]),
            ),
            ("target", Text),
        ])),
    ),
]);

// The real program looks for the elements' schema under a key that its reader does not know, and so takes any object.
pub(super) const MODEL_CHAIN: Type = List(&Open(&[]));
