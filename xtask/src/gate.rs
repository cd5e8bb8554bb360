//! The gate: everything that a change must pass, cheap steps first.

use std::time::{Duration, Instant};

use crate::place::Workspace;
use crate::{Result, conformance, generate, peers, say, tidy};

/// What to do when a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnFailure {
    Stop,
    KeepGoing,
}

type Step = (&'static str, fn(&Workspace) -> Result);

const STEPS: [Step; 10] = [
    ("format", |at| cargo(at, &["fmt", "--all", "--check"])),
    ("tidy", tidy::run),
    ("lints", |at| {
        cargo(
            at,
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
        )
    }),
    ("tests", tests),
    ("examples in documentation", |at| {
        cargo(at, &["test", "--workspace", "--doc"])
    }),
    ("documentation", documentation),
    ("generated files", generate::check),
    ("fuzz targets", fuzz_targets),
    ("official servers", peers::test),
    ("official conformance suite", conformance::run),
];

/// Runs every step and closes with what came of them.
pub(crate) fn run(workspace: &Workspace, on_failure: OnFailure) -> Result {
    let start = Instant::now();
    let mut outcomes = Vec::new();
    for (name, step) in STEPS {
        say::heading(name);
        let began = Instant::now();
        let outcome = step(workspace);
        if let Err(error) = &outcome {
            say::problem(&error.to_string());
        }
        let failed = outcome.is_err();
        outcomes.push((name, failed, began.elapsed()));
        if failed && on_failure == OnFailure::Stop {
            break;
        }
    }
    close(&outcomes, start.elapsed())
}

fn close(outcomes: &[(&str, bool, Duration)], took: Duration) -> Result {
    say::heading("summary");
    for (name, failed, took) in outcomes {
        let word = if *failed { "FAILED" } else { "ok" };
        say::line(&format!("{word:>6}  {name} ({:.1} s)", took.as_secs_f64()));
    }
    let passed = outcomes.iter().filter(|(_, failed, _)| !failed).count();
    let line = format!(
        "{passed} of {} steps passed in {} s",
        STEPS.len(),
        took.as_secs()
    );
    if passed < STEPS.len() {
        return Err(line.into());
    }
    say::line(&line);
    Ok(())
}

/// With nextest where it is installed: it isolates tests and names slow ones. A fresh machine has only cargo.
fn tests(workspace: &Workspace) -> Result {
    let nextest = workspace.cargo(&["nextest", "--version"]).output();
    if nextest.is_ok_and(|found| found.status.success()) {
        return cargo(
            workspace,
            &["nextest", "run", "--workspace", "--profile", "ci"],
        );
    }
    cargo(
        workspace,
        &[
            "test",
            "--workspace",
            "--lib",
            "--bins",
            "--tests",
            "--no-fail-fast",
        ],
    )
}

fn documentation(workspace: &Workspace) -> Result {
    let mut doc = workspace.cargo(&[
        "doc",
        "--workspace",
        "--no-deps",
        "--document-private-items",
        "--quiet",
    ]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    succeed(doc, "cargo doc")
}

/// Checks, without building libFuzzer, that the targets still fit what they call.
fn fuzz_targets(workspace: &Workspace) -> Result {
    cargo(
        workspace,
        &[
            "check",
            "--quiet",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "--no-default-features",
        ],
    )
}

fn cargo(workspace: &Workspace, words: &[&str]) -> Result {
    succeed(
        workspace.cargo(words),
        &format!("cargo {}", words.join(" ")),
    )
}

fn succeed(mut command: std::process::Command, what: &str) -> Result {
    match command.status()? {
        status if status.success() => Ok(()),
        status => Err(format!("`{what}`: {status}").into()),
    }
}
