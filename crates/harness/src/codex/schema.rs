//! Codex's typed reading of a value, as data, with the words of its complaints.
//!
//! Codex deserialises the merged configuration into Rust structs, so its messages are those of `serde`. Observed on 0.171.0.

use std::time::Duration;

use muster_document::{Masked, Shown, Value};

use super::merge::{Content, Merged, Origin};
use super::words::{choice, env_var, kind, known_word, missing, variant};

/// What a key takes.
#[derive(Debug)]
pub(super) enum Type {
    /// Anything.
    Any,
    /// Text.
    Text,
    /// The path of a file, relative to the file it stands in.
    Path,
    /// `true` or `false`.
    Bool,
    /// A whole number between two bounds, called by its Rust type.
    Whole {
        name: &'static str,
        least: i128,
        most: i128,
    },
    /// Any number.
    Float,
    /// A number of seconds that makes a duration.
    Seconds,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, where Codex reads the table around it whole before it looks inside.
    Buffered(&'static [&'static str]),
    /// One of these words; one with a type is the only key of a table and has that type as its value.
    Variant(&'static [(&'static str, Option<Type>)]),
    /// A table whose key `type` says which other keys it has.
    Kinds {
        name: &'static str,
        kinds: &'static [(&'static str, Type)],
    },
    /// Any of these types.
    AnyOf {
        name: &'static str,
        types: &'static [Type],
    },
    /// The type, but for a word that older versions took, with what Codex says of it.
    Retired {
        word: &'static str,
        message: &'static str,
        then: &'static Type,
    },
    /// The type, and these keys are needed.
    Needing(&'static Type, &'static [&'static str]),
    /// The type, and then a check of its own.
    Checked(
        &'static Type,
        for<'m, 'l> fn(&'m Merged<'l>) -> Result<(), Fault>,
    ),
    /// A list of one type. Complaints name no element.
    List(&'static Type),
    /// A table from any name to one type.
    Map(&'static Type),
    /// A table of known keys; others are passed over. A list counts too, its elements in the order of the fields.
    Struct {
        name: &'static str,
        fields: &'static [(&'static str, Type)],
    },
    /// A table of known keys, of which a list must have all to pass for one; what is in the list is not checked.
    Record {
        name: &'static str,
        elements: usize,
        fields: &'static [(&'static str, Type)],
    },
    /// A table of known keys that no list passes for. Complaints about what is flattened into it, or about its other members, name
    /// the table alone.
    Open {
        name: &'static str,
        fields: &'static [(&'static str, Type)],
        flattened: &'static [(&'static str, Type)],
        rest: &'static Type,
    },
    /// A table from any name to one type, called by its Rust struct.
    Table {
        name: &'static str,
        member: &'static Type,
    },
    /// A table of which only its being a table is known here; a list is given the benefit of the doubt.
    Opaque { name: &'static str },
    /// The type, but complaints about what is inside it name it alone.
    Unplaced(&'static Type),
    /// An element of `env_vars`: a name, or `{ name, source }`.
    EnvVar,
    /// A server's whole entry.
    Server,
}

pub(super) const U64: Type = Type::Whole {
    name: "u64",
    least: 0,
    most: u64::MAX as i128,
};
pub(super) const U16: Type = Type::Whole {
    name: "u16",
    least: 0,
    most: u16::MAX as i128,
};
pub(super) const U32: Type = Type::Whole {
    name: "u32",
    least: 0,
    most: u32::MAX as i128,
};
pub(super) const I32: Type = Type::Whole {
    name: "i32",
    least: i32::MIN as i128,
    most: i32::MAX as i128,
};
pub(super) const I64: Type = Type::Whole {
    name: "i64",
    least: i64::MIN as i128,
    most: i64::MAX as i128,
};
pub(super) const USIZE: Type = Type::Whole {
    name: "usize",
    least: 0,
    most: u64::MAX as i128,
};
pub(super) const NONZERO_U64: Type = Type::Whole {
    name: "a nonzero u64",
    least: 1,
    most: u64::MAX as i128,
};
pub(super) const NONZERO: Type = Type::Whole {
    name: "a nonzero usize",
    least: 1,
    most: u64::MAX as i128,
};
pub(super) const TEXTS: Type = Type::List(&Type::Text);
pub(super) const TEXT_MAP: Type = Type::Map(&Type::Text);

/// A complaint of Codex's: its words, the dotted path it names, where the cause stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The words; hidden parts are `•••`.
    pub(super) message: String,
    /// The path to the key, such as `mcp_servers.x.args`; `None` where Codex names none.
    pub(super) within: Option<String>,
    /// The cause.
    pub(super) origin: Option<Origin>,
}

impl Fault {
    pub(super) fn at(value: &Merged<'_>, message: impl Into<String>) -> Self {
        Fault {
            message: message.into(),
            within: None,
            origin: value.origin(),
        }
    }

    /// ` in `PATH``, or nothing.
    pub(super) fn whereabouts(&self) -> String {
        self.within
            .as_deref()
            .map_or_else(String::new, |within| format!(" in `{}`", Shown(within)))
    }

    /// The same, found in `key`.
    pub(super) fn inside(mut self, key: &str) -> Self {
        self.within = Some(match self.within {
            None => key.to_owned(),
            Some(within) => format!("{key}.{within}"),
        });
        self
    }
}

/// Whether numbers may be shown: where text is expected in a server's entry, a number may be a password or a PIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    Shown,
    /// Up to five digits: a port, but no key.
    Short,
    Hidden,
}

impl Numbers {
    /// The same for the value of `key` in a server's entry.
    fn under(self, key: &str) -> Numbers {
        let secret = key.starts_with("bearer_token")
            || matches!(
                key,
                "args" | "env" | "http_headers" | "env_http_headers" | "oauth"
            );
        if self == Numbers::Short && secret {
            Numbers::Hidden
        } else {
            self
        }
    }
}

impl Type {
    /// Holds `value` against this type, in the order in which Codex reads.
    ///
    /// # Errors
    /// The first complaint.
    pub(super) fn check(&self, value: &Merged<'_>, numbers: Numbers) -> Result<(), Fault> {
        let wrong = || {
            Err(Fault::at(
                value,
                format!(
                    "invalid type: {}, expected {}",
                    self.found(value, numbers),
                    self.expected()
                ),
            ))
        };
        match self {
            Type::Any => Ok(()),
            Type::Text | Type::Path => value.as_str().map_or_else(wrong, |_| Ok(())),
            Type::Bool => value.as_bool().map_or_else(wrong, |_| Ok(())),
            Type::Whole { least, most, .. } => {
                match value.as_number().and_then(|number| number.as_i128()) {
                    None => wrong(),
                    Some(number) if (*least..=*most).contains(&number) => Ok(()),
                    Some(number) => Err(Fault::at(
                        value,
                        format!(
                            "invalid value: integer `{number}`, expected {}",
                            self.expected()
                        ),
                    )),
                }
            }
            Type::Float => value.as_number().map_or_else(wrong, |_| Ok(())),
            Type::Seconds => match value.as_number() {
                None => wrong(),
                Some(number) => {
                    duration(number.as_f64()).map_err(|message| Fault::at(value, message))
                }
            },
            Type::Choice(words) => choice(words, value),
            Type::Buffered(words) => match value.as_str() {
                Some(word) => known_word(words, word, value),
                None if value.is_table() => choice(words, value),
                None => wrong(),
            },
            Type::Variant(variants) => variant(variants, value, numbers),
            Type::Kinds { kinds, .. } => match (&value.content, value.as_list()) {
                (Content::Table(_), _) => kind(kinds, value, numbers),
                (_, Some(_)) => Err(missing(value, "type")),
                _ => wrong(),
            },
            Type::AnyOf { name, types } => types
                .iter()
                .any(|kind| kind.check(value, numbers).is_ok())
                .then_some(())
                .ok_or_else(|| {
                    let words = format!("data did not match any variant of untagged enum {name}");
                    Fault::at(value, words)
                }),
            Type::Retired { word, message, .. } if value.as_str() == Some(*word) => {
                Err(Fault::at(value, *message))
            }
            Type::Retired { then, .. } => then.check(value, numbers),
            Type::Needing(inner, needed) => {
                inner.check(value, numbers)?;
                let lacking = |key: &&&str| value.is_table() && value.get(key).is_none();
                needed
                    .iter()
                    .find(lacking)
                    .map_or(Ok(()), |key| Err(missing(value, key)))
            }
            Type::Checked(inner, and) => {
                inner.check(value, numbers)?;
                and(value)
            }
            Type::List(element) => match value.as_list() {
                None => wrong(),
                Some(items) => items
                    .iter()
                    .try_for_each(|item| element.check(item, numbers)),
            },
            Type::Map(member) | Type::Table { member, .. } => match value.is_table() {
                false => wrong(),
                true => value.members().try_for_each(|(key, inner)| {
                    member
                        .check(inner, numbers)
                        .map_err(|fault| fault.inside(key))
                }),
            },
            Type::Struct { fields, .. } => match (&value.content, value.as_list()) {
                (Content::Table(_), _) => check_fields(fields, value, numbers),
                (_, Some(items)) => fields
                    .iter()
                    .zip(items)
                    .try_for_each(|((_, field), item)| field.check(item, numbers))
                    .map_err(unplaced),
                _ => wrong(),
            },
            Type::Record {
                name,
                elements,
                fields,
            } => match (&value.content, value.as_list()) {
                (Content::Table(_), _) => check_fields(fields, value, numbers),
                (_, Some(items)) if items.len() < *elements => {
                    let s = if *elements == 1 { "" } else { "s" };
                    let words = format!(
                        "invalid length {}, expected struct {name} with {elements} element{s}",
                        items.len()
                    );
                    Err(Fault::at(value, words))
                }
                (_, Some(_)) => Ok(()),
                _ => wrong(),
            },
            Type::Open {
                fields,
                flattened,
                rest,
                ..
            } => match value.is_table() {
                false => wrong(),
                true => value.members().try_for_each(|(key, inner)| {
                    let of = |known: &'static [(&'static str, Type)]| {
                        known.iter().find(|(name, _)| *name == key)
                    };
                    match (of(fields), of(flattened)) {
                        (Some((name, field)), _) => field
                            .check(inner, numbers)
                            .map_err(|fault| fault.inside(name)),
                        (None, Some((_, field))) => field.check(inner, numbers).map_err(unplaced),
                        (None, None) => rest.check(inner, numbers).map_err(unplaced),
                    }
                }),
            },
            Type::Opaque { .. } => {
                if value.is_table() || value.as_list().is_some() {
                    Ok(())
                } else {
                    wrong()
                }
            }
            Type::Unplaced(inner) => inner.check(value, numbers).map_err(unplaced),
            Type::EnvVar => env_var(value),
            Type::Server => super::validate::check_server(value),
        }
    }

    /// What Codex says it expected.
    pub(super) fn expected(&self) -> String {
        match self {
            Type::Text => "a string".to_owned(),
            Type::Path => "path string".to_owned(),
            Type::Bool => "a boolean".to_owned(),
            Type::Whole { name, .. } => (*name).to_owned(),
            Type::Float | Type::Seconds => "f64".to_owned(),
            Type::List(_) => "a sequence".to_owned(),
            Type::Map(_) => "a map".to_owned(),
            Type::Struct { name, .. }
            | Type::Record { name, .. }
            | Type::Open { name, .. }
            | Type::Table { name, .. }
            | Type::Opaque { name } => format!("struct {name}"),
            Type::Kinds { name, .. } => format!("internally tagged enum {name}"),
            Type::Buffered(_) => "string or map".to_owned(),
            Type::Needing(inner, _) | Type::Checked(inner, _) => inner.expected(),
            Type::Server => "struct RawMcpServerConfig".to_owned(),
            Type::Unplaced(inner) => inner.expected(),
            // These word their complaints themselves.
            Type::Any
            | Type::Choice(_)
            | Type::Variant(_)
            | Type::AnyOf { .. }
            | Type::Retired { .. }
            | Type::EnvVar => String::new(),
        }
    }

    /// What Codex says it found. Text is always hidden: whatever stands in the wrong place may be a secret.
    fn found(&self, value: &Merged<'_>, numbers: Numbers) -> String {
        let text = matches!(self, Type::Text | Type::Path);
        let number = |found: String| {
            let hide = match numbers {
                Numbers::Shown => false,
                Numbers::Short => found.len() > 5,
                Numbers::Hidden => true,
            };
            if text && hide {
                Masked::HIDDEN.to_owned()
            } else {
                found
            }
        };
        match &value.content {
            Content::Table(_) => "map".to_owned(),
            Content::List(_) => "sequence".to_owned(),
            Content::Scalar(Value::Bool(value)) => format!("boolean `{value}`"),
            Content::Scalar(Value::Number(found)) => match found.as_i128() {
                Some(integer) => format!("integer `{}`", number(integer.to_string())),
                None => format!("floating point `{}`", number(float(found.as_f64()))),
            },
            Content::Scalar(Value::Null) => "null".to_owned(),
            Content::Scalar(_) => format!("string \"{}\"", Masked::HIDDEN),
        }
    }
}

/// Checks the known keys of a table in the order of the file.
pub(super) fn check_fields(
    fields: &[(&'static str, Type)],
    value: &Merged<'_>,
    numbers: Numbers,
) -> Result<(), Fault> {
    value
        .members()
        .filter(|(_, inner)| !inner.is_null())
        .try_for_each(|(key, inner)| {
            let known = fields.iter().find(|(name, _)| *name == key);
            known.map_or(Ok(()), |(name, field)| {
                field
                    .check(inner, numbers.under(name))
                    .map_err(|fault| fault.inside(name))
            })
        })
}

/// Whether `seconds` make a duration, in the words of the standard library, which are Codex's.
pub(super) fn duration(seconds: f64) -> Result<(), String> {
    Duration::try_from_secs_f64(seconds)
        .map(|_| ())
        .map_err(|error| error.to_string())
}

fn unplaced(fault: Fault) -> Fault {
    Fault {
        within: None,
        ..fault
    }
}

/// A number as `serde` prints it: never without a decimal point.
fn float(number: f64) -> String {
    let text = number.to_string();
    if number.is_finite() && !text.contains('.') {
        format!("{text}.0")
    } else {
        text
    }
}
