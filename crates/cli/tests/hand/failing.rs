//! Servers that do not start, do not answer, or answer too much.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::context::Context;
use crate::scene::{SERVER, done, home, home_of, own, run};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("a_server_that_ends_says_its_last_words", || {
            done(a_server_that_ends_says_its_last_words)
        }),
        Trial::test(
            "a_server_that_is_mute_is_waited_for_as_long_as_it_may_take",
            || done(a_server_that_is_mute_is_waited_for_as_long_as_it_may_take),
        ),
        Trial::test("a_program_that_is_not_there", || {
            done(a_program_that_is_not_there)
        }),
        Trial::test("a_server_that_dies_during_a_call", || {
            done(a_server_that_dies_during_a_call)
        }),
        Trial::test("a_server_that_refuses", || done(a_server_that_refuses)),
        Trial::test("an_answer_that_is_too_long_is_said_so_soon", || {
            done(an_answer_that_is_too_long_is_said_so_soon)
        }),
        Trial::test("a_definition_that_cannot_be_used", || {
            done(a_definition_that_cannot_be_used)
        }),
    ]
}

fn a_server_that_ends_says_its_last_words() {
    let run = run(&home_of("exits"), "tools fake");
    assert_eq!((run.code, run.stdout.as_str()), (3, ""));
    assert_eq!(
        run.stderr,
        "error: `fake` could not be started: the server ended before it answered initialize\n  stderr  no module, and •••\n"
    );
}

fn a_server_that_is_mute_is_waited_for_as_long_as_it_may_take() {
    let started = Instant::now();
    let run = run(&home_of("mute"), "call fake echo message=hi --timeout 0.5");
    assert_eq!(run.code, 3);
    assert!(
        run.stderr
            .starts_with("error: `fake` could not be started: "),
        "{}",
        run.stderr
    );
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
}

fn a_program_that_is_not_there() {
    let context = Context::new();
    let run = context.run(["tools", "--", "/nonexistent/server"]);
    assert_eq!(run.code, 3);
    assert_eq!(
        run.stderr,
        "error: `server` could not be started: there is no `/nonexistent/server`\n"
    );
}

fn a_server_that_dies_during_a_call() {
    let run = run(&home(), "call fake die");
    assert_eq!((run.code, run.stdout.as_str()), (3, ""));
    assert_eq!(
        run.stderr,
        "error: `fake` did not do it: the server closed the connection\n  stderr  boom •••\n"
    );
}

fn a_server_that_refuses() {
    let run = run(&home(), "call fake refuse");
    assert_eq!((run.code, run.stdout.as_str()), (3, ""));
    assert_eq!(
        run.stderr,
        "error: `fake` did not do it: error -32000: not with •••\n"
    );
}

fn an_answer_that_is_too_long_is_said_so_soon() {
    let started = Instant::now();
    let run = run(&home(), "call fake huge");
    assert_eq!((run.code, run.stdout.as_str()), (3, ""));
    assert!(
        run.stderr
            .contains("the answer is longer than 16777216 bytes"),
        "{}",
        run.stderr
    );
    assert!(
        started.elapsed() < Duration::from_secs(30),
        "{:?}",
        started.elapsed()
    );
}

fn a_definition_that_cannot_be_used() {
    let file = serde_json::json!({"mcpServers": {"fake": {"command": own(), "args": [SERVER, 5]}}});
    let context = Context::new().file(".claude.json", &file.to_string());
    let run = run(&context, "tools fake");
    assert_eq!((run.code, run.stdout.as_str()), (3, ""));
    assert!(
        run.stderr.starts_with("error: `fake` cannot be started: "),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.ends_with("hint: `muster why fake` tells all\n"),
        "{}",
        run.stderr
    );
}
