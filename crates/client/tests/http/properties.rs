//! The claims, over what proptest makes.

use proptest::prelude::*;

use crate::claims;

/// Event streams, and worse.
fn streams() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "\n", "\r", "\r\n", "\n\n", "data: x\n", "data:", "data", "data: ", "event: a\n", "event",
            "id: 1\n", "id", "retry: 5\n", "retry: x\n", ": comment\n", ":", " ", "\u{feff}",
            "data: 0123456789012345678901234567890123456789\n",
        ]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..20),
        1 => prop::collection::vec(Just(b'x'), 0..90),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

/// Schemas with marks in right and wrong places, and arguments.
fn schemas() -> impl Strategy<Value = Vec<u8>> {
    let keys = prop::sample::select(vec![
        "properties",
        "items",
        "anyOf",
        "$defs",
        "type",
        "x-mcp-header",
        "a",
        "b",
        "default",
    ]);
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "string", "integer", "boolean", "number", "Region", "a b", ""
        ])
        .prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<bool>().prop_map(serde_json::Value::from),
        "\\PC{0,8}".prop_map(serde_json::Value::from),
    ];
    let value = leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            3 => prop::collection::btree_map(keys.clone(), inner.clone(), 0..4).prop_map(|members| {
                members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            }),
            1 => prop::collection::vec(inner, 0..3).prop_map(serde_json::Value::from),
        ]
    });
    (value.clone(), value)
        .prop_map(|(schema, arguments)| format!("{schema}\0{arguments}").into_bytes())
}

proptest! {
    #[test]
    fn any_split_of_the_same_bytes_gives_the_same_events(bytes in streams()) {
        claims::events(&bytes);
    }

    #[test]
    fn any_text_can_be_said_in_a_header_and_read_back(text in "\\PC{0,20}|[ \\t=?a-z]{0,12}|=\\?base64\\?.{0,8}\\?=") {
        claims::values(text.as_bytes());
    }

    #[test]
    fn any_schema_is_mirrored_or_refused(bytes in schemas()) {
        claims::mirrors(&bytes);
    }
}

#[test]
fn a_marked_argument_is_claimed_about() {
    let schema = r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}"#;
    claims::mirrors(format!("{schema}\0{{\"a\":\"\\n\u{1f600}\"}}").as_bytes());
}
