//! Text freed of its quoting, with the way back.

use super::markdown::PIPE;
use crate::Span;

/// Bytes that were made from other text by undoing an escaping; each remembers the source bytes it came from.
#[derive(Clone, Default)]
pub(super) struct Decoded {
    bytes: Vec<u8>,
    from: Vec<Span>,
}

impl Decoded {
    /// `text` as it is; it starts at byte `at` of the source.
    pub(super) fn plain(text: &str, at: usize) -> Self {
        let mut decoded = Decoded::default();
        decoded.push_str(text, at);
        decoded
    }

    /// A string literal of JSON or TOML that stands at `span` of `source` and means `value`, quotes taken off and escapes undone.
    pub(super) fn literal(source: &str, span: Span, value: &str) -> Self {
        let (text, at) = unquoted(span.of(source), span.start);
        let plain = Decoded::plain(text, at);
        if text == value {
            plain
        } else {
            plain.backslashes()
        }
    }

    pub(super) fn push(&mut self, c: char, from: Span) {
        let mut buffer = [0; 4];
        for byte in c.encode_utf8(&mut buffer).bytes() {
            self.push_byte(byte, from);
        }
    }

    pub(super) fn push_str(&mut self, text: &str, at: usize) {
        self.bytes.extend(text.bytes());
        self.from
            .extend((at..at + text.len()).map(|byte| Span::new(byte, byte + 1)));
    }

    pub(super) fn append(&mut self, other: Decoded) {
        self.bytes.extend(other.bytes);
        self.from.extend(other.from);
    }

    fn push_byte(&mut self, byte: u8, from: Span) {
        self.bytes.push(byte);
        self.from.push(from);
    }

    /// The decoded bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The decoded text; empty if it is not UTF-8, which only undoing percent signs can cause.
    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }

    /// Where in the source the decoded bytes `span` come from.
    pub(super) fn source(&self, span: Span) -> Span {
        let start = self.from.get(span.start).map(|from| from.start);
        let end = self
            .from
            .get(span.start.max(span.end.saturating_sub(1)))
            .map(|from| from.end);
        match (start, end) {
            (Some(start), Some(end)) => Span::new(start, end),
            // Past the end: nothing there can be hidden.
            _ => Span::default(),
        }
    }

    /// Undoes backslash escapes: those of JSON, TOML, Rust, Python and, for everything else, a shell's.
    pub(super) fn backslashes(&self) -> Decoded {
        self.undo(b'\\', escape)
    }

    /// Undoes percent-encoding; with `plus` also `+` for a blank, as forms have it.
    pub(super) fn percents(&self, plus: bool) -> Decoded {
        let mut out = self.undo(b'%', |rest| {
            let byte = u8::try_from(hex(rest.get(1..3)?)?).ok()?;
            Some((Meaning::Byte(byte), 3))
        });
        if plus {
            // Only a `+` of the source is a blank; one that was `%2B` is not.
            for (byte, from) in out.bytes.iter_mut().zip(&out.from) {
                if *byte == b'+' && from.end - from.start == 1 {
                    *byte = b' ';
                }
            }
        }
        out
    }

    /// Undoes `'\''` and `'"'"'`: a single quote inside a single-quoted shell word.
    pub(super) fn shell_quotes(&self) -> Decoded {
        self.undo(b'\'', |rest| {
            let quote = [&b"'\\''"[..], b"'\"'\"'"]
                .into_iter()
                .find(|quote| rest.starts_with(quote))?;
            Some((Meaning::Byte(b'\''), quote.len()))
        })
    }

    /// Undoes character references of HTML.
    pub(super) fn entities(&self) -> Decoded {
        self.undo(b'&', entity)
    }

    /// Undoes the joints that [`code`](super::markdown::code) makes at pipes; with `padded` those where it put blanks inside its fences.
    pub(super) fn code_joints(&self, padded: bool) -> Decoded {
        let mut out = Decoded::default();
        let mut at = 0;
        while let Some(byte) = self.bytes.get(at) {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let length = if rest.starts_with(PIPE.as_bytes()) {
                let before = fence(out.bytes.iter().rev(), padded);
                out.bytes.truncate(out.bytes.len() - before);
                out.from.truncate(out.from.len() - before);
                PIPE.len() + fence(rest.iter().skip(PIPE.len()), padded)
            } else {
                1
            };
            let meant = if length > 1 { b'|' } else { *byte };
            out.push_byte(meant, self.source(Span::new(at, at + length)));
            at += length;
        }
        out
    }

    /// Where there may be base64.
    pub(super) fn base64_runs(&self) -> impl Iterator<Item = Span> {
        base64_runs(&self.bytes)
    }

    /// Undoes base64 in `run`, read from its character `offset` on.
    pub(super) fn base64(&self, run: Span, offset: usize) -> Decoded {
        let mut out = Decoded::default();
        let start = run.start + offset;
        let characters = self.bytes.get(start..run.end).unwrap_or_default();
        if characters.len() >= SHORTEST_BASE64 {
            for (group, quad) in characters.chunks(4).enumerate() {
                out.push_quad(quad, start + group * 4, self);
            }
        }
        out
    }

    /// The bytes of up to four base64 characters, the first of which is byte `at` of `input`.
    fn push_quad(&mut self, quad: &[u8], at: usize, input: &Decoded) {
        for (n, byte) in decode_quad(quad).enumerate() {
            self.push_byte(byte, input.source(Span::new(at + n, at + n + 2)));
        }
    }

    /// Replaces what starts with `lead` and `meaning` understands, which gives what it means and how long it is.
    fn undo(&self, lead: u8, meaning: impl Fn(&[u8]) -> Option<(Meaning, usize)>) -> Decoded {
        let mut out = Decoded {
            bytes: Vec::with_capacity(self.bytes.len()),
            from: Vec::with_capacity(self.bytes.len()),
        };
        let mut at = 0;
        while let Some(byte) = self.bytes.get(at) {
            let found = if *byte == lead {
                self.bytes.get(at..).and_then(&meaning)
            } else {
                None
            };
            let (meaning, length) = found.unwrap_or((Meaning::Byte(*byte), 1));
            let from = self.source(Span::new(at, at + length));
            match meaning {
                Meaning::Byte(byte) => out.push_byte(byte, from),
                Meaning::Char(c) => out.push(c, from),
                Meaning::Nothing => {}
            }
            at += length;
        }
        out
    }
}

/// Where in `bytes` there may be base64 of either alphabet: runs of its characters.
pub(super) fn base64_runs(bytes: &[u8]) -> impl Iterator<Item = Span> {
    let mut at = 0;
    let runs = bytes.split(|byte| sextet(*byte).is_none());
    runs.filter_map(move |run| {
        let span = Span::new(at, at + run.len());
        at = span.end + 1;
        (run.len() >= SHORTEST_BASE64).then_some(span)
    })
}

/// What `characters` of base64 stand for, written over `out`.
pub(super) fn decode_base64(characters: &[u8], out: &mut Vec<u8>) {
    out.clear();
    for quad in characters.chunks(4) {
        out.extend(decode_quad(quad));
    }
}

/// The bytes of up to four base64 characters.
fn decode_quad(quad: &[u8]) -> impl Iterator<Item = u8> {
    let bits = (0..4).fold(0, |bits, at| {
        let sextet = quad.get(at).and_then(|byte| sextet(*byte));
        (bits << 6) | sextet.unwrap_or(0)
    });
    let bytes = u32::to_be_bytes(bits).into_iter().skip(1);
    bytes.take(quad.len() * 6 / 8)
}

/// Shorter runs hold no secret worth looking for.
const SHORTEST_BASE64: usize = 11;

fn sextet(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// How many of `bytes` are a code span's fence, with the blank behind it if there is one.
fn fence<'b>(mut bytes: impl Iterator<Item = &'b u8> + Clone, padded: bool) -> usize {
    let ticks = bytes.clone().take_while(|byte| **byte == b'`').count();
    let blank = padded && ticks > 0 && bytes.nth(ticks) == Some(&b' ');
    ticks + usize::from(blank)
}

/// What an escape stands for.
enum Meaning {
    Byte(u8),
    Char(char),
    Nothing,
}

/// The text between the quotes of a literal that starts at byte `at`, and where it starts.
fn unquoted(literal: &str, at: usize) -> (&str, usize) {
    for quote in ["\"\"\"", "'''", "\"", "'"] {
        let Some(inner) = literal
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
        else {
            continue;
        };
        let skipped = if quote.len() == 3 {
            inner.len() - inner.trim_start_matches(['\r', '\n']).len()
        } else {
            0
        };
        let skipped = skipped.min(if inner.starts_with("\r\n") { 2 } else { 1 });
        return (
            inner.get(skipped..).unwrap_or_default(),
            at + quote.len() + skipped,
        );
    }
    (literal, at)
}

fn escape(rest: &[u8]) -> Option<(Meaning, usize)> {
    let next = *rest.get(1)?;
    let coded = match next {
        b'x' => rest.get(2..4).and_then(|digits| code_point(digits, 4)),
        b'U' => rest.get(2..10).and_then(|digits| code_point(digits, 10)),
        b'u' => unicode_escape(rest),
        b'\n' | b'\r' => {
            let blank = rest
                .iter()
                .skip(1)
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            Some((Meaning::Nothing, 1 + blank))
        }
        // Of a character of several bytes only the backslash goes.
        _ if !next.is_ascii() => Some((Meaning::Nothing, 1)),
        _ => None,
    };
    // Whatever else is escaped means itself.
    let single = match next {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 8,
        b'f' => 12,
        other => other,
    };
    Some(coded.unwrap_or((Meaning::Byte(single), 2)))
}

/// `\u{…}`, `\uXXXX` and pairs of the latter; a lone surrogate is U+FFFD.
fn unicode_escape(rest: &[u8]) -> Option<(Meaning, usize)> {
    if rest.get(2) == Some(&b'{') {
        let digits = rest
            .iter()
            .skip(3)
            .take(6)
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count();
        let closed = rest.get(3 + digits) == Some(&b'}');
        return if closed {
            code_point(rest.get(3..3 + digits)?, digits + 4)
        } else {
            None
        };
    }
    let high = hex(rest.get(2..6)?)?;
    let low = || {
        rest.get(6..8)
            .filter(|lead| *lead == b"\\u")
            .and_then(|_| hex(rest.get(8..12)?))
    };
    if (0xD800..0xDC00).contains(&high)
        && let Some(low) = low().filter(|low| (0xDC00..0xE000).contains(low))
    {
        let c = char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))?;
        return Some((Meaning::Char(c), 12));
    }
    Some((Meaning::Char(char::from_u32(high).unwrap_or('\u{FFFD}')), 6))
}

fn entity(rest: &[u8]) -> Option<(Meaning, usize)> {
    let length = rest.iter().take(10).position(|byte| *byte == b';')? + 1;
    let name = std::str::from_utf8(rest.get(1..length - 1)?).ok()?;
    let code = match name {
        "amp" => u32::from('&'),
        "lt" => u32::from('<'),
        "gt" => u32::from('>'),
        "quot" => u32::from('"'),
        "apos" => u32::from('\''),
        // `Shown::markdown` puts it behind `@` and `#`; it never belongs to the text.
        "#8203" => return Some((Meaning::Nothing, length)),
        _ => {
            let number = name.strip_prefix('#')?;
            match number.strip_prefix(['x', 'X']) {
                Some(digits) => hex(digits.as_bytes())?,
                None => number.parse().ok()?,
            }
        }
    };
    Some((Meaning::Char(char::from_u32(code)?), length))
}

fn code_point(digits: &[u8], length: usize) -> Option<(Meaning, usize)> {
    Some((Meaning::Char(char::from_u32(hex(digits)?)?), length))
}

fn hex(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 8 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone_and_the_way_back_is_known() {
        let source = r#"x = "a\u0041\"é\ud83d\ude00\/""#;
        let decoded = Decoded::literal(source, Span::new(4, source.len()), "?");
        assert_eq!(decoded.text(), "aA\"é😀/");
        assert_eq!(decoded.source(Span::new(1, 2)).of(source), r"\u0041");
        assert_eq!(decoded.source(Span::new(1, 5)).of(source), r#"\u0041\"é"#);
    }

    #[test]
    fn each_escaping_has_its_decoder() {
        let plain = |text| Decoded::plain(text, 0);
        assert_eq!(plain(r"a\$b\x41\u{7a}\").backslashes().text(), "a$bAz\\");
        assert_eq!(plain("a%2Fb%zz+%2B").percents(true).text(), "a/b%zz +");
        assert_eq!(plain(r#"it'\''s'"'"'"#).shell_quotes().text(), "it's'");
        assert_eq!(
            plain("a&lt;&#64;&#8203;b&#x41;&nope;").entities().text(),
            "a<@bA&nope;"
        );
        assert_eq!(plain("`a`&#124;`b`").code_joints(false).text(), "`a|b`");
        // base64 of "hunter2!!", by itself and behind one character.
        let base64 = |text, run, offset| {
            let text = plain(text);
            assert_eq!(text.base64_runs().collect::<Vec<_>>(), [run]);
            text.base64(run, offset).bytes().to_vec()
        };
        assert_eq!(base64("x: aHVudGVyMiEh", Span::new(3, 15), 0), b"hunter2!!");
        assert_eq!(base64("QaHVudGVyMiEh=", Span::new(0, 13), 1), b"hunter2!!");
    }

    #[test]
    fn the_first_line_end_of_a_multi_line_string_does_not_count() {
        let source = "'''\r\nab\n'''";
        assert_eq!(
            Decoded::literal(source, Span::new(0, source.len()), "ab\n").text(),
            "ab\n"
        );
    }
}
