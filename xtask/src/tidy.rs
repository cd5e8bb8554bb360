//! What the compiler does not check.
//!
//! Each check gives the faults it finds as sentences that name the file; [`run`] prints them all. The same checks are tests, so
//! that `cargo test` alone notices.

mod agents;
mod documents;
mod rules;
mod sources;
mod walls;

use crate::place::Workspace;
use crate::{Result, say};

/// A check's name and the check: the faults it finds, or why it could not look.
type Check = (&'static str, fn(&Workspace) -> Result<Vec<String>>);

const CHECKS: [Check; 10] = [
    ("walls", walls::pure_crates_are_walled),
    ("dependencies", walls::dependencies_run_one_way),
    ("printing", sources::printing_is_in_one_place),
    ("agents' names", agents::only_their_rooms_name_agents),
    ("lengths", sources::files_are_short),
    ("module documentation", sources::modules_say_what_they_are),
    ("machine paths", sources::no_file_names_this_machine),
    ("cases", rules::every_case_has_its_record),
    ("rules", rules::every_rule_has_its_evidence),
    ("documents", documents::documents_are_there_and_true),
];

/// Runs every check and fails if any finds a fault.
pub(crate) fn run(workspace: &Workspace) -> Result {
    let mut count = 0;
    for (_, check) in CHECKS {
        for fault in check(workspace)? {
            count += 1;
            say::problem(&fault);
        }
    }
    for warning in sources::files_grow_long(workspace)? {
        say::warning(&warning);
    }
    match count {
        0 => {
            say::line(&format!("{} checks found nothing", CHECKS.len()));
            Ok(())
        }
        1 => Err("tidy found 1 fault".into()),
        _ => Err(format!("tidy found {count} faults").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(check: fn(&Workspace) -> Result<Vec<String>>) {
        let faults = check(&Workspace::find()).expect("the workspace can be read");
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn pure_crates_are_walled() {
        holds(walls::pure_crates_are_walled);
    }

    #[test]
    fn dependencies_run_one_way() {
        holds(walls::dependencies_run_one_way);
    }

    #[test]
    fn printing_is_in_one_place() {
        holds(sources::printing_is_in_one_place);
    }

    #[test]
    fn only_their_rooms_name_agents() {
        holds(agents::only_their_rooms_name_agents);
    }

    #[test]
    fn every_case_has_its_record() {
        holds(rules::every_case_has_its_record);
    }

    #[test]
    fn every_rule_has_its_evidence() {
        holds(rules::every_rule_has_its_evidence);
    }

    #[test]
    fn documents_are_there_and_true() {
        holds(documents::documents_are_there_and_true);
    }
}
