//! The claims, over what proptest makes.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::claims;

/// Pieces that challenges are made of, rightly and wrongly.
fn field() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("Bearer".to_owned()),
        Just("Basic ".to_owned()),
        Just("Negotiate abc==".to_owned()),
        Just("resource_metadata=\"https://h.example/m\"".to_owned()),
        Just("scope=\"a b\"".to_owned()),
        Just("realm=\"\\\"".to_owned()),
        "[ ,=\"\\\\\t]{1,3}",
        "[a-zA-Z=\", \\\\]{0,8}",
        "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Addresses that documents name, good and bad.
fn address() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => prop::sample::select(&[
            "https://as.example", "https://h.example/mcp", "http://localhost:8080/mcp", "http://127.0.0.1/x",
            "http://10.0.0.1/", "https://h.example", "https://u:p@as.example/", "javascript:alert(1)", "file:///x",
            "--flag", "http://169.254.169.254/", "https://as.example/#f", "https://as.example/\u{1b}[2J", "",
        ]).prop_map(|text| json!(text)),
        1 => "[a-z:/@.#?\\[\\]0-9 \\\\]{0,20}".prop_map(|text| json!(text)),
        1 => Just(json!(null)),
        1 => Just(json!([7, {}, "https://as.example"])),
    ]
}

fn document() -> impl Strategy<Value = Value> {
    const FIELDS: [&str; 8] = [
        "resource",
        "authorization_servers",
        "issuer",
        "authorization_endpoint",
        "token_endpoint",
        "registration_endpoint",
        "scopes_supported",
        "code_challenge_methods_supported",
    ];
    let member = (prop::sample::select(&FIELDS), address());
    prop::collection::vec(member, 0..10).prop_map(|members| {
        let members = members
            .into_iter()
            .map(|(field, value)| (field.to_owned(), value));
        Value::Object(members.collect())
    })
}

proptest! {
    #[test]
    fn any_field_gives_its_challenges(field in field()) {
        claims::challenge(field.as_bytes());
    }

    #[test]
    fn any_bytes_give_their_challenges(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        claims::challenge(&bytes);
    }

    #[test]
    fn any_document_gives_addresses_that_may_be_opened(document in document()) {
        claims::metadata(document.to_string().as_bytes());
    }
}
