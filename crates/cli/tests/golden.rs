//! Golden cases: `muster list --format json`, and how servers would be started, held against what the real programs did, one test a
//! case.
//!
//! `cargo test --test golden -- codex/user` runs those whose name holds `codex/user`. `cases/wrong.toml` lists cases that are wrong
//! themselves; one of those that passes, or that is no case, fails.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use libtest_mimic::{Arguments, Failed, Trial};
use muster_core::Files;
use muster_store::Disk;
use muster_testkit::cases::{self, Case};

fn main() -> ExitCode {
    let top = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let trials = trials(&top).unwrap_or_else(|error| vec![failure("cases", error)]);
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trials(top: &Utf8Path) -> std::io::Result<Vec<Trial>> {
    let recorder: Arc<Utf8Path> = top.join("cases/rec_server.py").into();
    let mut wrong: BTreeMap<_, _> = cases::wrong(&top.join("cases/wrong.toml"))?
        .into_iter()
        .collect();
    let mut trials = Vec::new();
    for case in Case::all(top)? {
        let reason = wrong.remove(&case.name);
        let passed_over = case.passed_over().is_some();
        let recorder = Arc::clone(&recorder);
        let trial = Trial::test(case.name.clone(), move || {
            check(&case, &recorder, reason.as_deref())
        });
        trials.push(trial.with_ignored_flag(passed_over));
    }
    trials.extend(
        wrong
            .into_keys()
            .map(|name| failure("cases/wrong.toml", format!("`{name}` is no case"))),
    );
    Ok(trials)
}

fn check(case: &Case, recorder: &Utf8Path, wrong: Option<&str>) -> Result<(), Failed> {
    let muster = Utf8PathBuf::from(env!("CARGO_BIN_EXE_muster"));
    let mut known = muster_harness::ALL.iter().copied();
    let harness = known.find(|harness| harness.id() == case.harness());
    let files = Files::new(Disk);
    let found = cases::run(case, &muster, recorder, harness, &files)?;
    match (found.is_empty(), wrong) {
        (true, None) | (false, Some(_)) => Ok(()),
        (true, Some(_)) => Err("it passes: take it out of cases/wrong.toml".into()),
        (false, None) => Err(found.join("\n").into()),
    }
}

/// A test that fails with what kept the others from being found.
fn failure(name: &str, why: impl std::fmt::Display + Send + 'static) -> Trial {
    Trial::test(name, move || Err(Failed::from(why)))
}
