//! What adding an agent touches: a room of its own, here the one file `otter.rs`, and a line of the registry. That every other crate
//! serves it unchanged is shown here; that none names an agent is held by `cargo xtask tidy`.

mod otter;

use camino::Utf8Path;
use muster_core::{Audience, Finding, Harness, Resolution};
use muster_report::{Detail, Format, Look, Survey};
use muster_testkit::{Stage, claims, strategies};
use proptest::prelude::*;

use otter::Otter;

/// The registry with the line that Otter would add.
fn registry() -> Vec<&'static dyn Harness> {
    let known = muster_harness::ALL.iter().copied();
    known.chain([&Otter as &'static dyn Harness]).collect()
}

/// What every agent makes of `stage`, and what is wrong there.
fn asked(stage: &Stage) -> (Vec<Resolution>, Vec<Finding>) {
    let (world, agents) = (stage.world(), registry());
    let mut resolutions: Vec<_> = agents.iter().map(|agent| agent.resolve(&world)).collect();
    muster_core::leave_to_owners(&mut resolutions);
    let found = muster_audit::audit(&world, &agents, &resolutions, &[Audience::Everyone]);
    (resolutions, found)
}

fn stage(fixture: &str) -> Stage {
    let stage =
        Stage::new("//- /work/repo/.git/HEAD\nref: refs/heads/main\n//- /usr/bin/npx mode=755\n");
    stage.tree.lay(fixture);
    stage.env("PATH", "/usr/bin")
}

/// What is said of `entry`, in Otter's file of the home: `check: text; help` each.
fn said_of(entry: &str) -> Vec<String> {
    let stage = stage("");
    stage.tree.file(
        "/home/me/.otter/tools.json",
        format!(r#"{{"tool_servers": {{"db": {entry}}}}}"#),
    );
    told(&asked(&stage).1)
}

fn told(found: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| {
        assert_eq!(finding.harness, Some("otter"), "{finding:?}");
        let help = finding.help.as_deref().unwrap_or("-");
        format!("{}: {}; {help}", finding.check.id, finding.text)
    };
    found.iter().map(line).collect()
}

#[test]
fn the_checks_know_a_new_agent_by_what_it_says_of_itself() {
    for (entry, said) in [
        (
            r#"{"run": "npx", "argv": ["@acme/db@1.0.0"], "vars": {"A": "b"}, "patience": 30}"#,
            &[][..],
        ),
        (
            r#"{"run": "npx", "env": {"A": "b"}}"#,
            &["misspelled-key: Otter does not read `env`: it calls this `vars`; write vars"],
        ),
        (
            r#"{"at": "https://a.example/mcp"}"#,
            &["url-without-type: Otter skips an address without \"via\"; add \"via\": \"web\""],
        ),
        (
            r#"{"via": "stdio", "run": "npx"}"#,
            &["transport-word: Otter knows no transport called \"stdio\"; write \"via\": \"pipe\""],
        ),
        (
            r#"{"run": "npx", "disabled": true}"#,
            &[
                "dead-switch: `disabled` does not switch the server off: Otter does not read it; otter drop db",
            ],
        ),
        (
            r#"{"run": "npx", "patience": 30000}"#,
            &[
                "timeout-unit: Otter counts seconds: this is 8 hours; if milliseconds were meant, write 30",
            ],
        ),
        (
            r#"{"run": "~/bin/db"}"#,
            &[
                "command-not-found: Otter does not follow `~` in a command: it looks for a folder of that name; write the path from / on",
            ],
        ),
        (
            r#"{"run": "npx", "vars": {"A": "${HOME}"}}"#,
            &["variable-dialect: ${HOME} is not how Otter writes a variable; write {env:HOME}"],
        ),
    ] {
        assert_eq!(said_of(entry), said, "{entry}");
    }
}

#[test]
fn trust_and_approvals_of_a_new_agent_are_looked_at() {
    let stage = stage(
        r#"
        //- /work/repo/.otter/tools.json
        {"tool_servers": {"db": {"run": "npx", "auto": true}}}
        //- /home/me/.otter/trusted.json
        {"/work/repo/": "yes"}
    "#,
    );
    assert_eq!(
        told(&asked(&stage).1),
        [
            "dead-trust-key: trust in /work/repo/ does not count here: paths are compared letter by letter; write it under /work/repo",
            "approves-itself: a file of the project lets a server's tools run without a question; take it out: each person says yes for himself",
        ]
    );
}

#[test]
fn a_new_agent_is_listed_and_its_servers_are_told_of() {
    let stage = stage(
        r#"
        //- /home/me/.otter/tools.json
        {"tool_servers": {"db": {"run": "npx"}, "docs": {"at": "https://docs.example/mcp", "via": "web"}}}
        //- /work/repo/.otter/tools.json
        {"tool_servers": {"db": {"run": "npx", "argv": ["other"]}}}
    "#,
    );
    let (resolutions, findings) = asked(&stage);
    let survey = Survey {
        folder: Utf8Path::new(Stage::FOLDER),
        cwd: Utf8Path::new(Stage::FOLDER),
        home: Some(Utf8Path::new(Stage::HOME)),
        mode: stage.world().mode,
        session: None,
        resolutions: &resolutions,
        findings: &findings,
        launches: &[],
        checked: None,
    };
    let look = Look {
        width: 80,
        unicode: true,
        colour: false,
    };
    let page = muster_report::list(&survey, Format::Json, look, Detail::Normal);
    let list: serde_json::Value = serde_json::from_str(page.as_str()).expect("it is JSON");
    let agents = list["harnesses"].as_array().expect("agents");
    let otter = agents.last().expect("Otter is the last");
    let rows: Vec<_> = otter["servers"]
        .as_array()
        .expect("servers")
        .iter()
        .map(|row| {
            (
                row["name"].as_str(),
                row["scope"].as_str(),
                row["status"].as_str(),
            )
        })
        .collect();
    assert_eq!(otter["id"], "otter");
    assert_eq!(
        rows,
        [
            (Some("db"), Some("project"), Some("untrusted")),
            (Some("db"), Some("user"), Some("overridden")),
            (Some("docs"), Some("user"), Some("configured")),
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_claims_are_asked_of_a_new_agent(tree in strategies::tree_for(&Otter)) {
        prop_assert_eq!(claims::broken(&Otter, &Stage::of(tree)), [""; 0]);
    }
}
