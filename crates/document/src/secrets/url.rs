//! Addresses: what of them may be read.
//!
//! Scheme, host, port and the plain words of the path stay. The reading is as tolerant as the programs that will open the address:
//! backslashes count as slashes, tabs and line ends are passed over, one slash or none after `https:` is enough. Where a password may
//! hold an unescaped `/`, `?`, `#` or `@`, everything up to the last `@` is taken for it.

use super::cover::Cover;
use super::decoded::Decoded;
use super::{detect, references};
use crate::Span;

/// Path segments that are no secret, besides `v1` and dates.
const PLAIN: &[&str] = &[
    "api", "mcp", "sse", "http", "rest", "graphql", "stream", "events", "messages", "server",
    "servers", "tools", "public", "latest",
];

/// A cover for `text`, which is meant as an address. What cannot be one is hidden except for plain words.
pub(super) fn judge(text: &str) -> Cover {
    if text.len() > super::word::LONGEST {
        return Cover::all(text);
    }
    let clean = without_line_ends(text);
    let address = Address::new(clean.text());
    match address.scheme().or_else(|| address.without_scheme()) {
        Some(authority) => address.cover(authority).through(&clean),
        None => loose_words(text),
    }
}

/// A cover for `text` if it begins as an address with a scheme does.
pub(super) fn judge_with_scheme(text: &str) -> Option<Cover> {
    let clean = without_line_ends(text);
    let address = Address::new(clean.text());
    Some(address.cover(address.scheme()?).through(&clean))
}

/// Whether a path segment, a query's name or the like may be read.
fn is_plain_segment(segment: &str) -> bool {
    let lower = segment.to_ascii_lowercase();
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let version = lower
        .strip_prefix('v')
        .is_some_and(|number| digits(number, 4));
    PLAIN.contains(&lower.as_str()) || version || is_date(&lower) || matches!(segment, "." | "..")
}

/// `2025-06-18`.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut part = |length: usize, lead: &[u8]| {
        parts.next().is_some_and(|part| {
            part.len() == length
                && part.bytes().all(|byte| byte.is_ascii_digit())
                && part
                    .bytes()
                    .next()
                    .is_some_and(|first| lead.contains(&first))
        })
    };
    part(4, b"12") && part(2, b"01") && part(2, b"0123") && parts.next().is_none()
}

/// An address under judgement.
struct Address<'t> {
    text: &'t str,
    /// Variable references. Delimiters inside them do not count.
    references: Vec<references::Reference>,
}

impl<'t> Address<'t> {
    fn new(text: &'t str) -> Self {
        Address {
            text,
            references: references::find(text),
        }
    }

    /// The end of the scheme and its slashes, if there is one.
    fn scheme(&self) -> Option<usize> {
        let text = self.text;
        let reference = self
            .references
            .first()
            .filter(|reference| reference.span.start == 0)
            .map_or(0, |reference| reference.span.end);
        let after = text.get(reference..)?;
        if reference > 0 && after.starts_with("://") {
            return Some(reference + 3);
        }
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | ':');
        if let Some(at) = text.find("://").filter(|at| *at > 0)
            && text.get(..at)?.chars().all(is_scheme)
        {
            return Some(at + 3);
        }
        let colon = text.find(':')?;
        let web = ["http", "https", "ws", "wss", "sse"].iter().any(|scheme| {
            text.get(..colon)
                .is_some_and(|it| it.eq_ignore_ascii_case(scheme))
        });
        let rest = text.get(colon + 1..)?;
        let slashes = rest.len() - rest.trim_start_matches(['/', '\\']).len();
        (web && (slashes > 0 || rest.contains(['.', '@']))).then_some(colon + 1 + slashes)
    }

    /// Where the authority of an address without a scheme begins: `//host`, `host.example/x`, `localhost:3000`, `${BASE}/x`, `user:pw@host`.
    /// A relative path has an empty one.
    fn without_scheme(&self) -> Option<usize> {
        let text = self.text;
        if text.starts_with("//") || text.starts_with("\\\\") {
            return Some(2);
        }
        let starts_with_reference = self
            .references
            .first()
            .is_some_and(|reference| reference.span.start == 0);
        if text.starts_with(['/', '?', '#', '[']) || starts_with_reference {
            return Some(0);
        }
        let authority = Span::new(0, self.find(&['/', '\\', '?', '#'], 0)).of(text);
        let blank = text.contains(char::is_whitespace);
        (!blank && (authority.contains('@') || is_host(authority))).then_some(0)
    }

    /// The cover of the whole, whose authority begins at byte `start`.
    fn cover(&self, start: usize) -> Cover {
        let mut cover = Cover::none();
        let scheme = self
            .text
            .get(..start)
            .unwrap_or_default()
            .trim_end_matches([':', '/', '\\']);
        if detect::is_known_key(scheme) || detect::is_suspicious(scheme) {
            cover.hide(Span::new(0, scheme.len()));
        }
        let local = ["file", "unix"]
            .iter()
            .any(|it| scheme.eq_ignore_ascii_case(it));
        let host = self.user_end(start);
        if host > start {
            self.hide_user(Span::new(start, host - 1), &mut cover);
        }
        let path = self.find(&['/', '\\', '?', '#'], host);
        self.hide_host(Span::new(host, path), &mut cover);
        let query = self.find(&['?', '#'], path);
        if local {
            self.hide_keys(Span::new(path, query), &mut cover);
        } else {
            self.hide_path(Span::new(path, query), &mut cover);
        }
        self.hide_rest(query, &mut cover);
        cover
    }

    /// Where the host begins: behind the `@` that ends user and password, or at `start`.
    fn user_end(&self, start: usize) -> usize {
        let end = self.find(&['/', '\\', '?', '#'], start);
        let host = self
            .rfind('@', Span::new(start, end))
            .map_or(start, |at| at + 1);
        let rest = Span::new(end, self.text.len());
        let Some(later) = self.rfind('@', rest) else {
            return host;
        };
        let authority = Span::new(host, end).of(self.text);
        let (name, port) = split_port(authority);
        let bad_port = port.is_some_and(|port| {
            !port.is_empty()
                && !port.bytes().all(|byte| byte.is_ascii_digit())
                && !port.contains('{')
        });
        let odd_host = !name.contains(['.', '[', '{']) && !name.eq_ignore_ascii_case("localhost");
        let behind_slash = self
            .text
            .get(..later)
            .is_some_and(|before| before.ends_with(['/', '\\']));
        // A password may hold `@` and `/`: then the real host stands behind the last `@`, and a part of the password looks like one.
        let has_user = host > start;
        if bad_port || ((odd_host || has_user) && !behind_slash) {
            later + 1
        } else {
            host
        }
    }

    fn hide_user(&self, user: Span, cover: &mut Cover) {
        let colon = Span::new(user.start, self.find(&[':'], user.start).min(user.end));
        self.hide_part(colon, cover);
        self.hide_part(Span::new((colon.end + 1).min(user.end), user.end), cover);
    }

    /// Hides labels that look like keys, a port that is none, and what no host may hold.
    fn hide_host(&self, authority: Span, cover: &mut Cover) {
        let (name, port) = split_port(authority.of(self.text));
        let name = Span::new(authority.start, authority.start + name.len());
        for literal in self.literals(name) {
            let text = literal.of(self.text);
            if !text.chars().all(|c| {
                c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']' | '%')
            }) {
                cover.hide(literal);
                continue;
            }
            let mut at = literal.start;
            for label in text.split('.') {
                if detect::find_known_key(label).is_some() || detect::is_suspicious(label) {
                    cover.hide(Span::new(at, at + label.len()));
                }
                at += label.len() + 1;
            }
        }
        if port
            .is_some_and(|port| port.len() > 5 || !port.bytes().all(|byte| byte.is_ascii_digit()))
        {
            self.hide_part(Span::new(name.end + 1, authority.end), cover);
        }
    }

    fn hide_path(&self, path: Span, cover: &mut Cover) {
        let mut at = path.start;
        while at < path.end {
            let end = self.find(&['/', '\\'], at).min(path.end);
            let segment = Span::new(at, end);
            if !is_plain_segment(segment.of(self.text)) {
                self.hide_part(segment, cover);
            }
            at = end + 1;
        }
    }

    /// The path of a file: only what surely is a key is hidden.
    fn hide_keys(&self, path: Span, cover: &mut Cover) {
        if let Some(at) = detect::find_known_key(path.of(self.text)) {
            cover.hide(Span::new(path.start + at, path.end));
        }
    }

    /// Query and fragment.
    fn hide_rest(&self, from: usize, cover: &mut Cover) {
        let fragment = self.find(&['#'], from);
        let query = from + usize::from(from < fragment);
        self.hide_part(Span::new(query, fragment), cover);
        self.hide_part(
            Span::new((fragment + 1).min(self.text.len()), self.text.len()),
            cover,
        );
    }

    /// Hides all of `part` but its references.
    fn hide_part(&self, part: Span, cover: &mut Cover) {
        if references::is_bare(part.of(self.text)) {
            return;
        }
        for literal in self.literals(part) {
            let between = references::find(part.of(self.text)).is_empty();
            // What joins two references (`${A}-${B}`) is not worth hiding.
            if between || literal.of(self.text).chars().any(char::is_alphanumeric) {
                cover.hide(literal);
            }
        }
    }

    fn literals(&self, part: Span) -> Vec<Span> {
        let moved = |span: Span| Span::new(span.start + part.start, span.end + part.start);
        references::literals(part.of(self.text))
            .into_iter()
            .map(moved)
            .collect()
    }

    /// The first of `delimiters` from byte `from` on that is not inside a reference; the end if there is none.
    fn find(&self, delimiters: &[char], from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let mut found = rest.match_indices(delimiters).map(|(at, _)| from + at);
        found
            .find(|at| !self.in_reference(*at))
            .unwrap_or(self.text.len())
    }

    fn rfind(&self, delimiter: char, within: Span) -> Option<usize> {
        let mut found = within
            .of(self.text)
            .rmatch_indices(delimiter)
            .map(|(at, _)| within.start + at);
        found.find(|at| !self.in_reference(*at))
    }

    fn in_reference(&self, at: usize) -> bool {
        let next = self
            .references
            .partition_point(|reference| reference.span.end <= at);
        self.references
            .get(next)
            .is_some_and(|reference| reference.span.start <= at)
    }
}

/// Host and port of `host:port`, `[::1]:port`.
fn split_port(authority: &str) -> (&str, Option<&str>) {
    // Only what was opened is closed: a password may hold the other half alone.
    let closed = |open: char, close: char| {
        let opened = authority.find(open)?;
        authority.rfind(close).filter(|at| *at > opened)
    };
    let bracket = closed('[', ']').filter(|_| authority.starts_with('['));
    let bracket = bracket.unwrap_or(0);
    // A reference may hold colons of its own; its closing brace comes after them.
    let from = bracket.max(closed('{', '}').unwrap_or(0));
    match authority.get(from..).and_then(|rest| rest.find(':')) {
        Some(at) => (
            authority.get(..from + at).unwrap_or_default(),
            authority.get(from + at + 1..),
        ),
        None => match authority.split_once(':') {
            // `host:${PORT}`
            Some((host, port)) if bracket == 0 && port.contains('{') && !host.contains('{') => {
                (host, Some(port))
            }
            _ => (authority, None),
        },
    }
}

/// Whether `authority`, which no scheme announces, is a host: a known name, a port, or a domain that ends in letters.
fn is_host(authority: &str) -> bool {
    let (name, port) = split_port(authority);
    let domain = name.rsplit_once('.').is_some_and(|(before, last)| {
        !before.is_empty()
            && ((last.len() >= 2 && last.chars().all(char::is_alphabetic))
                || name.parse::<std::net::Ipv4Addr>().is_ok())
    });
    let numbered =
        port.is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    name.eq_ignore_ascii_case("localhost")
        || domain
        || (numbered && name.chars().all(|c| c.is_ascii_alphabetic() || c == '-'))
}

/// What is no address at all: plain small words can be read.
fn loose_words(text: &str) -> Cover {
    let mut cover = Cover::none();
    let mut at = 0;
    for word in text.split(char::is_whitespace) {
        let plain = word.len() <= 12 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if !plain && !references::is_placeholder(word) {
            cover.hide(Span::new(at, at + word.len()));
        }
        at += word.len()
            + text
                .get(at + word.len()..)
                .and_then(|rest| rest.chars().next())
                .map_or(0, char::len_utf8);
    }
    cover
}

/// `text` as clients read it: without tabs, line ends and surrounding blanks.
fn without_line_ends(text: &str) -> Decoded {
    let edge = |c: char| c <= ' ';
    let start = text.len() - text.trim_start_matches(edge).len();
    let trimmed = text.trim_matches(edge);
    if !trimmed.contains(['\t', '\n', '\r']) {
        return Decoded::plain(trimmed, start);
    }
    let mut clean = Decoded::default();
    for (at, c) in trimmed
        .char_indices()
        .filter(|(_, c)| !matches!(c, '\t' | '\n' | '\r'))
    {
        clean.push(c, Span::new(start + at, start + at + c.len_utf8()));
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_of_an_address_can_be_read() {
        let cases = [
            ("https://api.example.com/mcp", "https://api.example.com/mcp"),
            (
                "https://api.example.com/v1/abc/mcp/2025-06-18",
                "https://api.example.com/v1/•••/mcp/2025-06-18",
            ),
            (
                "https://u:p@h.example:8443/x?k=v#f",
                "https://•••:•••@h.example:8443/•••?•••#•••",
            ),
            ("https://tok@h.example", "https://•••@h.example"),
            ("HTTPS://H.EXAMPLE/MCP/", "HTTPS://H.EXAMPLE/MCP/"),
            ("http://[::1]:3000/sse", "http://[::1]:3000/sse"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("https://h.example/a/b//c", "https://h.example/•••/•••//•••"),
            ("https://h.example?x", "https://h.example?•••"),
            ("https://h.example#x", "https://h.example#•••"),
            ("https://h.example/?", "https://h.example/?"),
            ("https://h.example/../mcp", "https://h.example/../mcp"),
            (
                "postgres://me:pw@db.local:5432/shop?ssl=1",
                "postgres://•••:•••@db.local:5432/•••?•••",
            ),
            ("wss://h.example/%zz%", "wss://h.example/•••"),
            ("file:///home/me/x.json", "file:///home/me/x.json"),
            (
                "git+https://github.com/acme/db@v1",
                "git+https://github.com/•••/•••",
            ),
        ];
        for (url, expected) in cases {
            assert_eq!(judge(url).redact(url), expected, "{url}");
        }
    }

    #[test]
    fn references_stay_in_every_part() {
        let cases = [
            ("https://${HOST}/mcp", "https://${HOST}/mcp"),
            ("${BASE_URL}/mcp/x", "${BASE_URL}/mcp/•••"),
            ("${SCHEME}://h.example/x", "${SCHEME}://h.example/•••"),
            (
                "https://${U}:${P}@h.example:${PORT}/${SEG}?k=${K}#${F}",
                "https://${U}:${P}@h.example:${PORT}/${SEG}?•••${K}#${F}",
            ),
            (
                "http://h.example/{env:SEG}/$SRC",
                "http://h.example/{env:SEG}/$SRC",
            ),
            ("http://h.example/a${X}b", "http://h.example/•••${X}•••"),
            ("${MCP_URL:-https://h.example/mcp}", "${MCP_URL:-•••}"),
            ("http://h.example/$aBc9", "http://h.example/•••"),
        ];
        for (url, expected) in cases {
            assert_eq!(judge(url).redact(url), expected, "{url}");
        }
    }

    #[test]
    fn odd_addresses_hide_more() {
        let cases = [
            (
                "https://u:p/w@h.example/mcp",
                "https://•••:•••@h.example/mcp",
            ),
            (
                "https://u:p#w?x@h.example/mcp",
                "https://•••:•••@h.example/mcp",
            ),
            (
                "https://u:p@a@h.example/mcp",
                "https://•••:•••@h.example/mcp",
            ),
            ("https://us:1/x@h.example", "https://•••:•••@h.example"),
            (
                "https://u:p]/$A0A/@h.example/mcp",
                "https://•••:•••@h.example/mcp",
            ),
            (
                "https://u:p}/$A0A/@h.example/mcp",
                "https://•••:•••@h.example/mcp",
            ),
            (
                "https:\\\\u:p@h.example\\x",
                "https:\\\\•••:•••@h.example\\•••",
            ),
            ("https:/u:p@h.example/x", "https:/•••:•••@h.example/•••"),
            (
                "ht\ttps://u:p@h.exa\nmple/x",
                "ht\ttps://•••:•••@h.exa\nmple/•••",
            ),
            ("//u:p@h.example/x", "//•••:•••@h.example/•••"),
            ("u:p@h.example/x", "•••:•••@h.example/•••"),
            ("h.example/x", "h.example/•••"),
            ("localhost:80/x", "localhost:80/•••"),
            ("/a/mcp", "/•••/mcp"),
            ("https://sk-abc.h.example/", "https://•••.h.example/"),
            (
                "https://0123456789abcdef0123.h.example/",
                "https://•••.h.example/",
            ),
            (
                "https://my-long-service-name-v2.h.example/",
                "https://my-long-service-name-v2.h.example/",
            ),
            ("https://h.example:x9/", "https://h.example:•••/"),
            ("https://h\"x.example/", "https://•••/"),
            ("not a url", "not a url"),
            ("hunter2", "•••"),
            ("Zx9 word", "••• word"),
            ("", ""),
            ("https://", "https://"),
        ];
        for (url, expected) in cases {
            assert_eq!(judge(url).redact(url), expected, "{url}");
        }
    }
}
