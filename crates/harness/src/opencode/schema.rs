//! Shapes of values, as data, and what OpenCode says of a value that has another. Unknown keys are passed over.

use muster_document::{Key, Masked, Member, Node, Secret, Shown, Span, Value};

use super::layers::Layer;

/// What a value must look like.
#[derive(Debug)]
pub(super) enum Schema {
    /// Anything.
    Any,
    Text,
    /// Text of a form: how OpenCode writes the form, and the test.
    Form(&'static str, fn(&str) -> bool),
    Flag,
    /// One of a few words.
    Words(&'static [&'static str]),
    /// `false` alone, or `true` alone.
    Only(bool),
    Finite,
    /// A whole number between the two; no upper bound but JavaScript's where the second is none.
    Whole(f64, Option<f64>),
    List(&'static Schema),
    Pair(&'static Schema, &'static Schema),
    /// Any keys, all of their values of one shape.
    Record(&'static Schema),
    /// Known keys; the others must be of the second shape where there is one.
    Table(&'static [Field], Option<&'static Schema>),
    /// One of several.
    Either(&'static [Schema]),
    /// Each of several.
    All(&'static [&'static Schema]),
}

/// A known key of a table.
#[derive(Debug)]
pub(super) struct Field {
    name: &'static str,
    schema: &'static Schema,
    required: bool,
}

/// A key that may be left out.
pub(super) const fn optional(name: &'static str, schema: &'static Schema) -> Field {
    Field {
        name,
        schema,
        required: false,
    }
}

/// A key that must be there.
pub(super) const fn required(name: &'static str, schema: &'static Schema) -> Field {
    Field {
        name,
        schema,
        required: true,
    }
}

/// A value of the wrong shape.
#[derive(Debug, Clone)]
pub(super) struct Fault<'l> {
    /// `Expected array`, `Missing key`.
    pub(super) complaint: String,
    pub(super) got: Option<&'l Node>,
    pub(super) path: Vec<Step<'l>>,
    pub(super) span: Span,
}

/// A part of the way to a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'l> {
    Key(&'l Key),
    Index(usize),
    /// A key that is not there.
    Missing(&'static str),
}

/// The members of an object as JavaScript keeps them: of duplicates the last, and none called `__proto__`, which sets something else.
pub(super) fn own(node: &Node) -> Vec<&Member> {
    let mut members = node.effective_members();
    members.retain(|member| member.key.text != "__proto__");
    members
}

/// What is wrong with `node`, which stands where `schema` is wanted; the first fault. `path` leads to it.
pub(super) fn check<'l>(
    node: &'l Node,
    schema: &'static Schema,
    path: &[Step<'l>],
) -> Result<(), Fault<'l>> {
    Checker {
        path: path.to_vec(),
    }
    .node(node, schema, false)
}

struct Checker<'l> {
    path: Vec<Step<'l>>,
}

impl<'l> Checker<'l> {
    fn node(
        &mut self,
        node: &'l Node,
        schema: &'static Schema,
        optional: bool,
    ) -> Result<(), Fault<'l>> {
        let fits = match (schema, &node.value) {
            (Schema::Any, _) => true,
            (Schema::Text, Value::String(_)) | (Schema::Flag, Value::Bool(_)) => true,
            (Schema::Only(only), Value::Bool(value)) => only == value,
            (Schema::Words(words), Value::String(text)) => words.contains(&text.as_str()),
            (Schema::Form(form, fits), Value::String(text)) => {
                if !fits(text) {
                    let complaint = format!("Expected a string matching the RegExp {form}");
                    return Err(self.fault(complaint, node));
                }
                true
            }
            (Schema::Finite, Value::Number(number)) => number.as_f64().is_finite(),
            (Schema::Whole(least, most), Value::Number(number)) => {
                return match number_fault(number.as_f64(), *least, *most) {
                    Some(complaint) => Err(self.fault(complaint, node)),
                    None => Ok(()),
                };
            }
            (Schema::List(inner), Value::Array(items)) => {
                return self.items(items.iter().map(|item| (item, *inner)));
            }
            (Schema::Pair(first, second), Value::Array(items)) if items.len() == 2 => {
                return self.items(items.iter().zip([*first, *second]));
            }
            (Schema::Record(inner), Value::Table(_)) => {
                for member in own(node) {
                    self.member(member, inner, false)?;
                }
                return Ok(());
            }
            (Schema::Table(fields, rest), Value::Table(_)) => {
                return self.table(node, fields, *rest);
            }
            (Schema::Either(choices), _) => return self.either(node, choices, optional),
            (Schema::All(all), _) => {
                return all
                    .iter()
                    .try_for_each(|one| self.node(node, one, optional));
            }
            _ => false,
        };
        match fits {
            true => Ok(()),
            false => {
                let undefined = if optional { " | undefined" } else { "" };
                Err(self.fault(format!("Expected {}{undefined}", noun(schema)), node))
            }
        }
    }

    fn items(
        &mut self,
        items: impl Iterator<Item = (&'l Node, &'static Schema)>,
    ) -> Result<(), Fault<'l>> {
        for (at, (item, schema)) in items.enumerate() {
            self.path.push(Step::Index(at));
            self.node(item, schema, false)?;
            self.path.pop();
        }
        Ok(())
    }

    fn table(
        &mut self,
        node: &'l Node,
        fields: &'static [Field],
        rest: Option<&'static Schema>,
    ) -> Result<(), Fault<'l>> {
        for field in fields {
            match node.member(field.name) {
                Some(member) => self.member(member, field.schema, !field.required)?,
                None if field.required => {
                    let mut path = self.path.clone();
                    path.push(Step::Missing(field.name));
                    return Err(Fault {
                        complaint: "Missing key".to_owned(),
                        got: None,
                        path,
                        span: node.span,
                    });
                }
                None => {}
            }
        }
        if let Some(rest) = rest {
            for member in own(node) {
                if !fields.iter().any(|field| field.name == member.key.text) {
                    self.member(member, rest, false)?;
                }
            }
        }
        Ok(())
    }

    fn member(
        &mut self,
        member: &'l Member,
        schema: &'static Schema,
        optional: bool,
    ) -> Result<(), Fault<'l>> {
        self.path.push(Step::Key(&member.key));
        self.node(&member.value, schema, optional)?;
        self.path.pop();
        Ok(())
    }

    /// Of several shapes, the fault of the only one of the same kind; where there is no such, what would have been right.
    fn either(
        &mut self,
        node: &'l Node,
        choices: &'static [Schema],
        optional: bool,
    ) -> Result<(), Fault<'l>> {
        let length = self.path.len();
        let mut faults = Vec::new();
        for choice in choices {
            match self.node(node, choice, false) {
                Ok(()) => return Ok(()),
                Err(fault) => faults.push((choice, fault)),
            }
            self.path.truncate(length);
        }
        faults.retain(|(choice, _)| is_of_kind(node, choice));
        if let (Some((_, fault)), true) = (faults.pop(), faults.is_empty()) {
            return Err(fault);
        }
        let mut nouns: Vec<String> = choices.iter().map(noun).collect();
        nouns.extend(optional.then(|| "undefined".to_owned()));
        Err(self.fault(format!("Expected {}", nouns.join(" | ")), node))
    }

    fn fault(&self, complaint: String, node: &'l Node) -> Fault<'l> {
        Fault {
            complaint,
            got: Some(node),
            path: self.path.clone(),
            span: node.span,
        }
    }
}

fn number_fault(number: f64, least: f64, most: Option<f64>) -> Option<String> {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    if number.fract() != 0.0 || number.abs() > SAFE || !number.is_finite() {
        return Some("Expected an integer".to_owned());
    }
    match most {
        Some(most) if !(least..=most).contains(&number) => {
            Some(format!("Expected a value between {least} and {most}"))
        }
        None if number < least && least == 1.0 => {
            Some("Expected a value greater than 0".to_owned())
        }
        None if number < least => {
            Some(format!("Expected a value greater than or equal to {least}"))
        }
        _ => None,
    }
}

fn is_of_kind(node: &Node, schema: &Schema) -> bool {
    match schema {
        Schema::Any => true,
        Schema::Text | Schema::Form(..) | Schema::Words(_) => {
            matches!(node.value, Value::String(_))
        }
        Schema::Flag | Schema::Only(_) => matches!(node.value, Value::Bool(_)),
        Schema::Finite | Schema::Whole(..) => matches!(node.value, Value::Number(_)),
        Schema::List(_) | Schema::Pair(..) => matches!(node.value, Value::Array(_)),
        Schema::Record(_) | Schema::Table(..) => matches!(node.value, Value::Table(_)),
        Schema::Either(choices) => choices.iter().any(|choice| is_of_kind(node, choice)),
        Schema::All(all) => all.iter().all(|one| is_of_kind(node, one)),
    }
}

fn noun(schema: &Schema) -> String {
    match schema {
        Schema::Any => "anything".to_owned(),
        Schema::Text => "string".to_owned(),
        Schema::Form(form, _) => format!("a string matching the RegExp {form}"),
        Schema::Flag => "boolean".to_owned(),
        Schema::Words(words) => {
            let words: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
            words.join(" | ")
        }
        Schema::Only(only) => only.to_string(),
        Schema::Finite => "a finite number".to_owned(),
        Schema::Whole(..) => "number".to_owned(),
        Schema::List(_) | Schema::Pair(..) => "array".to_owned(),
        Schema::Record(_) | Schema::Table(..) => "object".to_owned(),
        Schema::Either(choices) => choices.iter().map(noun).collect::<Vec<_>>().join(" | "),
        Schema::All(all) => all.first().map(|one| noun(one)).unwrap_or_default(),
    }
}

fn as_written(layer: Option<&Layer>, span: Span, text: &str) -> String {
    match layer {
        Some(layer) => layer.as_written(span, text),
        None => text.to_owned(),
    }
}

impl Fault<'_> {
    /// OpenCode's words, with what may be secret hidden; `layer` is the one it is about, if its text was changed before it was read.
    pub(super) fn sentence(&self, layer: Option<&Layer>) -> String {
        let mut out = self.complaint.clone();
        if let Some(got) = self.got {
            out.push_str(", got ");
            out.push_str(&self.shown(got, layer));
        }
        for (at, step) in self.path.iter().enumerate() {
            out.push(if at == 0 { ' ' } else { '.' });
            match step {
                Step::Index(index) => out.push_str(&index.to_string()),
                Step::Missing(name) => out.push_str(name),
                Step::Key(key) => {
                    let written = as_written(layer, key.span, &key.text);
                    out.push_str(&Shown(&written).to_string());
                }
            }
        }
        out
    }

    /// The value, or its kind where it is longer.
    fn shown(&self, got: &Node, layer: Option<&Layer>) -> String {
        match &got.value {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Array(items) if items.is_empty() => "[]".to_owned(),
            Value::Table(members) if members.is_empty() => "{}".to_owned(),
            Value::Array(_) => "[…]".to_owned(),
            Value::Table(_) => "{…}".to_owned(),
            Value::String(text) => {
                let text = as_written(layer, got.span, text);
                format!("\"{}\"", self.masked(&text))
            }
            Value::Number(number)
                if self.is_plain() && layer.is_none_or(|layer| !layer.is_changed(got.span)) =>
            {
                Shown(&number.text).to_string()
            }
            Value::Number(_) | Value::Datetime(_) => Masked::HIDDEN.to_owned(),
        }
    }

    /// A text of the wrong place. What it is meant for says how much of it can be read; elsewhere only words that are no secret can.
    fn masked(&self, text: &str) -> Masked {
        const WORDS: [&str; 14] = [
            "",
            "true",
            "false",
            "yes",
            "no",
            "on",
            "off",
            "local",
            "remote",
            "stdio",
            "http",
            "sse",
            "streamable-http",
            "streamableHttp",
        ];
        let secret = Secret::new(text);
        let digits = text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit());
        match self.last_key() {
            Some("command") => Masked::word(&secret),
            Some("url") => Masked::url(&secret),
            Some("cwd") => Masked::path(&secret),
            _ if self.is_plain() && (digits || WORDS.contains(&text)) => Masked::word(&secret),
            _ => Masked::value(&secret),
        }
    }

    fn last_key(&self) -> Option<&str> {
        self.path.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key.text.as_str()),
            _ => None,
        })
    }

    /// Whether the value stands where no variable, header field or credential does.
    fn is_plain(&self) -> bool {
        const OPEN: [&str; 24] = [
            "mcp",
            "servers",
            "type",
            "command",
            "cwd",
            "enabled",
            "disabled",
            "timeout",
            "url",
            "startup",
            "catalog",
            "execution",
            "codemode",
            "callbackPort",
            "callback_port",
            "tools",
            "permission",
            "model",
            "mode",
            "share",
            "logLevel",
            "$schema",
            "autoupdate",
            "steps",
        ];
        self.path.len() <= 2 || self.last_key().is_some_and(|key| OPEN.contains(&key))
    }
}
