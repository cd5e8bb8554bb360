//! What holds for every audit.

use muster_core::{Finding, Harness};
use muster_testkit::{Stage, Tree, strategies};
use proptest::prelude::*;

use crate::found::{findings, project, stage};

/// Stands for a secret that looks like no key of a known service and like no word.
const CANARY: &str = "hunterq7zq";

fn told(found: &[Finding]) -> Vec<String> {
    let text = |finding: &Finding| {
        format!(
            "{} {} {}",
            finding.check.id,
            finding.text,
            finding.help.as_deref().unwrap_or_default()
        )
    };
    found.iter().map(text).collect()
}

#[test]
fn no_finding_holds_a_value() {
    let mut count = 0;
    for entry in [
        r#"{"command": "npx hunterq7zq --token hunterq7zq"}"#,
        r#"{"command": "hunterq7zq=1 npx"}"#,
        r#"{"command": "npx", "args": ["${X:-hunterq7zq}", "${env:X:-hunterq7zq}", "{env:hunterq7zq"]}"#,
        r#"{"command": "npx", "args": ["--token=hunterq7zq", "$hunterq7zq"], "env": {"T": "hunterq7zq${Y}"}}"#,
        r#"{"command": "npx", "cwd": "hunterq7zq/${Z}", "disabled": "hunterq7zq"}"#,
        r#"{"type": "http", "url": "http://user:hunterq7zq@h.example/hunterq7zq?token=hunterq7zq#hunterq7zq"}"#,
        r#"{"type": "hunterq7zq", "url": "https://h.example/${X:-hunterq7zq}"}"#,
        r#"{"url": "http://h.example", "headers": {"Authorization": "Bearer hunterq7zq ${env:T}"}}"#,
    ] {
        let found = findings(&project(&format!("\"db\": {entry}")));
        for text in told(&found) {
            assert!(!text.contains(CANARY), "{entry}: {text}");
        }
        count += found.len();
    }
    assert!(count >= 8, "{count}");
}

/// A tree where harnesses look, in a world with a PATH.
fn staged(tree: &Tree, headless: bool) -> Stage {
    let stage = stage("").again(tree.copy()).env("PATH", "/usr/bin");
    if headless { stage.headless() } else { stage }
}

fn trees() -> impl Strategy<Value = Tree> {
    let of = |harness: &&'static dyn Harness| strategies::tree_for(*harness);
    let each = muster_harness::ALL.iter().map(of);
    let each = proptest::strategy::Union::new(each);
    prop_oneof![strategies::tree(), each]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_audit_is_total_and_deterministic(tree in trees(), headless in any::<bool>()) {
        let stage = staged(&tree, headless);
        let first = findings(&stage);
        let again = findings(&staged(&tree, headless));
        prop_assert_eq!(format!("{first:?}"), format!("{again:?}"));
        let texts = told(&first);
        prop_assert!(first.is_sorted_by_key(|finding| finding.severity));
        for text in texts {
            prop_assert!(!text.ends_with('.') && !text.contains('\n'), "{text}");
        }
    }
}
