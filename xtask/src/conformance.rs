//! The official conformance suite, client side: both frozen sets of requirements with the era pinned and found out, and what goes beyond.
//!
//! The suite starts our client, `crates/client/examples/conformance.rs`, once for each scenario, with a server of its own. A scenario
//! passes by recorded checks; one without a single success has tried nothing, and fails here.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use crate::peers::Peers;
use crate::place::Workspace;
use crate::{Result, say};

/// The variable that makes our client find out the era by itself.
const DETECT: &str = "MUSTER_CONFORMANCE_DETECT";

/// One run of the suite.
struct Run {
    /// The name of its folder.
    name: &'static str,
    /// What is asked of the suite.
    words: &'static [&'static str],
    /// Whether our client finds out the era by itself.
    detects: bool,
    /// How many scenarios it has, those that are not scored included: a suite that runs fewer was not understood.
    scenarios: usize,
}

const RUNS: [Run; 6] = [
    Run {
        name: "2025-11-25",
        words: &["--requirements", "2025-11-25"],
        detects: false,
        scenarios: 25,
    },
    Run {
        name: "2026-07-28",
        words: &["--requirements", "2026-07-28"],
        detects: false,
        scenarios: 39,
    },
    Run {
        name: "2025-11-25-detected",
        words: &["--requirements", "2025-11-25"],
        detects: true,
        scenarios: 25,
    },
    Run {
        name: "2026-07-28-detected",
        words: &["--requirements", "2026-07-28"],
        detects: true,
        scenarios: 39,
    },
    Run {
        name: "backcompat",
        words: &["--suite", "backcompat"],
        detects: false,
        scenarios: 2,
    },
    Run {
        name: "extensions",
        words: &["--suite", "extensions"],
        detects: false,
        scenarios: 6,
    },
];

/// Scenarios that are in no frozen set and that Muster does not take part in, each with the reason.
const LEFT_OUT: [(&str, &str); 4] = [
    (
        "auth/dpop",
        "sender-constrained tokens are an extension that no harness has",
    ),
    ("auth/dpop-nonce", "the same"),
    (
        "auth/wif-jwt-bearer",
        "workload identities belong to servers, not to people's machines",
    ),
    (
        "auth/enterprise-managed-authorization",
        "needs an identity provider of a company",
    ),
];

/// Runs everything.
pub(crate) fn run(workspace: &Workspace) -> Result {
    let peers = Peers::install(workspace)?;
    let client = build_client(workspace)?;
    let mut failures = Vec::new();
    for run in &RUNS {
        let out = workspace.path("target/conformance").join(run.name);
        failures.extend(run.failures(&peers, &client, &out)?);
    }
    match failures.as_slice() {
        [] => Ok(()),
        failures => Err(failures.join("\n").into()),
    }
}

fn build_client(workspace: &Workspace) -> Result<Utf8PathBuf> {
    let words = [
        "build",
        "--quiet",
        "--package",
        "muster-client",
        "--example",
        "conformance",
        "--message-format",
        "json",
    ];
    let built = workspace.cargo(&words).stderr(Stdio::inherit()).output()?;
    if !built.status.success() {
        return Err("the conformance client does not build".into());
    }
    let messages = String::from_utf8(built.stdout)?;
    let executable = messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        Some(Utf8PathBuf::from(message.get("executable")?.as_str()?))
    });
    executable.ok_or_else(|| "cargo names no executable".into())
}

impl Run {
    /// What failed, one line for each.
    fn failures(&self, peers: &Peers, client: &Utf8Path, out: &Utf8Path) -> Result<Vec<String>> {
        if out.exists() {
            fs::remove_dir_all(out)?;
        }
        fs::create_dir_all(out)?;
        let mut suite = Command::new(peers.npm_programs().join("node"));
        suite
            .arg(peers.npm_programs().join("conformance"))
            .args([
                "client",
                "--timeout",
                "120000",
                "--command",
                client.as_str(),
            ])
            .args(self.words)
            .args(["--output-dir", out.as_str()])
            .env_remove(DETECT)
            .stdout(fs::File::create(out.join("suite.log"))?)
            .stderr(fs::File::create(out.join("suite.err"))?);
        if self.detects {
            suite.env(DETECT, "1");
        }
        // Its exit code repeats what the checks say, with scenarios that are not scored left out or not.
        suite.status()?;
        let scenarios = scenarios(out)?;
        let mut failures = Vec::new();
        if scenarios.len() != self.scenarios {
            let (expected, found) = (self.scenarios, scenarios.len());
            failures.push(format!(
                "{}: {found} scenarios, expected {expected}",
                self.name
            ));
        }
        let (mut passed, mut successes) = (0, 0);
        for (scenario, checks) in &scenarios {
            if LEFT_OUT.iter().any(|(left_out, _)| left_out == scenario) {
                continue;
            }
            match checks.verdict() {
                None => {
                    passed += 1;
                    successes += checks.successes;
                }
                Some(why) => failures.push(format!("{}: {scenario}: {why}", self.name)),
            }
        }
        say::line(&format!(
            "{:<20}  {passed} scenarios passed, {successes} checks",
            self.name
        ));
        Ok(failures)
    }
}

/// What one scenario recorded.
#[derive(Debug, Default)]
struct Checks {
    successes: usize,
    failed: Vec<String>,
}

impl Checks {
    fn verdict(&self) -> Option<String> {
        match (self.failed.as_slice(), self.successes) {
            ([], 0) => Some("nothing was tried".to_owned()),
            ([], _) => None,
            (failed, _) => Some(failed.join("; ")),
        }
    }
}

/// What every scenario below `out` recorded, by its name.
fn scenarios(out: &Utf8Path) -> Result<BTreeMap<String, Checks>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![out.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8()? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.into_path());
            } else if entry.file_name() == "checks.json" {
                let name = scenario(folder.strip_prefix(out)?);
                found.insert(name, checks(entry.path())?);
            }
        }
    }
    Ok(found)
}

/// The scenario whose folder is `folder`: its name and the time at which it was run, `2026-11-30T20-41-31-756Z`.
fn scenario(folder: &Utf8Path) -> String {
    const TIME: usize = "-2026-11-30T20-41-31-756Z".len();
    let text = folder.as_str().replace('\\', "/");
    let name = text.len().checked_sub(TIME).and_then(|end| text.get(..end));
    name.unwrap_or(&text).to_owned()
}

fn checks(path: &Utf8Path) -> Result<Checks> {
    let recorded: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let mut checks = Checks::default();
    for check in recorded.as_array().map(Vec::as_slice).unwrap_or_default() {
        let text = |key: &str| check.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("status") {
            "SUCCESS" => checks.successes += 1,
            "FAILURE" | "WARNING" => checks.failed.push(format!(
                "{} ({})",
                text("id"),
                check
                    .get("errorMessage")
                    .and_then(Value::as_str)
                    .unwrap_or_else(|| text("description"))
            )),
            _ => {}
        }
    }
    Ok(checks)
}
