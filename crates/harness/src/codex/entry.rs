//! A server's entry as Muster shows it.

use std::time::Duration;

use muster_core::{Entry, HeaderVariable, Sourced, Transport};
use muster_document::{Masked, Place, Secret};

use super::merge::{Merged, Origin};
use super::validate::KEYS;

/// Turns an [`Origin`] into a place in its file.
pub(super) type Places<'p> = &'p dyn Fn(Origin) -> Option<Place>;

/// What `server` says, as written. Keys of a wrong type are left out.
pub(super) fn entry(server: &Merged<'_>, places: Places<'_>) -> Entry {
    let text = |key: &str| server.get(key).and_then(|value| sourced(value, places));
    let pairs = |key: &str| {
        let members = server.get(key).into_iter().flat_map(Merged::members);
        members.filter_map(|(name, value)| Some((name.to_owned(), sourced(value, places)?)))
    };
    let list = |key: &str| {
        server
            .get(key)
            .and_then(Merged::as_list)
            .unwrap_or_default()
    };
    let names = |key: &str| {
        list(key)
            .iter()
            .filter_map(Merged::as_str)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (command, url) = (text("command"), text("url"));
    let transport = match (&command, &url) {
        (Some(_), _) => Some(Transport::Stdio),
        (None, Some(_)) => Some(Transport::Http),
        (None, None) => None,
    };
    let named = pairs("env_http_headers").map(|(field, variable)| HeaderVariable {
        field,
        scheme: None,
        variable,
    });
    let bearer = text("bearer_token_env_var").map(|variable| HeaderVariable {
        field: "Authorization".to_owned(),
        scheme: Some("Bearer"),
        variable,
    });
    let header_variables: Vec<_> = named.chain(bearer).collect();
    let references = header_variables
        .iter()
        .map(|header| (header.field.clone(), reference(header.variable.clone())));
    Entry {
        transport,
        command,
        args: list("args")
            .iter()
            .filter_map(|value| sourced(value, places))
            .collect(),
        cwd: text("cwd"),
        env: pairs("env").collect(),
        url,
        headers: pairs("http_headers").chain(references).collect(),
        header_variables,
        headers_helper: text("http_headers_helper"),
        transport_word: ["type", "transport"]
            .into_iter()
            .find_map(|key| server.get(key).and_then(|value| word(value, places))),
        startup_timeout: seconds(server, "startup_timeout_sec", 1.0, places)
            .or_else(|| seconds(server, "startup_timeout_ms", 1000.0, places)),
        call_timeout: seconds(server, "tool_timeout_sec", 1.0, places),
        forwarded: list("env_vars")
            .iter()
            .filter(|variable| variable.get("source").and_then(Merged::as_str) != Some("remote"))
            .filter_map(|variable| {
                word(variable, places).or_else(|| word(variable.get("name")?, places))
            })
            .collect(),
        unread: unread(server, places),
        tools_only: server.get("enabled_tools").map(|_| names("enabled_tools")),
        tools_without: names("disabled_tools"),
    }
}

/// The keys of an entry that Codex passes over without a word.
fn unread(server: &Merged<'_>, places: Places<'_>) -> Vec<Sourced<String>> {
    server
        .members()
        .filter(|(key, _)| !KEYS.iter().any(|(known, _)| known == key))
        .map(|(key, value)| Sourced {
            value: key.to_owned(),
            place: value.origin().and_then(places),
        })
        .collect()
}

/// The text of a string, with its place.
fn word(value: &Merged<'_>, places: Places<'_>) -> Option<Sourced<String>> {
    let Sourced { value, place } = sourced(value, places)?;
    Some(Sourced {
        value: value.expose().to_owned(),
        place,
    })
}

/// The duration that the number `key` of an entry gives, `unit` of which make a second.
fn seconds(
    server: &Merged<'_>,
    key: &str,
    unit: f64,
    places: Places<'_>,
) -> Option<Sourced<Duration>> {
    let number = server.get(key)?;
    let place = value_origin(number).and_then(places);
    let value = Duration::try_from_secs_f64(number.as_number()?.as_f64() / unit).ok()?;
    Some(Sourced { value, place })
}

/// The value of the variable that is named, as people write one. A name that looks like the secret itself stays hidden.
fn reference(named: Sourced<Secret>) -> Sourced<Secret> {
    let name = named.value.expose();
    if Masked::word(&named.value).as_str() != name {
        return named;
    }
    Sourced {
        value: Secret::new(format!("${{{name}}}")),
        place: named.place,
    }
}

fn sourced(value: &Merged<'_>, places: Places<'_>) -> Option<Sourced<Secret>> {
    let place = value_origin(value).and_then(places);
    Some(Sourced {
        value: Secret::new(value.as_str()?),
        place,
    })
}

/// Where the value itself stands, not its key.
fn value_origin(value: &Merged<'_>) -> Option<Origin> {
    value.origin().map(|origin| Origin {
        key: origin.value,
        ..origin
    })
}

/// Where `server` is defined: the highest layer that gives its `command` or `url`, or the highest that speaks of it at all.
pub(super) fn defining(server: &Merged<'_>) -> Option<Origin> {
    let target = server
        .get("command")
        .or_else(|| server.get("url"))
        .and_then(Merged::origin);
    let by = |layer: usize| {
        server
            .origins
            .iter()
            .rev()
            .find(|origin| origin.layer == layer)
            .copied()
    };
    target
        .and_then(|origin| by(origin.layer))
        .or_else(|| server.origin())
}
