//! The shapes of OpenCode's configuration file, as 1.18.33 checks it. Read from the program; those of servers, and of a few other keys, were
//! observed too.

use super::schema::{Schema, optional, required};

const TEXT: Schema = Schema::Text;
const FLAG: Schema = Schema::Flag;
const TEXTS: Schema = Schema::List(&Schema::Text);
const TEXT_RECORD: Schema = Schema::Record(&Schema::Text);
const FLAG_RECORD: Schema = Schema::Record(&Schema::Flag);
const ANY_RECORD: Schema = Schema::Record(&Schema::Any);
const POSITIVE: Schema = Schema::Whole(1.0, None);
const COUNT: Schema = Schema::Whole(0.0, None);
const FINITE: Schema = Schema::Finite;

/// An entry of 1.x whose `type` is `local`.
pub(super) static LOCAL: Schema = Schema::Table(
    &[
        required("command", &TEXTS),
        optional("cwd", &TEXT),
        optional("environment", &TEXT_RECORD),
        optional("enabled", &FLAG),
        optional("timeout", &POSITIVE),
    ],
    None,
);

/// An entry of 1.x whose `type` is `remote`.
pub(super) static REMOTE: Schema = Schema::Table(
    &[
        required("url", &TEXT),
        optional("enabled", &FLAG),
        optional("headers", &TEXT_RECORD),
        optional("oauth", &OAUTH_OR_NO),
        optional("timeout", &POSITIVE),
    ],
    None,
);

const PORT: Schema = Schema::Whole(1.0, Some(65_535.0));

const OAUTH_OR_NO: Schema = Schema::Either(&[
    Schema::Table(
        &[
            optional("clientId", &TEXT),
            optional("clientSecret", &TEXT),
            optional("scope", &TEXT),
            optional("callbackPort", &PORT),
            optional("redirectUri", &TEXT),
        ],
        None,
    ),
    Schema::Only(false),
]);

/// An entry that only switches a server of another file.
pub(super) static SWITCH: Schema = Schema::Table(&[required("enabled", &FLAG)], None);

/// The timeouts of 2.x.
pub(super) static TIMEOUTS: Schema = Schema::Table(
    &[
        optional("startup", &POSITIVE),
        optional("catalog", &POSITIVE),
        optional("execution", &POSITIVE),
    ],
    None,
);

/// An entry of 2.x whose `type` is `local`.
pub(super) static NEXT_LOCAL: Schema = Schema::Table(
    &[
        required("command", &TEXTS),
        optional("cwd", &TEXT),
        optional("environment", &TEXT_RECORD),
        optional("disabled", &FLAG),
        optional("codemode", &FLAG),
        optional("timeout", &TIMEOUTS),
    ],
    None,
);

/// An entry of 2.x whose `type` is `remote`.
pub(super) static NEXT_REMOTE: Schema = Schema::Table(
    &[
        required("url", &TEXT),
        optional("headers", &TEXT_RECORD),
        optional("oauth", &NEXT_OAUTH_OR_NO),
        optional("disabled", &FLAG),
        optional("codemode", &FLAG),
        optional("timeout", &TIMEOUTS),
    ],
    None,
);

const NEXT_OAUTH_OR_NO: Schema = Schema::Either(&[
    Schema::Table(
        &[
            optional("client_id", &TEXT),
            optional("client_secret", &TEXT),
            optional("scope", &TEXT),
            optional("callback_port", &PORT),
            optional("redirect_uri", &TEXT),
        ],
        None,
    ),
    Schema::Only(false),
]);

const ACTION: Schema = Schema::Words(&["ask", "allow", "deny"]);
const ACTIONS: Schema = Schema::Either(&[ACTION, Schema::Record(&ACTION)]);

/// `permission`.
const PERMISSION: Schema = Schema::Either(&[
    ACTION,
    Schema::Table(
        &[
            optional("todowrite", &ACTION),
            optional("question", &ACTION),
            optional("webfetch", &ACTION),
            optional("websearch", &ACTION),
            optional("doom_loop", &ACTION),
        ],
        Some(&ACTIONS),
    ),
]);

const COLOR: Schema = Schema::Either(&[
    Schema::Form("^#[0-9a-fA-F]{6}$", is_hex_color),
    Schema::Words(&[
        "primary",
        "secondary",
        "accent",
        "success",
        "warning",
        "error",
        "info",
    ]),
]);

fn is_hex_color(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| {
        digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// An agent in a configuration file.
static AGENT: Schema = Schema::All(&[
    &AGENT_FILE,
    &Schema::Table(&[optional("prompt", &TEXT)], None),
]);

/// What stands at the top of an agent's Markdown file; its text is the prompt.
pub(super) static AGENT_FILE: Schema = Schema::Table(
    &[
        optional("model", &TEXT),
        optional("variant", &TEXT),
        optional("temperature", &FINITE),
        optional("top_p", &FINITE),
        optional("tools", &FLAG_RECORD),
        optional("disable", &FLAG),
        optional("description", &TEXT),
        optional("mode", &Schema::Words(&["subagent", "primary", "all"])),
        optional("hidden", &FLAG),
        optional("options", &ANY_RECORD),
        optional("color", &COLOR),
        optional("steps", &POSITIVE),
        optional("maxSteps", &POSITIVE),
        optional("permission", &PERMISSION),
    ],
    None,
);

/// What stands at the top of a command's Markdown file; its text is the template.
pub(super) static COMMAND_FILE: Schema = Schema::Table(
    &[
        optional("description", &TEXT),
        optional("agent", &TEXT),
        optional("model", &TEXT),
        optional("variant", &TEXT),
        optional("subtask", &FLAG),
    ],
    None,
);

static COMMAND: Schema = Schema::All(&[
    &Schema::Table(&[required("template", &TEXT)], None),
    &COMMAND_FILE,
]);

/// 2.x writes a model as an object too, which 1.18.33 understands.
const MODEL: Schema = Schema::Either(&[
    TEXT,
    Schema::Table(
        &[
            required("providerID", &TEXT),
            required("model", &TEXT),
            optional("variant", &TEXT),
        ],
        None,
    ),
]);

/// 2.x writes skills as a list, which 1.18.33 understands.
const SKILLS: Schema = Schema::Either(&[
    Schema::Table(&[optional("paths", &TEXTS), optional("urls", &TEXTS)], None),
    TEXTS,
]);

const REFERENCES: Schema = Schema::Record(&Schema::Either(&[
    TEXT,
    Schema::Table(
        &[
            required("repository", &TEXT),
            optional("branch", &TEXT),
            optional("description", &TEXT),
            optional("hidden", &FLAG),
        ],
        None,
    ),
    Schema::Table(
        &[
            required("path", &TEXT),
            optional("description", &TEXT),
            optional("hidden", &FLAG),
        ],
        None,
    ),
]));

const FORMATTER: Schema = Schema::Either(&[
    FLAG,
    Schema::Record(&Schema::Table(
        &[
            optional("disabled", &FLAG),
            optional("command", &TEXTS),
            optional("environment", &TEXT_RECORD),
            optional("extensions", &TEXTS),
        ],
        None,
    )),
]);

const LSP: Schema = Schema::Either(&[
    FLAG,
    Schema::Record(&Schema::Either(&[
        Schema::Table(&[required("disabled", &Schema::Only(true))], None),
        Schema::Table(
            &[
                required("command", &TEXTS),
                optional("extensions", &TEXTS),
                optional("disabled", &FLAG),
                optional("env", &TEXT_RECORD),
                optional("initialization", &ANY_RECORD),
            ],
            None,
        ),
    ])),
]);

const PATIENCE: Schema = Schema::Either(&[POSITIVE, Schema::Only(false)]);

const PROVIDER: Schema = Schema::Table(
    &[
        optional("api", &TEXT),
        optional("name", &TEXT),
        optional("env", &TEXTS),
        optional("id", &TEXT),
        optional("npm", &TEXT),
        optional("whitelist", &TEXTS),
        optional("blacklist", &TEXTS),
        optional(
            "options",
            &Schema::Table(
                &[
                    optional("apiKey", &TEXT),
                    optional("baseURL", &TEXT),
                    optional("enterpriseUrl", &TEXT),
                    optional("setCacheKey", &FLAG),
                    optional("timeout", &PATIENCE),
                    optional("headerTimeout", &PATIENCE),
                    optional("chunkTimeout", &PATIENCE),
                ],
                None,
            ),
        ),
        optional("models", &Schema::Record(&PROVIDER_MODEL)),
    ],
    None,
);

const PROVIDER_MODEL: Schema = Schema::Table(
    &[
        optional("id", &TEXT),
        optional("name", &TEXT),
        optional("family", &TEXT),
        optional("release_date", &TEXT),
        optional("attachment", &FLAG),
        optional("reasoning", &FLAG),
        optional("temperature", &FLAG),
        optional("tool_call", &FLAG),
        optional(
            "interleaved",
            &Schema::Either(&[FLAG, TEXT, Schema::Table(&[required("field", &TEXT)], None)]),
        ),
        optional("cost", &COST),
        optional(
            "limit",
            &Schema::Table(
                &[
                    required("context", &FINITE),
                    optional("input", &FINITE),
                    required("output", &FINITE),
                ],
                None,
            ),
        ),
        optional(
            "modalities",
            &Schema::Table(
                &[
                    optional("input", &MODALITIES),
                    optional("output", &MODALITIES),
                ],
                None,
            ),
        ),
        optional("experimental", &FLAG),
        optional(
            "status",
            &Schema::Words(&["alpha", "beta", "deprecated", "active"]),
        ),
        optional(
            "provider",
            &Schema::Table(&[optional("npm", &TEXT), optional("api", &TEXT)], None),
        ),
        optional("options", &ANY_RECORD),
        optional("headers", &TEXT_RECORD),
        optional(
            "variants",
            &Schema::Record(&Schema::Table(&[optional("disabled", &FLAG)], None)),
        ),
    ],
    None,
);

const MODALITIES: Schema =
    Schema::List(&Schema::Words(&["text", "audio", "image", "video", "pdf"]));

const COST: Schema = Schema::Table(
    &[
        required("input", &FINITE),
        required("output", &FINITE),
        optional("cache_read", &FINITE),
        optional("cache_write", &FINITE),
        optional(
            "context_over_200k",
            &Schema::Table(
                &[
                    required("input", &FINITE),
                    required("output", &FINITE),
                    optional("cache_read", &FINITE),
                    optional("cache_write", &FINITE),
                ],
                None,
            ),
        ),
    ],
    None,
);

const ATTACHMENT: Schema = Schema::Table(
    &[optional(
        "image",
        &Schema::Table(
            &[
                optional("auto_resize", &FLAG),
                optional("max_width", &POSITIVE),
                optional("max_height", &POSITIVE),
                optional("max_base64_bytes", &POSITIVE),
            ],
            None,
        ),
    )],
    None,
);

const EXPERIMENTAL: Schema = Schema::Table(
    &[
        optional("disable_paste_summary", &FLAG),
        optional("batch_tool", &FLAG),
        optional("openTelemetry", &FLAG),
        optional("primary_tools", &TEXTS),
        optional("continue_loop_on_deny", &FLAG),
        optional("mcp_timeout", &POSITIVE),
        optional(
            "policies",
            &Schema::List(&Schema::Table(
                &[
                    required("effect", &Schema::Words(&["allow", "deny"])),
                    required("resource", &TEXT),
                    required("action", &Schema::Words(&["provider.use"])),
                ],
                None,
            )),
        ),
    ],
    None,
);

/// A whole configuration file, but for `mcp`.
pub(super) static CONFIG: Schema = Schema::Table(
    &[
        optional("$schema", &TEXT),
        optional("shell", &TEXT),
        optional(
            "logLevel",
            &Schema::Words(&["DEBUG", "INFO", "WARN", "ERROR"]),
        ),
        optional(
            "server",
            &Schema::Table(
                &[
                    optional("port", &POSITIVE),
                    optional("hostname", &TEXT),
                    optional("mdns", &FLAG),
                    optional("mdnsDomain", &TEXT),
                    optional("cors", &TEXTS),
                ],
                None,
            ),
        ),
        optional("command", &Schema::Record(&COMMAND)),
        optional("skills", &SKILLS),
        optional("references", &REFERENCES),
        optional("reference", &REFERENCES),
        optional(
            "watcher",
            &Schema::Table(&[optional("ignore", &TEXTS)], None),
        ),
        optional("snapshot", &FLAG),
        optional(
            "plugin",
            &Schema::List(&Schema::Either(&[TEXT, Schema::Pair(&TEXT, &ANY_RECORD)])),
        ),
        optional("share", &Schema::Words(&["manual", "auto", "disabled"])),
        optional("autoshare", &FLAG),
        optional(
            "autoupdate",
            &Schema::Either(&[FLAG, Schema::Words(&["notify"])]),
        ),
        optional("disabled_providers", &TEXTS),
        optional("enabled_providers", &TEXTS),
        optional("model", &MODEL),
        optional("small_model", &TEXT),
        optional("default_agent", &TEXT),
        optional("subagent_depth", &COUNT),
        optional("username", &TEXT),
        optional("mode", &Schema::Record(&AGENT)),
        optional("agent", &Schema::Record(&AGENT)),
        optional("provider", &Schema::Record(&PROVIDER)),
        optional("formatter", &FORMATTER),
        optional("lsp", &LSP),
        optional("instructions", &TEXTS),
        optional("layout", &Schema::Words(&["auto", "stretch"])),
        optional("permission", &PERMISSION),
        optional("tools", &FLAG_RECORD),
        optional("attachment", &ATTACHMENT),
        optional(
            "enterprise",
            &Schema::Table(&[optional("url", &TEXT)], None),
        ),
        optional(
            "tool_output",
            &Schema::Table(
                &[
                    optional("max_lines", &POSITIVE),
                    optional("max_bytes", &POSITIVE),
                ],
                None,
            ),
        ),
        optional(
            "compaction",
            &Schema::Table(
                &[
                    optional("auto", &FLAG),
                    optional("prune", &FLAG),
                    optional("tail_turns", &COUNT),
                    optional("preserve_recent_tokens", &COUNT),
                    optional("reserved", &COUNT),
                ],
                None,
            ),
        ),
        optional("experimental", &EXPERIMENTAL),
    ],
    None,
);
