//! `muster.explain/1`.

use muster_core::Check;
use schemars::JsonSchema;
use serde::Serialize;

use super::Severity;
use crate::{Topic, VERSION};

/// What rules say, and how they are known.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.explain/1")]
pub struct Explain {
    /// `muster.explain/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// Every rule that was asked about.
    pub rules: Vec<Explained>,
}

/// One rule: either something that is looked for in configuration, or something that a harness was seen to do.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Explained {
    /// Its id: `unset-variable`, or `codex/trust` for a rule of a harness.
    pub id: &'static str,
    /// What it says, in one line.
    pub title: &'static str,
    /// What is looked for; `null` for a rule of a harness.
    pub check: Option<Looked>,
    /// What a harness does; `null` for what is looked for.
    pub observed: Option<Observed>,
}

/// Something that is looked for in configuration.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Looked {
    /// How bad it usually is.
    pub severity: Severity,
    /// How sure a finding is: `high`, `medium` or `low`.
    pub confidence: &'static str,
    /// Who wants to hear of it: `everyone`, `pedantic` or `security`.
    pub audience: &'static str,
    /// The version of Muster that first looked for it.
    pub since: &'static str,
    /// What happens and why.
    pub explanation: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// Where to read more.
    pub links: &'static [&'static str],
    /// A file that has it, and the same file mended.
    pub example: Example,
}

/// A file before and after.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Example {
    /// The harness whose file it is.
    pub harness: &'static str,
    /// Its path: from the session folder, or from the home with `~/`.
    pub path: &'static str,
    /// With the fault.
    pub before: &'static str,
    /// Mended.
    pub after: &'static str,
    /// Other files that matter.
    pub besides: Vec<Beside>,
}

/// A file that an example needs besides its own.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Beside {
    /// Its path.
    pub path: &'static str,
    /// What it holds.
    pub text: &'static str,
}

/// Something that a harness was seen to do.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Observed {
    /// The harness.
    pub harness: &'static str,
    /// How it is known: `seen on 2.1.332`.
    pub evidence: String,
    /// The golden cases that pin it.
    pub cases: &'static [&'static str],
}

impl Explain {
    /// The view of `topics`.
    pub fn new(topics: &[Topic]) -> Explain {
        Explain {
            schema: "muster.explain/1",
            muster: VERSION,
            rules: topics.iter().map(Explained::new).collect(),
        }
    }
}

impl Explained {
    fn new(topic: &Topic) -> Explained {
        let (check, observed) = match topic {
            Topic::Check(check) => (Some(Looked::new(check)), None),
            Topic::Rule(harness, rule) => (
                None,
                Some(Observed {
                    harness: harness.id(),
                    evidence: rule.evidence.phrase(),
                    cases: rule.cases,
                }),
            ),
        };
        Explained {
            id: topic.id(),
            title: topic.title(),
            check,
            observed,
        }
    }
}

impl Looked {
    fn new(check: &Check) -> Looked {
        Looked {
            severity: check.severity.into(),
            confidence: check.confidence.word(),
            audience: check.audience.word(),
            since: check.since,
            explanation: check.explanation,
            help: check.help,
            links: check.links,
            example: Example {
                harness: check.example.harness,
                path: check.example.path,
                before: check.example.before,
                after: check.example.after,
                besides: check
                    .example
                    .besides
                    .iter()
                    .map(|(path, text)| Beside { path, text })
                    .collect(),
            },
        }
    }
}
