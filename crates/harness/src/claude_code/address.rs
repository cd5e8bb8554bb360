//! `serverUrl` patterns of the allow and deny lists.

/// Whether `text` matches `pattern`, in which `*` stands for any run of characters.
pub(super) fn wildcard(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(first) = parts.next() else {
        return text.is_empty();
    };
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part).and_then(|at| rest.get(at + part.len()..)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

/// An address taken apart as the lists compare it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Address {
    /// Lower-case.
    scheme: String,
    /// Lower-case, without a trailing dot and user information, with a port unless it is the scheme's own.
    host: String,
    /// Without a trailing slash; empty for the whole origin.
    path: String,
    /// `None` where there is no `?`.
    query: Option<String>,
}

impl Address {
    fn parse(text: &str) -> Option<Address> {
        let text = text.trim();
        let (scheme, rest) = text.split_once("://")?;
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query.to_owned())),
            None => (rest, None),
        };
        let (authority, path) = match rest.find('/') {
            Some(at) => (rest.get(..at)?, rest.get(at..)?),
            None => (rest, ""),
        };
        let host_and_port = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host)
            .to_lowercase();
        let (host, port) = split_port(&host_and_port);
        let scheme = scheme.to_lowercase();
        let host = host.strip_suffix('.').unwrap_or(host);
        let host = match port.filter(|port| !port.is_empty() && Some(*port) != own_port(&scheme)) {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        let path = path.strip_suffix('/').unwrap_or(path).to_owned();
        Some(Address {
            scheme,
            host,
            path,
            query,
        })
    }
}

fn split_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port))
            if port
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'*')
                && !host.ends_with(':') =>
        {
            (host, Some(port))
        }
        _ => (authority, None),
    }
}

fn own_port(scheme: &str) -> Option<&'static str> {
    match scheme {
        "http" | "ws" => Some("80"),
        "https" | "wss" => Some("443"),
        _ => None,
    }
}

/// Whether the list entry `pattern` covers `url`. Observed on 2.1.332: scheme and host without case, path with case and not
/// decoded, a trailing slash ignored, no path for the whole origin. Of the query a deny entry without one takes any, an allow entry
/// none.
pub(super) fn covers(pattern: &str, url: &str, allows: bool) -> bool {
    if pattern == "*" {
        return true;
    }
    let (Some(pattern), Some(url)) = (Address::parse(pattern), Address::parse(url)) else {
        return false;
    };
    let path = pattern.path.is_empty() || wildcard(&pattern.path, &url.path);
    let query = match (&pattern.query, &url.query) {
        (None, None) => true,
        (None, Some(_)) => !allows || pattern.path.is_empty(),
        (Some(wanted), found) => wildcard(wanted, found.as_deref().unwrap_or_default()),
    };
    wildcard(&pattern.scheme, &url.scheme) && wildcard(&pattern.host, &url.host) && path && query
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards() {
        for (pattern, text, expected) in [
            ("a*c", "abc", true),
            ("a*c", "ac", true),
            ("a*c", "ab", false),
            ("*", "", true),
            ("a", "ab", false),
            ("*b*d*", "abcd", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(wildcard(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn what_an_entry_covers() {
        const PATTERN: &str = "https://a.example.invalid/x";
        for (url, denied, allowed) in [
            ("https://a.example.invalid/x", true, true),
            ("https://a.example.invalid/x/", true, true),
            ("https://a.example.invalid:443/x", true, true),
            ("https://a.example.invalid./x", true, true),
            ("https://u:p@A.example.invalid/x", true, true),
            ("https://a.example.invalid/x?k=v", true, false),
            ("https://a.example.invalid/X", false, false),
            ("https://a.example.invalid:8443/x", false, false),
            ("http://a.example.invalid/x", false, false),
            ("https://a.example.invalid", false, false),
            ("https://evil.invalid/a.example.invalid/x", false, false),
        ] {
            assert_eq!(covers(PATTERN, url, false), denied, "deny {url}");
            assert_eq!(covers(PATTERN, url, true), allowed, "allow {url}");
        }
    }

    #[test]
    fn wildcards_span_labels_and_a_port() {
        assert!(covers(
            "https://*.example.invalid",
            "https://a.b.example.invalid/any?q",
            false
        ));
        assert!(covers("*://h", "ws://h/x", false));
        assert!(covers("http://h*", "http://h:8080/x", false));
        assert!(!covers("h/x", "https://h/x", false));
    }
}
