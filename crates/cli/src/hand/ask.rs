//! A server's questions to the user, on the terminal. Nothing is sent that the user did not see, no page is opened.

use std::sync::Arc;

use muster_client::{BoxFuture, Elicitation, Elicited, Elicits, Field, FieldKind, Form, Visit};
use muster_report::Known;
use serde_json::{Map, Value};

use super::live::Aside;

/// Choices that are listed.
const LISTED: usize = 40;

/// Asks on the terminal, where there is one.
pub(crate) struct Terminal {
    server: String,
    aside: Arc<Aside>,
    known: Arc<Known>,
    /// Whether somebody sits there.
    attended: bool,
}

impl Terminal {
    pub(crate) fn new(
        server: &str,
        aside: &Arc<Aside>,
        known: &Arc<Known>,
        attended: bool,
    ) -> Self {
        Terminal {
            server: server.to_owned(),
            aside: aside.clone(),
            known: known.clone(),
            attended,
        }
    }
}

impl Elicits for Terminal {
    fn elicit(&self, question: Elicitation) -> BoxFuture<'_, Elicited> {
        Box::pin(async move {
            let dialogue = Dialogue {
                server: self.server.clone(),
                aside: self.aside.clone(),
                known: self.known.clone(),
            };
            if !self.attended {
                dialogue.unattended(&question);
                return Elicited::Declined;
            }
            self.aside.asks(true);
            // Whoever types takes long; the runtime goes on meanwhile.
            let asked = tokio::task::spawn_blocking(move || dialogue.ask(&question, &mut line));
            let answered = asked.await.unwrap_or(Elicited::Cancelled);
            self.aside.asks(false);
            answered
        })
    }
}

/// A line that the user types; `None` at the end of the input.
fn line() -> Option<String> {
    let mut line = String::new();
    match std::io::stdin().read_line(&mut line) {
        Ok(1..) => Some(line.trim_end_matches(['\n', '\r']).to_owned()),
        _ => None,
    }
}

struct Dialogue {
    server: String,
    aside: Arc<Aside>,
    known: Arc<Known>,
}

/// Where lines come from.
type Lines<'l> = &'l mut dyn FnMut() -> Option<String>;

impl Dialogue {
    fn tell(&self, text: &str) {
        self.aside.tell(text, &self.known);
    }

    /// The words of the server, line by line.
    fn quote(&self, text: &str) {
        for line in text.lines().take(LISTED) {
            self.tell(&format!("  {line}"));
        }
    }

    fn unattended(&self, question: &Elicitation) {
        match question {
            Elicitation::Form(form) => {
                let names: Vec<&str> = form.fields.iter().map(Field::label).collect();
                let what = names.join(", ");
                self.tell(&format!("{} asks for: {what}", self.server));
                self.quote(&form.message);
            }
            Elicitation::Visit(visit) => {
                let host = visit.host();
                self.tell(&format!(
                    "{} wants a page at {host} to be visited",
                    self.server
                ));
                self.quote(&visit.message);
            }
        }
        self.tell("declined: there is no terminal on which anybody could be asked");
    }

    fn ask(&self, question: &Elicitation, lines: Lines<'_>) -> Elicited {
        match question {
            Elicitation::Form(form) => self.form(form, lines),
            Elicitation::Visit(visit) => self.visit(visit, lines),
        }
    }

    fn form(&self, form: &Form, lines: Lines<'_>) -> Elicited {
        self.tell(&format!("{} asks:", self.server));
        self.quote(&form.message);
        if form.fields.is_empty() {
            return match self.yes("Agree?", lines) {
                Some(true) => Elicited::Accepted(Map::new()),
                Some(false) => Elicited::Declined,
                None => Elicited::Cancelled,
            };
        }
        self.tell("(an empty line takes what is in brackets; `-` declines, Ctrl-D cancels)");
        let mut content = Map::new();
        for field in &form.fields {
            match self.field(field, lines) {
                Typed::Value(Some(value)) => {
                    content.insert(field.name.clone(), value);
                }
                Typed::Value(None) => {}
                Typed::No => return Elicited::Declined,
                Typed::End => return Elicited::Cancelled,
            }
        }
        match self.yes(&format!("Send this to {}?", self.server), lines) {
            Some(true) => Elicited::Accepted(content),
            Some(false) => Elicited::Declined,
            None => Elicited::Cancelled,
        }
    }

    fn field(&self, field: &Field, lines: Lines<'_>) -> Typed {
        let choices = match &field.kind {
            FieldKind::One(of) | FieldKind::Several { of, .. } => of.as_slice(),
            _ => &[],
        };
        let titled = |value: &Value| match value {
            Value::String(text) => {
                let choice = choices.iter().find(|choice| choice.value == *text);
                choice.map_or(text, |choice| &choice.title).clone()
            }
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            other => other.to_string(),
        };
        let default = match &field.default {
            Some(Value::Array(values)) => {
                let titles: Vec<String> = values.iter().map(titled).collect();
                format!(" [{}]", titles.join(", "))
            }
            Some(value) => format!(" [{}]", titled(value)),
            None if field.required => String::new(),
            None => " []".to_owned(),
        };
        let what = match field.kind {
            FieldKind::YesNo => " (yes or no)",
            FieldKind::Number { whole: true, .. } => " (a whole number)",
            FieldKind::Number { .. } => " (a number)",
            FieldKind::Several { .. } => " (some of these, commas between)",
            FieldKind::One(_) => " (one of these)",
            FieldKind::Text { .. } => "",
        };
        if let Some(description) = &field.description {
            self.quote(description);
        }
        for (at, choice) in choices.iter().take(LISTED).enumerate() {
            self.tell(&format!("    {} {}", at + 1, choice.title));
        }
        loop {
            self.tell(&format!("{}{what}{default}:", field.label()));
            let Some(typed) = lines() else {
                return Typed::End;
            };
            if typed.trim() == "-" {
                return Typed::No;
            }
            match field.read(&typed) {
                Ok(value) => return Typed::Value(value),
                Err(why) => self.tell(&format!("  {why}")),
            }
        }
    }

    fn visit(&self, visit: &Visit, lines: Lines<'_>) -> Elicited {
        let host = visit.host();
        self.tell(&format!(
            "{} wants you to visit a page at {host}",
            self.server
        ));
        self.quote(&visit.message);
        self.tell("What you enter there goes to whoever runs it, not through Muster.");
        match self.yes(&format!("Show the address at {host}?"), lines) {
            Some(true) => {}
            Some(false) => return Elicited::Declined,
            None => return Elicited::Cancelled,
        }
        self.tell(visit.url.as_str());
        self.tell("Press Enter when you are done there.");
        match lines() {
            Some(_) => Elicited::Accepted(Map::new()),
            None => Elicited::Cancelled,
        }
    }

    /// Yes or no; `None` at the end of the input.
    fn yes(&self, question: &str, lines: Lines<'_>) -> Option<bool> {
        loop {
            self.tell(&format!("{question} [y/N]"));
            match lines()?.trim().to_lowercase().as_str() {
                "y" | "yes" => return Some(true),
                "" | "n" | "no" | "-" => return Some(false),
                _ => {}
            }
        }
    }
}

enum Typed {
    Value(Option<Value>),
    No,
    End,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Common;
    use crate::output::Output;
    use serde_json::json;

    fn answered(params: Value, lines: &[&str]) -> Elicited {
        let dialogue = Dialogue {
            server: "db".to_owned(),
            aside: Aside::new(&Output::new(&Common::default())),
            known: Arc::default(),
        };
        let question = Elicitation::read(&params).unwrap();
        let mut lines = lines.iter().map(|line| (*line).to_owned());
        dialogue.ask(&question, &mut || lines.next())
    }

    fn form() -> Value {
        json!({"message": "who?", "requestedSchema": {
            "type": "object", "required": ["name"],
            "properties": {
                "name": {"type": "string", "minLength": 2},
                "age": {"type": "integer"},
                "plan": {"type": "string", "enum": ["free", "paid"], "default": "free"},
            },
        }})
    }

    #[test]
    fn a_form_is_filled_in_field_by_field_and_sent_after_a_yes() {
        let content = json!({"name": "me", "plan": "paid"});
        let content = content.as_object().unwrap().clone();
        // Too short, then right; none; the second choice.
        let typed = ["x", "me", "", "2", "perhaps", "y"];
        assert_eq!(answered(form(), &typed), Elicited::Accepted(content));
        let content = json!({"name": "me", "age": 5, "plan": "free"});
        let content = content.as_object().unwrap().clone();
        assert_eq!(
            answered(form(), &["me", "5", "", "yes"]),
            Elicited::Accepted(content)
        );
    }

    #[test]
    fn a_form_is_declined_or_left() {
        assert_eq!(answered(form(), &["-"]), Elicited::Declined);
        assert_eq!(answered(form(), &["me", "", "", ""]), Elicited::Declined);
        assert_eq!(answered(form(), &["me"]), Elicited::Cancelled);
        assert_eq!(answered(form(), &[]), Elicited::Cancelled);
    }

    #[test]
    fn a_page_is_shown_only_after_a_yes() {
        let visit = json!({"mode": "url", "message": "m", "url": "https://host.example/x"});
        assert_eq!(answered(visit.clone(), &["n"]), Elicited::Declined);
        assert_eq!(answered(visit.clone(), &["y"]), Elicited::Cancelled);
        assert_eq!(answered(visit, &["y", ""]), Elicited::Accepted(Map::new()));
    }
}
