//! Server entries and whole documents in harnesses' vocabularies.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::places::Format;
use super::words::{
    members, mostly, name, some_bool, some_names, some_table, some_text, some_texts, text,
};

type Member = BoxedStrategy<(&'static str, Value)>;

fn member(key: &'static str, value: BoxedStrategy<Value>) -> Member {
    value.prop_map(move |value| (key, value)).boxed()
}

/// Up to `most` members drawn from `choices`; of a key drawn twice the last stays.
fn drawn(choices: Vec<Member>, most: usize) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec(proptest::strategy::Union::new(choices), 0..=most).prop_map(|members| {
        members
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect()
    })
}

/// One server's entry: usually a command or an address with what goes with it.
pub fn entry() -> impl Strategy<Value = Value> {
    let basis = prop_oneof![
        4 => (some_text(), some_texts()).prop_map(|(command, args)| json!({"command": command, "args": args})),
        3 => some_text().prop_map(|url| json!({"url": url})),
        2 => (some_text(), some_text()).prop_map(|(kind, url)| json!({"type": kind, "url": url})),
        1 => Just(json!({})),
    ];
    let table = (basis, drawn(entry_members(), 4)).prop_map(|(basis, more)| match basis {
        Value::Object(basis) => Value::Object(basis.into_iter().chain(more).collect()),
        other => other,
    });
    mostly(table)
}

fn entry_members() -> Vec<Member> {
    let seconds = || {
        mostly(prop_oneof![
            (-1_i64..100).prop_map(Value::from),
            (-1.0..9.0_f64).prop_map(Value::from)
        ])
    };
    vec![
        member("type", some_text()),
        member("command", some_text()),
        member("args", some_texts()),
        member("env", some_table()),
        member("cwd", some_text()),
        member("url", some_text()),
        member("headers", some_table()),
        member("headersHelper", some_text()),
        member("enabled", some_bool()),
        member("disabled", some_bool()),
        member("required", some_bool()),
        member("timeout", seconds()),
        member("startup_timeout_sec", seconds()),
        member("startup_timeout_ms", seconds()),
        member("tool_timeout_sec", seconds()),
        member("enabled_tools", some_names()),
        member("disabled_tools", some_names()),
        member("env_vars", some_texts()),
        member("bearer_token", some_text()),
        member("bearer_token_env_var", some_text()),
        member("http_headers", some_table()),
        member("env_http_headers", some_table()),
        member("environment_id", some_text()),
        member("scopes", some_texts()),
        member("oauth", some_table()),
    ]
}

fn servers() -> BoxedStrategy<Value> {
    mostly(members(name(), entry()).prop_map(Value::Object))
}

/// A whole document of the kind that stands in files of `format`.
pub fn document(format: Format) -> BoxedStrategy<Value> {
    match format {
        Format::Mcp => drawn(
            vec![
                member("mcpServers", servers()),
                member("servers", servers()),
            ],
            2,
        )
        .prop_map(Value::Object)
        .boxed(),
        Format::State => mostly(drawn(state_members(), 4).prop_map(Value::Object)),
        Format::Settings => mostly(drawn(settings_members(), 6).prop_map(Value::Object)),
        Format::Toml => drawn(codex_members(), 5).prop_map(Value::Object).boxed(),
        Format::Environment => members(text(), some_text()).prop_map(Value::Object).boxed(),
    }
}

/// Folders that a file may speak about: the session's, those above it, another.
fn folder() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "/work/repo",
        "/work/repo/sub",
        "/work",
        "/",
        "/work/repo/",
        "/elsewhere",
        "relative",
        "",
    ])
    .prop_map(str::to_owned)
}

fn state_members() -> Vec<Member> {
    let choices = vec![
        member("mcpServers", servers()),
        member("hasTrustDialogAccepted", some_bool()),
        member("enabledMcpjsonServers", some_names()),
        member("disabledMcpjsonServers", some_names()),
        member("disabledMcpServers", some_names()),
        member("enabledMcpServers", some_names()),
        member("enableAllProjectMcpServers", some_bool()),
    ];
    let project = mostly(drawn(choices, 4).prop_map(Value::Object));
    vec![
        member("mcpServers", servers()),
        member(
            "projects",
            mostly(members(folder(), project).prop_map(Value::Object)),
        ),
    ]
}

fn settings_members() -> Vec<Member> {
    let pattern = prop_oneof![
        some_text().prop_map(|name| json!({"serverName": name})),
        some_texts().prop_map(|command| json!({"serverCommand": command})),
        some_text().prop_map(|url| json!({"serverUrl": url})),
    ];
    let patterns = mostly(prop::collection::vec(mostly(pattern), 0..3).prop_map(Value::Array));
    vec![
        member("enableAllProjectMcpServers", some_bool()),
        member("enabledMcpjsonServers", some_names()),
        member("disabledMcpjsonServers", some_names()),
        member("allowedMcpServers", patterns.clone()),
        member("deniedMcpServers", patterns),
        member("allowManagedMcpServersOnly", some_bool()),
        member("strictPluginOnlyCustomization", some_texts()),
        member(
            "enabledPlugins",
            mostly(members(text(), some_bool()).prop_map(Value::Object)),
        ),
        member("managedMcpServers", servers()),
        member("mcpServers", servers()),
        member("env", some_table()),
    ]
}

fn codex_members() -> Vec<Member> {
    let project =
        mostly(drawn(vec![member("trust_level", some_text())], 1).prop_map(Value::Object));
    let plugin = mostly(
        drawn(
            vec![
                member("enabled", some_bool()),
                member("mcp_servers", servers()),
            ],
            2,
        )
        .prop_map(Value::Object),
    );
    vec![
        member("mcp_servers", servers()),
        member("mcp_servers", servers()),
        member(
            "projects",
            mostly(members(folder(), project).prop_map(Value::Object)),
        ),
        member(
            "plugins",
            mostly(members(text(), plugin).prop_map(Value::Object)),
        ),
        member(
            "features",
            mostly(members(text(), some_bool()).prop_map(Value::Object)),
        ),
        member("project_root_markers", some_texts()),
        member("profile", some_text()),
        member("model", some_text()),
        member("approval_policy", some_text()),
        member("mcp_oauth_callback_port", some_text()),
    ]
}
