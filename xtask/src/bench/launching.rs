//! How fast `muster check --launch` is: servers that answer at once, one that never does, and one with very many tools.

use std::fs;

use camino::Utf8Path;
use serde_json::{Map, Value, json};

use super::ground::Ground;
use super::measure::{self, Figures};
use super::{Program, row};
use crate::{Result, say};

/// What the project promises for [`SERVERS`] servers that answer at once, on two cores.
const SERVERS: usize = 20;
const TARGET_MILLISECONDS: f64 = 200.0;
const TARGET_MEBIBYTES: f64 = 20.0;
/// Tools of the server that has very many.
const TOOLS: usize = 5_000;
/// How long the server that never answers is waited for.
const PATIENCE: f64 = 1_000.0;
/// Ending one that ignores everything takes a second for each step, and a little.
const ENDING: f64 = 3_500.0;

/// Measures `muster` beside `others`, programs that start servers and list them.
pub(super) fn run(muster: &Utf8Path, others: &[Program], runs: usize) -> Result {
    let instant = |words: &[&str]| {
        let args: Vec<&str> = ["__demo-server"].iter().chain(words).copied().collect();
        json!({"command": muster.as_str(), "args": args})
    };
    let many = (0..SERVERS).map(|at| (format!("server-{at}"), instant(&["query", "search"])));
    let check = check(muster, &["--timeout", "20"]);
    let heading = format!("{SERVERS} servers that answer at once");
    let figures = compare(&heading, many.collect(), &check, others, runs)?;
    target("time", figures.fastest(), TARGET_MILLISECONDS, "ms");
    target("memory", figures.memory(), TARGET_MEBIBYTES, "MiB");

    let large = [("large".to_owned(), instant(&[&format!("{TOOLS}-tools")]))];
    let heading = format!("one server with {TOOLS} tools");
    let figures = compare(&heading, large.into_iter().collect(), &check, &[], runs)?;
    target("memory", figures.memory(), TARGET_MEBIBYTES, "MiB");

    let hangs =
        json!({"command": "/bin/sh", "args": ["-c", "trap '' TERM; while :; do sleep 1; done"]});
    let hanging = [
        ("hangs".to_owned(), hangs),
        ("quick".to_owned(), instant(&["query"])),
    ];
    let check = self::check(muster, &["--timeout", "1"]);
    let heading = "one server that never answers, given 1 s, and one that does at once";
    let figures = compare(
        heading,
        hanging.into_iter().collect(),
        &check,
        &[],
        runs.min(3),
    )?;
    target("time", figures.fastest(), PATIENCE + ENDING, "ms");
    Ok(())
}

fn check(muster: &Utf8Path, words: &[&str]) -> Program {
    let usual = [
        "check",
        "--launch",
        "--deny",
        "never",
        "--format",
        "json",
        "--harness",
        "claude-code",
    ];
    let words = usual.iter().chain(words).map(|word| (*word).to_owned());
    Program {
        name: "muster check --launch",
        command: std::iter::once(muster.to_string()).chain(words).collect(),
    }
}

/// Lets `check` and `others` run in turn over a home with `servers`; the figures of `check`.
fn compare(
    heading: &str,
    servers: Map<String, Value>,
    check: &Program,
    others: &[Program],
    runs: usize,
) -> Result<Figures> {
    let ground = Ground::empty()?;
    let file = json!({"mcpServers": servers}).to_string();
    for path in [
        ".claude.json",
        ".pi/agent/mcp.json",
        ".mcporter/mcporter.json",
    ] {
        let path = ground.home.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, &file)?;
    }
    let programs: Vec<&Program> = std::iter::once(check).chain(others).collect();
    let mut figures: Vec<Figures> = programs.iter().map(|_| Figures::default()).collect();
    for _ in 0..runs {
        for (program, figures) in programs.iter().zip(&mut figures) {
            figures.add(measure::in_child(&program.command, &ground)?);
        }
    }
    say::heading(heading);
    let base = figures.first().cloned().unwrap_or_default();
    for (program, figures) in programs.iter().zip(&figures) {
        say::line(&row(program.name, figures, &base));
    }
    Ok(base)
}

fn target(what: &str, is: f64, promised: f64, unit: &str) {
    let word = if is <= promised { "met" } else { "MISSED" };
    say::line(&format!(
        "{what}: {is:.1} {unit} of {promised:.0} {unit}: {word}"
    ));
}
