//! The fields of a form: text, numbers, yes or no, one or several of a few.

use serde_json::{Map, Value};

/// A field. Texts are foreign.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its key.
    pub name: String,
    /// What it is called.
    pub title: Option<String>,
    /// What it means.
    pub description: Option<String>,
    /// Whether it must be filled in.
    pub required: bool,
    /// What may be filled in.
    pub kind: FieldKind,
    /// What it holds unless it is filled in otherwise; fits the kind.
    pub default: Option<Value>,
}

/// What may be filled in.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    /// Text.
    Text {
        /// Characters at least.
        least: Option<u64>,
        /// Characters at most.
        most: Option<u64>,
        /// `email`, `uri`, `date`, `date-time`, or another word.
        format: Option<String>,
    },
    /// A number.
    Number {
        /// Only whole ones.
        whole: bool,
        /// At least.
        least: Option<f64>,
        /// At most.
        most: Option<f64>,
    },
    /// Yes or no.
    YesNo,
    /// One of these.
    One(Vec<Choice>),
    /// Some of these.
    Several {
        /// Which.
        of: Vec<Choice>,
        /// So many at least.
        least: Option<u64>,
        /// So many at most.
        most: Option<u64>,
    },
}

/// Something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What it is called.
    pub title: String,
}

/// Forms are simple; a larger one is none.
const FIELDS: usize = 100;
const CHOICES: usize = 1_000;

impl Field {
    /// The fields that the schema of a form has.
    ///
    /// # Errors
    /// What is wrong with it, for the server to read.
    pub fn all(schema: &Value) -> Result<Vec<Field>, String> {
        let none = Map::new();
        let properties = match schema.get("properties") {
            Some(Value::Object(properties)) => properties,
            None => &none,
            Some(_) => return Err("the properties are no object".to_owned()),
        };
        if properties.len() > FIELDS {
            return Err(format!("the form has more than {FIELDS} fields"));
        }
        let required = schema.get("required").and_then(Value::as_array);
        let required: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        properties
            .iter()
            .map(|(name, schema)| {
                let kind = FieldKind::of(schema).ok_or_else(|| {
                    format!("the field {name} is of a kind that forms do not have")
                })?;
                let default = schema.get("default").cloned();
                let default = default.filter(|default| kind.check(default).is_ok());
                Ok(Field {
                    name: name.clone(),
                    title: text(schema, "title"),
                    description: text(schema, "description"),
                    required: required.contains(&name.as_str()),
                    kind,
                    default,
                })
            })
            .collect()
    }

    /// What it is called.
    pub fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// The value that `answer`, typed by the user, stands for; `None` where it stays empty.
    ///
    /// # Errors
    /// What is wrong with it, for the user to read.
    pub fn read(&self, answer: &str) -> Result<Option<Value>, String> {
        let answer = answer.trim();
        if answer.is_empty() {
            return match &self.default {
                Some(default) => Ok(Some(default.clone())),
                None if self.required => Err("this must be filled in".to_owned()),
                None => Ok(None),
            };
        }
        let value = self.kind.read(answer)?;
        self.kind.check(&value)?;
        Ok(Some(value))
    }
}

impl FieldKind {
    fn of(schema: &Value) -> Option<FieldKind> {
        let whole = |key: &str| schema.get(key).and_then(Value::as_u64);
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        if let Some(choices) = choices(schema) {
            return choices;
        }
        Some(match schema.get("type")?.as_str()? {
            "string" => FieldKind::Text {
                least: whole("minLength"),
                most: whole("maxLength"),
                format: text(schema, "format"),
            },
            kind @ ("number" | "integer") => FieldKind::Number {
                whole: kind == "integer",
                least: number("minimum"),
                most: number("maximum"),
            },
            "boolean" => FieldKind::YesNo,
            "array" => match choices(schema.get("items")?)?? {
                FieldKind::One(of) => FieldKind::Several {
                    of,
                    least: whole("minItems"),
                    most: whole("maxItems"),
                },
                _ => return None,
            },
            _ => return None,
        })
    }

    fn read(&self, answer: &str) -> Result<Value, String> {
        match self {
            FieldKind::Text { .. } => Ok(Value::from(answer)),
            FieldKind::Number { .. } => match serde_json::from_str(answer) {
                Ok(Value::Number(number)) => Ok(Value::Number(number)),
                _ => Err("this is no number".to_owned()),
            },
            FieldKind::YesNo => match answer.to_lowercase().as_str() {
                "y" | "yes" | "true" => Ok(Value::Bool(true)),
                "n" | "no" | "false" => Ok(Value::Bool(false)),
                _ => Err("yes or no?".to_owned()),
            },
            FieldKind::One(of) => chosen(of, answer).map(Value::from),
            FieldKind::Several { of, .. } => {
                let words = answer.split(',').map(str::trim);
                let words = words.filter(|word| !word.is_empty());
                let values = words.map(|word| chosen(of, word).map(Value::from));
                let mut values: Vec<Value> = values.collect::<Result<_, String>>()?;
                values.dedup();
                Ok(Value::Array(values))
            }
        }
    }

    /// Whether `value` may be sent.
    fn check(&self, value: &Value) -> Result<(), String> {
        match (self, value) {
            (
                FieldKind::Text {
                    least,
                    most,
                    format,
                },
                Value::String(text),
            ) => {
                let length = text.chars().count() as u64;
                within(length, *least, *most, "characters")?;
                match format.as_deref() {
                    Some(format) if !fits_format(format, text) => Err(match format {
                        "email" => "this is no mail address".to_owned(),
                        "uri" => "this is no address".to_owned(),
                        "date" => "a date is written 2026-11-30".to_owned(),
                        _ => "a time is written 2026-11-30T12:00:00Z".to_owned(),
                    }),
                    _ => Ok(()),
                }
            }
            (FieldKind::Number { whole, least, most }, Value::Number(number)) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                match (*least, *most) {
                    _ if *whole && number.fract() != 0.0 => {
                        Err("this is no whole number".to_owned())
                    }
                    (Some(least), _) if number < least => Err(format!("at least {least}")),
                    (_, Some(most)) if number > most => Err(format!("at most {most}")),
                    _ => Ok(()),
                }
            }
            (FieldKind::YesNo, Value::Bool(_)) => Ok(()),
            (FieldKind::One(of), Value::String(value)) => known(of, value),
            (FieldKind::Several { of, least, most }, Value::Array(values)) => {
                within(values.len() as u64, *least, *most, "choices")?;
                values
                    .iter()
                    .try_for_each(|value| known(of, value.as_str().unwrap_or_default()))
            }
            _ => Err("this is of another kind".to_owned()),
        }
    }
}

/// The choices of a schema that offers some; the inner `None` where there are too many or none.
fn choices(schema: &Value) -> Option<Option<FieldKind>> {
    let titled = ["oneOf", "anyOf"].iter().find_map(|key| schema.get(*key));
    let of: Vec<Choice> = if let Some(titled) = titled {
        let choice = |one: &Value| {
            let value = text(one, "const")?;
            let title = text(one, "title").unwrap_or_else(|| value.clone());
            Some(Choice { value, title })
        };
        titled.as_array()?.iter().filter_map(choice).collect()
    } else {
        let values = schema.get("enum")?.as_array()?;
        let names = schema.get("enumNames").and_then(Value::as_array);
        let choice = |(at, value): (usize, &Value)| {
            let value = value.as_str()?.to_owned();
            let name = names.and_then(|names| names.get(at)?.as_str());
            let title = name.unwrap_or(&value).to_owned();
            Some(Choice { value, title })
        };
        values.iter().enumerate().filter_map(choice).collect()
    };
    let fits = !of.is_empty() && of.len() <= CHOICES;
    Some(fits.then_some(FieldKind::One(of)))
}

/// The choice that is meant by its number, its value or its title.
fn chosen(of: &[Choice], word: &str) -> Result<String, String> {
    let exact = of.iter().find(|choice| choice.value == word);
    let titled = || {
        of.iter()
            .find(|choice| choice.title.eq_ignore_ascii_case(word))
    };
    let numbered = || of.get(word.parse::<usize>().ok()?.checked_sub(1)?);
    let choice = exact.or_else(titled).or_else(numbered);
    let choice = choice.ok_or_else(|| format!("one of 1 to {}", of.len()))?;
    Ok(choice.value.clone())
}

fn known(of: &[Choice], value: &str) -> Result<(), String> {
    let known = of.iter().any(|choice| choice.value == value);
    known
        .then_some(())
        .ok_or_else(|| format!("one of 1 to {}", of.len()))
}

fn within(number: u64, least: Option<u64>, most: Option<u64>, what: &str) -> Result<(), String> {
    match (least, most) {
        (Some(least), _) if number < least => Err(format!("at least {least} {what}")),
        (_, Some(most)) if number > most => Err(format!("at most {most} {what}")),
        _ => Ok(()),
    }
}

/// Whether `text` looks like what `format` names. What is beyond doubt wrong is caught; the server decides.
fn fits_format(format: &str, text: &str) -> bool {
    let digits = |text: &str, pattern: &str| {
        text.len() == pattern.len()
            && text
                .bytes()
                .zip(pattern.bytes())
                .all(|(byte, pattern)| match pattern {
                    b'0' => byte.is_ascii_digit(),
                    pattern => byte == pattern,
                })
    };
    match format {
        "email" => {
            text.split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty())
                && !text.contains(' ')
        }
        "uri" => url::Url::parse(text).is_ok(),
        "date" => digits(text, "0000-00-00"),
        "date-time" => text
            .split_once(['T', 't', ' '])
            .is_some_and(|(date, time)| {
                let clock = time.get(..8).is_some_and(|clock| digits(clock, "00:00:00"));
                digits(date, "0000-00-00") && clock && time.len() > 8
            }),
        _ => true,
    }
}

fn text(schema: &Value, key: &str) -> Option<String> {
    schema.get(key)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn field(schema: Value) -> Field {
        let form = json!({"properties": {"f": schema}, "required": ["f"]});
        Field::all(&form).unwrap().remove(0)
    }

    #[test]
    fn answers_are_read_as_the_field_wants_them() {
        let colours = json!({"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]});
        let several = json!({"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2});
        for (schema, answer, expected) in [
            (json!({"type": "string"}), " x ", Ok(json!("x"))),
            (
                json!({"type": "string", "minLength": 3}),
                "x",
                Err("at least 3 characters"),
            ),
            (
                json!({"type": "string", "maxLength": 1}),
                "xx",
                Err("at most 1 characters"),
            ),
            (
                json!({"type": "string", "format": "email"}),
                "me@host.example",
                Ok(json!("me@host.example")),
            ),
            (
                json!({"type": "string", "format": "email"}),
                "me",
                Err("this is no mail address"),
            ),
            (
                json!({"type": "string", "format": "uri"}),
                "no",
                Err("this is no address"),
            ),
            (
                json!({"type": "string", "format": "date"}),
                "2026-11-30",
                Ok(json!("2026-11-30")),
            ),
            (
                json!({"type": "string", "format": "date"}),
                "30.11.",
                Err("a date is written 2026-11-30"),
            ),
            (
                json!({"type": "string", "format": "date-time"}),
                "2026-11-30T12:00:00Z",
                Ok(json!("2026-11-30T12:00:00Z")),
            ),
            (json!({"type": "integer"}), "5", Ok(json!(5))),
            (
                json!({"type": "integer"}),
                "5.5",
                Err("this is no whole number"),
            ),
            (
                json!({"type": "number", "maximum": 5}),
                "6",
                Err("at most 5"),
            ),
            (
                json!({"type": "number", "minimum": 5}),
                "4.5",
                Err("at least 5"),
            ),
            (json!({"type": "number"}), "five", Err("this is no number")),
            (json!({"type": "boolean"}), "y", Ok(json!(true))),
            (json!({"type": "boolean"}), "No", Ok(json!(false))),
            (json!({"type": "boolean"}), "maybe", Err("yes or no?")),
            (colours.clone(), "red", Ok(json!("r"))),
            (colours.clone(), "g", Ok(json!("g"))),
            (colours.clone(), "2", Ok(json!("g"))),
            (colours.clone(), "3", Err("one of 1 to 2")),
            (colours, "0", Err("one of 1 to 2")),
            (
                json!({"type": "string", "enum": ["x"], "enumNames": ["The X"]}),
                "the x",
                Ok(json!("x")),
            ),
            (several.clone(), "a, 3", Ok(json!(["a", "c"]))),
            (several, "a,b,c", Err("at most 2 choices")),
            (json!({"type": "string"}), "", Err("this must be filled in")),
            (
                json!({"type": "string", "default": "d"}),
                "",
                Ok(json!("d")),
            ),
        ] {
            let read = field(schema.clone()).read(answer);
            let expected = expected.map(Some).map_err(str::to_owned);
            assert_eq!(read, expected, "{schema} {answer:?}");
        }
    }

    #[test]
    fn a_default_that_does_not_fit_is_none() {
        assert_eq!(
            field(json!({"type": "integer", "default": "x"})).default,
            None
        );
        assert_eq!(
            field(json!({"type": "string", "enum": ["a"], "default": "b"})).default,
            None
        );
    }

    #[test]
    fn kinds_that_forms_do_not_have_are_refused() {
        for schema in [
            json!({"type": "object"}),
            json!({"type": "array", "items": {"type": "object"}}),
            json!({"type": "string", "enum": []}),
            json!({}),
            json!(null),
        ] {
            let form = json!({"properties": {"f": schema}});
            assert!(Field::all(&form).is_err(), "{form}");
        }
        assert_eq!(Field::all(&json!({})), Ok(Vec::new()));
    }
}
