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

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_reached_is_not_said_to_be_absent() {
    let context = Context::new();
    let folder = context.path("loop");
    std::os::unix::fs::symlink("loop", &folder).unwrap();
    let refusal = context.run(["--project", "../loop"]).refused();
    assert!(
        refusal.contains("the project folder `../loop` cannot be read:")
            && refusal.contains("loop"),
        "{refusal}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_current_folder_that_is_gone_is_no_obstacle_where_all_is_named_absolutely() {
    let context = Context::furnished();
    let asked = |args: &[&str]| {
        let folder = context.path("gone");
        std::fs::create_dir(&folder).unwrap();
        let script = "rmdir ../gone && exec \"$0\" \"$@\"";
        let mut command = context.command_in(&folder);
        let mut shell = std::process::Command::new("/bin/sh");
        shell.args(["-c", script]).arg(command.get_program());
        shell.args(args).current_dir(&folder).env_clear();
        let variables = command
            .get_envs()
            .map(|(name, value)| (name, value.unwrap()));
        shell.envs(variables);
        command = shell;
        context.finish(&mut command)
    };
    let project = context.path("project");
    let project = project.to_str().unwrap();
    assert!(asked(&["--project", project]).fine().contains("lint"));
    for args in [
        &["list"][..],
        &["--project", "../project"],
        &["--project", project, "--home", "."],
    ] {
        let refusal = asked(args).refused();
        assert!(
            refusal.contains("the current folder cannot be read"),
            "{args:?}: {refusal}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_current_folder_that_is_not_utf8_is_no_obstacle_either() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let context = Context::furnished();
    let folder = context.path("project").join(OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&folder).unwrap();
    let mut command = context.command_in(&folder);
    command.arg("--project").arg(context.path("project"));
    assert!(context.finish(&mut command).fine().contains("lint"));
}

#[test]
fn a_system_root_that_is_not_there_is_refused_wherever_it_is_named() {
    let context = Context::new();
    let refusal = context.run(["--system-root", "nowhere"]).refused();
    assert!(
        refusal.contains("the system root `nowhere` does not exist"),
        "{refusal}"
    );
    let mut command = context.command();
    command.env("MUSTER_SYSTEM_ROOT", "nowhere");
    let refusal = context.finish(&mut command).refused();
    assert!(
        refusal.contains("the system root of MUSTER_SYSTEM_ROOT, `nowhere` does not exist"),
        "{refusal}"
    );
}

#[test]
fn a_misspelled_flag_is_corrected_and_not_sent_behind_the_dashes() {
    let said = Context::new().run(["--formt", "json"]).refused();
    assert!(
        said.contains("a similar argument exists: '--format'"),
        "{said}"
    );
    assert!(!said.contains("-- --formt"), "{said}");
}
