//! The front matter of real files. Random ones are in `tests/properties/yaml.rs`.

use super::*;
use crate::Number;

/// A file with `yaml` at its head.
fn file(yaml: &str) -> String {
    format!("---\n{yaml}\n---\n# Body\n")
}

#[track_caller]
fn ok(text: &str) -> Node {
    parse_front_matter(text).unwrap_or_else(|fault| panic!("{text:?}: {fault:?}"))
}

/// Asserts that `yaml` fails with `message` at the part of the file that reads `at`.
#[track_caller]
fn fails(yaml: &str, message: &str, at: &str) {
    let text = file(yaml);
    let fault = parse_front_matter(&text).expect_err(yaml);
    assert_eq!(
        (fault.message.as_str(), fault.span.of(&text)),
        (message, at),
        "in {yaml:?}"
    );
}

/// The value at `path`.
#[track_caller]
fn at<'n>(root: &'n Node, path: &[&str]) -> &'n Node {
    path.iter().fold(root, |node, key| {
        let item = || node.as_array()?.get(key.parse::<usize>().ok()?);
        node.get(key)
            .or_else(item)
            .unwrap_or_else(|| panic!("no {key}"))
    })
}

/// Asserts how the value at `path` stands in the file with `yaml` at its head.
#[track_caller]
fn stands(yaml: &str, path: &[&str], spelled: &str) {
    let text = file(yaml);
    assert_eq!(at(&ok(&text), path).span.of(&text), spelled, "in {yaml:?}");
}

/// The value of `yaml`.
#[track_caller]
fn value(yaml: &str) -> Value {
    ok(&file(yaml)).value
}

#[test]
fn an_agent_with_servers() {
    let text = "---\nname: \"réviseur\"\ntools: Read, Grep\nmcpServers:\n  - docs\n  - db:\n      command: npx\n      args: [-y, 'db@1']\n      env: { TOKEN: \"${TOKEN}\" }\n---\n\nmcpServers: none of the body\n";
    let root = ok(text);
    let keys: Vec<_> = root.members().iter().map(|m| m.key.text.as_str()).collect();
    assert_eq!(keys, ["name", "tools", "mcpServers"]);
    assert_eq!(at(&root, &["name"]).as_str(), Some("réviseur"));
    assert_eq!(at(&root, &["name"]).span.of(text), "\"réviseur\"");
    assert_eq!(at(&root, &["mcpServers", "0"]).as_str(), Some("docs"));
    let db = at(&root, &["mcpServers", "1", "db"]);
    assert_eq!(db.get("args").unwrap().span.of(text), "[-y, 'db@1']");
    assert_eq!(
        at(db, &["env", "TOKEN"]).span.of(text),
        "\"${TOKEN}\"",
        "after a character of two bytes"
    );
    assert_eq!(db.member("env").unwrap().key.span.of(text), "env");
    assert!(root.span.of(text).starts_with("name:"));
    assert!(root.span.of(text).ends_with("\" }"));
}

#[test]
fn only_fences_make_front_matter() {
    for text in [
        "",
        "# Title\n",
        "---\na: 1\n",
        " ---\na: 1\n---\n",
        "---x\n---\n",
        "\n---\na: 1\n---\n",
        "---",
    ] {
        let root = ok(text);
        assert_eq!(
            (root.members(), root.span),
            (&[][..], Span::default()),
            "{text:?}"
        );
        assert!(root.is_table());
    }
    for text in [
        "---\na: 1\n---",
        "---  \r\na: 1\r\n---\t\r\nbody",
        "---\na: 1\n---\n---\nb: 2\n---\n",
    ] {
        let root = ok(text);
        assert_eq!(root.get("a").unwrap().span.of(text), "1", "{text:?}");
    }
}

#[test]
fn front_matter_without_a_value_is_an_empty_table() {
    for text in ["---\n---\n", "---\n\n---\n", "---\n# nothing yet\n---\n"] {
        let root = ok(text);
        assert!(root.is_table() && root.members().is_empty(), "{text:?}");
        assert_eq!(root.span.start, 4, "{text:?}");
    }
    assert!(value("~") == Value::Null);
    assert!(matches!(value("- a"), Value::Array(_)));
}

#[test]
fn scalars_mean_what_the_core_schema_says() {
    let number = |text: &str, integer| {
        Value::Number(Number {
            text: text.to_owned(),
            integer,
        })
    };
    for (yaml, integer) in [
        ("0", true),
        ("-12", true),
        ("+012", true),
        ("0xFf", true),
        ("0o17", true),
        ("99999999999999999999", true),
        ("1.", false),
        ("-.5", false),
        ("1e3", false),
        ("+1.5E-3", false),
        (".inf", false),
        ("-.INF", false),
        (".NaN", false),
    ] {
        assert!(value(yaml) == number(yaml, integer), "{yaml}");
    }
    for text in [
        "yes",
        "no",
        "on",
        "1_000",
        "0b1",
        "0x",
        "-0x1",
        "0o8",
        "1e",
        ".",
        "+.nan",
        "inf",
        "nan",
        "2001-12-14",
        "12:30",
        "tRUE",
        "nULL",
        "0xfffffffffffffffffffffffffffffffff",
    ] {
        assert!(value(text) == Value::String(text.to_owned()), "{text}");
    }
    assert!(value("True") == Value::Bool(true));
    assert!(value("'true'") == Value::String("true".to_owned()));
    assert!(value("!!str 1") == Value::String("1".to_owned()));
    assert!(
        value("!!int x") == Value::String("x".to_owned()),
        "other tags are ignored"
    );
}

#[test]
fn spans_cover_what_is_written() {
    stands("a: 'it''s' # c", &["a"], "'it''s'");
    stands("a: two  words # c", &["a"], "two  words");
    stands("a: \"multi\n  line\"\nb: 1", &["a"], "\"multi\n  line\"");
    stands("a: &x !!str \"q\"", &["a"], "\"q\"");
    stands("a: !<t:x,y> &x # c\n  plain", &["a"], "plain");
    stands("a: &x[1, 2]", &["a"], "[1, 2]");
    stands(
        "a: { b: [1, {c: 2}] , d: e }",
        &["a"],
        "{ b: [1, {c: 2}] , d: e }",
    );
    stands("a: 'x' # it's", &["a"], "'x'");
    stands("a: \"x\\\"\\\\\" # \"y\"", &["a"], "\"x\\\"\\\\\"");
    stands("{ 'a' : \"b\" , c: ''  }", &["a"], "\"b\"");
    stands("{ 'a' : \"b\" , c: ''  }", &["c"], "''");
    stands("a: [b: c]", &["a", "0"], "b: c");
    stands("a: &x\n  b: 1\n\n# c\n\nd: 2", &["a"], "b: 1");
    stands("a: [1,\n 2\n ]\nb: 1", &["a"], "[1,\n 2\n ]");
}

#[test]
fn spans_of_block_scalars_start_at_their_sign() {
    stands("a: |\n  one\n  two\n\nb: 1", &["a"], "|\n  one\n  two");
    stands("- >-   # a | b\n  one", &["0"], ">-   # a | b\n  one");
    stands("a|b: |2\n   x", &["a|b"], "|2\n   x");
    stands("a: &x|y !t |+\n  x\n\n", &["a"], "|+\n  x");
    stands("a: |\n\nb: 1", &["a"], "|");
    stands("a: [b]\nc:\n# |\n  |\n  x", &["c"], "|\n  x");
}

#[test]
fn spans_of_lists_start_at_their_dash() {
    stands("a:\n  - 1\n  - 2\nb: 1", &["a"], "- 1\n  - 2");
    stands("a:\n- -1\n- 2\nb: 1", &["a"], "- -1\n- 2");
    stands("a: # -\n- - 1\n  - 2", &["a"], "- - 1\n  - 2");
    stands("a: &x-y !t-u # -\n- -1", &["a"], "- -1");
    stands("a: &x-y\n  - -1", &["a"], "- -1");
    stands("a:\n- - 1\n  - 2", &["a", "0"], "- 1\n  - 2");
    stands("- a\n- - b\n  -\n", &["1"], "- b\n  -");
    stands("a:\n- x\n? d\n: y", &["a"], "- x");
}

#[test]
fn what_is_not_written_stands_after_its_colon() {
    for yaml in ["a:", "a: \nb: 1", "{a: , b: 1}", "{a: }"] {
        let text = file(yaml);
        let root = ok(&text);
        let a = root.get("a").unwrap();
        assert!(a.is_null() && a.span.start == a.span.end, "{yaml:?}");
        assert!(
            text.get(..a.span.start).unwrap().ends_with("a:"),
            "{yaml:?}"
        );
        assert!(
            root.span
                .of(&text)
                .starts_with(yaml.split_whitespace().next().unwrap())
        );
    }
}

#[test]
fn keys_of_any_kind_have_a_text() {
    let text = file("1: a\n'q': b\nTrue: c\n~: d\n? [x, y]\n: e\n? {z: 1}\n: f\n0x1: g");
    let root = ok(&text);
    let keys: Vec<_> = root
        .members()
        .iter()
        .map(|member| (member.key.text.as_str(), member.key.span.of(&text)))
        .collect();
    assert_eq!(
        keys,
        [
            ("1", "1"),
            ("q", "'q'"),
            ("true", "True"),
            ("null", "~"),
            ("[x, y]", "[x, y]"),
            ("{z: 1}", "{z: 1}"),
            ("0x1", "0x1"),
        ]
    );
}

#[test]
fn aliases_are_resolved() {
    let text = file("a: &x\n  k: [1, &y two]\nb: *x\nc: [*y, *x]\n*y : d");
    let root = ok(&text);
    assert_eq!(at(&root, &["b", "k", "1"]).as_str(), Some("two"));
    assert_eq!(at(&root, &["c", "1", "k", "1"]).as_str(), Some("two"));
    assert_eq!(at(&root, &["two"]).as_str(), Some("d"));
    assert_eq!(at(&root, &["b"]).span.of(&text), "*x");
    assert_eq!(
        at(&root, &["b", "k", "1"]).span,
        at(&root, &["a", "k", "1"]).span,
        "what is in it stands at the anchor"
    );
    assert_eq!(root.member("two").unwrap().key.span.of(&text), "*y");
    let again = ok(&file("- &x 1\n- &x 2\n- *x"));
    assert!(at(&again, &["2"]).value == at(&again, &["1"]).value);
}

#[test]
fn of_two_keys_the_last_counts_and_both_are_kept() {
    let root = ok(&file("a: 1\nb: 2\na: 3"));
    assert_eq!(root.members().len(), 3);
    assert!(root.get("a").unwrap().value == at(&ok(&file("x: 3")), &["x"]).value);
}

#[test]
fn a_merge_key_gives_what_is_not_there() {
    let root = ok(&file(
        "x: &x {a: 1, b: 2}\ny: {b: 3, <<: *x}\nz: {<<: [*x, {c: 4, a: 5}]}",
    ));
    let keys = |name: &str| -> Vec<String> {
        root.get(name)
            .unwrap()
            .members()
            .iter()
            .map(|member| member.key.text.clone())
            .collect()
    };
    assert_eq!(
        (keys("y"), keys("z")),
        (
            vec!["b".to_owned(), "a".to_owned()],
            vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]
        )
    );
    assert!(
        at(&root, &["y", "b"]).value != at(&root, &["x", "b"]).value,
        "its own counts"
    );
    assert!(
        at(&root, &["z", "a"]).value == at(&root, &["x", "a"]).value,
        "the first that gives it counts"
    );
}

#[test]
fn faults_have_words_and_places() {
    fails("a: *x", "while parsing node, found unknown anchor", "*");
    fails("é: &x [*x]", "an alias inside of what it stands for", "*x");
    fails("a: 1\n...\nb: 2", "more than one document", "");
    fails(
        "é: b: c",
        "mapping values are not allowed in this context",
        ":",
    );
    fails("a: @s3cret", "unexpected character: `@'", "@");
}

/// Each of these takes time, memory or stack without end where nothing counts.
#[test]
fn files_made_to_break_parsers_are_refused() {
    let too_deep = format!("nested deeper than {} levels", tree::DEEPEST);
    let too_many = format!("more than {} keys and values", tree::MOST_NODES);
    let too_long = format!("more than {} bytes of text", tree::MOST_TEXT);
    let message = |yaml: &str| parse_front_matter(&file(yaml)).unwrap_err().message;
    assert_eq!(message(&"- ".repeat(200_000)), too_deep);
    assert_eq!(message(&"? ".repeat(200_000)), too_deep);
    assert_eq!(message(&"[".repeat(200_000)), "recursion limit exceeded");
    assert_eq!(message(&"{a: ".repeat(200_000)), "recursion limit exceeded");
    let lines = |first: &str, line: &dyn Fn(usize) -> String| {
        let rest: String = (1..600).map(line).collect();
        format!("- &a0 {first}\n{rest}")
    };
    let bomb = lines("[x]", &|n| {
        format!("- &a{n} [{}]\n", format!("*a{},", n - 1).repeat(10))
    });
    assert_eq!(message(&bomb), too_many);
    let keys = lines("x", &|n| format!("- &a{n} {{k: *a{}, l: *a{0}}}\n", n - 1));
    assert_eq!(message(&keys), too_many);
    let chain = lines("x", &|n| format!("- &a{n} [*a{}]\n", n - 1));
    assert_eq!(message(&chain), too_many);
    let long = format!("- &a {}\n{}", "x".repeat(100_000), "- *a\n".repeat(1000));
    assert_eq!(message(&long), too_long);
    let keys = format!(
        "- &a {{? [{}] : 1}}\n{}",
        "x".repeat(100_000),
        "- *a\n".repeat(1000)
    );
    assert_eq!(message(&keys), too_long);
}

#[test]
fn chains_of_aliases_count_as_deep_as_they_are() {
    let chain = |length: usize| -> String {
        (1..length)
            .map(|n| format!("a{n}: &a{n} [*a{}]\n", n - 1))
            .collect()
    };
    let message = |yaml: String| {
        parse_front_matter(&file(&yaml))
            .map(drop)
            .map_err(|fault| fault.message)
    };
    assert_eq!(message(format!("a0: &a0 x\n{}", chain(200))), Ok(()));
    let indented = format!("{}\n{}", "- ".repeat(tree::DEEPEST - 1) + "&x [[x]]", "");
    assert_eq!(
        message(indented),
        Err(format!("nested deeper than {} levels", tree::DEEPEST))
    );
}
