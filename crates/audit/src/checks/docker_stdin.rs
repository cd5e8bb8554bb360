//! Containers that cannot be talked to.

use muster_core::{Audience, Check, Confidence, Example, Finding, Severity};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "docker-without-stdin",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "docker run without -i",
    explanation: "A stdio server is spoken to through its standard input. `docker run` closes it unless `-i` is given: the server reads the end of \
        its input at once and stops, and the agent reports that the connection is closed.",
    help: "Add `-i` behind `run`, and `--rm`, so that stopped containers do not pile up.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "docker", "args": ["run", "--rm", "acme/db:1.4"] }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "db": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "acme/db:1.4"]
    }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let entry = subject.entry();
    let docker = matches!(subject.base_name(), "docker" | "podman");
    let mut words = entry.args.iter().map(|word| word.value.expose());
    let run = entry.args.first().filter(|_| words.next() == Some("run"));
    let Some(run) = run.filter(|_| docker && subject.may_start()) else {
        return;
    };
    if words.any(keeps_input) {
        return;
    }
    let finding = subject
        .finding(
            &CHECK,
            "`docker run` without -i gives the server no input: it ends at once",
        )
        .with_help("add \"-i\" behind \"run\"")
        .at(run.place.as_ref());
    found.push(finding);
}

/// `-i`, `-it`, `--interactive`, or something that attaches to the input in another way.
fn keeps_input(word: &str) -> bool {
    let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let cluster = short.is_some_and(|letters| {
        letters.len() <= 4
            && letters.contains('i')
            && letters.chars().all(|c| c.is_ascii_alphabetic())
    });
    cluster || word.starts_with("--interactive") || word.starts_with("--attach") || word == "-a"
}
