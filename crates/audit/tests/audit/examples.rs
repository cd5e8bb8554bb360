//! Every check has an example that it finds, and whose mended form is healthy.

use std::collections::HashSet;

use muster_audit::CHECKS;
use muster_core::{Audience, Check};
use muster_testkit::Stage;

use crate::found::{findings, stage};

fn laid_down(check: &Check, text: &str) -> Stage {
    let stage = stage("").env("DB_TOKEN", "of-this-shell");
    let example = &check.example;
    let files = example.besides.iter().copied();
    for (path, text) in files.chain([(example.path, text)]) {
        let path = match path.strip_prefix("~/") {
            Some(path) => format!("{}/{path}", Stage::HOME),
            None => format!("{}/{path}", Stage::FOLDER),
        };
        stage.tree.file(path, text);
    }
    stage
}

#[test]
fn every_example_shows_what_its_check_finds() {
    for check in CHECKS {
        let found = findings(&laid_down(check, check.example.before));
        assert!(
            found.iter().any(|finding| finding.check.id == check.id
                && finding.harness == Some(check.example.harness)
                && finding.place.is_some()),
            "{}: {found:?}",
            check.id
        );
    }
}

#[test]
fn every_mended_example_is_healthy() {
    for check in CHECKS {
        let found = findings(&laid_down(check, check.example.after));
        let told: Vec<_> = found
            .iter()
            .filter(|finding| {
                finding.check.id == check.id || finding.check.audience == Audience::Everyone
            })
            .collect();
        assert!(told.is_empty(), "{}: {told:?}", check.id);
    }
}

#[test]
fn every_check_says_what_it_is() {
    let mut ids = HashSet::new();
    for check in CHECKS {
        assert!(ids.insert(check.id), "{} is registered twice", check.id);
        assert_eq!(muster_audit::by_id(check.id), Some(*check));
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(check.id.chars().all(plain), "{}", check.id);
        assert!(!check.title.ends_with('.'), "{}", check.id);
        for text in [check.explanation, check.help] {
            assert!(
                text.ends_with('.') && !text.contains("  "),
                "{}: {text}",
                check.id
            );
        }
        let examples = [check.example.before, check.example.after];
        let mut lines = examples.iter().flat_map(|text| text.lines());
        assert!(lines.all(|line| line.len() <= 76), "{}", check.id);
        assert!(check.example.before.ends_with('\n') && check.example.after.ends_with('\n'));
    }
}
