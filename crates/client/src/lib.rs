//! Muster's MCP client.
//!
//! It starts servers, or reaches them, finds out which revision they speak, lists what they offer and uses it. Its core works on raw
//! JSON: what a server really sent survives, to be explained and to be passed on, and what is odd becomes an [`Oddity`], never the loss
//! of its neighbours. What an *agent* would lose over it is computed elsewhere.
//!
//! ```text
//!                 ┌ stdio ┐            ┌ era, revision ┐
//! LaunchPlan ──►  │ http  │ Transport ─┤   Session     ├─ lists ──► Catalog
//!                 │ sse   │            └ one request   ┘─ calls ──► results
//!                 └ ws    ┘                    └──► Events, to whoever listens
//! ```

mod call;
mod event;
mod features;
pub mod http;
mod limits;
mod listing;
mod message;
pub mod net;
pub mod oauth;
pub mod process;
mod rounds;
mod running;
mod session;
mod start;
mod stdio;
mod transport;
mod version;
mod ws;

pub use call::CallError;
pub use event::{Event, Happening, Listener, Teller};
pub use features::{
    Answers, Cache, CacheOwner, Cached, Change, Choice, Completion, Elicitation, Elicited, Elicits,
    Field, FieldKind, Filter, Following, Form, LOG_LEVELS, ListenError, Listening, ListeningEnd,
    Reference, Samples, Visit, backoff, roots, visits_required,
};
pub use limits::Limits;
pub use listing::{List, Listed};
pub use message::{ErrorObject, Message, Reading, ResponseId, read, read_value};
pub use muster_core::{Exit, Oddity};
pub use rounds::{InputRequired, RoundsError, input_required};
pub use running::{Ended, Launcher, Running, StartFailed};
pub use session::{
    Ask, Handler, Manner, NoHandler, Pending, Refusal, RequestError, Session, client_info,
};
pub use start::{
    Address, Connection, EraChoice, First, Opened, ServerFacts, StartError, over_http, over_stdio,
};
pub use stdio::{Line, Lines, Stdio, incoming};
pub use transport::{
    BoxFuture, Closed, HttpAnswer, Incoming, Loss, Outgoing, SendError, Transport,
};
pub use version::{Era, Version, is_date_shaped};
pub use ws::WebSocket;
