//! A server's entry as Muster shows it.

use muster_core::{Entry, Sourced, Transport};
use muster_document::{Masked, Place, Secret};

use super::merge::{Merged, Origin};

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
    let bearer = text("bearer_token_env_var")
        .map(|variable| ("Authorization".to_owned(), reference(variable)));
    let from_variables =
        pairs("env_http_headers").map(|(name, variable)| (name, reference(variable)));
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
        headers: pairs("http_headers")
            .chain(from_variables)
            .chain(bearer)
            .collect(),
        tools_only: server.get("enabled_tools").map(|_| names("enabled_tools")),
        tools_without: names("disabled_tools"),
        ..Entry::default()
    }
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
    let place = value.origin().and_then(|origin| {
        places(Origin {
            key: origin.value,
            ..origin
        })
    });
    Some(Sourced {
        value: Secret::new(value.as_str()?),
        place,
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
