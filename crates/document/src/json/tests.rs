//! The parser on real texts. Random ones are in `tests/properties/json.rs`.

use super::*;

/// OpenCode's dialect: `jsonc-parser` of Visual Studio Code with trailing commas allowed.
const JSONC: JsonDialect = JsonDialect {
    comments: true,
    trailing_commas: true,
    ..JsonDialect::JSON_PARSE
};

fn strict(text: &str) -> Result<Node, Fault> {
    parse(text, JsonDialect::JSON_PARSE)
}

#[track_caller]
fn ok(text: &str, rules: JsonDialect) -> Node {
    parse(text, rules).unwrap_or_else(|fault| panic!("{text:?}: {fault:?}"))
}

/// Asserts that `text` fails with `message` at the part of it that reads `at`.
#[track_caller]
fn fails(text: &str, rules: JsonDialect, message: &str, at: &str) {
    let fault = parse(text, rules).expect_err(text);
    assert_eq!(
        (fault.message.as_str(), fault.span.of(text)),
        (message, at),
        "in {text:?}"
    );
}

#[test]
fn an_mcp_file_becomes_nodes_with_places() {
    let text = r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "pg-mcp@1.2"], "env": {"PORT": "5432"}, "timeout": 1.5e3, "off": false, "cwd": null }
  }
}
"#;
    let root = strict(text).unwrap();
    let servers = root.member("mcpServers").unwrap();
    assert_eq!(servers.key.span.of(text), r#""mcpServers""#);
    let db = servers.value.get("db").unwrap();
    assert!(db.span.of(text).starts_with("{ \"command\"") && db.span.of(text).ends_with("null }"));
    assert_eq!(db.get("command").and_then(Node::as_str), Some("npx"));
    let args = db.get("args").unwrap();
    assert_eq!(args.span.of(text), r#"["-y", "pg-mcp@1.2"]"#);
    assert_eq!(args.as_array().unwrap()[1].span.of(text), r#""pg-mcp@1.2""#);
    let Value::Number(timeout) = &db.get("timeout").unwrap().value else {
        panic!()
    };
    assert_eq!(
        (timeout.text.as_str(), timeout.integer, timeout.as_f64()),
        ("1.5e3", false, 1500.0)
    );
    assert_eq!(db.get("off").and_then(Node::as_bool), Some(false));
    assert!(db.get("cwd").unwrap().is_null());
}

#[test]
fn duplicates_stay_in_order_and_the_last_counts() {
    let root = strict(r#"{"a": 1, "b": 2, "\u0061": 3}"#).unwrap();
    let keys: Vec<&str> = root
        .members()
        .iter()
        .map(|member| member.key.text.as_str())
        .collect();
    assert_eq!(keys, ["a", "b", "a"]);
    assert_eq!(root.member("a").unwrap().key.span, Span::new(17, 25));
}

#[test]
fn common_mistakes_have_messages_of_their_own() {
    let rules = JsonDialect::JSON_PARSE;
    fails(r#"{"a": [1, 2,]}"#, rules, "trailing comma", ",");
    fails("{\"a\": 1,\n}", rules, "trailing comma", ",");
    fails(
        "{} // done",
        rules,
        "comments are not allowed here",
        "// done",
    );
    fails("/* todo", rules, "comments are not allowed here", "/* todo");
    fails("{\"a\": 1\n \"b\": 2}", rules, "missing comma", "\"b\"");
    fails("[1 2]", rules, "missing comma", "2");
    fails("{a: 1}", rules, "key without quotes", "a");
    fails("{1: 1}", rules, "key without quotes", "1");
    fails(
        "{'a': 1}",
        rules,
        "single quotes; strings need double quotes",
        "'",
    );
    fails(
        "{\"a: 1,\n \"b\": 2}",
        rules,
        "unterminated string",
        "\"a: 1,",
    );
    fails("{\"a\": \"b", rules, "unterminated string", "\"b");
    fails("[\"a,\n \"\\q\"]", rules, "unterminated string", "\"a,");
    fails("[\"a\n\\q\"]", rules, "unterminated string", "\"a");
    fails("{\"a\": \"b\\", rules, "unterminated string", "\"b\\");
    fails("[\"a\tb\"]", rules, "control character in a string", "\t");
    fails("{\"a\" 1}", rules, "missing `:` after a key", "1");
    fails("{\"a\": }", rules, "missing value", "}");
    fails("[,]", rules, "unexpected `,`", ",");
    fails("[True]", rules, "text without quotes", "True");
    fails("[1}", rules, "`}` where `]` was expected", "}");
    fails("{\"a\": {]", rules, "expected a key in quotes", "]");
    fails(
        "{} {}",
        rules,
        "unexpected text after the end of the value",
        "{",
    );
    fails(
        "\u{feff}{}",
        rules,
        "a byte order mark is not allowed here",
        "\u{feff}",
    );
    fails(
        "{\u{a0}}",
        rules,
        "unusual whitespace; only spaces, tabs and line ends may stand between values",
        "\u{a0}",
    );
    fails(r#"["\x41"]"#, rules, "invalid escape in a string", r"\x");
    fails(
        r#"["\u12"]"#,
        rules,
        "`\\u` needs four hexadecimal digits",
        r#"\u12""#,
    );
    for number in ["-", "1.", "1e", "[-x]"] {
        assert_eq!(strict(number).unwrap_err().message, "incomplete number");
    }
}

#[test]
fn an_early_end_is_told_from_an_empty_file() {
    for text in ["", " \r\n\t"] {
        fails(text, JSONC, "the file is empty", "");
    }
    for text in [
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\": [1,",
        "[[]",
        "// nothing but this",
    ] {
        fails(text, JSONC, "unexpected end of file", "");
    }
    assert_eq!(strict("[1,\n\n").unwrap_err().span, Span::new(3, 3));
}

#[test]
fn liberties_are_taken_only_where_they_are_given() {
    let text = "// head\n{ \"a\": [1, /* two */ 2,], } // tail";
    let root = ok(text, JSONC);
    assert_eq!(root.get("a").unwrap().span.of(text), "[1, /* two */ 2,]");
    fails(
        text,
        JsonDialect {
            trailing_commas: false,
            ..JSONC
        },
        "trailing comma",
        ",",
    );
    fails(
        text,
        JsonDialect {
            comments: false,
            ..JSONC
        },
        "comments are not allowed here",
        "// head",
    );
    fails("[,]", JSONC, "unexpected `,`", ",");
    fails("[1,,]", JSONC, "unexpected `,`", ",");
    fails("{} /* open", JSONC, "unterminated comment", "/* open");
    let open = JsonDialect {
        open_comments: true,
        ..JSONC
    };
    assert_eq!(ok("{} /* open", open).span.of("{} /* open"), "{}");
    fails("{\"a\": /* open", open, "unexpected end of file", "");
    for text in [
        "{'a': 1}",
        "{a: 1}",
        "[0x1]",
        "[+1]",
        "[.5]",
        "[NaN]",
        "[1 2]",
        "[\"a\nb\"]",
        "\u{b}[]",
        "[\"\\x41\"]",
    ] {
        assert!(parse(text, JSONC).is_err(), "{text:?}");
    }
}

#[test]
fn lone_surrogates_depend_on_the_dialect() {
    let text = r#"{"\ud800": "a\udc00b", "c": 1}"#;
    let root = strict(text).unwrap();
    assert_eq!(
        root.get("\u{fffd}").and_then(Node::as_str),
        Some("a\u{fffd}b")
    );
    assert_eq!(root.member("c").unwrap().key.span.of(text), "\"c\"");
    assert_eq!(
        ok("// \\ud800\n\"\\ud800\"", JSONC).as_str(),
        Some("\u{fffd}")
    );
    assert_eq!(
        parse(text, JsonDialect::SERDE_JSON).unwrap_err().message,
        "half of a surrogate pair in a string"
    );
}

#[test]
fn serde_json_refuses_numbers_beyond_a_double_and_json_parse_does_not() {
    let text = "[\n  1e999]";
    assert!(strict(text).is_ok());
    let fault = parse(text, JsonDialect::SERDE_JSON).unwrap_err();
    assert_eq!(fault.message, "number out of range");
    assert!(fault.span.start >= 4);
}

#[test]
fn depth_is_counted_exactly() {
    let lists = |n: usize| "[".repeat(n) + &"]".repeat(n);
    let objects = |n: usize| "{\"a\":".repeat(n - 1) + "{}" + &"}".repeat(n - 1);
    for nested in [lists as fn(usize) -> String, objects] {
        assert!(parse(&nested(127), JsonDialect::SERDE_JSON).is_ok());
        assert_eq!(
            parse(&nested(128), JsonDialect::SERDE_JSON)
                .unwrap_err()
                .message,
            "nested deeper than 127 levels"
        );
        assert!(strict(&nested(512)).is_ok());
        assert_eq!(
            strict(&nested(513)).unwrap_err().message,
            "nested deeper than 512 levels"
        );
        assert!(strict(&nested(1_000_000)).is_err());
    }
    // Brackets in strings and comments do not count.
    assert!(parse(&format!("[\"{0}\" /* {0} */]", "[".repeat(1000)), JSONC).is_ok());
}

#[test]
fn what_follows_a_missing_comma_can_be_salvaged() {
    for (text, names) in [
        (r#"{"a": 1 "b": 2}"#, vec!["a", "b"]),
        (
            "{\"a\": {\"x\": [1 2 3]}\n \"b\": {}, // c\n \"c\": 3,}",
            vec!["a", "b", "c"],
        ),
        (r#"{"a": 1 : "b": 2}"#, vec!["a"]),
        (r#"{"a": 1] "b": 2}"#, vec!["a"]),
        (r#"{"a" 1 "b": 2}"#, vec![]),
    ] {
        let root = salvage(text).unwrap();
        let found: Vec<&str> = root
            .members()
            .iter()
            .map(|member| &*member.key.text)
            .collect();
        assert_eq!(found, names, "{text}");
    }
    let root = salvage("[1 2 [3 4]]").unwrap();
    assert_eq!(root.as_array().map(<[Node]>::len), Some(3));
}
