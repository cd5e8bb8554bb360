//! What makes an authorization request unguessable: the verifier and its challenge (RFC 7636), the state.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use muster_document::Secret;
use sha2::{Digest, Sha256};

/// Bytes of randomness in each.
const BYTES: usize = 32;

/// The system gives no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random bytes")]
pub struct NoRandomness;

/// A fresh random text of 43 characters that every URL takes as it is.
pub(super) fn random() -> Result<Secret, NoRandomness> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(Secret::new(URL_SAFE_NO_PAD.encode(bytes)))
}

/// The S256 challenge of `verifier` (RFC 7636, section 4.2).
pub fn challenge(verifier: &Secret) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.expose().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_the_specification() {
        // RFC 7636, appendix B.
        let verifier = Secret::new("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(
            challenge(&verifier),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }

    #[test]
    fn no_two_random_texts_are_the_same() {
        let (first, second) = (random().unwrap(), random().unwrap());
        assert_ne!(first, second);
        for text in [first, second] {
            assert_eq!(text.expose().len(), 43);
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            assert!(text.expose().bytes().all(plain));
        }
    }
}
