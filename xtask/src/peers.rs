//! Programs that Muster is held against: the official conformance suite, official servers. Installed below `target/peers` from the
//! pinned lists in `ci/peers`, once for each state of these.

use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};

use crate::Result;
use crate::place::Workspace;

/// What is pinned, from the root.
const LISTS: &str = "ci/peers";

/// The variable that tells the tests where the programs are.
const VARIABLE: &str = "MUSTER_PEERS";

/// Installs the programs and holds `muster` against the servers among them.
pub(crate) fn test(workspace: &Workspace) -> Result {
    let peers = Peers::install(workspace)?;
    let words = ["test", "--package", "mcp-muster", "--test", "peers"];
    let mut cargo = workspace.cargo(&words);
    run(cargo.env(VARIABLE, &peers.root), "cargo test --test peers")
}

/// The installed programs.
#[derive(Debug)]
pub(crate) struct Peers {
    /// The folder of everything.
    root: Utf8PathBuf,
}

impl Peers {
    /// Installs what is not there yet.
    pub(crate) fn install(workspace: &Workspace) -> Result<Peers> {
        let peers = Peers {
            root: workspace.path("target/peers"),
        };
        peers.npm(&workspace.path(LISTS))?;
        peers.python(&workspace.path(LISTS))?;
        Ok(peers)
    }

    /// The folder of programs that npm brought; `node` is among them.
    pub(crate) fn npm_programs(&self) -> Utf8PathBuf {
        self.root.join("npm/node_modules/.bin")
    }

    fn npm(&self, lists: &Utf8Path) -> Result {
        let folder = self.root.join("npm");
        let files = ["package.json", "package-lock.json"];
        let wanted = files.map(|file| lists.join(file));
        if is_installed(&folder, &wanted)? {
            return Ok(());
        }
        fs::create_dir_all(&folder)?;
        for (from, name) in wanted.iter().zip(files) {
            fs::copy(from, folder.join(name))?;
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--no-audit", "--no-fund", "--loglevel", "error"]);
        run(npm.current_dir(&folder), "npm ci")?;
        note_installed(&folder, &wanted)
    }

    fn python(&self, lists: &Utf8Path) -> Result {
        let folder = self.root.join("python");
        let wanted = [lists.join("requirements.txt")];
        if is_installed(&folder, &wanted)? {
            return Ok(());
        }
        let mut venv = Command::new("python3");
        run(
            venv.args(["-m", "venv", "--clear"]).arg(&folder),
            "python3 -m venv",
        )?;
        let mut pip = Command::new(folder.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--require-hashes", "-r"]);
        run(pip.arg(lists.join("requirements.txt")), "pip install")?;
        note_installed(&folder, &wanted)
    }
}

/// Where it is noted from what `folder` was installed.
fn note(folder: &Utf8Path) -> Utf8PathBuf {
    folder.join(".installed-from")
}

fn lists_as_one(wanted: &[Utf8PathBuf]) -> Result<String> {
    let texts: Vec<String> = wanted
        .iter()
        .map(fs::read_to_string)
        .collect::<std::io::Result<_>>()?;
    Ok(texts.concat())
}

fn is_installed(folder: &Utf8Path, wanted: &[Utf8PathBuf]) -> Result<bool> {
    let wanted = lists_as_one(wanted)?;
    Ok(fs::read_to_string(note(folder)).is_ok_and(|installed| installed == wanted))
}

fn note_installed(folder: &Utf8Path, wanted: &[Utf8PathBuf]) -> Result {
    fs::write(note(folder), lists_as_one(wanted)?)?;
    Ok(())
}

fn run(command: &mut Command, what: &str) -> Result {
    let status = command
        .status()
        .map_err(|error| format!("`{what}` cannot be run: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("`{what}`: {status}").into()),
    }
}
