//! The rules of Codex, with their evidence.

use muster_core::Rule;

/// The version on which the rules were observed.
pub(super) const VERSION: &str = "0.171.0";

/// Every rule.
pub(super) static ALL: &[&Rule] = &[];
