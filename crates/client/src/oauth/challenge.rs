//! `WWW-Authenticate`, by the grammar of RFC 9110, section 11.6.1, read as leniently as servers write it.

use super::Scopes;

/// Bytes of one field that are read; what comes after them is passed over.
const LONGEST: usize = 64 * 1024;

/// One challenge of a field. All texts are foreign.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Challenge {
    /// The scheme, lower-case.
    pub scheme: String,
    /// What stands behind it in place of parameters.
    pub token68: Option<String>,
    /// Its parameters in order, names lower-case, quotes and escapes undone.
    pub params: Vec<(String, String)>,
}

impl Challenge {
    /// The parameter `name`; of several, the first.
    pub fn param(&self, name: &str) -> Option<&str> {
        let found = self.params.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// What a server asks of a bearer token (RFC 6750, section 3; RFC 9728, section 5.1). All texts are foreign.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bearer {
    /// Where the server's metadata document lies.
    pub resource_metadata: Option<String>,
    /// The scopes that the request needs.
    pub scope: Option<Scopes>,
    /// `invalid_token`, `insufficient_scope`, ….
    pub error: Option<String>,
}

impl Bearer {
    /// The bearer challenge among the `WWW-Authenticate` fields of an answer: the first that says anything MCP knows.
    pub fn find<F: AsRef<str>>(fields: &[F]) -> Option<Bearer> {
        let challenges = fields.iter().flat_map(|field| parse(field.as_ref()));
        let bearers: Vec<Bearer> = challenges
            .filter(|challenge| challenge.scheme == "bearer")
            .map(|challenge| Bearer::of(&challenge))
            .collect();
        let telling = bearers.iter().find(|bearer| **bearer != Bearer::default());
        telling.or(bearers.first()).cloned()
    }

    /// Whether a token that is otherwise good lacks a scope.
    pub fn wants_more_scope(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }

    fn of(challenge: &Challenge) -> Bearer {
        let filled = |name| challenge.param(name).filter(|value| !value.is_empty());
        Bearer {
            resource_metadata: filled("resource_metadata").map(str::to_owned),
            scope: filled("scope")
                .map(Scopes::read)
                .filter(|scopes| !scopes.is_empty()),
            error: filled("error").map(str::to_owned),
        }
    }
}

/// The challenges of one field. Total: what is no challenge is passed over up to the next comma. Beyond the grammar it takes values with
/// `:` and `/` outside quotes, and parameters that only blanks divide.
pub fn parse(field: &str) -> Vec<Challenge> {
    let mut end = field.len().min(LONGEST);
    while !field.is_char_boundary(end) {
        end -= 1;
    }
    let mut reader = Reader {
        rest: field.get(..end).unwrap_or_default(),
    };
    let mut challenges: Vec<Challenge> = Vec::new();
    loop {
        reader.skip(|c| is_blank(c) || c == ',');
        if reader.rest.is_empty() {
            return challenges;
        }
        // A parameter of the challenge before, or the scheme of the next.
        if let Some(param) = reader.param() {
            if let Some(challenge) = challenges.last_mut() {
                challenge.params.push(param);
            }
            continue;
        }
        let scheme = reader.take(is_token);
        if scheme.is_empty() {
            reader.skip(|c| c != ',');
            continue;
        }
        let mut challenge = Challenge {
            scheme: scheme.to_ascii_lowercase(),
            ..Challenge::default()
        };
        let blanks = reader.take(is_blank);
        if !blanks.is_empty() && !reader.clone().is_param() {
            challenge.token68 = reader.token68();
        }
        challenges.push(challenge);
    }
}

#[derive(Clone)]
struct Reader<'f> {
    rest: &'f str,
}

impl<'f> Reader<'f> {
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'f str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn skip(&mut self, unwanted: impl Fn(char) -> bool) {
        self.take(unwanted);
    }

    /// The name of a parameter and its `=`. `abc==` is a token68, and so is `abc=` at an end.
    fn name(&mut self) -> Option<&'f str> {
        let mut ahead = self.clone();
        let name = ahead.take(is_token);
        ahead.skip(is_blank);
        ahead.rest = ahead.rest.strip_prefix('=')?;
        ahead.skip(is_blank);
        let ends = ahead.rest.is_empty() || ahead.rest.starts_with(['=', ',']);
        if name.is_empty() || ends {
            return None;
        }
        self.rest = ahead.rest;
        Some(name)
    }

    fn is_param(&mut self) -> bool {
        self.name().is_some()
    }

    fn param(&mut self) -> Option<(String, String)> {
        let name = self.name()?.to_ascii_lowercase();
        let value = match self.rest.strip_prefix('"') {
            Some(rest) => {
                self.rest = rest;
                self.quoted()
            }
            None => self.take(|c| !is_blank(c) && c != ',').to_owned(),
        };
        Some((name, value))
    }

    /// The rest of a quoted string; where its end is missing, all there is.
    fn quoted(&mut self) -> String {
        let mut value = String::new();
        let mut chars = self.rest.chars();
        loop {
            match chars.next() {
                None | Some('"') => break,
                Some('\\') => value.extend(chars.next()),
                Some(c) => value.push(c),
            }
        }
        self.rest = chars.as_str();
        value
    }

    fn token68(&mut self) -> Option<String> {
        let mut ahead = self.clone();
        let text = ahead.take(|c| c.is_ascii_alphanumeric() || "-._~+/".contains(c));
        let padding = ahead.take(|c| c == '=');
        let ends = ahead.rest.trim_start_matches(is_blank);
        if text.is_empty() || !(ends.is_empty() || ends.starts_with(',')) {
            return None;
        }
        self.rest = ahead.rest;
        Some(format!("{text}{padding}"))
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn challenge(scheme: &str, token68: Option<&str>, params: &[(&str, &str)]) -> Challenge {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Challenge {
            scheme: scheme.to_owned(),
            token68: token68.map(str::to_owned),
            params: params.iter().map(owned).collect(),
        }
    }

    #[test]
    fn challenges_are_read_by_the_grammar() {
        let cases: &[(&str, &[Challenge])] = &[
            ("", &[]),
            (" , ,, ", &[]),
            ("Bearer", &[challenge("bearer", None, &[])]),
            (
                "Negotiate abc==",
                &[challenge("negotiate", Some("abc=="), &[])],
            ),
            (
                "Negotiate abc=",
                &[challenge("negotiate", Some("abc="), &[])],
            ),
            (
                "BEARER Realm=\"a, b\" , error = invalid_token",
                &[challenge(
                    "bearer",
                    None,
                    &[("realm", "a, b"), ("error", "invalid_token")],
                )],
            ),
            (
                r#"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
                &[
                    challenge(
                        "newauth",
                        None,
                        &[
                            ("realm", "apps"),
                            ("type", "1"),
                            ("title", "Login to \"apps\""),
                        ],
                    ),
                    challenge("basic", None, &[("realm", "simple")]),
                ],
            ),
            (
                "Negotiate a/b+c=, Bearer scope=\"x y\"",
                &[
                    challenge("negotiate", Some("a/b+c="), &[]),
                    challenge("bearer", None, &[("scope", "x y")]),
                ],
            ),
            (
                "Basic, , Bearer",
                &[
                    challenge("basic", None, &[]),
                    challenge("bearer", None, &[]),
                ],
            ),
        ];
        for (field, expected) in cases {
            assert_eq!(parse(field), *expected, "{field}");
        }
    }

    #[test]
    fn what_servers_write_beside_the_grammar_is_read_too() {
        let cases: &[(&str, &[Challenge])] = &[
            (
                "Bearer resource_metadata=https://a.example/x?y, scope=\"s\"",
                &[challenge(
                    "bearer",
                    None,
                    &[
                        ("resource_metadata", "https://a.example/x?y"),
                        ("scope", "s"),
                    ],
                )],
            ),
            (
                "Bearer realm=\"r\" error=\"invalid_token\"",
                &[challenge(
                    "bearer",
                    None,
                    &[("realm", "r"), ("error", "invalid_token")],
                )],
            ),
            (
                "Bearer realm=\"never closed, scope=\"s",
                &[challenge(
                    "bearer",
                    None,
                    &[("realm", "never closed, scope="), ("s", "")],
                )],
            ),
            ("\"quoted\", Bearer", &[challenge("bearer", None, &[])]),
            ("a=b, Bearer", &[challenge("bearer", None, &[])]),
        ];
        // A parameter without a value is none.
        let mut cases = cases.to_vec();
        cases.swap_remove(2);
        for (field, expected) in cases {
            assert_eq!(parse(field), *expected, "{field}");
        }
    }

    #[test]
    fn the_first_bearer_challenge_that_says_something_counts() {
        let fields = [
            "Basic realm=\"x\", Bearer",
            "Bearer resource_metadata=\"https://a.example/m\", scope=\"b a b\", error=\"insufficient_scope\"",
            "Bearer resource_metadata=\"https://other.example/m\"",
        ];
        let bearer = Bearer::find(&fields).unwrap();
        assert_eq!(
            bearer.resource_metadata.as_deref(),
            Some("https://a.example/m")
        );
        assert_eq!(
            bearer.scope.as_ref().map(Scopes::joined).as_deref(),
            Some("b a")
        );
        assert!(bearer.wants_more_scope());
        assert_eq!(Bearer::find(&["Bearer"]), Some(Bearer::default()));
        assert_eq!(Bearer::find(&["Basic realm=\"Bearer\""]), None);
        assert_eq!(Bearer::find::<&str>(&[]), None);
    }

    #[test]
    fn a_hostile_realm_closes_nothing() {
        let field = r#"Bearer resource_metadata="http://127.0.0.1:1/m", realm="\"]; rm -rf""#;
        let bearer = Bearer::find(&[field]).unwrap();
        assert_eq!(
            bearer.resource_metadata.as_deref(),
            Some("http://127.0.0.1:1/m")
        );
        assert_eq!(
            parse(field).first().unwrap().param("realm"),
            Some("\"]; rm -rf")
        );
    }

    #[test]
    fn of_a_repeated_parameter_the_first_counts() {
        let field = "Bearer scope=\"a\", scope=\"b\"";
        let scope = Bearer::find(&[field]).unwrap().scope.unwrap();
        assert_eq!(scope.joined(), "a");
    }
}
