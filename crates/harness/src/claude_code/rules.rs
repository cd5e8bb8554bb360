//! The rules of Claude Code, with their evidence.

use muster_core::Rule;

/// The version on which the rules were observed.
pub(super) const VERSION: &str = "2.1.332";

/// Every rule.
pub(super) static ALL: &[&Rule] = &[];
