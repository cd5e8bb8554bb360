//! The answer that comes back through the browser (RFC 6749, section 4.1.2; RFC 9207).

use std::fmt;

use muster_document::Secret;

use super::metadata::{AuthorizationServer, shown_word};
use super::pkce::{self, NoRandomness};

/// An authorization request on its way: what its answer must match. State, verifier and issuer stay together, so that an answer can
/// never be taken to another authorization server.
#[derive(Clone)]
pub struct Pending {
    /// The issuer that the user was sent to.
    issuer: String,
    /// Whether that issuer says that it names itself in answers.
    names_itself: bool,
    /// What the answer must repeat.
    pub(super) state: Secret,
    /// What the code is bound to.
    pub(super) verifier: Secret,
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pending(•••)")
    }
}

/// A parameter of an answer, decoded.
pub type Param = (String, String);

/// Why an answer is not acted on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// It does not belong to this request.
    #[error("the answer does not belong to this sign-in")]
    OtherState,
    /// It repeats a parameter.
    #[error("the answer gives `{0}` twice")]
    Repeated(&'static str),
    /// It should say who gives it and does not.
    #[error("the answer does not say which authorization server gives it, though it always should")]
    NoIssuer,
    /// Somebody else gives it.
    #[error("the answer comes from another authorization server than the one you were sent to")]
    OtherIssuer,
    /// The user or the authorization server said no.
    #[error("{}", match .0.as_str() { "access_denied" => "access was denied".to_owned(), words => format!("the authorization server says: {words}") })]
    Denied(String),
    /// It holds neither a code nor an error.
    #[error("the answer holds no code")]
    NoCode,
}

impl Pending {
    /// A fresh request to `server`.
    pub(super) fn new(server: &AuthorizationServer) -> Result<Pending, NoRandomness> {
        Ok(Pending {
            issuer: server.issuer.clone(),
            names_itself: server.names_itself,
            state: pkce::random()?,
            verifier: pkce::random()?,
        })
    }

    /// The code that an answer brings. The state is looked at first, then who answers, byte for byte, and only then what is said: of an
    /// answer that is not for us nothing is shown.
    pub fn judge(&self, params: &[Param]) -> Result<Secret, ResponseError> {
        if single(params, "state")? != Some(self.state.expose()) {
            return Err(ResponseError::OtherState);
        }
        match single(params, "iss")? {
            Some(issuer) if issuer != self.issuer => return Err(ResponseError::OtherIssuer),
            None if self.names_itself => return Err(ResponseError::NoIssuer),
            _ => {}
        }
        if let Some(error) = single(params, "error")? {
            return Err(ResponseError::Denied(denial(
                error,
                single(params, "error_description")?,
            )));
        }
        let code = single(params, "code")?.filter(|code| !code.is_empty());
        code.map(Secret::new).ok_or(ResponseError::NoCode)
    }
}

fn denial(error: &str, description: Option<&str>) -> String {
    match (error, description) {
        ("access_denied", _) => error.to_owned(),
        (_, Some(description)) if !description.is_empty() => {
            format!("{}: {}", shown_word(error), shown_word(description))
        }
        _ => shown_word(error),
    }
}

fn single<'p>(params: &'p [Param], name: &'static str) -> Result<Option<&'p str>, ResponseError> {
    let mut values = params.iter().filter(|(own, _)| own == name);
    let value = values.next().map(|(_, value)| value.as_str());
    match values.next() {
        Some(_) => Err(ResponseError::Repeated(name)),
        None => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://as.example";

    fn pending(names_itself: bool) -> Pending {
        Pending {
            issuer: ISSUER.to_owned(),
            names_itself,
            state: Secret::new("the-state"),
            verifier: Secret::new("canary-verifier"),
        }
    }

    fn judged(names_itself: bool, params: &[(&str, &str)]) -> Result<String, ResponseError> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let params: Vec<Param> = params.iter().map(owned).collect();
        let code = pending(names_itself).judge(&params)?;
        Ok(code.expose().to_owned())
    }

    #[test]
    fn a_code_is_taken_from_the_issuer_that_was_asked() {
        let state = ("state", "the-state");
        let code = ("code", "canary-code");
        let iss = ("iss", ISSUER);
        assert_eq!(
            judged(true, &[state, code, iss]).as_deref(),
            Ok("canary-code")
        );
        assert_eq!(
            judged(false, &[state, code, iss]).as_deref(),
            Ok("canary-code")
        );
        assert_eq!(judged(false, &[state, code]).as_deref(), Ok("canary-code"));
        assert_eq!(judged(true, &[state, code]), Err(ResponseError::NoIssuer));
        let others = [
            "https://as.example/",
            "https://AS.example",
            "https://as.example:443",
            "https://evil.example",
            "",
        ];
        for other in others {
            for names_itself in [true, false] {
                let answer = judged(names_itself, &[state, code, ("iss", other)]);
                assert_eq!(answer, Err(ResponseError::OtherIssuer), "{other}");
            }
        }
    }

    #[test]
    fn the_state_must_be_exact() {
        let code = ("code", "canary-code");
        for state in ["", "the-stat", "the-state ", "THE-STATE"] {
            let answer = judged(false, &[code, ("state", state)]);
            assert_eq!(answer, Err(ResponseError::OtherState));
        }
        assert_eq!(judged(false, &[code]), Err(ResponseError::OtherState));
        let twice = [code, ("state", "the-state"), ("state", "the-state")];
        assert_eq!(judged(false, &twice), Err(ResponseError::Repeated("state")));
        let codes = [code, code, ("state", "the-state")];
        assert_eq!(judged(false, &codes), Err(ResponseError::Repeated("code")));
    }

    #[test]
    fn an_error_is_shown_only_where_the_answer_is_for_us() {
        let error = [
            ("error", "server_error"),
            ("error_description", "out of \u{1b}[31m luck"),
        ];
        let with = |more: &[(&'static str, &'static str)]| {
            judged(true, &[&error[..], more].concat()).unwrap_err()
        };
        let state = ("state", "the-state");
        assert_eq!(with(&[]), ResponseError::OtherState);
        assert_eq!(with(&[state]), ResponseError::NoIssuer);
        assert_eq!(
            with(&[state, ("iss", "https://evil.example")]),
            ResponseError::OtherIssuer
        );
        assert_eq!(
            with(&[state, ("iss", ISSUER)]).to_string(),
            "the authorization server says: server_error: out of \\u{1b}[31m luck"
        );
        let denied = [state, ("iss", ISSUER), ("error", "access_denied")];
        assert_eq!(
            judged(true, &denied).unwrap_err().to_string(),
            "access was denied"
        );
        assert_eq!(
            judged(true, &[state, ("iss", ISSUER)]),
            Err(ResponseError::NoCode)
        );
    }

    #[test]
    fn nothing_of_a_request_is_printed() {
        let text = format!("{:?}", pending(true));
        assert_eq!(text, "Pending(•••)");
    }
}
