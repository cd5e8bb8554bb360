//! What a command line runs.

use muster_document::Secret;

use super::Process;

/// The words of a command line. A program that gives itself a title leaves one word with blanks in it.
pub(super) fn words(process: &Process) -> Vec<&str> {
    let words = process.argv.iter().map(Secret::expose);
    match process.argv.as_slice() {
        [title] => title.expose().split_ascii_whitespace().collect(),
        _ => words.collect(),
    }
}

/// The names of the program that `words` start: of the first, and, where that only reads another, of the script.
pub(super) fn programs<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let Some((first, rest)) = words.split_first() else {
        return Vec::new();
    };
    let mut programs = vec![base(first)];
    if is_interpreter(base(first)) {
        programs.extend(
            rest.iter()
                .find(|word| !word.starts_with('-'))
                .map(|word| base(word)),
        );
    }
    programs
}

fn base(word: &str) -> &str {
    let file = word.rsplit(['/', '\\']).next().unwrap_or_default();
    let endings = [".exe", ".cmd", ".js", ".mjs", ".py"];
    let stem = endings.iter().find_map(|ending| file.strip_suffix(ending));
    // A login shell.
    stem.unwrap_or(file).trim_start_matches('-')
}

fn is_interpreter(program: &str) -> bool {
    if is_shell(program) {
        return true;
    }
    let names = [
        "node", "nodejs", "bun", "deno", "ruby", "perl", "pypy", "python",
    ];
    names.contains(&program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Whether `words` run the command `argv`, perhaps read by an interpreter, perhaps as what a launcher calls itself.
pub(super) fn is_command(words: &[&str], argv: &[Secret]) -> bool {
    let command: Vec<&str> = argv.iter().map(Secret::expose).collect();
    let Some((program, arguments)) = command.split_first() else {
        return false;
    };
    let program = base(program);
    if arguments.is_empty() && (is_interpreter(program) || is_launcher(program)) {
        // Whatever it is told it is told over its input.
        return false;
    }
    let from = |at: usize| {
        let Some((first, rest)) = words.get(at..).and_then(<[&str]>::split_first) else {
            return false;
        };
        base(first) == program && rest.starts_with(arguments)
    };
    if from(0) || (is_interpreter(words.first().map_or("", |word| base(word))) && from(1)) {
        return true;
    }
    // npx calls itself `npm exec`.
    program == "npx" && words.first().is_some_and(|word| base(word) == "npm") && {
        let plain = |words: &[&str]| -> Vec<String> {
            let words = words.iter().filter(|word| !word.starts_with('-'));
            words.map(|word| (*word).to_owned()).collect()
        };
        words.get(1) == Some(&"exec")
            && plain(words.get(2..).unwrap_or_default()) == plain(arguments)
    }
}

fn is_launcher(program: &str) -> bool {
    const LAUNCHERS: [&str; 11] = [
        "npx", "npm", "pnpm", "yarn", "bunx", "uvx", "uv", "pipx", "docker", "podman", "env",
    ];
    LAUNCHERS.contains(&program) || is_shell(program)
}

fn is_shell(program: &str) -> bool {
    ["sh", "bash", "zsh", "dash", "fish", "ash", "ksh"].contains(&program)
}

/// Whether a shell was told what to do: that is how agents run commands.
pub(super) fn is_shell_script(words: &[&str]) -> bool {
    let mut words = words.iter();
    let shell = words.next().is_some_and(|word| is_shell(base(word)));
    let mut flags = words.take_while(|word| word.starts_with('-'));
    shell && flags.any(|flag| !flag.starts_with("--") && flag.contains('c'))
}

/// Whether a word of the command speaks of MCP as those who name servers do: `mcp-server-git`, `@acme/docs-mcp`, `fastmcp`.
pub(super) fn speaks_of_mcp(words: &[&str]) -> bool {
    words.iter().any(|word| {
        let word = word.to_ascii_lowercase();
        let mut parts = word.split(|c: char| !c.is_ascii_alphanumeric());
        parts.any(|part| {
            part.starts_with("mcp") || part.ends_with("mcp") || part == "modelcontextprotocol"
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_known_however_it_is_read() {
        let runs = |words: &str, command: &str| {
            let argv: Vec<Secret> = command.split(' ').map(Secret::new).collect();
            is_command(&words.split(' ').collect::<Vec<_>>(), &argv)
        };
        assert!(runs("/usr/bin/python3 -u s.py x", "python3 -u s.py"));
        assert!(runs("node /home/u/bin/tool --x", "tool --x"));
        assert!(runs("npm exec @acme/db --ro", "npx -y @acme/db --ro"));
        assert!(!runs("npm exec @acme/other", "npx -y @acme/db"));
        assert!(!runs("python3 other.py", "python3 s.py"));
        assert!(!runs("vim tool --x", "tool --x"));
        assert!(runs("/bin/sh /opt/tool --x", "tool --x"));
        assert!(!runs("node", "node"));
        assert!(!runs("bash", "bash"));
        assert!(runs("db", "/opt/db"));
    }
}
