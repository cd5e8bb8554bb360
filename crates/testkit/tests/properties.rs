//! What holds for any input: every fuzz target with what proptest makes, and every harness over random trees and damaged cases.

use camino::Utf8Path;
use muster_core::{Beside, Harness};
use muster_testkit::cases::Case;
use muster_testkit::strategies::{self, Format};
use muster_testkit::{Stage, claims, fuzz};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Bounded, so that the whole file stays under a minute on a slow machine; `PROPTEST_CASES` asks for more.
fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(cases),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        any::<String>().prop_map(String::into_bytes),
        strategies::file(Format::Settings),
        strategies::file(Format::Toml),
    ]
}

/// The bytes of a few files for [`fuzz::resolve`].
fn files() -> impl Strategy<Value = Vec<u8>> {
    let file = (any::<u8>(), bytes()).prop_map(|(choice, content)| {
        let length = u16::try_from(content.len()).unwrap_or(u16::MAX);
        [&[choice][..], &length.to_be_bytes(), &content].concat()
    });
    prop::collection::vec(file, 0..6).prop_map(|files| files.concat())
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn json_is_read_to_an_end(bytes in bytes()) {
        fuzz::json(&bytes);
    }

    #[test]
    fn toml_is_read_to_an_end(bytes in bytes()) {
        fuzz::toml(&bytes);
    }

    #[test]
    fn masked_text_is_one_visible_line(bytes in bytes()) {
        fuzz::masks(&bytes);
    }

    #[test]
    fn foreign_text_cannot_act(bytes in bytes()) {
        fuzz::shown(&bytes);
    }

    #[test]
    fn known_secrets_are_scrubbed(secret in "[a-z]{4}[0-9]{4}[a-zA-Z0-9]{8,20}", around in any::<(String, String)>()) {
        fuzz::scrub(format!("{secret}\0{}{secret}{}", around.0, around.1).as_bytes());
    }

    #[test]
    fn any_bytes_are_scrubbed_to_an_end(bytes in bytes()) {
        fuzz::scrub(&bytes);
    }
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn resolution_is_total_over_bytes(bytes in files()) {
        for harness in muster_harness::ALL {
            fuzz::resolve(*harness, &bytes);
        }
    }

    #[test]
    fn claims_hold_over_random_trees(tree in strategies::tree(), headless in any::<bool>(), below in any::<bool>()) {
        for harness in muster_harness::ALL {
            let mut stage = Stage::of(tree.copy());
            if headless {
                stage = stage.headless();
            }
            if below {
                stage = stage.folder("/work/repo/sub");
            }
            let broken = claims::broken(*harness, &stage);
            prop_assert!(broken.is_empty(), "{}: {}", harness.id(), broken.join("\n"));
        }
    }

    #[test]
    fn what_others_made_of_the_world_changes_nothing(tree in strategies::tree(), headless in any::<bool>()) {
        let stage = Stage::of(tree);
        let stage = if headless { stage.headless() } else { stage };
        let world = stage.world();
        let mut others = Vec::new();
        for harness in muster_harness::ALL {
            let known = Beside {
                others: &others,
                repeats: true,
            };
            let beside = harness.resolve_beside(&world, known);
            let alone = harness.resolve(&world);
            prop_assert_eq!(format!("{:?}", beside), format!("{:?}", alone), "{}", harness.id());
            others.push(beside);
        }
    }

    #[test]
    fn claims_hold_wherever_a_harness_looks(
        (at, tree) in (0..muster_harness::ALL.len())
            .prop_flat_map(|at| (Just(at), muster_harness::ALL.get(at).map(|harness| strategies::tree_for(*harness)).expect("in range"))),
        headless in any::<bool>(),
    ) {
        let harness = muster_harness::ALL.get(at).expect("in range");
        let stage = Stage::of(tree);
        let stage = if headless { stage.headless() } else { stage };
        let broken = claims::broken(*harness, &stage);
        prop_assert!(broken.is_empty(), "{}: {}", harness.id(), broken.join("\n"));
    }
}

/// Every recorded case with files of another of its harness.
#[test]
fn claims_hold_over_recorded_cases_crossed() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config(0), rng);
    let mut staged: Vec<(Case, &dyn Harness, Stage)> = Vec::new();
    for case in recorded() {
        let harness = muster_harness::by_id(case.harness()).expect("the harness is known");
        if let Some(stage) = case.stage().expect("the case can be read") {
            let stage = in_session(stage, &case, harness);
            staged.push((case, harness, stage));
        }
    }
    let mut broken = Vec::new();
    for (case, harness, stage) in &staged {
        let donors: Vec<_> = staged
            .iter()
            .filter(|(other, of, _)| of.id() == harness.id() && other.name != case.name)
            .collect();
        let draw = (any::<prop::sample::Index>(), any::<u64>()).new_tree(&mut runner);
        let (index, choice) = draw.expect("always drawn").current();
        let Some((donor, _, from)) = donors.get(index.index(donors.len().max(1))) else {
            continue;
        };
        let crossed = stage.again(strategies::crossed(stage, from, choice));
        let name = |claim| format!("{} with {}: {claim}", case.name, donor.name);
        broken.extend(claims::broken(*harness, &crossed).into_iter().map(name));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[expect(
    clippy::expect_used,
    reason = "without the cases there is nothing to test"
)]
fn recorded() -> Vec<Case> {
    let top = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Case::all(&top).expect("the cases can be read")
}

/// Every recorded case as it is, then with one of its files damaged.
#[test]
fn claims_hold_over_recorded_cases_and_their_damage() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config(0), rng);
    let mut broken = Vec::new();
    for case in recorded() {
        let harness = muster_harness::by_id(case.harness()).expect("the harness is known");
        let Some(stage) = case.stage().expect("the case can be read") else {
            continue;
        };
        let stage = in_session(stage, &case, harness);
        let name = |claim| format!("{}: {claim}", case.name);
        broken.extend(claims::broken(harness, &stage).into_iter().map(name));
        damage(&stage, &mut runner);
        let damaged = stage.again(stage.tree.copy());
        let name = |claim| format!("{}, damaged: {claim}\n{:?}", case.name, damaged.tree);
        broken.extend(claims::broken(harness, &damaged).into_iter().map(name));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn in_session(stage: Stage, case: &Case, harness: &dyn Harness) -> Stage {
    let words = case.session();
    if words.is_empty() {
        return stage;
    }
    let cwd = stage.world().cwd;
    match harness.session(&words, &cwd) {
        Ok(session) => stage.session(session),
        Err(_) => stage,
    }
}

/// Damages one file that the case is about.
fn damage(stage: &Stage, runner: &mut TestRunner) {
    let files: Vec<_> = stage
        .tree
        .files()
        .into_iter()
        .filter(|path| stage.tree.was_asked(path))
        .collect();
    let mutations = prop::collection::vec(strategies::mutation(), 1..4);
    let Ok(draw) = (any::<prop::sample::Index>(), mutations).new_tree(runner) else {
        return;
    };
    let (index, mutations) = draw.current();
    if let Some(path) = files.get(index.index(files.len().max(1))) {
        let content = stage.tree.content(path).unwrap_or_default();
        stage.tree.file(
            path,
            mutations
                .iter()
                .fold(content, |content, mutation| mutation.apply(content)),
        );
    }
}
