//! How OpenCode starts a server, or reaches it. Observed on 1.18.33; the time for a call and `BUN_BE_BUN` are read from the program.

use std::time::Duration;

use muster_core::{
    LaunchError, LaunchPlan, Server, Start, Timeout, Transport, World, absolute, whole_environment,
};
use muster_document::{Masked, Node, Secret, Shown};

use super::account::Account;
use super::address;
use super::entries::Kind;
use super::entry;
use super::merge::{From, Merged, Oauth};
use super::tooling::{Filters, TOOL_NAMES, tool_name};

/// How long a server may take to be ready.
const STARTUP: Duration = Duration::from_secs(30);
/// How long a call may take: what the library for MCP does by itself.
const CALL: Duration = Duration::from_secs(60);

/// What OpenCode says of a command without a word.
pub(super) const NO_PROGRAM: &str =
    "The \"file\" argument must be of type string. Received undefined";

/// What OpenCode says of the address of `name` if it is none.
pub(super) fn no_address(name: &str) -> String {
    format!("Invalid MCP URL for \"{}\"", Shown(name))
}

/// The plan for `server`, one of the rows of `account`.
pub(super) fn plan(
    world: &World<'_>,
    server: &Server,
    account: &Account<'_>,
) -> Result<LaunchPlan, LaunchError> {
    let name = server.definition.name.as_str();
    let merged = account.servers.get(name).filter(|merged| {
        let defining = merged.defining();
        defining.and_then(|speaker| account.place(speaker.layer, speaker.key))
            == server.definition.place
            && defining.is_some()
    });
    let Some(merged) = merged else {
        // It is no server of the session; as far as it says what it is, that is what would be started.
        return LaunchPlan::as_written(world, server, TOOL_NAMES);
    };
    let mut remarks = Vec::new();
    let start = match merged.kind.map(|kind| kind.value) {
        Some(Kind::Local) => local(world, merged, &mut remarks)?,
        Some(Kind::Remote) => remote(merged, &mut remarks)?,
        None => return Err(LaunchError::Nothing),
    };
    remarks.extend(unset(world, server));
    remarks.extend(namesake(account, name));
    let left = Filters::of(account, world).left(name);
    if !left.again.is_empty() {
        let again: Vec<_> = left
            .again
            .iter()
            .map(|tool| Shown(tool).to_string())
            .collect();
        remarks.push(format!("offered all the same: {}", again.join(", ")));
    }
    let patience = |from: Option<From<f64>>, usual: Duration| match from {
        Some(from) => Timeout {
            duration: Some(entry::milliseconds(from.value)),
            place: account.place(from.layer, from.span),
        },
        None => Timeout::usual(usual),
    };
    Ok(LaunchPlan {
        start,
        startup_timeout: patience(merged.timeout, STARTUP),
        call_timeout: patience(merged.timeout.or(account.call_timeout), CALL),
        tool_names: TOOL_NAMES,
        tools_only: left.only,
        tools_without: left.without,
        helpers: Vec::new(),
        remarks,
    })
}

fn local(
    world: &World<'_>,
    merged: &Merged<'_>,
    remarks: &mut Vec<String>,
) -> Result<Start, LaunchError> {
    let argv: Vec<Secret> = merged
        .words()
        .iter()
        .filter_map(|word| word.value.as_str())
        .map(Secret::new)
        .collect();
    let Some(program) = argv.first() else {
        return Err(LaunchError::GivesUp(NO_PROGRAM.to_owned()));
    };
    let cwd = merged.cwd.and_then(|cwd| cwd.value.as_str());
    if cwd.is_some_and(|cwd| cwd == "~" || cwd.starts_with("~/")) {
        remarks.push(
            "OpenCode does not expand the ~ of cwd: it looks for a folder of that name".to_owned(),
        );
    }
    // What stands here in place of OpenCode's own number is a number too.
    let mut own = vec![("AGENT", "1"), ("OPENCODE", "1"), ("OPENCODE_PID", "1")];
    remarks.push("OPENCODE_PID holds the number of OpenCode's process".to_owned());
    if program.expose() == "opencode" {
        own.push(("BUN_BE_BUN", "1"));
    }
    let entry = merged
        .environment
        .iter()
        .filter_map(|(name, from)| Some(((*name).to_owned(), Secret::new(from.value.as_str()?))));
    Ok(Start::Process {
        cwd: match cwd {
            Some(cwd) => absolute(cwd, &world.cwd),
            None => world.cwd.clone(),
        },
        env: whole_environment(world, &own, entry),
        withheld: Vec::new(),
        argv,
    })
}

fn remote(merged: &Merged<'_>, remarks: &mut Vec<String>) -> Result<Start, LaunchError> {
    let text = |from: From<&Node>| from.value.as_str().map(Secret::new);
    let url = merged.url.and_then(text).ok_or(LaunchError::Nothing)?;
    if !address::parses(url.expose()) {
        return Err(LaunchError::GivesUp(no_address(merged.name)));
    }
    if let Some(Oauth::Off) = merged.oauth {
        remarks.push("OAuth is off: a server that wants it counts as failed".to_owned());
    }
    let headers = merged.headers.iter();
    Ok(Start::Remote {
        transport: Transport::Http,
        fallback: Some(Transport::Sse),
        url,
        headers: headers
            .filter_map(|(name, from)| Some(((*name).to_owned(), text(*from)?)))
            .collect(),
    })
}

/// Variables that the entry names and that hold nothing.
fn unset(world: &World<'_>, server: &Server) -> Vec<String> {
    let entry = &server.definition.entry;
    let words = entry.command.iter().chain(&entry.args).chain(&entry.cwd);
    let pairs = entry.env.iter().chain(&entry.headers);
    let texts = words
        .chain(&entry.url)
        .chain(pairs.map(|(_, value)| value))
        .map(|text| text.value.expose());
    let mut names: Vec<&str> = texts
        .flat_map(super::substitute::variables)
        .filter(|name| world.env.filled(name).is_none())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|name| {
            format!(
                "{} is not set: nothing is put in its place",
                Masked::word(&Secret::new(name))
            )
        })
        .collect()
}

/// Another server whose tools have the same names.
fn namesake(account: &Account<'_>, name: &str) -> Option<String> {
    let prefix = tool_name(name, "");
    let on = |server: &&Merged<'_>| {
        server.kind.is_some() && server.enabled.is_none_or(|enabled| enabled.value.on)
    };
    let other = account
        .servers
        .list
        .iter()
        .filter(on)
        .find(|other| other.name != name && tool_name(other.name, "") == prefix)?;
    Some(format!(
        "its tools have the names of those of {}: of two with one name the model sees one",
        Shown(other.name)
    ))
}
