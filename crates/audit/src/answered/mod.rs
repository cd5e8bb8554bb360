//! What servers that were started did wrong, for whom that matters, and what is likely behind a failure.
//!
//! ```text
//! Launch ─► Answer: each server ─► Item: what it tells models, Tool: each parsed alone ─► Gist: what is kept of it
//!                                                                                          └─► Offering: each harness ─► all of it
//! ```
//!
//! One file for each check in `checks/`, one line for each in the [registry](LAUNCH_CHECKS), which says how it looks: once for each server, item,
//! tool or harness, or once at all of it. A list may hold thousands of tools: only the `Gist` of each outlives its turn.

mod answer;
mod causes;
mod checks;
mod gist;
mod item;
mod launch;
mod lessons;
mod offering;
mod registry;
mod text;
mod tool;

use muster_core::Finding;

use answer::Answer;
use gist::Gist;
use item::Item;
use offering::{Gathered, Offering};
use registry::{ALL, Look, Registered};
use tool::Tool;

pub use causes::{Likely, likely};
pub use launch::Launch;
pub use registry::LAUNCH_CHECKS;

/// Ids of the checks whose findings are what became of a server: a report that shows each server needs not tell them again.
pub static OUTCOMES: &[&str] = &[
    checks::server_failed::CHECK.id,
    checks::server_timed_out::CHECK.id,
    checks::needs_sign_in::CHECK.id,
    checks::not_started::CHECK.id,
];

/// What is worth acting on in `launch`, the worst first, then server by server.
pub fn audit_launched(launch: &Launch<'_>) -> Vec<Finding> {
    let checks: Vec<&Registered> = ALL
        .iter()
        .filter(|registered| launch.audiences.contains(&registered.check.audience))
        .collect();
    let mut found = Vec::new();
    let mut gists = Vec::new();
    for answer in launch.answers() {
        gists.push(of_answer(&answer, &checks, &mut found));
    }
    let gathered = Gathered { launch, gists };
    for offer in launch.offers {
        let offering = Offering::new(&gathered, offer);
        for registered in &checks {
            if let Look::Offering(look) = registered.look {
                look(&offering, &mut found);
            }
        }
    }
    for registered in &checks {
        if let Look::All(look) = registered.look {
            look(&gathered, &mut found);
        }
    }
    found.sort_by_key(|finding| finding.severity);
    found
}

/// Looks at one server, check by check, and says what is kept of its tools.
fn of_answer(answer: &Answer<'_>, checks: &[&Registered], found: &mut Vec<Finding>) -> Vec<Gist> {
    let mut by_check: Vec<Vec<Finding>> = vec![Vec::new(); checks.len()];
    let mut each = |look: &dyn Fn(Look, &mut Vec<Finding>)| {
        for (registered, found) in checks.iter().zip(&mut by_check) {
            look(registered.look, found);
        }
    };
    let at_item = |item: &Item<'_>, look: Look, found: &mut Vec<Finding>| {
        if let Look::Item(look) = look {
            look(item, found);
        }
    };
    each(&|look, found| {
        if let Look::Server(look) = look {
            look(answer, found);
        }
    });
    let mut gists = Vec::new();
    for (index, value) in answer.launched.tools.iter().enumerate() {
        let tool = Tool::new(answer, index, value);
        each(&|look, found| match look {
            Look::Tool(look) => look(&tool, found),
            look => at_item(&tool.item, look, found),
        });
        gists.push(Gist::of(&tool));
    }
    answer.items(&mut |item| each(&|look, found| at_item(item, look, found)));
    found.extend(by_check.into_iter().flatten());
    gists
}
