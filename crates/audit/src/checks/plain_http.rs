//! Addresses that are spoken to without encryption.

use muster_core::{Audience, Check, Confidence, Example, Finding, Severity, Status};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "plain-http",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "plain http to another machine",
    explanation: "Everything that goes to this server, tokens in headers included, can be read and changed by whoever is on the way. What a \
        server answers becomes part of what the model reads. On this machine itself (localhost, 127.0.0.1, ::1) nothing is on the way.",
    help: "Write `https://` (`wss://`), or reach the server through a tunnel that ends on this machine.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "docs": { "type": "http", "url": "http://docs.example.com/mcp" }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "docs": { "type": "http", "url": "https://docs.example.com/mcp" }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let Some(url) = &subject.entry().url else {
        return;
    };
    if !subject.is_read() || subject.server.status == Status::Overridden {
        return;
    }
    let Some((scheme, host)) = plain(url.value.expose()) else {
        return;
    };
    let near = is_near(host);
    if is_here(host) {
        return;
    }
    let finding = subject
        .finding(
            &CHECK,
            format!("{scheme}:// to another machine: anybody on the way can read and change it"),
        )
        .as_bad_as(if near { Severity::Note } else { CHECK.severity })
        .with_help(format!("write {scheme}s://"))
        .at(url.place.as_ref());
    found.push(finding);
}

/// Scheme and host of an address without encryption; `None` where it has one, or the host is not written out.
fn plain(url: &str) -> Option<(&'static str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let scheme = ["http", "ws"]
        .into_iter()
        .find(|plain| scheme.eq_ignore_ascii_case(plain))?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let written = !host.is_empty() && !host.contains(['$', '{', '%']);
    written.then_some((scheme, host))
}

/// Whether `host` is this machine.
fn is_here(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let four: Option<std::net::Ipv4Addr> = host.parse().ok();
    let six: Option<std::net::Ipv6Addr> = host.parse().ok();
    host == "localhost"
        || host.ends_with(".localhost")
        || host == "host.docker.internal"
        || four.is_some_and(|address| address.is_loopback() || address.is_unspecified())
        || six.is_some_and(|address| address.is_loopback() || address.is_unspecified())
}

/// Whether `host` is in a network of one's own: a name without dots, a private address.
fn is_near(host: &str) -> bool {
    let four: Option<std::net::Ipv4Addr> = host.parse().ok();
    let private = four.is_some_and(|address| address.is_private() || address.is_link_local());
    let ends = [".local", ".internal", ".lan", ".home.arpa"];
    private || !host.contains(['.', ':']) || ends.iter().any(|end| host.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_this_machine_or_near_or_far() {
        for host in [
            "localhost",
            "LOCALHOST",
            "a.localhost",
            "127.0.0.1",
            "127.1.2.3",
            "::1",
        ] {
            assert!(is_here(host), "{host}");
        }
        for host in ["db", "10.0.0.1", "192.168.1.2", "nas.local"] {
            assert!(!is_here(host) && is_near(host), "{host}");
        }
        for host in [
            "example.com",
            "8.8.8.8",
            "127.0.0.1.nip.io",
            "localhost.example.com",
        ] {
            assert!(!is_here(host) && !is_near(host), "{host}");
        }
    }

    #[test]
    fn the_host_is_found_in_any_address() {
        assert_eq!(
            plain("HTTP://u:p@h.example:80/x"),
            Some(("http", "h.example"))
        );
        assert_eq!(plain("ws://[::1]:9/x"), Some(("ws", "::1")));
        assert_eq!(plain("http://${HOST}/x"), None);
        assert_eq!(plain("https://h.example"), None);
        assert_eq!(plain("http:///x"), None);
    }
}
