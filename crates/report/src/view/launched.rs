//! What came of servers, in `muster.check/1`.

use std::collections::BTreeMap;

use muster_core::{Exit, Finding, State, tokens, tool_name};
use muster_document::{Masked, Scrubber, Secret, Shown};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::bounded::{NAME, bounded};
use crate::checked::{Checked, last_words, line_of};
use crate::finding;
use crate::marks::Marks;

/// One server, started once for all harnesses that load it alike.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Launched {
    /// Its name.
    pub server: String,
    /// The ids of the harnesses that load it.
    pub harnesses: Vec<&'static str>,
    /// What became of it.
    pub state: LaunchState,
    /// Why it does not work, or was not started; `null` where it works.
    pub reason: Option<String>,
    /// What is likely behind that; `null` where nothing tells.
    pub likely: Option<String>,
    /// What to try.
    pub help: Option<String>,
    /// How it was spoken to: `modern` (stateless, from 2026-07-28 on) or `legacy`.
    pub era: Option<&'static str>,
    /// The revision of the protocol, as it wrote it.
    pub protocol: Option<String>,
    /// What it says of itself.
    pub server_info: Option<ServerInfo>,
    /// Milliseconds until it was ready to be asked.
    pub startup_ms: Option<u64>,
    /// Its tools.
    pub tools: Vec<Tool>,
    /// The names of its prompts.
    pub prompts: Vec<String>,
    /// The addresses of its resources, hidden parts as `•••`, and the patterns of such addresses.
    pub resources: Vec<String>,
    /// What it wrote to its standard output that is no message.
    pub stdout_noise: Noise,
    /// The last lines of its standard error, hidden parts as `•••`.
    pub stderr_tail: Vec<String>,
    /// How its process ended by itself; `null` where it had to be asked to.
    pub exit: Option<Ended>,
    /// What it had started and could not be ended.
    pub left_running: Vec<Process>,
}

/// What became of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LaunchState {
    /// It works.
    Ok,
    /// It does not.
    Failed,
    /// It did not answer in time.
    TimedOut,
    /// It works for whoever signs in.
    NeedsSignIn,
    /// It was not tried.
    NotStarted,
}

/// What a server says of itself. Nothing of it is checked.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ServerInfo {
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// Its name for people.
    pub title: Option<String>,
}

/// A tool.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Tool {
    /// The server's own name for it.
    pub name: String,
    /// The name under which each harness offers it to its model; those that do not offer it are missing.
    pub shown_as: BTreeMap<&'static str, String>,
    /// About how many tokens its definition takes: a quarter of its bytes.
    pub tokens: usize,
    /// The rules that found something in it; more of it is in `findings` of the whole.
    pub findings: Vec<&'static str>,
}

/// Lines that are no messages.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Noise {
    /// How many.
    pub lines: usize,
    /// The first, cut, hidden parts as `•••`.
    pub first: Option<String>,
}

/// How a process ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Ended {
    /// With this code; `null` where it did not end by itself, or nobody can say.
    pub code: Option<i32>,
    /// By this signal.
    pub signal: Option<i32>,
}

/// A process.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Its command line, hidden parts as `•••`.
    pub command: Vec<String>,
}

impl Launched {
    /// What came of each server, with what was found in its tools.
    pub(crate) fn all(
        checked: &Checked<'_>,
        findings: &[Finding],
        scrubber: &Scrubber,
    ) -> Vec<Launched> {
        let marks = Marks::new(findings);
        let each = checked.each().enumerate();
        each.map(|(at, (_, launched, likely))| {
            let mut server = Launched::new(checked, at, launched, likely, scrubber);
            for tool in &mut server.tools {
                tool.findings = marks.of(launched, &tool.name);
            }
            server
        })
        .collect()
    }

    fn new(
        checked: &Checked<'_>,
        at: usize,
        launched: &muster_core::Launched,
        likely: Option<&(String, String)>,
        scrubber: &Scrubber,
    ) -> Launched {
        let line = |text: &str| line_of(text, scrubber);
        Launched {
            server: launched.server.clone(),
            harnesses: launched.harnesses.clone(),
            state: (&launched.state).into(),
            reason: reason(&launched.state, scrubber),
            likely: likely.map(|(cause, _)| cause.clone()),
            help: likely.map(|(_, help)| help.clone()),
            era: launched.era,
            protocol: launched.protocol.as_deref().map(line),
            server_info: launched
                .server_info
                .as_ref()
                .map(|info| ServerInfo::new(info, scrubber)),
            startup_ms: launched
                .startup
                .map(|startup| u64::try_from(startup.as_millis()).unwrap_or(u64::MAX)),
            tools: tools(checked, at, launched, scrubber),
            prompts: texts(&launched.prompts, "name", |name| named(name, scrubber)),
            resources: {
                let masked = |uri: &str| {
                    let uri = Masked::url(&Secret::new(scrubber.scrub(uri)));
                    bounded(uri.as_str(), NAME).into_owned()
                };
                let mut resources = texts(&launched.resources, "uri", masked);
                resources.extend(texts(&launched.templates, "uriTemplate", masked));
                resources
            },
            stdout_noise: Noise {
                lines: launched.noise.lines,
                first: launched.noise.first.as_deref().map(line),
            },
            stderr_tail: last_words(launched, scrubber),
            exit: launched.exit.map(Ended::from),
            left_running: launched.left_running.iter().map(Process::new).collect(),
        }
    }
}

/// Why a server does not work; `None` where it does.
pub(crate) fn reason(state: &State, scrubber: &Scrubber) -> Option<String> {
    match state {
        State::Ok => None,
        State::Failed(failure) => Some(line_of(&failure.text, scrubber)),
        State::TimedOut { method, after } => Some(format!(
            "no answer to {} within {} s",
            Shown(method),
            after.as_secs_f64()
        )),
        State::NeedsSignIn { how } => Some(line_of(how, scrubber)),
        State::NotStarted(why) => Some(why.clone()),
    }
}

/// A name that a server gave, without secrets, and no longer than can be read.
fn named(name: &str, scrubber: &Scrubber) -> String {
    bounded(&scrubber.scrub(name), NAME).into_owned()
}

fn texts(items: &[Value], key: &str, shown: impl Fn(&str) -> String) -> Vec<String> {
    items
        .iter()
        .filter_map(|item| item.get(key)?.as_str())
        .map(shown)
        .collect()
}

fn tools(
    checked: &Checked<'_>,
    at: usize,
    launched: &muster_core::Launched,
    scrubber: &Scrubber,
) -> Vec<Tool> {
    let own = |tool| tool_name(tool).unwrap_or_default();
    let mut tools: Vec<Tool> = launched
        .tools
        .iter()
        .map(|tool| Tool {
            name: finding::tool_name(own(tool), scrubber),
            shown_as: BTreeMap::new(),
            tokens: tokens(tool),
            findings: Vec::new(),
        })
        .collect();
    for offer in checked.offers {
        for offered in offer.tools.iter().filter(|offered| offered.server == at) {
            if let Some((tool, of)) = tools
                .get_mut(offered.tool)
                .zip(launched.tools.get(offered.tool))
            {
                // A harness changes what the last writer would know again.
                let shown = match scrubber.scrub(own(of)) == own(of) {
                    true => bounded(&offered.name, NAME).into_owned(),
                    false => Masked::HIDDEN.to_owned(),
                };
                tool.shown_as.insert(offer.harness, shown);
            }
        }
    }
    tools
}

impl ServerInfo {
    fn new(info: &Value, scrubber: &Scrubber) -> ServerInfo {
        let text = |key: &str| {
            let text = info.get(key).and_then(Value::as_str);
            text.map(|text| line_of(text, scrubber))
        };
        ServerInfo {
            name: text("name"),
            version: text("version"),
            title: text("title"),
        }
    }
}

impl From<&State> for LaunchState {
    fn from(state: &State) -> LaunchState {
        match state {
            State::Ok => LaunchState::Ok,
            State::Failed(_) => LaunchState::Failed,
            State::TimedOut { .. } => LaunchState::TimedOut,
            State::NeedsSignIn { .. } => LaunchState::NeedsSignIn,
            State::NotStarted(_) => LaunchState::NotStarted,
        }
    }
}

impl From<Exit> for Ended {
    fn from(exit: Exit) -> Ended {
        let (code, signal) = match exit {
            Exit::Code(code) => (Some(code), None),
            Exit::Signal(signal) => (None, Some(signal)),
            Exit::Unknown => (None, None),
        };
        Ended { code, signal }
    }
}

impl Process {
    fn new(left: &muster_core::LeftRunning) -> Process {
        let command = Masked::command_line(&left.argv);
        Process {
            pid: left.pid,
            command: command.into_iter().map(String::from).collect(),
        }
    }
}
