//! How a server is started, or reached, with everything filled.

use std::collections::BTreeMap;
use std::time::Duration;

use muster_core::{
    Environment, Giver, Handed, LaunchError, LaunchPlan, Start, Timeout, Transport, World,
    absolute, handed,
};
use muster_document::{Place, Secret, Shown};

use super::entry::Config;
use super::extensions::Extension;
use super::faults;
use super::judge::{Circumstances, Judged};
use super::redaction::{Redaction, is_dangerous};
use super::value::Js;
use super::variables;

/// The pattern of the names under which the model sees tools.
pub(super) const TOOL_NAMES: &str = "mcp_<server>_<tool>";

/// How long a session and the list command wait for any answer.
const SESSION_PATIENCE: Duration = Duration::from_secs(600);
const LIST_PATIENCE: Duration = Duration::from_secs(5);

/// The plan for one server of `circumstances`.
///
/// # Errors
/// Where there is nothing to start, or Gemini CLI gives up before it does.
pub(super) fn plan(
    circumstances: &Circumstances<'_, '_, '_>,
    judged: &Judged<'_, '_>,
) -> Result<LaunchPlan, LaunchError> {
    let environment = Own::of(circumstances, judged.extension);
    let name = &judged.server.definition.name;
    let mut remarks = Vec::new();
    let start = match &judged.config {
        Some(config) => {
            if let Some(fault) = faults::unusable(config, circumstances.flags.lists) {
                let text = fault.reasons.last().map(|reason| reason.text.clone());
                return Err(LaunchError::GivesUp(text.unwrap_or_default()));
            }
            match config.transport() {
                None => return Err(LaunchError::Nothing),
                Some(Transport::Stdio) => {
                    process(circumstances.world, config, &environment, &mut remarks)
                }
                Some(transport) => remote(config, transport, &environment, &mut remarks),
            }
        }
        None => command_line(circumstances, &environment).ok_or(LaunchError::Nothing)?,
    };
    if let Some(config) = &judged.config {
        remarks.extend(
            variables::unset(config, &circumstances.world.env, circumstances.env)
                .map(|reason| reason.text),
        );
        remarks.extend(super::tools::hidden(circumstances, name, config).map(|reason| reason.text));
        if config.parts.len() > 1 && judged.server.definition.scope != muster_core::Scope::Extension
        {
            remarks
                .push("the settings' entry is started by itself too, before this one".to_owned());
        }
    }
    let written = judged.server.definition.entry.call_timeout.clone();
    let patience = |usual: Duration| match &written {
        Some(timeout) => Timeout {
            duration: Some(timeout.value),
            place: timeout.place.clone(),
        },
        None => Timeout::usual(usual),
    };
    let first = if circumstances.flags.lists {
        LIST_PATIENCE
    } else {
        SESSION_PATIENCE
    };
    let (tools_only, tools_without) = filters(circumstances, judged);
    Ok(LaunchPlan {
        start,
        startup_timeout: patience(first),
        call_timeout: patience(SESSION_PATIENCE),
        tool_names: TOOL_NAMES,
        tools_only,
        tools_without,
        helpers: Vec::new(),
        remarks,
    })
}

/// Gemini CLI's own environment, and what servers get of it.
struct Own {
    /// Passed on, with who sets it.
    passed: BTreeMap<String, (String, Giver)>,
    /// Kept back.
    withheld: Vec<String>,
    /// The settings of the extension.
    given: Vec<(String, Secret)>,
}

impl Own {
    fn of(circumstances: &Circumstances<'_, '_, '_>, extension: Option<&Extension<'_>>) -> Own {
        let (world, env) = (circumstances.world, circumstances.env);
        let mut own: BTreeMap<String, (String, Giver)> = BTreeMap::new();
        for (name, value) in env.iter() {
            let giver = match (
                world.env.get(name),
                circumstances.flags.skip_trust && name == "GEMINI_CLI_TRUST_WORKSPACE",
            ) {
                (_, true) => Giver::Harness,
                (Some(_), false) => Giver::Inherited,
                (None, false) => circumstances.env_giver,
            };
            own.insert(name.to_owned(), (value.to_owned(), giver));
        }
        // It starts itself once more, and says so.
        if env.filled("GEMINI_CLI_NO_RELAUNCH").is_none() && env.filled("SANDBOX").is_none() {
            own.insert(
                "GEMINI_CLI_NO_RELAUNCH".to_owned(),
                ("true".to_owned(), Giver::Harness),
            );
        }
        let given: Vec<_> = extension
            .map(|extension| extension.given.clone())
            .unwrap_or_default();
        let given: Vec<_> = given
            .into_iter()
            .filter(|(name, _)| !is_dangerous(name))
            .collect();
        for (name, value) in &given {
            own.insert(name.clone(), (value.expose().to_owned(), Giver::Settings));
        }
        let redaction = redaction(circumstances, env);
        let mut withheld = Vec::new();
        own.retain(|name, (value, _)| {
            let kept_back = redaction.withholds(name, value);
            if kept_back {
                withheld.push(name.clone());
            }
            !kept_back
        });
        Own {
            passed: own,
            withheld,
            given,
        }
    }

    fn value(&self, name: &str) -> Option<String> {
        self.passed.get(name).map(|(value, _)| value.clone())
    }

    /// The whole environment of a server with the variables `entry` of its own, and the names that are kept back.
    fn handed(&self, entry: Vec<(String, Secret)>) -> (Vec<Handed>, Vec<String>) {
        let itself = [("GEMINI_CLI".to_owned(), Secret::new("1"), Giver::Harness)];
        let given = self
            .given
            .iter()
            .map(|(name, value)| (name.clone(), value.clone(), Giver::Settings));
        let passed = self
            .passed
            .iter()
            .map(|(name, (value, giver))| (name.clone(), Secret::new(value), *giver));
        let entry = entry
            .into_iter()
            .map(|(name, value)| (name, value, Giver::Entry));
        let env = handed(itself.into_iter().chain(given).chain(passed).chain(entry));
        let gets = |name: &String| {
            env.binary_search_by(|handed| handed.name.as_str().cmp(name))
                .is_ok()
        };
        let withheld = self
            .withheld
            .iter()
            .filter(|name| !gets(name))
            .cloned()
            .collect();
        (env, withheld)
    }
}

/// The lists of the settings; the list command has others than a session. Observed on 0.61.0 for sessions, the other read in its source.
fn redaction(circumstances: &Circumstances<'_, '_, '_>, env: &Environment) -> Redaction {
    let strict = env.filled("GITHUB_SHA").is_some() || env.get("SURFACE") == Some("Github");
    let settings = circumstances.settings;
    if circumstances.flags.lists {
        return Redaction::new(&[], &super::excluded_variables(settings), strict);
    }
    let list = |key: &str| settings.texts(&["security", "environmentVariableRedaction", key]);
    Redaction::new(&list("allowed"), &list("blocked"), strict)
}

fn process(
    world: &World<'_>,
    config: &Config<'_, '_>,
    own: &Own,
    remarks: &mut Vec<String>,
) -> Start {
    let words = |key: &str| config.get(key).map(|(_, value)| value.spelled());
    let args = config
        .get("args")
        .and_then(|(_, value)| value.list())
        .unwrap_or_default();
    let command = words("command").unwrap_or_default();
    let mut entry = Vec::new();
    for (name, _, value) in config.env() {
        if is_dangerous(name) {
            remarks.push(format!(
                "Blocked dangerous environment variable override: {} is not set",
                Shown(name)
            ));
            continue;
        }
        entry.push((name.to_owned(), Secret::new(expanded(value, own))));
    }
    let (env, withheld) = own.handed(entry);
    Start::Process {
        argv: std::iter::once(command)
            .chain(args.iter().map(Js::spelled))
            .map(Secret::new)
            .collect(),
        cwd: match config.filled("cwd") {
            Some((_, cwd)) => absolute(&cwd.spelled(), &world.cwd),
            None => world.cwd.clone(),
        },
        env,
        withheld,
    }
}

fn remote(
    config: &Config<'_, '_>,
    transport: Transport,
    own: &Own,
    remarks: &mut Vec<String>,
) -> Start {
    let url = config
        .url()
        .map(|(_, url)| url.spelled())
        .unwrap_or_default();
    let headers = config.headers().into_iter();
    let provider = config
        .get("authProviderType")
        .and_then(|(_, kind)| kind.text());
    if let Some(kind @ ("google_credentials" | "service_account_impersonation")) = provider {
        remarks.push(format!(
            "it signs in with Google: authProviderType is {kind}"
        ));
    }
    Start::Remote {
        transport,
        fallback: config.falls_back().then_some(Transport::Sse),
        url: Secret::new(url),
        headers: headers
            .map(|(name, _, value)| (name.to_owned(), Secret::new(expanded(value, own))))
            .collect(),
    }
}

/// A value of a variable or header: filled when the file was read, and once more now, with what servers may see.
fn expanded(value: &Js<'_>, own: &Own) -> String {
    match value.text() {
        Some(text) => variables::expand(text, &|name| own.value(name), &mut |_| {}),
        None => value.spelled(),
    }
}

/// The server that `mcp.serverCommand` makes.
fn command_line(circumstances: &Circumstances<'_, '_, '_>, own: &Own) -> Option<Start> {
    let (_, value) = circumstances.settings.get(&["mcp", "serverCommand"])?;
    let words = circumstances
        .command_words(value)
        .filter(|words| !words.is_empty())?;
    let (env, withheld) = own.handed(Vec::new());
    Some(Start::Process {
        argv: words.into_iter().map(Secret::new).collect(),
        cwd: circumstances.world.cwd.clone(),
        env,
        withheld,
    })
}

/// The server's own filters, with what the settings and extensions hide by whole names.
fn filters(
    circumstances: &Circumstances<'_, '_, '_>,
    judged: &Judged<'_, '_>,
) -> (Option<Vec<String>>, Vec<String>) {
    let entry = &judged.server.definition.entry;
    let mut without = entry.tools_without.clone();
    let active = circumstances
        .extensions
        .iter()
        .filter(|extension| extension.out.is_none());
    let whole = circumstances
        .settings
        .union(&["tools", "exclude"])
        .into_iter()
        .chain(active.flat_map(Extension::exclude_tools));
    let prefix = super::tools::name(&judged.server.definition.name, "");
    for name in whole {
        if let Some(tool) = name.strip_prefix(&prefix).filter(|tool| !tool.is_empty())
            && !without.iter().any(|known| known == tool)
        {
            without.push(tool.to_owned());
        }
    }
    (entry.tools_only.clone(), without)
}

/// Whether `judged` is the server that stands at `place`.
pub(super) fn is(judged: &Judged<'_, '_>, server: &muster_core::Server) -> bool {
    let (one, other) = (&judged.server.definition, &server.definition);
    let same = |one: &Option<Place>, other: &Option<Place>| one == other;
    one.name == other.name && one.scope == other.scope && same(&one.place, &other.place)
}
