//! Rules: what a harness was seen to do, with the evidence.

/// One thing a harness does. Every [`Reason`](crate::Reason) names the rule it follows from.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// `<harness>/<word>`, such as `claude-code/approval`. Stable: scripts may match on it.
    pub id: &'static str,
    /// The rule in one sentence.
    pub summary: &'static str,
    /// How it is known.
    pub evidence: Evidence,
    /// Golden cases that pin it: folder names below `cases/<harness>/`.
    pub cases: &'static [&'static str],
}

/// How a rule is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Seen on the real program of this version.
    Observed(&'static str),
    /// Read in the vendor's documentation or source for this version, not seen.
    Documented(&'static str),
    /// Muster's own rule, as of this version of Muster: decided, with nothing to observe it on.
    Decided(&'static str),
}

impl Evidence {
    /// `seen on 2.1.332`, `documented for 2.1.332` or `decided as of 0.1.0`.
    pub fn phrase(self) -> String {
        match self {
            Evidence::Observed(version) => format!("seen on {version}"),
            Evidence::Documented(version) => format!("documented for {version}"),
            Evidence::Decided(version) => format!("decided as of {version}"),
        }
    }
}
