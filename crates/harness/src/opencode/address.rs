//! Whether an address is one for `URL.canParse`, of which OpenCode makes the verdict.

/// Whether JavaScript takes `text` for an absolute address. Observed on 1.18.33 for the cases of the test; of hosts only what is plainly no
/// host is refused.
pub(super) fn parses(text: &str) -> bool {
    let text: String = text
        .trim_matches(|c: char| c <= ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !is_scheme {
        return false;
    }
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" | "ws" | "wss" | "ftp" => is_authority(special(rest), true),
        "file" => true,
        _ => match rest.strip_prefix("//") {
            Some(rest) => is_authority(rest, false),
            None => true,
        },
    }
}

/// What follows the slashes, of which there may be any number in an address of the web.
fn special(rest: &str) -> &str {
    rest.trim_start_matches(['/', '\\'])
}

fn is_authority(rest: &str, web: bool) -> bool {
    let ends = if web {
        &['/', '\\', '?', '#'][..]
    } else {
        &['/', '?', '#']
    };
    let authority = rest.split(ends).next().unwrap_or_default();
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    if let Some(inside) = host.strip_prefix('[') {
        let Some((address, port)) = inside.split_once(']') else {
            return false;
        };
        let is_address = address.parse::<std::net::Ipv6Addr>().is_ok();
        return is_address && port.strip_prefix(':').map_or(port.is_empty(), is_port);
    }
    let (host, port) = host.split_once(':').unwrap_or((host, ""));
    is_port(port) && (!web || !host.is_empty()) && is_host(host, web)
}

fn is_port(port: &str) -> bool {
    port.is_empty()
        || (port.bytes().all(|byte| byte.is_ascii_digit())
            && port.trim_start_matches('0').len() <= 5
            && port.parse::<u64>().is_ok_and(|port| port <= 65_535))
}

fn is_host(host: &str, web: bool) -> bool {
    let forbidden = |c: char| matches!(c, ' ' | '<' | '>' | '[' | ']' | '^' | '|' | '\\' | '\0');
    if host.contains(forbidden) {
        return false;
    }
    !web || (!host.contains(|c: char| c < ' ' || c == '\u{7f}')
        && is_decodable(host)
        && is_number_good(host))
}

/// Whether percent signs in a host of the web start escapes of characters that may stand there.
fn is_decodable(host: &str) -> bool {
    let mut parts = host.split('%');
    parts.next();
    parts.all(|part| {
        part.get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
            .is_some_and(|byte| byte > b' ' && !b"#%/:<>?@[\\]^|\x7f".contains(&byte))
    })
}

/// A host that ends in a number must be an address of four numbers or fewer, none too large.
fn is_number_good(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let parts: Vec<&str> = host.split('.').collect();
    let is_number = |part: &&str| {
        let hex = part.strip_prefix("0x").or_else(|| part.strip_prefix("0X"));
        (!part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
            || hex.is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    if !parts.last().is_some_and(is_number) {
        return true;
    }
    let value = |part: &&str| -> Option<u64> {
        let (digits, radix) = match part.strip_prefix("0x").or_else(|| part.strip_prefix("0X")) {
            Some("") => return Some(0),
            Some(hex) => (hex, 16),
            None if part.len() > 1 && part.starts_with('0') => (*part, 8),
            None => (*part, 10),
        };
        u64::from_str_radix(digits, radix).ok()
    };
    let numbers: Option<Vec<u64>> = parts.iter().map(value).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() <= 4) else {
        return false;
    };
    let (Some((last, first)), room) = (numbers.split_last(), 5 - numbers.len().min(4)) else {
        return false;
    };
    let most = 256_u64.pow(u32::try_from(room).unwrap_or(4));
    first.iter().all(|number| *number <= 255) && *last < most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As seen on 1.18.33 and in node.
    #[test]
    fn addresses_are_judged_as_javascript_does() {
        for good in [
            "mailto:x",
            "localhost:3000",
            "http:/127.0.0.1:9/",
            " http://127.0.0.1:9/ ",
            "file:///x",
            "http:127.0.0.1:9",
            "http://exa_mple.invalid/",
            "https://user:pw@h:443/x?y#z",
            "http://[::1]:80/",
            "http://h:/",
            "HTTP:\\\\h\\x",
            "x://",
            "http://1.2.3/",
        ] {
            assert!(parses(good), "{good}");
        }
        for bad in [
            "http://",
            "//x",
            "",
            "not a url",
            "http://a b/",
            "http://127.0.0.1:99999/",
            "http://[::1",
            "127.0.0.1:9/x",
            "http://%zz/",
            "http://h:x/",
            "http://256.1.1.1/",
            "http://1.2.3.4.5/",
            "http://a<b/",
            "1http://x",
        ] {
            assert!(!parses(bad), "{bad}");
        }
    }
}
