//! The standard error of a server: read from its first byte to its last, so that it never blocks the server; only its end is kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

use crate::{Happening, Teller};

/// So much is read at once.
const CHUNK: usize = 16 * 1024;

/// A line that is longer is told in parts.
const LINE: usize = 8 * 1024;

/// The end of what a server wrote.
#[derive(Debug)]
pub(super) struct Tail {
    limit: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: VecDeque<u8>,
    cut: bool,
}

impl Tail {
    /// Keeps at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Tail {
        Tail {
            limit,
            kept: Mutex::default(),
        }
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes.extend(bytes);
        let surplus = kept.bytes.len().saturating_sub(self.limit);
        if surplus > 0 {
            kept.bytes.drain(..surplus);
            kept.cut = true;
        }
    }

    /// What is kept, from the start of a line on.
    pub(super) fn text(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (head, tail) = kept.bytes.as_slices();
        let bytes = [head, tail].concat();
        let start = match bytes.iter().position(|byte| *byte == b'\n') {
            // A single line that is longer than everything that is kept has no better start.
            Some(end) if kept.cut && end + 1 < bytes.len() => end + 1,
            _ => 0,
        };
        String::from_utf8_lossy(bytes.get(start..).unwrap_or_default()).into_owned()
    }
}

/// Reads `stderr` to its end, tells its lines and keeps the last of them in `tail`.
pub(super) async fn drain(mut stderr: impl AsyncRead + Unpin, tail: Arc<Tail>, teller: Teller) {
    let mut buffer = vec![0; CHUNK];
    let mut line = Vec::new();
    while let Ok(length @ 1..) = stderr.read(&mut buffer).await {
        let bytes = buffer.get(..length).unwrap_or_default();
        tail.push(bytes);
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            line.extend_from_slice(part);
            if part.ends_with(b"\n") || line.len() >= LINE {
                tell(&mut line, &teller);
            }
        }
    }
    if !line.is_empty() {
        tell(&mut line, &teller);
    }
}

fn tell(line: &mut Vec<u8>, teller: &Teller) {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end_matches(['\n', '\r']);
    teller.tell(Happening::Stderr(text.to_owned()));
    line.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Event;

    #[test]
    fn the_tail_is_bounded_and_begins_with_a_line() {
        let tail = Tail::new(10);
        tail.push(b"one\ntwo\n");
        assert_eq!(tail.text(), "one\ntwo\n");
        tail.push(b"three\n");
        assert_eq!(tail.text(), "three\n");
        tail.push(b"a line without end");
        assert_eq!(tail.text(), "ithout end");
        tail.push(b"\n");
        assert_eq!(tail.text(), "thout end\n");
        let nothing = Tail::new(0);
        nothing.push(b"x");
        assert_eq!(nothing.text(), "");
    }

    #[tokio::test]
    async fn every_line_is_told_long_ones_in_parts() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = told.clone();
        let listener = move |event: Event| {
            if let Happening::Stderr(line) = event.happening {
                hears.lock().unwrap().push(line);
            }
        };
        let teller = Teller::new("s", Arc::new(listener));
        let long = "x".repeat(LINE * 2);
        let text = format!("a\r\n\n\u{fffd}\n{long}\nlast");
        let tail = Arc::new(Tail::new(1000));
        drain(text.as_bytes(), tail.clone(), teller).await;
        let told = told.lock().unwrap();
        assert_eq!(told[..3], ["a", "", "\u{fffd}"]);
        assert_eq!(told[3..told.len() - 1].concat(), long);
        assert_eq!(told.last().unwrap(), "last");
        assert!(told.iter().all(|line| line.len() <= LINE + CHUNK));
        assert!(tail.text().ends_with("last"));
    }
}
