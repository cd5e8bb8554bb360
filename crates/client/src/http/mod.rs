//! MCP over HTTP: Streamable HTTP in both eras, and the HTTP+SSE that came before.
//!
//! ```text
//! Outgoing ─► StreamableHttp ─► Caller ─► server        what is sent: fields, mirrored; by whom: authorize
//!                                           │
//! Incoming ◄── deliver ◄── answer ◄─────────┤ JSON
//!                  └────── stream ◄─────────┘ events    and after a break: resume
//! ```

mod answer;
mod authorize;
mod call;
mod deliver;
mod events;
mod fields;
mod mirrored;
mod renew;
mod resume;
mod sse;
mod stream;
mod streamable;

pub(crate) use answer::{lost, other};
pub use authorize::{Authorizer, Challenge, Verdict};
pub(crate) use call::{Call, Caller, parse};
pub use call::{OpenError, Remote};
pub(crate) use deliver::{Delivered, deliver};
pub use events::{Event, Events};
pub use fields::{FieldError, encode};
pub use mirrored::{MirrorError, Mirrors};
pub use sse::HttpSse;
pub use streamable::StreamableHttp;
