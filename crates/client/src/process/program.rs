//! Which file a command names, looked up as `execvp` does in the environment and the folder that the server gets.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use rustix::io::Errno;

use super::SpawnError;

/// Where programs are looked for if `PATH` is not set: what the C libraries of Linux and macOS do.
const USUAL: &str = "/usr/bin:/bin";

/// So much of a file is read to see what kind of program it is.
const HEAD: usize = 256;

/// The file that `command` names for a process in `cwd` with `env`.
///
/// # Errors
/// [`SpawnError`]: there is none, or none that may be executed.
pub(super) fn find(
    command: &OsStr,
    cwd: &Path,
    env: &[(OsString, OsString)],
) -> Result<PathBuf, SpawnError> {
    if command.is_empty() {
        return Err(SpawnError::NoCommand);
    }
    if command.as_bytes().contains(&b'/') {
        let path = cwd.join(command);
        return match look(&path) {
            Look::Program => Ok(path),
            Look::Directory => Err(SpawnError::Directory(path)),
            Look::Forbidden => Err(SpawnError::NotExecutable(path)),
            Look::Nothing => Err(SpawnError::NotFound(path)),
        };
    }
    let set = env.iter().rev().find(|(name, _)| name == "PATH");
    let folders = set.map_or(OsStr::new(USUAL), |(_, value)| value);
    let mut best = None;
    for folder in folders.as_bytes().split(|byte| *byte == b':') {
        // An empty entry is the folder itself, and a relative one is relative to it.
        let path = cwd.join(OsStr::from_bytes(folder)).join(command);
        match look(&path) {
            Look::Program => return Ok(path),
            Look::Forbidden => best = best.or(Some(SpawnError::NotExecutable(path))),
            Look::Directory | Look::Nothing => {}
        }
    }
    Err(best.unwrap_or_else(|| SpawnError::NotOnPath(command.to_owned())))
}

enum Look {
    Program,
    Directory,
    Forbidden,
    Nothing,
}

fn look(path: &Path) -> Look {
    match path.metadata() {
        Ok(found) if found.is_dir() => Look::Directory,
        Ok(_) if access(path, Access::EXEC_OK).is_ok() => Look::Program,
        Ok(_) => Look::Forbidden,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Look::Forbidden,
        Err(_) => Look::Nothing,
    }
}

/// What it means that the system refused to execute `program` with `error`, though [`find`] had found it.
pub(super) fn explain(program: &Path, error: i32) -> SpawnError {
    let program = program.to_owned();
    match Errno::from_raw_os_error(error) {
        // The file is there: what is not there is the program that is to read it.
        Errno::NOENT => match interpreter(&program) {
            Some(interpreter) => SpawnError::BadInterpreter {
                program,
                interpreter,
            },
            None if program.exists() => SpawnError::NoLoader(program),
            None => SpawnError::NotFound(program),
        },
        Errno::ACCESS | Errno::PERM => SpawnError::NotExecutable(program),
        Errno::NOEXEC => SpawnError::NoProgram(program),
        Errno::TOOBIG => SpawnError::TooLong,
        other => SpawnError::System(other.into()),
    }
}

/// The program that the first line of the script `program` names.
fn interpreter(program: &Path) -> Option<PathBuf> {
    let head = head(program);
    let line = head
        .strip_prefix(b"#!")?
        .split(|byte| *byte == b'\n')
        .next()?;
    let word = line
        .trim_ascii_start()
        .split(|byte| b" \t".contains(byte))
        .next()?;
    (!word.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(word)))
}

/// Whether `program`, which the system cannot execute, looks like a script: then a shell reads it, as with `execvp`.
pub(super) fn is_script(program: &Path) -> bool {
    let head = head(program);
    !head.contains(&0)
}

fn head(program: &Path) -> Vec<u8> {
    use std::io::Read;
    let mut head = Vec::new();
    if let Ok(file) = std::fs::File::open(program) {
        // What cannot be read is not known any better.
        let _ = file.take(HEAD as u64).read_to_end(&mut head);
    }
    head
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn put(path: &Path, mode: u32, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn path(value: &str) -> Vec<(OsString, OsString)> {
        vec![(OsString::from("PATH"), OsString::from(value))]
    }

    #[test]
    fn the_first_program_on_the_path_that_may_be_executed_is_taken() {
        let home = tempfile::tempdir().unwrap();
        let cwd = home.path();
        put(&cwd.join("a/tool"), 0o644, "");
        fs::create_dir_all(cwd.join("b/tool")).unwrap();
        put(&cwd.join("c/tool"), 0o755, "");
        put(&cwd.join("here"), 0o755, "");
        let tool = OsStr::new("tool");
        // Folders of the path may be relative: to the server's folder.
        let found = find(tool, cwd, &path("a:b:c"));
        assert_eq!(found.unwrap(), cwd.join("c/tool"));
        let found = find(tool, cwd, &path("b:a"));
        assert!(matches!(found, Err(SpawnError::NotExecutable(at)) if at == cwd.join("a/tool")));
        let found = find(tool, cwd, &path("b"));
        assert!(matches!(found, Err(SpawnError::NotOnPath(name)) if name == "tool"));
        let found = find(OsStr::new("here"), cwd, &path("/nowhere:"));
        assert_eq!(found.unwrap(), cwd.join("here"));
        // Of two values the last is the one that a program sees.
        let twice = [path("a"), path("c")].concat();
        assert_eq!(find(tool, cwd, &twice).unwrap(), cwd.join("c/tool"));
        assert!(find(OsStr::new("sh"), cwd, &[]).is_ok());
    }

    #[test]
    fn a_command_with_a_slash_is_looked_for_where_it_says() {
        let home = tempfile::tempdir().unwrap();
        let cwd = home.path();
        put(&cwd.join("bin/tool"), 0o755, "");
        put(&cwd.join("bin/data"), 0o644, "");
        let find = |command: &str| find(OsStr::new(command), cwd, &path("bin"));
        assert_eq!(find("./bin/tool").unwrap(), cwd.join("./bin/tool"));
        assert!(matches!(find("bin/none"), Err(SpawnError::NotFound(_))));
        assert!(matches!(
            find("bin/data"),
            Err(SpawnError::NotExecutable(_))
        ));
        assert!(matches!(find("./bin"), Err(SpawnError::Directory(_))));
        assert!(matches!(find("bin/tool/x"), Err(SpawnError::NotFound(_))));
        assert!(matches!(find(""), Err(SpawnError::NoCommand)));
    }

    #[test]
    fn the_interpreter_of_a_script_is_read() {
        let home = tempfile::tempdir().unwrap();
        let script = home.path().join("script");
        for (line, expected) in [
            ("#!/no/such/python3 -u\nx", Some("/no/such/python3")),
            ("#! /bin/sh\n", Some("/bin/sh")),
            ("#!\n", None),
            ("echo hi\n", None),
        ] {
            put(&script, 0o755, line);
            assert_eq!(interpreter(&script).as_deref(), expected.map(Path::new));
            assert!(is_script(&script));
        }
        fs::write(&script, b"\x7fELF\0\0").unwrap();
        assert!(!is_script(&script));
    }
}
