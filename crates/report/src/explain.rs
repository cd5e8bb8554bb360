//! What a rule is: a check of the audit, or a rule of a harness.

use muster_core::{Check, Harness, Rule};

/// Something that can be explained.
#[derive(Clone, Copy)]
pub enum Topic {
    /// One thing that is looked for in configuration.
    Check(&'static Check),
    /// One thing that a harness was seen to do.
    Rule(&'static dyn Harness, &'static Rule),
}

impl Topic {
    /// The id under which it is asked for.
    pub fn id(&self) -> &'static str {
        match self {
            Topic::Check(check) => check.id,
            Topic::Rule(_, rule) => rule.id,
        }
    }

    /// What it says, in one line.
    pub(crate) fn title(&self) -> &'static str {
        match self {
            Topic::Check(check) => check.title,
            Topic::Rule(_, rule) => rule.summary,
        }
    }
}

impl std::fmt::Debug for Topic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}
