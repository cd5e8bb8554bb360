//! TOML as nearly every file is written, from the parser's events straight to nodes.
//!
//! Headers that each name a new table, and keys without dots. `toml_edit` reads the same events, and spends three quarters of its time
//! on what a tree needs that can be edited. Whatever is a fault or only out of the ordinary (dotted keys, arrays of tables, a header
//! for a table that is there already, dates, fractions) is left to it.

use std::borrow::Cow;
use std::collections::HashMap;

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, ValidateWhitespace};
use toml_parser::{ErrorSink, ParseError, Raw, Source};

use crate::{Key, Member, Node, Number, Span, Value};

/// Tables with more plain keys than this, which are searched for duplicates one by one, are out of the ordinary.
const MOST_KEYS: usize = 64;
/// So are values and tables deeper than this.
const DEEPEST: usize = 16;

/// What `text` says; `None` where `toml_edit` has to be asked.
pub(super) fn read(text: &str) -> Option<Vec<Member>> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut builder = Builder {
        source,
        tables: vec![Table::default()],
        children: HashMap::new(),
        current: 0,
        header: None,
        keys: Vec::new(),
        pending: None,
        open: Vec::new(),
        odd: false,
    };
    let mut fault: Option<ParseError> = None;
    let mut receiver = ValidateWhitespace::new(&mut builder, source);
    toml_parser::parser::parse_document(&tokens, &mut receiver, &mut fault);
    let ordinary = fault.is_none() && !builder.odd && builder.open.is_empty();
    ordinary.then(|| members(&mut builder.tables, 0))
}

/// A table with a header, or one that only headers of its children speak of.
#[derive(Default)]
struct Table {
    span: Span,
    members: Vec<(Key, Content)>,
}

enum Content {
    Value(Node),
    /// The table of this number.
    Table(usize),
}

/// The members of the table of number `at`, taken out of `tables`.
fn members(tables: &mut [Table], at: usize) -> Vec<Member> {
    let table = tables.get_mut(at).map(std::mem::take).unwrap_or_default();
    let member = |(key, content)| {
        let value = match content {
            Content::Value(node) => node,
            Content::Table(at) => Node {
                span: tables.get(at).map(|table| table.span).unwrap_or_default(),
                value: Value::Table(members(tables, at)),
            },
        };
        Member { key, value }
    };
    table.members.into_iter().map(member).collect()
}

/// A list or an inline table that is not closed yet.
enum Open {
    Array {
        start: usize,
        items: Vec<Node>,
    },
    Table {
        start: usize,
        members: Vec<Member>,
        key: Option<Key>,
    },
}

struct Builder<'t> {
    source: Source<'t>,
    /// The root first.
    tables: Vec<Table>,
    /// Tables by the number of their parent and their name.
    children: HashMap<(usize, Cow<'t, str>), usize>,
    /// The number of the table whose members come.
    current: usize,
    /// Where the header begins that is being read.
    header: Option<usize>,
    /// The parts of the key that is being read.
    keys: Vec<(Cow<'t, str>, Span)>,
    /// The key outside braces whose value comes.
    pending: Option<Key>,
    open: Vec<Open>,
    /// There is something that is not read here.
    odd: bool,
}

impl<'t> Builder<'t> {
    /// The table that the keys of a header lead to: its last part is new.
    fn enter(&mut self, header: Span) -> Option<()> {
        let keys = std::mem::take(&mut self.keys);
        let keys = Some(keys).filter(|keys| keys.len() <= DEEPEST)?;
        let (last, parents) = keys.split_last()?;
        let mut at = 0;
        for parent in parents {
            at = match self.children.get(&(at, parent.0.clone())) {
                Some(known) => *known,
                None => self.add(at, parent.clone(), parent.1)?,
            };
        }
        if self.children.contains_key(&(at, last.0.clone())) {
            return None;
        }
        self.current = self.add(at, last.clone(), header)?;
        Some(())
    }

    /// A new table in the one of number `parent`.
    fn add(
        &mut self,
        parent: usize,
        (name, key): (Cow<'t, str>, Span),
        span: Span,
    ) -> Option<usize> {
        if self.tables.get(parent)?.has_value(&name) {
            return None;
        }
        let at = self.tables.len();
        self.tables.push(Table {
            span,
            members: Vec::new(),
        });
        let key = Key {
            text: name.clone().into_owned(),
            span: key,
        };
        let members = &mut self.tables.get_mut(parent)?.members;
        members.push((key, Content::Table(at)));
        self.children.insert((parent, name), at);
        Some(at)
    }

    /// The one key of a member, which is new.
    fn key(&mut self) -> Option<Key> {
        let (name, span) = self.keys.pop().filter(|_| self.keys.is_empty())?;
        let known = match self.open.last() {
            Some(Open::Table { members, .. }) => {
                members.len() > MOST_KEYS || members.iter().any(|member| member.key.text == name)
            }
            Some(Open::Array { .. }) => true,
            None => {
                let table = self.tables.get(self.current)?;
                table.members.len() > MOST_KEYS || table.has_value(&name)
            }
        };
        (!known).then(|| Key {
            text: name.into_owned(),
            span,
        })
    }

    /// Puts a value where it belongs.
    fn put(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(Open::Array { items, .. }) => items.push(node),
            Some(Open::Table { members, key, .. }) => {
                members.extend(key.take().map(|key| Member { key, value: node }));
            }
            None => match (self.pending.take(), self.tables.get_mut(self.current)) {
                (Some(key), Some(table)) => table.members.push((key, Content::Value(node))),
                _ => self.odd = true,
            },
        }
    }

    /// What stands at `span`, ready to be decoded.
    fn raw(&self, span: toml_parser::Span, encoding: Option<Encoding>) -> Option<Raw<'t>> {
        let text = self.source.input().get(span.start()..span.end())?;
        Some(Raw::new_unchecked(text, encoding, span))
    }

    fn enter_value(&mut self, open: Open) -> bool {
        self.odd |= self.open.len() >= DEEPEST;
        if !self.odd {
            self.open.push(open);
        }
        !self.odd
    }

    fn leave_value(&mut self, end: usize) {
        let (start, value) = match self.open.pop() {
            Some(Open::Array { start, items }) => (start, Value::Array(items)),
            Some(Open::Table { start, members, .. }) => (start, Value::Table(members)),
            None => return self.odd = true,
        };
        self.put(Node {
            value,
            span: Span::new(start, end),
        });
    }
}

impl Table {
    fn has_value(&self, name: &str) -> bool {
        // Values come before tables.
        let values = self.members.iter();
        values
            .take_while(|(_, content)| matches!(content, Content::Value(_)))
            .any(|(key, _)| key.text == name)
    }
}

impl EventReceiver for Builder<'_> {
    fn std_table_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.header = Some(span.start());
    }

    fn std_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        let start = self.header.take();
        let entered = start.and_then(|start| self.enter(Span::new(start, span.end())));
        self.odd |= entered.is_none();
    }

    fn array_table_open(&mut self, _: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.odd = true;
    }

    fn inline_table_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) -> bool {
        self.enter_value(Open::Table {
            start: span.start(),
            members: Vec::new(),
            key: None,
        })
    }

    fn inline_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.leave_value(span.end());
    }

    fn array_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) -> bool {
        self.enter_value(Open::Array {
            start: span.start(),
            items: Vec::new(),
        })
    }

    fn array_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.leave_value(span.end());
    }

    fn simple_key(
        &mut self,
        span: toml_parser::Span,
        encoding: Option<Encoding>,
        error: &mut dyn ErrorSink,
    ) {
        let Some(raw) = self.raw(span, encoding) else {
            return self.odd = true;
        };
        let mut name = Cow::Borrowed("");
        raw.decode_key(&mut name, error);
        self.keys.push((name, Span::new(span.start(), span.end())));
    }

    fn key_val_sep(&mut self, _: toml_parser::Span, _: &mut dyn ErrorSink) {
        let found = self.key();
        self.odd |= found.is_none();
        match self.open.last_mut() {
            Some(Open::Table { key, .. }) => *key = found,
            _ => self.pending = found,
        }
    }

    fn scalar(
        &mut self,
        span: toml_parser::Span,
        encoding: Option<Encoding>,
        error: &mut dyn ErrorSink,
    ) {
        let Some(raw) = self.raw(span, encoding) else {
            return self.odd = true;
        };
        let mut text = Cow::Borrowed("");
        let value = match raw.decode_scalar(&mut text, error) {
            ScalarKind::String => Value::String(text.into_owned()),
            ScalarKind::Boolean(value) => Value::Bool(value),
            ScalarKind::Integer(radix) if i64::from_str_radix(&text, radix.value()).is_ok() => {
                Value::Number(Number {
                    text: raw.as_str().to_owned(),
                    integer: true,
                })
            }
            ScalarKind::Integer(_) | ScalarKind::Float | ScalarKind::DateTime => {
                return self.odd = true;
            }
        };
        self.put(Node {
            value,
            span: Span::new(span.start(), span.end()),
        });
    }

    fn error(&mut self, _: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.odd = true;
    }
}

#[cfg(test)]
mod tests;
