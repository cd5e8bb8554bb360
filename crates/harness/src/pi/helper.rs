//! Commands that give values: what can be said of one without running it.

use muster_core::{World, absolute};

/// Words of a POSIX shell that print nothing by themselves and end what they stand in.
const SILENT: &[&str] = &["true", "false", ":", "exit"];

/// Words that a POSIX shell knows without looking for a program.
const KNOWN: &[&str] = &[
    ".", "[", "alias", "bg", "break", "case", "cd", "command", "continue", "do", "done", "echo",
    "elif", "else", "esac", "eval", "exec", "export", "fc", "fg", "fi", "for", "function",
    "getopts", "hash", "if", "in", "jobs", "kill", "local", "printf", "pwd", "read", "readonly",
    "return", "select", "set", "shift", "source", "test", "then", "time", "times", "trap", "type",
    "ulimit", "umask", "unalias", "unset", "until", "wait", "while",
];

/// Why `command` plainly gives no value, as a clause; `None` where only running it would tell. Observed on 1.6.0, which asks `/bin/sh`.
pub(super) fn gives_nothing(command: &str, world: &World<'_>) -> Option<&'static str> {
    if command.trim().is_empty() {
        return Some("it is empty");
    }
    // One program with plain words: anything else is the shell's business.
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:,+@ ".contains(c);
    if !command.chars().all(plain) {
        return None;
    }
    let program = command.split_whitespace().next()?;
    if SILENT.contains(&program) {
        return Some("it prints nothing");
    }
    if KNOWN.contains(&program) {
        return None;
    }
    let found = match program.contains('/') {
        true => world.files.exists(&absolute(program, &world.cwd)),
        false => on_path(program, world)?,
    };
    (!found).then_some("there is no such program")
}

/// Whether a program is on PATH; `None` where there is no PATH to look in.
fn on_path(program: &str, world: &World<'_>) -> Option<bool> {
    if world.platform == muster_core::Platform::Windows {
        return None;
    }
    let mut folders = world.env.filled("PATH")?.split(':');
    Some(folders.any(|folder| {
        world
            .files
            .exists(&absolute(folder, &world.cwd).join(program))
    }))
}

#[cfg(test)]
mod tests {
    use muster_testkit::Stage;

    use super::*;

    #[test]
    fn only_what_is_plain_is_judged() {
        let stage =
            Stage::new("//- /bin/op\n\n//- /work/repo/token\n").env("PATH", "/usr/bin:/bin");
        let world = stage.world();
        for (command, expected) in [
            ("", Some("it is empty")),
            ("exit 3", Some("it prints nothing")),
            ("true", Some("it prints nothing")),
            ("no-such-command", Some("there is no such program")),
            ("./missing", Some("there is no such program")),
            ("op read op://vault/item", None),
            ("./token", None),
            ("echo hello", None),
            ("no-such-command || echo x", None),
            ("A=1 true", None),
            ("$HOME/x", None),
        ] {
            assert_eq!(gives_nothing(command, &world), expected, "{command}");
        }
        let bare = Stage::new("");
        assert_eq!(gives_nothing("op read", &bare.world()), None);
    }
}
