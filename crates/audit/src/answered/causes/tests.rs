use muster_core::{Consent, Failure, LaunchPlan, Timeout};

use super::*;

/// What each row is for, in the words of the programs: the command, what was said, a part of the cause that is to be found.
const SAID: &[(&str, FailureClass, &str, &str)] = &[
    (
        "npx -y @acme/serch",
        FailureClass::Ended,
        "npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/@acme%2fserch",
        "no such package or version",
    ),
    (
        "npx -y @acme/db",
        FailureClass::Ended,
        "npm error code ENOTEMPTY\nnpm error syscall rename",
        "folder of packages is damaged",
    ),
    (
        "npx -y @acme/db",
        FailureClass::Ended,
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /home/u/.npm/_npx/ab12/node_modules/x/i.js",
        "or its folder of packages",
    ),
    (
        "node dist/index.js",
        FailureClass::Ended,
        "Error: Cannot find module '/w/dist/index.js'",
        "a module that the server needs",
    ),
    (
        "npx -y acme",
        FailureClass::Ended,
        "npm error could not determine executable to run",
        "no program of its own",
    ),
    (
        "uvx acme-mcp",
        FailureClass::Ended,
        "  × No solution found when resolving tool dependencies:",
        "the Python package, or that version",
    ),
    (
        "uvx acme-mcp",
        FailureClass::Ended,
        "An executable named `acme-mcp` is not provided by package `acme-mcp`.",
        "a program of another name",
    ),
    (
        "python3 -m acme",
        FailureClass::Ended,
        "/usr/bin/python3: No module named acme",
        "a Python that does not have the module",
    ),
    (
        "python3 server.py",
        FailureClass::Ended,
        "SyntaxError: invalid syntax",
        "a newer Python",
    ),
    (
        "node index.js",
        FailureClass::Ended,
        "SyntaxError: Unexpected token '?'",
        "a newer Node.js",
    ),
    (
        "node index.js",
        FailureClass::Ended,
        "Error: listen EADDRINUSE: address already in use :::3000",
        "the port that it wants is taken",
    ),
    (
        "docker run -i acme",
        FailureClass::Ended,
        "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
        "Docker does not run",
    ),
    (
        "docker run -i acme",
        FailureClass::Ended,
        "Unable to find image 'acme:latest' locally",
        "no such image",
    ),
    (
        "node index.js",
        FailureClass::Ended,
        "Error: unable to get local issuer certificate",
        "certificate of a host it calls is not trusted",
    ),
    (
        "node index.js",
        FailureClass::Ended,
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "what it connects to does not run",
    ),
    (
        "node index.js",
        FailureClass::Ended,
        "Error: getaddrinfo ENOTFOUND api.example.com",
        "cannot reach the network",
    ),
    (
        "node index.js",
        FailureClass::Ended,
        "Error: API_TOKEN=x is invalid",
        "is refused",
    ),
    (
        "node index.js",
        FailureClass::Ended,
        "Error: GITHUB_TOKEN environment variable is required",
        "a variable that it needs is not set",
    ),
    (
        "node index.js",
        FailureClass::Ended,
        "Error: EACCES: permission denied, open '/var/lib/x'",
        "may not read, write or execute",
    ),
    (
        "node index.js",
        FailureClass::Ended,
        "Error: spawn chromium ENOENT",
        "a file or program that it needs",
    ),
    (
        "npx -y x",
        FailureClass::NotSpawned,
        "`npx` is not on the PATH",
        "has no such program",
    ),
    (
        "./tool",
        FailureClass::NotSpawned,
        "`/w/tool` is not executable",
        "may not be executed",
    ),
    (
        "./tool",
        FailureClass::NotSpawned,
        "`/w/tool` is to be read by `/usr/bin/python9`, which is not there",
        "names an interpreter",
    ),
    (
        "./tool",
        FailureClass::NotSpawned,
        "there is no `/w/tool`",
        "the file is not there",
    ),
    (
        "tool",
        FailureClass::Invalid,
        "HTTP 200: <!DOCTYPE html><title>Sign in</title>",
        "a web page",
    ),
    (
        "tool",
        FailureClass::Ended,
        "Content-Length: 52",
        "as language servers do",
    ),
    (
        "tool",
        FailureClass::Ended,
        "Server listening on http://localhost:3000/mcp",
        "it serves HTTP",
    ),
    (
        "tool --stdoi",
        FailureClass::Ended,
        "error: unknown option '--stdoi'",
        "does not know one of its arguments",
    ),
    ("docker run acme", FailureClass::Ended, "", "without -i"),
];

fn failed(command: &str, class: FailureClass, said: &str) -> Option<Likely> {
    let plan = LaunchPlan {
        start: Start::Process {
            argv: command.split(' ').map(Secret::new).collect(),
            cwd: "/w".into(),
            env: Vec::new(),
            withheld: Vec::new(),
        },
        startup_timeout: Timeout {
            duration: None,
            place: None,
        },
        call_timeout: Timeout {
            duration: None,
            place: None,
        },
        helpers: Vec::new(),
        tool_names: "",
        tools_only: None,
        tools_without: Vec::new(),
        remarks: Vec::new(),
    };
    let candidate = Candidate {
        name: "db",
        users: Vec::new(),
        plan,
        consent: Consent::Own,
    };
    let (text, stderr) = match class {
        FailureClass::Ended => ("it ended before it answered initialize", said),
        _ => (said, ""),
    };
    let mut launched = Launched::nothing(
        "db",
        Vec::new(),
        State::Failed(Failure {
            class,
            method: None,
            text: text.to_owned(),
        }),
    );
    launched.stderr_tail = stderr.to_owned();
    likely(&candidate, &launched)
}

#[test]
fn every_cause_is_found_in_what_programs_say() {
    for (command, class, said, expected) in SAID {
        let likely = failed(command, *class, said).expect(said);
        assert!(likely.cause.contains(expected), "{said}: {}", likely.cause);
        assert!(!likely.help.contains('{'), "{}", likely.help);
    }
}

#[test]
fn every_cause_has_words_that_show_it() {
    for row in CAUSES {
        let shown = SAID
            .iter()
            .any(|(.., expected)| row.cause.contains(expected));
        assert!(shown, "{}", row.cause);
    }
    assert_eq!(CAUSES.len(), SAID.len());
}

#[test]
fn the_package_is_named_without_its_version() {
    let help = |command: &str| {
        let said = "npm error code E404";
        failed(command, FailureClass::Ended, said).expect(said).help
    };
    assert_eq!(help("npx -y @acme/db@1.2"), "npm view @acme/db versions");
    assert_eq!(help("npx -y db"), "npm view db versions");
    assert_eq!(help("npx -y"), "npm view PACKAGE versions");
}

#[test]
fn what_says_nothing_has_a_cause_of_its_own() {
    let silent = failed("tool", FailureClass::Ended, "").expect("a cause");
    assert!(silent.cause.contains("says nothing"), "{}", silent.cause);
    assert_eq!(
        failed("tool", FailureClass::Refused, "error -32000: no"),
        None
    );
}
