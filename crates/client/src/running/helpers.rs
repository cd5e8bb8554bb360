//! Commands that give a server's values before it is started: `headersHelper`, `http_headers_helper`, `!command`. Run as the harness
//! would, and only when their server is started at all: whoever may not be started is not asked anything.

use std::ffi::OsString;

use muster_core::{Gives, Handed, Helper, LaunchPlan, Start};
use muster_document::Secret;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::{Instant, timeout_at};

use crate::process::{Patience, Spawn, Supervisor};
use crate::{Exit, Happening, Oddity, Teller};

/// Bytes of an output that are taken.
const OUTPUT: u64 = 1024 * 1024;
/// Bytes of the end of its standard error that are kept.
const STDERR: usize = 4 * 1024;

/// Why a helper gave nothing. None of its words are told: they may be the secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum HelperError {
    /// It could not be started; why.
    #[error("the command for {what} could not be started: {why}")]
    Spawn {
        /// What it is asked for.
        what: String,
        /// Why.
        why: String,
    },
    /// It took too long.
    #[error("the command for {what} gave nothing within {seconds} s")]
    TimedOut {
        /// What it is asked for.
        what: String,
        /// How long it may take.
        seconds: u64,
    },
    /// It failed.
    #[error("the command for {what} ended with {exit}")]
    Failed {
        /// What it is asked for.
        what: String,
        /// How it ended.
        exit: Exit,
    },
    /// What it printed is not what is taken; why, as a sentence goes on.
    #[error("the command for {what} {why}")]
    Output {
        /// What it is asked for.
        what: String,
        /// What is wrong.
        why: &'static str,
    },
}

/// `plan` with the values that its helpers give. Those of a helper that fails and need not succeed are left out.
///
/// # Errors
/// Where one fails that the server needs.
pub(super) async fn asked(
    plan: &LaunchPlan,
    supervisor: &Supervisor,
    patience: Patience,
    teller: &Teller,
    deadline: Instant,
) -> Result<LaunchPlan, HelperError> {
    let mut filled = plan.clone();
    filled.helpers.clear();
    for helper in &plan.helpers {
        let given = ask(helper, supervisor, patience, deadline).await;
        match given.and_then(|output| fill(&mut filled, helper, &output)) {
            Ok(()) => {}
            Err(error) if helper.required => return Err(error),
            // The harness goes on without a word; whoever looks for what is missing should read of it.
            Err(error) => {
                let told = format!("{error}, so that it is called without them");
                teller.tell(Happening::Warned(Oddity::Other(told)));
            }
        }
    }
    Ok(filled)
}

/// The values in `filled` that `plan` does not hold.
pub(super) fn given(plan: &LaunchPlan, filled: &LaunchPlan) -> Vec<Secret> {
    let values = |plan: &LaunchPlan| -> Vec<Secret> {
        match &plan.start {
            Start::Process { env, .. } => {
                env.iter().map(|variable| variable.value.clone()).collect()
            }
            Start::Remote { headers, .. } => {
                headers.iter().map(|(_, value)| value.clone()).collect()
            }
        }
    };
    let known = values(plan);
    let mut given = values(filled);
    given.retain(|value| !known.contains(value));
    given
}

fn what(helper: &Helper) -> String {
    match &helper.gives {
        Gives::Headers => "header fields".to_owned(),
        Gives::Header(name) => format!("the header {name}"),
        Gives::Variable(name) => format!("the variable {name}"),
    }
}

/// What `helper` prints.
async fn ask(
    helper: &Helper,
    supervisor: &Supervisor,
    patience: Patience,
    deadline: Instant,
) -> Result<String, HelperError> {
    let text = |variable: &Handed| {
        let value = OsString::from(variable.value.expose());
        (OsString::from(&variable.name), value)
    };
    let shell: &[&str] = match cfg!(windows) {
        true => &["cmd.exe", "/d", "/s", "/c"],
        false => &["/bin/sh", "-c"],
    };
    let command = OsString::from(helper.command.expose());
    let spawn = Spawn {
        argv: shell.iter().map(OsString::from).chain([command]).collect(),
        cwd: helper.cwd.as_std_path().to_owned(),
        env: helper.env.iter().map(text).collect(),
        stderr_tail: STDERR,
    };
    let started = supervisor.spawn(spawn, Teller::silent("helper")).await;
    let started = started.map_err(|error| HelperError::Spawn {
        what: what(helper),
        why: error.to_string(),
    })?;
    // It is asked nothing.
    drop(started.stdin);
    let deadline = deadline.min(Instant::now() + helper.patience);
    let process = started.process;
    let heard = async {
        let output = read(started.stdout).await;
        (output, process.exited().await)
    };
    let heard = timeout_at(deadline, heard).await;
    // Nothing that it started stays, whatever came of it.
    process.stop(patience).await;
    let what = what(helper);
    let Ok((output, exit)) = heard else {
        let seconds = helper.patience.as_secs();
        return Err(HelperError::TimedOut { what, seconds });
    };
    match (exit, output) {
        (Exit::Code(0), Some(output)) => Ok(output),
        // Whoever is not read to the end may end by that.
        (_, None) => Err(HelperError::Output {
            what,
            why: "prints something else than a text of at most 1 MiB",
        }),
        (exit, Some(_)) => Err(HelperError::Failed { what, exit }),
    }
}

/// All of `stdout`, where it is a text of a sensible length.
async fn read(stdout: impl AsyncRead + Unpin) -> Option<String> {
    let mut bytes = Vec::new();
    stdout.take(OUTPUT + 1).read_to_end(&mut bytes).await.ok()?;
    if bytes.len() as u64 > OUTPUT {
        return None;
    }
    String::from_utf8(bytes).ok()
}

/// Puts what `helper` printed into `plan`.
fn fill(plan: &mut LaunchPlan, helper: &Helper, output: &str) -> Result<(), HelperError> {
    let wrong = |why| HelperError::Output {
        what: what(helper),
        why,
    };
    let value = output.trim();
    match (&helper.gives, &mut plan.start) {
        (Gives::Headers, Start::Remote { headers, .. }) => {
            let printed = serde_json::from_str(value);
            let Ok(Value::Object(fields)) = printed else {
                return Err(wrong("prints no JSON object"));
            };
            for (name, value) in fields {
                let Value::String(value) = value else {
                    return Err(wrong("prints a field that is no text"));
                };
                headers.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
                headers.push((name, Secret::new(value)));
            }
        }
        _ if value.is_empty() => return Err(wrong("prints nothing")),
        (Gives::Header(name), Start::Remote { headers, .. }) => {
            for (_, field) in headers.iter_mut().filter(|(known, _)| known == name) {
                *field = Secret::new(value);
            }
        }
        (Gives::Variable(name), Start::Process { env, .. }) => {
            for variable in env.iter_mut().filter(|variable| &variable.name == name) {
                variable.value = Secret::new(value);
            }
        }
        // What is asked for has no place here.
        (Gives::Headers | Gives::Header(_), Start::Process { .. })
        | (Gives::Variable(_), Start::Remote { .. }) => {}
    }
    Ok(())
}
