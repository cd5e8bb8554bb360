//! Where output goes, and in which dress.

use std::io::Read;
use std::process::Stdio;

use crate::context::Context;

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let context = Context::furnished();
    assert!(
        !context.run(["list"]).fine().contains('\u{1b}'),
        "a pipe gets no colour"
    );
    assert!(
        context
            .run(["list", "--color", "always"])
            .fine()
            .contains('\u{1b}')
    );
    assert!(
        !context
            .run(["list", "--color", "never"])
            .fine()
            .contains('\u{1b}')
    );
    for variable in ["CLICOLOR_FORCE", "NO_COLOR"] {
        let run = context.finish(
            context
                .command()
                .env("CLICOLOR_FORCE", "1")
                .env(variable, "1"),
        );
        assert_eq!(
            run.fine().contains('\u{1b}'),
            variable == "CLICOLOR_FORCE",
            "{variable}"
        );
    }
}

#[test]
fn a_locale_that_is_not_utf8_gets_ascii() {
    let context = Context::furnished();
    for (name, value) in [
        ("LC_ALL", "C"),
        ("LC_CTYPE", "POSIX"),
        ("LANG", "de_DE.ISO-8859-1"),
        ("LANG", ""),
    ] {
        let shown = context.finish(context.command().env(name, value)).fine();
        assert!(shown.is_ascii(), "{name}={value}: {shown}");
    }
    let json = context
        .finish(
            context
                .command()
                .env("LC_ALL", "C")
                .args(["why", "lint", "--format", "json"]),
        )
        .fine();
    assert!(json.contains("•••"), "JSON is always UTF-8");
}

#[test]
fn no_line_is_wider_than_80_columns_in_a_pipe() {
    let context = Context::furnished();
    for args in [
        &["list", "-v"][..],
        &["list"],
        &["why", "lint", "-v"],
        &["why", "nobody"],
        &["demo"],
    ] {
        for line in context.run(args).fine().lines() {
            assert!(line.chars().count() <= 80, "{args:?}: {line}");
        }
    }
}

#[test]
fn an_answer_can_go_to_a_file() {
    let context = Context::furnished();
    let shown = context.run(["list"]).fine();
    let run = context.run(["list", "--output", "answer.txt", "--color", "auto"]);
    assert_eq!(run.fine(), "");
    let written = std::fs::read_to_string(context.path("project/answer.txt")).unwrap();
    assert_eq!(context.without_this_machine(&written), shown);
    let refused = context
        .run(["list", "--output", "no/such/folder.txt"])
        .refused();
    assert!(
        refused.contains("cannot write `no/such/folder.txt`") && refused.contains("No such file"),
        "{refused}"
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let context = Context::furnished();
    for args in [
        &["list", "--format", "json"][..],
        &["--help"],
        &["completions", "zsh"],
    ] {
        let mut child = context
            .command()
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut complaint = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut complaint)
            .unwrap();
        assert_eq!(
            (child.wait().unwrap().code(), complaint.as_str()),
            (Some(0), ""),
            "{args:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let context = Context::furnished();
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let run = context.finish(context.command().stdout(full));
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("cannot write to stdout"),
        "{}",
        run.stderr
    );
}
