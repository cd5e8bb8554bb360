//! What a tool, a resource or a prompt gave, as text.

use serde_json::Value;

use super::canvas::{Canvas, Line, Tone};
use crate::offering::word;
use crate::outcome::{Part, parts};
use crate::{Look, Outcome, Saved, json};

/// The parts of `outcome`, one below the other.
pub(crate) fn result(outcome: &Outcome<'_>, look: Look) -> String {
    let mut canvas = Canvas::new(look);
    let mut room = outcome.most.unwrap_or(usize::MAX);
    let mut left_out = 0;
    let mut lines = |canvas: &mut Canvas, text: &str| {
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            if room == 0 {
                left_out += 1;
                continue;
            }
            room -= 1;
            canvas.verbatim(line);
        }
    };
    for part in parts(outcome.result) {
        match part {
            Part::Role(role) => {
                canvas.part();
                canvas.line(Line::default().then(Tone::Strong, role));
            }
            Part::Text(text) => lines(&mut canvas, text),
            Part::Binary(index, word, mime) => {
                canvas.wide(binary(outcome.saved, index, word, mime));
            }
            Part::Link(link) => canvas.wide(linked(link)),
            Part::Source(uri, mime) => {
                let kind = if mime.is_empty() {
                    String::new()
                } else {
                    format!("  {mime}")
                };
                canvas.wide(
                    Line::default()
                        .then(Tone::Strong, uri)
                        .then(Tone::Dim, kind),
                );
            }
            Part::Json(value) => lines(&mut canvas, &json::write(value)),
        }
    }
    if left_out > 0 {
        let more = format!("… {left_out} more lines: --output FILE, or a pipe, takes all");
        canvas.line(Line::default().then(Tone::Waits, more));
    }
    canvas.finish()
}

fn binary(saved: &[Saved], index: usize, word: &str, mime: &str) -> Line {
    let line = Line::default()
        .then(Tone::Strong, word)
        .then(Tone::Place, format!("  {mime}"));
    match saved.iter().find(|saved| saved.index == index) {
        Some(saved) => {
            let line = line.then(Tone::Dim, format!("  {}", size(saved.bytes)));
            match &saved.file {
                Ok(path) => line.then(Tone::Plain, format!("  {path}")),
                Err(why) => line.then(Tone::Wrong, format!("  {why}")),
            }
        }
        None => line.then(Tone::Dim, "  not saved"),
    }
}

fn linked(link: &Value) -> Line {
    let line = Line::default()
        .then(Tone::Dim, "→ ")
        .then(Tone::Strong, word(link, "uri"));
    let title = match word(link, "title") {
        "" => word(link, "name"),
        title => title,
    };
    let words = [title, word(link, "mimeType"), word(link, "description")];
    let words = words.into_iter().filter(|word| !word.is_empty());
    words.fold(line, |line, word| line.then(Tone::Dim, format!("  {word}")))
}

/// Bytes as people say them: `512 B`, `12.3 kB`, `4.0 MB`.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
