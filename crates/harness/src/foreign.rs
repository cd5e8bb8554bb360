//! Servers under another program's key: in a file that is read, but for something else.

use muster_document::{Member, Node};

/// Servers that stand under a key which is not the harness's own.
#[derive(Debug)]
pub(crate) struct Foreign<'n> {
    /// The key as a person would name it: `servers`, `mcp.servers`.
    pub(crate) key: &'static str,
    /// Who reads that key; `None` where nobody does.
    pub(crate) reader: Option<&'static str>,
    /// The servers by name.
    pub(crate) servers: &'n Node,
}

impl Foreign<'_> {
    /// `servers is VS Code's key`, `nobody reads mcp-servers`.
    pub(crate) fn whose(&self) -> String {
        match self.reader {
            Some(reader) => format!("{} is the key of {reader}", self.key),
            None => format!("no agent reads {}", self.key),
        }
    }
}

/// Keys of the table that holds the servers, with those who read it. `mcp.servers` comes before `mcp`, which it is a part of.
const KEYS: &[(&str, &[&str], Option<&str>)] = &[
    (
        "mcpServers",
        &["mcpServers"],
        Some("Claude Code, Gemini CLI, Cursor and Pi"),
    ),
    ("mcp_servers", &["mcp_servers"], Some("Codex")),
    ("servers", &["servers"], Some("VS Code")),
    (
        "mcp.servers",
        &["mcp", "servers"],
        Some("OpenCode 2 and VS Code's settings"),
    ),
    ("mcp", &["mcp"], Some("OpenCode")),
    ("context_servers", &["context_servers"], Some("Zed")),
    ("amp.mcpServers", &["amp.mcpServers"], Some("Amp")),
    ("mcp-servers", &["mcp-servers"], None),
    ("mcpservers", &["mcpservers"], None),
    ("mcp_server", &["mcp_server"], None),
    ("mcpServer", &["mcpServer"], None),
];

/// What shows that a table is meant as a server.
const FIELDS: [&str; 8] = [
    "command",
    "url",
    "httpUrl",
    "serverUrl",
    "type",
    "args",
    "env",
    "headers",
];

/// The servers in `root` under every known key but `own`, in the order of the known keys.
pub(crate) fn servers<'n>(root: &'n Node, own: &str) -> Vec<Foreign<'n>> {
    // Most files hold none of these keys: one look over their members tells.
    if root
        .members()
        .iter()
        .all(|member| is_own_or_unknown(member, own))
    {
        return Vec::new();
    }
    KEYS.iter()
        .filter(|(key, ..)| *key != own)
        .filter_map(|(key, path, reader)| {
            let servers = path.iter().try_fold(root, |node, key| node.get(key))?;
            looks_like_servers(servers).then_some(Foreign {
                key,
                reader: *reader,
                servers,
            })
        })
        .collect()
}

/// The servers in `root` under every known key: of a file that no agent reads as it is.
pub(crate) fn all_servers(root: &Node) -> Vec<&Node> {
    servers(root, "")
        .into_iter()
        .map(|foreign| foreign.servers)
        .collect()
}

fn is_own_or_unknown(member: &Member, own: &str) -> bool {
    let key = member.key.text.as_str();
    key == own || !KEYS.iter().any(|(_, path, _)| path.first() == Some(&key))
}

/// Whether a table's members look like servers: at least one does.
pub(crate) fn looks_like_servers(node: &Node) -> bool {
    node.members().iter().any(|member| is_server(&member.value))
}

/// Whether a node looks like a server.
pub(crate) fn is_server(node: &Node) -> bool {
    FIELDS.iter().any(|field| {
        node.get(field)
            .is_some_and(|value| !value.is_table() || *field == "env" || *field == "headers")
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;
    use muster_document::{Dialect, Document, JsonDialect};

    use super::*;

    fn keys(text: &str, own: &str) -> Vec<(&'static str, usize)> {
        let path = Arc::from(Utf8Path::new("/f"));
        let dialect = Dialect::Json(JsonDialect::JSON_PARSE);
        let document = Document::parse(path, text.as_bytes(), dialect).expect("it is JSON");
        servers(document.root(), own)
            .iter()
            .map(|foreign| (foreign.key, foreign.servers.members().len()))
            .collect()
    }

    #[test]
    fn every_key_but_the_own_one_is_found() {
        let text = r#"{"mcpServers": {"a": {"command": "a"}}, "servers": {"b": {"url": "u"}, "c": {"type": "stdio"}}}"#;
        assert_eq!(keys(text, "mcpServers"), [("servers", 2)]);
        assert_eq!(keys(text, "mcp"), [("mcpServers", 1), ("servers", 2)]);
    }

    #[test]
    fn nested_servers_are_not_one_server_of_that_name() {
        let text = r#"{"mcp": {"servers": {"a": {"command": "a"}}}}"#;
        assert_eq!(keys(text, "mcpServers"), [("mcp.servers", 1)]);
    }

    #[test]
    fn what_does_not_look_like_servers_is_something_else() {
        for text in [
            r#"{"servers": ["a"]}"#,
            r#"{"servers": {"timeout": 3}}"#,
            r#"{"mcp": {"allowed": ["a"], "env": 1}}"#,
            "[]",
            "3",
        ] {
            assert_eq!(keys(text, "mcpServers"), [], "{text}");
        }
    }
}
