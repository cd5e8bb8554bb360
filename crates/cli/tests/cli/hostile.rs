//! Servers that misbehave, as real processes through the real program. What each is to come to stands in its `about.json`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::context::{Context, Run};
use crate::launch::{left_running, with_path};

/// One server that misbehaves, as a server of the user's.
struct Play {
    context: Context,
    env: Vec<(&'static str, String)>,
    words: Vec<&'static str>,
}

/// The server in the folder `name`.
fn server(name: &str) -> Play {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../hostile");
    let file = std::fs::canonicalize(file.join(name).join("files/srv/server.py")).unwrap();
    let context = Context::new();
    let servers = serde_json::json!({"mcpServers": {"repro": {
        "command": "python3",
        "args": [file.to_str().unwrap()],
        "env": {"SCENE": context.path("").to_str().unwrap()},
    }}});
    Play {
        context: context.file(".claude.json", &servers.to_string()),
        env: Vec::new(),
        words: Vec::new(),
    }
}

impl Play {
    fn env(mut self, name: &'static str, value: impl Into<String>) -> Play {
        self.env.push((name, value.into()));
        self
    }

    fn words(mut self, words: &[&'static str]) -> Play {
        self.words.extend(words);
        self
    }

    /// Runs the check; nothing of the server is left.
    fn run(&self, format: &str) -> Run {
        let mut command = self.context.command();
        with_path(&mut command);
        command.args([
            "check",
            "--launch",
            "--harness",
            "claude-code",
            "--format",
            format,
        ]);
        command.args(&self.words);
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        let run = self.context.finish(&mut command);
        assert_eq!(left_running(&self.context), [0; 0], "left running");
        run
    }

    /// What came of the server, and the findings as `RULE: TEXT`.
    fn told(&self) -> (Value, Vec<String>) {
        let run = self.run("json");
        let check: Value = serde_json::from_str(&run.stdout).unwrap();
        let findings = check["findings"].as_array().unwrap();
        let told = findings.iter().map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap();
            format!("{}: {}", text("rule"), text("text"))
        });
        let denied = findings
            .iter()
            .any(|finding| finding["severity"] == "error");
        assert_eq!(run.code, i32::from(denied), "{run:?}");
        (check["launched"][0].clone(), told.collect())
    }
}

/// The names of its tools.
fn tools(launched: &Value) -> Vec<&str> {
    let tools = launched["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[track_caller]
fn says(findings: &[String], part: &str) {
    let said = findings.iter().any(|finding| finding.contains(part));
    assert!(said, "{part} in {findings:#?}");
}

#[test]
fn s80_noise_on_the_output_is_counted_and_nothing_is_lost() {
    let (launched, findings) = server("80-stdout-noise").told();
    assert_eq!(launched["state"], "ok");
    assert_eq!(tools(&launched), ["ping"]);
    assert_eq!(launched["stdout_noise"]["lines"], 7);
    assert_eq!(
        launched["stdout_noise"]["first"],
        "MCP server v1.2 starting on stdio"
    );
    says(
        &findings,
        "stdout-noise: writes logs to its standard output: 7 lines",
    );
    says(&findings, "first: MCP server v1.2 starting on stdio");
}

#[test]
fn s81_a_flood_of_errors_is_drained_and_only_its_end_is_kept() {
    let (launched, _) = server("81-stderr-flood").told();
    assert_eq!(launched["state"], "ok");
    assert_eq!(tools(&launched).len(), 1);
    let tail = launched["stderr_tail"].as_array().unwrap();
    assert!(tail.len() <= 20, "{} lines", tail.len());
}

#[test]
fn s82_a_slow_start_is_told_with_the_limit_of_the_agent() {
    let slow = || {
        server("82-slow-start")
            .env("REPRO_DELAY", "4")
            .env("MCP_TIMEOUT", "2000")
    };
    let (launched, findings) = slow().told();
    assert_eq!(launched["state"], "ok");
    assert_eq!(tools(&launched).len(), 1);
    assert!(launched["startup_ms"].as_u64().unwrap() >= 4000);
    says(
        &findings,
        " s to start, longer than Claude Code's 2 s start limit",
    );
}

#[test]
fn s82_one_that_is_too_slow_has_timed_out_and_not_crashed() {
    let play = server("82-slow-start").words(&["--timeout", "3"]);
    let (launched, findings) = play.told();
    assert_eq!(launched["state"], "timed-out");
    assert_eq!(launched["exit"], Value::Null);
    says(&findings, "server-timed-out: no answer to ");
    let text = play.run("text");
    assert!(
        text.stdout.contains("timed out while starting"),
        "{}",
        text.stdout
    );
}

#[test]
fn s83_one_that_never_answers_is_gone_soon_after_its_time() {
    let begun = std::time::Instant::now();
    let play = server("83-never-answers").words(&["--timeout", "2"]);
    let (launched, findings) = play.told();
    // Three seconds to end it, and what a busy machine needs besides.
    assert!(begun.elapsed() < Duration::from_secs(15));
    assert_eq!(launched["state"], "timed-out");
    says(&findings, "no answer to server/discover within 2 s");
}

#[test]
fn s84_what_a_wrapper_started_is_gone_with_it() {
    let play = server("84-orphan-grandchild");
    let pids = play.context.path("pids");
    let play = play.env("REPRO_PIDS", pids.to_str().unwrap());
    let (launched, _) = play.told();
    assert_eq!(launched["state"], "ok");
    assert_eq!(tools(&launched), ["ping"]);
    assert_eq!(launched["left_running"], serde_json::json!([]));
    let pids = std::fs::read_to_string(pids).unwrap();
    for pid in pids.split_whitespace() {
        assert!(!Path::new("/proc").join(pid).exists(), "{pid} still runs");
    }
}

#[test]
fn s85_endless_pages_end() {
    let (launched, findings) = server("85-endless-pages").told();
    assert_eq!(tools(&launched).len(), 8);
    says(
        &findings,
        "odd-list: a list comes to a page that was there before",
    );
    let (launched, findings) = server("85-endless-pages").env("REPRO_MODE", "fresh").told();
    assert_eq!(launched["state"], "ok");
    says(
        &findings,
        "odd-list: tools/list goes on and on: it was cut at the limit of ",
    );
}

#[test]
fn s86_pages_are_read_to_the_last() {
    for mode in ["plain", "empty", "null", "both"] {
        let (launched, findings) = server("86-three-pages").env("REPRO_MODE", mode).told();
        assert_eq!(tools(&launched), ["a", "b", "c", "d", "e"], "{mode}");
        let null = "odd-list: tools/list ends with nextCursor: null, which is not allowed";
        let noted = findings.iter().any(|finding| finding == null);
        assert_eq!(
            noted,
            matches!(mode, "null" | "both"),
            "{mode}: {findings:?}"
        );
    }
}

#[test]
fn s87_each_bad_name_has_a_line_and_the_others_count() {
    let play = server("87-tool-names");
    let (launched, findings) = play.told();
    assert_eq!(launched["state"], "ok");
    assert_eq!(tools(&launched).len(), 16);
    for part in [
        "has 65 characters: models take up to 64",
        "has 129 characters: models take up to 128",
        "tool-name: the name of tool get user holds a blank",
        "tool-name: the name of tool admin.tools.list holds `.`",
        "tool-name: a tool has an empty name",
        "tool-name: two tools are called dup",
        "odd-tool: item 17 of its list of tools has a name that is no text",
        "odd-tool: item 18 of its list of tools has no name",
        "odd-tool: item 19 of its list of tools is no object",
        "tools-lost: Claude Code loses all 16 of its tools",
    ] {
        says(&findings, part);
    }
    let of = |tool: usize| &launched["tools"][tool]["findings"];
    assert_eq!(of(0), &serde_json::json!([]));
    assert_eq!(of(1), &serde_json::json!(["tool-name"]));
    for format in ["text", "markdown"] {
        let run = play.run(format);
        let raw = |c: char| c.is_control() && c != '\n';
        assert_eq!(run.stdout.chars().find(|c| raw(*c)), None, "{format}");
    }
    let (_, findings) = server("87-tool-names").env("REPRO_MODE", "strings").told();
    let lost = findings
        .iter()
        .any(|finding| finding.starts_with("tools-lost"));
    assert!(!lost, "{findings:?}");
}

#[test]
fn s88_one_bad_schema_hides_no_other_here_and_all_of_them_there() {
    let (launched, findings) = server("88-schemas").told();
    assert_eq!(launched["state"], "ok");
    assert_eq!(tools(&launched).len(), 29);
    says(
        &findings,
        "tools-lost: Claude Code loses all 29 of its tools",
    );
    for (mode, lost) in [
        ("top_oneof", "does not say \"type\": \"object\""),
        ("schema_null", "whose inputSchema is no object"),
        ("schema_absent", "a tool without inputSchema"),
        ("draft07", ""),
    ] {
        let (launched, findings) = server("88-schemas").env("REPRO_MODE", mode).told();
        assert_eq!(tools(&launched).len(), 2, "{mode}");
        let told = findings
            .iter()
            .find(|finding| finding.starts_with("tools-lost"));
        match lost {
            "" => assert_eq!(told, None, "{mode}"),
            lost => assert!(
                told.is_some_and(|told| told.contains(lost)),
                "{mode}: {told:?}"
            ),
        }
    }
}

#[test]
fn s90_what_nobody_sees_is_told_and_does_nothing() {
    let play = server("90-tool-poisoning");
    let (launched, findings) = play.told();
    assert_eq!(launched["state"], "ok");
    says(
        &findings,
        "hidden-text: tool ansi: 8 characters that are not seen (U+0007, U+001B)",
    );
    says(
        &findings,
        "hidden-text: tool tags: 17 characters that are not seen (U+E0020",
    );
    says(
        &findings,
        "hidden-text: tool bidi: 1 character that is not seen (U+202E)",
    );
    for format in ["text", "markdown", "json"] {
        let run = play.run(format);
        let raw = |c: char| (c.is_control() && c != '\n') || u32::from(c) > 0xE0000;
        assert_eq!(run.stdout.chars().find(|c| raw(*c)), None, "{format}");
    }
}

#[test]
fn s93_one_that_the_first_question_kills_is_started_again() {
    let (launched, findings) = server("93-dies-on-unknown-method").told();
    assert_eq!(launched["state"], "ok");
    assert_eq!(tools(&launched).len(), 1);
    says(
        &findings,
        "odd-protocol: ended at the first question, for its revisions, and was started again",
    );
}

#[test]
fn s94_one_that_asks_its_client_is_refused_at_once_and_goes_on() {
    let (launched, findings) = server("94-asks-the-client-first").told();
    assert_eq!(launched["state"], "ok");
    assert_eq!(tools(&launched).len(), 1);
    for method in ["roots/list", "sampling/createMessage", "elicitation/create"] {
        says(
            &findings,
            &format!("asks-client: asks its client for {method}"),
        );
    }
}

#[test]
fn s96_odd_messages_cost_nothing() {
    let (launched, findings) = server("96-ids-and-shapes").told();
    assert_eq!(launched["state"], "ok", "{launched:#}");
    assert_eq!(tools(&launched).len(), 1);
    says(
        &findings,
        "odd-protocol: sent an answer to nothing that was asked",
    );
}

#[test]
fn s97_how_and_when_it_ended_is_told_with_its_last_words() {
    let exit = |mode: &str| {
        let (launched, findings) = server("97-crash-and-exit").env("REPRO_MODE", mode).told();
        assert_eq!(launched["state"], "failed", "{mode}");
        says(&findings, "server-failed: it ended ");
        (launched, findings)
    };
    let (now, _) = exit("now");
    assert_eq!(now["exit"], serde_json::json!({"code": 0, "signal": null}));
    let (code, findings) = exit("code");
    assert_eq!(code["exit"]["code"], 3);
    assert_eq!(code["stderr_tail"].as_array().unwrap().len(), 1);
    assert!(!code.to_string().contains("SECRETENV"), "{code}");
    says(&findings, "(exit code 3)");
    let (after, findings) = exit("afterinit");
    assert_eq!(after["exit"]["code"], 1);
    // It depends on who is quicker whether the next question still reaches it.
    let step = findings.iter().any(|finding| {
        finding.ends_with("it ended before it answered tools/list (exit code 1)")
            || finding.ends_with("it ended right after the handshake (exit code 1)")
    });
    assert!(step, "{findings:?}");
    let (segv, findings) = exit("segv");
    assert_eq!(
        segv["exit"],
        serde_json::json!({"code": null, "signal": 11})
    );
    says(&findings, "(signal 11 (SIGSEGV))");
    let (module, _) = exit("missingmodule");
    let likely = "a module that the server needs is not installed where it runs";
    assert_eq!(module["likely"], likely);
}

/// What must appear nowhere, in any form: a token with what every escaping changes.
const TOKEN: &str = "SECRETENV0123456789/+\"q";

#[test]
fn s99_a_secret_that_a_server_tells_appears_in_no_form() {
    let forms = [
        "SECRETENV0123456789",
        "U0VDUkVURU5WMDEyMzQ1Njc4OS8rInE",
        "SECRETENV0123456789%2F%2B%22q",
        "SECRETENV0123456789/+\\\"q",
        "secretenv0123456789",
    ];
    for format in ["text", "json", "markdown"] {
        for verbosity in ["-v", "-q", "--headless"] {
            let play = server("99-echoes-secrets")
                .env("API_TOKEN", TOKEN)
                .words(&[verbosity]);
            let run = play.run(format);
            let said = format!("{}{}", run.stdout, run.stderr);
            for form in forms {
                assert!(
                    !said.contains(form),
                    "{form} in {format} {verbosity}:\n{said}"
                );
            }
        }
    }
}

#[test]
fn a_secret_over_two_lines_of_the_last_words_is_hidden_in_both() {
    let server = "import os, sys; v = os.environ['API_TOKEN']\n\
        sys.stderr.write('key: ' + v[:12] + '\\n' + v[12:] + ' is wrong\\n' + v[:9] + '\\n' + v[9:] + '\\n')\n\
        sys.exit(2)\n";
    let context = Context::new().file("server.py", server).file(
        ".claude.json",
        r#"{"mcpServers": {"repro": {"command": "python3", "args": ["{{ROOT}}/server.py"], "env": {"API_TOKEN": "canaryalphabravocharlie9"}}}}"#,
    );
    for format in ["text", "json", "markdown"] {
        let mut command = context.command();
        with_path(&mut command);
        command.args([
            "check",
            "--launch",
            "--harness",
            "claude-code",
            "--format",
            format,
        ]);
        let run = context.finish(&mut command);
        assert_eq!(run.code, 1, "{run:?}");
        for part in ["canaryalp", "charlie9", "bravocharlie"] {
            assert!(!run.stdout.contains(part), "{part} in {}", run.stdout);
        }
    }
}

/// A server over HTTP, which is ended with the test.
struct Served(std::process::Child, u16);

impl Drop for Served {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// The server in the folder `name`, listening.
fn served(name: &str, env: (&str, &str)) -> Served {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../hostile");
    // Below the ports that the system gives away: whoever calls one of those over and over may end up calling itself.
    let first = 20_000 + u16::try_from(std::process::id() % 10_000).unwrap();
    let mut ports = first..;
    let port = ports
        .find(|port| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .unwrap();
    let mut command = std::process::Command::new("python3");
    command.arg(file.join(name).join("files/srv/server.py"));
    command.arg(port.to_string()).env(env.0, env.1);
    command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    let served = Served(command.spawn().unwrap(), port);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::sleep(Duration::from_millis(20));
    }
    served
}

#[test]
fn b2_one_that_wants_a_sign_in_says_where() {
    let served = served("B2-auth-401", ("REPRO_MODE", "meta"));
    let url = format!("http://127.0.0.1:{}/mcp", served.1);
    let servers = serde_json::json!({"mcpServers": {"repro": {"type": "http", "url": url}}});
    let play = Play {
        context: Context::new().file(".claude.json", &servers.to_string()),
        env: Vec::new(),
        words: vec!["--remote"],
    };
    let (launched, findings) = play.told();
    assert_eq!(launched["state"], "needs-sign-in", "{launched:#}");
    assert_eq!(launched["help"], "muster login repro");
    says(&findings, "needs-sign-in: sign in at ");
}
