//! Programs that sign in for themselves, without anybody at a browser: the client credentials grant (RFC 6749, section 4.4; MCP's extension
//! `io.modelcontextprotocol/oauth-client-credentials`), with a secret or a signed statement (RFC 7523).

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use muster_document::Secret;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::json;

use super::access::{Access, AccessError};
use super::client::AuthMethod;
use super::record::{Granted, Seconds, Stored};
use super::registration::{Choice, choose};
use super::scope::{self, ScopeSources};
use super::token::Grant;
use super::{Bearer, pkce};

/// How long a signed statement is good for.
const LASTS: Seconds = 300;

/// A client's private key.
pub struct SigningKey(Kind);

enum Kind {
    Es256(EcdsaKeyPair),
    Rs256(RsaKeyPair),
    EdDsa(Ed25519KeyPair),
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(•••)")
    }
}

impl SigningKey {
    /// The key in a PEM of PKCS #8, for the algorithm that JOSE calls `algorithm`.
    ///
    /// # Errors
    /// Where it holds no such key, or the algorithm is unknown.
    pub fn read(pem: &Secret, algorithm: &str) -> Result<SigningKey, AccessError> {
        const NO_KEY: AccessError = AccessError::Key("it is no PKCS #8 key for its algorithm");
        let inner: String = pem
            .expose()
            .lines()
            .map(str::trim)
            .filter(|line| !line.starts_with("-----"))
            .collect();
        let der = STANDARD.decode(inner).map_err(|_| NO_KEY)?;
        let kind = match algorithm {
            "ES256" => {
                let random = SystemRandom::new();
                let pair =
                    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &der, &random);
                Kind::Es256(pair.map_err(|_| NO_KEY)?)
            }
            "RS256" => Kind::Rs256(RsaKeyPair::from_pkcs8(&der).map_err(|_| NO_KEY)?),
            "EdDSA" => {
                let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der);
                Kind::EdDsa(pair.map_err(|_| NO_KEY)?)
            }
            _ => return Err(AccessError::Key("its algorithm is unknown")),
        };
        Ok(SigningKey(kind))
    }

    fn algorithm(&self) -> &'static str {
        match self.0 {
            Kind::Es256(_) => "ES256",
            Kind::Rs256(_) => "RS256",
            Kind::EdDsa(_) => "EdDSA",
        }
    }

    fn sign(&self, text: &[u8]) -> Result<Vec<u8>, AccessError> {
        const FAILED: AccessError = AccessError::Key("it does not sign");
        let random = SystemRandom::new();
        match &self.0 {
            Kind::Es256(pair) => {
                let signature = pair.sign(&random, text).map_err(|_| FAILED)?;
                Ok(signature.as_ref().to_vec())
            }
            Kind::Rs256(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, text, &mut signature)
                    .map_err(|_| FAILED)?;
                Ok(signature)
            }
            Kind::EdDsa(pair) => Ok(pair.sign(text).as_ref().to_vec()),
        }
    }

    /// The statement that whoever holds the key is `client`, for `issuer` alone.
    fn assertion(&self, client: &str, issuer: &str, now: Seconds) -> Result<Secret, AccessError> {
        let header = json!({"alg": self.algorithm(), "typ": "JWT"});
        let claims = json!({
            "iss": client, "sub": client, "aud": issuer,
            "iat": now, "exp": now.saturating_add(LASTS), "jti": pkce::random()?.expose(),
        });
        let encoded = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", encoded(&header), encoded(&claims));
        let signature = URL_SAFE_NO_PAD.encode(self.sign(signed.as_bytes())?);
        Ok(Secret::new(format!("{signed}.{signature}")))
    }
}

impl Access {
    /// Signs in as the client that was given, for itself; with `key` by a signed statement, else by its secret.
    ///
    /// # Errors
    /// Where no client was given, or it gets no token.
    pub async fn sign_in_as_client(
        &self,
        bearer: Option<&Bearer>,
        key: Option<&SigningKey>,
    ) -> Result<Secret, AccessError> {
        let found = self.discover(bearer).await?;
        let server = &found.server;
        let needed = || super::ClientError::NeedsClientId(server.host());
        let Choice::Use(mut client) = choose(&self.given, &[], server)? else {
            return Err(needed().into());
        };
        let assertion = key.map(|key| key.assertion(&client.id, &server.issuer, (self.now)()));
        let assertion = assertion.transpose()?;
        if assertion.is_some() {
            client.auth = AuthMethod::PrivateKeyJwt;
        }
        let scope = scope::choose(ScopeSources {
            asked: self.asked.as_ref(),
            challenged: bearer.and_then(|bearer| bearer.scope.as_ref()),
            listed: found.scopes.as_ref(),
            ..ScopeSources::default()
        });
        let grant = Grant::Client {
            scope: scope.as_ref(),
        };
        let tokens = self
            .ask(
                &server.token,
                &client,
                grant,
                &found.resource,
                assertion.as_ref(),
            )
            .await?;
        let granted = Granted {
            access: tokens.access.clone(),
            // Its own secret renews it.
            refresh: None,
            ends: tokens.lasts.map(|lasts| (self.now)().saturating_add(lasts)),
            scope: tokens.scope.or(scope),
            resource: found.resource.clone(),
            token_endpoint: server.token.url().to_string(),
            revocation_endpoint: None,
        };
        let held = self.lock().await?;
        self.save(&[Stored {
            issuer: server.issuer.clone(),
            client,
            granted: Some(granted),
        }])
        .await?;
        drop(held);
        Ok(tokens.access)
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, KeyPair, UnparsedPublicKey};

    use super::*;

    #[test]
    fn a_statement_is_signed_and_names_its_one_reader() {
        let random = SystemRandom::new();
        let pkcs8 =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let pem = format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
            STANDARD.encode(pkcs8.as_ref())
        );
        let key = SigningKey::read(&Secret::new(pem), "ES256").unwrap();
        let statement = key.assertion("client", "https://as.example", 1000).unwrap();
        let parts: Vec<&str> = statement.expose().split('.').collect();
        let [header, claims, signature] = parts[..] else {
            panic!("three parts")
        };
        let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).unwrap();
        let header: serde_json::Value = serde_json::from_slice(&decoded(header)).unwrap();
        assert_eq!(header, json!({"alg": "ES256", "typ": "JWT"}));
        let claims: serde_json::Value = serde_json::from_slice(&decoded(claims)).unwrap();
        assert_eq!(claims["aud"], "https://as.example");
        assert_eq!(
            (&claims["iss"], &claims["sub"]),
            (&json!("client"), &json!("client"))
        );
        assert_eq!(
            (&claims["iat"], &claims["exp"]),
            (&json!(1000), &json!(1300))
        );
        let signed = statement.expose().rsplit_once('.').unwrap().0;
        let Kind::Es256(pair) = &key.0 else {
            panic!("another kind of key")
        };
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key().as_ref())
            .verify(signed.as_bytes(), &decoded(signature))
            .unwrap();
    }

    #[test]
    fn what_is_no_key_is_not_shown() {
        for algorithm in ["ES256", "RS256", "EdDSA", "HS256"] {
            let error = SigningKey::read(&Secret::new("canary-canary"), algorithm).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"));
        }
    }
}
