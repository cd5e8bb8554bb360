//! `muster.login/1` and `muster.logout/1`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::VERSION;
use crate::sign_in::{SignedIn, SignedOut};

/// A sign-in that succeeded.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.login/1")]
pub struct Login {
    /// `muster.login/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// The server, as it was asked for.
    pub server: String,
    /// Its address, masked.
    pub url: String,
    /// The host of the authorization server.
    pub authorization_server: String,
    /// The scopes that were granted, as far as that is known.
    pub scopes: Vec<String>,
    /// Whether it is renewed without another sign-in.
    pub renewable: bool,
    /// Seconds until it has to be renewed; `null` where that was not said.
    pub expires_in: Option<u64>,
}

/// A sign-in that is no more.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.logout/1")]
pub struct Logout {
    /// `muster.logout/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// The server, as it was asked for.
    pub server: String,
    /// Its address, masked.
    pub url: String,
    /// Whether there was a sign-in.
    pub signed_out: bool,
    /// Whether the authorization server took its tokens back.
    pub revoked: bool,
}

impl Login {
    pub(crate) fn new(answer: &SignedIn<'_>) -> Login {
        Login {
            schema: "muster.login/1",
            muster: VERSION,
            server: answer.server.to_string(),
            url: answer.url.to_string(),
            authorization_server: answer.authorization_server.to_owned(),
            scopes: answer.scopes.to_vec(),
            renewable: answer.renewable,
            expires_in: answer.expires_in,
        }
    }
}

impl Logout {
    pub(crate) fn new(answer: &SignedOut<'_>) -> Logout {
        Logout {
            schema: "muster.logout/1",
            muster: VERSION,
            server: answer.server.to_string(),
            url: answer.url.to_string(),
            signed_out: answer.signed_out,
            revoked: answer.revoked,
        }
    }
}
