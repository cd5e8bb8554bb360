//! Source files.

use camino::{Utf8Path, Utf8PathBuf};

use crate::Result;
use crate::place::Workspace;

/// A file of more lines than this fails; of more than [`LONG`], it is warned of.
const TOO_LONG: usize = 700;
const LONG: usize = 500;

/// Where printing is allowed: the binary's one module for it, and the chores'.
const PRINTERS: [&str; 2] = ["crates/cli/src/output.rs", "xtask/src/say.rs"];

const PRINTING: [&str; 7] = [
    "println!(",
    "print!(",
    "eprintln!(",
    "eprint!(",
    "dbg!(",
    "io::stdout()",
    "io::stderr()",
];

/// Folders that hold files of ours, beside the root's own.
const OURS: [&str; 11] = [
    "crates", "xtask", "fuzz", "cases", "random", "docs", "schemas", ".ci", ".config", ".cargo",
    "assets",
];

/// No Rust file is too long.
pub(super) fn files_are_short(workspace: &Workspace) -> Result<Vec<String>> {
    longer_than(workspace, TOO_LONG)
}

/// Rust files that should be cut soon.
pub(super) fn files_grow_long(workspace: &Workspace) -> Result<Vec<String>> {
    longer_than(workspace, LONG)
}

fn longer_than(workspace: &Workspace, limit: usize) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, text) in rust_files(workspace)? {
        let lines = text.lines().count();
        if lines > limit {
            faults.push(format!("{path}: {lines} lines, more than {limit}"));
        }
    }
    Ok(faults)
}

/// Every module says at its top what it is; a file of nothing but tests may do without.
pub(super) fn modules_say_what_they_are(workspace: &Workspace) -> Result<Vec<String>> {
    let modules = rust_files(workspace)?.into_iter().filter(|(path, _)| {
        path.as_str().contains("/src/") && path.file_name() != Some("tests.rs")
    });
    let silent = modules.filter(|(_, text)| !text.starts_with("//!"));
    Ok(silent
        .map(|(path, _)| format!("{path}: does not start with `//!` and what the module is"))
        .collect())
}

/// Printing happens in one module of the binary (and in one of the chores).
pub(super) fn printing_is_in_one_place(workspace: &Workspace) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, text) in rust_files(workspace)? {
        // What prints below `tests/` prints nothing to a user.
        let exempt = PRINTERS.contains(&path.as_str())
            || !path.as_str().contains("/src/")
            || path == own_file();
        if exempt {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let code = line.trim_start();
            if !code.starts_with("//") && PRINTING.iter().any(|call| calls(code, call)) {
                faults.push(format!("{path}:{}: prints", number + 1));
            }
        }
    }
    Ok(faults)
}

/// Whether `code` holds `call` as a word of its own: `println!(` is not in `eprintln!(`.
fn calls(code: &str, call: &str) -> bool {
    code.match_indices(call).any(|(at, _)| {
        let before = code.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|before| before.is_alphanumeric() || before == '_')
    })
}

/// This file spells out what it looks for.
fn own_file() -> &'static str {
    "xtask/src/tidy/sources.rs"
}

/// No file names the folder that this checkout lies in, or a path beside it.
pub(super) fn no_file_names_this_machine(workspace: &Workspace) -> Result<Vec<String>> {
    let outside = ["../", "shared/"].concat();
    let mut marks = vec![workspace.root.to_string(), outside];
    marks.extend(
        std::env::var("CARGO_HOME")
            .ok()
            .filter(|home| home.len() > 1),
    );
    let mut faults = Vec::new();
    for path in all_files(workspace)? {
        // What is not text holds no path that a reader could stumble over.
        let Ok(text) = workspace.read(path.as_str()) else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            if let Some(mark) = marks.iter().find(|mark| line.contains(mark.as_str())) {
                faults.push(format!(
                    "{path}:{}: names `{mark}`, which is only here",
                    number + 1
                ));
            }
        }
    }
    Ok(faults)
}

fn all_files(workspace: &Workspace) -> Result<Vec<Utf8PathBuf>> {
    let mut files = Vec::new();
    for folder in OURS {
        files.extend(workspace.files(folder)?);
    }
    for entry in workspace.root.read_dir_utf8()? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            files.push(Utf8PathBuf::from(entry.file_name()));
        }
    }
    Ok(files)
}

pub(super) fn rust_files(workspace: &Workspace) -> Result<Vec<(Utf8PathBuf, String)>> {
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "fuzz"] {
        for path in workspace
            .files(folder)?
            .into_iter()
            .filter(|path| is_rust(path))
        {
            let text = workspace.read(path.as_str())?;
            files.push((path, text));
        }
    }
    Ok(files)
}

fn is_rust(path: &Utf8Path) -> bool {
    path.extension() == Some("rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_a_word_of_its_own() {
        assert!(calls("    println!(\"x\");", "println!("));
        assert!(!calls("eprintln!(\"x\")", "println!("));
        assert!(calls("std::io::stdout().lock()", "io::stdout()"));
    }
}
