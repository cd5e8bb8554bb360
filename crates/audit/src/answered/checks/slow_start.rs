//! A server that takes long to start.

use std::time::Duration;

use muster_core::{Audience, Check, Confidence, Finding, Severity, State};

use crate::answered::answer::{Answer, seconds};
use crate::answered::lessons;

pub(crate) static CHECK: Check = Check {
    id: "slow-start",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server takes long to start",
    explanation: "Agents wait only so long for a server to be ready, and headless runs begin before slow ones are up: the model's first turn then has none of its tools.",
    help: "Install the package instead of fetching it at every start, or allow it more time in the agent's own setting.",
    links: &[],
    example: lessons::SLOW,
};

/// What takes longer to start is worth a word in any agent.
const SLOW: Duration = Duration::from_secs(10);

/// What it took to start, against what each harness allows.
pub(crate) fn look(answer: &Answer<'_>, found: &mut Vec<Finding>) {
    let launched = answer.launched;
    let took = match (&launched.state, launched.startup) {
        (State::TimedOut { after, .. }, None) => Some(*after),
        (_, took) => took,
    };
    let Some(took) = took else { return };
    let over = matches!(launched.state, State::TimedOut { .. });
    let mut said = false;
    for user in &answer.candidate.users {
        let limit = &user.plan.startup_timeout;
        let Some(allowed) = limit.duration.filter(|allowed| took > *allowed) else {
            continue;
        };
        said = true;
        let text = format!(
            "took {} to start, longer than {}'s {} start limit",
            about(took, over),
            answer.launch.name_of(user.harness),
            seconds(allowed)
        );
        let mut finding = answer.finding(&CHECK, text);
        finding.harness = Some(user.harness);
        found.push(match &limit.place {
            Some(place) => finding
                .with_help("raise the limit that is written there")
                .at(Some(place)),
            None => finding,
        });
    }
    if !said && !over && took >= SLOW {
        let text = format!(
            "took {} to start, longer than a {} start limit",
            seconds(took),
            seconds(SLOW)
        );
        found.push(answer.finding(&CHECK, text));
    }
}

fn about(took: Duration, over: bool) -> String {
    match over {
        true => format!("more than {}", seconds(took)),
        false => seconds(took),
    }
}
