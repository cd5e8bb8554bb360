//! The last writer.

use muster_document::{Scrubber, Secret, Shown, code};
use proptest::prelude::*;

fn scrubber(secrets: &[&str]) -> Scrubber {
    let mut scrubber = Scrubber::default();
    for secret in secrets {
        scrubber.learn(Secret::new(*secret));
    }
    scrubber
}

/// `text` as writers of all kinds escape it.
fn forms(text: &str) -> Vec<String> {
    let json = serde_json::to_string(text).unwrap();
    let json = json[1..json.len() - 1].to_owned();
    let ascii: String = text
        .encode_utf16()
        .map(|unit| format!("\\u{unit:04X}"))
        .collect();
    let percent = |keep: &str, upper: bool| -> String {
        let byte = |byte: u8| match char::from(byte) {
            c if c.is_ascii_alphanumeric() || keep.contains(c) => c.to_string(),
            _ if upper => format!("%{byte:02X}"),
            _ => format!("%{byte:02x}"),
        };
        text.bytes().map(byte).collect()
    };
    let backslashed = |special: &dyn Fn(char) -> bool| -> String {
        text.chars()
            .map(|c| {
                if special(c) {
                    format!("\\{c}")
                } else {
                    c.to_string()
                }
            })
            .collect()
    };
    let entities = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;");
    vec![
        text.to_owned(),
        json.replace('/', "\\/"),
        serde_json::to_string(&json).unwrap(),
        json,
        ascii.to_lowercase(),
        ascii,
        percent("", true),
        percent("-_.~", false),
        percent("-_.!~*'()", true),
        percent("-_.~", true).replace('%', "%25"),
        percent("*-._", true).replace("%20", "+"),
        format!("'{}'", text.replace('\'', "'\\''")),
        format!("'{}'", text.replace('\'', "'\"'\"'")),
        backslashed(&|c| c.is_ascii_punctuation() || c == ' '),
        backslashed(&|c| matches!(c, '"' | '\\' | '$' | '`')),
        entities,
        Shown(text).to_string(),
        Shown(text).markdown().to_string(),
        code(text),
        format!("{text:?}"),
    ]
}

#[test]
fn every_escaped_form_is_found() {
    let secret = "p@ss/w0rd \"q\"\\ 'x' é€😀 &<|>`%+$#";
    let scrubber = scrubber(&[secret]);
    for form in forms(secret) {
        let text = format!("before {form} after");
        let out = scrubber.scrub(&text);
        assert!(
            out.starts_with("before ") && out.ends_with(" after") && out.contains("•••"),
            "{text}\n{out}"
        );
        assert!(out.len() < 30, "{text}\n{out}");
    }
}

#[test]
fn base64_is_found_at_every_offset() {
    let scrubber = scrubber(&["hunter2-hunter2"]);
    for text in [
        "aHVudGVyMi1odW50ZXIy",
        "dTpodW50ZXIyLWh1bnRlcjI=",
        "dXM6aHVudGVyMi1odW50ZXIy",
        "dXNlcjpodW50ZXIyLWh1bnRlcjI",
    ] {
        let out = scrubber.scrub(text);
        assert!(out.contains("•••") && out.len() < 18, "{text} {out}");
    }
}

#[test]
fn what_is_learnt_and_what_is_not() {
    let cases = [
        ("short12", "short12"),
        ("longenough1", "•••"),
        ("${LONG_VARIABLE}", "${LONG_VARIABLE}"),
        ("/home/me/work/file.txt", "/home/me/work/file.txt"),
        ("./some/path", "./some/path"),
        ("<your-token>", "<your-token>"),
        ("/9j/4AAQSkZJRgABAQEAYABgAAD", "•••"),
    ];
    for (secret, expected) in cases {
        assert_eq!(scrubber(&[secret]).scrub(secret), expected);
    }
    let parts = scrubber(&[
        "Bearer abcdefgh",
        "postgres://u:swordfish@h/x",
        "a=1&k=abc12345def",
    ]);
    assert_eq!(parts.scrub("abcdefgh swordfish abc12345def"), "••• ••• •••");
    assert_eq!(parts.scrub("postgres"), "postgres");
}

#[test]
fn long_secrets_are_found_in_parts() {
    let secret: String = (0..500).map(|n| format!("é{n:x}")).collect();
    let scrubber = scrubber(&[&secret]);
    assert_eq!(scrubber.scrub(&format!("a {secret} b")), "a ••• b");
    assert!(scrubber.scrub(&secret[..302]).len() < 180);
}

#[test]
fn a_long_text_is_searched_piece_by_piece_and_nothing_falls_between() {
    let secret = "hunter q7z\"q+ü/8";
    let scrubber = scrubber(&[secret]);
    let escaped = "hunter%20q7z%22q%2B%C3%BC%2F8";
    for at in [
        0, 57_000, 57_340, 57_344, 65_520, 65_530, 65_536, 114_680, 199_970,
    ] {
        for form in [secret, escaped] {
            let mut text = "é".repeat(100_000);
            let at = if text.is_char_boundary(at) {
                at
            } else {
                at + 1
            };
            text.insert_str(at, form);
            assert_eq!(
                scrubber.scrub(&text).replace('é', ""),
                "•••",
                "{form} at {at}"
            );
        }
    }
}

#[test]
fn spared_texts_stay() {
    let mut scrubber = scrubber(&["database", "my-database-server", "longsecret1"]);
    scrubber.spare("my-database");
    assert_eq!(
        scrubber.scrub("database my-database-server longsecret1"),
        "database ••• •••"
    );
    assert_eq!(format!("{scrubber:?}"), "Scrubber { known: 3, .. }");
}

#[test]
fn overlapping_secrets_leave_no_rest() {
    let scrubber = scrubber(&["abcdefgh1", "gh1ijklmnop", "abcdefgh"]);
    assert_eq!(scrubber.scrub("xabcdefgh1ijklmnopx"), "x•••x");
}

#[test]
fn json_keeps_its_shape() {
    let scrubber = scrubber(&["longsecret1", "nabcdefgh", "/slashed!9", "\"quoted9"]);
    let text = r#"{"longsecret1": "a longsecret1 b", "n": "x\nabcdefgh", "s": "\/slashed!9", "q": "\"quoted9", "l": ["lon\u0067secret1", 1]}"#;
    let expected = r#"{"longsecret1": "a ••• b", "n": "x\nabcdefgh", "s": "•••", "q": "•••", "l": ["•••", 1]}"#;
    assert_eq!(scrubber.scrub_json(text), expected);
    assert_eq!(
        scrubber.scrub_json("{\"x\": \"longsecret1"),
        "{\"x\": \"•••"
    );
}

proptest! {
    #[test]
    fn no_form_of_a_secret_survives(secret in "[ -~é€😀\n\t]{8,40}", before in "[ -~]{0,20}", after in "[ -~]{0,20}") {
        let scrubber = scrubber(&[&secret]);
        // What is not learnt is told by its being left alone.
        prop_assume!(scrubber.scrub(&secret) == "•••");
        for form in forms(&secret) {
            let text = format!("{before} {form} {after}");
            let out = scrubber.scrub(&text);
            prop_assert!(!out.contains(&form), "{text}\n{out}");
        }
    }

    #[test]
    fn scrubbed_json_is_json_without_the_secret(secret in "[ -~é\n\t]{8,24}", text in "[ -~é\n]{0,20}") {
        let scrubber = scrubber(&[&secret]);
        prop_assume!(scrubber.scrub(&secret) == "•••");
        let value = serde_json::json!({ secret.as_str(): [format!("{text}{secret}{text}"), 1, null, {"k": secret, "t": text}] });
        for written in [value.to_string(), serde_json::to_string_pretty(&value).unwrap(), value.to_string().replace('/', "\\/")] {
            let out = scrubber.scrub_json(&written);
            let read: serde_json::Value = serde_json::from_str(&out).unwrap();
            let list = read.get(&secret).unwrap();
            prop_assert!(!list[0].as_str().unwrap().contains(&secret));
            prop_assert_eq!(list[3]["k"].as_str().unwrap(), "•••");
            prop_assert_eq!(&list[1], 1);
        }
    }

    #[test]
    fn any_text_can_be_scrubbed(secret in any::<String>(), text in any::<String>()) {
        let scrubber = scrubber(&[&secret, "longsecret1"]);
        scrubber.scrub(&text);
        scrubber.scrub_json(&text);
    }
}

#[test]
fn of_variables_what_reads_like_a_setting_is_no_secret() {
    for (name, value) in [
        ("X", "production"),
        ("X", "claude-sonnet-4"),
        ("X", "/home/me/work2x9"),
        ("X", "2025.11.30"),
        ("X", "--max-old-space-size=4096"),
        ("X", "http://localhost:8080/mcp"),
        ("X", "hunter2"),
        ("TOKEN", "hunter2"),
    ] {
        let mut scrubber = Scrubber::default();
        scrubber.learn_variable(name, &Secret::new(value));
        assert_eq!(scrubber.scrub(value), value, "{name}");
    }
    for (name, value) in [
        ("X", "hunter2hunter3"),
        ("X", "pa55!word"),
        ("TOKEN", "correct-horse"),
    ] {
        let mut scrubber = Scrubber::default();
        scrubber.learn_variable(name, &Secret::new(value));
        assert_eq!(scrubber.scrub(&format!("a {value} b")), "a ••• b", "{name}");
    }
    let mut scrubber = Scrubber::default();
    scrubber.learn_variable(
        "X",
        &Secret::new("postgres://me:swordfish-2000@db.example/x"),
    );
    assert_eq!(
        scrubber.scrub("swordfish-2000 db.example"),
        "••• db.example"
    );
}
