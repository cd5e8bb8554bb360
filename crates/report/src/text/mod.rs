//! Text for people: fits the screen, never wraps by accident, says every status by word, symbol and colour.

mod canvas;
mod check;
mod closing;
mod empty;
mod explain;
mod finding;
mod group;
mod launch;
mod launched;
mod list;
mod margin;
mod matrix;
mod measure;
mod offering;
mod progress;
mod ps;
mod result;
mod row;
mod snippet;
mod why;

pub(crate) use canvas::Tone;
pub(crate) use check::check;
pub(crate) use explain::explain;
pub(crate) use list::list;
pub(crate) use matrix::matrix;
pub(crate) use measure::width;
pub(crate) use offering::{counted, offering};
pub use progress::{Progress, commands, progress};
pub(crate) use ps::ps;
pub(crate) use result::result;
pub(crate) use why::why;
