//! `muster.check/1`.

use muster_document::Scrubber;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Finding, Harness, Launched, List, Mode};
use crate::Survey;

/// What is wrong or misleading in a session started in `project`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.check/1")]
pub struct Check<'a> {
    /// `muster.check/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// The session folder, absolute, links resolved.
    pub project: &'a str,
    /// Whether somebody can be asked in the session.
    pub mode: Mode,
    /// Every harness asked, configured or not, always in the same order.
    pub harnesses: Vec<CheckHarness<'a>>,
    /// What is worth acting on, the worst first.
    pub findings: Vec<Finding<'a>>,
    /// What came of every server that loads, each started once for all harnesses that load it alike; empty unless it is asked for
    /// (`--launch`).
    pub launched: Vec<Launched>,
}

/// One harness, everything it was seen to read, and what it offers to its model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckHarness<'a> {
    /// As in `muster.list/1`.
    #[serde(flatten)]
    pub harness: Harness<'a>,
    /// What its servers offer together, after its filters; `null` where servers were not started.
    pub totals: Option<Totals>,
}

/// What the servers of one harness offer together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Totals {
    /// How many tools.
    pub tools: usize,
    /// About how many tokens their definitions take: a quarter of their bytes.
    pub tokens: usize,
    /// How many tools have a name that another has too.
    pub collisions: usize,
}

impl<'a> Check<'a> {
    /// The view of everything `survey` found, of which what is cut passes `scrubber` first.
    pub(crate) fn new(survey: &Survey<'a>, scrubber: &Scrubber) -> Check<'a> {
        let list = List::new(survey);
        Check {
            schema: "muster.check/1",
            muster: list.muster,
            project: list.project,
            mode: list.mode,
            harnesses: list
                .harnesses
                .into_iter()
                .map(|harness| CheckHarness {
                    totals: Totals::of(survey, harness.id),
                    harness,
                })
                .collect(),
            findings: list.findings,
            launched: survey.checked.as_ref().map_or_else(Vec::new, |checked| {
                Launched::all(checked, survey.findings, scrubber)
            }),
        }
    }
}

impl Totals {
    /// Those of the harness `id`.
    fn of(survey: &Survey<'_>, id: &str) -> Option<Totals> {
        let checked = survey.checked.as_ref()?;
        let offer = checked.offers.iter().find(|offer| offer.harness == id)?;
        Some(Totals {
            tools: offer.tools.len(),
            tokens: offer.tokens(),
            collisions: offer.collisions().len(),
        })
    }
}
