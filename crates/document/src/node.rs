//! One tree for JSON, TOML and YAML.

use std::fmt;

use crate::Span;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What is written.
    pub value: Value,
    /// Where: of a string its quotes included. A TOML table that is not written in braces stands at its header, with the brackets;
    /// without a header of its own, at its key, and if dotted keys made it, from there to its last value. An array of tables goes
    /// from its first header to its last. In YAML, without its anchor and tag; of a block scalar, from its `|` or `>` on; without brackets,
    /// from the first key or dash to the last value; of an alias, the alias, while what is in it stands where the anchor is; of a
    /// null that is not written, nothing.
    pub span: Span,
}

/// A value. Its `Debug` text holds no strings or numbers from the file: configuration holds secrets.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// `null` of JSON and YAML.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, kept as it is spelled.
    Number(Number),
    /// A string, unescaped. A lone surrogate escape, which some parsers accept, is U+FFFD here.
    String(String),
    /// A TOML date or time, as it is spelled.
    Datetime(String),
    /// A list.
    Array(Vec<Node>),
    /// A JSON object, TOML table or YAML mapping: members in file order, duplicates kept.
    Table(Vec<Member>),
}

/// A number as it is spelled in the file.
#[derive(Clone, PartialEq)]
pub struct Number {
    /// The spelling.
    pub text: String,
    /// Whether it is spelled as an integer: no fraction, no exponent, not `inf` or `nan`.
    pub integer: bool,
}

impl Number {
    /// The value as a JavaScript number; infinite where it is too large. TOML's underscores, YAML's `.inf`, hexadecimal, octal and binary are understood.
    pub fn as_f64(&self) -> f64 {
        let plain = self.text.replace('_', "");
        if let Some(integer) = self.as_i128() {
            return integer as f64;
        }
        match plain.trim_start_matches(['+', '-']) {
            "inf" | ".inf" | ".Inf" | ".INF" if plain.starts_with('-') => f64::NEG_INFINITY,
            "inf" | ".inf" | ".Inf" | ".INF" => f64::INFINITY,
            _ => plain.parse().unwrap_or(f64::NAN),
        }
    }

    /// The value if it is spelled as an integer that fits.
    pub fn as_i128(&self) -> Option<i128> {
        if !self.integer {
            return None;
        }
        let plain = self.text.replace('_', "");
        let radix = |digits: &str, radix| i128::from_str_radix(digits, radix).ok();
        match plain.get(..2) {
            Some("0x") => radix(plain.get(2..)?, 16),
            Some("0o") => radix(plain.get(2..)?, 8),
            Some("0b") => radix(plain.get(2..)?, 2),
            _ => plain.parse().ok(),
        }
    }
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Node,
}

/// A key and where it stands, quotes included. In YAML, the text of a null is `null`, and of a list or table its spelling. In TOML, of a table that several headers or dotted keys speak of, its own header if
/// it has one, else the first of them; of an array of tables the first header.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// The key, unescaped.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// Among no more members than this, one is found sooner by looking at each than by hashing.
const FEW: usize = 16;

impl Node {
    /// The value of the last member called `key`, as every parser here decides between duplicates; `None` if this is no table or has none.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.member(key).map(|member| &member.value)
    }

    /// The last member called `key`.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members()
            .iter()
            .rev()
            .find(|member| member.key.text == key)
    }

    /// All members in file order, duplicates included; empty if this is no table.
    pub fn members(&self) -> &[Member] {
        match &self.value {
            Value::Table(members) => members,
            _ => &[],
        }
    }

    /// The members that count: of duplicates only the last, in the place of the first, as parsers with ordered maps keep them.
    pub fn effective_members(&self) -> Vec<&Member> {
        let members = self.members();
        let mut kept: Vec<&Member> = Vec::with_capacity(members.len());
        if members.len() <= FEW {
            for member in members {
                match kept.iter_mut().find(|old| old.key.text == member.key.text) {
                    Some(old) => *old = member,
                    None => kept.push(member),
                }
            }
            return kept;
        }
        let mut at = std::collections::HashMap::with_capacity(members.len());
        for member in members {
            match at.entry(member.key.text.as_str()) {
                std::collections::hash_map::Entry::Occupied(slot) => {
                    let slot: &usize = slot.get();
                    if let Some(old) = kept.get_mut(*slot) {
                        *old = member;
                    }
                }
                std::collections::hash_map::Entry::Vacant(slot) => {
                    slot.insert(kept.len());
                    kept.push(member);
                }
            }
        }
        kept
    }

    /// The string, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The elements, if this is a list.
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Whether this is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.value, Value::Table(_))
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("Null"),
            Value::Bool(_) => f.write_str("Bool"),
            Value::Number(_) => f.write_str("Number"),
            Value::String(_) => f.write_str("String"),
            Value::Datetime(_) => f.write_str("Datetime"),
            Value::Array(items) => f.debug_list().entries(items).finish(),
            Value::Table(members) => f.debug_list().entries(members).finish(),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Number")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("span", &self.span)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str, integer: bool) -> Number {
        Number {
            text: text.to_owned(),
            integer,
        }
    }

    fn string(text: &str) -> Node {
        Node {
            value: Value::String(text.to_owned()),
            span: Span::default(),
        }
    }

    fn table(members: &[(&str, &str)]) -> Node {
        let member = |(key, value): &(&str, &str)| Member {
            key: Key {
                text: (*key).to_owned(),
                span: Span::default(),
            },
            value: string(value),
        };
        Node {
            value: Value::Table(members.iter().map(member).collect()),
            span: Span::default(),
        }
    }

    #[test]
    fn of_duplicates_the_last_counts_in_the_place_of_the_first() {
        let node = table(&[("a", "1"), ("b", "2"), ("a", "3")]);
        assert_eq!(node.get("a").and_then(Node::as_str), Some("3"));
        let effective: Vec<_> = node
            .effective_members()
            .iter()
            .map(|m| (m.key.text.as_str(), m.value.as_str()))
            .collect();
        assert_eq!(effective, [("a", Some("3")), ("b", Some("2"))]);
        let names: Vec<String> = (0..2 * FEW).map(|n| (n % (FEW + 3)).to_string()).collect();
        let pairs: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &**name)).collect();
        let node = table(&pairs);
        let effective = node.effective_members();
        let kept: Vec<_> = effective.iter().map(|m| m.key.text.as_str()).collect();
        assert_eq!(kept, names.iter().take(FEW + 3).collect::<Vec<_>>());
        assert_eq!(string("x").members(), []);
    }

    #[test]
    fn numbers_are_read_in_both_spellings() {
        assert_eq!(number("-42", true).as_i128(), Some(-42));
        assert_eq!(number("0xdead_beef", true).as_i128(), Some(0xdead_beef));
        assert_eq!(number("0o17", true).as_f64(), 15.0);
        assert_eq!(number("1.0", false).as_i128(), None);
        assert_eq!(number("1_0.5e-1", false).as_f64(), 1.05);
        assert_eq!(number("1e999", false).as_f64(), f64::INFINITY);
        assert_eq!(number("-inf", false).as_f64(), f64::NEG_INFINITY);
        assert_eq!(number("-.Inf", false).as_f64(), f64::NEG_INFINITY);
        assert_eq!(number("+.INF", false).as_f64(), f64::INFINITY);
        assert!(number(".NaN", false).as_f64().is_nan());
        assert!(number("+nan", false).as_f64().is_nan());
        assert_eq!(number(&"9".repeat(50), true).as_f64(), 1e50);
    }

    #[test]
    fn debug_text_holds_nothing_from_the_file() {
        let shown = format!("{:?}", table(&[("k3y", "s3cret")]));
        assert!(
            !shown.contains("s3cret") && !shown.contains("k3y"),
            "{shown}"
        );
    }
}
