//! Streamable HTTP, in both eras.

mod authorize;

pub use authorize::{Authorizer, Challenge, Verdict};
