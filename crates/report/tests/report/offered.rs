//! What servers offer, of servers that say what they were given.

use muster_document::Secret;
use muster_report::{Format, Known, Offered, Offering, Offers, State, offerings};
use serde_json::{Value, json};

use crate::PLAIN;

/// A token that is longer than any line.
fn token() -> String {
    (0..60)
        .map(|at| format!("{:05}", at * 7919 + 12_345))
        .collect()
}

/// A run that knows `token`.
fn known(token: &str) -> Known {
    let known = Known::default();
    known.learn(&Secret::new(token));
    known
}

fn tool(token: &str) -> Value {
    json!({"name": "give", "description": format!("Uses {token} for all"), "inputSchema": {"properties": {
        token: {"enum": [format!("as {token}")], "default": token, "description": format!("It is {token}")},
    }}})
}

fn page(token: &str, state: State<'_>, format: Format, whole: bool) -> String {
    let offering = Offering {
        server: "db",
        harnesses: &[],
        state,
    };
    let kind = Offered::Tools;
    let page = offerings(kind, &[offering], &known(token), format, PLAIN, whole);
    page.as_str().to_owned()
}

#[test]
fn what_is_wrapped_or_cut_holds_no_part_of_a_secret() {
    let token = token();
    let info = json!({"name": format!("for {token}"), "version": token});
    let instructions = format!("It connects with {token} always");
    let tools = [tool(&token)];
    let failed = format!("it said {token} and ended");
    let states = [
        State::Failed(&failed),
        State::NotStarted(&failed),
        State::Offers(Offers {
            era: "legacy",
            protocol: &token,
            server_info: &info,
            instructions: Some(&instructions),
            items: &tools,
            templates: &[],
            odd: 0,
            cut: false,
        }),
    ];
    for state in states {
        for format in [Format::Text, Format::Json, Format::Markdown] {
            for whole in [true, false] {
                let page = page(&token, state, format, whole);
                let joined: String = page.split_whitespace().collect();
                let mut parts = token.as_bytes().windows(10);
                let part = parts.find(|part| joined.contains(str::from_utf8(part).unwrap()));
                assert_eq!(part, None, "{page}");
                assert!(page.contains("•••"), "{page}");
            }
        }
    }
}

#[test]
fn a_signature_holds_no_part_of_a_secret() {
    let token = token();
    let known = known(&token);
    assert_eq!(
        known.signature(Offered::Tools, &tool(&token)),
        r#"give("•••"?: "as •••" = "•••")"#
    );
    let prompt = json!({"name": "greet", "arguments": [{"name": token}]});
    assert_eq!(
        known.signature(Offered::Prompts, &prompt),
        r#"greet("•••"?: string)"#
    );
}

#[test]
fn a_message_is_cut_after_its_secrets_are_taken_out() {
    let token = token();
    let known = known(&token);
    let long = "n".repeat(1_000_000);
    let said = known.said(&format!("`{long}{token}` is missing"));
    assert_eq!(said.chars().count(), 1_000);
    assert!(said.starts_with("`nnn") && said.ends_with("n•••` is missing"));
    assert_eq!(known.said("`a` is missing"), "`a` is missing");
}
