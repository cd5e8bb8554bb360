//! An entry that is called: its address and its header fields.

use muster_core::{HeaderVariable, Sourced};
use muster_document::{Secret, Shown};

use super::super::expand::is_name;
use super::Look;

impl Look<'_> {
    pub(super) fn remote(&mut self) {
        let url = self.text("url");
        if let Some(url) = &url
            && !url.value.expose().contains("${")
            && !is_address(url.value.expose())
        {
            let place = url.place.clone();
            let text = "url is no http or https address".to_owned();
            self.problem_at("url is no address", text, place, "begin it with https://");
        }
        self.checked.entry.url = url;
        let mut headers = self.record("headers");
        for (name, value) in self.record("http_headers") {
            if !headers
                .iter()
                .any(|(known, _)| known.eq_ignore_ascii_case(&name))
            {
                headers.push((name, value));
            }
        }
        let named = self.record("env_http_headers");
        let named = named.into_iter().map(|(field, variable)| HeaderVariable {
            field,
            scheme: None,
            variable,
        });
        let mut variables: Vec<HeaderVariable> = named.collect();
        if let Some(variable) = self.text("bearer_token_env_var") {
            variables.push(HeaderVariable {
                field: "Authorization".to_owned(),
                scheme: Some("Bearer"),
                variable,
            });
        }
        for header in &variables {
            if !is_name(header.variable.value.expose()) {
                // It may be the token itself.
                let text = format!(
                    "{} takes the name of a variable, not a value",
                    source(header)
                );
                let place = header.variable.place.clone();
                self.problem_at(
                    "no variable's name",
                    text,
                    place,
                    "write a variable's name there",
                );
            }
        }
        let names = headers.iter().map(|(name, _)| name);
        let names = names.chain(variables.iter().map(|header| &header.field));
        if let Some(bad) = names.clone().find(|name| !is_field(name)) {
            let text = format!("{:?} is no name of a header field", Shown(bad).to_string());
            self.problem(
                "no header field's name",
                text,
                self.node,
                "correct that name",
            );
        }
        headers.extend(variables.iter().map(|header| {
            let name = header.variable.value.expose();
            let value = match is_name(name) {
                true => Secret::new(format!("${{{name}}}")),
                false => header.variable.value.clone(),
            };
            let place = header.variable.place.clone();
            (header.field.clone(), Sourced { value, place })
        }));
        self.checked.entry.headers = headers;
        self.checked.entry.header_variables = variables;
        self.checked.entry.headers_helper = self
            .text("headersHelper")
            .or_else(|| self.text("http_headers_helper"));
    }
}

/// Which key asks for the variable of a header field.
fn source(header: &HeaderVariable) -> String {
    match header.scheme {
        Some(_) => "bearer_token_env_var".to_owned(),
        None => format!("env_http_headers.{}", Shown(&header.field)),
    }
}

/// Whether `text` is an address that Muster can call.
pub(in crate::muster) fn is_address(text: &str) -> bool {
    let rest = ["https://", "http://"].iter().find_map(|scheme| {
        let (start, rest) = text.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    });
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// Whether `name` may stand before the colon of a header field.
fn is_field(name: &str) -> bool {
    let mark = |c| "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || mark(c))
}
