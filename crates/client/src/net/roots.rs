//! Whom encrypted connections trust.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use muster_core::Environment;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, OtherError, RootCertStore, SignatureScheme};
use rustls_platform_verifier::Verifier as Platform;

use super::NetError;

/// Files of certificates that the environment names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Roots {
    /// `SSL_CERT_FILE`: instead of what the system trusts.
    file: Option<String>,
    /// `SSL_CERT_DIR`: the same, one certificate a file.
    folder: Option<String>,
    /// `NODE_EXTRA_CA_CERTS`, which Claude Code, OpenCode, Gemini CLI and Pi follow: besides that.
    extra: Option<String>,
}

impl Roots {
    pub(super) fn of(env: &Environment) -> Roots {
        let named = |name: &str| env.filled(name).map(str::to_owned);
        Roots {
            file: named("SSL_CERT_FILE"),
            folder: named("SSL_CERT_DIR"),
            extra: named("NODE_EXTRA_CA_CERTS"),
        }
    }

    /// Encrypted connections that trust these.
    pub(super) fn config(self) -> Result<ClientConfig, NetError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = Verifier {
            roots: self,
            provider: provider.clone(),
            judge: OnceLock::new(),
        };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| NetError::Tls(error.to_string()))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        Ok(config)
    }

    /// Reads the roots: what the environment names, on every system, or else what the system trusts.
    fn judge(
        &self,
        provider: Arc<CryptoProvider>,
    ) -> Result<Arc<dyn ServerCertVerifier>, Untrusting> {
        // Node goes on without an extra file that it cannot read, and so do its programs.
        let extra = match &self.extra {
            Some(extra) => certificates(Some(extra), None),
            None => Vec::new(),
        };
        let unusable = |error: &dyn std::fmt::Display| Untrusting::Unusable(error.to_string());
        if self.file.is_none() && self.folder.is_none() {
            let judge = Platform::new_with_extra_roots(extra, provider);
            return Ok(Arc::new(judge.map_err(|error| unusable(&error))?));
        }
        let named = certificates(self.file.as_deref(), self.folder.as_deref());
        let mut store = RootCertStore::empty();
        let (taken, _) = store.add_parsable_certificates(named);
        if taken == 0 {
            return Err(Untrusting::Nothing(match self.file {
                Some(_) => "SSL_CERT_FILE",
                None => "SSL_CERT_DIR",
            }));
        }
        store.add_parsable_certificates(extra);
        let judge = WebPkiServerVerifier::builder_with_provider(Arc::new(store), provider);
        let judge = judge.build().map_err(|error| unusable(&error))?;
        Ok(judge)
    }
}

/// Why no certificate can be judged.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Untrusting {
    #[error("{0} names no certificates that can be read")]
    Nothing(&'static str),
    #[error("no encrypted connections: {0}")]
    Unusable(String),
}

/// Judges certificates. What is trusted is read for the first of them, since that takes time which whoever calls only this machine
/// need not spend.
#[derive(Debug)]
struct Verifier {
    roots: Roots,
    provider: Arc<CryptoProvider>,
    judge: OnceLock<Result<Arc<dyn ServerCertVerifier>, Untrusting>>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let judge = self
            .judge
            .get_or_init(|| self.roots.judge(self.provider.clone()));
        match judge {
            Ok(judge) => {
                judge.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
            }
            Err(why) => Err(rustls::Error::Other(OtherError(Arc::new(why.clone())))),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// What can be read of the certificates there.
fn certificates(file: Option<&str>, folder: Option<&str>) -> Vec<CertificateDer<'static>> {
    rustls_native_certs::load_certs_from_paths(file.map(Path::new), folder.map(Path::new)).certs
}
