//! Which server is meant, whether it may be started, and how.

use muster_core::{
    Candidate, Consent, Giver, Handed, LaunchPlan, Resolution, Server, Start, Status, Timeout,
    Transport, consent, fleet, whole_environment,
};
use muster_document::{Masked, Secret, Shown};

use super::error::HandError;
use super::similar::similar;
use crate::args::Using;
use crate::world::Scene;

/// A server that may be started.
#[derive(Debug)]
pub(crate) struct Target {
    /// The name by which it goes, as may be printed.
    pub(crate) name: String,
    /// Ids of the agents whose definition it is.
    pub(crate) harnesses: Vec<&'static str>,
    /// How it is started.
    pub(crate) plan: LaunchPlan,
}

/// The server that `server`, a name or an address, or the command of `using` means.
pub(crate) fn target(
    scene: &Scene<'_>,
    resolutions: &[Resolution],
    server: Option<&str>,
    using: &Using,
) -> Result<Target, HandError> {
    let mut target = match (server, using.command.as_slice()) {
        (_, [program, ..]) => of_command(scene, program, &using.command),
        (Some(address), []) if address.contains("://") => of_address(address)?,
        (Some(name), []) => of_name(scene, resolutions, name)?,
        (None, []) => {
            let missing = "name a server, or put a command behind `--`";
            return Err(HandError::Missing(missing.to_owned()));
        }
    };
    add(&mut target.plan, using)?;
    Ok(target)
}

/// Every server of the session that loads, in its order.
pub(crate) fn all<'r>(scene: &Scene<'_>, resolutions: &'r [Resolution]) -> Vec<Candidate<'r>> {
    fleet(scene.world(), scene.harnesses(), resolutions)
}

/// How a server is started that no agent knows.
fn plan(start: Start) -> LaunchPlan {
    let patience = Timeout::usual(std::time::Duration::from_secs(60));
    LaunchPlan {
        start,
        startup_timeout: patience.clone(),
        call_timeout: patience,
        tool_names: "<tool>",
        tools_only: None,
        tools_without: Vec::new(),
        helpers: Vec::new(),
        remarks: Vec::new(),
    }
}

fn of_command(scene: &Scene<'_>, program: &str, words: &[String]) -> Target {
    let world = scene.world();
    let file = program.rsplit(['/', '\\']).next().unwrap_or(program);
    Target {
        name: Masked::word(&Secret::new(file)).to_string(),
        harnesses: Vec::new(),
        plan: plan(Start::Process {
            argv: words.iter().map(Secret::new).collect(),
            cwd: world.cwd.clone(),
            env: whole_environment(world, &[], []),
            withheld: Vec::new(),
        }),
    }
}

fn of_address(address: &str) -> Result<Target, HandError> {
    let secret = Secret::new(address);
    let (transport, fallback) = match address.split("://").next().unwrap_or_default() {
        "http" | "https" => (Transport::Http, Some(Transport::Sse)),
        "ws" | "wss" => (Transport::Ws, None),
        other => {
            let other = Masked::word(&Secret::new(other));
            let why = format!("`{other}://` is no address of a server: http, https, ws, wss are");
            return Err(HandError::Option(why));
        }
    };
    Ok(Target {
        name: Masked::url(&secret).to_string(),
        harnesses: Vec::new(),
        plan: plan(Start::Remote {
            transport,
            fallback,
            url: secret,
            headers: Vec::new(),
        }),
    })
}

fn of_name(scene: &Scene<'_>, resolutions: &[Resolution], name: &str) -> Result<Target, HandError> {
    let mut loading = all(scene, resolutions);
    loading.retain(|candidate| candidate.name == name);
    let shown = Shown(name).to_string();
    match loading.as_slice() {
        [] => of_unloaded(scene, resolutions, name),
        [one] => {
            if one.consent == Consent::Unapproved {
                return Err(unapproved(&shown, one));
            }
            Ok(Target {
                name: shown,
                harnesses: one.harnesses(),
                plan: one.plan.clone(),
            })
        }
        several => Err(HandError::Ambiguous {
            name: shown,
            harnesses: several.iter().flat_map(Candidate::harnesses).collect(),
        }),
    }
}

/// Why a server that loads is not started by hand.
pub(crate) fn unapproved(name: &str, candidate: &Candidate<'_>) -> HandError {
    let user = candidate.users.first();
    HandError::Unapproved {
        name: name.to_owned(),
        harness: user.map_or("an agent", |user| user.harness),
        command: user.map_or_else(String::new, |user| written(user.server)),
    }
}

/// What a definition says is started or reached, masked.
fn written(server: &Server) -> String {
    let entry = &server.definition.entry;
    let words = entry.command.iter().chain(&entry.args);
    let words = Masked::command_line(words.map(|word| &word.value));
    if words.is_empty() {
        let url = entry.url.as_ref();
        return url.map_or_else(String::new, |url| Masked::url(&url.value).to_string());
    }
    let words: Vec<&str> = words.iter().map(Masked::as_str).collect();
    words.join(" ")
}

/// A server that no session starts: the user's own, switched off, is started by hand nevertheless.
fn of_unloaded(
    scene: &Scene<'_>,
    resolutions: &[Resolution],
    name: &str,
) -> Result<Target, HandError> {
    let shown = Shown(name).to_string();
    let mut refusal = None;
    for (harness, resolution) in scene.harnesses().iter().zip(resolutions) {
        let Some(server) = muster_report::meant(resolution, name) else {
            continue;
        };
        match startable(scene, *harness, resolution, server, &shown) {
            Ok(plan) => {
                return Ok(Target {
                    name: shown,
                    harnesses: vec![harness.id()],
                    plan,
                });
            }
            // That it may not is worth more than that it cannot.
            Err(error) => match (&refusal, &error) {
                (None, _) => refusal = Some(error),
                (
                    Some(HandError::Unusable { .. }),
                    HandError::Unapproved { .. } | HandError::Forbidden { .. },
                ) => refusal = Some(error),
                _ => {}
            },
        }
    }
    Err(refusal.unwrap_or_else(|| {
        let names = resolutions
            .iter()
            .flat_map(|resolution| &resolution.servers)
            .map(|server| server.definition.name.as_str());
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        HandError::UnknownServer {
            similar: similar(name, names),
            name: Masked::word(&Secret::new(name)).to_string(),
        }
    }))
}

fn startable(
    scene: &Scene<'_>,
    harness: &'static dyn muster_core::Harness,
    resolution: &Resolution,
    server: &Server,
    name: &str,
) -> Result<LaunchPlan, HandError> {
    let why = || {
        let last = server.reasons.last();
        last.map_or_else(String::new, |reason| reason.text.clone())
    };
    match server.status {
        Status::Invalid | Status::Unsupported | Status::Broken | Status::Ignored => {
            return Err(HandError::Unusable {
                name: name.to_owned(),
                why: why(),
            });
        }
        Status::Rejected | Status::Blocked | Status::Untrusted => {
            return Err(HandError::Forbidden {
                name: name.to_owned(),
                why: why(),
            });
        }
        _ => {}
    }
    if consent(scene.world(), harness, resolution, server) == Consent::Unapproved {
        return Err(HandError::Unapproved {
            name: name.to_owned(),
            harness: harness.id(),
            command: written(server),
        });
    }
    harness
        .launch(scene.world(), server)
        .map_err(|error| HandError::Unusable {
            name: name.to_owned(),
            why: error.to_string(),
        })
}

/// Adds what the command line gives the server.
fn add(plan: &mut LaunchPlan, using: &Using) -> Result<(), HandError> {
    let refuse = |why: &str| Err(HandError::Option(why.to_owned()));
    match &mut plan.start {
        Start::Process { env, .. } => {
            if !using.header.is_empty() {
                return refuse("`--header` is for servers at an address");
            }
            for variable in &using.env {
                let Some((name, value)) = variable
                    .split_once('=')
                    .filter(|(name, _)| !name.is_empty())
                else {
                    return refuse("`--env` is written NAME=VALUE");
                };
                env.retain(|known| known.name != name);
                env.push(Handed {
                    name: name.to_owned(),
                    value: Secret::new(value),
                    giver: Giver::Entry,
                });
            }
            env.sort_by(|one, other| one.name.cmp(&other.name));
        }
        Start::Remote { headers, .. } => {
            if !using.env.is_empty() {
                return refuse("`--env` is for servers that are started");
            }
            for header in &using.header {
                let Some((name, value)) =
                    header.split_once(':').filter(|(name, _)| !name.is_empty())
                else {
                    return refuse("`--header` is written 'NAME: VALUE'");
                };
                headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                headers.push((name.to_owned(), Secret::new(value.trim())));
            }
        }
    }
    Ok(())
}
