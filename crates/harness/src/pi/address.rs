//! Addresses as `new URL(…)` of JavaScript reads them (the WHATWG's URL standard), as far as Pi looks at them. Held against Node's for some
//! six thousand texts: what differs is how hosts of other letters are spelled, and that a wrong `xn--` is not noticed.

use std::net::{Ipv4Addr, Ipv6Addr};

/// An `http` or `https` address, or that something is another kind of address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// Lower-case, without its colon.
    pub(super) scheme: String,
    /// As `hostname` has it: lower-case, numbers spelled out.
    pub(super) host: String,
    /// `None` where it is the scheme's own.
    pub(super) port: Option<u16>,
    /// `.` and `..` taken out.
    pub(super) path: String,
    /// Whether anything follows a `?` or a `#`.
    pub(super) has_query_or_fragment: bool,
}

impl Address {
    /// Reads `text`; `None` where JavaScript finds no address in it. Of other schemes than http and https only the scheme is looked at.
    pub(super) fn parse(text: &str) -> Option<Address> {
        let trimmed = text.trim_matches(|c: char| c <= ' ');
        let clean: String = trimmed
            .chars()
            .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
            .collect();
        let (scheme, rest) = clean.split_once(':')?;
        let plain = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        let scheme = plain.then(|| scheme.to_ascii_lowercase())?;
        let own_port = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => {
                return Some(Address {
                    scheme,
                    host: String::new(),
                    port: None,
                    path: String::new(),
                    has_query_or_fragment: false,
                });
            }
        };
        let rest = rest.trim_start_matches(['/', '\\']);
        let (authority, tail) =
            rest.split_at(rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len()));
        let place = authority.rsplit_once('@').map_or(authority, |(_, at)| at);
        let (host, port) = split_port(place)?;
        let port = match port {
            "" => None,
            digits => Some(number(digits, 10).and_then(|port| u16::try_from(port).ok())?),
        };
        let (path, after) = tail.split_at(tail.find(['?', '#']).unwrap_or(tail.len()));
        let after = after.strip_prefix('?').unwrap_or(after);
        Some(Address {
            scheme,
            host: host_name(host)?,
            port: port.filter(|port| *port != own_port),
            path: normal_path(path),
            has_query_or_fragment: !after.trim_matches('#').is_empty(),
        })
    }

    /// Whether it is an http or https address.
    pub(super) fn is_web(&self) -> bool {
        matches!(self.scheme.as_str(), "http" | "https")
    }

    /// Whether its host is this machine, in one of the spellings that Pi knows.
    pub(super) fn is_loopback(&self) -> bool {
        matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "[::1]")
    }
}

/// The host and the digits after its last colon outside of brackets; `None` where there is no host, or what follows is no number.
fn split_port(place: &str) -> Option<(&str, &str)> {
    let end = place.rfind(']').map_or(0, |at| at + 1);
    let colon = place.get(end..)?.find(':').map(|at| at + end);
    let (host, port) = match colon {
        Some(at) => (place.get(..at)?, place.get(at + 1..)?),
        None => (place, ""),
    };
    let digits = port.bytes().all(|byte| byte.is_ascii_digit());
    (!host.is_empty() && digits).then_some((host, port))
}

fn host_name(host: &str) -> Option<String> {
    if let Some(inside) = host.strip_prefix('[') {
        let address: Ipv6Addr = inside.strip_suffix(']')?.parse().ok()?;
        return Some(format!("[{address}]"));
    }
    let decoded = percent_decoded(host);
    // What other letters become is not followed; JavaScript takes nearly all of them.
    let name = decoded.to_lowercase();
    let forbidden = |c: char| c.is_ascii_control() || " #%/:<>?@[\\]^|\u{fffd}".contains(c);
    if name.is_empty() || name.contains(forbidden) {
        return None;
    }
    match ends_in_a_number(&name) {
        true => ipv4(&name).map(|address| address.to_string()),
        false => Some(name),
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let decoded = match tail {
            [high, low, ..] if *first == b'%' => digit(*high).zip(digit(*low)),
            _ => None,
        };
        match decoded.and_then(|(high, low)| u8::try_from(high * 16 + low).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn labels(name: &str) -> Vec<&str> {
    name.strip_suffix('.').unwrap_or(name).split('.').collect()
}

fn ends_in_a_number(name: &str) -> bool {
    let last = labels(name).last().copied().unwrap_or_default();
    !last.is_empty()
        && (last.bytes().all(|byte| byte.is_ascii_digit()) || ipv4_part(last).is_some())
}

/// One part of an address: decimal, `0x…`, or octal with a leading `0`.
fn ipv4_part(part: &str) -> Option<u64> {
    let hexadecimal = part.strip_prefix("0x").or_else(|| part.strip_prefix("0X"));
    match (hexadecimal, part.strip_prefix('0')) {
        (Some(""), _) => Some(0),
        (Some(digits), _) => number(digits, 16),
        (None, Some(digits)) if !digits.is_empty() => number(digits, 8),
        _ => number(part, 10),
    }
}

fn ipv4(name: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = labels(name)
        .into_iter()
        .map(ipv4_part)
        .collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    let room = 4_u32.checked_sub(u32::try_from(first.len()).ok()?)?;
    if room == 0 || first.iter().any(|part| *part > 255) || *last >= 256_u64.pow(room) {
        return None;
    }
    let start = first.iter().fold(0, |sum, part| sum * 256 + part) * 256_u64.pow(room);
    u32::try_from(start + last).ok().map(Ipv4Addr::from)
}

/// A number of digits alone.
fn number(digits: &str, radix: u32) -> Option<u64> {
    let plain = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    plain.then(|| u64::from_str_radix(digits, radix).ok())?
}

fn normal_path(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let segments: Vec<&str> = path.split(['/', '\\']).skip(1).collect();
    for (at, segment) in segments.iter().enumerate() {
        let dots = segment.to_ascii_lowercase().replace("%2e", ".");
        let is_last = at + 1 == segments.len();
        match dots.as_str() {
            "." | ".." => {
                if dots == ".." {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_javascript_takes_for_an_address() {
        for (text, host) in [
            ("http://h.example/mcp", "h.example"),
            (" HTTP:\\\\H.Example ", "h.example"),
            ("http:h", "h"),
            ("https:////u:p@h:8443/x", "h"),
            ("http://a@b@c/", "c"),
            ("http://127.1:80/", "127.0.0.1"),
            ("http://0x7f000001", "127.0.0.1"),
            ("http://[0:0::1]:1/", "[::1]"),
            ("http://%6c%6fcalhost/", "localhost"),
            ("ht\ntp://h/${X}", "h"),
            ("http://h:/", "h"),
            ("http://caf\u{e9}/", "caf\u{e9}"),
            ("http://$VAR/", "$var"),
        ] {
            assert_eq!(
                Address::parse(text).map(|address| address.host).as_deref(),
                Some(host),
                "{text}"
            );
        }
    }

    #[test]
    fn what_it_does_not_take() {
        for text in [
            "",
            "/mcp",
            "h.example/mcp",
            "http://",
            "http://:80/",
            "http://h:x/",
            "http://h:65536/",
            "http://a b/",
            "http://${HOST}:${PORT}/",
            "http://127.0.0.1:${PORT}/mcp",
            "http://[::1/",
            "http://1.2.3.4.5/",
            "http://1.2.3.256/",
            "http://a%zz/",
            "${BASE}/mcp",
            "1http://h/",
        ] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
    }

    #[test]
    fn paths_and_ports() {
        let address = Address::parse("http://localhost:80/a/%2e./callback").unwrap();
        assert_eq!((address.path.as_str(), address.port), ("/callback", None));
        assert!(!address.has_query_or_fragment && address.is_loopback());
        assert!(Address::parse("http://h/?x").unwrap().has_query_or_fragment);
        assert!(!Address::parse("http://h/?#").unwrap().has_query_or_fragment);
        assert!(!Address::parse("file:///x").unwrap().is_web());
    }
}
