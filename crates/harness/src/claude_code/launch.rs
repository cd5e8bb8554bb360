//! How Claude Code starts a server, or reaches it. Observed on 2.1.332 with a server that wrote down what it was given.

mod remote;

use std::time::Duration;

use muster_core::{
    Dossier, Entry, Giver, LaunchError, LaunchPlan, Scope, Server, Start, Timeout, Transport, World,
};
use muster_document::{Node, Place, Secret};

use super::address::wildcard;
use super::entry::plain_name;
use super::expand::{Missing, PluginFolders, Variables, as_text};
use super::ground::Ground;
use super::plugins;
use super::session::Flags;
use super::settings::{Owner, Settings};
use super::state::{State, Trust};

/// How long Claude Code waits for a server, unless `MCP_TIMEOUT` says otherwise.
const STARTUP: Duration = Duration::from_secs(30);

/// How long a process may say nothing during one tool call, and how long an address may take to begin its answer, unless the entry or
/// `MCP_TOOL_TIMEOUT` says otherwise. Measured.
const SILENCE: Duration = Duration::from_secs(30 * 60);
const ANSWER: Duration = Duration::from_secs(60);

/// The shortest silence that `CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT` can set.
const SHORTEST_SILENCE: Duration = Duration::from_secs(30);

/// The longest name under which a tool is offered.
const LONGEST_NAME: usize = 128;

/// Variables that a server is not given, upper-case; `*` stands for any run. They are compared without case.
const WITHHELD: [&str; 5] = [
    "OTEL_*",
    "INPUT_OTEL_*",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_TRUSTED_DEVICE_TOKEN",
    "CLAUDE_BRIDGE_OAUTH_TOKEN",
];

/// Variables that Claude Code sets whatever the environment says; those in angle brackets are made anew for each session.
const SET: [(&str, &str); 6] = [
    ("CLAUDECODE", "1"),
    ("CLAUDE_CODE_CHILD_NOTES_DIR", "<folder-of-the-session>"),
    ("CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS", "<session-id>"),
    ("CLAUDE_CODE_SESSION_ID", "<session-id>"),
    ("COREPACK_ENABLE_AUTO_PIN", "0"),
    ("NoDefaultCurrentDirectoryInExePath", "1"),
];

/// Those that only a session sets, not `claude mcp list`.
const SET_IN_SESSIONS: [(&str, &str); 2] = [
    ("CLAUDE_CODE_MESSAGING_SOCKET", "<socket-of-the-session>"),
    ("CLAUDE_CODE_MESSAGING_TOKEN", "<token-of-the-session>"),
];

/// The name under which the model sees `tool` of `server`.
pub(super) fn tool_name(server: &str, tool: &str) -> String {
    format!("mcp__{}__{}", plain_name(server), plain_name(tool))
}

/// How `server` would be started in `world`.
pub(super) fn plan(world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
    if let Some(refusal) = LaunchError::of(server) {
        return Err(refusal);
    }
    let mut dossier = Dossier::new(world);
    let ground = Ground::survey(world);
    let flags = Flags::of(world).unwrap_or_default();
    let (settings, _) = Settings::read(&mut dossier, &ground, &flags);
    let (state, _) = State::read(&mut dossier, &ground);
    let trust = Trust::look_up(&state, &ground);
    let mut variables = Variables::of(world, &settings);
    if server.definition.scope == Scope::Plugin
        && let Some(folders) = plugin_of(server, &mut dossier, &ground, &flags, &settings, &trust)
    {
        variables = variables.with_plugin(folders);
    }
    let planner = Planner {
        world,
        ground: &ground,
        flags: &flags,
        settings: &settings,
        trust: &trust,
        variables: &variables,
    };
    planner.plan(server)
}

/// The folders of the plugin that brings `server`.
fn plugin_of(
    server: &Server,
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    flags: &Flags,
    settings: &Settings,
    trust: &Trust,
) -> Option<PluginFolders> {
    let place = server.definition.place.as_ref()?;
    plugins::find(dossier, ground, flags, settings, trust)
        .iter()
        .filter(|plugin| plugin.brings(&server.definition.name))
        .map(|plugin| plugin.folders(ground))
        .find(|folders| place.path.starts_with(&folders.root))
}

/// What a plan is made from, besides the server.
struct Planner<'p> {
    world: &'p World<'p>,
    ground: &'p Ground,
    flags: &'p Flags,
    settings: &'p Settings,
    trust: &'p Trust,
    variables: &'p Variables,
}

impl Planner<'_> {
    fn plan(&self, server: &Server) -> Result<LaunchPlan, LaunchError> {
        let entry = &*server.definition.entry;
        let (mut helpers, mut remarks) = (Vec::new(), Vec::new());
        let start = match (&entry.command, &entry.url, entry.transport) {
            (Some(command), _, Some(Transport::Stdio)) => {
                self.process(entry, command.value.expose(), &mut remarks)
            }
            (_, Some(url), Some(transport)) => {
                let url = url.value.expose();
                let start = self.remote(entry, transport, url, &mut remarks);
                helpers.extend(self.helper(server, url, &mut remarks));
                start
            }
            _ => return Err(LaunchError::Nothing),
        };
        let (startup_timeout, call_timeout) = self.timeouts(entry, &mut remarks);
        let name = &server.definition.name;
        if tool_name(name, "").len() * 2 > LONGEST_NAME {
            remarks.push(format!(
                "tools whose whole name is longer than {LONGEST_NAME} characters are not offered"
            ));
        }
        Ok(LaunchPlan {
            start,
            startup_timeout,
            call_timeout,
            tool_names: "mcp__<server>__<tool>",
            tools_only: None,
            tools_without: self.hidden_tools(name),
            helpers,
            remarks,
        })
    }

    fn process(&self, entry: &Entry, command: &str, remarks: &mut Vec<String>) -> Start {
        let mut missing = Missing::default();
        let mut expand =
            |text: &str| Secret::new(self.variables.expand_text(text, false, &mut missing));
        let words = entry.args.iter().map(|word| word.value.expose());
        let argv = std::iter::once(command)
            .chain(words)
            .map(&mut expand)
            .collect();
        let own: Vec<_> = entry
            .env
            .iter()
            .map(|(name, value)| (name.clone(), expand(value.value.expose()), Giver::Entry))
            .collect();
        self.remark_on_variables(entry, false, &missing, remarks);
        let mut given = self.surroundings(remarks);
        given.extend(own);
        let is_withheld = |name: &str| withheld(name);
        Start::Process {
            argv,
            cwd: self.ground.cwd.clone(),
            env: self.world.handed(given),
            withheld: self
                .world
                .env
                .iter()
                .map(|(name, _)| name)
                .filter(|name| is_withheld(name) && !entry.env.iter().any(|(own, _)| own == name))
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Everything that surrounds a server before its entry speaks, the stronger later.
    fn surroundings(&self, remarks: &mut Vec<String>) -> Vec<(String, Secret, Giver)> {
        let env = self.world.env.iter();
        let inherited =
            env.map(|(name, value)| (name.to_owned(), value.to_owned(), Giver::Inherited));
        let mut given: Vec<(String, String, Giver)> = inherited.collect();
        let mut of_project = false;
        // The strongest file comes first.
        for file in self.settings.files.iter().rev() {
            let repository = matches!(
                file.owner,
                Owner::Project | Owner::Local | Owner::ProjectKeyLocal
            );
            if repository && self.flags.lists {
                continue;
            }
            let members = file
                .get("env")
                .into_iter()
                .flat_map(Node::effective_members);
            for member in members {
                let name = &member.key.text;
                let moves_files = repository && name == "CLAUDE_CONFIG_DIR";
                if let Some(text) = as_text(&member.value).filter(|_| !moves_files) {
                    of_project |= repository;
                    let giver = match repository {
                        true => Giver::Repository,
                        false => Giver::Settings,
                    };
                    given.push((name.clone(), text, giver));
                }
            }
        }
        if of_project && !self.world.headless() {
            remarks.push("it is started once without the variables of the project's settings, and then again with them".to_owned());
        }
        given.retain(|(name, _, _)| !withheld(name));
        let unless_set = |name: &str, value: &str| {
            let last = given.iter().rev().find(|(known, _, _)| known == name);
            let open = last.is_none_or(|(_, value, _)| value.is_empty());
            open.then(|| (name.to_owned(), value.to_owned()))
        };
        let entrypoint = if self.world.headless() || self.flags.lists {
            "sdk-cli"
        } else {
            "cli"
        };
        let agent = format!(
            "claude-code_{}_harness",
            super::rules::VERSION.replace('.', "-")
        );
        let polite = [
            unless_set("CLAUDE_CODE_ENTRYPOINT", entrypoint),
            unless_set("AI_AGENT", &agent),
        ];
        let in_sessions: &[(&str, &str)] = if self.flags.lists {
            &[]
        } else {
            &SET_IN_SESSIONS
        };
        let fixed = SET.iter().chain(in_sessions);
        let fixed = fixed.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let project = ("CLAUDE_PROJECT_DIR".to_owned(), self.ground.cwd.to_string());
        let plugin = self.variables.plugin().into_iter().flat_map(|folders| {
            [
                ("CLAUDE_PLUGIN_ROOT".to_owned(), folders.root.to_string()),
                ("CLAUDE_PLUGIN_DATA".to_owned(), folders.data.to_string()),
            ]
        });
        let own: Vec<(String, String)> = polite
            .into_iter()
            .flatten()
            .chain(fixed)
            .chain([project])
            .chain(plugin)
            .collect();
        given.extend(
            own.into_iter()
                .map(|(name, value)| (name, value, Giver::Harness)),
        );
        given
            .into_iter()
            .map(|(name, value, giver)| (name, Secret::new(value), giver))
            .collect()
    }

    /// What becomes of variables that an entry names and that are unset, or are kept from it.
    fn remark_on_variables(
        &self,
        entry: &Entry,
        remote: bool,
        missing: &Missing,
        remarks: &mut Vec<String>,
    ) {
        let unset = missing.names().iter();
        remarks.extend(unset.map(|name| {
            format!("{name} is not set and has no default: ${{{name}}} is passed on as it stands")
        }));
        let words = entry.command.iter().chain(&entry.args).chain(&entry.url);
        let pairs = entry
            .env
            .iter()
            .chain(&entry.headers)
            .map(|(_, value)| value);
        let mut blanked: Vec<&str> = words
            .chain(pairs)
            .flat_map(|text| text.value.variables())
            .filter(|name| self.variables.is_blanked(name, remote))
            .collect();
        blanked.sort_unstable();
        blanked.dedup();
        remarks.extend(blanked.into_iter().map(|name| {
            format!("{name} is set, and Claude Code puts nothing in its place: it gives that credential to no server")
        }));
    }

    /// How long it waits for the server, and for one call.
    fn timeouts(&self, entry: &Entry, remarks: &mut Vec<String>) -> (Timeout, Timeout) {
        let startup = self.limit("MCP_TIMEOUT", remarks);
        let startup = startup.unwrap_or_else(|| Timeout::usual(STARTUP));
        if let Some(written) = &entry.call_timeout {
            let call = Timeout {
                duration: Some(written.value),
                place: written.place.clone(),
            };
            return (startup, call);
        }
        let call = self.limit("MCP_TOOL_TIMEOUT", remarks);
        if entry.transport != Some(Transport::Stdio) {
            return (startup, call.unwrap_or_else(|| Timeout::usual(ANSWER)));
        }
        let silence = self.silence(remarks);
        let lasts = |limit: &Timeout| limit.duration.unwrap_or(Duration::MAX);
        match call {
            Some(call) if lasts(&call) <= lasts(&silence) => (startup, call),
            _ => {
                if silence.duration.is_some() {
                    remarks.push(
                        "progress that it reports begins the time for one call anew".to_owned(),
                    );
                }
                (startup, silence)
            }
        }
    }

    /// How long a process may say nothing during one call; 0 sets no limit.
    fn silence(&self, remarks: &mut Vec<String>) -> Timeout {
        const VARIABLE: &str = "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT";
        let (text, place) = match self.variable(VARIABLE) {
            None => return Timeout::usual(SILENCE),
            Some(found) => found,
        };
        if text.trim() == "0" {
            return Timeout {
                duration: None,
                place,
            };
        }
        match self.limit(VARIABLE, remarks) {
            Some(limit) => Timeout {
                duration: limit
                    .duration
                    .map(|duration| duration.max(SHORTEST_SILENCE)),
                ..limit
            },
            None => Timeout::usual(SILENCE),
        }
    }

    /// The limit that the variable `name` sets in milliseconds, if it is set and one.
    fn limit(&self, name: &str, remarks: &mut Vec<String>) -> Option<Timeout> {
        let (text, place) = self.variable(name)?;
        let duration = leading_number(&text).map(Duration::from_millis)?;
        if place.is_none() {
            remarks.push(format!("{name} of your environment sets how long it waits"));
        }
        Some(Timeout {
            duration: Some(duration),
            place,
        })
    }

    /// The variable as settings give it, with its place, or as the environment does.
    fn variable(&self, name: &str) -> Option<(String, Option<Place>)> {
        let inherited = || Some((self.world.env.get(name)?.to_owned(), None));
        self.setting(name).or_else(inherited)
    }

    /// The variable as settings that are not the project's give it.
    fn setting(&self, name: &str) -> Option<(String, Option<Place>)> {
        [Owner::Managed, Owner::Flag, Owner::User]
            .into_iter()
            .flat_map(|owner| self.settings.of(owner))
            .find_map(|file| {
                let value = file.get("env")?.get(name)?;
                Some((as_text(value)?, file.place(value)))
            })
    }

    /// The tools of `server` that rules of `permissions.deny` and `--disallowedTools` hide, as they are written after the server's
    /// part of the name; `*` for all.
    fn hidden_tools(&self, server: &str) -> Vec<String> {
        let prefix = format!("mcp__{}", plain_name(server));
        let denied = self.settings.files.iter().flat_map(|file| {
            let list = file.get("permissions").and_then(|found| found.get("deny"));
            list.and_then(Node::as_array)
                .unwrap_or_default()
                .iter()
                .filter_map(Node::as_str)
        });
        let mut hidden: Vec<String> = denied
            .chain(self.flags.disallowed.iter().map(String::as_str))
            .filter_map(|rule| hides(rule, &prefix))
            .collect();
        hidden.sort_unstable();
        hidden.dedup();
        hidden
    }
}

/// What `rule` hides of the server whose tools begin with `prefix`. A rule about what a tool is given hides none.
fn hides(rule: &str, prefix: &str) -> Option<String> {
    if rule.contains('(') {
        return None;
    }
    if rule == prefix {
        return Some("*".to_owned());
    }
    if let Some(tool) = rule
        .strip_prefix(prefix)
        .and_then(|rest| rest.strip_prefix("__"))
    {
        return (!tool.is_empty()).then(|| tool.to_owned());
    }
    // A star before the tool's part may stand for the server.
    let (before, tool) = rule.rsplit_once("__")?;
    (before.contains('*') && wildcard(before, prefix)).then(|| tool.to_owned())
}

fn withheld(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    WITHHELD.iter().any(|pattern| wildcard(pattern, &upper))
}

/// The number that a text begins with, as JavaScript reads one; what is none, or not above 0, sets nothing.
fn leading_number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let text = text.strip_prefix('+').unwrap_or(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(..digits)?
        .parse()
        .ok()
        .filter(|number| *number > 0)
}

#[cfg(test)]
mod tests;
