//! TOML to nodes, from the tree of `toml_edit`, the parser under the `toml` crate that Codex uses. Of most files [`plain`] makes the same
//! nodes from the events that this tree is built from, in a fraction of the time.
//!
//! `toml_edit` refuses values more than 80 deep and keys of more than 80 parts, so the recursion here stays shallow.

mod plain;

use std::ops::Range;

use toml_edit::{Document, Item, TableLike, TomlError};

use crate::document::Fault;
use crate::{Key, Member, Node, Number, Span, Value};

/// How many lines may look like a table's header. `toml_edit` moves all later tables for a header that comes after those of its
/// children, so its time can grow with the square of this number: half a second here, minutes for a file ten times as long.
const MOST_HEADERS: usize = 16_384;

/// Parses `text` as TOML 1.1.
pub(crate) fn parse(text: &str) -> Result<Node, Fault> {
    check_headers(text)?;
    let members = match plain::read(text) {
        Some(members) => members,
        None => whole(text)?,
    };
    Ok(Node {
        value: Value::Table(members),
        span: Span::new(0, text.len()),
    })
}

/// What `toml_edit` makes of `text`.
fn whole(text: &str) -> Result<Vec<Member>, Fault> {
    let document = Document::parse(text).map_err(|error| to_fault(&error))?;
    Ok(Reader { text }.members(document.as_table()))
}

fn check_headers(text: &str) -> Result<(), Fault> {
    let mut lines = text
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('['));
    match lines.nth(MOST_HEADERS) {
        None => Ok(()),
        Some(_) => Err(Fault::at(
            Span::default(),
            format!("more than {MOST_HEADERS} tables, which Muster does not follow"),
        )),
    }
}

fn to_fault(error: &TomlError) -> Fault {
    // Only the message: `Display` would add the line, which may hold a secret.
    let message = match error.message().trim() {
        "recursion limit" | "cannot recurse further; max recursion depth met" => {
            "nested too deeply".to_owned()
        }
        message => message.replace('\n', "; "),
    };
    let span = error.span().map_or(Span::new(0, 0), to_span);
    Fault::at(span, message)
}

fn to_span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

/// Turns `toml_edit`'s items into nodes.
struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn members(&self, table: &dyn TableLike) -> Vec<Member> {
        let mut members: Vec<(usize, Member)> = table
            .iter()
            .filter_map(|(name, _)| self.member(table, name))
            .collect();
        // `toml_edit` moves a table to the end when its own header comes after those of its children.
        members.sort_by_key(|(first, _)| *first);
        members.into_iter().map(|(_, member)| member).collect()
    }

    /// The member called `name`, and the first byte at which the file speaks of it.
    fn member(&self, table: &dyn TableLike, name: &str) -> Option<(usize, Member)> {
        let (key, item) = table.get_key_value(name)?;
        let key = Key {
            text: name.to_owned(),
            span: key.span().map(to_span).unwrap_or_default(),
        };
        let value = self.item(key.span, item)?;
        let first = first_byte(&value).min(key.span.start);
        Some((first, Member { key, value }))
    }

    fn item(&self, key: Span, item: &Item) -> Option<Node> {
        match item {
            Item::None => None,
            Item::Value(value) => Some(self.value(key, value)),
            Item::Table(table) => Some(self.table(key, table, table.span(), table.is_dotted())),
            Item::ArrayOfTables(tables) => {
                let items = tables
                    .iter()
                    .map(|table| self.table(key, table, table.span(), false))
                    .collect();
                Some(Node {
                    value: Value::Array(items),
                    span: tables.span().map_or(key, to_span),
                })
            }
        }
    }

    fn table(
        &self,
        key: Span,
        table: &dyn TableLike,
        span: Option<Range<usize>>,
        dotted: bool,
    ) -> Node {
        let members = self.members(table);
        let mut span = span.map_or(key, to_span);
        if dotted {
            span.end = members
                .iter()
                .map(|member| member.value.span.end)
                .fold(span.end, usize::max);
        }
        Node {
            value: Value::Table(members),
            span,
        }
    }

    fn value(&self, key: Span, value: &toml_edit::Value) -> Node {
        let span = value.span().map_or(key, to_span);
        let spelled = || span.of(self.text).to_owned();
        let value = match value {
            toml_edit::Value::String(text) => Value::String(text.value().clone()),
            toml_edit::Value::Integer(_) => Value::Number(Number {
                text: spelled(),
                integer: true,
            }),
            toml_edit::Value::Float(_) => Value::Number(Number {
                text: spelled(),
                integer: false,
            }),
            toml_edit::Value::Boolean(value) => Value::Bool(*value.value()),
            toml_edit::Value::Datetime(_) => Value::Datetime(spelled()),
            toml_edit::Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.value(key, item)).collect())
            }
            toml_edit::Value::InlineTable(table) => {
                return self.table(key, table, table.span(), table.is_dotted());
            }
        };
        Node { value, span }
    }
}

/// The first byte of `node` and everything in it. A table's members are sorted, so its first one decides.
fn first_byte(node: &Node) -> usize {
    let inside = match &node.value {
        Value::Table(members) => members
            .first()
            .map(|member| first_byte(&member.value).min(member.key.span.start)),
        Value::Array(items) => items.first().map(first_byte),
        _ => None,
    };
    inside.map_or(node.span.start, |inside| inside.min(node.span.start))
}

/// How many lines [`salvage`] takes out before it gives up.
const MOST_BAD_LINES: usize = 8;

/// What can be made of a text that does not parse: each line that holds a fault taken out.
pub(crate) fn salvage(text: &str) -> Option<Node> {
    let mut text = text.to_owned();
    for _ in 0..MOST_BAD_LINES {
        let fault = match parse(&text) {
            Ok(root) => return Some(root),
            Err(fault) => fault,
        };
        let at = fault.span.start.min(text.len());
        let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let end = text
            .get(at..)?
            .find('\n')
            .map_or(text.len(), |length| at + length);
        let blank = " ".repeat(end - start);
        // Blanks keep every other byte where it was; a fault that stays on the same line would go on for ever.
        if text.get(start..end)? == blank {
            return None;
        }
        text.replace_range(start..end, &blank);
    }
    None
}

#[cfg(test)]
mod tests;
