//! What Gemini CLI makes of small worlds.

use muster_core::{
    Giver, Harness as _, LaunchError, LaunchPlan, Platform, Resolution, Start, Status, Transport,
};
use muster_testkit::Stage;

use super::GeminiCli;

/// A world whose session folder is trusted.
fn stage(files: &str) -> Stage {
    let stage = Stage::new(files);
    stage.tree.file(
        "/home/me/.gemini/trustedFolders.json",
        r#"{"/work": "TRUST_FOLDER"}"#,
    );
    stage
}

fn asked(stage: Stage, line: &str) -> Stage {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    stage.session(GeminiCli.session(&words, Stage::FOLDER.into()).unwrap())
}

fn resolve(stage: &Stage) -> Resolution {
    GeminiCli.resolve(&stage.world())
}

/// Each server's name, status, scope and last words.
fn told(stage: &Stage) -> Vec<String> {
    let resolution = resolve(stage);
    let servers = resolution.servers.iter().map(|server| {
        let last = server.reasons.last().map(|reason| reason.text.clone());
        format!(
            "{} {} {}: {}",
            server.definition.name,
            server.definition.scope.word(),
            server.status.word(),
            last.unwrap_or_default()
        )
    });
    servers.collect()
}

fn plan(stage: &Stage, name: &str) -> Result<LaunchPlan, LaunchError> {
    let resolution = resolve(stage);
    let server = resolution
        .servers
        .iter()
        .find(|server| server.definition.name == name)
        .unwrap();
    GeminiCli.launch(&stage.world(), server)
}

/// The environment as `giver NAME=value` lines, and the names that are kept back.
fn environment(plan: &LaunchPlan) -> (Vec<String>, Vec<String>) {
    let Start::Process { env, withheld, .. } = &plan.start else {
        panic!("no process")
    };
    let line = |handed: &muster_core::Handed| {
        let giver = match handed.giver {
            Giver::Inherited => "own",
            Giver::Entry => "entry",
            Giver::Settings => "settings",
            Giver::Repository => "repository",
            Giver::Harness => "harness",
        };
        format!("{giver} {}={}", handed.name, handed.value.expose())
    };
    (env.iter().map(line).collect(), withheld.clone())
}

#[test]
fn an_untrusted_folder_holds_every_server_back_and_says_so_once() {
    let stage = Stage::new(
        r#"
        //- /home/me/.gemini/settings.json
        {"mcpServers": {"u": {"command": "u"}}}
        //- /work/repo/.gemini/settings.json
        {"mcpServers": {"p": {"command": "p"}}}
    "#,
    );
    assert_eq!(
        told(&stage),
        [
            "p project untrusted: no rule of ~/.gemini/trustedFolders.json trusts /work/repo: no server of any layer starts here",
            "u user untrusted: no rule of ~/.gemini/trustedFolders.json trusts /work/repo: no server of any layer starts here",
        ]
    );
    let resolution = resolve(&stage);
    assert_eq!(
        resolution.situation.as_deref(),
        Some("nothing starts until trust is answered")
    );
    assert_eq!(resolution.notes.len(), 1);
    let headless = resolve(&stage.headless());
    assert_eq!(
        headless.situation.as_deref(),
        Some("this folder is not trusted")
    );
    assert!(
        headless
            .notes
            .iter()
            .any(|note| note.text.contains("exit code 55"))
    );
}

#[test]
fn a_dotenv_that_may_come_with_a_repository_is_told_from_the_users_own() {
    let stage = |path: &str| {
        Stage::new(&format!(
            r#"
            //- /home/me/.gemini/settings.json
            {{"security": {{"folderTrust": {{"enabled": false}}}}, "mcpServers": {{"u": {{"command": "u"}}}}}}
            //- {path}
            LD_PRELOAD=/evil.so
            "#
        ))
    };
    for (path, giver) in [
        ("/work/repo/.gemini/.env", "repository"),
        ("/work/repo/.env", "repository"),
        ("/home/me/.gemini/.env", "settings"),
        ("/home/me/.env", "settings"),
    ] {
        let (env, _) = environment(&plan(&stage(path), "u").unwrap());
        assert!(
            env.contains(&format!("{giver} LD_PRELOAD=/evil.so")),
            "{path}: {env:?}"
        );
    }
}

#[test]
fn an_empty_world_has_no_notes_and_no_situation() {
    let resolution = resolve(&Stage::new(""));
    assert!(
        resolution.servers.is_empty()
            && resolution.notes.is_empty()
            && resolution.situation.is_none()
    );
    assert!(resolution.stopped.is_none());
}

#[test]
fn a_file_that_does_not_parse_stops_everything_and_its_servers_are_named() {
    let stage = stage(
        r#"
        //- /home/me/.gemini/settings.json
        {"mcpServers": {"u": {"command": "u"}}}
        //- /work/repo/.gemini/settings.json
        {"mcpServers": {"p": {"command": "p"},}}
    "#,
    );
    let resolution = resolve(&stage);
    let stopped = resolution.stopped.as_ref().unwrap();
    assert!(
        stopped
            .text
            .starts_with("Gemini CLI does not start: Error in /work/repo/.gemini/settings.json: "),
        "{}",
        stopped.text
    );
    let servers: Vec<_> = resolution
        .servers
        .iter()
        .map(|server| (server.definition.name.as_str(), server.status))
        .collect();
    assert_eq!(servers, [("u", Status::Invalid), ("p", Status::Invalid)]);
}

#[test]
fn system_files_must_be_roots_alone() {
    let world = |traits: &str| {
        let files = r#"{"mcpServers": {"s": {"command": "s"}}}"#;
        stage(&format!(
            "//- /sys/etc/ owner=0\n//- /sys/etc/gemini-cli/ owner=0\n//- /sys/etc/gemini-cli/settings.json {traits}\n{files}\n"
        ))
        .system_root("/sys")
    };
    assert_eq!(
        told(&world("owner=0")),
        ["s managed configured: nothing speaks against it: it starts in this session"]
    );
    assert_eq!(
        told(&world("owner=0 mode=0664")),
        [
            "s managed ignored: Security Warning: Skipping system settings file '/sys/etc/gemini-cli/settings.json': File is insecure: File '/sys/etc/gemini-cli/settings.json' is writable by group or others (mode: 664)"
        ]
    );
    assert!(told(&world("owner=7"))[0].contains("is not owned by root (uid 0). Current uid: 7"));
}

#[test]
fn paths_of_other_platforms() {
    for (platform, path) in [
        (
            Platform::MacOs,
            "/Library/Application Support/GeminiCli/settings.json",
        ),
        (Platform::Linux, "/etc/gemini-cli/settings.json"),
    ] {
        let resolution = resolve(&Stage::new("").platform(platform));
        assert!(
            resolution.files.iter().any(|file| file.path == path),
            "{path}"
        );
    }
    // Elsewhere than on Linux paths are compared without case.
    let stage = Stage::new(
        r#"
        //- /home/me/.gemini/trustedFolders.json
        {"/WORK": "TRUST_FOLDER"}
        //- /home/me/.gemini/settings.json
        {"mcpServers": {"u": {"command": "u"}}}
    "#,
    )
    .platform(Platform::MacOs);
    assert_eq!(
        told(&stage),
        ["u user configured: nothing speaks against it: it starts in this session"]
    );
}

#[test]
fn a_process_gets_its_environment_without_secrets() {
    let stage = stage(
        r#"
        //- /home/me/.gemini/settings.json
        {
            "security": {"environmentVariableRedaction": {"allowed": ["MY_TOKEN"], "blocked": ["PLAIN"]}},
            "tools": {"exclude": ["mcp_s_echo", "mcp_other_x"]},
            "mcpServers": {"s": {
                "command": "$TOOL", "args": ["$ARG", "$NOPE", 5], "cwd": "sub", "timeout": "2500",
                "env": {"E": "${DOT}-$NOPE", "NODE_OPTIONS": "-x", "MINE": "$GH_TOKEN"},
                "includeTools": ["ping(x)", "pong"], "excludeTools": ["pong"], "foo": 1
            }}
        }
        //- /work/repo/.env
        DOT=d
        TOOL=other
        DEBUG=1
    "#,
    );
    let stage = stage
        .env("TOOL", "tool")
        .env("ARG", "a b")
        .env("MY_TOKEN", "t")
        .env("GH_TOKEN", "g")
        .env("PLAIN", "p")
        .env("GEMINI_CLI_NO_RELAUNCH", "true");
    let plan = plan(&stage, "s").unwrap();
    let (env, withheld) = environment(&plan);
    assert_eq!(
        env,
        [
            "own ARG=a b",
            "repository DOT=d",
            "entry E=d-",
            "harness GEMINI_CLI=1",
            "own GEMINI_CLI_NO_RELAUNCH=true",
            "entry MINE=g",
            "own MY_TOKEN=t",
            "own TOOL=tool",
        ]
    );
    assert_eq!(withheld, ["GH_TOKEN", "PLAIN"]);
    let Start::Process { argv, cwd, .. } = &plan.start else {
        panic!("no process")
    };
    let argv: Vec<_> = argv.iter().map(|word| word.expose()).collect();
    assert_eq!(
        (argv, cwd.as_str()),
        (vec!["tool", "a b", "$NOPE", "5"], "/work/repo/sub")
    );
    assert_eq!(
        plan.tools_only,
        Some(vec!["ping".to_owned(), "pong".to_owned()])
    );
    assert_eq!(plan.tools_without, ["pong", "echo"]);
    // The file has a mistake, so that its timeout stays a text; a timer takes it for a number all the same.
    assert_eq!(plan.startup_timeout.duration.unwrap().as_millis(), 2500);
    assert_eq!(
        plan.remarks,
        [
            "Blocked dangerous environment variable override: NODE_OPTIONS is not set",
            "NOPE unset: passed on as written; NOPE unset: nothing is put in its place",
        ]
    );
}

#[test]
fn an_address_is_tried_twice_where_no_type_is_written() {
    let stage = stage(
        r#"
        //- /home/me/.gemini/settings.json
        {"mcpServers": {
            "plain": {"url": "https://$HOST/mcp", "headers": {"A": "Bearer $MY_TOKEN", "B": "$NOPE"}},
            "sse": {"url": "https://h.example/sse", "type": "sse"},
            "ws": {"url": "wss://h.example/"}
        }}
    "#,
    )
    .env("HOST", "h.example")
    .env("MY_TOKEN", "t");
    let Start::Remote {
        transport,
        fallback,
        url,
        headers,
        ..
    } = plan(&stage, "plain").unwrap().start
    else {
        panic!("no address")
    };
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.expose()))
        .collect();
    assert_eq!(
        (transport, fallback),
        (Transport::Http, Some(Transport::Sse))
    );
    assert_eq!(url.expose(), "https://h.example/mcp");
    assert_eq!(headers, ["A: Bearer t", "B: "]);
    let plan_of_sse = plan(&stage, "sse").unwrap();
    assert!(matches!(
        plan_of_sse.start,
        Start::Remote {
            transport: Transport::Sse,
            fallback: None,
            ..
        }
    ));
    assert_eq!(plan_of_sse.call_timeout.duration.unwrap().as_secs(), 600);
    let refused = plan(&stage, "ws").unwrap_err();
    assert_eq!(
        refused,
        LaunchError::GivesUp("Gemini CLI does not speak WebSocket".to_owned())
    );
}

#[test]
fn an_extension_gives_its_own_settings_and_merges_below_the_settings() {
    let stage = stage(
        r#"
        //- /home/me/.gemini/settings.json
        {"mcpServers": {"e": {"env": {"B": "settings"}}}}
        //- /home/me/.gemini/extensions/my-ext/gemini-extension.json
        {
            "name": "my-ext", "version": "1", "settings": [{"name": "n", "envVar": "MY_TOKEN"}],
            "mcpServers": {"e": {"command": "${extensionPath}/run", "args": ["$OTHER"], "env": {"A": "ext", "B": "ext"}, "trust": true}}
        }
        //- /home/me/.gemini/extensions/my-ext/.env
        MY_TOKEN=t0k
        OTHER=o
    "#,
    );
    let plan = plan(&stage, "e").unwrap();
    let (env, withheld) = environment(&plan);
    assert_eq!(
        env,
        [
            "entry A=ext",
            "entry B=settings",
            "harness GEMINI_CLI=1",
            "harness GEMINI_CLI_NO_RELAUNCH=true",
            "settings MY_TOKEN=t0k",
        ]
    );
    assert!(withheld.is_empty());
    let Start::Process { argv, .. } = &plan.start else {
        panic!("no process")
    };
    let argv: Vec<_> = argv.iter().map(|word| word.expose()).collect();
    assert_eq!(argv, ["/home/me/.gemini/extensions/my-ext/run", "o"]);
}

#[test]
fn the_list_command_answers_otherwise() {
    let stage = |line: &str| {
        asked(
            stage(
                r#"
        //- /home/me/.gemini/settings.json
        {"mcp": {"excluded": ["ALPHA"], "serverCommand": "srv"}, "mcpServers": {"alpha": {"command": "a"}}}
    "#,
            ),
            line,
        )
    };
    let session = told(&stage("gemini"));
    assert_eq!(session.len(), 2);
    assert!(
        session.iter().all(|server| server.contains("configured")),
        "{session:?}"
    );
    assert_eq!(
        told(&stage("gemini mcp list")),
        ["alpha user off: mcp.excluded names alpha"]
    );
}

#[test]
fn a_headless_run_hides_tools_of_servers_that_nothing_frees() {
    let files = r#"
        //- /home/me/.gemini/settings.json
        {"mcpServers": {"plain": {"command": "a"}, "free": {"command": "a", "trust": true}, "sp ace": {"command": "a", "trust": true}}}
    "#;
    let hidden = |stage: Stage| -> Vec<String> {
        let resolution = resolve(&stage);
        let servers = resolution
            .servers
            .iter()
            .filter(|server| server.reasons.iter().any(|reason| reason.label == "tools"));
        servers
            .map(|server| server.definition.name.clone())
            .collect()
    };
    assert_eq!(
        hidden(asked(stage(files), "gemini -p hi")),
        ["plain", "sp ace"]
    );
    assert_eq!(
        hidden(asked(stage(files), "gemini -p hi -y")),
        [] as [&str; 0]
    );
    assert_eq!(
        hidden(asked(
            stage(files),
            "gemini -p hi --allowed-mcp-server-names plain"
        )),
        [] as [&str; 0]
    );
    assert_eq!(hidden(asked(stage(files), "gemini")), [] as [&str; 0]);
}

#[test]
fn an_unconfigured_world_costs_few_looks() {
    let stage = Stage::new("");
    let _ = resolve(&stage);
    assert_eq!(stage.tree.read_twice(), [] as [&str; 0]);
}

#[test]
fn of_several_null_entries_the_same_is_always_named() {
    let stage = || {
        stage(
            r#"
        //- /home/me/.gemini/settings.json
        {"mcpServers": {"a": null, "b": null, "c": null, "d": null}}
    "#,
        )
    };
    for _ in 0..20 {
        let stopped = resolve(&stage()).stopped.unwrap();
        assert!(
            stopped.text.ends_with("the entry a is null"),
            "{}",
            stopped.text
        );
    }
}
