//! How fast `muster list` is, beside the agents' own list commands, on the same home and project.
//!
//! Wall time is noise on a shared machine, so the programs take turns, the median counts, and the processor time stands beside it;
//! ratios are what to look at. Nothing here fails on a slow run.

mod call;
mod ground;
mod launching;
mod measure;

use std::path::PathBuf;

use camino::{Utf8Path, Utf8PathBuf};

use crate::place::Workspace;
use crate::{Result, release, say};
use ground::{Plan, Users};
use measure::Figures;

pub(crate) use call::{INSTANT, serve as serve_instantly};
pub(crate) use measure::{MEASURE, measure};

/// How often each program runs on each ground, unless told.
const RUNS: usize = 15;

/// What the project promises for [`TARGET_SERVERS`] servers in each agent.
const TARGET_SERVERS: usize = 50;
const TARGET_MILLISECONDS: f64 = 5.0;
const TARGET_MEBIBYTES: f64 = 15.0;
const TARGET_TIMES_FASTER: f64 = 10.0;

/// Runs the benchmark. Options: `--codex PATH`, `--claude PATH`, `--pi PATH`, `--mcporter PATH`, `--runs N`, and as
/// the first `--launch` for the part that starts servers alone.
pub(crate) fn run(workspace: &Workspace, options: &[&str]) -> Result {
    let options = Options::parse(options)?;
    say::line("building muster (release) …");
    let muster = release::build(workspace)?;
    launching::run(&muster, &starters(&options), options.runs)?;
    if options.launch {
        return Ok(());
    }
    let programs = programs(muster.clone(), &options);
    let plain = Plan {
        users: Users::Codex,
        servers: TARGET_SERVERS,
        nested: 0,
        secrets: false,
    };
    let of = |users| Plan { users, ..plain };
    let with_tokens = Plan {
        secrets: true,
        ..of(Users::Both)
    };
    call::run(&muster, &plain.lay_down()?, options.runs)?;
    for plan in [plain, of(Users::Both), with_tokens, of(Users::Everyone)] {
        let figures = compare(plan, &programs, options.runs)?;
        judge(&programs, &figures);
    }
    let mut growth = Vec::new();
    for servers in [10, TARGET_SERVERS, 100, 1000] {
        let plan = Plan {
            servers,
            ..of(Users::Both)
        };
        let figures = compare(plan, &programs, options.runs)?;
        growth.extend(figures.first().map(|muster| (servers, muster.wall())));
    }
    let nested = Plan {
        nested: 20,
        ..of(Users::Both)
    };
    compare(nested, &programs, options.runs)?;
    say::heading("growth of `muster list` with the number of servers");
    say::line(&slope(&growth));
    Ok(())
}

/// The times by size, and what a server more costs between the smallest and the largest.
fn slope(growth: &[(usize, f64)]) -> String {
    let times: Vec<String> = growth
        .iter()
        .map(|(size, time)| format!("{size}: {time:.1} ms"))
        .collect();
    let cost = match (growth.first(), growth.last()) {
        (Some((few, short)), Some((many, long))) if many > few => {
            (long - short) * 1000.0 / (many - few) as f64
        }
        _ => f64::NAN,
    };
    format!("{} ({cost:.1} µs a server)", times.join(", "))
}

struct Options {
    codex: Option<Utf8PathBuf>,
    claude: Option<Utf8PathBuf>,
    pi: Option<Utf8PathBuf>,
    mcporter: Option<Utf8PathBuf>,
    /// Only the part that starts servers.
    launch: bool,
    runs: usize,
}

impl Options {
    fn parse(words: &[&str]) -> Result<Self> {
        let mut options = Options {
            codex: on_path("codex"),
            claude: on_path("claude"),
            pi: on_path("pi"),
            mcporter: on_path("mcporter"),
            launch: words.first() == Some(&"--launch"),
            runs: RUNS,
        };
        let pairs = words.get(usize::from(options.launch)..).unwrap_or_default();
        for pair in pairs.chunks(2) {
            match pair {
                ["--codex", path] => options.codex = Some(Utf8Path::new(path).canonicalize_utf8()?),
                ["--claude", path] => {
                    options.claude = Some(Utf8Path::new(path).canonicalize_utf8()?)
                }
                ["--pi", path] => options.pi = Some(Utf8Path::new(path).canonicalize_utf8()?),
                ["--mcporter", path] => {
                    options.mcporter = Some(Utf8Path::new(path).canonicalize_utf8()?)
                }
                ["--runs", number] => options.runs = number.parse::<usize>()?.max(1),
                _ => return Err(format!("bench does not know `{}`", pair.join(" ")).into()),
            }
        }
        Ok(options)
    }
}

/// The program called `name` on PATH.
fn on_path(name: &str) -> Option<Utf8PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&folders).map(|folder| folder.join(name));
    candidates
        .filter_map(|path: PathBuf| Utf8PathBuf::from_path_buf(path).ok())
        .find(|path| path.is_file())
}

/// A command line and what to call it. The first of the programs is the measure of the others.
struct Program {
    name: &'static str,
    command: Vec<String>,
}

fn programs(muster: Utf8PathBuf, options: &Options) -> Vec<Program> {
    let program = |name, path: &Utf8Path, words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned());
        Program {
            name,
            command: std::iter::once(path.to_string()).chain(words).collect(),
        }
    };
    let mut programs = vec![
        program("muster list", &muster, &["list"]),
        program(
            "muster list --format json",
            &muster,
            &["list", "--format", "json"],
        ),
        program(
            "muster list --harness codex …",
            &muster,
            &["list", "--format", "json", "--harness", "codex"],
        ),
    ];
    programs.extend(
        options
            .codex
            .as_ref()
            .map(|path| program("codex mcp list --json", path, &["mcp", "list", "--json"])),
    );
    programs.extend(
        options
            .claude
            .as_ref()
            .map(|path| program("claude mcp list (starts servers)", path, &["mcp", "list"])),
    );
    programs
}

/// Programs of others that start every server and list it.
fn starters(options: &Options) -> Vec<Program> {
    let program = |name, path: &Option<Utf8PathBuf>, words: [&str; 2]| {
        let words = words.into_iter().filter(|word| !word.is_empty());
        path.as_ref().map(|path| Program {
            name,
            command: std::iter::once(path.as_str())
                .chain(words)
                .map(str::to_owned)
                .collect(),
        })
    };
    [
        program("claude mcp list", &options.claude, ["mcp", "list"]),
        program("pi mcp list", &options.pi, ["mcp", "list"]),
        program("mcporter list", &options.mcporter, ["list", ""]),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Lets every program run in turn and prints what came of it. Gives the figures in the order of the programs.
fn compare(plan: Plan, programs: &[Program], runs: usize) -> Result<Vec<Figures>> {
    let ground = plan.lay_down()?;
    let mut figures: Vec<Figures> = programs.iter().map(|_| Figures::default()).collect();
    for _ in 0..runs {
        for (program, figures) in programs.iter().zip(&mut figures) {
            figures.add(measure::in_child(&program.command, &ground)?);
        }
    }
    say::heading(&plan.describe());
    say::line(&format!(
        "{:<34} {:>10} {:>10} {:>10} {:>10} {:>7} {:>7} {:>8}",
        "", "median", "fastest", "processor", "memory", "time ×", "proc. ×", "memory ×"
    ));
    let base = figures.first().cloned().unwrap_or_default();
    for (program, figures) in programs.iter().zip(&figures) {
        say::line(&row(program.name, figures, &base));
    }
    Ok(figures)
}

fn row(name: &str, figures: &Figures, base: &Figures) -> String {
    let failed = if figures.failed() {
        "  (exits with an error)"
    } else {
        ""
    };
    format!(
        "{name:<34} {:>7.1} ms {:>7.1} ms {:>7.1} ms {:>6.1} MiB {:>7.1} {:>7.1} {:>8.1}{failed}",
        figures.wall(),
        figures.fastest(),
        figures.cpu(),
        figures.memory(),
        figures.wall() / base.wall(),
        figures.cpu() / base.cpu(),
        figures.memory() / base.memory(),
    )
}

/// How many of the programs are Muster.
const OF_MUSTER: usize = 3;

/// Says how far the targets are met. Each agent's command tells of that agent alone; `muster list` asks all of them.
fn judge(programs: &[Program], figures: &[Figures]) {
    let word = |met: bool| if met { "met" } else { "missed" };
    let agents = programs.iter().zip(figures).skip(OF_MUSTER);
    for (program, muster) in programs.iter().zip(figures).take(OF_MUSTER) {
        let fast = muster.wall() < TARGET_MILLISECONDS;
        let small = muster.memory() < TARGET_MEBIBYTES;
        let mut line = format!(
            "{}: under {TARGET_MILLISECONDS} ms: {}; under {TARGET_MEBIBYTES} MiB: {}",
            program.name,
            word(fast),
            word(small),
        );
        for (agent, figures) in agents.clone() {
            let times = figures.wall() / muster.wall();
            line.push_str(&format!(
                "; {TARGET_TIMES_FASTER} times faster than `{}`: {} ({times:.1})",
                agent.name,
                word(times >= TARGET_TIMES_FASTER),
            ));
        }
        say::line(&line);
    }
}
