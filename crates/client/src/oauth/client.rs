//! A client, as an authorization server knows it.

use std::fmt;

use muster_document::Secret;

/// How a client proves itself where tokens are fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMethod {
    /// Not at all: it has no secret.
    None,
    /// Id and secret in the `Authorization` header (RFC 6749, section 2.3.1).
    Basic,
    /// Id and secret in the body.
    Post,
    /// A signed statement (RFC 7523).
    PrivateKeyJwt,
}

impl AuthMethod {
    /// The method that metadata calls `name`.
    pub fn read(name: &str) -> Option<AuthMethod> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Its name in metadata.
    pub fn name(self) -> &'static str {
        match self {
            AuthMethod::None => "none",
            AuthMethod::Basic => "client_secret_basic",
            AuthMethod::Post => "client_secret_post",
            AuthMethod::PrivateKeyJwt => "private_key_jwt",
        }
    }

    const ALL: [AuthMethod; 4] = [
        AuthMethod::None,
        AuthMethod::Basic,
        AuthMethod::Post,
        AuthMethod::PrivateKeyJwt,
    ];
}

/// Where a client id comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Somebody registered it and gave it to us.
    Given,
    /// It is the address of a document, good at every authorization server.
    Document,
    /// We registered it ourselves.
    Registered,
}

/// A client as one authorization server knows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub id: String,
    /// Its secret, if it has one.
    pub secret: Option<Secret>,
    /// How it proves itself.
    pub auth: AuthMethod,
    /// Where its id comes from.
    pub origin: Origin,
    /// Where answers are to be sent, if the registration says so.
    pub redirect: Option<String>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("auth", &self.auth)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}
