//! Agents are named in their own rooms, so that a new one needs no other.

use camino::Utf8Path;

use super::sources::rust_files;
use crate::Result;
use crate::place::Workspace;

/// Where every agent has its room, and where they are tested.
const ROOMS: [&str; 2] = ["crates/harness/", "crates/testkit/"];

/// Muster is an agent too, and its name stands everywhere.
const HOUSE: &str = "muster";

/// A place outside the rooms that may name an agent.
struct Exception {
    /// How the file's path begins.
    path: &'static str,
    /// What it may name; `None` for any agent.
    word: Option<&'static str>,
    /// Why. A new agent must not make it wrong.
    why: &'static str,
}

const EXCEPTIONS: [Exception; 6] = [
    Exception {
        path: "crates/cli/src/args.rs",
        word: None,
        why: "command lines in the help, to copy",
    },
    Exception {
        path: "crates/cli/src/error.rs",
        word: None,
        why: "a command line in a hint, to copy",
    },
    Exception {
        path: "crates/client/src/",
        word: Some("cursor"),
        why: "MCP's word for the place in a long list",
    },
    Exception {
        path: "crates/audit/src/answered/checks/odd_",
        word: Some("cursor"),
        why: "MCP's word for the place in a long list",
    },
    Exception {
        path: "crates/audit/src/answered/lessons.rs",
        word: None,
        why: "the lessons of the checks, shown on some agent's file",
    },
    Exception {
        path: "crates/audit/src/checks/never_read.rs",
        word: Some("claude"),
        why: "a file of Claude Desktop, which is no agent here",
    },
];

/// Where the text that `muster explain` teaches begins in a check's file, and where it ends: a fault is shown on some agent's file.
const LESSON: (&str, &str) = ("pub(crate) static CHECK: Check = Check {", "};");

/// No crate but `harness` spells an agent's id or name in its code. Comments and tests may, and the lesson of a check.
pub(super) fn only_their_rooms_name_agents(workspace: &Workspace) -> Result<Vec<String>> {
    let words = words();
    let mut faults = Vec::new();
    let mut used = [false; EXCEPTIONS.len()];
    for (path, text) in rust_files(workspace)? {
        if !is_searched(&path) {
            continue;
        }
        for (number, line) in code(&path, &text) {
            for word in words.iter().filter(|word| names(line, word)) {
                let exception = EXCEPTIONS.iter().position(|exception| {
                    path.as_str().starts_with(exception.path)
                        && exception.word.is_none_or(|allowed| allowed == word)
                });
                match exception.and_then(|at| used.get_mut(at)) {
                    Some(used) => *used = true,
                    None => faults.push(format!(
                        "{path}:{number}: names `{word}`; what an agent does belongs into its room in crates/harness"
                    )),
                }
            }
        }
    }
    let idle = EXCEPTIONS.iter().zip(used).filter(|(_, used)| !used);
    faults.extend(idle.map(|(exception, _)| {
        format!(
            "xtask/src/tidy/agents.rs: {} needs no exception any more ({})",
            exception.path, exception.why
        )
    }));
    Ok(faults)
}

/// Whether the file at `path` is code of the program, outside the rooms. What only we run is none.
fn is_searched(path: &Utf8Path) -> bool {
    let name = path.file_name();
    let path = path.as_str();
    let of_program = path.starts_with("crates/") && path.contains("/src/");
    of_program && name != Some("tests.rs") && !ROOMS.iter().any(|room| path.starts_with(room))
}

/// Every agent's name as code may spell it: `Claude Code`, `claude_code` and `ClaudeCode` are `claude` and `claudecode`.
fn words() -> Vec<String> {
    let mut words = Vec::new();
    for agent in muster_harness::ALL
        .iter()
        .filter(|agent| agent.id() != HOUSE)
    {
        let name = agent.name().to_ascii_lowercase();
        let first = name.split(' ').next().unwrap_or_default();
        words.push(first.to_owned());
        words.push(name.replace(' ', ""));
        words.push(agent.id().to_owned());
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// The lines of the file at `path` that are code, with their numbers: no comments, no tests at its end, no lesson.
fn code<'t>(path: &Utf8Path, text: &'t str) -> Vec<(usize, &'t str)> {
    let (begin, end) = LESSON;
    let teaches = path.as_str().starts_with("crates/audit/src/checks/");
    let mut lines = Vec::new();
    let mut in_lesson = false;
    for (at, line) in text.lines().enumerate() {
        if line.starts_with("mod tests {") {
            break;
        }
        in_lesson = (in_lesson && line != end) || (teaches && line == begin);
        let comment = line.trim_start().starts_with("//");
        if !in_lesson && !comment {
            let code = line.split_once(" // ").map_or(line, |(code, _)| code);
            lines.push((at + 1, code));
        }
    }
    lines
}

/// Whether `code` holds `word`, in any capitals, as a word of its own or as a part between underscores.
fn names(code: &str, word: &str) -> bool {
    let code = code.to_ascii_lowercase();
    let part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    code.match_indices(word).any(|(at, _)| {
        let before = code.get(..at).and_then(|before| before.chars().next_back());
        let after = code
            .get(at + word.len()..)
            .and_then(|after| after.chars().next());
        !part(before) && !part(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_however_code_spells_it() {
        let words = words();
        for code in [
            "if id == \"claude-code\" {",
            "fn of_claude_code() {}",
            "use muster_harness::ClaudeCode;",
            "\"Gemini CLI takes comments\"",
            "const CODEX: u8 = 1;",
            "(\"pi\", 3)",
        ] {
            assert!(words.iter().any(|word| names(code, word)), "{code}");
        }
        for code in ["let api = precursor;", "\"muster\"", "spi(pit)"] {
            assert!(!words.iter().any(|word| names(code, word)), "{code}");
        }
    }

    #[test]
    fn comments_tests_and_lessons_are_no_code() {
        let text = "// Codex\nlet a = 1; // Codex\npub(crate) static CHECK: Check = Check {\n    \"Codex\"\n};\nlet b = 2;\n#[cfg(test)]\nmod tests {\n    codex\n";
        let code = code(Utf8Path::new("crates/audit/src/checks/x.rs"), text);
        assert_eq!(
            code,
            [
                (2, "let a = 1;"),
                (5, "};"),
                (6, "let b = 2;"),
                (7, "#[cfg(test)]")
            ]
        );
    }
}
