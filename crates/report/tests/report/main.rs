//! What Muster shows, over resolutions built by hand.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "in a test a panic is the failing assertion"
)]

mod by_server;
mod hand;
mod launch_plan;
mod list_json;
mod list_text;
mod markdown;
mod offered;
mod promises;
mod ps;
mod scenes;
mod why_text;

use muster_report::{Detail, Look};

/// 80 columns, no colour.
pub(crate) const PLAIN: Look = Look {
    width: 80,
    unicode: true,
    colour: false,
};

/// The list as text.
pub(crate) fn list(resolutions: &[muster_core::Resolution], look: Look, detail: Detail) -> String {
    let survey = hand::survey(resolutions);
    let page = muster_report::list(&survey, muster_report::Format::Text, look, detail);
    page.as_str().to_owned()
}
