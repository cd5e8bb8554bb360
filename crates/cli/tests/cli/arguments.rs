//! What is refused, and in which words.

use insta::assert_snapshot;

use crate::context::Context;

#[test]
fn what_makes_no_sense_is_a_usage_error() {
    let context = Context::new();
    let asked: [&[&str]; 8] = [
        &["--project", "nowhere"],
        &["--project", "../.file"],
        &["--home", "nowhere"],
        &["--harness", "copilot"],
        &["lst"],
        &["--format", "yaml"],
        &["-q", "-v"],
        &["why"],
    ];
    let context = context.file(".file", "");
    let refusals: Vec<String> = asked
        .iter()
        .map(|args| {
            format!(
                "$ muster {}\n{}",
                args.join(" "),
                context.run(*args).refused()
            )
        })
        .collect();
    assert_snapshot!(refusals.join("\n"));
}

#[test]
fn command_lines_that_cannot_be_answered_for() {
    let context = Context::new();
    let asked: [&[&str]; 2] = [
        &["list", "--", "vim", "x"],
        &["list", "--harness", "codex", "--", "claude"],
    ];
    let refusals: Vec<String> = asked
        .iter()
        .map(|args| {
            format!(
                "$ muster {}\n{}",
                args.join(" "),
                context.run(*args).refused()
            )
        })
        .collect();
    assert_snapshot!(refusals.join("\n"));
}

#[test]
fn a_command_that_moves_to_no_folder() {
    let words = ["list", "--", "codex", "exec", "-C", "nowhere", "hi"];
    let refusal = Context::new().run(words).refused();
    assert!(
        refusal.contains("the folder that the command moves to, `")
            && refusal.contains("does not exist"),
        "{refusal}"
    );
}

#[cfg(unix)]
#[test]
fn a_folder_whose_name_is_not_utf8_is_a_clear_error() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let context = Context::new();
    let folder = context.path("project").join(OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&folder).unwrap();
    assert_snapshot!(context.finish(&mut context.command_in(&folder)).refused());
    let run = context.run([OsStr::new("--project"), folder.as_os_str()]);
    assert_snapshot!(run.refused());
}

#[cfg(unix)]
#[test]
fn variables_that_are_not_utf8_are_left_out() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let context = Context::furnished();
    let run = context.finish(
        context
            .command()
            .env("ODD", OsStr::from_bytes(b"\xff"))
            .env(OsStr::from_bytes(b"\xfe"), "x"),
    );
    assert!(run.fine().contains("github"));
}
