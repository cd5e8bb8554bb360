//! Lines of files: what of them is shown, and where.

use std::sync::Arc;

use muster_document::{
    Dialect, Document, JsonDialect, LineIndex, Span, excerpt, excerpt_at, excerpt_broken,
};

const JSONC: Dialect = Dialect::Json(JsonDialect {
    comments: true,
    trailing_commas: true,
    ..JsonDialect::JSON_PARSE
});

pub(crate) fn parse(text: &str, dialect: Dialect) -> Document {
    let path: Arc<camino::Utf8Path> = Arc::from(camino::Utf8Path::new("/x/f"));
    Document::parse(path, text.as_bytes(), dialect).unwrap()
}

/// All lines of `document`, masked.
pub(crate) fn masked(document: &Document) -> String {
    let lines = 1..=u32::try_from(document.lines().line_count()).unwrap();
    let texts = lines.map(|line| excerpt(document, line).unwrap().text.to_string());
    texts.collect::<Vec<_>>().join("\n")
}

pub(crate) fn masked_broken(text: &str) -> String {
    let lines = LineIndex::new(text);
    let numbers = 1..=u32::try_from(lines.line_count()).unwrap();
    let texts = numbers.map(|line| excerpt_broken(text, &lines, line).unwrap().text.to_string());
    texts.collect::<Vec<_>>().join("\n")
}

fn check(text: &str, dialect: Dialect, expected: &str) {
    assert_eq!(masked(&parse(text, dialect)), expected);
}

#[test]
fn json_is_masked_by_its_keys() {
    check(
        r#"{
	"mcpServers": {
    "my-token": { "command": "npx", "args": ["-y", "@acme/db", "--api-key", "abc", "--port", 3000] },
    "b": { "command": "/opt/x --token abc", "timeout": 30, "enabled": true,
      "env": { "LEVEL": "debug", "TOKEN": "${TOKEN}", "PIN": 1234, "ON": true },
      "cwd": "/home/me/work" },
    "c": { "url": "https://h.example/mcp/abc?k=v", "headers": { "Authorization": "Bearer abc", "X": "Bearer ${X}" } },
    "d": { "command": ["sh", "-c", "x --key abc"], "oauth": { "clientId": "abc", "port": 1 } },
    "e": { "args": [
      "--token",
      "abc\u0041\"d",
      "https:\/\/u:p@h.example\/x" ] }
  },
  "apiKey": "abc", "note": "see https://h.example/abc", "description": "plain words",
  "projects": { "/home/me/work": { "allowedTools": [] } },
  "tokens": ["a", "b"], "x": "sk-abc", "ghp_abc": 1
}"#,
        JSONC,
        r#"{
    "mcpServers": {
    "my-token": { "command": "npx", "args": ["-y", "@acme/db", "--api-key", "•••", "--port", 3000] },
    "b": { "command": "/opt/x --token •••", "timeout": 30, "enabled": true,
      "env": { "LEVEL": "•••", "TOKEN": "${TOKEN}", "PIN": •••, "ON": true },
      "cwd": "/home/me/work" },
    "c": { "url": "https://h.example/mcp/•••?•••", "headers": { "Authorization": "•••", "X": "Bearer ${X}" } },
    "d": { "command": ["sh", "-c", "x --key •••"], "oauth": { "clientId": "•••", "port": ••• } },
    "e": { "args": [
      "--token",
      "•••",
      "https:\/\/•••:•••@h.example\/•••" ] }
  },
  "apiKey": "•••", "note": "see https://h.example/•••", "description": "plain words",
  "projects": { "/home/me/work": { "allowedTools": [] } },
  "tokens": ["•••", "•••"], "x": "•••", "•••": 1
}"#,
    );
}

#[test]
fn what_the_keys_of_a_server_do_not_take_is_hidden() {
    check(
        r#"{
  "mcpServers": {
    "db": "hunter2",
    "list": ["npx", "hunter2"],
    "odd": {"command": {"x": "hunter2"}, "args": ["a", {"x": "hunter2"}], "timeout": "hunter2", "alwaysLoad": "true"},
    "nested": {"type": "stdio", "cwd": "work", "tools": {"t": {"approval": "hunter2"}}, "retries": 3},
    "kind": {"type": "HTTP", "url": "https://h.example"}, "kind2": {"type": "hunter2", "command": "x"}
  },
  "managedMcpServers": {"db": "hunter2"},
  "model": "opus", "hooks": {"command": "x", "type": "command", "matcher": "Bash"}
}"#,
        JSONC,
        r#"{
  "mcpServers": {
    "db": "•••",
    "list": ["•••", "•••"],
    "odd": {"command": {"x": "•••"}, "args": ["a", {"x": "•••"}], "timeout": "•••", "alwaysLoad": "true"},
    "nested": {"type": "stdio", "cwd": "work", "tools": {"t": {"approval": "•••"}}, "retries": 3},
    "kind": {"type": "HTTP", "url": "https://h.example"}, "kind2": {"type": "•••", "command": "x"}
  },
  "managedMcpServers": {"db": "•••"},
  "model": "opus", "hooks": {"command": "x", "type": "command", "matcher": "Bash"}
}"#,
    );
    check(
        r#"{"db": "hunter2", "other": {"url": "https://h.example", "note": "hunter2"}}"#,
        JSONC,
        r#"{"db": "•••", "other": {"url": "https://h.example", "note": "•••"}}"#,
    );
    check(
        r#"mcp_servers.x = "hunter2"
[mcp_servers.db]
command = "npx"
enabled = "hunter2"
startup_timeout_sec = "hunter2"
tools = "hunter2"
auth = "hunter2"
default_tools_approval_mode = "prompt"
env_vars = [{ name = "TOKEN", source = "hunter2" }, "PORT"]
enabled_tools = ["search"]
bearer_token_env_var = "hunter2""#,
        Dialect::Toml,
        r#"mcp_servers.x = "•••"
[mcp_servers.db]
command = "npx"
enabled = "•••"
startup_timeout_sec = "•••"
tools = "•••"
auth = "•••"
default_tools_approval_mode = "prompt"
env_vars = [{ name = "TOKEN", source = "•••" }, "PORT"]
enabled_tools = ["search"]
bearer_token_env_var = "•••""#,
    );
}

#[test]
fn a_bare_word_is_no_key_of_json() {
    let text = "{\n  hunter2:\n  command: 1,\n  \"db2\": 1";
    assert_eq!(
        masked_broken(text),
        "{\n  •••:\n  command: 1,\n  \"db2\": 1"
    );
    let toml = "db2 = 1\n[";
    assert_eq!(masked_broken(toml), toml);
}

#[test]
fn comments_are_judged_by_what_they_look_like() {
    check(
        r#"{ // the old server, see docs/setup.md
  // "token": "abc", "command": "npx"
  /* Bearer abc
     password: abc def
     ghp_abc and hunter2x9 stay out */
  "a": 1 // https://u:p@h.example/x
}"#,
        JSONC,
        r#"{ // the old server, see docs/setup.md
  // "token": •••
  /* Bearer •••
     password: •••
     ••• and ••• stay out */
  "a": 1 // https://•••:•••@h.example/•••
}"#,
    );
}

#[test]
fn toml_is_masked_by_its_keys() {
    check(
        r#"# token = "abc"
model = "gpt-5"
[mcp_servers.db]
command = 'npx'
args = ["-y", "@acme/db", "--password=abc"]
env = { LEVEL = "debug", A = "$A" }
bearer_token_env_var = "DB_TOKEN"
env_http_headers = { X-Token = "DB_TOKEN", Y = "not-a-name" }
[mcp_servers.db.http_headers]
X-Foo = """
abc
def"""
[mcp_servers.web]
url = "https://h.example/abc"
env.DAY = 2025-06-18
[[hooks]]
token = "abc"
command = "curl -H 'X: abc'"
[mcp_servers.db.tools]
a = 1"#,
        Dialect::Toml,
        r#"# token = •••
model = "gpt-5"
[mcp_servers.db]
command = 'npx'
args = ["-y", "@acme/db", "--password=•••"]
env = { LEVEL = "•••", A = "$A" }
bearer_token_env_var = "DB_TOKEN"
env_http_headers = { X-Token = "DB_TOKEN", Y = "•••" }
[mcp_servers.db.http_headers]
X-Foo = """
•••
•••"""
[mcp_servers.web]
url = "https://h.example/•••"
env.DAY = •••
[[hooks]]
token = "•••"
command = "curl -H 'X: •••'"
[mcp_servers.db.tools]
a = 1"#,
    );
}

#[test]
fn of_a_broken_file_keys_and_punctuation_stay() {
    let text = r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "abc"], "n": 12, "m": 1234, "on": true, "x": null },,
    "token": "abc
    "a" "b": "c", d: e, f: g
    // "token": "abc" is old
[mcp_servers.x]
key = abc,def:ghi
aB3x==
url = "https://h.example"  # ghp_abc
env = { A = "${A}", 'B' = 'x' }
text = """
token: abc
"""
"#;
    let expected = r#"{
  "mcpServers": {
    "db": { "command": "•••", "args": ["•••", "•••"], "n": 12, "m": •••, "on": true, "x": null },,
    "token": "•••
    "•••" "•••": "•••", d: •••, •••: •••
    // "token": •••
[mcp_servers.x]
key = •••,•••:•••
•••==
url = "•••"  # •••
env = { A = "${A}", 'B' = '•••' }
text = """
•••
•••
"#;
    assert_eq!(masked_broken(text), expected);
}

#[test]
fn long_strings_are_hidden_whole() {
    let text = format!(
        "{{\"a\": \"{0}\", \"b\": [\"{0}\", 1]}}",
        "word ".repeat(4000)
    );
    let document = parse(&text, JSONC);
    let shown = excerpt(&document, 1).unwrap().text;
    assert_eq!(shown.as_str(), "{\"a\": \"•••…");
    let at = text.find("\"b\"").unwrap();
    let shown = excerpt_at(&document, Span::new(at, at + 3)).unwrap().text;
    assert_eq!(shown.as_str(), "…•••\", \"b\": [\"•••…");
}

#[test]
fn marks_follow_what_masking_moves() {
    let text = "{\n\t\"a\": {\"env\": {\"K\": \"hunter2\"}, \"ä\u{200b}\": 1}}";
    let document = parse(text, JSONC);
    let line = excerpt(&document, 2).unwrap();
    let shown = line.text.to_string();
    assert_eq!(
        shown,
        "    \"a\": {\"env\": {\"K\": \"•••\"}, \"ä\\u{200b}\": 1}}"
    );
    let part = |range: std::ops::Range<usize>| {
        shown
            .chars()
            .skip(range.start)
            .take(range.len())
            .collect::<String>()
    };
    let marked = |needle: &str| {
        let at = text.find(needle).unwrap();
        let span = Span::new(at, at + needle.len());
        assert_eq!(part(line.marks(span)), shown[line.bytes(span)]);
        part(line.marks(span))
    };
    assert_eq!(marked("\"a\""), "\"a\"");
    assert_eq!(marked("\"hunter2\""), "\"•••\"");
    assert_eq!(marked("unter"), "•••");
    assert_eq!(marked("\"ä\u{200b}\""), "\"ä\\u{200b}\"");
    assert_eq!(marked("\t"), "    ");
    assert_eq!(line.marks(Span::new(0, 1)), 0..0);
    assert_eq!(line.column_of(text.len()), shown.chars().count());
    assert_eq!(
        line.column_of(text.find(": 1").unwrap()),
        shown.chars().count() - 5
    );
}

#[test]
fn of_a_long_line_the_part_around_a_place_is_shown() {
    let filler = "\"command\": \"npx\", ".repeat(1000);
    let text = format!("{{{filler}\"here\": \"sk-abc\", {filler}\"z\": 1}}");
    let document = parse(&text, JSONC);
    let at = text.find("\"here\"").unwrap();
    let span = Span::new(at, at + 6);
    let line = excerpt_at(&document, span).unwrap();
    let shown = line.text.as_str();
    assert!(shown.starts_with('…') && shown.ends_with('…') && shown.len() < 6000);
    assert_eq!(&shown[line.bytes(span)], "\"here\"");
    assert!(shown.contains("\"here\": \"•••\","));
    assert_eq!(excerpt(&document, 2), None);
}
