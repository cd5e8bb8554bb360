//! What came of servers that were started, for a report.

use muster_core::{Candidate, LaunchPlan, Launched, Offer, Start};
use muster_document::{Masked, Scrubber, Secret};

use crate::bounded::{NAME, bounded};

/// What `check --launch` found beside a survey. `launched` and `likely` go with `candidates`, one each.
#[derive(Debug, Clone, Copy)]
pub struct Checked<'r> {
    /// What was to be started, in the order in which it is shown.
    pub candidates: &'r [Candidate<'r>],
    /// What came of each.
    pub launched: &'r [Launched],
    /// What is likely behind each failure, and what to try; both may be shown.
    pub likely: &'r [Option<(String, String)>],
    /// What each harness gives its model of it, in the order of the harnesses.
    pub offers: &'r [Offer],
    /// Ids of the checks that the servers' own lines tell of.
    pub told: &'static [&'static str],
}

/// So many lines of a server's last words are kept for programs.
const TAIL: usize = 20;

impl Checked<'_> {
    /// Each server with what came of it and what is likely behind that.
    pub(crate) fn each(
        &self,
    ) -> impl Iterator<Item = (&Candidate<'_>, &Launched, Option<&(String, String)>)> {
        let likely = self.likely.iter().map(Option::as_ref);
        let rest = likely.chain(std::iter::repeat(None));
        self.candidates
            .iter()
            .zip(self.launched)
            .zip(rest)
            .map(|((candidate, launched), likely)| (candidate, launched, likely))
    }

    /// Every value that servers were given, for the last writer.
    pub(crate) fn teach(&self, scrubber: &mut Scrubber) {
        for given in self.launched.iter().flat_map(|launched| &launched.given) {
            scrubber.learn(given);
        }
        for candidate in self.candidates {
            for user in &candidate.users {
                teach(&user.plan, scrubber);
            }
            teach(&candidate.plan, scrubber);
        }
    }
}

fn teach(plan: &LaunchPlan, scrubber: &mut Scrubber) {
    for helper in &plan.helpers {
        scrubber.learn_word(&helper.command);
        for variable in &helper.env {
            scrubber.learn_variable(&variable.name, &variable.value);
        }
    }
    match &plan.start {
        Start::Process { argv, env, .. } => {
            scrubber.learn_command_line(argv);
            for variable in env {
                scrubber.learn_variable(&variable.name, &variable.value);
            }
        }
        Start::Remote { url, headers, .. } => {
            scrubber.learn_url(url);
            for (_, value) in headers {
                scrubber.learn(value);
            }
        }
    }
}

/// The last lines of what a server wrote to its standard error, masked; blank ones are left out. What two lines hold only together is
/// hidden in both.
pub(crate) fn last_words(launched: &Launched, scrubber: &Scrubber) -> Vec<String> {
    let lines: Vec<&str> = launched
        .stderr_tail
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.trim().is_empty())
        .collect();
    let start = lines.len().saturating_sub(TAIL);
    let lines = lines.get(start..).unwrap_or_default();
    let mut masked: Vec<String> = lines.iter().map(|line| line_of(line, scrubber)).collect();
    for (at, pair) in lines.windows(2).enumerate() {
        let [one, other] = pair else { continue };
        if is_split(one.trim(), other.trim(), scrubber) {
            for line in masked.iter_mut().skip(at).take(2) {
                *line = Masked::HIDDEN.to_owned();
            }
        }
    }
    masked
}

/// Whether a secret begins in `one` and ends in `other`.
fn is_split(one: &str, other: &str, scrubber: &Scrubber) -> bool {
    if scrubber.knows_nothing() {
        return false;
    }
    let joined = format!("{one}{other}");
    let apart = format!("{}{}", scrubber.scrub(one), scrubber.scrub(other));
    apart == joined && scrubber.scrub(&joined) != joined
}

/// A line that a server wrote, masked, and no longer than can be read.
pub(crate) fn line_of(line: &str, scrubber: &Scrubber) -> String {
    let line = Masked::line(&Secret::new(scrubber.scrub(line)));
    bounded(line.as_str(), NAME).into_owned()
}

/// What is started or reached, masked.
pub(crate) fn target(candidate: &Candidate<'_>) -> String {
    match &candidate.plan.start {
        Start::Process { argv, .. } => {
            let words: Vec<String> = Masked::command_line(argv)
                .into_iter()
                .map(String::from)
                .collect();
            words.join(" ")
        }
        Start::Remote { url, .. } => Masked::url(url).to_string(),
    }
}
