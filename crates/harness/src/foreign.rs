//! Servers under another program's key: in a file that is read, but for something else.

use muster_core::Table;
use muster_document::{Member, Node};

/// Servers that stand under a key which is not the harness's own.
#[derive(Debug)]
pub(crate) struct Foreign<'n> {
    /// The key as a person would name it: `servers`, `mcp.servers`.
    pub(crate) key: &'static str,
    /// The byte at which it stands.
    at: usize,
    /// The servers by name.
    pub(crate) servers: &'n Node,
}

impl Foreign<'_> {
    /// `servers is the key of VS Code`, `no agent reads mcp-servers`.
    pub(crate) fn whose(&self) -> String {
        let known = tables().filter(|table| table.key == self.key);
        let readers: Vec<&str> = known.map(|table| table.reader).collect();
        let readers = match readers.as_slice() {
            [] => return format!("no agent reads {}", self.key),
            [reader] => (*reader).to_owned(),
            [all @ .., last] => format!("{} and {last}", all.join(", ")),
        };
        format!("{} is the key of {readers}", self.key)
    }
}

/// Tables of programs that no harness stands for. Those of agents are in their idioms.
const OTHERS: &[Table] = &[
    Table {
        key: "servers",
        path: &["servers"],
        reader: "VS Code",
    },
    Table {
        key: "mcp.servers",
        path: &["mcp", "servers"],
        reader: "VS Code's settings",
    },
    Table {
        key: "context_servers",
        path: &["context_servers"],
        reader: "Zed",
    },
    Table {
        key: "amp.mcpServers",
        path: &["amp.mcpServers"],
        reader: "Amp",
    },
];

/// Keys that people write and nobody reads.
const NOBODYS: [&str; 4] = ["mcp-servers", "mcpservers", "mcp_server", "mcpServer"];

/// Every table that somebody reads, the agents' first; one that several read comes once for each.
fn tables() -> impl Iterator<Item = &'static Table> {
    let agents = crate::ALL.iter().flat_map(|agent| agent.idiom().tables);
    agents.chain(OTHERS)
}

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

/// The servers in `root` under every known key but `own`, in the order of the file.
pub(crate) fn servers<'n>(root: &'n Node, own: &str) -> Vec<Foreign<'n>> {
    // Most files hold none of these keys: one look over their members tells.
    if root
        .members()
        .iter()
        .all(|member| is_own_or_unknown(member, own))
    {
        return Vec::new();
    }
    let mut found: Vec<Foreign<'_>> = Vec::new();
    let nobodys = NOBODYS.iter().map(|key| (*key, std::slice::from_ref(key)));
    for (key, path) in tables().map(|table| (table.key, table.path)).chain(nobodys) {
        if key == own || found.iter().any(|known| known.key == key) {
            continue;
        }
        let member = member_at(root, path).filter(|member| looks_like_servers(&member.value));
        if let Some(Member { key: at, value }) = member {
            found.push(Foreign {
                key,
                at: at.span.start,
                servers: value,
            });
        }
    }
    found.sort_by_key(|foreign| foreign.at);
    found
}

/// What the keys of `path` lead to.
fn member_at<'n>(root: &'n Node, path: &[&str]) -> Option<&'n Member> {
    let (last, before) = path.split_last()?;
    let table = before.iter().try_fold(root, |node, key| node.get(key))?;
    table.member(last)
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
    let is_first = |table: &Table| table.path.first() == Some(&key);
    key == own || !(NOBODYS.contains(&key) || tables().any(is_first))
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
        let text = r#"{"servers": {"b": {"url": "u"}}, "mcp": {"a": {"type": "local"}}}"#;
        assert_eq!(keys(text, ""), [("servers", 1), ("mcp", 1)]);
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
    #[test]
    fn a_key_is_told_with_everybody_who_reads_it() {
        let whose = |key| {
            let text = format!(r#"{{"{key}": {{"a": {{"command": "a"}}}}}}"#);
            let path = Arc::from(Utf8Path::new("/f"));
            let dialect = Dialect::Json(JsonDialect::JSON_PARSE);
            let document = Document::parse(path, text.as_bytes(), dialect).expect("it is JSON");
            let found = servers(document.root(), "");
            found.iter().map(Foreign::whose).collect::<Vec<_>>()
        };
        assert_eq!(
            whose("mcpServers"),
            ["mcpServers is the key of Claude Code, Gemini CLI, Cursor and Pi"]
        );
        assert_eq!(whose("servers"), ["servers is the key of VS Code"]);
        assert_eq!(whose("mcp-servers"), ["no agent reads mcp-servers"]);
    }
}
