//! One tree for JSON and TOML.

use std::fmt;

use crate::Span;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What is written.
    pub value: Value,
    /// Where: of a string its quotes included; of a TOML table its header or its first key to its last value.
    pub span: Span,
}

/// A value. Its `Debug` text holds no strings or numbers from the file: configuration holds secrets.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// JSON `null`.
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
    /// A JSON object or TOML table: members in file order, duplicates kept.
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
    /// The value as a JavaScript number; infinite where it is too large. TOML's underscores, hexadecimal, octal and binary are understood.
    pub fn as_f64(&self) -> f64 {
        let plain = self.text.replace('_', "");
        if let Some(integer) = self.as_i128() {
            return integer as f64;
        }
        match plain.trim_start_matches(['+', '-']) {
            "inf" if plain.starts_with('-') => f64::NEG_INFINITY,
            "inf" => f64::INFINITY,
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

/// A key and where it stands, quotes included. In TOML, of a table that several headers open, the first of them.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// The key, unescaped.
    pub text: String,
    /// Where.
    pub span: Span,
}

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
        let mut at = std::collections::HashMap::new();
        let mut kept: Vec<&Member> = Vec::new();
        for member in self.members() {
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
