//! `elicitation/create`: what a server wants the user to say, or to see.

use serde_json::{Map, Value, json};
use url::{Host, Url};

use super::Field;
use crate::{ErrorObject, Refusal};

/// A server's question to the user. Texts are foreign.
#[derive(Debug, Clone, PartialEq)]
pub enum Elicitation {
    /// To fill in.
    Form(Form),
    /// To look at a page in the browser.
    Visit(Visit),
}

/// A form of simple fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// What it is for.
    pub message: String,
    /// Its fields, in the order of the server.
    pub fields: Vec<Field>,
}

/// A page to visit. It is never opened unasked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// What it is for.
    pub message: String,
    /// The address: `https`, or `http` on this machine.
    pub url: Url,
    /// What the server calls it.
    pub id: Option<String>,
}

/// What the user did.
#[derive(Debug, Clone, PartialEq)]
pub enum Elicited {
    /// Filled the form in, or agreed to visit the page; what was filled in.
    Accepted(Map<String, Value>),
    /// Said no.
    Declined,
    /// Went away.
    Cancelled,
}

impl Elicited {
    /// The result as the protocol writes it.
    pub fn result(&self) -> Value {
        match self {
            Elicited::Accepted(content) if content.is_empty() => json!({"action": "accept"}),
            Elicited::Accepted(content) => json!({"action": "accept", "content": content}),
            Elicited::Declined => json!({"action": "decline"}),
            Elicited::Cancelled => json!({"action": "cancel"}),
        }
    }
}

impl Elicitation {
    /// Reads the parameters of a question.
    ///
    /// # Errors
    /// What the server is told where this is no question that a client may put.
    pub fn read(params: &Value) -> Result<Elicitation, Refusal> {
        let invalid = |message: &str| Refusal {
            code: ErrorObject::INVALID_PARAMS,
            message: message.to_owned(),
        };
        let message = text(params, "message").unwrap_or_default();
        match params.get("mode").and_then(Value::as_str) {
            // Before there were modes all were forms.
            None | Some("form") => {
                let schema = params.get("requestedSchema");
                let schema = schema.ok_or_else(|| invalid("there is no requestedSchema"))?;
                let fields = Field::all(schema).map_err(|why| invalid(&why))?;
                Ok(Elicitation::Form(Form { message, fields }))
            }
            Some("url") => {
                let url = text(params, "url").ok_or_else(|| invalid("there is no url"))?;
                let url = Url::parse(&url).map_err(|_| invalid("the url is none"))?;
                if !is_safe(&url) {
                    return Err(invalid("the url is neither https nor on this machine"));
                }
                let id = text(params, "elicitationId");
                Ok(Elicitation::Visit(Visit { message, url, id }))
            }
            Some(_) => Err(invalid("the mode is neither form nor url")),
        }
    }
}

impl Form {
    /// What is given where only defaults are accepted; `None` where a field that must be filled in has none.
    pub fn defaults(&self) -> Option<Map<String, Value>> {
        let mut content = Map::new();
        for field in &self.fields {
            match &field.default {
                Some(default) => {
                    content.insert(field.name.clone(), default.clone());
                }
                None if field.required => return None,
                None => {}
            }
        }
        Some(content)
    }
}

impl Visit {
    /// The host, in the form in which it is looked up: letters that look like others are seen.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }
}

/// The pages that must be visited first, where `error` says so (-32042, 2025-11-25).
pub fn visits_required(error: &ErrorObject) -> Option<Vec<Value>> {
    if error.code != Some(ErrorObject::URL_ELICITATION_REQUIRED) {
        return None;
    }
    let visits = error.data.as_ref()?.get("elicitations")?.as_array()?;
    (!visits.is_empty()).then(|| visits.clone())
}

/// Whether a page there may be visited: nobody between can read or change it.
fn is_safe(url: &Url) -> bool {
    let here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => return false,
    };
    let plain = url.username().is_empty() && url.password().is_none();
    plain && (url.scheme() == "https" || (url.scheme() == "http" && here))
}

fn text(params: &Value, key: &str) -> Option<String> {
    params.get(key)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_that_nobody_between_can_change_are_visited() {
        let read =
            |url: &str| Elicitation::read(&json!({"mode": "url", "message": "m", "url": url}));
        for url in [
            "https://host.example/sign?in=1",
            "http://localhost:3000/",
            "http://127.0.0.1/x",
            "http://[::1]/",
        ] {
            assert!(matches!(read(url), Ok(Elicitation::Visit(_))), "{url}");
        }
        for url in [
            "http://host.example/",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "data:text/html,x",
            "https://user:word@host.example/",
            "https://good.example@host.example/",
            "x",
        ] {
            assert!(read(url).is_err(), "{url}");
        }
        let Ok(Elicitation::Visit(visit)) = read("https://gооgle.example/") else {
            panic!("an address");
        };
        assert_eq!(visit.host(), "xn--ggle-55da.example");
    }

    #[test]
    fn what_is_no_question_is_refused() {
        for (params, message) in [
            (json!({"message": "m"}), "there is no requestedSchema"),
            (json!({"mode": "wat"}), "the mode is neither form nor url"),
            (json!({"mode": "url"}), "there is no url"),
            (
                json!({"requestedSchema": {"type": "object", "properties": {"a": {"type": "object"}}}}),
                "the field a is of a kind that forms do not have",
            ),
        ] {
            let refusal = Elicitation::read(&params).unwrap_err();
            assert_eq!((refusal.code, refusal.message.as_str()), (-32602, message));
        }
    }
}
