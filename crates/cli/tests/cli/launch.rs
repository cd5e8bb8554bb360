//! `muster check --launch`: who is started, what is shown, and how it ends.

use std::process::Command;

use insta::assert_snapshot;
use serde_json::Value;

use crate::context::Context;

/// The PATH of the test, for servers that need an interpreter.
pub(crate) fn with_path(command: &mut Command) {
    command.env("PATH", std::env::var_os("PATH").unwrap());
}

/// The processes of this machine that have the context's folder in their environment or command line. Muster's own are gone by now.
pub(crate) fn left_running(context: &Context) -> Vec<u32> {
    let root = context
        .path("")
        .to_str()
        .unwrap()
        .trim_end_matches('/')
        .to_owned();
    let mut left = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        let holds = |file: &str| {
            let bytes = std::fs::read(entry.path().join(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).contains(&root)
        };
        if pid != std::process::id() && (holds("environ") || holds("cmdline")) {
            left.push(pid);
        }
    }
    left
}

/// A server that works, in Python.
const SERVER: &str = r#"import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    if m["method"] == "initialize":
        r = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "made up", "version": "1"}}
    elif m["method"] == "tools/list":
        r = {"tools": [{"name": n, "description": "Does " + n, "inputSchema": {"type": "object"}} for n in sys.argv[1:]]}
    else:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32601, "message": "no"}}), flush=True); continue
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"#;

/// Two servers of the user's that work, one that does not, one of the repository's.
fn shop() -> Context {
    Context::new()
        .file("server.py", SERVER)
        .file("broken.py", "import sys\nsys.stderr.write(\"Error: Cannot find module '@acme/search'\\n\")\nsys.exit(1)\n")
        .file(
            ".claude.json",
            r#"{"mcpServers": {
  "db": {"command": "python3", "args": ["{{ROOT}}/server.py", "query", "search"]},
  "search": {"command": "python3", "args": ["{{ROOT}}/broken.py"]}
}}"#,
        )
        .file(
            ".codex/config.toml",
            "[mcp_servers.db]\ncommand = \"python3\"\nargs = [\"{{ROOT}}/server.py\", \"query\", \"search\"]\ndisabled_tools = [\"query\"]\n",
        )
        .file(
            "project/.mcp.json",
            r#"{"mcpServers": {"lint": {"command": "python3", "args": ["{{ROOT}}/server.py", "lint"]}}}"#,
        )
        .file("project/.git/HEAD", "ref: refs/heads/main\n")
}

fn run(context: &Context, words: &[&str]) -> crate::context::Run {
    let mut command = context.command();
    with_path(&mut command);
    command.args(words);
    let run = context.finish(&mut command);
    assert_eq!(
        left_running(context),
        [0; 0],
        "left running after {words:?}"
    );
    run
}

/// `text` with its times taken out.
fn without_times(text: &str) -> String {
    let mut plain = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let timed = words.iter().enumerate().map(|(at, word)| {
            let next = words.get(at + 1).map(|next| next.trim_end_matches(','));
            let number = word.parse::<f64>().is_ok() && word.contains('.') && next == Some("s");
            if number { "N.NN" } else { word }
        });
        plain.push_str(&timed.collect::<Vec<_>>().join(" "));
        plain.push('\n');
    }
    plain
}

const ASKED: [&str; 6] = [
    "check",
    "--launch",
    "--harness",
    "claude-code",
    "--harness",
    "codex",
];

#[test]
fn what_works_has_a_line_and_what_does_not_has_a_card() {
    let context = shop();
    let text = run(&context, &ASKED);
    assert_eq!((text.code, text.stderr.as_str()), (1, ""));
    assert_snapshot!(without_times(&text.stdout));
    let mut words = ASKED.to_vec();
    words.extend(["--format", "markdown"]);
    let markdown = run(&context, &words);
    assert_snapshot!(without_times(&markdown.stdout));
}

#[test]
fn its_json_says_what_each_agent_gives_its_model() {
    let context = shop();
    let mut words = ASKED.to_vec();
    words.extend(["--format", "json"]);
    let check: Value = serde_json::from_str(&run(&context, &words).stdout).unwrap();
    let schema = run(&context, &["schema", "check"]).fine();
    jsonschema::validate(&serde_json::from_str(&schema).unwrap(), &check).unwrap();
    let launched = check["launched"].as_array().unwrap();
    let db = &launched[0];
    assert_eq!(db["server"], "db");
    assert_eq!(db["harnesses"], serde_json::json!(["claude-code", "codex"]));
    assert_eq!((&db["state"], &db["era"]), (&"ok".into(), &"legacy".into()));
    assert_eq!(db["protocol"], "2025-11-25");
    assert_eq!(db["server_info"]["name"], "made up");
    assert_eq!(
        db["tools"][0]["shown_as"],
        serde_json::json!({"claude-code": "mcp__db__query"})
    );
    assert_eq!(
        db["tools"][1]["shown_as"],
        serde_json::json!({"claude-code": "mcp__db__search", "codex": "mcp__db__search"})
    );
    let search = launched
        .iter()
        .find(|launched| launched["server"] == "search");
    let search = search.unwrap();
    assert_eq!(search["state"], "failed");
    assert_eq!(
        search["exit"],
        serde_json::json!({"code": 1, "signal": null})
    );
    assert_eq!(
        search["stderr_tail"],
        serde_json::json!(["Error: Cannot find module '@acme/search'"])
    );
    let totals = |at: usize| &check["harnesses"][at]["totals"];
    assert_eq!(
        (&totals(0)["tools"], &totals(1)["tools"]),
        (&2.into(), &1.into())
    );
}

/// The repository's server `lint` in Claude Code, after a run with `words`: its state, what was said aside, the exit code.
fn lint(context: &Context, words: &[&str]) -> (String, String, i32) {
    let mut all = vec![
        "check",
        "--launch",
        "--harness",
        "claude-code",
        "--format",
        "json",
    ];
    all.extend(words);
    let run = run(context, &all);
    let check: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
    let launched = check["launched"].as_array().cloned().unwrap_or_default();
    let lint = launched
        .iter()
        .find(|launched| launched["server"] == "lint");
    let state = lint.map_or("none", |lint| lint["state"].as_str().unwrap());
    (state.to_owned(), run.stderr, run.code)
}

#[test]
fn a_repositorys_server_is_started_only_where_somebody_said_yes() {
    // It waits for approval: it does not load at all.
    assert_eq!(lint(&shop(), &[]).0, "none");
    // A headless run would start it unasked.
    let (state, aside, _) = lint(&shop(), &["--headless"]);
    assert_eq!((state.as_str(), aside.as_str()), ("not-started", ""));
    let (state, aside, _) = lint(&shop(), &["--headless", "--include-unapproved"]);
    assert_eq!(state, "ok");
    assert!(
        aside.contains("lint\n") && aside.contains("/server.py lint"),
        "{aside}"
    );
    let (state, _, code) = lint(&shop(), &["--headless", "--server", "lint"]);
    assert_eq!((state.as_str(), code), ("not-started", 4));
    // The user's yes, in Claude Code.
    let approved = shop()
        .file(
            ".claude/settings.json",
            r#"{"enabledMcpjsonServers": ["lint"]}"#,
        )
        .file("keep", "");
    assert_eq!(lint(&approved, &[]).0, "ok");
    assert_eq!(lint(&approved, &["--headless"]).0, "ok");
}

#[test]
fn one_server_may_be_asked_for_by_name() {
    let context = shop();
    let words = |name: &'static str| ["check", "--launch", "--harness", "codex", "--server", name];
    assert_eq!(run(&context, &words("db")).code, 0);
    let none = run(&context, &words("nobody"));
    assert_eq!((none.code, none.stdout.as_str()), (3, ""));
    assert!(
        none.stderr
            .starts_with("error: no server that loads here is called `nobody`")
    );
}

#[test]
fn what_runs_elsewhere_is_left_alone_unless_it_is_asked_for() {
    let context = Context::new().file(
        ".claude.json",
        r#"{"mcpServers": {"docs": {"type": "http", "url": "http://127.0.0.1:1/mcp"}}}"#,
    );
    let state = |words: &[&str]| {
        let mut all = vec!["check", "--harness", "claude-code", "--format", "json"];
        all.extend(words);
        let check: Value = serde_json::from_str(&run(&context, &all).stdout).unwrap();
        check["launched"][0]["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(&["--launch"]), "not-started");
    assert_eq!(state(&["--remote"]), "failed");
}

#[test]
fn an_interrupt_ends_everything_once() {
    let context = Context::new()
        .file("sleep.py", "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nopen('{{ROOT}}/up', 'w').close()\ntime.sleep(100)\n")
        .file(
            ".claude.json",
            r#"{"mcpServers": {"slow": {"command": "python3", "args": ["{{ROOT}}/sleep.py"]}}}"#,
        );
    let mut command = context.command();
    with_path(&mut command);
    command.args([
        "check",
        "--launch",
        "--timeout",
        "60",
        "--harness",
        "claude-code",
    ]);
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    while !context.path("up").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let pid = i32::try_from(child.id()).unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        "error: interrupted; nothing that was started is left\n"
    );
    assert_eq!(left_running(&context), [0; 0]);
}

#[test]
fn servers_are_started_at_once_or_a_few_at_a_time() {
    let context = shop();
    let mut words = ASKED.to_vec();
    words.extend(["--jobs", "1"]);
    assert_eq!(run(&context, &words).code, 1);
    words.pop();
    words.push("0");
    assert_eq!(run(&context, &words).code, 2);
    words.extend(["--timeout", "-1"]);
    assert_eq!(run(&context, &words).code, 2);
}
