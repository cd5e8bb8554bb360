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

/// An address taken apart as the lists compare it; user information and fragment are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Address<'t> {
    /// Lower-case.
    scheme: String,
    /// Lower-case, without trailing dots.
    host: String,
    /// Empty where there is none, or where it is the scheme's own.
    port: &'t str,
    /// From its first slash; empty where there is none.
    path: &'t str,
    /// With its `?`; empty where there is none, or nothing after it.
    query: &'t str,
}

impl<'t> Address<'t> {
    fn parse(text: &'t str) -> Option<Address<'t>> {
        let (scheme, rest) = text
            .split_once("://")
            .filter(|(scheme, _)| !scheme.contains([':', '/']))?;
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let authority = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        let (host, port) = split_port(authority);
        let scheme = scheme.to_lowercase();
        Some(Address {
            port: if Some(port) == own_port(&scheme) {
                ""
            } else {
                port
            },
            host: host.trim_end_matches('.').to_lowercase(),
            scheme,
            path,
            query: if query == "?" { "" } else { query },
        })
    }
}

fn split_port(authority: &str) -> (&str, &str) {
    match authority.rsplit_once(':') {
        Some((host, port))
            if port
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'*') =>
        {
            (host, port)
        }
        _ => (authority, ""),
    }
}

fn own_port(scheme: &str) -> Option<&'static str> {
    match scheme {
        "http" | "ws" => Some("80"),
        "https" | "wss" => Some("443"),
        _ => None,
    }
}

/// Whether the list entry `pattern` covers `url`. Observed on 2.1.332: scheme and host are compared without case, the path with case
/// and not decoded; a scheme is compared whole, only `*` stands for any.
pub(super) fn covers(pattern: &str, url: &str, allows: bool) -> bool {
    if pattern == "*" {
        return true;
    }
    let (Some(pattern), Some(url)) = (Address::parse(pattern), Address::parse(url)) else {
        return false;
    };
    (pattern.scheme == "*" || pattern.scheme == url.scheme)
        && wildcard(&pattern.host, &url.host)
        && covers_port(&pattern, &url)
        && covers_rest(&pattern, &url, allows)
}

/// A wildcard in the host takes any port along.
fn covers_port(pattern: &Address<'_>, url: &Address<'_>) -> bool {
    match pattern.port {
        "" => url.port.is_empty() || pattern.host.contains('*'),
        port => wildcard(port, url.port),
    }
}

/// Path and query together: with neither, the pattern covers the whole origin. A deny entry is taken generously: a slash at the
/// path's end does not matter, and without a query it covers any.
fn covers_rest(pattern: &Address<'_>, url: &Address<'_>, allows: bool) -> bool {
    if pattern.path.is_empty() && pattern.query.is_empty() {
        return true;
    }
    let (wanted, path) = (or_root(pattern.path), or_root(url.path));
    if wildcard(
        &format!("{wanted}{}", pattern.query),
        &format!("{path}{}", url.query),
    ) {
        return true;
    }
    if allows {
        return false;
    }
    let (bare_wanted, bare_path) = (without_slash(wanted), without_slash(path));
    wildcard(
        &format!("{bare_wanted}{}", pattern.query),
        &format!("{bare_path}{}", url.query),
    ) || (pattern.query.is_empty() && (wildcard(wanted, path) || wildcard(bare_wanted, bare_path)))
}

fn or_root(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}

fn without_slash(path: &str) -> &str {
    if path == "/" {
        path
    } else {
        path.trim_end_matches('/')
    }
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
            ("https://a.example.invalid/x/", true, false),
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
    fn wildcards_at_a_paths_end_span_the_query_of_an_allowed_address() {
        assert!(covers("https://h/a*", "https://h/ab?k=1", true));
        assert!(!covers("https://h/*b", "https://h/ab?k=1", true));
        assert!(covers("https://h", "https://h/ab?k=1", true));
        assert!(covers("https://h/*", "https://h", true));
        assert!(covers("https://h/a/*", "https://h/a/", true));
        assert!(
            !covers("https://h/", "https://h/x", false),
            "a slash is a path: the bare origin alone"
        );
        assert!(
            !covers("http*://h", "https://h", false),
            "a scheme is compared whole"
        );
        assert!(!covers("https://h/a/*", "https://h/a", true));
    }

    #[test]
    fn wildcards_span_labels_and_a_port() {
        assert!(covers("https://*.h/*", "https://a.h:8443/x", false));
        assert!(covers("https://h:*/x", "https://h/x", false));
        assert!(!covers("https://*.h:1/*", "https://a.h:2/x", false));
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
