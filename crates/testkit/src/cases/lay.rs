//! Laying a case down on disk.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::{Case, Files, ROOT, cursor, text, texts};

/// The recording server that cases name as their command. It is never started here; it only has to be there.
const RECORDER: &str = "rec_server.py";

impl Case {
    /// Lays the case down in the folder `root`, which is there and empty. `recorder` is the recording server's file.
    ///
    /// # Errors
    /// If the disk or a command of the case's setup refuses.
    pub fn lay_down(&self, root: &Utf8Path, recorder: &Utf8Path) -> io::Result<()> {
        let record = self.placed(root);
        match &self.files {
            Files::Folder(folder) if folder.is_dir() => {
                let servers = self.project_servers();
                let copy = Copy {
                    record: &record,
                    root,
                    servers: servers.map(|text| text.replace(ROOT, root.as_str())),
                };
                copy.folder(folder, root)?;
            }
            Files::Folder(_) => {}
            Files::Inline => write_inline(&self.record, root)?,
        }
        for folder in [root.to_owned(), root.join("bin")] {
            let place = folder.join(RECORDER);
            if fs::symlink_metadata(&place).is_err() {
                fs::create_dir_all(&folder)?;
                fs::copy(recorder, &place)?;
            }
        }
        for folder in texts(&record, "git") {
            init_repository(&root.join(folder))?;
        }
        for folder in texts(&record, "dirs") {
            fs::create_dir_all(root.join(folder))?;
        }
        fs::create_dir_all(root.join("home"))?;
        let project = root.join(text(&record, "project").unwrap_or_default());
        if let Some(parent) = project.parent() {
            fs::create_dir_all(parent)?;
        }
        for line in texts(&record, "setup") {
            run_setup(line, root)?;
        }
        fs::create_dir_all(project)
    }
}

/// A new folder for a case, which goes away with the value. As root it lies below folders that nobody else can write to, where
/// there is such a place: some programs check that of system-wide files.
pub(super) fn scratch() -> io::Result<(tempfile::TempDir, Utf8PathBuf)> {
    let owned_by_root = Utf8Path::new("/srv");
    let mut builder = tempfile::Builder::new();
    builder.prefix("case-");
    let guard = if is_root() && owned_by_root.is_dir() {
        builder.tempdir_in(owned_by_root)?
    } else {
        builder.tempdir()?
    };
    open_to_all(guard.path())?;
    let root = Utf8PathBuf::from_path_buf(guard.path().canonicalize()?);
    let root = root.map_err(|path| io::Error::other(format!("{} is not UTF-8", path.display())))?;
    Ok((guard, root))
}

/// Whether this process may read and write everything.
pub(super) fn is_root() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        // A file of one's own tells whose process it is, without a system call that needs another crate.
        tempfile::tempfile()
            .and_then(|file| file.metadata())
            .is_ok_and(|found| found.uid() == 0)
    }
    #[cfg(not(unix))]
    false
}

#[cfg(unix)]
fn open_to_all(folder: &std::path::Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_all(_folder: &std::path::Path) -> io::Result<()> {
    Ok(())
}

/// What is put in place of the marks in the files of a case.
struct Copy<'c> {
    record: &'c Value,
    root: &'c Utf8Path,
    /// The text of Cursor's file of the project.
    servers: Option<String>,
}

impl Copy<'_> {
    /// Copies what is in `from` to `to`, links as links. `.keep` files only hold a folder open.
    fn folder(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        fs::create_dir_all(to)?;
        for entry in from.read_dir_utf8()? {
            let entry = entry?;
            let source = entry.path();
            let place = to.join(cursor::put_slug(entry.file_name(), self.record, self.root));
            let kind = entry.file_type()?;
            if kind.is_symlink() {
                let target = source.read_link_utf8()?;
                link(&target.as_str().replace(ROOT, self.root.as_str()), &place)?;
            } else if kind.is_dir() {
                self.folder(source, &place)?;
            } else {
                let content = put_root(fs::read(source)?, self.root);
                let servers = self.servers.as_deref();
                let content = cursor::put_approvals(content, self.record, self.root, servers)?;
                fs::write(&place, content)?;
                fs::set_permissions(&place, fs::metadata(source)?.permissions())?;
            }
        }
        Ok(())
    }
}

/// Writes the files, binary files and links of a record that has them inline.
fn write_inline(record: &Value, root: &Utf8Path) -> io::Result<()> {
    let entries = |key: &str| -> BTreeMap<String, String> {
        let members = record
            .get(key)
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        members
            .filter_map(|(path, content)| Some((path.clone(), content.as_str()?.to_owned())))
            .collect()
    };
    for (path, content) in entries("files") {
        fs::write(
            make_room(&root.join(path))?,
            put_root(content.into_bytes(), root),
        )?;
    }
    for (path, content) in entries("binary") {
        let bytes = STANDARD.decode(content).map_err(io::Error::other)?;
        fs::write(make_room(&root.join(path))?, put_root(bytes, root))?;
    }
    for (path, target) in entries("links") {
        link(
            &target.replace(ROOT, root.as_str()),
            make_room(&root.join(path))?,
        )?;
    }
    Ok(())
}

fn make_room(path: &Utf8Path) -> io::Result<&Utf8Path> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(path)
}

#[cfg(unix)]
fn link(target: &str, place: &Utf8Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

#[cfg(not(unix))]
fn link(_target: &str, place: &Utf8Path) -> io::Result<()> {
    Err(io::Error::other(format!(
        "{place}: links are laid down on Unix only"
    )))
}

/// `bytes` with `root` in place of `{{ROOT}}`; they need not be text.
pub(super) fn put_root(bytes: Vec<u8>, root: &Utf8Path) -> Vec<u8> {
    let mark = ROOT.as_bytes();
    let mut placed = Vec::with_capacity(bytes.len());
    let mut rest = bytes.as_slice();
    while let Some(at) = rest.windows(mark.len()).position(|window| window == mark) {
        let (before, from) = rest.split_at(at);
        placed.extend_from_slice(before);
        placed.extend_from_slice(root.as_str().as_bytes());
        rest = from.get(mark.len()..).unwrap_or_default();
    }
    placed.extend_from_slice(rest);
    placed
}

/// `git init`, by git itself: what a harness finds in a new repository is git's to say.
fn init_repository(folder: &Utf8Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut git = Command::new("git");
    // Without sample hooks, and whatever the user's own configuration says.
    git.args(["init", "--quiet", "--template=", folder.as_str()]);
    git.env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    succeed(git, "git init")
}

/// Runs a shell line of a case's setup.
fn run_setup(line: &str, root: &Utf8Path) -> io::Result<()> {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", line])
        .current_dir(root)
        .env("HOME", root.join("home"));
    for role in ["AUTHOR", "COMMITTER"] {
        shell
            .env(format!("GIT_{role}_NAME"), "case")
            .env(format!("GIT_{role}_EMAIL"), "case@example.invalid");
    }
    shell.env("GIT_CONFIG_NOSYSTEM", "1");
    succeed(shell, line)
}

fn succeed(mut command: Command, what: &str) -> io::Result<()> {
    // Variables of a git hook that runs the tests would lead git to that repository.
    for name in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_COMMON_DIR",
    ] {
        command.env_remove(name);
    }
    let done = command.stdin(Stdio::null()).output();
    let done = done.map_err(|error| io::Error::other(format!("`{what}`: {error}")))?;
    if done.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "`{what}` failed: {}",
        String::from_utf8_lossy(&done.stderr).trim()
    )))
}
