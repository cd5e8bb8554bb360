//! The merged configuration: tables key by key, everything else replaced whole, and for every key the layers that speak of it.
//!
//! Observed on 0.171.0: a higher layer adds and replaces, it never removes; a replaced key keeps its place in the order.

use std::collections::BTreeMap;

use muster_document::{Node, Number, Span, Value};

/// Where a layer says something: the layer's number, the key and the value in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) layer: usize,
    pub(super) key: Span,
    pub(super) value: Span,
}

/// A value of the merged configuration.
#[derive(Debug)]
pub(super) struct Merged<'l> {
    pub(super) content: Content<'l>,
    /// The layers that speak of it, lowest first. The last one decides, or decided last which keys a table has.
    pub(super) origins: Vec<Origin>,
}

#[derive(Debug)]
pub(super) enum Content<'l> {
    Scalar(&'l Value),
    List(Vec<Merged<'l>>),
    Table(Table<'l>),
}

/// A table in the order in which its keys first appear, lowest layer first.
#[derive(Debug, Default)]
pub(super) struct Table<'l> {
    members: Vec<(&'l str, Merged<'l>)>,
    /// Where the members of a large table are; a small one is searched sooner.
    at: BTreeMap<&'l str, usize>,
}

/// Tables of no more members than this are small.
const SMALL: usize = 12;

impl<'l> Merged<'l> {
    /// The merge of `layers`, given lowest first with their numbers.
    pub(super) fn of(layers: impl IntoIterator<Item = (usize, &'l Node)>) -> Self {
        Merged::where_counts(layers, |_, _| true)
    }

    /// The merge of `layers`, given lowest first with their numbers, in which a layer's own keys stand for which `counts` holds.
    pub(super) fn where_counts(
        layers: impl IntoIterator<Item = (usize, &'l Node)>,
        counts: impl Fn(usize, &str) -> bool,
    ) -> Self {
        let mut table = Table::default();
        let mut origins = Vec::new();
        for (layer, root) in layers {
            origins.push(Origin {
                layer,
                key: root.span,
                value: root.span,
            });
            table.lay(root, layer, &|key| counts(layer, key));
        }
        Merged {
            content: Content::Table(table),
            origins,
        }
    }

    /// A single value, as layer 0.
    pub(super) fn single(node: &'l Node, key: Span) -> Self {
        let origin = Origin {
            layer: 0,
            key,
            value: node.span,
        };
        Merged {
            content: Content::of(node, origin),
            origins: vec![origin],
        }
    }

    fn lay(&mut self, node: &'l Node, origin: Origin) {
        self.origins.push(origin);
        match (&mut self.content, &node.value) {
            (Content::Table(table), Value::Table(_)) => table.lay(node, origin.layer, &|_| true),
            (content, _) => *content = Content::of(node, origin),
        }
    }

    /// The layer that decided this value.
    pub(super) fn origin(&self) -> Option<Origin> {
        self.origins.last().copied()
    }

    /// The value called `key`, if this is a table that has one. JSON's `null` counts as absent.
    pub(super) fn get(&self, key: &str) -> Option<&Merged<'l>> {
        match &self.content {
            Content::Table(table) => table.get(key).filter(|value| !value.is_null()),
            _ => None,
        }
    }

    /// The value at `path`.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Merged<'l>> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The members, if this is a table.
    pub(super) fn members(&self) -> impl Iterator<Item = (&'l str, &Merged<'l>)> {
        let members = match &self.content {
            Content::Table(table) => table.members.as_slice(),
            _ => &[],
        };
        members.iter().map(|(key, value)| (*key, value))
    }

    pub(super) fn is_table(&self) -> bool {
        matches!(self.content, Content::Table(_))
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self.content, Content::Scalar(Value::Null))
    }

    /// The elements, if this is a list.
    pub(super) fn as_list(&self) -> Option<&[Merged<'l>]> {
        match &self.content {
            Content::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text of a string. A TOML date counts as its text, as it does for Codex.
    pub(super) fn as_str(&self) -> Option<&'l str> {
        match self.content {
            Content::Scalar(Value::String(text) | Value::Datetime(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        match self.content {
            Content::Scalar(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn as_number(&self) -> Option<&'l Number> {
        match self.content {
            Content::Scalar(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// Whether both say the same, wherever it stands and in whatever order.
    pub(super) fn same(&self, other: &Merged<'_>) -> bool {
        match (&self.content, &other.content) {
            (Content::Scalar(one), Content::Scalar(two)) => one == two,
            (Content::List(one), Content::List(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.same(two))
            }
            (Content::Table(one), Content::Table(two)) => {
                one.members.len() == two.members.len()
                    && one
                        .members
                        .iter()
                        .all(|(key, value)| two.get(key).is_some_and(|found| value.same(found)))
            }
            _ => false,
        }
    }
}

impl<'l> Content<'l> {
    fn of(node: &'l Node, origin: Origin) -> Self {
        match &node.value {
            Value::Table(_) => {
                let mut table = Table::default();
                table.lay(node, origin.layer, &|_| true);
                Content::Table(table)
            }
            Value::Array(items) => {
                let element = |item: &'l Node| Origin {
                    key: item.span,
                    value: item.span,
                    ..origin
                };
                Content::List(
                    items
                        .iter()
                        .map(|item| Merged {
                            content: Content::of(item, element(item)),
                            origins: vec![element(item)],
                        })
                        .collect(),
                )
            }
            scalar => Content::Scalar(scalar),
        }
    }
}

impl<'l> Table<'l> {
    fn lay(&mut self, node: &'l Node, layer: usize, counts: &dyn Fn(&str) -> bool) {
        for member in node.members() {
            let (key, value) = (member.key.text.as_str(), &member.value);
            if !counts(key) {
                continue;
            }
            let origin = Origin {
                layer,
                key: member.key.span,
                value: value.span,
            };
            let known = self.position(key);
            match known.and_then(|at| self.members.get_mut(at)) {
                // A second member of the same name in one JSON object replaces the first whole.
                Some((_, old)) if old.origin().is_some_and(|origin| origin.layer == layer) => {
                    *old = Merged {
                        content: Content::of(value, origin),
                        origins: vec![origin],
                    };
                }
                Some((_, old)) => old.lay(value, origin),
                None => {
                    let value = Merged {
                        content: Content::of(value, origin),
                        origins: vec![origin],
                    };
                    self.push(key, value);
                }
            }
        }
    }

    fn push(&mut self, key: &'l str, value: Merged<'l>) {
        self.members.push((key, value));
        if self.members.len() > SMALL {
            // What there was while it was small is entered when it no longer is.
            let members = self.members.iter().enumerate().skip(self.at.len());
            self.at.extend(members.map(|(at, (key, _))| (*key, at)));
        }
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.members.len() > SMALL {
            return self.at.get(key).copied();
        }
        self.members.iter().position(|(known, _)| *known == key)
    }

    fn get(&self, key: &str) -> Option<&Merged<'l>> {
        let (_, value) = self.members.get(self.position(key)?)?;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;
    use muster_document::{Dialect, Document};

    use super::*;

    fn toml(text: &str) -> Document {
        Document::parse(
            Arc::from(Utf8Path::new("/t")),
            text.as_bytes(),
            Dialect::Toml,
        )
        .unwrap()
    }

    #[test]
    fn tables_merge_and_the_rest_is_replaced() {
        let low = toml("[s.u]\ncommand = 'u'\nargs = ['1', '2']\nenv = { A = '1', B = '2' }\n");
        let high = toml("[s.u]\nargs = ['x']\nenv = { B = '3' }\n[s.v]\nurl = 'v'\n");
        let merged = Merged::of([(0, low.root()), (1, high.root())]);
        let server = merged.at(&["s", "u"]).unwrap();
        assert_eq!(server.get("command").unwrap().as_str(), Some("u"));
        assert_eq!(server.get("args").unwrap().as_list().unwrap().len(), 1);
        assert_eq!(server.at(&["env", "A"]).unwrap().as_str(), Some("1"));
        assert_eq!(server.at(&["env", "B"]).unwrap().as_str(), Some("3"));
        assert_eq!(server.at(&["env", "B"]).unwrap().origin().unwrap().layer, 1);
        assert_eq!(
            server
                .origins
                .iter()
                .map(|origin| origin.layer)
                .collect::<Vec<_>>(),
            [0, 1]
        );
        assert_eq!(
            merged
                .get("s")
                .unwrap()
                .members()
                .map(|(key, _)| key)
                .collect::<Vec<_>>(),
            ["u", "v"]
        );
    }

    #[test]
    fn large_tables_are_as_small_ones() {
        let text = |numbers: std::ops::Range<usize>| -> String {
            numbers.map(|n| format!("k{n} = {n}\n")).collect()
        };
        let (low, high) = (toml(&text(0..SMALL + 3)), toml(&text(SMALL..2 * SMALL)));
        let merged = Merged::of([(0, low.root()), (1, high.root())]);
        let names: Vec<_> = merged.members().map(|(key, _)| key.to_owned()).collect();
        let expected: Vec<_> = (0..2 * SMALL).map(|n| format!("k{n}")).collect();
        assert_eq!(names, expected);
        for (at, name) in names.iter().enumerate() {
            let value = merged.get(name).unwrap();
            assert_eq!(value.as_number().unwrap().as_i128(), Some(at as i128));
            assert_eq!(value.origin().unwrap().layer, usize::from(at >= SMALL));
        }
    }

    #[test]
    fn nothing_is_removed_by_an_empty_table() {
        let low = toml("[s.u]\ncommand = 'u'\n");
        let high = toml("s = {}\n");
        assert!(
            Merged::of([(0, low.root()), (1, high.root())])
                .at(&["s", "u", "command"])
                .is_some()
        );
    }

    #[test]
    fn equality_ignores_order_and_place() {
        let one = toml("a = { x = 1, y = ['b'] }\n");
        let two = toml("\n\na = { y = ['b'], x = 1 }\n");
        let three = toml("a = { y = ['b'] }\n");
        let of = |document| Merged::of([(0, Document::root(document))]);
        assert!(of(&one).same(&of(&two)));
        assert!(!of(&one).same(&of(&three)));
    }
}
