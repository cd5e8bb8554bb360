//! `plugin.json`: what it may hold. One value of a wrong shape refuses the whole plugin, its `.mcp.json` too.
//!
//! Found on 2.1.332 by writing each key with values of every type. Keys that tolerate anything (`description`, `author`, `keywords`,
//! unknown ones, …) do not appear.

use muster_document::{Document, Node};

use super::super::entry;

/// What a key's value may be.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// A string that is not empty and holds no blank.
    Name,
    /// A string.
    Text,
    /// A path below the plugin, or a list of them.
    Paths,
    /// The same, or an object of objects.
    PathsOrTables,
    /// The same for Markdown files.
    MarkdownPaths,
    /// An object, or the path of a JSON file.
    Table,
    /// An object of objects.
    Tables,
    /// A list of names of plugins, which hold no slash.
    Plugins,
    /// An object or a list.
    Container,
    /// Servers: see [`servers_fit`].
    Servers,
}

use Shape::{
    Container, MarkdownPaths, Name, Paths, PathsOrTables, Plugins, Servers, Table, Tables, Text,
};

static KEYS: &[(&str, Shape)] = &[
    ("agents", MarkdownPaths),
    ("channels", Container),
    ("commands", PathsOrTables),
    ("dependencies", Plugins),
    ("hooks", Table),
    ("lspServers", Tables),
    ("mcpServers", Servers),
    ("monitors", Container),
    ("name", Name),
    ("outputStyles", Paths),
    ("settings", Table),
    ("skills", Paths),
    ("themes", Paths),
    ("userConfig", Tables),
    ("version", Text),
];

/// What refuses a manifest: the key and the value.
pub(super) fn first_wrong(document: &Document) -> Option<(&'static str, &Node)> {
    let root = document.root();
    if !root.is_table() {
        return Some(("the manifest", root));
    }
    if root.get("name").is_none() {
        return Some(("name", root));
    }
    root.effective_members().into_iter().find_map(|member| {
        let (key, shape) = KEYS.iter().find(|(key, _)| *key == member.key.text)?;
        (!fits(document, &member.value, *shape)).then_some((*key, &member.value))
    })
}

fn fits(document: &Document, node: &Node, shape: Shape) -> bool {
    let one_or_all = |judge: &dyn Fn(&str) -> bool| match node.as_array() {
        Some(items) => items.iter().all(|item| item.as_str().is_some_and(judge)),
        None => node.as_str().is_some_and(judge),
    };
    match shape {
        Name => node
            .as_str()
            .is_some_and(|name| !name.is_empty() && !name.contains(char::is_whitespace)),
        Text => node.as_str().is_some(),
        Paths => one_or_all(&is_inside),
        PathsOrTables => fits(document, node, Tables) || one_or_all(&is_inside),
        MarkdownPaths => one_or_all(&|path| is_inside(path) && path.ends_with(".md")),
        Table => node.is_table() || one_or_all(&|path| is_inside(path) && path.ends_with(".json")),
        Tables => {
            node.is_table()
                && node
                    .members()
                    .iter()
                    .all(|member| !member.value.members().is_empty())
        }
        Plugins => {
            node.as_array().is_some() && one_or_all(&|name| !name.is_empty() && !name.contains('/'))
        }
        Container => {
            node.is_table()
                || node
                    .as_array()
                    .is_some_and(|items| items.iter().all(Node::is_table))
        }
        Servers => match node.as_array() {
            Some(items) => items.iter().all(|item| servers_fit(document, item)),
            None => servers_fit(document, node),
        },
    }
}

/// A path of a JSON file or a bundle below the plugin, the address of a bundle, or an object of entries that are all good.
fn servers_fit(document: &Document, node: &Node) -> bool {
    if let Some(text) = node.as_str() {
        let bundle = [".mcpb", ".dxt"]
            .iter()
            .any(|ending| text.ends_with(ending));
        let remote = text.starts_with("http://") || text.starts_with("https://");
        return (is_inside(text) && (bundle || text.ends_with(".json"))) || (remote && bundle);
    }
    let good = |member: &&muster_document::Member| {
        entry::check(document, &member.key.text, &member.value)
            .refusal
            .is_none()
    };
    node.is_table() && node.effective_members().iter().all(good)
}

fn is_inside(path: &str) -> bool {
    path.starts_with("./")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;

    use super::*;

    fn refused_by(text: &str) -> Option<String> {
        let path: Arc<Utf8Path> = Arc::from(Utf8Path::new("/p"));
        let document = Document::parse(path, text.as_bytes(), super::super::dialect::JSON).unwrap();
        first_wrong(&document).map(|(key, _)| key.to_owned())
    }

    #[test]
    fn what_refuses_a_plugin() {
        for (key, value) in [
            ("version", "1"),
            ("commands", "\"x.md\""),
            ("agents", "[\"a\"]"),
            ("hooks", "1"),
            ("lspServers", "{\"a\":{}}"),
            ("dependencies", "[\"./x\"]"),
            ("mcpServers", "null"),
            ("mcpServers", "\"b.json\""),
            ("mcpServers", "\"./b.txt\""),
            ("mcpServers", "\"https://h/y.json\""),
            ("mcpServers", "[\"./b.json\",1]"),
            ("mcpServers", "{\"x\":{\"url\":\"http://h\"}}"),
        ] {
            let text = format!("{{\"name\":\"p\",\"{key}\":{value}}}");
            assert_eq!(refused_by(&text).as_deref(), Some(key), "{text}");
        }
        for name in ["\"\"", "\" p\"", "1", "null"] {
            assert_eq!(
                refused_by(&format!("{{\"name\":{name}}}")).as_deref(),
                Some("name"),
                "{name}"
            );
        }
        assert_eq!(refused_by("{}").as_deref(), Some("name"));
        assert_eq!(refused_by("[]").as_deref(), Some("the manifest"));
    }

    #[test]
    fn what_is_tolerated() {
        for text in [
            r#"{"name":"p","description":1,"keywords":1,"zzz":null,"author":"x"}"#,
            r#"{"name":"p","mcpServers":[]}"#,
            r#"{"name":"p","mcpServers":["./b.json",{"z":{"command":"echo"}},"./x.mcpb","http://h/y.mcpb"]}"#,
            r#"{"name":"p","mcpServers":{"workspace":{"command":"c"}}}"#,
            r#"{"name":"a/b:c","commands":["./x"],"hooks":{"a":1},"dependencies":["zz@m"]}"#,
        ] {
            assert_eq!(refused_by(text), None, "{text}");
        }
    }
}
