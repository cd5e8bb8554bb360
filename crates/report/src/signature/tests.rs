use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Signature, pieces_width};

fn line(schema: Value) -> String {
    Signature::of_tool(&json!({"name": "t", "inputSchema": schema})).line()
}

fn takes(properties: Value) -> String {
    line(json!({"type": "object", "properties": properties}))
}

#[test]
fn a_tool_reads_like_a_function() {
    let tool = json!({
        "name": "search",
        "inputSchema": {"type": "object", "required": ["query", "kind"], "properties": {
            "limit": {"type": "number", "default": 10},
            "query": {"type": "string"},
            "kind": {"enum": ["a", "b"]},
        }},
        "outputSchema": {"type": "object", "required": ["hits"], "properties": {"hits": {"type": "array", "items": {"type": "string"}}}},
    });
    assert_eq!(
        Signature::of_tool(&tool).line(),
        "search(query: string, kind: \"a\" | \"b\", limit?: number = 10) → {hits: string[]}"
    );
}

#[test]
fn every_kind_of_schema_has_a_type() {
    for (schema, expected) in [
        (json!({"type": ["string", "null"]}), "t(x?: string | null)"),
        (json!({"const": 5}), "t(x?: 5)"),
        (
            json!({"type": "array", "items": {"enum": [1, 2]}}),
            "t(x?: (1 | 2)[])",
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]}),
            "t(x?: [number, string])",
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            "t(x?: {[name]: string})",
        ),
        (
            json!({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}),
            "t(x?: integer | null = null)",
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "boolean"}}}]}),
            "t(x?: string | {a?: boolean})",
        ),
        (
            json!({"allOf": [{"type": "object", "properties": {"a": {}}}, {"properties": {"b": {}}, "required": ["b"]}]}),
            "t(x?: {a?: any, b: any})",
        ),
        (
            json!({"allOf": [{"type": "string"}, {"enum": ["a"]}]}),
            "t(x?: string & \"a\")",
        ),
        (
            json!({"type": "string", "nullable": true}),
            "t(x?: string | null)",
        ),
        (json!(true), "t(x?: any)"),
        (json!(false), "t(x?: never)"),
        (json!({"type": "wat"}), "t(x?: any)"),
        (json!("nonsense"), "t(x?: any)"),
    ] {
        assert_eq!(takes(json!({"x": schema.clone()})), expected, "{schema}");
    }
    assert_eq!(
        takes(json!({"a b": {"type": "string"}})),
        "t(\"a b\"?: string)"
    );
}

#[test]
fn references_are_followed_inside_the_schema_alone() {
    let schema = |reference: &str| {
        json!({
            "type": "object", "properties": {"x": {"$ref": reference}},
            "$defs": {"Node": {"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#/$defs/Node"}}}},
        })
    };
    assert_eq!(line(schema("#/$defs/Node")), "t(x?: {next: Node})");
    assert_eq!(line(schema("#")), "t(x?: {x?: object})");
    assert_eq!(line(schema("#/$defs/Missing")), "t(x?: any)");
    assert_eq!(line(schema("https://host.example/s.json")), "t(x?: any)");
    assert_eq!(line(schema("file:///etc/passwd")), "t(x?: any)");
}

#[test]
fn whatever_is_no_schema_is_a_tool_without_parameters() {
    for schema in [
        json!(null),
        json!([]),
        json!(5),
        json!({}),
        json!({"type": "object"}),
    ] {
        assert_eq!(line(schema), "t()");
    }
    assert_eq!(line(json!({"type": "string"})), "t(string)");
}

#[test]
fn a_schema_cannot_grow_without_bound() {
    // Each definition refers twice to the next: two to the power of forty shapes.
    let mut definitions = serde_json::Map::new();
    for level in 0..40 {
        let next = format!("#/$defs/d{}", level + 1);
        definitions.insert(
            format!("d{level}"),
            json!({"type": "object", "properties": {"a": {"$ref": next}, "b": {"$ref": next}}}),
        );
    }
    let schema = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    assert!(line(schema).len() < 100_000);
    let many: Vec<String> = (0..10_000).map(|n| format!("value{n}")).collect();
    let text = takes(json!({"x": {"enum": many}}));
    assert!(text.ends_with("\"value23\" | …)"), "{text}");
    let text = takes(json!({"x": {"type": "string", "default": "y".repeat(10_000)}}));
    assert!(text.len() < 100, "{text}");
}

fn lines(tool: &Value, room: usize, whole: bool) -> Vec<String> {
    let lines = Signature::of_tool(tool).lines(room, whole);
    let line = |(indent, pieces): (usize, Vec<super::Piece>)| {
        assert!(indent + pieces_width(&pieces) <= room, "{pieces:?}");
        let words: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        format!("{}{words}", " ".repeat(indent))
    };
    lines.into_iter().map(line).collect()
}

#[test]
fn a_result_that_does_not_fit_is_told_briefly_unless_all_is_wanted() {
    let time = json!({"type": "object", "required": ["zone", "time"], "properties": {"zone": {"type": "string"}, "time": {"type": "string"}}});
    let tool = json!({
        "name": "convert", "inputSchema": {"type": "object", "properties": {"time": {"type": "string"}}},
        "outputSchema": {"type": "object", "required": ["source", "target"], "properties": {"source": time, "target": {"type": "string"}}},
    });
    let brief = lines(&tool, 44, false);
    assert_eq!(brief, ["convert(time?: string) → {source, target}"]);
    assert_eq!(
        lines(&tool, 44, true),
        [
            "convert(time?: string) → {",
            "  source: {zone: string, time: string},",
            "  target: string",
            "}",
        ]
    );
}

#[test]
fn what_does_not_fit_is_broken_at_its_members() {
    let tool = json!({
        "name": "create_issue",
        "inputSchema": {"type": "object", "required": ["owner"], "properties": {
            "owner": {"type": "string"},
            "labels": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "colour": {"type": "string"}}}},
            "state": {"enum": ["open", "closed", "all", "somewhere in between"]},
        }},
    });
    let text = lines(&tool, 44, false);
    assert_eq!(
        text,
        [
            "create_issue(",
            "  owner: string,",
            "  labels?: {",
            "    name?: string,",
            "    colour?: string",
            "  }[],",
            "  state?: \"open\" | \"closed\" | \"all\"",
            "    | \"somewhere in between\"",
            ")",
        ]
    );
}

/// Anything that could stand where a schema stands, with its words in it.
fn any_schema() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "type",
        "properties",
        "items",
        "prefixItems",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "$defs",
        "enum",
        "const",
        "required",
        "default",
        "additionalProperties",
        "nullable",
        "x y",
        "",
    ]);
    let text = prop::sample::select(vec![
        "object",
        "array",
        "string",
        "#",
        "#/$defs/x",
        "#/properties/type",
        "\u{1b}[31m",
        "",
    ]);
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(6, 80, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..6).prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_gives_a_signature_in_bounds(input in any_schema(), output in any_schema(), room in 10usize..100) {
        let tool = json!({"name": "t", "inputSchema": input, "outputSchema": output});
        let signature = Signature::of_tool(&tool);
        prop_assert!(signature.line().starts_with("t("));
        prop_assert!(signature.lines(room, true).len() < 10_000);
        signature.lines(room, false);
        signature.parameters();
        Signature::of_prompt(&tool);
    }
}
