//! What holds of any bytes that a server may send over HTTP, or have us send. Driven by proptest here and by the fuzz targets.

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use muster_client::http::{Event, Events, Mirrors, encode};
use serde_json::{Map, Value};

/// The limit under which events are read.
pub(crate) const LIMIT: usize = 64;

type Said = (Vec<Event>, Option<String>, Option<Duration>);

/// Any split of the same bytes gives the same events, no event is longer than the limit, and where no limit is reached they are those of
/// the standard.
pub(crate) fn events(bytes: &[u8]) {
    let whole = said(bytes, [bytes.len()].into_iter());
    let each = said(bytes, 1..=bytes.len());
    if whole != each {
        panic!("{whole:?} is something else byte by byte: {each:?}");
    }
    // The bytes themselves say where else to cut.
    let mut at = 0;
    let cuts = bytes.iter().map(|byte| {
        at += usize::from(*byte % 7);
        at.min(bytes.len())
    });
    let cuts: Vec<usize> = cuts.chain([bytes.len()]).collect();
    let pieces = said(bytes, cuts.into_iter());
    if whole != pieces {
        panic!("{whole:?} is something else in pieces: {pieces:?}");
    }
    let mut short = true;
    for event in &whole.0 {
        match event {
            Event::Told { data, .. } if data.len() <= LIMIT => {}
            Event::TooLong(length) if *length > LIMIT as u64 => short = false,
            other => panic!("{other:?} is not within {LIMIT} bytes"),
        }
    }
    let standard = as_the_standard_says(bytes);
    if short && whole.0 != standard {
        panic!("{:?}, and not {standard:?}", whole.0);
    }
}

fn said(bytes: &[u8], cuts: impl Iterator<Item = usize>) -> Said {
    let (mut parser, mut events) = (Events::new(LIMIT), Vec::new());
    let mut from = 0;
    for cut in cuts {
        let piece = bytes.get(from..cut).unwrap_or_default();
        parser.take(piece, |event| events.push(event));
        from = cut;
    }
    events.extend(parser.end());
    let last_id = parser.last_id().map(str::to_owned);
    (events, last_id, parser.retry())
}

/// The living standard, read over the whole text at once; what stands at the end without a blank line is an event too.
fn as_the_standard_says(bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    let (mut name, mut data) = (Vec::new(), None::<Vec<u8>>);
    for line in lines(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)) {
        if line.is_empty() {
            tell(&mut events, &mut name, &mut data);
            continue;
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = match colon {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"event" => name = value.to_vec(),
            b"data" => match &mut data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => data = Some(value.to_vec()),
            },
            _ => {}
        }
    }
    tell(&mut events, &mut name, &mut data);
    events
}

fn tell(events: &mut Vec<Event>, name: &mut Vec<u8>, data: &mut Option<Vec<u8>>) {
    let name = std::mem::take(name);
    let Some(data) = data.take() else { return };
    let name = match name.is_empty() {
        true => "message".to_owned(),
        false => String::from_utf8_lossy(&name).into_owned(),
    };
    events.push(Event::Told { name, data });
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let (mut lines, mut rest) = (Vec::new(), bytes);
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        lines.push(&rest[..at]);
        let end = if rest[at..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        rest = &rest[at + end..];
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

/// Any text can be said in a header field, is visible ASCII there, and can be read back.
pub(crate) fn values(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let encoded = encode(&text);
    check_sendable(&encoded);
    let payload = encoded
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    let read = match payload {
        Some(payload) => String::from_utf8(BASE64_STANDARD.decode(payload).unwrap()).unwrap(),
        None => encoded,
    };
    if read != text {
        panic!("{read:?}, and not {text:?}");
    }
}

fn check_sendable(value: &str) {
    let visible = |byte: u8| matches!(byte, b' '..=b'~' | b'\t');
    if !value.bytes().all(visible) || value.trim() != value {
        panic!("{value:?} is not to be sent");
    }
}

/// Any JSON is a schema whose marks are valid or refused, and whatever it mirrors can be sent. The bytes are a schema and arguments.
pub(crate) fn mirrors(bytes: &[u8]) {
    let mut texts = bytes.split(|byte| *byte == 0);
    let mut json = || serde_json::from_slice::<Value>(texts.next()?).ok();
    let (Some(schema), arguments) = (json(), json()) else {
        return;
    };
    let Ok(mirrors) = Mirrors::of(&schema) else {
        return;
    };
    let arguments = arguments.and_then(|arguments| arguments.as_object().cloned());
    let Ok(fields) = mirrors.fields(&arguments.unwrap_or_else(Map::new)) else {
        return;
    };
    for (name, value) in fields {
        let token = |byte: u8| byte.is_ascii_graphic() && !b"\"(),/:;<=>?@[\\]{}".contains(&byte);
        if !name.starts_with("Mcp-Param-") || !name.bytes().all(token) {
            panic!("{name:?} is no name of a header field");
        }
        check_sendable(&value);
    }
}
