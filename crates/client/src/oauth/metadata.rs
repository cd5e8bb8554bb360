//! The two metadata documents: of the server as a protected resource (RFC 9728), of its authorization server (RFC 8414, OpenID Connect
//! Discovery). Read leniently; what matters is checked.

use muster_document::{Masked, Secret, Shown};
use serde_json::{Map, Value};
use url::Url;

use super::endpoint::{Endpoint, EndpointError, Ground, covers};
use super::{AuthMethod, Scopes};

/// So many entries of a list are looked at.
const ENTRIES: usize = 64;
/// How much of a foreign identifier a message shows.
const SHOWN: usize = 200;

/// Why a metadata document is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// It is no JSON object.
    #[error("it is no JSON object")]
    NoObject,
    /// It lacks a field.
    #[error("it lacks `{0}`")]
    Missing(&'static str),
    /// It describes another resource than the server.
    #[error("it describes `{named}`, which is not this server")]
    OtherResource {
        /// What it describes.
        named: Masked,
    },
    /// It names no authorization server that may be asked.
    #[error("it names no authorization server that may be asked{}", .0.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    NoAuthorizationServer(Option<EndpointError>),
    /// It speaks for another issuer than the one that it was asked of.
    #[error("it speaks for `{found}`, not for `{expected}`")]
    OtherIssuer {
        /// Whom it was asked of.
        expected: Masked,
        /// Whom it speaks for.
        found: Masked,
    },
    /// An address in it may not be opened.
    #[error("its `{field}`: {why}")]
    Endpoint {
        /// Which.
        field: &'static str,
        /// Why.
        why: EndpointError,
    },
    /// It does not say that it takes the one way to bind a code to who asked for it.
    #[error("it does not offer PKCE with S256, without which a stolen code could be used")]
    NoPkce,
}

/// What a server says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedResource {
    /// Its identifier, as it was written: what is asked of the authorization server.
    pub resource: String,
    /// Who may issue tokens for it; at least one.
    pub authorization_servers: Vec<Issuer>,
    /// The scopes that it lists.
    pub scopes: Option<Scopes>,
}

/// An authorization server, by its identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issuer {
    /// The identifier exactly as it was written, which is all that is ever compared.
    pub id: String,
    /// The same as an address.
    pub at: Endpoint,
}

impl ProtectedResource {
    /// Reads `document` for the server of `ground`. Authorization servers that may not be asked are passed over.
    pub fn read(document: &Value, ground: &Ground) -> Result<ProtectedResource, MetadataError> {
        let object = document.as_object().ok_or(MetadataError::NoObject)?;
        let resource = filled(object, "resource").ok_or(MetadataError::Missing("resource"))?;
        if !covers(resource, ground.server()) {
            return Err(MetadataError::OtherResource {
                named: shown_address(resource),
            });
        }
        let mut fault = None;
        let mut authorization_servers = Vec::new();
        for id in texts(object, "authorization_servers") {
            match ground.endpoint(id) {
                Ok(at) if at.url().query().is_none() => authorization_servers.push(Issuer {
                    id: id.to_owned(),
                    at,
                }),
                Ok(_) => {
                    fault.get_or_insert(EndpointError::Odd(shown_address(id)));
                }
                Err(why) => {
                    fault.get_or_insert(why);
                }
            }
        }
        if authorization_servers.is_empty() {
            return Err(MetadataError::NoAuthorizationServer(fault));
        }
        Ok(ProtectedResource {
            resource: resource.to_owned(),
            authorization_servers,
            scopes: scopes(object),
        })
    }
}

/// What an authorization server says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationServer {
    /// Its identifier, byte for byte.
    pub issuer: String,
    /// Where the user is sent. Absent where only programs are served.
    pub authorization: Option<Endpoint>,
    /// Where tokens are fetched.
    pub token: Endpoint,
    /// Where clients register themselves.
    pub registration: Option<Endpoint>,
    /// Where tokens are given back (RFC 7009).
    pub revocation: Option<Endpoint>,
    /// The scopes that it lists.
    pub scopes: Option<Scopes>,
    /// How clients may prove themselves where tokens are fetched; empty where it does not say.
    pub auth_methods: Vec<AuthMethod>,
    /// Whether the address of a document may stand in place of a client id.
    pub client_documents: bool,
    /// Whether its answers through the browser say who gives them (RFC 9207).
    pub names_itself: bool,
    /// What it offers for PKCE.
    pub pkce: Pkce,
}

/// What an authorization server offers to bind a code to who asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pkce {
    /// S256.
    S256,
    /// Nothing that is good enough, or it does not say.
    Unsaid,
    /// There is no document that could say so (2025-03-26).
    Undocumented,
}

impl AuthorizationServer {
    /// Reads `document`, which was asked of `issuer`. An address in it that may not be opened is as good as a refusal: whoever writes such
    /// a document is not to be trusted with the rest.
    pub fn read(
        document: &Value,
        issuer: &str,
        ground: &Ground,
    ) -> Result<AuthorizationServer, MetadataError> {
        let object = document.as_object().ok_or(MetadataError::NoObject)?;
        let own = filled(object, "issuer").ok_or(MetadataError::Missing("issuer"))?;
        if own != issuer {
            return Err(MetadataError::OtherIssuer {
                expected: shown_address(issuer),
                found: shown_address(own),
            });
        }
        let endpoint = |field: &'static str| {
            let text = filled(object, field);
            let checked = text.map(|text| ground.endpoint(text));
            checked
                .transpose()
                .map_err(|why| MetadataError::Endpoint { field, why })
        };
        let token = endpoint("token_endpoint")?;
        let pkce = texts(object, "code_challenge_methods_supported").any(|method| method == "S256");
        Ok(AuthorizationServer {
            issuer: own.to_owned(),
            authorization: endpoint("authorization_endpoint")?,
            token: token.ok_or(MetadataError::Missing("token_endpoint"))?,
            registration: endpoint("registration_endpoint")?,
            // Not needed for anything that must work.
            revocation: endpoint("revocation_endpoint").ok().flatten(),
            scopes: scopes(object),
            auth_methods: texts(object, "token_endpoint_auth_methods_supported")
                .filter_map(AuthMethod::read)
                .collect(),
            client_documents: yes(object, "client_id_metadata_document_supported"),
            names_itself: yes(object, "authorization_response_iss_parameter_supported"),
            pkce: if pkce { Pkce::S256 } else { Pkce::Unsaid },
        })
    }

    /// The authorization server that a server of 2025-03-26 is itself, where it publishes nothing: default addresses at its origin.
    pub(super) fn by_default(ground: &Ground) -> Result<AuthorizationServer, EndpointError> {
        let origin = ground.origin();
        let at = |path: &str| ground.endpoint(&format!("{origin}{path}"));
        Ok(AuthorizationServer {
            authorization: Some(at("/authorize")?),
            token: at("/token")?,
            registration: Some(at("/register")?),
            revocation: None,
            scopes: None,
            auth_methods: Vec::new(),
            client_documents: false,
            names_itself: false,
            pkce: Pkce::Undocumented,
            issuer: origin,
        })
    }

    /// Where the user is sent to sign in, if that can be done safely.
    pub fn sign_in_page(&self) -> Result<&Endpoint, MetadataError> {
        let page = self.authorization.as_ref();
        let page = page.ok_or(MetadataError::Missing("authorization_endpoint"))?;
        match self.pkce {
            Pkce::Unsaid => Err(MetadataError::NoPkce),
            Pkce::S256 | Pkce::Undocumented => Ok(page),
        }
    }

    /// Whom the user knows it as: its host.
    pub fn host(&self) -> String {
        let issuer = Url::parse(&self.issuer).ok();
        issuer.map_or_else(|| self.token.host(), |url| super::endpoint::host(&url))
    }
}

/// A foreign address in a message.
fn shown_address(text: &str) -> Masked {
    let cut: String = text.chars().take(SHOWN).collect();
    Masked::url(&Secret::new(cut))
}

/// A foreign word in a message: short and unable to act.
pub(super) fn shown_word(text: &str) -> String {
    let cut: String = text.chars().take(SHOWN).collect();
    Masked::word(&Secret::new(Shown(&cut).to_string())).to_string()
}

fn filled<'o>(object: &'o Map<String, Value>, field: &str) -> Option<&'o str> {
    let text = object.get(field).and_then(Value::as_str);
    text.filter(|text| !text.is_empty())
}

/// The texts of a list; a text where a list should be is a list of one.
fn texts<'o>(object: &'o Map<String, Value>, field: &str) -> impl Iterator<Item = &'o str> {
    let (list, single) = match object.get(field) {
        Some(Value::Array(list)) => (list.as_slice(), None),
        Some(Value::String(text)) => (&[][..], Some(text.as_str())),
        _ => (&[][..], None),
    };
    list.iter()
        .take(ENTRIES)
        .filter_map(Value::as_str)
        .chain(single)
}

fn yes(object: &Map<String, Value>, field: &str) -> bool {
    match object.get(field) {
        Some(Value::Bool(yes)) => *yes,
        Some(Value::String(text)) => text == "true",
        _ => false,
    }
}

fn scopes(object: &Map<String, Value>) -> Option<Scopes> {
    match object.get("scopes_supported")? {
        Value::Array(list) => Some(list.iter().filter_map(Value::as_str).collect()),
        Value::String(text) => Some(Scopes::read(text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ground() -> Ground {
        Ground::new(&Url::parse("https://h.example/mcp").unwrap(), false)
    }

    fn resource(document: Value) -> Result<ProtectedResource, MetadataError> {
        ProtectedResource::read(&document, &ground())
    }

    fn server(document: Value) -> Result<AuthorizationServer, MetadataError> {
        AuthorizationServer::read(&document, "https://as.example/t", &ground())
    }

    #[test]
    fn a_resource_document_is_read_leniently_and_checked() {
        let read = resource(json!({
            "resource": "https://h.example/mcp",
            "authorization_servers": [
                7, "http://169.254.169.254/latest", "file:///etc/passwd", "javascript:alert(1)",
                "https://as.example/t", "https://second.example", "https://q.example/?a=b"
            ],
            "scopes_supported": ["a", 1, "b", "a"],
            "more": {}
        }))
        .unwrap();
        let ids: Vec<&str> = read
            .authorization_servers
            .iter()
            .map(|as_| as_.id.as_str())
            .collect();
        assert_eq!(ids, ["https://as.example/t", "https://second.example"]);
        assert_eq!(read.scopes.unwrap().joined(), "a b");

        let bare =
            json!({"resource": "https://h.example", "authorization_servers": "https://as.example"});
        let read = resource(bare).unwrap();
        assert_eq!(read.authorization_servers[0].id, "https://as.example");
        assert_eq!(read.scopes, None);

        let other = json!({"resource": "https://h.example/other", "authorization_servers": ["https://as.example"]});
        assert_eq!(
            resource(other).unwrap_err().to_string(),
            "it describes `https://h.example/•••`, which is not this server"
        );
        assert_eq!(resource(json!([])), Err(MetadataError::NoObject));
        assert_eq!(
            resource(json!({"authorization_servers": ["https://as.example"]})),
            Err(MetadataError::Missing("resource"))
        );
        assert_eq!(
            resource(json!({"resource": "https://h.example"})),
            Err(MetadataError::NoAuthorizationServer(None))
        );
        let refused =
            json!({"resource": "https://h.example", "authorization_servers": ["http://10.0.0.1"]});
        assert_eq!(
            resource(refused).unwrap_err().to_string(),
            "it names no authorization server that may be asked: 10.0.0.1 is at a private address, where a server is not to send its clients"
        );
    }

    #[test]
    fn an_authorization_server_is_read_leniently_and_checked() {
        let document = json!({
            "issuer": "https://as.example/t",
            "authorization_endpoint": "https://as.example/authorize",
            "token_endpoint": "https://as.example/token",
            "registration_endpoint": null,
            "revocation_endpoint": "javascript:x",
            "scopes_supported": "a b",
            "code_challenge_methods_supported": ["plain", "S256"],
            "token_endpoint_auth_methods_supported": ["tls_client_auth", "client_secret_post"],
            "client_id_metadata_document_supported": true,
            "authorization_response_iss_parameter_supported": "true",
        });
        let read = server(document.clone()).unwrap();
        assert!(read.sign_in_page().is_ok());
        assert!(read.client_documents && read.names_itself);
        assert_eq!(read.auth_methods, [AuthMethod::Post]);
        assert_eq!(
            (read.registration.as_ref(), read.revocation.as_ref()),
            (None, None)
        );
        assert_eq!(read.host(), "as.example");

        let with = |field: &str, value: Value| {
            let mut document = document.clone();
            document[field] = value;
            document
        };
        for other in [
            "https://as.example/t/",
            "https://AS.example/t",
            "https://as.example:443/t",
        ] {
            let error = server(with("issuer", json!(other))).unwrap_err();
            assert!(
                matches!(error, MetadataError::OtherIssuer { .. }),
                "{other}"
            );
        }
        for methods in [
            json!(null),
            json!([]),
            json!(["plain"]),
            json!("plain"),
            json!(7),
        ] {
            let read = server(with("code_challenge_methods_supported", methods)).unwrap();
            assert_eq!(read.sign_in_page(), Err(MetadataError::NoPkce));
        }
        for field in [
            "authorization_endpoint",
            "token_endpoint",
            "registration_endpoint",
        ] {
            for address in [
                "--upload-pack=touch /x",
                "file:///x",
                "http://as.example/x",
                "http://localhost/x",
            ] {
                let error = server(with(field, json!(address))).unwrap_err();
                assert!(
                    matches!(&error, MetadataError::Endpoint { field: of, .. } if *of == field),
                    "{field} {address} {error}"
                );
            }
        }
        assert_eq!(
            server(with("token_endpoint", json!(null))),
            Err(MetadataError::Missing("token_endpoint"))
        );
        let programs = server(with("authorization_endpoint", json!(null))).unwrap();
        assert_eq!(
            programs.sign_in_page(),
            Err(MetadataError::Missing("authorization_endpoint"))
        );
        assert_eq!(
            server(with("issuer", json!(""))),
            Err(MetadataError::Missing("issuer"))
        );
    }

    #[test]
    fn without_documents_the_addresses_of_2025_03_26_hold() {
        let local = Ground::new(&Url::parse("http://localhost:3000/v1/mcp").unwrap(), false);
        let server = AuthorizationServer::by_default(&local).unwrap();
        assert_eq!(server.issuer, "http://localhost:3000");
        assert_eq!(server.token.url().as_str(), "http://localhost:3000/token");
        assert_eq!(
            server.sign_in_page().unwrap().url().as_str(),
            "http://localhost:3000/authorize"
        );
        assert_eq!(
            server.registration.unwrap().url().as_str(),
            "http://localhost:3000/register"
        );
        let plain = Ground::new(&Url::parse("http://h.example/mcp").unwrap(), false);
        assert!(AuthorizationServer::by_default(&plain).is_err());
    }
}
