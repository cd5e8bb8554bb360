//! The golden cases as a measure: what the real programs start is not accused of what would keep it from starting.

use std::collections::HashMap;

use camino::Utf8Path;
use muster_core::{Audience, Finding, Severity};
use muster_testkit::cases::Case;

/// Errors that a server has although the harness tries to start it: they are about what it then meets.
const AT_THE_START: [&str; 5] = [
    "command-not-found",
    "command-line-in-command",
    "unset-variable",
    "missing-folder",
    "docker-without-stdin",
];

#[test]
fn what_loads_in_a_golden_case_is_not_refused_here() {
    let top = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut wrong = Vec::new();
    let mut asked = 0;
    for case in Case::all(&top).expect("the cases can be read") {
        let harness = muster_harness::by_id(case.harness()).expect("the harness is known");
        let Some(stage) = case.stage().expect("the case can be read") else {
            continue;
        };
        let words = case.session();
        let stage = match harness.session(&words, &stage.world().cwd) {
            Ok(session) if !words.is_empty() => stage.session(session),
            _ => stage,
        };
        let world = stage.world();
        let resolution = harness.resolve(&world);
        let mut loading: HashMap<&str, bool> = HashMap::new();
        for server in &resolution.servers {
            // Of two definitions under one name a finding may be about either.
            let loads = server.status.loads() == Some(true);
            let name = server.definition.name.as_str();
            let first = loading.insert(name, loads).is_none();
            loading.entry(name).and_modify(|only| *only &= first);
        }
        asked += loading.values().filter(|loads| **loads).count();
        let refused = |finding: &Finding| {
            let server = finding.server.as_deref();
            finding.severity == Severity::Error
                && !AT_THE_START.contains(&finding.check.id)
                && server.and_then(|name| loading.get(name)) == Some(&true)
        };
        let found = muster_audit::audit(
            &world,
            muster_harness::ALL,
            std::slice::from_ref(&resolution),
            &Audience::ALL,
        );
        let refused = found.iter().filter(|finding| refused(finding));
        wrong.extend(
            refused.map(|finding| format!("{}: {} {}", case.name, finding.check.id, finding.text)),
        );
    }
    assert!(asked > 500, "{asked}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
