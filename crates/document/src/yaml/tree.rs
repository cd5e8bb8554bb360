//! The tree that the steps through a document make.
//!
//! Steps are kept, so that an alias is its anchor's steps taken once more. The tree's own stack counts the depth, and everything
//! that comes into being is counted before it does: aliases of aliases grow without end.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::empty;
use super::place::without_trailing_blanks;
use super::steps::{Step, Steps, What};
use crate::document::Fault;
use crate::{Key, Member, Node, Span, Value};

/// How many lists and tables may stand inside each other.
pub(super) const DEEPEST: usize = 512;

/// How many keys and values there may be once aliases are resolved.
pub(super) const MOST_NODES: usize = 100_000;

/// How many bytes of text there may be in them.
pub(super) const MOST_TEXT: usize = 16 << 20;

/// The key whose value, a table or a list of tables, gives its members to the table around it.
const MERGE: &str = "<<";

/// Reads the YAML at `within`, which is part of `text`. Without any value in it, it is an empty table.
pub(super) fn read(text: &str, within: Span) -> Result<Node, Fault> {
    let mut tree = Tree {
        text,
        steps: Steps::new(text, within),
        taken: Vec::new(),
        anchors: HashMap::new(),
        again: Vec::new(),
        open: Vec::new(),
        nodes: 0,
        bytes: 0,
        root: None,
    };
    while let Some(step) = tree.next()? {
        tree.take(step)?;
    }
    Ok(tree.root.unwrap_or_else(|| empty(within)))
}

struct Tree<'t> {
    text: &'t str,
    steps: Steps<'t>,
    /// All steps so far, as the file has them.
    taken: Vec<Step>,
    /// Which of `taken` each finished anchor stands for.
    anchors: HashMap<usize, Range<usize>>,
    /// Which of `taken` are to be taken again, the next ones last.
    again: Vec<Range<usize>>,
    open: Vec<Open>,
    nodes: usize,
    bytes: usize,
    root: Option<Node>,
}

/// A list or table that is not closed yet.
struct Open {
    content: Content,
    /// From the start to the end of the last value in it.
    span: Span,
    /// The alias through which it is here.
    alias: Option<Span>,
    /// The number of its anchor, 0 without one, and the step that opened it.
    anchor: (usize, usize),
}

enum Content {
    Array(Vec<Node>),
    Table {
        members: Vec<Member>,
        key: Option<Key>,
    },
}

impl Tree<'_> {
    fn next(&mut self) -> Result<Option<Step>, Fault> {
        while let Some(range) = self.again.last_mut() {
            if let Some(step) = range.next().and_then(|at| self.taken.get(at)) {
                return Ok(Some(Step {
                    anchor: 0,
                    ..step.clone()
                }));
            }
            self.again.pop();
        }
        let innermost = self.open.last().map(|open| &open.content);
        let in_table = matches!(innermost, Some(Content::Table { .. }));
        let step = self.steps.next(in_table)?;
        self.taken.extend(step.clone());
        Ok(step)
    }

    fn take(&mut self, step: Step) -> Result<(), Fault> {
        match step.what {
            What::Alias(anchor) => self.take_again(anchor, step.span),
            What::End => self.close(step.span),
            _ => self.value(step, None),
        }
    }

    /// Puts what `anchor` stands for in the place of the alias at `alias`.
    fn take_again(&mut self, anchor: usize, alias: Span) -> Result<(), Fault> {
        let mut range = self.anchors.get(&anchor).cloned().unwrap_or_default();
        let first = range.next().and_then(|at| self.taken.get(at)).cloned();
        let Some(first) = first else {
            return Err(Fault::at(alias, "an alias inside of what it stands for"));
        };
        self.again.push(range);
        let first = Step {
            what: first.what,
            span: alias,
            anchor: 0,
        };
        self.value(first, Some(alias))
    }

    /// A scalar, or the start of a list or table.
    fn value(&mut self, step: Step, alias: Option<Span>) -> Result<(), Fault> {
        let at = self.taken.len().saturating_sub(1);
        let content = match step.what {
            What::Scalar(value) => {
                self.count(step.span, 1, length(&value))?;
                if step.anchor > 0 {
                    self.anchors.insert(step.anchor, at..at + 1);
                }
                let span = step.span;
                return self.put(Node { value, span });
            }
            What::Array => Content::Array(Vec::new()),
            _ => Content::Table {
                members: Vec::new(),
                key: None,
            },
        };
        self.enter(Open {
            content,
            span: Span::new(step.span.start, step.span.start),
            alias,
            anchor: (step.anchor, at),
        })
    }

    fn enter(&mut self, open: Open) -> Result<(), Fault> {
        self.count(open.span, 1, 0)?;
        if self.open.len() >= DEEPEST {
            let message = format!("nested deeper than {DEEPEST} levels");
            return Err(Fault::at(open.span, message));
        }
        self.open.push(open);
        Ok(())
    }

    /// Ends the innermost list or table, whose bracket stands at `bracket` if it has one.
    fn close(&mut self, bracket: Span) -> Result<(), Fault> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        if let (anchor @ 1.., at) = open.anchor {
            self.anchors.insert(anchor, at..self.taken.len());
        }
        let value = match open.content {
            Content::Array(items) => Value::Array(items),
            Content::Table { members, .. } => Value::Table(self.merged(members)?),
        };
        let span = if bracket.start < bracket.end {
            Span::new(open.span.start, bracket.end)
        } else {
            // A value that is not written may stand after a blank.
            without_trailing_blanks(self.text, open.span)
        };
        self.put(Node {
            value,
            span: open.alias.unwrap_or(span),
        })
    }

    /// `members` with what the merge key `<<` takes from other tables put in its place, unless a key of its own is called the same.
    fn merged(&mut self, members: Vec<Member>) -> Result<Vec<Member>, Fault> {
        if !members.iter().any(|member| member.key.text == MERGE) {
            return Ok(members);
        }
        let mut known: HashSet<String> = members
            .iter()
            .map(|member| member.key.text.clone())
            .collect();
        let mut merged: Vec<Member> = Vec::with_capacity(members.len());
        for member in members {
            if member.key.text != MERGE {
                merged.push(member);
                continue;
            }
            let span = member.value.span;
            let tables = match member.value.value {
                Value::Array(tables) => tables,
                value => vec![Node { value, span }],
            };
            for taken in tables.iter().flat_map(Node::members) {
                if known.insert(taken.key.text.clone()) {
                    self.count(span, 1, taken.key.text.len())?;
                    merged.push(taken.clone());
                }
            }
        }
        Ok(merged)
    }

    /// Puts a finished value where it belongs.
    fn put(&mut self, mut node: Node) -> Result<(), Fault> {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        if let Content::Table { key: Some(_), .. } = &open.content {
            node.span = after_colon(self.text, node.span);
        }
        open.span.end = open.span.end.max(node.span.end);
        match &mut open.content {
            Content::Array(items) => items.push(node),
            Content::Table { members, key, .. } => match key.take() {
                Some(key) => members.push(Member { key, value: node }),
                None => return self.put_key(node),
            },
        }
        Ok(())
    }

    /// Makes `node` the key of the next value.
    fn put_key(&mut self, node: Node) -> Result<(), Fault> {
        let span = node.span;
        let text = match node.value {
            Value::String(text) => text,
            Value::Number(number) => number.text,
            Value::Bool(value) => value.to_string(),
            Value::Null => "null".to_owned(),
            _ => {
                let spelled = span.of(self.text);
                self.count(span, 0, spelled.len())?;
                spelled.to_owned()
            }
        };
        if let Some(Content::Table { key, .. }) = self.open.last_mut().map(|open| &mut open.content)
        {
            *key = Some(Key { text, span });
        }
        Ok(())
    }

    /// Counts what comes into being at `span`.
    fn count(&mut self, span: Span, nodes: usize, bytes: usize) -> Result<(), Fault> {
        self.nodes += nodes;
        self.bytes += bytes;
        if self.nodes > MOST_NODES {
            return Err(Fault::at(
                span,
                format!("more than {MOST_NODES} keys and values"),
            ));
        }
        if self.bytes > MOST_TEXT {
            return Err(Fault::at(
                span,
                format!("more than {MOST_TEXT} bytes of text"),
            ));
        }
        Ok(())
    }
}

/// How many bytes of text are in a scalar.
fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Number(number) => number.text.len(),
        _ => 0,
    }
}

/// Where a value stands. For one that is not written the parser gives the colon before it.
fn after_colon(text: &str, span: Span) -> Span {
    let unwritten = span.start == span.end;
    if unwritten
        && text
            .get(span.start..)
            .is_some_and(|rest| rest.starts_with(':'))
    {
        return Span::new(span.start + 1, span.start + 1);
    }
    span
}
