//! Every check of servers that were started, for `muster explain`.

use muster_core::{Audience, Check, Confidence, Example, Severity};

/// Ids of the checks whose findings are what became of a server: a report that shows each server needs not tell them again.
pub static OUTCOMES: &[&str] = &[
    "server-failed",
    "server-timed-out",
    "needs-sign-in",
    "not-started",
];

/// Every check of servers that were started.
pub static LAUNCH_CHECKS: &[&Check] = &[
    &SERVER_FAILED,
    &SERVER_TIMED_OUT,
    &NEEDS_SIGN_IN,
    &NOT_STARTED,
    &STDOUT_NOISE,
    &SLOW_START,
    &LEFT_RUNNING,
    &TOOLS_LOST,
    &ODD_TOOL,
    &ODD_LIST,
    &TOOL_NAME,
    &TOOL_COLLISION,
    &LIST_FAILED,
    &ODD_PROTOCOL,
    &ASKS_CLIENT,
    &HIDDEN_TEXT,
];

pub(crate) static SERVER_FAILED: Check = Check {
    id: "server-failed",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server does not work",
    explanation: "It was started as the agent starts it, and could not be started, ended by itself, or answered with an error where every server must answer. In the agent it is missing, often without a word.",
    help: "Look at what it wrote last and at the likely cause below it; start it by hand with the folder and the variables of `muster why NAME --launch-plan`.",
    example: FAILS,
};

pub(crate) static SERVER_TIMED_OUT: Check = Check {
    id: "server-timed-out",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server does not answer in time",
    explanation: "It was started and did not answer what it was asked before the time was over. Agents give up as well, each after a time of its own, and go on without the server.",
    help: "Start it by hand to see what it waits for. What is only slow at its first start (npx, uvx, docker pull) can be started once before; else allow it more time in the agent's own setting.",
    example: SLOW,
};

pub(crate) static NEEDS_SIGN_IN: Check = Check {
    id: "needs-sign-in",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server wants you to sign in",
    explanation: "It answers only to whoever is known to it. Most agents open a browser for this on request; a run that nobody can be asked in goes on without the server.",
    help: "Sign in, or configure a token where the server takes one.",
    example: ELSEWHERE,
};

pub(crate) static NOT_STARTED: Check = Check {
    id: "not-started",
    severity: Severity::Note,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server was left out",
    explanation: "Muster starts only what your own files define, or what you approved in the agent. What comes with a repository is started only when you say so, and what runs elsewhere only with `--remote`.",
    help: "`--include-unapproved` starts what comes with the repository, `--remote` reaches what runs elsewhere.",
    example: ELSEWHERE,
};

pub(crate) static STDOUT_NOISE: Check = Check {
    id: "stdout-noise",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server writes other things than messages to its standard output",
    explanation: "Over standard streams every line of the output must be a message. Agents pass over what is none, or fail with a parse error, or wait for ever; a half line can swallow an answer.",
    help: "Have the server log to standard error: often a flag, a log level or a variable. A banner is most often printed by a wrapper, not by the server.",
    example: NOISE,
};

pub(crate) static SLOW_START: Check = Check {
    id: "slow-start",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server takes long to start",
    explanation: "Agents wait only so long for a server to be ready, and headless runs begin before slow ones are up: the model's first turn then has none of its tools.",
    help: "Install the package instead of fetching it at every start, or allow it more time in the agent's own setting.",
    example: SLOW,
};

pub(crate) static LEFT_RUNNING: Check = Check {
    id: "left-running",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server leaves processes behind that cannot be ended",
    explanation: "After the server was asked to end, terminated and killed, something that it had started still runs. Agents do not look for such processes at all: they pile up.",
    help: "End it by its number, and tell whoever makes the server.",
    example: FAULTY,
};

pub(crate) static TOOLS_LOST: Check = Check {
    id: "tools-lost",
    severity: Severity::Error,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "an agent loses every tool of a server over one",
    explanation: "The agent refuses the whole list of tools because one item of it, or the list itself, is not as it wants it. Most say that the server is connected all the same.",
    help: "Tell whoever makes the server, or use a version of it without the fault.",
    example: FAULTY,
};

pub(crate) static ODD_TOOL: Check = Check {
    id: "odd-tool",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server offers something that is no tool",
    explanation: "An item of its list of tools is no object, or its name is no text. Muster leaves that item out; some agents lose the whole list.",
    help: "Tell whoever makes the server.",
    example: FAULTY,
};

pub(crate) static ODD_LIST: Check = Check {
    id: "odd-list",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server's list does not end as lists do",
    explanation: "A list is asked for page by page, each page naming the next by a cursor. `null` is no cursor, and a cursor that was given before leads in a circle. Some agents ask for ever, some keep the first page only, some lose everything.",
    help: "Tell whoever makes the server.",
    example: FAULTY,
};

pub(crate) static TOOL_NAME: Check = Check {
    id: "tool-name",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a tool has a name that models or agents do not take",
    explanation: "Models take names of letters, digits, `_` and `-` of up to 64 or 128 characters, and the name that they see begins with that of the server. Agents change other names, each in its way, or the whole request fails.",
    help: "Shorten the server's name in your file; the rest is for whoever makes the server.",
    example: FAULTY,
};

pub(crate) static TOOL_COLLISION: Check = Check {
    id: "tool-collision",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "two tools have one name",
    explanation: "The model cannot tell them apart: one of them is never called, or the request is refused.",
    help: "Rename one of the servers, or hide one of the tools.",
    example: FAULTY,
};

pub(crate) static LIST_FAILED: Check = Check {
    id: "list-failed",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server does not give a list that it declares",
    explanation: "It says that it has prompts or resources, and answers with an error when asked for them.",
    help: "Tell whoever makes the server.",
    example: FAULTY,
};

pub(crate) static ODD_PROTOCOL: Check = Check {
    id: "odd-protocol",
    severity: Severity::Note,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server does not keep to the protocol",
    explanation: "What it did could be forgiven, and cost nothing here. Other clients may be stricter.",
    help: "Tell whoever makes the server, or use a newer version of it.",
    example: FAULTY,
};

pub(crate) static ASKS_CLIENT: Check = Check {
    id: "asks-client",
    severity: Severity::Note,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a server asks its client",
    explanation: "It asks for folders, for answers of a model or of you. Not every agent gives them; a server that does not go on without is of no use there.",
    help: "Look whether it works in the agents that you use.",
    example: FAULTY,
};

pub(crate) static HIDDEN_TEXT: Check = Check {
    id: "hidden-text",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a tool is described with characters that nobody sees",
    explanation: "Control sequences can change what a terminal shows; invisible characters can carry orders that the model reads and you do not.",
    help: "Do not use the server until whoever makes it has explained it.",
    example: FAULTY,
};

/// A server that logs to its output.
const NOISE: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "db": { "command": "db-mcp", "args": ["--log-to-stdout"] }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "db": { "command": "db-mcp", "args": ["--log-to-stderr"] }
  }
}
"#,
    besides: &[],
};

/// A package that is not there.
const FAILS: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/no-such-server"] }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db-server"] }
  }
}
"#,
    besides: &[],
};

/// A package that is fetched at every start.
const SLOW: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db-server@latest"] }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "db": { "command": "/usr/local/bin/db-server" }
  }
}
"#,
    besides: &[],
};

/// A server that runs elsewhere.
const ELSEWHERE: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "docs": { "type": "http", "url": "https://docs.example/mcp" }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "docs": {
      "type": "http",
      "url": "https://docs.example/mcp",
      "headers": { "Authorization": "Bearer ${DOCS_TOKEN}" }
    }
  }
}
"#,
    besides: &[],
};

/// A version of a server that has a fault.
const FAULTY: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db-server@1.0.0"] }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db-server@1.0.1"] }
  }
}
"#,
    besides: &[],
};
