//! How Codex starts a server, or reaches it. Observed on 0.171.0 with a server that wrote down what it was given.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Dossier, Entry, Environment, Giver, Gives, Helper, LaunchError, LaunchPlan, Platform, Scope,
    Server, Sourced, Start, Timeout, Transport, World,
};
use muster_document::{Masked, Secret, Shown};

use super::environment::{self, CodexHome};

/// How long Codex waits for a server, and for one call. Measured.
const STARTUP: Duration = Duration::from_secs(30);
const CALL: Duration = Duration::from_secs(300);

/// How long a helper may take. Chosen: what Codex allows was not seen.
const HELPER: Duration = Duration::from_secs(10);

/// The longest name, in bytes, that a tool has with its server's part before it.
const LONGEST_NAME: usize = 128;

/// Variables that every server is given, where they are set.
const PASSED_ON: [&str; 11] = [
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "USER",
    "__CF_USER_TEXT_ENCODING",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "TZ",
];

/// Those of Windows. Read in Codex's source, not observed.
const PASSED_ON_BY_WINDOWS: [&str; 23] = [
    "PATH",
    "PATHEXT",
    "SHELL",
    "COMSPEC",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "USERNAME",
    "USERDOMAIN",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROGRAMW6432",
    "PROGRAMDATA",
    "LOCALAPPDATA",
    "APPDATA",
    "TEMP",
    "TMP",
    "TMPDIR",
    "POWERSHELL",
    "PWSH",
];

/// Variables that name files of certificate authorities: they are passed on too, their paths made absolute.
const CERTIFICATES: [&str; 10] = [
    "BUNDLE_SSL_CA_CERT",
    "CARGO_HTTP_CAINFO",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "NPM_CONFIG_CAFILE",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_FILE",
    "npm_config_cafile",
];

/// The name under which the model sees `tool` of `server`: a namespace and the tool's own name, joined as code mode joins them. A
/// tool that makes it too long is cut, and ends in a hash of both names.
pub(super) fn tool_name(server: &str, tool: &str) -> String {
    let namespace = match server.strip_prefix("mcp__") {
        Some(_) => plain(server),
        None => format!("mcp__{}", plain(server)),
    };
    let cleaned = plain(tool);
    let room = LONGEST_NAME.saturating_sub(namespace.len() + 2);
    if cleaned.len() <= room {
        return format!("{namespace}__{cleaned}");
    }
    let names = format!("{server}\0{server}\0\0{tool}\0{tool}");
    let hash = sha1_smol::Sha1::from(names).digest().to_string();
    let ending = format!("_{}", hash.get(..12).unwrap_or_default());
    let kept = cleaned
        .get(..room.saturating_sub(ending.len()))
        .unwrap_or_default();
    format!("{namespace}__{kept}{ending}")
}

/// `name` with every character outside `[A-Za-z0-9_]` replaced by `_`.
fn plain(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(letter).collect()
}

/// How `server` would be started in `world`.
pub(super) fn plan(world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
    if let Some(refusal) = LaunchError::of(server) {
        return Err(refusal);
    }
    let home = CodexHome::find(world);
    let env = environment::effective(&mut Dossier::new(world), &home, &mut Vec::new());
    let entry = &*server.definition.entry;
    let mut remarks = literal_variables(entry);
    let mut helpers = Vec::new();
    let start = match (&entry.command, &entry.url) {
        (Some(command), _) => {
            let words = std::iter::once(command).chain(&entry.args);
            let argv = words.map(|word| word.value.clone()).collect();
            let given = given(world, entry, &env, &mut remarks);
            let names: Vec<&str> = given.iter().map(|(name, _, _)| name.as_str()).collect();
            let withheld = env
                .iter()
                .map(|(name, _)| name)
                .filter(|name| !names.iter().any(|given| is_same(world, given, name)))
                .map(str::to_owned)
                .collect();
            Start::Process {
                argv,
                cwd: working_folder(world, server, &home),
                env: world.handed(given),
                withheld,
            }
        }
        (None, Some(url)) => {
            let headers = headers(entry, &env, &mut remarks);
            if let Some(helper) = &entry.headers_helper {
                helpers.push(Helper {
                    gives: Gives::Headers,
                    command: helper.value.clone(),
                    cwd: world.cwd.clone(),
                    env: world.handed(env.iter().map(|(name, value)| {
                        (name.to_owned(), Secret::new(value), Giver::Inherited)
                    })),
                    patience: HELPER,
                    required: true,
                });
                remarks.push("http_headers_helper is run before it connects; its headers win over http_headers, and a helper that fails fails the server".to_owned());
            }
            Start::Remote {
                transport: Transport::Http,
                fallback: None,
                url: url.value.clone(),
                headers,
            }
        }
        (None, None) => return Err(LaunchError::Nothing),
    };
    let timeout = |written: &Option<Sourced<Duration>>, usual: Duration| match written {
        Some(written) => Timeout {
            duration: Some(written.value),
            place: written.place.clone(),
        },
        None => Timeout::usual(usual),
    };
    if entry.tools_only.as_ref().is_some_and(Vec::is_empty) {
        remarks.push("enabled_tools is empty: all its tools are hidden".to_owned());
    }
    Ok(LaunchPlan {
        start,
        startup_timeout: timeout(&entry.startup_timeout, STARTUP),
        call_timeout: timeout(&entry.call_timeout, CALL),
        tool_names: "mcp__<server>__<tool>",
        tools_only: entry.tools_only.clone(),
        tools_without: entry.tools_without.clone(),
        helpers,
        remarks,
    })
}

/// Whether two names are one variable's.
fn is_same(world: &World<'_>, one: &str, other: &str) -> bool {
    match world.platform {
        Platform::Windows => one.eq_ignore_ascii_case(other),
        _ => one == other,
    }
}

/// Codex puts nothing in the place of a variable.
fn literal_variables(entry: &Entry) -> Vec<String> {
    let references = entry.header_variables.len();
    let written = entry.headers.len().saturating_sub(references);
    let words = entry.command.iter().chain(&entry.args).chain(&entry.url);
    let pairs = entry.env.iter().chain(entry.headers.iter().take(written));
    let mut names: Vec<&str> = words
        .chain(&entry.cwd)
        .chain(pairs.map(|(_, value)| value))
        .flat_map(|text| text.value.variables())
        .collect();
    names.sort_unstable();
    names.dedup();
    let literal = |name: &str| {
        let told = Masked::word(&Secret::new(name));
        format!("Codex fills no variables: the reference to {told} is passed on as it stands")
    };
    names.into_iter().map(literal).collect()
}

/// What the server is given, the stronger later: the short list, what `env_vars` names, what the entry sets.
fn given(
    world: &World<'_>,
    entry: &Entry,
    env: &Environment,
    remarks: &mut Vec<String>,
) -> Vec<(String, Secret, Giver)> {
    let short_list: &[&str] = match world.platform {
        Platform::Windows => &PASSED_ON_BY_WINDOWS,
        _ => &PASSED_ON,
    };
    // What the `.env` of Codex's own folder says is not what stands in the environment.
    let giver = |name: &str, value: &str| match world.env.get(name) == Some(value) {
        true => Giver::Inherited,
        false => Giver::Settings,
    };
    let passed = |name: &&str| {
        let value = env.get(name)?;
        Some(((*name).to_owned(), Secret::new(value), giver(name, value)))
    };
    let certificate = |name: &&str| {
        let value = env.filled(name)?;
        let path = world.at(value, &world.cwd);
        Some(((*name).to_owned(), Secret::new(path), giver(name, value)))
    };
    let mut given: Vec<_> = short_list
        .iter()
        .filter_map(passed)
        .chain(CERTIFICATES.iter().filter_map(certificate))
        .collect();
    for variable in &entry.forwarded {
        let name = variable.value.as_str();
        match passed(&name) {
            Some(found) => given.push(found),
            None => {
                let told = Masked::word(&Secret::new(name));
                remarks.push(format!(
                    "{told} of env_vars is not set, so it is not passed on"
                ));
            }
        }
    }
    if given.iter().any(|(name, _, _)| name == "PATH") {
        remarks.push("Codex puts folders of its own before those of PATH".to_owned());
    }
    let own = entry.env.iter();
    given.extend(own.map(|(name, value)| (name.clone(), value.value.clone(), Giver::Entry)));
    given
}

/// Where the server is started: a relative `cwd` is taken from the folder in which Codex was called, not from the file's, and in a
/// plugin from the plugin's.
fn working_folder(world: &World<'_>, server: &Server, home: &CodexHome) -> Utf8PathBuf {
    let Some(cwd) = &server.definition.entry.cwd else {
        return world.cwd.clone();
    };
    let of_plugin = (server.definition.scope == Scope::Plugin)
        .then(|| plugin_folder(server, home.folder.as_deref()?))
        .flatten();
    world.at(
        cwd.value.expose(),
        of_plugin.as_deref().unwrap_or(&world.start),
    )
}

/// The folder of the plugin whose file defines `server`: `plugins/cache/MARKET/NAME/VERSION`.
fn plugin_folder(server: &Server, home: &Utf8Path) -> Option<Utf8PathBuf> {
    let cache = home.join("plugins").join("cache");
    let place = server.definition.place.as_ref()?;
    let mut inside = place.path.strip_prefix(&cache).ok()?.components();
    let mut folder = cache;
    for _ in 0..3 {
        folder.push(inside.next()?);
    }
    Some(folder)
}

/// The header fields that are sent: those that are written, then those of variables, then the bearer token.
fn headers(entry: &Entry, env: &Environment, remarks: &mut Vec<String>) -> Vec<(String, Secret)> {
    let written = entry
        .headers
        .len()
        .saturating_sub(entry.header_variables.len());
    let mut sent: Vec<(String, Secret)> = entry
        .headers
        .iter()
        .take(written)
        .map(|(name, value)| (name.clone(), value.value.clone()))
        .collect();
    for header in &entry.header_variables {
        let field = &header.field;
        let Some(value) = env.filled(header.variable.value.expose()) else {
            remarks.push(format!(
                "{} is not set, so the header {} is not sent",
                Masked::word(&header.variable.value),
                Shown(field)
            ));
            continue;
        };
        let value = match header.scheme {
            Some(scheme) => format!("{scheme} {value}"),
            None => value.to_owned(),
        };
        sent.retain(|(known, _)| !known.eq_ignore_ascii_case(field));
        sent.push((field.clone(), Secret::new(value)));
    }
    sent.retain(|(name, value)| {
        let fits = sendable(name, value.expose());
        if !fits {
            remarks.push(format!(
                "the header {} is no valid one and is not sent",
                Shown(name)
            ));
        }
        fits
    });
    sent
}

/// Whether a header field may be written on the wire (RFC 9110, 5.1 and 5.5).
fn sendable(name: &str, value: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let visible = |byte: u8| byte == b'\t' || (byte >= b' ' && byte != 0x7f);
    !name.is_empty() && name.bytes().all(token) && value.bytes().all(visible)
}

#[cfg(test)]
mod tests;
