use muster_core::{Handed, Harness as _};
use muster_testkit::Stage;

use super::*;
use crate::codex::Codex;

fn plan_of(stage: &Stage, name: &str) -> Result<LaunchPlan, LaunchError> {
    let world = stage.world();
    let resolution = Codex.resolve(&world);
    let mut servers = resolution.servers.iter();
    let server = servers
        .find(|server| server.definition.name == name)
        .unwrap();
    Codex.launch(&world, server)
}

fn exec(stage: Stage, line: &str) -> Stage {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    stage.session(Codex.session(&words, Stage::FOLDER.into()).unwrap())
}

fn process(plan: &LaunchPlan) -> (&Utf8Path, Vec<String>, &[String]) {
    let Start::Process {
        cwd, env, withheld, ..
    } = &plan.start
    else {
        panic!("no process")
    };
    let told = |variable: &Handed| {
        let giver = match variable.giver {
            Giver::Inherited => "",
            Giver::Entry => "entry ",
            Giver::Settings => "settings ",
            Giver::Repository => "repository ",
            Giver::Harness => "harness ",
        };
        format!("{giver}{}={}", variable.name, variable.value.expose())
    };
    (cwd, env.iter().map(told).collect(), withheld)
}

const CONFIG: &str = "
    //- /home/me/.codex/.env
    DOT=d
    LANG=dot
    CODEX_DOT=c
    //- /home/me/.codex/config.toml
    [mcp_servers.s]
    command = 'tool'
    args = ['${ARG}']
    cwd = 'sub/..'
    env_vars = ['EV', { name = 'DOT' }, 'UNSET', 'CODEX_DOT']
    startup_timeout_ms = 2500
    tool_timeout_sec = 1.5
    type = 'stdio'
    enabled_tools = ['a']
    disabled_tools = ['b']
    [mcp_servers.s.env]
    TERM = 'own'
    [mcp_servers.gh]
    url = 'https://h.example/mcp'
    http_headers = { X-A = 'a', authorization = 'Basic x', 'bad name' = 'v' }
    env_http_headers = { X-B = 'XB', X-C = 'UNSET' }
    bearer_token_env_var = 'GH'
    http_headers_helper = 'helper'
    //- /work/repo/.git/HEAD
    ref: refs/heads/main
";

fn stage() -> Stage {
    [
        ("HOME", "/home/me"),
        ("PATH", "/bin"),
        ("LANG", "C"),
        ("TERM", "x"),
        ("EV", ""),
        ("OTHER", "1"),
        ("SSL_CERT_FILE", "ca.pem"),
        ("GH", "ghtoken"),
        ("XB", "b"),
    ]
    .into_iter()
    .fold(Stage::new(CONFIG), |stage, (name, value)| {
        stage.env(name, value)
    })
}

#[test]
fn a_server_gets_the_short_list_what_env_vars_names_and_what_the_entry_sets() {
    let plan = plan_of(&stage(), "s").unwrap();
    let (cwd, env, withheld) = process(&plan);
    assert_eq!(cwd, "/work/repo");
    let expected = [
        "settings DOT=d",
        "EV=",
        "HOME=/home/me",
        "settings LANG=dot",
        "PATH=/bin",
        "SSL_CERT_FILE=/work/repo/ca.pem",
        "entry TERM=own",
    ];
    assert_eq!(env, expected);
    assert_eq!(withheld, ["GH", "OTHER", "XB"]);
    let expected = [
        "Codex fills no variables: the reference to ARG is passed on as it stands",
        "UNSET of env_vars is not set, so it is not passed on",
        "CODEX_DOT of env_vars is not set, so it is not passed on",
        "Codex puts folders of its own before those of PATH",
    ];
    assert_eq!(plan.remarks, expected);
    assert_eq!(
        plan.startup_timeout.duration,
        Some(Duration::from_millis(2500))
    );
    assert_eq!(plan.startup_timeout.place.unwrap().position.line, 6);
    assert_eq!(
        plan.call_timeout.duration,
        Some(Duration::from_millis(1500))
    );
    assert_eq!(plan.tools_only.as_deref(), Some(&["a".to_owned()][..]));
    assert_eq!(plan.tools_without, ["b"]);
}

#[test]
fn a_relative_folder_is_taken_from_where_codex_was_called() {
    let moved = exec(stage(), "codex exec --skip-git-repo-check -C /elsewhere hi");
    let plan = plan_of(&moved, "s").unwrap();
    assert_eq!(process(&plan).0, "/work/repo");
    let without = Stage::new("//- /home/me/.codex/config.toml\n[mcp_servers.s]\ncommand = 'c'\n");
    let moved = exec(without, "codex exec --skip-git-repo-check -C /elsewhere hi");
    assert_eq!(process(&plan_of(&moved, "s").unwrap()).0, "/elsewhere");
}

#[test]
fn a_plugin_s_relative_folder_is_taken_from_the_plugin() {
    let stage = Stage::new(
        "
        //- /home/me/.codex/config.toml
        [plugins.'p@m']
        //- /home/me/.codex/plugins/cache/m/p/1.0.0/.codex-plugin/plugin.json
        {\"mcpServers\": {\"s\": {\"command\": \"x\", \"cwd\": \"run\"}}}
        ",
    );
    let plan = plan_of(&stage, "s").unwrap();
    assert_eq!(
        process(&plan).0,
        "/home/me/.codex/plugins/cache/m/p/1.0.0/run"
    );
}

#[test]
fn header_fields_are_those_written_those_of_variables_and_the_token() {
    let plan = plan_of(&stage(), "gh").unwrap();
    let Start::Remote { headers, .. } = &plan.start else {
        panic!("no address")
    };
    let told: Vec<_> = headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.expose()))
        .collect();
    assert_eq!(told, ["X-A: a", "X-B: b", "Authorization: Bearer ghtoken"]);
    assert_eq!(plan.headers_helper().map(Secret::expose), Some("helper"));
    let expected = [
        "UNSET is not set, so the header X-C is not sent",
        "the header bad name is no valid one and is not sent",
        "http_headers_helper is run before it connects; its headers win over http_headers, and a helper that fails fails the server",
    ];
    assert_eq!(plan.remarks, expected);
}

#[test]
fn a_server_that_codex_gives_up_has_no_plan() {
    let unset = Stage::new(
        "//- /home/me/.codex/config.toml\n[mcp_servers.gh]\nurl = 'https://h'\nbearer_token_env_var = 'GH'\n",
    );
    assert_eq!(
        plan_of(&unset, "gh").unwrap_err().to_string(),
        "Environment variable GH for MCP server 'gh' is not set"
    );
}

#[test]
fn what_an_entry_says_is_told() {
    let resolution = Codex.resolve(&stage().world());
    let entry = |name: &str| {
        let mut servers = resolution.servers.iter();
        let server = servers.find(|server| server.definition.name == name);
        &*server.unwrap().definition.entry
    };
    let s = entry("s");
    assert_eq!(s.transport_word.as_ref().unwrap().value, "stdio");
    let unread: Vec<_> = s.unread.iter().map(|key| key.value.as_str()).collect();
    assert_eq!(unread, ["type"]);
    assert_eq!(s.unread[0].place.as_ref().unwrap().position.line, 8);
    let forwarded: Vec<_> = s.forwarded.iter().map(|name| name.value.as_str()).collect();
    assert_eq!(forwarded, ["EV", "DOT", "UNSET", "CODEX_DOT"]);
    let gh = entry("gh");
    assert_eq!(gh.headers_helper.as_ref().unwrap().value.expose(), "helper");
    assert_eq!(gh.headers.len(), 6);
    assert_eq!(gh.header_variables.len(), 3);
}

/// As the real program offered them to a model.
#[test]
fn names_of_tools() {
    assert_eq!(tool_name("s", "a.b c"), "mcp__s__a_b_c");
    assert_eq!(tool_name("a-b", "x-y"), "mcp__a_b__x_y");
    assert_eq!(tool_name("mcp__z", "t"), "mcp__z__t");
    let long = |count: usize| "u".repeat(count);
    assert_eq!(tool_name("n", &long(120)), format!("mcp__n__{}", long(120)));
    let cut = |hash: &str| format!("mcp__n__{}_{hash}", long(107));
    assert_eq!(tool_name("n", &long(121)), cut("877643fd99c9"));
    assert_eq!(tool_name("n", &long(122)), cut("9bfb71c02b9f"));
}
