//! Whom encrypted connections trust.

use std::path::Path;
use std::sync::Arc;

use muster_core::Environment;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

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

    /// Reads the roots: what the environment names, on every system, or else what the system trusts.
    pub(super) fn config(&self) -> Result<ClientConfig, NetError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = self.verifier(provider.clone())?;
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(tls)?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        Ok(config)
    }

    fn verifier(
        &self,
        provider: Arc<CryptoProvider>,
    ) -> Result<Arc<dyn ServerCertVerifier>, NetError> {
        // Node goes on without an extra file that it cannot read, and so do its programs.
        let extra = match &self.extra {
            Some(extra) => certificates(Some(extra), None),
            None => Vec::new(),
        };
        if self.file.is_none() && self.folder.is_none() {
            let verifier = Verifier::new_with_extra_roots(extra, provider).map_err(tls)?;
            return Ok(Arc::new(verifier));
        }
        let named = certificates(self.file.as_deref(), self.folder.as_deref());
        let mut store = RootCertStore::empty();
        let (taken, _) = store.add_parsable_certificates(named);
        if taken == 0 {
            let variable = match self.file {
                Some(_) => "SSL_CERT_FILE",
                None => "SSL_CERT_DIR",
            };
            return Err(NetError::Roots { variable });
        }
        store.add_parsable_certificates(extra);
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(store), provider);
        let verifier = verifier
            .build()
            .map_err(|error| NetError::Tls(error.to_string()))?;
        Ok(verifier)
    }
}

/// What can be read of the certificates there.
fn certificates(file: Option<&str>, folder: Option<&str>) -> Vec<CertificateDer<'static>> {
    rustls_native_certs::load_certs_from_paths(file.map(Path::new), folder.map(Path::new)).certs
}

fn tls(error: rustls::Error) -> NetError {
    NetError::Tls(error.to_string())
}
