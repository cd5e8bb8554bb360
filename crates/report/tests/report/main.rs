//! What Muster shows, over resolutions built by hand.

mod hand;
mod list_text;
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
    muster_report::list(
        &hand::survey(resolutions),
        muster_report::Format::Text,
        look,
        detail,
    )
    .as_str()
    .to_owned()
}
