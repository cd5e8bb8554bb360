//! Documents at the root: that they are there, and that what they point at is.

use std::collections::HashSet;

use crate::Result;
use crate::place::Workspace;

const DOCUMENTS: [&str; 8] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "STYLE.md",
];

/// Every document is there, its links to files of ours lead somewhere, and every invariant of ARCHITECTURE.md names tests that exist.
pub(super) fn documents_are_there_and_true(workspace: &Workspace) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for path in DOCUMENTS {
        let Ok(text) = workspace.read(path) else {
            faults.push(format!("{path}: is missing"));
            continue;
        };
        let dead = links(&text)
            .into_iter()
            .filter(|link| !workspace.path(link).exists());
        faults.extend(dead.map(|link| format!("{path}: links to `{link}`, which is not there")));
    }
    if let Ok(text) = workspace.read("ARCHITECTURE.md") {
        faults.extend(invariants(&text, &tests(workspace)?));
    }
    Ok(faults)
}

/// Targets of Markdown links that are paths of ours, without what follows a `#`.
fn links(text: &str) -> Vec<&str> {
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target);
    let paths = targets.filter(|target| {
        !target.contains("://") && !target.starts_with(['#', '<']) && !target.starts_with("mailto:")
    });
    paths
        .filter_map(|target| target.split('#').next())
        .filter(|path| !path.is_empty())
        .collect()
}

/// What is wrong with the invariants of `text`: a paragraph or list item that holds `Invariant` in bold and names no test, or one
/// that is not there. A test is named after `Test:` or `Tests:`, in backticks.
fn invariants(text: &str, tests: &HashSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for block in blocks(text) {
        let named = block
            .split_once("Test: ")
            .or_else(|| block.split_once("Tests: "))
            .map(|(_, rest)| in_backticks(rest));
        let named = named.unwrap_or_default();
        if block.contains("**Invariant") && named.is_empty() {
            faults.push(format!(
                "ARCHITECTURE.md: names no test: {}",
                block.lines().next().unwrap_or_default()
            ));
        }
        let missing = named.into_iter().filter(|name| !exists(name, tests));
        faults.extend(
            missing.map(|name| {
                format!("ARCHITECTURE.md: names the test `{name}`, which is not there")
            }),
        );
    }
    faults
}

/// Paragraphs and list items.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in text.lines() {
        if line.trim().is_empty() || line.trim_start().starts_with(['-', '*', '|']) {
            blocks.push(String::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

fn in_backticks(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// A test is named by its function, with or without its path, or is the chore or the runner of the golden cases.
fn exists(name: &str, tests: &HashSet<String>) -> bool {
    let function = name.rsplit("::").next().unwrap_or(name);
    tests.contains(function) || name.starts_with("cargo xtask ") || name == "golden"
}

/// Names of every test function.
fn tests(workspace: &Workspace) -> Result<HashSet<String>> {
    let mut names = HashSet::new();
    for folder in ["crates", "xtask"] {
        for path in workspace
            .files(folder)?
            .iter()
            .filter(|path| path.extension() == Some("rs"))
        {
            names.extend(tests_in(&workspace.read(path.as_str())?));
        }
    }
    Ok(names)
}

/// Names of the functions of `text` under a test attribute, or in a `proptest!` block, which has them too, and of tests that are made
/// while the program runs.
fn tests_in(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut marked = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            marked = true;
            continue;
        }
        if let Some((_, rest)) = line.split_once("Trial::test(\"") {
            names.extend(rest.split('"').next().map(str::to_owned));
        }
        let line = line.strip_prefix("async ").unwrap_or(line);
        if let (true, Some(rest)) = (marked, line.strip_prefix("fn ")) {
            names.extend(rest.split(['(', '<']).next().map(str::to_owned));
            marked = false;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invariant_without_a_test_that_exists_is_a_fault() {
        let tests = HashSet::from(["a_test".to_owned()]);
        let check = |text| invariants(text, &tests).len();
        assert_eq!(check("**Invariant.** Holds. Test: `core::a_test`.\n"), 0);
        assert_eq!(
            check("**Invariant.** Holds.\nTests: `a_test`, `cargo xtask tidy`.\n"),
            0
        );
        assert_eq!(check("**Invariant.** Holds.\n\nTest: `a_test`\n"), 1);
        assert_eq!(check("- **Invariant.** Holds. Test: `gone`\n- other\n"), 1);
        assert_eq!(check("Nothing of the kind.\n"), 0);
    }

    #[test]
    fn only_links_to_files_of_ours_are_followed() {
        assert_eq!(
            links("[a](x.md#part) [b](https://x.y/) [c](#part) [d](docs/)"),
            ["x.md", "docs/"]
        );
    }

    #[test]
    fn tests_are_found_by_their_attribute() {
        assert_eq!(
            tests_in("#[test]\n#[cfg(unix)]\nfn a() {}\nfn b() {}\n#[test]\nfn c(x in 0..1) {}"),
            ["a", "c"]
        );
        let waiting = "#[tokio::test(start_paused = true)]\nasync fn d() {}\nasync fn e() {}";
        assert_eq!(tests_in(waiting), ["d"]);
    }
}
