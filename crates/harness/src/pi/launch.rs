//! How Pi starts a server, or calls it.

use std::time::Duration;

use muster_core::{
    Giver, Gives, Handed, Helper, LaunchError, LaunchPlan, Server, Sourced, Start, Timeout,
    Transport, World, handed,
};
use muster_document::{Masked, Secret, Shown};

use super::ground::{Ground, at, expand_home};
use super::names;
use super::session::Flags;
use super::settings::JSON;
use super::template::{OWN_VARIABLES, Value};

/// How long Pi waits for any answer where nothing else is written.
const USUAL: Duration = Duration::from_secs(60);

/// How long a command that gives a value may take. Read in the source.
const HELPER: Duration = Duration::from_secs(10);

/// The plan for `server`. Observed on 1.6.0.
///
/// # Errors
/// Where there is nothing to start, or a variable that is needed is unset.
pub(super) fn plan(world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
    if let Some(error) = LaunchError::of(server) {
        return Err(error);
    }
    let entry = &server.definition.entry;
    let name = &server.definition.name;
    let (mut helpers, mut remarks) = (Vec::new(), Vec::new());
    let start = match (entry.transport, &entry.command, &entry.url) {
        (Some(Transport::Stdio), Some(command), _) => {
            let home =
                |word: &Sourced<Secret>| Secret::new(expand_home(word.value.expose(), world));
            let cwd = entry.cwd.as_ref().map_or(".", |cwd| cwd.value.expose());
            let env = resolved(
                world,
                &format!("\"{}\" env", Shown(name)),
                &entry.env,
                &mut |name, command| helpers.push(helper(world, Gives::Variable(name), command)),
                &mut remarks,
            )?;
            Start::Process {
                argv: std::iter::once(command)
                    .chain(&entry.args)
                    .map(home)
                    .collect(),
                cwd: at(cwd, &world.cwd, world),
                env: environment(world, env),
                withheld: Vec::new(),
            }
        }
        (_, _, Some(url)) => Start::Remote {
            transport: Transport::Http,
            fallback: None,
            url: url.value.clone(),
            headers: resolved(
                world,
                &format!("\"{}\" header", Shown(name)),
                &entry.headers,
                &mut |name, command| helpers.push(helper(world, Gives::Header(name), command)),
                &mut remarks,
            )?,
        },
        _ => return Err(LaunchError::Nothing),
    };
    if matches!(start, Start::Remote { .. }) && !has_authorization(&entry.headers) {
        remarks.push(
            "without an Authorization header Pi signs in with OAuth where the server asks for it"
                .to_owned(),
        );
    }
    if let Some(flag) = Flags::of(world).limits_tools {
        remarks.push(format!(
            "{flag} limits what tools the model sees; the server starts all the same"
        ));
    }
    let timeout = |written: &Option<Sourced<Duration>>| match written {
        Some(written) => Timeout {
            duration: Some(written.value),
            place: written.place.clone(),
        },
        None => Timeout::usual(USUAL),
    };
    Ok(LaunchPlan {
        start,
        startup_timeout: timeout(&entry.startup_timeout),
        call_timeout: timeout(&entry.call_timeout),
        tool_names: names::PATTERN,
        tools_only: entry.tools_only.clone(),
        tools_without: entry.tools_without.clone(),
        helpers,
        remarks,
    })
}

/// The values of `env` or `headers`, `what` for Pi's own words. A command is named and not run: its value stays as written.
fn resolved(
    world: &World<'_>,
    what: &str,
    written: &[(String, Sourced<Secret>)],
    ask: &mut dyn FnMut(String, &str),
    remarks: &mut Vec<String>,
) -> Result<Vec<(String, Secret)>, LaunchError> {
    let mut value = |(name, value): &(String, Sourced<Secret>)| {
        let shown = Shown(name);
        let text = match Value::of(value.value.expose(), &world.env) {
            Value::Text(text) => Secret::new(text),
            // Its words are part of a value: none is shown, as elsewhere.
            Value::Command(command) => {
                ask(name.clone(), command);
                remarks.push(format!("{shown} is what a command prints: Pi runs it in the session folder, for at most 10 seconds"));
                value.value.clone()
            }
            Value::Missing(names) => {
                let noun = if names.len() == 1 {
                    "variable"
                } else {
                    "variables"
                };
                let names: Vec<_> = names
                    .iter()
                    .map(|name| Masked::word(&Secret::new(*name)).to_string())
                    .collect();
                return Err(LaunchError::GivesUp(format!(
                    "Failed to resolve MCP server {what} \"{shown}\" from environment {noun}: {}",
                    names.join(", ")
                )));
            }
        };
        Ok((name.clone(), text))
    };
    written.iter().map(&mut value).collect()
}

/// A command that gives a value. Without one the server is not started.
fn helper(world: &World<'_>, gives: Gives, command: &str) -> Helper {
    Helper {
        gives,
        command: Secret::new(command),
        cwd: world.cwd.clone(),
        env: environment(world, Vec::new()),
        patience: HELPER,
        required: true,
    }
}

fn has_authorization(headers: &[(String, Sourced<Secret>)]) -> bool {
    headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
}

/// All of Pi's own environment, then what Pi sets for itself, then the entry's.
fn environment(world: &World<'_>, entry: Vec<(String, Secret)>) -> Vec<Handed> {
    let inherited = world
        .env
        .iter()
        .map(|(name, value)| (name.to_owned(), Secret::new(value), Giver::Inherited));
    let own = OWN_VARIABLES
        .iter()
        .chain(offline(world))
        .map(|(name, value)| ((*name).to_owned(), Secret::new(*value), Giver::Harness));
    let proxy = proxy(world).into_iter().flat_map(|proxy| {
        ["HTTP_PROXY", "HTTPS_PROXY"]
            .into_iter()
            .filter(|name| world.env.get(name).is_none())
            .map(move |name| (name.to_owned(), proxy.clone(), Giver::Settings))
    });
    let entry = entry
        .into_iter()
        .map(|(name, value)| (name, value, Giver::Entry));
    handed(inherited.chain(own).chain(proxy).chain(entry))
}

/// What `--offline` sets. Read in the source.
fn offline(world: &World<'_>) -> &'static [(&'static str, &'static str)] {
    let asked = world.env.filled("PI_OFFLINE").is_some_and(|value| {
        ["1", "true", "yes"]
            .iter()
            .any(|yes| value.eq_ignore_ascii_case(yes))
    });
    match asked || Flags::of(world).offline {
        true => &[("PI_OFFLINE", "1"), ("PI_SKIP_VERSION_CHECK", "1")],
        false => &[],
    }
}

/// `httpProxy` of the user's settings, which Pi puts into its environment. Read in the source.
fn proxy(world: &World<'_>) -> Option<Secret> {
    let path = Ground::survey(world).in_agent("settings.json")?;
    let bytes = world.files.read(&path, muster_core::Files::LIMIT).ok()?;
    let path = std::sync::Arc::from(path.as_path());
    let document = muster_document::Document::parse(path, &bytes, JSON).ok()?;
    let proxy = document.root().get("httpProxy")?.as_str()?.trim();
    (!proxy.is_empty()).then(|| Secret::new(proxy))
}
