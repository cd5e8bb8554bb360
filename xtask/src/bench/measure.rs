//! Time and memory of one run of a program.

use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4 as _;

use super::ground::Ground;
use crate::{Result, say};

/// The hidden chore that runs one command line and prints its figures.
pub(crate) const MEASURE: &str = "__measure";

/// One run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// Wall time, in milliseconds.
    wall: f64,
    /// Processor time, in milliseconds: what stays true on a busy machine.
    cpu: f64,
    /// Peak memory, in MiB.
    memory: f64,
    failed: bool,
}

/// The runs of one program on one ground.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures(Vec<Run>);

impl Figures {
    pub(super) fn add(&mut self, run: Run) {
        self.0.push(run);
    }

    /// Medians.
    pub(super) fn wall(&self) -> f64 {
        *self
            .sorted(|run| run.wall)
            .get(self.0.len() / 2)
            .unwrap_or(&f64::NAN)
    }

    pub(super) fn cpu(&self) -> f64 {
        *self
            .sorted(|run| run.cpu)
            .get(self.0.len() / 2)
            .unwrap_or(&f64::NAN)
    }

    pub(super) fn memory(&self) -> f64 {
        *self
            .sorted(|run| run.memory)
            .get(self.0.len() / 2)
            .unwrap_or(&f64::NAN)
    }

    pub(super) fn fastest(&self) -> f64 {
        *self.sorted(|run| run.wall).first().unwrap_or(&f64::NAN)
    }

    /// Whether any run ended with an error.
    pub(super) fn failed(&self) -> bool {
        self.0.iter().any(|run| run.failed)
    }

    fn sorted(&self, figure: impl Fn(&Run) -> f64) -> Vec<f64> {
        let mut figures: Vec<f64> = self.0.iter().map(figure).collect();
        figures.sort_by(f64::total_cmp);
        figures
    }
}

/// Runs `command` on `ground` below a fresh process of ours: Linux counts what the parent held when it forked towards the child's
/// peak, and a fresh process holds next to nothing.
pub(super) fn in_child(command: &[String], ground: &Ground) -> Result<Run> {
    let mut child = Command::new(std::env::current_exe()?);
    child
        .arg(MEASURE)
        .args(command)
        .current_dir(&ground.project);
    child
        .env_clear()
        .env("HOME", &ground.home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let answer = child
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !answer.status.success() {
        return Err(format!("cannot measure `{}`", command.join(" ")).into());
    }
    parse(&String::from_utf8(answer.stdout)?)
        .ok_or_else(|| "the measuring process answers nonsense".into())
}

fn parse(answer: &str) -> Option<Run> {
    let mut words = answer.split_whitespace();
    let mut number = || words.next()?.parse().ok();
    let (wall, cpu, memory) = (number()?, number()?, number()?);
    let failed = words.next()? == "failed";
    Some(Run {
        wall,
        cpu,
        memory,
        failed,
    })
}

/// Runs the command line `words` and prints its figures: wall and processor time in milliseconds, peak memory in MiB, and how it
/// ended.
pub(crate) fn measure(words: &[&str]) -> Result {
    let (program, arguments) = words.split_first().ok_or("nothing to measure")?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let start = Instant::now();
    let used = command.spawn()?.wait4()?;
    let wall = start.elapsed().as_secs_f64() * 1000.0;
    let cpu = (used.rusage.utime + used.rusage.stime).as_secs_f64() * 1000.0;
    let memory = used.rusage.maxrss as f64 / (1024.0 * 1024.0);
    let word = if used.status.success() {
        "ok"
    } else {
        "failed"
    };
    say::line(&format!("{wall} {cpu} {memory} {word}"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_counts() {
        let mut figures = Figures::default();
        for line in ["9.0 3 4 ok", "1.0 1 5 ok", "2.0 2 6 ok"] {
            figures.add(parse(line).expect("figures"));
        }
        assert_eq!(
            (
                figures.wall(),
                figures.cpu(),
                figures.memory(),
                figures.fastest()
            ),
            (2.0, 2.0, 5.0, 1.0)
        );
        assert!(!figures.failed());
        figures.add(parse("1 1 1 failed").expect("figures"));
        assert!(figures.failed() && parse("1 1").is_none());
    }
}
