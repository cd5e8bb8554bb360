//! Codex's typed reading of a value, as data, with the words of its complaints.
//!
//! Codex deserialises the merged configuration into Rust structs, so its messages are those of `serde`. Observed on 0.171.0.

use std::time::Duration;

use muster_document::{Masked, Secret, Shown, Value};

use super::merge::{Content, Merged, Origin};

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
    /// A list of one type. Complaints about an element name the list.
    List(&'static Type),
    /// A table from any name to one type.
    Map(&'static Type),
    /// A table of known keys; others are passed over. A list counts too, its elements in the order of the fields.
    Struct {
        name: &'static str,
        fields: &'static [(&'static str, Type)],
    },
    /// A table from any name to one type, called by its Rust struct.
    Table {
        name: &'static str,
        member: &'static Type,
    },
    /// A table of which only its being a table is known here; a list is given the benefit of the doubt.
    Opaque { name: &'static str },
    /// A feature: mostly `true` or `false`; some take a table of their own.
    Feature,
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
    Hidden,
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
            Type::List(element) => match value.as_list() {
                None => wrong(),
                // Codex's path stops at the list.
                Some(items) => items
                    .iter()
                    .try_for_each(|item| element.check(item, numbers))
                    .map_err(unplaced),
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
            Type::Feature if value.is_table() => Ok(()),
            Type::Feature => Type::Bool.check(value, numbers),
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
    fn expected(&self) -> String {
        match self {
            Type::Text => "a string".to_owned(),
            Type::Path => "path string".to_owned(),
            Type::Bool | Type::Feature => "a boolean".to_owned(),
            Type::Whole { name, .. } => (*name).to_owned(),
            Type::Float | Type::Seconds => "f64".to_owned(),
            Type::List(_) => "a sequence".to_owned(),
            Type::Map(_) => "a map".to_owned(),
            Type::Struct { name, .. } | Type::Table { name, .. } | Type::Opaque { name } => {
                format!("struct {name}")
            }
            Type::Server => "struct RawMcpServerConfig".to_owned(),
            Type::Unplaced(inner) => inner.expected(),
            // These two word their complaints themselves.
            Type::Any | Type::Choice(_) | Type::EnvVar => String::new(),
        }
    }

    /// What Codex says it found. Text is always hidden: whatever stands in the wrong place may be a secret.
    fn found(&self, value: &Merged<'_>, numbers: Numbers) -> String {
        let hide = numbers == Numbers::Hidden && matches!(self, Type::Text | Type::Path);
        let number = |text: String| {
            if hide {
                Masked::HIDDEN.to_owned()
            } else {
                text
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
                    .check(inner, numbers)
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

/// One of a few words; a table of one key counts as that key.
fn choice(words: &[&str], value: &Merged<'_>) -> Result<(), Fault> {
    let word = match &value.content {
        Content::Scalar(Value::String(word)) => word.as_str(),
        Content::Table(_) => {
            let mut members = value.members();
            match (members.next(), members.next()) {
                (Some((key, _)), None) => key,
                (None, _) => {
                    return Err(Fault::at(
                        value,
                        "wanted exactly 1 element, found 0 elements",
                    ));
                }
                _ => {
                    return Err(Fault::at(
                        value,
                        "wanted exactly 1 element, more than 1 element",
                    ));
                }
            }
        }
        _ => {
            return Err(Fault::at(
                value,
                "invalid type: unit variant, expected string only",
            ));
        }
    };
    if words.contains(&word) {
        return Ok(());
    }
    let expected = match words {
        [one, two] => format!("`{one}` or `{two}`"),
        words => format!(
            "one of {}",
            words
                .iter()
                .map(|word| format!("`{word}`"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    Err(Fault::at(
        value,
        format!(
            "unknown variant `{}`, expected {expected}",
            Masked::word(&Secret::new(word))
        ),
    ))
}

fn env_var(value: &Merged<'_>) -> Result<(), Fault> {
    let text = |key| value.get(key).is_some_and(|inner| inner.as_str().is_some());
    let known = || {
        value
            .members()
            .all(|(key, _)| key == "name" || (key == "source" && text("source")))
    };
    if value.as_str().is_some() || (text("name") && known()) {
        return Ok(());
    }
    Err(Fault::at(
        value,
        "data did not match any variant of untagged enum McpServerEnvVar",
    ))
}
