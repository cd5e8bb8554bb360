//! What the hand tools share.
//!
//! ```text
//! a name, an address, a command ─► Target (consent) ─► Workshop: started, used, ended
//! words ─► arguments ─► checked against the schema ──────┘   │
//!                               stderr ◄── Live, Terminal ◄──┘
//! ```

mod arguments;
mod ask;
mod bounds;
mod check;
mod error;
mod keep;
mod live;
mod offered;
mod similar;
mod target;
mod using;
mod wanted;
mod words;

pub(crate) use arguments::{ArgumentError, arguments};
pub(crate) use ask::Terminal;
pub(crate) use check::{Checked, check};
pub(crate) use error::HandError;
pub(crate) use keep::{decoded, keep};
pub(crate) use live::{Aside, Live};
pub(crate) use offered::{Asked, Bench, Came, list};
pub(crate) use similar::similar;
pub(crate) use target::{Target, all, unapproved};
pub(crate) use using::{Behaviour, Trouble, nobody, server_says, work};
pub(crate) use words::{Given, Word, whole};
