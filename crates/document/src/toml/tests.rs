//! The parser on real texts. Random ones are in `tests/properties/toml.rs`.

use super::*;

#[track_caller]
fn ok(text: &str) -> Node {
    parse(text).unwrap_or_else(|fault| panic!("{text:?}: {fault:?}"))
}

/// Asserts that `text` fails with `message` at the part of it that reads `at`.
#[track_caller]
fn fails(text: &str, message: &str, at: &str) {
    let fault = parse(text).expect_err(text);
    assert_eq!(
        (fault.message.as_str(), fault.span.of(text)),
        (message, at),
        "in {text:?}"
    );
}

/// The key at `path` and its value, as they stand in `text`.
#[track_caller]
fn places<'t>(text: &'t str, root: &Node, path: &[&str]) -> (usize, &'t str, &'t str) {
    let (last, parents) = path.split_last().unwrap();
    let parent = parents.iter().fold(root, |node, key| {
        node.get(key).unwrap_or_else(|| panic!("no {key}"))
    });
    let member = parent.member(last).unwrap();
    (
        member.key.span.start,
        member.key.span.of(text),
        member.value.span.of(text),
    )
}

fn names(node: &Node) -> Vec<&str> {
    node.members()
        .iter()
        .map(|member| member.key.text.as_str())
        .collect()
}

#[test]
fn a_codex_file_becomes_nodes_with_places() {
    let text = "model = \"gpt\"\r\n\r\n[mcp_servers.db]\r\ncommand = 'npx'\r\nargs = [\"-y\",\r\n  \"pg\"]\r\nenv = { PORT = \"5432\", \"A.B\" = '' }\r\ntools.query.approval_mode = \"auto\"\r\n";
    let root = ok(text);
    assert_eq!(root.span, Span::new(0, text.len()));
    assert_eq!(names(&root), ["model", "mcp_servers"]);
    assert_eq!(
        places(text, &root, &["mcp_servers"]),
        (18, "mcp_servers", "mcp_servers")
    );
    assert_eq!(
        places(text, &root, &["mcp_servers", "db"]),
        (30, "db", "[mcp_servers.db]")
    );
    assert_eq!(
        places(text, &root, &["mcp_servers", "db", "command"]).2,
        "'npx'"
    );
    assert_eq!(
        places(text, &root, &["mcp_servers", "db", "args"]).2,
        "[\"-y\",\r\n  \"pg\"]"
    );
    assert_eq!(
        places(text, &root, &["mcp_servers", "db", "env"]).2,
        "{ PORT = \"5432\", \"A.B\" = '' }"
    );
    assert_eq!(
        places(text, &root, &["mcp_servers", "db", "env", "A.B"]).1,
        "\"A.B\""
    );
    assert_eq!(
        places(text, &root, &["mcp_servers", "db", "tools"]).2,
        "tools.query.approval_mode = \"auto\""
    );
    assert_eq!(
        places(
            text,
            &root,
            &["mcp_servers", "db", "tools", "query", "approval_mode"]
        )
        .2,
        "\"auto\""
    );
}

#[test]
fn members_stay_in_file_order_when_a_parent_comes_after_its_child() {
    let text = "[a.b]\nx = 1\n[c]\n[a]\ny = 2\n[d.e]\n[a.f]\n";
    let root = ok(text);
    assert_eq!(names(&root), ["a", "c", "d"]);
    assert_eq!(names(root.get("a").unwrap()), ["b", "y", "f"]);
    assert_eq!(places(text, &root, &["a"]), (17, "a", "[a]"));
    assert_eq!(names(&ok("a.x = 1\nb = 2\na.y = 3\n")), ["a", "b"]);
    assert_eq!(
        names(&ok("b = { z.x = 1, y = 2, z.w = 3 }").members()[0].value),
        ["z", "y"]
    );
}

#[test]
fn arrays_of_tables_are_lists() {
    let text = "[[p]]\nn = 1\n[p.q]\n[[p]]\nn = 2\n[[p.r]]\n";
    let root = ok(text);
    assert_eq!(
        places(text, &root, &["p"]),
        (2, "p", "[[p]]\nn = 1\n[p.q]\n[[p]]")
    );
    let items = root.get("p").and_then(Node::as_array).unwrap();
    assert_eq!(
        items.iter().map(|item| item.span.start).collect::<Vec<_>>(),
        [0, 18]
    );
    assert_eq!(names(&items[0]), ["n", "q"]);
    assert_eq!(
        items[1]
            .get("r")
            .and_then(Node::as_array)
            .map(<[Node]>::len),
        Some(1)
    );
}

#[test]
fn scalars_keep_their_spelling() {
    let text = "a = 1_000\nb = 0xFF\nc = -1.5e3\nd = -inf\ne = true\nf = 1979-05-27 07:32\ng = +5\nh = '''\nx'''\n";
    let root = ok(text);
    let number = |key: &str| match &root.get(key).unwrap().value {
        Value::Number(number) => (number.text.clone(), number.integer, number.as_f64()),
        _ => panic!("{key} is no number"),
    };
    assert_eq!(number("a"), ("1_000".to_owned(), true, 1000.0));
    assert_eq!(number("b"), ("0xFF".to_owned(), true, 255.0));
    assert_eq!(number("c"), ("-1.5e3".to_owned(), false, -1500.0));
    assert_eq!(number("d"), ("-inf".to_owned(), false, f64::NEG_INFINITY));
    assert_eq!(number("g"), ("+5".to_owned(), true, 5.0));
    assert_eq!(root.get("e").and_then(Node::as_bool), Some(true));
    assert!(
        matches!(&root.get("f").unwrap().value, Value::Datetime(text) if text == "1979-05-27 07:32")
    );
    assert_eq!(root.get("h").and_then(Node::as_str), Some("x"));
}

/// What `codex mcp list` 0.171.0 was seen to accept and to refuse.
#[test]
fn codex_reads_toml_1_1() {
    for text in [
        "",
        "# nothing\n",
        "a = { b = 1, # one\n c = 2,\n}",
        "a = \"\\x41\\e\"",
        "a = 07:32",
        "a = 1\r\n",
        "\"é\" = 1",
    ] {
        ok(text);
    }
    for text in [
        "a = 1\rb = 2",
        "a = 1\r",
        "# a\rb",
        "a = \"\u{1}\"",
        "# \u{7f}",
        "é = 1",
        "[a]\n[a]",
        "a = {}\n[a.b]",
        "a = 1e999",
    ] {
        assert!(parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn messages_hold_no_values() {
    fails(
        "key = s3cret",
        "string values must be quoted, expected literal string",
        "s3cret",
    );
    fails("a = \"x\"\na = 's3cret'", "duplicate key", "a");
    fails("s3cret", "key with no value, expected `=`", "");
    fails(
        "a = 99999999999999999999",
        "integer number overflowed",
        "99999999999999999999",
    );
}

#[test]
fn hostile_nesting_is_refused() {
    let long_key = "a.".repeat(100_000) + "a";
    for text in [
        "a = ".to_owned() + &"[".repeat(100_000),
        "a = ".to_owned() + &"[".repeat(100_000) + &"]".repeat(100_000),
        "a = ".to_owned() + &"{b=".repeat(100_000),
        format!("{long_key} = 1"),
        format!("[{long_key}]"),
        format!("[[{long_key}]]"),
        format!("a = {{ {long_key} = 1 }}"),
    ] {
        assert_eq!(parse(&text).unwrap_err().message, "nested too deeply");
    }
}

#[test]
fn too_many_headers_are_refused_before_they_cost_time() {
    let children = |n: usize| (0..n).map(|i| format!("[a{i}.x]\n")).collect::<String>();
    assert!(parse(&children(100)).is_ok());
    assert_eq!(
        parse(&children(MOST_HEADERS + 1)).unwrap_err().message,
        "more than 16384 tables, which Muster does not follow"
    );
}
