//! Servers in a file that does not parse: Codex loses them all, and the user should see which.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use muster_core::Entry;
use muster_document::{Dialect, Document, LineIndex, Place, Span, SyntaxError};

use super::entry;
use super::merge::{Merged, Origin};

/// A server that a broken file names.
#[derive(Debug, Clone)]
pub(super) struct Remnant {
    pub(super) name: String,
    pub(super) place: Place,
    /// What it says, where it stands before the fault.
    pub(super) entry: Rc<Entry>,
}

/// The servers that the text of a broken file names: those before the fault, as the parser reads them, and those whose headers
/// stand at or after it.
pub(super) fn remnants(error: &SyntaxError) -> Vec<Remnant> {
    let text: &str = error.text();
    let lines = LineIndex::new(text);
    let place = |span: Span| Place {
        path: Arc::clone(&error.place.path),
        span,
        position: lines.position(text, span.start),
    };
    let fault_line = lines
        .line_span(text, error.position().line)
        .map_or(0, |span| span.start);
    let before = text.get(..fault_line).unwrap_or_default();
    let mut found: Vec<Remnant> = Vec::new();
    if let Ok(document) = Document::parse(
        Arc::clone(&error.place.path),
        before.as_bytes(),
        Dialect::Toml,
    ) {
        found.extend(whole(&document));
    }
    let mut named: HashSet<String> = found.iter().map(|remnant| remnant.name.clone()).collect();
    let mut at = fault_line;
    for line in text
        .get(fault_line..)
        .unwrap_or_default()
        .split_inclusive('\n')
    {
        if let Some((name, span)) = header_name(line, at)
            && named.insert(name.to_owned())
        {
            found.push(Remnant {
                name: name.to_owned(),
                place: place(span),
                entry: Rc::default(),
            });
        }
        at += line.len();
    }
    found
}

/// The servers of the part before the fault.
fn whole(document: &Document) -> Vec<Remnant> {
    let config = Merged::of([(0, document.root())]);
    let servers = config
        .get("mcp_servers")
        .into_iter()
        .flat_map(Merged::members);
    let places = |origin: Origin| Some(document.place(origin.key));
    let remnant = |(name, server): (&str, &Merged<'_>)| {
        let place = server.origin().and_then(places)?;
        Some(Remnant {
            name: name.to_owned(),
            place,
            entry: Rc::new(entry::entry(server, &places)),
        })
    };
    servers.filter_map(remnant).collect()
}

/// The server that a line such as `[mcp_servers.NAME]` or `[mcp_servers.NAME.env` opens; `at` is where the line begins.
fn header_name(line: &str, at: usize) -> Option<(&str, Span)> {
    let rest = line
        .trim_start()
        .strip_prefix('[')?
        .trim_start()
        .strip_prefix("mcp_servers")?
        .trim_start()
        .strip_prefix('.')?
        .trim_start();
    let start = at + (line.len() - rest.len());
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        rest.strip_prefix(quote)?
            .split_once(quote)
            .map(|(name, _)| (name, name.len() + 2))
    });
    let (name, length) = quoted.unwrap_or_else(|| {
        let end = rest
            .find(|c: char| matches!(c, '.' | ']' | '#') || c.is_whitespace())
            .unwrap_or(rest.len());
        (rest.get(..end).unwrap_or_default(), end)
    });
    (length > 0).then_some((name, Span::new(start, start + length)))
}

#[cfg(test)]
mod tests {
    use camino::Utf8Path;

    use super::*;

    fn names(text: &str) -> Vec<(String, u32, u32)> {
        let error = Document::parse(
            Arc::from(Utf8Path::new("/t")),
            text.as_bytes(),
            Dialect::Toml,
        )
        .unwrap_err();
        remnants(&error)
            .into_iter()
            .map(|found| {
                (
                    found.name,
                    found.place.position.line,
                    found.place.position.column,
                )
            })
            .collect()
    }

    #[test]
    fn before_and_after_the_fault() {
        let text = "[mcp_servers.a]\ncommand = 'a'\n[mcp_servers.b\ncommand = 'b'\n[mcp_servers.\"c d\".env]\nX = 1\n[mcp_servers.a.env]\n";
        assert_eq!(
            names(text),
            [
                ("a".to_owned(), 1, 14),
                ("b".to_owned(), 3, 14),
                ("c d".to_owned(), 5, 14)
            ]
        );
        assert_eq!(
            names("[mcp_servers.\u{e9}]\ncommand = 'x'\n"),
            [("\u{e9}".to_owned(), 1, 14)]
        );
        assert_eq!(names("[mcp_servers.\n[\n"), []);
    }
}
