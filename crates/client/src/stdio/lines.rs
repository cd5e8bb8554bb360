//! Lines out of chunks of bytes, of which none is kept that is too long.

/// Bytes of the beginning of a dropped line that are kept.
const START: usize = 64;

/// A line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// All of it.
    Whole(Vec<u8>),
    /// It was longer than the limit, and dropped.
    TooLong {
        /// Its bytes.
        bytes: u64,
        /// How it began.
        start: Vec<u8>,
    },
}

/// Cuts chunks into lines.
#[derive(Debug)]
pub struct Lines {
    limit: usize,
    kept: Vec<u8>,
    /// Bytes of the line so far, once it is too long, and how it began.
    dropped: Option<(u64, Vec<u8>)>,
}

impl Lines {
    /// Lines of at most `limit` bytes.
    pub fn new(limit: usize) -> Lines {
        Lines {
            limit,
            kept: Vec::new(),
            dropped: None,
        }
    }

    /// The lines that `chunk` ends.
    pub fn take(&mut self, chunk: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut rest = chunk;
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(at);
            self.add(line);
            lines.extend(self.end());
            rest = after.get(1..).unwrap_or_default();
        }
        self.add(rest);
        lines
    }

    /// The line that the end of the stream ends; none where nothing was left.
    pub fn end(&mut self) -> Option<Line> {
        if let Some((bytes, start)) = self.dropped.take() {
            return Some(Line::TooLong { bytes, start });
        }
        let mut line = std::mem::take(&mut self.kept);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        (!line.is_empty()).then_some(Line::Whole(line))
    }

    fn add(&mut self, bytes: &[u8]) {
        if let Some((dropped, _)) = &mut self.dropped {
            *dropped = dropped.saturating_add(bytes.len() as u64);
        } else if self.kept.len() + bytes.len() > self.limit {
            let mut start = std::mem::take(&mut self.kept);
            let length = start.len() + bytes.len();
            start.extend(bytes.iter().take(START));
            start.truncate(START);
            start.shrink_to_fit();
            self.dropped = Some((length as u64, start));
        } else {
            self.kept.extend_from_slice(bytes);
        }
    }
}
