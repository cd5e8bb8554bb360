//! What is made from the code, so that it cannot drift from it: the reference and the schemas.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use camino::Utf8Path;
use muster_core::{Harness, Rule};

use crate::place::Workspace;
use crate::{Result, say};

const MADE: &str = "<!-- Made by `cargo xtask generate`; changes here are lost. -->";

/// A file to be written: its path from the root, and its content.
type Made = (&'static str, String);

/// Writes every generated file.
pub(crate) fn write(workspace: &Workspace) -> Result {
    for (path, content) in make(workspace)? {
        let place = workspace.path(path);
        if fs::read_to_string(&place).is_ok_and(|old| old == content) {
            continue;
        }
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(place, content)?;
        say::line(&format!("wrote {path}"));
    }
    Ok(())
}

/// Fails where a generated file is not what it would be written as.
pub(crate) fn check(workspace: &Workspace) -> Result {
    let mut stale = Vec::new();
    let made = make(workspace)?;
    for (path, content) in &made {
        let old = fs::read_to_string(workspace.path(path)).unwrap_or_default();
        if let Some(line) = first_difference(&old, content) {
            stale.push(format!("{path}:{line} is out of date"));
        }
    }
    if stale.is_empty() {
        say::line(&format!("{} generated files are up to date", made.len()));
        return Ok(());
    }
    Err(format!(
        "{}\nrun `cargo xtask generate` and commit what it writes",
        stale.join("\n")
    )
    .into())
}

/// The first line, counted from 1, in which two texts differ.
fn first_difference(old: &str, new: &str) -> Option<usize> {
    if old == new {
        return None;
    }
    let same = old
        .lines()
        .zip(new.lines())
        .take_while(|(old, new)| old == new)
        .count();
    Some(same + 1)
}

fn make(workspace: &Workspace) -> Result<Vec<Made>> {
    let muster = workspace.build_muster("dev", &[])?;
    Ok(vec![
        ("README.md", readme(workspace, &muster)?),
        ("docs/reference/cli.md", command_reference(&muster)?),
        ("docs/reference/findings.md", finding_reference()),
        ("docs/reference/rules.md", rule_reference()),
        ("schemas/check.json", ask(&muster, &["schema", "check"])?),
        (
            "schemas/explain.json",
            ask(&muster, &["schema", "explain"])?,
        ),
        ("schemas/list.json", ask(&muster, &["schema", "list"])?),
        ("schemas/ps.json", ask(&muster, &["schema", "ps"])?),
        ("schemas/login.json", ask(&muster, &["schema", "login"])?),
        ("schemas/logout.json", ask(&muster, &["schema", "logout"])?),
        ("schemas/why.json", ask(&muster, &["schema", "why"])?),
        ("schemas/tools.json", ask(&muster, &["schema", "tools"])?),
        (
            "schemas/resources.json",
            ask(&muster, &["schema", "resources"])?,
        ),
        (
            "schemas/prompts.json",
            ask(&muster, &["schema", "prompts"])?,
        ),
    ])
}

/// The README with what the demo prints between its two marks.
fn readme(workspace: &Workspace, muster: &Utf8Path) -> Result<String> {
    let text = workspace.read("README.md")?;
    let demo = ask(muster, &["demo"])?;
    // What was started took its time, which is another each time.
    let (demo, _) = demo.split_once("\n$ muster check").unwrap_or((&demo, ""));
    let made = format!("```text\n{}\n```\n", demo.trim_end());
    between(&text, "<!-- demo -->\n", "<!-- /demo -->", &made)
        .ok_or_else(|| "README.md has lost the marks around the demo".into())
}

/// `text` with what stands between two marks replaced.
fn between(text: &str, start: &str, end: &str, new: &str) -> Option<String> {
    let (before, rest) = text.split_once(start)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{start}{new}{end}{after}"))
}

/// The help of `muster` and of every command it names, as one page.
fn command_reference(muster: &Utf8Path) -> Result<String> {
    let mut page = format!("{MADE}\n\n# Commands\n");
    let mut waiting = vec![Vec::new()];
    while let Some(words) = waiting.pop() {
        let mut asked: Vec<&str> = words.iter().map(String::as_str).collect();
        asked.push("--help");
        let help = ask(muster, &asked)?;
        let title = ["muster"]
            .into_iter()
            .chain(words.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ");
        let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
        write!(
            page,
            "\n## `{title}`\n\n```text\n{}\n```\n",
            lines.join("\n")
        )?;
        let below = commands_in(&help)
            .into_iter()
            .map(|name| [words.clone(), vec![name]].concat());
        waiting.extend(below.rev());
    }
    Ok(page)
}

/// The names under the heading `Commands:` of a help text. Its own `help` is no page.
fn commands_in(help: &str) -> Vec<String> {
    let listed = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with(' '));
    let named = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    named
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Everything that is looked for in configuration, with its example.
fn finding_reference() -> String {
    let checks = muster_audit::CHECKS.iter();
    let checks = checks.chain(muster_audit::LAUNCH_CHECKS).copied();
    let mut page = format!(
        "{MADE}\n\n# Findings\n\nWhat Muster looks for in configuration files as they stand. `muster list -v` shows what it found, `muster explain RULE` \
         one of these.\n\n| rule | severity | what it finds |\n|---|---|---|\n"
    );
    for check in checks.clone() {
        let row = [
            format!("[`{}`](#{})", check.id, check.id),
            check.severity.word().to_owned(),
            cell(check.title),
        ];
        page.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    let topics: Vec<_> = checks.map(muster_report::Topic::Check).collect();
    page.push('\n');
    page.push_str(&muster_report::reference(&topics));
    page
}

/// Every rule of every harness, with its evidence and cases.
fn rule_reference() -> String {
    let harnesses = muster_harness::ALL.iter().map(|harness| rules_of(*harness));
    [format!("{MADE}\n\n# Rules\n\nWhat Muster knows of each agent, how it is known, and the golden cases that pin it.\n")]
        .into_iter()
        .chain(harnesses)
        .collect()
}

fn rules_of(harness: &dyn Harness) -> String {
    let mut rules: Vec<&Rule> = harness.rules().to_vec();
    rules.sort_by_key(|rule| rule.id);
    let mut page = format!(
        "\n## {} {}\n\n| rule | what it says | how it is known | cases |\n|---|---|---|---|\n",
        harness.name(),
        harness.rules_version()
    );
    for rule in rules {
        let cases: Vec<String> = rule.cases.iter().map(|case| format!("`{case}`")).collect();
        let row = [
            format!("`{}`", rule.id),
            cell(rule.summary),
            rule.evidence.phrase(),
            cases.join(", "),
        ];
        page.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    page
}

/// Text for a table's cell: nothing in it ends the cell or opens a tag.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

/// What `muster` answers on stdout, asked in an empty environment so that every machine gets the same.
fn ask(muster: &Utf8Path, words: &[&str]) -> Result<String> {
    let answer = Command::new(muster)
        .args(words)
        .env_clear()
        .env("COLUMNS", "100")
        .env("HOME", "/nonexistent")
        .env("LANG", "C.UTF-8")
        .output()?;
    if !answer.status.success() {
        let why = String::from_utf8_lossy(&answer.stderr).into_owned();
        return Err(format!(
            "`muster {}`: {}\n{}",
            words.join(" "),
            answer.status,
            why.trim()
        )
        .into());
    }
    Ok(String::from_utf8(answer.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_a_help_text() {
        let help = "Usage: muster\n\nCommands:\n  list  Lists\n        more of it\n  why   Why\n  help  Help\n\nOptions:\n  -q  quiet\n";
        assert_eq!(commands_in(help), ["list", "why"]);
        assert!(commands_in("Options:\n  -q  quiet\n").is_empty());
    }

    #[test]
    fn only_what_stands_between_the_marks_is_replaced() {
        assert_eq!(
            between("a<s>old<e>b", "<s>", "<e>", "new").as_deref(),
            Some("a<s>new<e>b")
        );
        assert_eq!(between("a<s>b", "<s>", "<e>", "new"), None);
    }

    #[test]
    fn the_first_different_line_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("", "a\n"), Some(1));
    }
}
