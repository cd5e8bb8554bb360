use muster_core::{Handed, Harness as _};
use muster_testkit::Stage;

use super::*;
use crate::claude_code::ClaudeCode;

fn plan_of(stage: &Stage, name: &str) -> Result<LaunchPlan, LaunchError> {
    let world = stage.world();
    let resolution = ClaudeCode.resolve(&world);
    let mut servers = resolution.servers.iter();
    let server = servers
        .find(|server| server.definition.name == name)
        .unwrap();
    ClaudeCode.launch(&world, server)
}

/// The variables that `giver` gives, as `NAME=VALUE`.
fn given(plan: &LaunchPlan, giver: Giver) -> Vec<String> {
    let Start::Process { env, .. } = &plan.start else {
        panic!("no process")
    };
    let told = |variable: &Handed| format!("{}={}", variable.name, variable.value.expose());
    env.iter()
        .filter(|variable| variable.giver == giver)
        .map(told)
        .collect()
}

fn withheld_of(plan: &LaunchPlan) -> &[String] {
    match &plan.start {
        Start::Process { withheld, .. } => withheld,
        Start::Remote { .. } => panic!("no process"),
    }
}

const SETTINGS: &str = r#"
    //- /home/me/.claude.json
    {"mcpServers": {"u": {"command": "${BIN}", "args": ["${UENV}", "${PENV}", "${NO:-d}", "<${OTEL_X}>"],
        "env": {"MINE": "${BIN}", "UENV": "entry", "OTEL_OWN": "1"}, "timeout": 2500}}}
    //- /home/me/.claude/settings.json
    {"env": {"UENV": "user", "N": 5, "MCP_TIMEOUT": "1500ms", "OTEL_SET": "x"}}
    //- /work/repo/.claude/settings.json
    {"env": {"UENV": "project", "PENV": "project", "CLAUDE_CONFIG_DIR": "/x"}}
    //- /work/repo/.claude/settings.local.json
    {"env": {"PENV": "local"}}
"#;

fn stage() -> Stage {
    Stage::new(SETTINGS)
        .env("BIN", "/bin/tool")
        .env("OTEL_X", "o")
        .env("otel_y", "o")
        .env("CLAUDE_CODE_OAUTH_TOKEN", "t")
        .env("AI_AGENT", "mine")
        .env("CLAUDECODE", "other")
}

#[test]
fn an_entry_is_expanded_without_the_settings_of_the_project() {
    let plan = plan_of(&stage(), "u").unwrap();
    let Start::Process { argv, cwd, .. } = &plan.start else {
        panic!("no process")
    };
    let words: Vec<_> = argv.iter().map(Secret::expose).collect();
    assert_eq!(words, ["/bin/tool", "user", "${PENV}", "d", "<>"]);
    assert_eq!(cwd, "/work/repo");
    let expected = [
        "PENV is not set and has no default: ${PENV} is passed on as it stands",
        "OTEL_X is set, and Claude Code puts nothing in its place: it gives that credential to no server",
        "it is started once without the variables of the project's settings, and then again with them",
    ];
    assert_eq!(plan.remarks, expected);
}

#[test]
fn the_environment_is_claude_codes_own_with_settings_and_the_entry_over_it() {
    let plan = plan_of(&stage().headless(), "u").unwrap();
    assert_eq!(
        given(&plan, Giver::Inherited),
        ["AI_AGENT=mine", "BIN=/bin/tool"]
    );
    assert_eq!(given(&plan, Giver::Settings), ["MCP_TIMEOUT=1500ms", "N=5"]);
    assert_eq!(given(&plan, Giver::Repository), ["PENV=local"]);
    assert_eq!(
        given(&plan, Giver::Entry),
        ["MINE=/bin/tool", "OTEL_OWN=1", "UENV=entry"]
    );
    let own = given(&plan, Giver::Harness);
    assert!(own.contains(&"CLAUDECODE=1".to_owned()), "{own:?}");
    assert!(own.contains(&"CLAUDE_PROJECT_DIR=/work/repo".to_owned()));
    assert!(own.contains(&"CLAUDE_CODE_ENTRYPOINT=sdk-cli".to_owned()));
    assert!(own.contains(&"CLAUDE_CODE_MESSAGING_TOKEN=<token-of-the-session>".to_owned()));
    assert_eq!(
        withheld_of(&plan),
        ["CLAUDE_CODE_OAUTH_TOKEN", "OTEL_X", "otel_y"]
    );
}

#[test]
fn its_list_command_knows_no_settings_of_the_project() {
    let words = ["claude", "mcp", "list"].map(str::to_owned);
    let session = ClaudeCode.session(&words, Stage::FOLDER.into()).unwrap();
    let plan = plan_of(&stage().session(session), "u").unwrap();
    assert_eq!(given(&plan, Giver::Settings), ["MCP_TIMEOUT=1500ms", "N=5"]);
    let own = given(&plan, Giver::Harness);
    assert!(
        !own.iter()
            .any(|set| set.starts_with("CLAUDE_CODE_MESSAGING")),
        "{own:?}"
    );
}

#[test]
fn timeouts_come_from_the_entry_the_settings_or_the_environment() {
    let plan = plan_of(&stage(), "u").unwrap();
    assert_eq!(
        plan.startup_timeout.duration,
        Some(Duration::from_millis(1500))
    );
    let place = plan.startup_timeout.place.unwrap();
    assert_eq!(place.path.as_str(), "/home/me/.claude/settings.json");
    assert_eq!(
        plan.call_timeout.duration,
        Some(Duration::from_millis(2500))
    );
    assert_eq!(plan.call_timeout.place.unwrap().position.line, 2);

    let bare = |timeout: &str| {
        let entry = format!(r#"{{"mcpServers": {{"u": {{"command": "c"{timeout}}}}}}}"#);
        Stage::new(&format!("//- /home/me/.claude.json\n{entry}\n"))
            .env("MCP_TOOL_TIMEOUT", "3000")
            .env("MCP_TIMEOUT", "-5")
    };
    let plan = plan_of(&bare(""), "u").unwrap();
    assert_eq!(plan.startup_timeout.duration, Some(STARTUP));
    assert_eq!(plan.call_timeout.duration, Some(Duration::from_secs(3)));
    // Less than a second is no limit.
    let plan = plan_of(&bare(r#", "timeout": 999"#), "u").unwrap();
    assert_eq!(plan.call_timeout.duration, Some(Duration::from_secs(3)));
}

/// Each was waited for with a server that never answers a call.
#[test]
fn without_a_limit_a_process_may_be_silent_for_half_an_hour_and_an_address_for_a_minute() {
    let limit = |entry: &str, variables: &[(&str, &str)]| {
        let text = format!("//- /home/me/.claude.json\n{{\"mcpServers\": {{\"u\": {entry}}}}}\n");
        let stage = variables
            .iter()
            .fold(Stage::new(&text), |stage, (name, value)| {
                stage.env(name, value)
            });
        plan_of(&stage, "u").unwrap().call_timeout.duration
    };
    let (process, address) = (
        r#"{"command": "c"}"#,
        r#"{"type": "http", "url": "https://h.example"}"#,
    );
    let idle = |value| ("CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT", value);
    let tool = |value| ("MCP_TOOL_TIMEOUT", value);
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    assert_eq!(limit(process, &[]), seconds(1800));
    assert_eq!(limit(address, &[]), seconds(60));
    assert_eq!(limit(process, &[idle("2000")]), seconds(30));
    assert_eq!(limit(process, &[idle("3000"), tool("5000")]), seconds(5));
    assert_eq!(limit(process, &[idle("0")]), None);
    assert_eq!(limit(process, &[idle("0"), tool("5000")]), seconds(5));
    assert_eq!(limit(address, &[tool("80000")]), seconds(80));
    let timed = r#"{"type": "http", "url": "https://h.example", "timeout": 90000}"#;
    assert_eq!(limit(timed, &[]), seconds(90));
}

#[test]
fn headers_are_expanded_twice_and_helpers_wait_for_trust() {
    let remote = |trusted: bool| {
        Stage::new(&format!(
            r#"
            //- /home/me/.claude.json
            {{"projects": {{"/work/repo": {{"hasTrustDialogAccepted": {trusted}, "mcpServers": {{
                "r": {{"type": "http", "url": "https://h.example/${{NPM_TOKEN}}/mcp", "headers": {{"X": "${{UN:-${{B}}}}"}}, "headersHelper": "./helper"}}
            }}}}}}}}
            "#
        ))
        .env("B", "b")
        .env("NPM_TOKEN", "n")
    };
    let plan = plan_of(&remote(true), "r").unwrap();
    let Start::Remote {
        transport,
        url,
        headers,
        ..
    } = &plan.start
    else {
        panic!("no address")
    };
    assert_eq!(*transport, Transport::Http);
    assert_eq!(url.expose(), "https://h.example//mcp");
    // The first pass ends the default at its first brace.
    assert_eq!((headers[0].0.as_str(), headers[0].1.expose()), ("X", "b"));
    assert_eq!(plan.headers_helper().map(Secret::expose), Some("./helper"));
    let helper = &plan.helpers[0];
    assert_eq!(helper.cwd, "/work/repo");
    let told = helper
        .env
        .iter()
        .filter(|told| told.name.starts_with("CLAUDE_CODE_MCP_SERVER_"));
    let told: Vec<_> = told.map(|told| told.value.expose()).collect();
    assert_eq!(told, ["r", "https://h.example//mcp"]);
    assert_eq!(plan.remarks.len(), 2, "{:?}", plan.remarks);

    let plan = plan_of(&remote(false), "r").unwrap();
    assert_eq!(plan.helpers, []);
    assert!(
        plan.remarks[1].starts_with("headersHelper is not run"),
        "{:?}",
        plan.remarks
    );
}

#[test]
fn a_plugin_s_server_knows_the_plugin_s_folders() {
    let stage = Stage::new(
        r#"
        //- /home/me/.claude/skills/tool/.claude-plugin/plugin.json
        {"name": "tool"}
        //- /home/me/.claude/skills/tool/.mcp.json
        {"s": {"command": "${CLAUDE_PLUGIN_ROOT}/run", "args": ["${CLAUDE_PROJECT_DIR}", "${CLAUDE_PLUGIN_DATA}"]}}
        "#,
    );
    let plan = plan_of(&stage, "plugin:tool:s").unwrap();
    let Start::Process { argv, .. } = &plan.start else {
        panic!("no process")
    };
    let words: Vec<_> = argv.iter().map(Secret::expose).collect();
    let data = "/home/me/.claude/plugins/data/tool-skills-dir";
    assert_eq!(
        words,
        ["/home/me/.claude/skills/tool/run", "/work/repo", data]
    );
    let own = given(&plan, Giver::Harness);
    assert!(
        own.contains(&"CLAUDE_PLUGIN_ROOT=/home/me/.claude/skills/tool".to_owned()),
        "{own:?}"
    );
}

#[test]
fn what_claude_code_refuses_has_no_plan() {
    let stage = Stage::new(
        "//- /home/me/.claude.json\n{\"mcpServers\": {\"u\": {\"url\": \"https://h.example\"}}}\n",
    );
    let refused = plan_of(&stage, "u").unwrap_err().to_string();
    assert!(
        refused.starts_with("Skipped — MCP server \"u\" has a \"url\""),
        "{refused}"
    );
}

/// As the real program listed them; see `tool_name`.
#[test]
fn names_of_tools() {
    for (server, tool, expected) in [
        ("a b", "x.y", "mcp__a_b__x_y"),
        ("claude.ai foo", "__z__", "mcp__claude_ai_foo____z__"),
        ("-s-", "t", "mcp__-s-__t"),
        ("mcp__s", "t", "mcp__mcp__s__t"),
        ("plugin:p:s", "t", "mcp__plugin_p_s__t"),
        ("a b", "ü", "mcp__a_b___"),
    ] {
        assert_eq!(tool_name(server, tool), expected);
    }
}

/// Each rule was given to the real program, which then did or did not list `slow`, `x-y` and `a.b c` of the server `s`.
#[test]
fn rules_that_hide_tools() {
    for (rule, hidden) in [
        ("mcp__s", Some("*")),
        ("mcp__s__*", Some("*")),
        ("mcp__s__slow", Some("slow")),
        ("mcp__s__s*", Some("s*")),
        ("mcp__*__x-y", Some("x-y")),
        ("mcp__s__slow(x)", None),
        ("Mcp__s__x-y", None),
        ("mcp__other__slow", None),
        ("Bash", None),
    ] {
        assert_eq!(hides(rule, "mcp__s").as_deref(), hidden, "{rule}");
    }
}
