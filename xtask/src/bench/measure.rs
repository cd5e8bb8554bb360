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
    milliseconds: f64,
    bytes: u64,
    failed: bool,
}

/// The runs of one program on one ground.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures {
    milliseconds: Vec<f64>,
    bytes: Vec<u64>,
    pub(super) failed: bool,
}

impl Figures {
    pub(super) fn add(&mut self, run: Run) {
        self.milliseconds.push(run.milliseconds);
        self.milliseconds.sort_by(f64::total_cmp);
        self.bytes.push(run.bytes);
        self.bytes.sort_unstable();
        self.failed |= run.failed;
    }

    /// The median of the wall times, in milliseconds.
    pub(super) fn median(&self) -> f64 {
        self.milliseconds
            .get(self.milliseconds.len() / 2)
            .copied()
            .unwrap_or(f64::NAN)
    }

    pub(super) fn fastest(&self) -> f64 {
        self.milliseconds.first().copied().unwrap_or(f64::NAN)
    }

    /// The median of the peak memories.
    pub(super) fn mebibytes(&self) -> f64 {
        let bytes = self
            .bytes
            .get(self.bytes.len() / 2)
            .copied()
            .unwrap_or_default();
        bytes as f64 / (1024.0 * 1024.0)
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
    Some(Run {
        milliseconds: words.next()?.parse().ok()?,
        bytes: words.next()?.parse().ok()?,
        failed: words.next()? == "failed",
    })
}

/// Runs the command line `words` and prints its wall time in milliseconds, its peak memory in bytes, and how it ended.
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
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    let word = if used.status.success() {
        "ok"
    } else {
        "failed"
    };
    say::line(&format!("{milliseconds} {} {word}", used.rusage.maxrss));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_counts() {
        let mut figures = Figures::default();
        for (milliseconds, bytes) in [(9.0, 3), (1.0, 1), (2.0, 2 << 20)] {
            figures.add(Run {
                milliseconds,
                bytes,
                failed: false,
            });
        }
        assert!((figures.median() - 2.0).abs() < f64::EPSILON);
        assert!((figures.fastest() - 1.0).abs() < f64::EPSILON);
        assert!(parse("1.5 2048 ok\n").is_some_and(|run| run.bytes == 2048 && !run.failed));
        assert!(parse("").is_none());
    }
}
