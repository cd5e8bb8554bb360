//! The way into the network: one HTTP client for everything that Muster asks for.
//!
//! ```text
//! Environment ─► Net ──► client(Reach) ──► resolver that judges addresses ──► connection
//!                 │          ▲
//!                 └ fetch ───┘   small documents: bounded, timed, no redirects unless asked for
//! ```
//!
//! Nothing is followed, remembered or unpacked: no redirects, no cookies, no Referer, no compression. What servers tell is judged by
//! [`Bounds`] before it is asked for.

mod address;
mod client;
mod failure;
mod fetch;
mod proxy;
mod reach;
mod resolve;
mod roots;

pub use address::Locality;
pub use client::{Net, NetError};
pub use failure::Failure;
pub(crate) use fetch::media_type;
pub use fetch::{Document, Fetch, FetchError, Redirects};
pub use reach::{Bounds, Reach, Refused, is_localhost, is_loopback, origin, same_origin};
pub use resolve::{Lookup, SystemLookup};
