//! The project's own chores.
//!
//! `cargo xtask test` is the gate that every change passes; `.ci/run` calls it and nothing else. [`HELP`] lists the others.

mod bench;
mod conformance;
mod gate;
mod generate;
mod peers;
mod place;
mod release;
mod say;
mod tidy;

use std::process::ExitCode;

use place::Workspace;

/// A chore's outcome. Chores fail with a sentence for a developer; nobody tells the failures apart.
type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const HELP: &str = "\
usage: cargo xtask CHORE

  test [--keep-going]   the whole gate, cheap steps first
  tidy                  what the compiler does not check: file lengths, walls, rules and their cases, documents
  generate [--check]    write what is made from the code (docs/reference, schemas); with --check only compare
  peers                 `muster check --launch` on official servers, installed as `ci/peers` pins them
  conformance           the official conformance suite, client side
  install [OPTION...]   `cargo install` of a binary that is static where this machine can make one; takes its options (--root DIR)
  bench [--codex PATH] [--claude PATH] [--runs N]
                        time and memory of `muster list`, beside the agents' own list commands, and of a call";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::problem(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result {
    let (chore, rest) = words.split_first().unwrap_or((&"help", &[]));
    let workspace = Workspace::find();
    match (*chore, rest) {
        ("test", []) => gate::run(&workspace, gate::OnFailure::Stop),
        ("test", ["--keep-going"]) => gate::run(&workspace, gate::OnFailure::KeepGoing),
        ("tidy", []) => tidy::run(&workspace),
        ("generate", []) => generate::write(&workspace),
        ("generate", ["--check"]) => generate::check(&workspace),
        ("peers", []) => peers::test(&workspace),
        ("conformance", []) => conformance::run(&workspace),
        ("install", options) => release::install(&workspace, options),
        ("bench", options) => bench::run(&workspace, options),
        (bench::MEASURE, command) => bench::measure(command),
        (bench::INSTANT, []) => bench::serve_instantly(),
        ("help" | "--help" | "-h", _) => {
            say::line(HELP);
            Ok(())
        }
        _ => Err(format!("`{}` is no chore\n\n{HELP}", words.join(" ")).into()),
    }
}
