//! What makes a server's entry good or bad. One bad entry stops Codex whole.

use muster_document::Masked;

use super::merge::Merged;
use super::schema::{
    Fault, NONZERO, Numbers, TEXT_MAP, TEXTS, Type, U16, U64, check_fields, duration,
};

/// How tools may be approved.
pub(super) const APPROVAL_MODE: Type = Type::Choice(&["auto", "prompt", "writes", "approve"]);

const OAUTH: Type = Type::Struct {
    name: "McpServerOAuthConfig",
    fields: &[
        ("client_id", Type::Text),
        ("client_secret", Type::Text),
        ("callback_url", Type::Text),
        ("callback_port", U16),
    ],
};

pub(super) const TOOLS: Type = Type::Map(&Type::Struct {
    name: "McpServerToolConfig",
    fields: &[
        ("approval_mode", APPROVAL_MODE),
        ("output_token_limit", NONZERO),
    ],
});

/// The thirty keys of an entry. Others are ignored without a word: `type`, `headers`, `disabled`, `timeout`, …
pub(super) static KEYS: &[(&str, Type)] = &[
    ("command", Type::Text),
    ("args", TEXTS),
    ("env", TEXT_MAP),
    ("env_vars", Type::List(&Type::EnvVar)),
    ("cwd", Type::Text),
    ("url", Type::Text),
    ("http_headers", TEXT_MAP),
    ("env_http_headers", TEXT_MAP),
    ("http_headers_helper", Type::Text),
    ("bearer_token_env_var", Type::Text),
    ("bearer_token", Type::Text),
    ("auth", Type::Choice(&["oauth", "chatgpt", "ema_auth"])),
    ("oauth", OAUTH),
    ("oauth_resource", Type::Text),
    ("scopes", TEXTS),
    ("enabled", Type::Bool),
    ("required", Type::Bool),
    ("supports_parallel_tool_calls", Type::Bool),
    ("startup_timeout_sec", Type::Float),
    ("tool_timeout_sec", Type::Seconds),
    ("startup_timeout_ms", U64),
    (
        "startup_readiness",
        Type::Choice(&["connection", "catalog"]),
    ),
    ("environment_id", Type::Text),
    ("enabled_tools", TEXTS),
    ("disabled_tools", TEXTS),
    ("default_tools_approval_mode", APPROVAL_MODE),
    ("tools", TOOLS),
    (
        "omit_tools_from",
        Type::List(&Type::Choice(&["code_mode", "deferred", "direct"])),
    ),
    ("tool_input_schema_max_bytes", NONZERO),
    ("name", Type::Text),
];

/// What a stdio entry must not have, in the order in which Codex looks.
const NOT_FOR_STDIO: &[&str] = &[
    "url",
    "bearer_token_env_var",
    "bearer_token",
    "http_headers_helper",
    "http_headers",
    "env_http_headers",
    "oauth",
    "oauth_resource",
    "auth",
];

/// What an HTTP entry must not have, in the order in which Codex looks.
const NOT_FOR_HTTP: &[&str] = &["args", "env", "env_vars", "cwd", "bearer_token"];

/// Holds one entry against Codex's rules: types in the order of the file, then timeouts, then the transport's own rules.
/// Observed on 0.171.0, `enabled = false` or not.
///
/// # Errors
/// The first complaint, its path relative to the entry.
pub(super) fn check_server(entry: &Merged<'_>) -> Result<(), Fault> {
    if let Some(elements) = entry.as_list() {
        return Err(list_fault(entry, elements));
    }
    if !entry.is_table() {
        // Only for its words: the entry is none.
        return Type::Opaque {
            name: "RawMcpServerConfig",
        }
        .check(entry, Numbers::Hidden);
    }
    check_fields(KEYS, entry, Numbers::Short)?;
    if let Some(value) = entry.get("startup_timeout_sec")
        && let Some(number) = value.as_number()
    {
        duration(number.as_f64()).map_err(|message| Fault::at(value, message))?;
    }
    check_transport(entry)
}

fn check_transport(entry: &Merged<'_>) -> Result<(), Fault> {
    let refuse = |keys: &[&str], transport: &str| {
        let found = keys.iter().find_map(|key| Some((key, entry.get(key)?)));
        found.map_or(Ok(()), |(key, value)| {
            Err(Fault::at(
                value,
                format!("{key} is not supported for {transport}"),
            ))
        })
    };
    if entry.get("command").is_some() {
        refuse(NOT_FOR_STDIO, "stdio")?;
        return check_sources(entry);
    }
    if entry.get("url").is_none() {
        return Err(Fault::at(entry, "invalid transport"));
    }
    refuse(NOT_FOR_HTTP, "streamable_http")?;
    let elsewhere = entry
        .get("environment_id")
        .filter(|id| id.as_str().is_some_and(|id| id != "local"));
    match (entry.get("http_headers_helper"), elsewhere) {
        (Some(helper), Some(_)) => Err(Fault::at(
            helper,
            "http_headers_helper is only supported for local MCP servers",
        )),
        _ => Ok(()),
    }
}

fn check_sources(entry: &Merged<'_>) -> Result<(), Fault> {
    let variables = entry
        .get("env_vars")
        .and_then(Merged::as_list)
        .unwrap_or_default();
    for variable in variables {
        if let Some(source) = variable.get("source")
            && source
                .as_str()
                .is_some_and(|word| !matches!(word, "local" | "remote"))
        {
            let message = format!(
                "unsupported env_vars source `{}`; expected `local` or `remote`",
                Masked::HIDDEN
            );
            return Err(Fault::at(source, message));
        }
    }
    Ok(())
}

/// A list in place of an entry is read field by field; those that cannot be left out come so early that it never is a good entry.
fn list_fault(entry: &Merged<'_>, elements: &[Merged<'_>]) -> Fault {
    let order = [
        Type::Text,
        TEXTS,
        TEXT_MAP,
        Type::List(&Type::EnvVar),
        Type::Text,
        TEXT_MAP,
        TEXT_MAP,
        Type::Text,
        Type::Text,
        Type::Text,
        Type::Text,
    ];
    if let Some(fault) = order
        .iter()
        .zip(elements)
        .find_map(|(field, element)| field.check(element, Numbers::Hidden).err())
    {
        return Fault {
            within: None,
            ..fault
        };
    }
    let missing = match elements.len() {
        0 => 0,
        1..=5 => 5,
        6 => 7,
        given => given,
    };
    match missing {
        0..=10 => Fault::at(
            entry,
            format!(
                "invalid length {missing}, expected struct RawMcpServerConfig with 30 elements"
            ),
        ),
        _ => Fault::at(entry, "url is not supported for stdio"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;
    use muster_document::{Dialect, Document};

    use super::*;

    fn complaint(entry: &str) -> Option<String> {
        let text = format!("[mcp_servers.x]\n{entry}\n");
        let document = Document::parse(
            Arc::from(Utf8Path::new("/t")),
            text.as_bytes(),
            Dialect::Toml,
        )
        .unwrap();
        let merged = Merged::of([(0, document.root())]);
        let checked =
            Type::Map(&Type::Server).check(merged.get("mcp_servers").unwrap(), Numbers::Hidden);
        checked
            .err()
            .map(|fault| format!("{} in {}", fault.message, fault.within.unwrap_or_default()))
    }

    /// Each line was given to the real program, 0.171.0; only hidden values differ.
    #[test]
    fn the_real_words() {
        for (entry, expected) in [
            (
                "command = 'c'\nargs = 's'",
                "invalid type: string \"•••\", expected a sequence in x.args",
            ),
            (
                "command = 'c'\nargs = [1]",
                "invalid type: integer `•••`, expected a string in x.args",
            ),
            (
                "command = 5",
                "invalid type: integer `5`, expected a string in x.command",
            ),
            (
                "command = 123456",
                "invalid type: integer `•••`, expected a string in x.command",
            ),
            (
                "url = 'u'\nbearer_token = 5",
                "invalid type: integer `•••`, expected a string in x.bearer_token",
            ),
            (
                "command = 'c'\nenv = []",
                "invalid type: sequence, expected a map in x.env",
            ),
            (
                "command = 'c'\nenv = { PORT = 8080 }",
                "invalid type: integer `•••`, expected a string in x.env.PORT",
            ),
            (
                "command = 'c'\nenabled = 'false'",
                "invalid type: string \"•••\", expected a boolean in x.enabled",
            ),
            (
                "command = 'c'\nenabled = 1.5",
                "invalid type: floating point `1.5`, expected a boolean in x.enabled",
            ),
            (
                "command = {}",
                "invalid type: map, expected a string in x.command",
            ),
            (
                "command = true",
                "invalid type: boolean `true`, expected a string in x.command",
            ),
            (
                "command = 'c'\nstartup_timeout_sec = true",
                "invalid type: boolean `true`, expected f64 in x.startup_timeout_sec",
            ),
            (
                "command = 'c'\nstartup_timeout_sec = -1",
                "cannot convert float seconds to Duration: value is negative in x",
            ),
            (
                "command = 'c'\ntool_timeout_sec = -1",
                "cannot convert float seconds to Duration: value is negative in x.tool_timeout_sec",
            ),
            (
                "command = 'c'\ntool_timeout_sec = 1e30",
                "cannot convert float seconds to Duration: value is either too big or NaN in x.tool_timeout_sec",
            ),
            (
                "command = 'c'\nstartup_timeout_ms = -1",
                "invalid value: integer `-1`, expected u64 in x.startup_timeout_ms",
            ),
            (
                "command = 'c'\nstartup_timeout_ms = 1e30",
                "invalid type: floating point `1000000000000000000000000000000.0`, expected u64 in x.startup_timeout_ms",
            ),
            (
                "command = 'c'\ntool_input_schema_max_bytes = 0",
                "invalid value: integer `0`, expected a nonzero usize in x.tool_input_schema_max_bytes",
            ),
            (
                "url = 'u'\nauth = 's'",
                "unknown variant `•••`, expected one of `oauth`, `chatgpt`, `ema_auth` in x.auth",
            ),
            (
                "url = 'u'\nauth = 1",
                "invalid type: unit variant, expected string only in x.auth",
            ),
            (
                "url = 'u'\nauth = {}",
                "wanted exactly 1 element, found 0 elements in x.auth",
            ),
            (
                "command = 'c'\nstartup_readiness = 's'",
                "unknown variant `•••`, expected `connection` or `catalog` in x.startup_readiness",
            ),
            (
                "command = 'c'\nomit_tools_from = ['zz']",
                "unknown variant `•••`, expected one of `code_mode`, `deferred`, `direct` in x.omit_tools_from",
            ),
            (
                "url = 'u'\noauth = { callback_port = 70000 }",
                "invalid value: integer `70000`, expected u16 in x.oauth.callback_port",
            ),
            (
                "url = 'u'\noauth = [1]",
                "invalid type: integer `•••`, expected a string in x.oauth",
            ),
            (
                "command = 'c'\ntools.t = 1",
                "invalid type: integer `1`, expected struct McpServerToolConfig in x.tools.t",
            ),
            (
                "command = 'c'\nenv_vars = [{ name = 'a', foo = 1 }]",
                "data did not match any variant of untagged enum McpServerEnvVar in x.env_vars",
            ),
            (
                "command = 'c'\nenv_vars = [{ name = 'a', source = 'zz' }]",
                "unsupported env_vars source `•••`; expected `local` or `remote` in x",
            ),
            (
                "command = 'c'\nurl = 'u'\nenv_vars = [{ name = 'a', source = 'zz' }]",
                "url is not supported for stdio in x",
            ),
            (
                "command = 'c'\nauth = 'oauth'\nhttp_headers = {}",
                "http_headers is not supported for stdio in x",
            ),
            (
                "url = 'u'\ncwd = '/'\nargs = []",
                "args is not supported for streamable_http in x",
            ),
            ("enabled = false", "invalid transport in x"),
            (
                "url = 'u'\nhttp_headers_helper = 'h'\nenvironment_id = 'r'\nenabled = false",
                "http_headers_helper is only supported for local MCP servers in x",
            ),
        ] {
            assert_eq!(complaint(entry).as_deref(), Some(expected), "{entry}");
        }
    }

    #[test]
    fn what_passes() {
        for entry in [
            "command = ''",
            "command = 1979-05-27\nscopes = ['a']",
            "url = 'not a url'\nauth = { oauth = {} }\noauth = []",
            "command = 'c'\ntype = 1\nheaders = 2\ntools.t = []\nstartup_timeout_sec = 0",
            "command = 'c'\nenv_vars = ['A', { name = 'B' }, { name = 'C', source = 'remote' }]",
        ] {
            assert_eq!(complaint(entry), None, "{entry}");
        }
    }

    #[test]
    fn a_list_in_place_of_an_entry() {
        let words = |list: &str| {
            let document = Document::parse(
                Arc::from(Utf8Path::new("/t")),
                format!("x = {list}\n").as_bytes(),
                Dialect::Toml,
            )
            .unwrap();
            check_server(Merged::of([(0, document.root())]).get("x").unwrap())
                .unwrap_err()
                .message
        };
        assert_eq!(
            words("[]"),
            "invalid length 0, expected struct RawMcpServerConfig with 30 elements"
        );
        assert_eq!(
            words("['s']"),
            "invalid length 5, expected struct RawMcpServerConfig with 30 elements"
        );
        assert_eq!(
            words("['s', ['s'], {}, ['s'], 's', {}]"),
            "invalid length 7, expected struct RawMcpServerConfig with 30 elements"
        );
        assert_eq!(
            words("['s', 's']"),
            "invalid type: string \"•••\", expected a sequence"
        );
        assert_eq!(
            words("[{ command = 'c' }]"),
            "invalid type: map, expected a string"
        );
    }
}
