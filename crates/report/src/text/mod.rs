//! Text for people: fits the screen, never wraps by accident, says every status by word, symbol and colour.

mod canvas;
mod check;
mod closing;
mod empty;
mod explain;
mod finding;
mod group;
mod launch;
mod list;
mod margin;
mod matrix;
mod measure;
mod row;
mod snippet;
mod why;

pub(crate) use check::check;
pub(crate) use explain::explain;
pub(crate) use list::list;
pub(crate) use matrix::matrix;
pub(crate) use why::why;
