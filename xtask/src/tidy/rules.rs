//! Rules and the cases that pin them.

use std::collections::HashSet;

use muster_core::{Evidence, Harness, Rule};
use serde_json::Value;

use crate::Result;
use crate::place::Workspace;

/// Every folder of `cases/` holds a record of that folder's harness, and every line of `random/` is a record with its own id.
pub(super) fn every_case_has_its_record(workspace: &Workspace) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for harness in workspace.folders("cases")? {
        for case in workspace.folders(&format!("cases/{harness}"))? {
            let path = format!("cases/{harness}/{case}/case.json");
            let record = workspace
                .read(&path)
                .ok()
                .and_then(|text| serde_json::from_str::<Value>(&text).ok());
            match record {
                None => faults.push(format!("{path}: is no record")),
                Some(record) if !of_harness(&record, &harness) => {
                    faults.push(format!("{path}: is of another harness"))
                }
                Some(_) => {}
            }
        }
    }
    for path in workspace
        .files("random")?
        .iter()
        .filter(|path| path.extension() == Some("jsonl"))
    {
        let mut ids = HashSet::new();
        for (number, line) in workspace.read(path.as_str())?.lines().enumerate() {
            let id = serde_json::from_str::<Value>(line)
                .ok()
                .and_then(|record| Some(record.get("id")?.as_str()?.to_owned()));
            if !id.is_some_and(|id| ids.insert(id)) {
                faults.push(format!(
                    "{path}:{}: is no record with an id of its own",
                    number + 1
                ));
            }
        }
    }
    Ok(faults)
}

/// The recorders' short names count too.
fn of_harness(record: &Value, harness: &str) -> bool {
    let recorded = record
        .get("harness")
        .and_then(Value::as_str)
        .unwrap_or_default();
    recorded == harness || harness.split('-').next() == Some(recorded)
}

/// Every rule has an id of its own in its harness's name, and what pins it: golden cases that are there, or a document.
pub(super) fn every_rule_has_its_evidence(workspace: &Workspace) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for harness in muster_harness::ALL {
        let mut ids = HashSet::new();
        for rule in harness.rules() {
            if !ids.insert(rule.id) {
                faults.push(format!("rule `{}`: is registered twice", rule.id));
            }
            faults.extend(
                faults_of(workspace, *harness, rule)
                    .into_iter()
                    .map(|fault| format!("rule `{}`: {fault}", rule.id)),
            );
        }
    }
    Ok(faults)
}

fn faults_of(workspace: &Workspace, harness: &dyn Harness, rule: &Rule) -> Vec<String> {
    let mut faults = Vec::new();
    if rule
        .id
        .strip_prefix(harness.id())
        .is_none_or(|rest| !rest.starts_with('/'))
    {
        faults.push(format!("does not start with `{}/`", harness.id()));
    }
    if rule.summary.trim().is_empty() {
        faults.push("says nothing".to_owned());
    }
    if rule.cases.is_empty() {
        match rule.evidence {
            Evidence::Observed(_) => {
                faults.push("was observed, but no golden case pins it".to_owned());
            }
            Evidence::Decided(_) => {
                faults.push("was decided, but no golden case pins it".to_owned());
            }
            Evidence::Documented(_) => {}
        }
    }
    for case in rule.cases {
        if !workspace
            .path(&format!("cases/{}/{case}", harness.id()))
            .is_dir()
        {
            faults.push(format!("names the case `{case}`, which is not there"));
        }
    }
    faults
}
