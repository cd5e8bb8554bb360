//! `--format json`: the shapes of the contract, and what the printed schemas promise.

use insta::assert_snapshot;
use muster_core::Resolution;
use muster_report::{Detail, Format, Schema};
use serde_json::Value;

use crate::{PLAIN, hand, scenes};

fn list(resolutions: &[Resolution]) -> String {
    muster_report::list(
        &hand::survey(resolutions),
        Format::Json,
        PLAIN,
        Detail::Normal,
    )
    .as_str()
    .to_owned()
}

fn list_by_server(resolutions: &[Resolution]) -> String {
    let survey = hand::survey(resolutions);
    let page = muster_report::list_by_server(&survey, Format::Json, PLAIN, Detail::Normal);
    page.as_str().to_owned()
}

fn why(resolutions: &[Resolution], name: &str) -> String {
    muster_report::why(
        &hand::survey(resolutions),
        name,
        Format::Json,
        PLAIN,
        Detail::Normal,
    )
    .as_str()
    .to_owned()
}

fn every_scene() -> [Vec<Resolution>; 5] {
    [
        scenes::shop(),
        scenes::empty(),
        scenes::stopped(),
        scenes::hostile(),
        scenes::many(),
    ]
}

fn assert_valid(schema: Schema, json: &str) {
    let schema: Value = serde_json::from_str(&schema.to_json()).unwrap();
    let instance: Value = serde_json::from_str(json).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&instance)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn list_of_a_shop() {
    assert_snapshot!(list(&scenes::shop()));
}

#[test]
fn why_of_a_server_that_waits() {
    assert_snapshot!(why(&scenes::shop(), "lint"));
}

#[test]
fn schema_of_list() {
    assert_snapshot!(Schema::List.to_json());
}

#[test]
fn schema_of_why() {
    assert_snapshot!(Schema::Why.to_json());
}

#[test]
fn what_is_written_fits_the_schema_that_is_printed() {
    for scene in every_scene() {
        assert_valid(Schema::List, &list(&scene));
        assert_valid(Schema::List, &list_by_server(&scene));
        for name in ["db", "lint", "nobody", ""] {
            assert_valid(Schema::Why, &why(&scene, name));
        }
    }
}

#[test]
fn the_schema_wants_every_key_and_forbids_other_words() {
    let schema: Value = serde_json::from_str(&Schema::List.to_json()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let written: Value = serde_json::from_str(&list(&scenes::shop())).unwrap();
    let server = |change: fn(&mut serde_json::Map<String, Value>)| {
        let mut changed = written.clone();
        change(
            changed["harnesses"][0]["servers"][0]
                .as_object_mut()
                .unwrap(),
        );
        changed
    };
    assert!(validator.is_valid(&server(|_| {})));
    assert!(!validator.is_valid(&server(|server| drop(server.remove("url")))));
    assert!(!validator.is_valid(&server(|server| drop(
        server.insert("status".into(), "pending".into())
    ))));
    assert!(!validator.is_valid(&server(|server| drop(
        server.insert("origin".into(), Value::Array(Vec::new()))
    ))));
}

#[test]
fn names_stay_exact_for_programs_and_harmless_for_terminals() {
    let text = list(&scenes::hostile());
    assert!(
        text.chars().all(|c| c == '\n' || !c.is_control()),
        "a control character got through"
    );
    assert!(
        !text.contains(['\u{202e}', '\u{200b}', '\u{2066}', '\u{3164}']),
        "an invisible character got through"
    );
    let parsed: Value = serde_json::from_str(&text).unwrap();
    let names: Vec<&str> = parsed["harnesses"][0]["servers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    assert_eq!(names[0], "\u{1b}[31mred\u{1b}[0m\u{7}");
    assert_eq!(names[2], "zero\u{200b}width\u{2066}\u{3164}");
    assert_eq!(names[3].len(), 300);
}
