//! Who wins a name.

use muster_core::{
    Contender, Definition, Evidence, Objection, Reason, Rule, Scope, Server, Status, settle,
};

static RULE: Rule = Rule {
    id: "test/rule",
    summary: "a rule",
    evidence: Evidence::Observed("1"),
    cases: &[],
};

fn reason(text: &str) -> Reason {
    Reason::new(&RULE, "test", text, None)
}

fn contender(name: &str, scope: Scope) -> Contender {
    let definition = Definition {
        name: name.to_owned(),
        scope,
        place: None,
        entry: muster_core::Entry::default().into(),
        rule: &RULE,
    };
    Contender {
        definition,
        facts: vec![reason("defined")],
        out: None,
        held: None,
        verdict: reason("loads"),
    }
}

fn objection(status: Status) -> Option<Objection> {
    Some(Objection::new(status, "short", reason("objection")))
}

fn statuses(contenders: Vec<Contender>) -> Vec<Status> {
    let servers: Vec<Server> = settle(contenders, &RULE);
    servers.iter().map(|server| server.status).collect()
}

#[test]
fn the_first_of_a_name_wins() {
    let all = vec![
        contender("a", Scope::Local),
        contender("b", Scope::Project),
        contender("a", Scope::User),
    ];
    let servers = settle(all, &RULE);
    let [local, other, user] = servers.as_slice() else {
        panic!("three went in")
    };
    assert_eq!(
        (local.status, other.status),
        (Status::Configured, Status::Configured)
    );
    assert_eq!(user.status, Status::Overridden);
    assert_eq!(user.short.as_deref(), Some("local's a wins"));
    assert_eq!(user.remedies, ["remove or rename the local's a"]);
}

#[test]
fn what_is_out_hides_nobody() {
    let mut project = contender("a", Scope::Project);
    project.out = objection(Status::NeedsApproval);
    assert_eq!(
        statuses(vec![project, contender("a", Scope::User)]),
        [Status::NeedsApproval, Status::Configured]
    );
}

#[test]
fn what_is_held_hides_the_others() {
    let mut project = contender("a", Scope::Project);
    project.held = objection(Status::Blocked);
    assert_eq!(
        statuses(vec![project, contender("a", Scope::User)]),
        [Status::Blocked, Status::Overridden]
    );
}

#[test]
fn the_deciding_reason_comes_last() {
    let mut held = contender("a", Scope::User);
    held.held = objection(Status::Off);
    for (server, last) in settle(vec![held, contender("b", Scope::User)], &RULE)
        .iter()
        .zip(["objection", "loads"])
    {
        let texts: Vec<_> = server
            .reasons
            .iter()
            .map(|reason| reason.text.as_str())
            .collect();
        assert_eq!(texts, ["defined", last]);
    }
}

#[test]
fn what_would_still_be_in_the_way_is_known() {
    let held = |mut contender: Contender| {
        contender.held = Some(Objection::new(Status::Off, "off here", reason("off")));
        contender
    };
    let further = |status| {
        let mut pending = held(contender("a", Scope::Project));
        pending.out = objection(status);
        let all = vec![
            contender("a", Scope::Flag),
            contender("a", Scope::Local),
            pending,
            held(contender("a", Scope::User)),
            held(contender("b", Scope::User)),
        ];
        let servers = settle(all, &RULE);
        servers
            .into_iter()
            .map(|server| server.further)
            .collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    let [flag, local, pending, user, other] = &*further(Status::NeedsApproval) else {
        panic!("five went in")
    };
    assert_eq!(*flag, none);
    assert_eq!(*local, none);
    assert_eq!(*pending, ["flag's a wins", "local's a wins", "off here"]);
    assert_eq!(*user, ["local's a wins", "off here"]);
    assert_eq!(*other, none);
    let mut twice = held(contender("a", Scope::User));
    twice.out = twice.held.clone();
    assert_eq!(settle(vec![twice], &RULE)[0].further, none);
    // What stands in a refused definition says nothing of the one that would replace it.
    assert_eq!(further(Status::Invalid)[2], none);
}
