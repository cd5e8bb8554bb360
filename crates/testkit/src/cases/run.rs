//! Asking the binary about a case.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Files, Harness};
use serde_json::Value;

use super::{Case, compare, launch, lay, text, texts};

/// How long the binary may take over one case: far more than it ever does.
const PATIENCE: Duration = Duration::from_secs(30);

/// A folder that a case is laid down in; it goes away with the value.
#[derive(Debug)]
pub struct Ground {
    root: Utf8PathBuf,
    _guard: tempfile::TempDir,
}

impl Ground {
    /// Lays `case` down in a new temporary folder. `recorder` is the recording server's file, `cases/rec_server.py`.
    ///
    /// # Errors
    /// If the disk or a command of the case's setup refuses.
    pub fn new(case: &Case, recorder: &Utf8Path) -> io::Result<Ground> {
        let (guard, root) = lay::scratch()?;
        case.lay_down(&root, recorder)?;
        Ok(Ground {
            root,
            _guard: guard,
        })
    }

    /// The folder that `{{ROOT}}` stands for.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }
}

/// Lays `case` down, asks `muster` about it as a user would, and gives what is wrong in its answer; empty if it agrees. Where the
/// record tells how a server was started, that is held against the launch plan that `harness` makes of what `files` reads; a case of
/// a harness that is not known yet has none.
///
/// # Errors
/// If the case cannot be laid down, or `muster` cannot be run, fails, hangs or does not answer with JSON.
pub fn run(
    case: &Case,
    muster: &Utf8Path,
    recorder: &Utf8Path,
    harness: Option<&dyn Harness>,
    files: &Files,
) -> io::Result<Vec<String>> {
    let ground = Ground::new(case, recorder)?;
    let record = case.placed(ground.root());
    let answer = ask(&record, case.harness(), ground.root(), muster)?;
    let mut wrong = compare(&record, case.harness(), &answer);
    if let Some(harness) = harness.filter(|_| launch::is_told(&record)) {
        wrong.extend(launch::compare(&record, harness, ground.root(), files));
    }
    Ok(wrong)
}

fn ask(record: &Value, harness: &str, root: &Utf8Path, muster: &Utf8Path) -> io::Result<Value> {
    let project = root.join(text(record, "project").unwrap_or_default());
    let mut command = Command::new(muster);
    command.args([
        "list",
        "--format",
        "json",
        "--harness",
        harness,
        "--project",
        project.as_str(),
    ]);
    if text(record, "mode") == Some("headless") {
        command.arg("--headless");
    }
    if let Some(platform) = text(record, "platform") {
        command.args(["--platform", platform]);
    }
    let session = texts(record, "session");
    if !session.is_empty() {
        command.arg("--").args(session);
    }
    // Nothing of the environment of whoever runs the tests can reach the answer.
    command.env_clear().env(
        "PATH",
        std::env::var_os("PATH")
            .as_deref()
            .unwrap_or(OsStr::new("")),
    );
    command
        .env("HOME", root.join("home"))
        .env("MUSTER_SYSTEM_ROOT", root);
    for (name, value) in record
        .get("env")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        command.env(name, value.as_str().unwrap_or_default());
    }
    let done = finish(command.current_dir(project), PATIENCE)?;
    if !done.status.success() {
        return Err(io::Error::other(format!(
            "{}: {}",
            done.status,
            done.stderr.trim()
        )));
    }
    serde_json::from_str(&done.stdout)
        .map_err(|error| io::Error::other(format!("its answer is no JSON: {error}")))
}

struct Done {
    status: ExitStatus,
    stdout: String,
    stderr: String,
}

/// Runs `command` to its end, or kills it when `patience` is over. Its output goes to files, so that no pipe can fill up.
fn finish(command: &mut Command, patience: Duration) -> io::Result<Done> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?);
    let mut child = command.spawn()?;
    let end = Instant::now() + patience;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other(format!(
                "it had not ended after {} seconds",
                patience.as_secs()
            )));
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    Ok(Done {
        status,
        stdout: content(&mut stdout)?,
        stderr: content(&mut stderr)?,
    })
}

fn content(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
