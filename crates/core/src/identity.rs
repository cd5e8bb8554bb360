//! What makes two definitions one server.

use muster_document::Secret;

use crate::{Entry, Transport};

/// What a definition starts or reaches, as far as that tells servers apart: the same program by its file name with the same arguments,
/// or the same address. It may hold secrets and cannot be printed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// It is reached at an address, not started.
    remote: bool,
    words: Vec<Secret>,
}

impl Identity {
    /// The identity of what `entry` describes; `None` where it says neither a command nor an address.
    pub fn of(entry: &Entry) -> Option<Identity> {
        let command = || {
            let program = program(entry.command.as_ref()?.value.expose());
            let words = entry.args.iter().map(|word| word.value.expose());
            let words = std::iter::once(program).chain(words);
            Some(Identity {
                remote: false,
                words: words.map(|word| Secret::new(spelled(word))).collect(),
            })
        };
        let address = || {
            let url = address(&spelled(entry.url.as_ref()?.value.expose()));
            Some(Identity {
                remote: true,
                words: vec![Secret::new(url)],
            })
        };
        match entry.transport {
            Some(Transport::Stdio) | None => command().or_else(address),
            Some(_) => address().or_else(command),
        }
    }
}

impl std::fmt::Debug for Identity {
    /// Shows nothing: arguments and addresses may be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity(•••)")
    }
}

/// The file name of a program, without the endings that Windows adds by itself.
fn program(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return name;
    };
    let added = ["exe", "cmd", "bat"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known));
    if added { stem } else { name }
}

/// `text` with its variables spelled one way: some harnesses write `${env:NAME}` or `{env:NAME}` for `${NAME}`.
fn spelled(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{env:") {
        let length = after
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .count();
        let (name, behind) = after.split_at(length);
        if name.is_empty() || !behind.starts_with('}') {
            plain.push_str(before);
            plain.push_str("{env:");
            rest = after;
            continue;
        }
        plain.push_str(before.strip_suffix('$').unwrap_or(before));
        plain.push_str("${");
        plain.push_str(name);
        rest = behind;
    }
    plain.push_str(rest);
    plain
}

/// An address with scheme and host in lower case, without the scheme's own port and without a slash at the end of its path.
fn address(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let scheme = scheme.to_ascii_lowercase();
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (path, behind) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (format!("{user}@"), host),
        None => (String::new(), authority),
    };
    let own = match scheme.as_str() {
        "http" | "ws" => ":80",
        "https" | "wss" => ":443",
        _ => "",
    };
    // The name of a variable is no host: its case matters.
    let host = host.strip_suffix(own).unwrap_or(host);
    let host = match host.contains(['$', '{']) {
        true => host.to_owned(),
        false => host.to_ascii_lowercase(),
    };
    let path = path.trim_end_matches('/');
    format!("{scheme}://{user}{host}{path}{behind}")
}
