//! `text/event-stream`: events out of chunks of bytes, of which none is kept that is too long.
//!
//! As the living standard of HTML says (server-sent events, "interpreting an event stream"), but for one leniency: what stands before
//! the end of the stream without a blank line is an event too ([`Events::end`]), since there are servers that end so.

use std::time::Duration;

/// Bytes of an id that is worth remembering: it goes back in a header field.
const ID: usize = 1024;

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// One that says something: its type, `message` where it names none, and its data, which may be empty.
    Told {
        /// The type.
        name: String,
        /// The data, its lines joined by line feeds.
        data: Vec<u8>,
    },
    /// One that was longer than the limit, and dropped; the bytes of its data.
    TooLong(u64),
}

/// Cuts chunks into events.
#[derive(Debug)]
pub struct Events {
    limit: usize,
    line: Vec<u8>,
    /// Whether the line is a comment, of which nothing is kept.
    comment: bool,
    /// Whether the last byte was a carriage return, whose line feed belongs to it.
    returned: bool,
    /// Whether nothing was read yet, so that a byte order mark may come.
    begun: bool,
    name: Vec<u8>,
    data: Option<Vec<u8>>,
    /// Bytes of the event so far, once it is too long.
    dropped: Option<u64>,
    /// The id of the event so far, which counts once the event is complete.
    id: Option<String>,
    last_id: Option<String>,
    retry: Option<Duration>,
}

impl Events {
    /// Events whose data, and whose lines, have at most `limit` bytes.
    pub fn new(limit: usize) -> Events {
        Events {
            limit,
            line: Vec::new(),
            comment: false,
            returned: false,
            begun: false,
            name: Vec::new(),
            data: None,
            dropped: None,
            id: None,
            last_id: None,
            retry: None,
        }
    }

    /// The id of the last complete event that had one, or an earlier one: where to go on after a break.
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref().filter(|id| !id.is_empty())
    }

    /// How long to wait before going on, where the stream said so.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Begins another stream that goes on with this one.
    pub fn begin_again(&mut self) {
        let (last_id, retry) = (self.last_id.take(), self.retry);
        *self = Events::new(self.limit);
        self.id = last_id.clone();
        self.last_id = last_id;
        self.retry = retry;
    }

    /// Reads `chunk`, and hands over the events that it completes.
    pub fn take(&mut self, chunk: &[u8], mut hand_over: impl FnMut(Event)) {
        let mut rest = chunk;
        while !rest.is_empty() {
            if std::mem::take(&mut self.returned) && rest.first() == Some(&b'\n') {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.add(rest);
                return;
            };
            let (line, after) = rest.split_at(at);
            self.add(line);
            self.returned = after.first() == Some(&b'\r');
            rest = after.get(1..).unwrap_or_default();
            if let Some(event) = self.end_line() {
                hand_over(event);
            }
        }
    }

    /// The event that the end of the stream ends; none where nothing was left.
    pub fn end(&mut self) -> Option<Event> {
        if !self.line.is_empty() || self.comment {
            self.end_line();
        }
        self.end_event()
    }

    /// Adds bytes to the line, as long as it is one that matters.
    fn add(&mut self, bytes: &[u8]) {
        if self.line.is_empty() && !self.comment {
            self.comment = bytes.first() == Some(&b':');
        }
        if self.comment || bytes.is_empty() {
            return;
        }
        if let Some(dropped) = &mut self.dropped {
            // Of an event that is too long only its end matters, which is an empty line.
            *dropped = dropped.saturating_add(bytes.len() as u64);
            if self.line.is_empty() {
                self.line.push(b'x');
            }
            return;
        }
        let data = self.data.as_ref().map_or(0, Vec::len);
        // A line of data is as long as its field name more than the data.
        if self.line.len() + bytes.len() + data > self.limit.saturating_add(8) {
            self.dropped = Some((self.line.len() + bytes.len() + data) as u64);
            self.data = None;
            self.line = vec![b'x'];
            return;
        }
        self.line.extend_from_slice(bytes);
    }

    fn end_line(&mut self) -> Option<Event> {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.begun, true) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        if std::mem::take(&mut self.comment) {
            return None;
        }
        if line.is_empty() {
            return self.end_event();
        }
        if self.dropped.is_none() {
            self.field(&line);
            // The buffer serves the next line.
            line.clear();
            if line.capacity() <= 4096 {
                self.line = line;
            }
        }
        None
    }

    fn field(&mut self, line: &[u8]) {
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                let data = match &mut self.data {
                    Some(data) => {
                        data.push(b'\n');
                        data
                    }
                    None => self.data.insert(Vec::new()),
                };
                data.extend_from_slice(value);
                if data.len() > self.limit {
                    self.dropped = Some(data.len() as u64);
                    self.data = None;
                }
            }
            b"event" => self.name = value.to_vec(),
            b"id" if value.len() <= ID && !value.contains(&0) => {
                self.id = Some(String::from_utf8_lossy(value).into_owned());
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let text = std::str::from_utf8(value).unwrap_or_default();
                // More digits than a number holds are for ever.
                self.retry = Some(Duration::from_millis(text.parse().unwrap_or(u64::MAX)));
            }
            _ => {}
        }
    }

    fn end_event(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        if let Some(dropped) = self.dropped.take() {
            return Some(Event::TooLong(dropped));
        }
        self.last_id.clone_from(&self.id);
        let data = self.data.take()?;
        let name = match name.is_empty() {
            true => "message".to_owned(),
            false => String::from_utf8_lossy(&name).into_owned(),
        };
        Some(Event::Told { name, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> (Vec<Event>, Events) {
        let mut parser = Events::new(64);
        let mut events = Vec::new();
        parser.take(text.as_bytes(), |event| events.push(event));
        events.extend(parser.end());
        (events, parser)
    }

    fn told(name: &str, data: &str) -> Event {
        let (name, data) = (name.to_owned(), data.as_bytes().to_vec());
        Event::Told { name, data }
    }

    #[test]
    fn lines_end_as_they_like() {
        for end in ["\n", "\r", "\r\n"] {
            let text =
                format!(": hi{end}{end}event: a{end}data: 1{end}data:2{end}{end}data{end}{end}");
            let (events, _) = events(&text);
            assert_eq!(events, [told("a", "1\n2"), told("message", "")], "{end:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_and_a_missing_end_cost_nothing() {
        assert_eq!(events("\u{feff}data: x\n\n").0, [told("message", "x")]);
        assert_eq!(
            events("data: x\n\n\u{feff}data: y\n\n").0,
            [told("message", "x")]
        );
        assert_eq!(events("data: x\n").0, [told("message", "x")]);
        assert_eq!(events("data: x").0, [told("message", "x")]);
        assert_eq!(events(": only a comment").0, []);
    }

    #[test]
    fn only_one_space_belongs_to_the_colon_and_unknown_fields_are_passed_over() {
        let (events, _) = events("data:  x\nfoo: bar\nDATA: no\nda ta: no\ndata : no\n\n");
        assert_eq!(events, [told("message", " x")]);
    }

    #[test]
    fn ids_count_once_their_event_is_complete_and_waiting_times_at_once() {
        let (found, parser) = events("id: 1\ndata:\n\nretry: 500\nid: 2\n");
        assert_eq!(found, [told("message", "")]);
        // The end of the stream completes what stands before it.
        assert_eq!(parser.last_id(), Some("2"));
        assert_eq!(parser.retry(), Some(Duration::from_millis(500)));

        let mut parser = Events::new(64);
        parser.take(b"id: 1\n\nid: 2\ndata: x\n", |_| {});
        assert_eq!(parser.last_id(), Some("1"));
        parser.begin_again();
        assert_eq!(parser.last_id(), Some("1"));
        parser.take(b"data: y\n\n", |event| {
            assert_eq!(event, told("message", "y"))
        });
        assert_eq!(parser.last_id(), Some("1"));

        assert_eq!(events("id: a\0b\ndata: x\n\n").1.last_id(), None);
        assert_eq!(events("id: a\n\nid\n\n").1.last_id(), None);
        for odd in ["retry: -1", "retry: 1.5", "retry:", "retry: x"] {
            assert_eq!(events(odd).1.retry(), None, "{odd}");
        }
        let forever = events("retry: 99999999999999999999999\n").1.retry();
        assert_eq!(forever, Some(Duration::from_millis(u64::MAX)));
    }

    #[test]
    fn an_event_that_is_too_long_is_dropped_and_the_next_one_is_not() {
        let long = "x".repeat(65);
        let fits = "x".repeat(64);
        let many = "data: 0123456789\n".repeat(7);
        let text = format!(
            "data: {long}\ndata: more\n\n{many}\ndata: {fits}\n\n: {long}{long}\ndata: y\n\n"
        );
        let (events, _) = events(&text);
        assert_eq!(events.len(), 4, "{events:?}");
        assert!(matches!(events[0], Event::TooLong(65..)));
        assert!(matches!(events[1], Event::TooLong(64..)));
        assert_eq!(events[2], told("message", &fits));
        assert_eq!(events[3], told("message", "y"));
    }
}
