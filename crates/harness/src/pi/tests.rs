//! Whole resolutions, told as a user would see them.

use muster_core::{
    Giver, Gives, Harness as _, LaunchError, LaunchPlan, Platform, Resolution, Server, Start,
};
use muster_testkit::{Stage, Tree, claims, strategies};
use proptest::prelude::*;

use super::Pi;

/// Every server as `NAME STATUS SCOPE: SHORT`.
fn told(resolution: &Resolution) -> Vec<String> {
    let line = |server: &Server| {
        let short = server.short.as_deref().map(|short| format!(": {short}"));
        format!(
            "{} {} {}{}",
            server.definition.name,
            server.status.word(),
            server.definition.scope.word(),
            short.unwrap_or_default()
        )
    };
    resolution.servers.iter().map(line).collect()
}

fn asked(stage: Stage, line: &str) -> Stage {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    stage.session(Pi.session(&words, Stage::FOLDER.into()).unwrap())
}

fn notes(resolution: &Resolution) -> Vec<&str> {
    resolution.notes.iter().map(|note| note.rule.id).collect()
}

const PROJECT: &str = r#"
//- /home/me/.pi/agent/mcp.json
{"mcpServers": {"db": {"command": "npx", "args": ["-y", "@acme/db"]}, "gh": {"url": "https://h.example/mcp"}}}
//- /work/repo/.pi/mcp.json
{"mcpServers": {"db": {"enabled": false}, "gh": {"command": "gh"}, "lint": {"command": "./lint"}}}
"#;

#[test]
fn an_open_question_changes_no_row_of_the_user() {
    let resolution = Pi.resolve(&Stage::new(PROJECT).world());
    let expected = [
        "gh untrusted project: folder not trusted",
        "lint untrusted project: folder not trusted",
        "db configured user",
        "gh configured user",
    ];
    assert_eq!(told(&resolution), expected);
    assert_eq!(notes(&resolution), ["pi/trust-question"]);
    let situation = resolution.situation.as_deref();
    assert_eq!(situation, Some("nothing starts until trust is answered"));
}

#[test]
fn a_run_that_asks_nobody_takes_no_for_an_answer() {
    let resolution = Pi.resolve(&Stage::new(PROJECT).headless().world());
    assert_eq!(notes(&resolution), [""; 0]);
    let situation = resolution.situation.as_deref();
    assert_eq!(situation, Some("this folder is not trusted"));
}

#[test]
fn a_trusted_project_replaces_and_switches_off() {
    let expected = [
        "gh configured project",
        "lint configured project",
        "db off user: switched off",
        "gh overridden user: project's gh wins",
    ];
    let stored = format!("{PROJECT}\n//- /home/me/.pi/agent/trust.json\n{{\"/work\": true}}\n");
    for (stage, line) in [
        (Stage::new(PROJECT), "pi --approve"),
        (Stage::new(&stored), "pi"),
        (Stage::new(&stored), "pi mcp list --json"),
    ] {
        let resolution = Pi.resolve(&asked(stage, line).world());
        assert_eq!(told(&resolution), expected, "{line}");
    }
}

#[test]
fn what_turns_mcp_off_and_what_does_not() {
    let user = "//- /home/me/.pi/agent/mcp.json\n{\"mcpServers\": {\"u\": {\"command\": \"x\"}}}\n";
    let with = |more: &str| Stage::new(&format!("{user}{more}"));
    let settings = "//- /home/me/.pi/agent/settings.json\n{\"extensions\": [\"-builtin:mcp\"]}\n";
    let extension = "//- /home/me/.pi/agent/extensions/mine.ts\npi.registerCommand('mcp', {})\n";
    let other = "//- /home/me/.pi/agent/extensions/a/index.js\npi.registerCommand('plan', {})\n";
    let crash = "//- /home/me/.pi/agent/settings.json\n{\"extensions\": [1]}\n";
    let on = "u configured user";
    for (more, line, expected) in [
        ("", "pi", on),
        ("", "pi --no-mcp -e builtin:mcp", "u off user: --no-mcp"),
        ("", "pi -ne", "u off user: --no-extensions"),
        ("", "pi -ne -e builtin:mcp", on),
        ("", "pi -nt -t read -xt mcp__*", on),
        (settings, "pi", "u off user: MCP is off in settings"),
        (settings, "pi -e builtin:mcp", on),
        (settings, "pi mcp list", on),
        (extension, "pi", "u off user: an extension replaces it"),
        (
            extension,
            "pi -e builtin:mcp",
            "u off user: an extension replaces it",
        ),
        (extension, "pi -ne -e builtin:mcp", on),
        (extension, "pi mcp list", on),
        (other, "pi", on),
        (
            "",
            "pi -e ./missing.ts",
            "u invalid user: Pi does not start",
        ),
        ("", "pi -e builtin:mpc", "u invalid user: Pi does not start"),
        (crash, "pi --no-mcp", "u invalid user: Pi does not start"),
        (crash, "pi mcp list", on),
    ] {
        let resolution = Pi.resolve(&asked(with(more), line).world());
        assert_eq!(told(&resolution), [expected], "{more} {line}");
    }
    assert_eq!(notes(&Pi.resolve(&with(other).world())), ["pi/extension"]);
}

#[test]
fn a_project_s_own_words_on_itself_count_only_with_trust() {
    let tree = r#"
    //- /home/me/.pi/agent/mcp.json
    {"mcpServers": {"u": {"command": "x"}}}
    //- /work/repo/.pi/settings.json
    {"defaultProjectTrust": "always", "extensions": ["-builtin:mcp"]}
"#;
    let resolution = |line| Pi.resolve(&asked(Stage::new(tree), line).world());
    assert_eq!(told(&resolution("pi -p hi")), ["u configured user"]);
    assert_eq!(
        told(&resolution("pi -a")),
        ["u off user: MCP is off in settings"]
    );
}

#[test]
fn an_extension_that_answers_for_trust_leaves_it_open() {
    let tree = format!(
        "{PROJECT}\n//- /home/me/.pi/agent/extensions/t.ts\npi.on(\"project_trust\", () => ({{ trusted: \"yes\" }}))\n"
    );
    let resolution = Pi.resolve(&Stage::new(&tree).world());
    let expected = [
        "gh unknown project: an extension decides",
        "lint unknown project: an extension decides",
        "db configured user",
        "gh configured user",
    ];
    assert_eq!(told(&resolution), expected);
}

#[test]
fn keys_of_the_trust_store() {
    for (key, trusted) in [
        ("/work/repo", true),
        ("/work/repo/", true),
        ("/work/x/../repo", true),
        (".", true),
        ("", true),
        ("/", true),
        ("~/repo", false),
        ("/work/re", false),
        ("/work/repo/sub", false),
    ] {
        let store = format!("{PROJECT}\n//- /home/me/.pi/agent/trust.json\n{{\"{key}\": true}}\n");
        let resolution = Pi.resolve(&Stage::new(&store).world());
        let lint = resolution
            .servers
            .iter()
            .find(|server| server.definition.name == "lint");
        assert_eq!(lint.unwrap().status.loads(), Some(trusted), "{key}");
    }
}

#[test]
fn on_windows_keys_are_compared_without_case_which_was_not_observed() {
    let tree = |key: &str| {
        format!(
            "//- /c/Users/me/.pi/agent/trust.json\n{{\"{key}\": true}}\n//- /c/w/.pi/mcp.json\n{{\"mcpServers\": {{\"p\": {{\"command\": \"x\"}}}}}}\n"
        )
    };
    for (key, trusted) in [
        (r"c:\\W", true),
        ("C:/w/", true),
        (r"c:\\", true),
        (r"c:\\x", false),
    ] {
        let stage = Stage::new(&tree(key))
            .platform(Platform::Windows)
            .system_root("/c")
            .folder("/c/w")
            .home(Some("/c/Users/me"));
        let resolution = Pi.resolve(&stage.world());
        let loads = resolution.servers[0].status.loads();
        assert_eq!(loads, Some(trusted), "{key}");
    }
}

#[test]
fn a_broken_store_stops_all_but_what_does_not_ask_it() {
    for store in ["{", "[]", "", "{\"/other\": 1}"] {
        let tree = format!("{PROJECT}\n//- /home/me/.pi/agent/trust.json\n{store}\n");
        let resolution = Pi.resolve(&Stage::new(&tree).world());
        let loads = |resolution: &Resolution| {
            let loading = resolution
                .servers
                .iter()
                .filter(|server| server.status.loads() == Some(true));
            loading.count()
        };
        assert_eq!(loads(&resolution), 0, "{store}");
        assert_eq!(
            resolution.stopped.map(|note| note.rule.id),
            Some("pi/trust-store")
        );
        let approved = Pi.resolve(&asked(Stage::new(&tree), "pi -na").world());
        assert_eq!(loads(&approved), 2, "{store}");
    }
}

#[test]
fn the_list_ends_at_an_address_that_is_none() {
    let tree = r#"
    //- /home/me/.pi/agent/mcp.json
    {"mcpServers": {"bad": {"type": "stdio", "command": "x", "url": "nowhere"}, "u": {"command": "x"}}}
"#;
    let list = Pi.resolve(&asked(Stage::new(tree), "pi mcp list").world());
    let expected = [
        "bad invalid user: pi mcp list ends",
        "u invalid user: pi mcp list ends",
    ];
    assert_eq!(told(&list), expected);
    let session = Pi.resolve(&Stage::new(tree).world());
    let expected = [
        "bad broken user: its url is no address",
        "u configured user",
    ];
    assert_eq!(told(&session), expected);
}

#[test]
fn what_is_written_elsewhere_is_named_to_those_who_use_pi() {
    let foreign = "//- /work/repo/.mcp.json\n{\"mcpServers\": {\"c\": {\"command\": \"x\"}}}\n";
    assert_eq!(told(&Pi.resolve(&Stage::new(foreign).world())), [""; 0]);
    let used = format!(
        "{foreign}//- /home/me/.pi/agent/mcp.json\n{{\"servers\": {{\"v\": {{\"command\": \"x\"}}}}}}\n\
         //- /work/.pi/mcp.json\n{{\"mcpServers\": {{\"p\": {{\"command\": \"x\"}}}}}}\n"
    );
    let expected = [
        "v ignored user: Pi does not read servers",
        "c ignored project: never read there",
        "p ignored project: never read there",
    ];
    assert_eq!(told(&Pi.resolve(&Stage::new(&used).world())), expected);
}

/// The plan for the server `x` with the fields `entry`.
fn plan(entry: &str) -> Result<LaunchPlan, LaunchError> {
    let tree = format!("//- /home/me/.pi/agent/mcp.json\n{{\"mcpServers\": {{\"x\": {entry}}}}}\n");
    let stage = Stage::new(&tree)
        .env("SRC", "val")
        .env("HOME", "/home/me")
        .env("AI_AGENT", "other");
    let world = stage.world();
    let resolution = Pi.resolve(&world);
    Pi.launch(&world, &resolution.servers[0])
}

#[test]
fn a_command_is_started_in_all_of_pi_s_environment() {
    let entry = r#"{"command": "~/bin/x", "args": ["~", "$SRC", "a~/b"], "cwd": "~/w", "timeout": 1.5,
        "env": {"A": "a ${SRC} $$", "B": "!op read x", "PI_CODING_AGENT": "mine"}}"#;
    let plan = plan(entry).unwrap();
    let Start::Process {
        argv,
        cwd,
        env,
        withheld,
    } = plan.start
    else {
        panic!("no process");
    };
    let argv: Vec<_> = argv.iter().map(muster_document::Secret::expose).collect();
    assert_eq!(argv, ["/home/me/bin/x", "/home/me", "$SRC", "a~/b"]);
    assert_eq!(cwd, "/home/me/w");
    let env: Vec<_> = env
        .iter()
        .map(|variable| {
            (
                variable.name.as_str(),
                variable.value.expose(),
                variable.giver,
            )
        })
        .collect();
    let expected = [
        ("A", "a val $", Giver::Entry),
        ("AI_AGENT", "pi", Giver::Harness),
        ("B", "!op read x", Giver::Entry),
        ("HOME", "/home/me", Giver::Inherited),
        ("PI_CODING_AGENT", "mine", Giver::Entry),
        ("SRC", "val", Giver::Inherited),
    ];
    assert_eq!(env, expected);
    assert_eq!(withheld, [""; 0]);
    assert_eq!(
        plan.startup_timeout.duration,
        Some(std::time::Duration::from_millis(1500))
    );
    // Nothing of the command: it is the value of a variable, and values are not shown.
    let told =
        "B is what a command prints: Pi runs it in the session folder, for at most 10 seconds";
    assert_eq!(plan.remarks, [told]);
    let [helper] = plan.helpers.as_slice() else {
        panic!("{:?}", plan.helpers)
    };
    assert_eq!(helper.gives, Gives::Variable("B".to_owned()));
    assert_eq!(helper.command.expose(), "op read x");
}

#[test]
fn an_address_is_called_with_its_headers() {
    let entry = r#"{"url": "https://h.example/${X}", "headers": {"Authorization": "Bearer $SRC", "X-D": "${NO:-d}"}}"#;
    let Start::Remote { url, headers, .. } = plan(entry).unwrap().start else {
        panic!("no address");
    };
    assert_eq!(url.expose(), "https://h.example/${X}");
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.expose()))
        .collect();
    assert_eq!(
        headers,
        [("Authorization", "Bearer val"), ("X-D", "${NO:-d}")]
    );
}

#[test]
fn whose_token_is_sent_is_told() {
    let tree = r#"
    //- /home/me/.pi/agent/mcp.json
    {"mcpServers": {"x": {"url": "https://h.example/", "auth": {"provider": "radius"}}}}
"#;
    let resolution = Pi.resolve(&Stage::new(tree).world());
    let reasons = &resolution.servers[0].reasons;
    assert_eq!(reasons[1].text, "Pi sends it the token of its login radius");
    assert_eq!(reasons.len(), 3);
}

#[test]
fn what_pi_gives_up_is_told_in_its_words() {
    let error = plan(r#"{"command": "x", "env": {"A": "$NO ${NOPE}"}}"#).unwrap_err();
    let words = "Failed to resolve MCP server \"x\" env \"A\" from environment variables: NO, NOPE";
    assert_eq!(error.to_string(), words);
}

#[test]
fn who_does_not_use_pi_pays_for_a_few_looks() {
    let stage = Stage::new("//- /work/repo/.mcp.json\n{}\n");
    Pi.resolve(&stage.world());
    let asked = stage.tree.asked();
    assert!(asked.len() <= 28, "{}: {asked:?}", asked.len());
}

#[test]
fn many_servers_take_no_more_than_their_number() {
    let entry =
        |n: usize| format!("\"s-{n}\": {{\"command\": \"x\", \"env\": {{\"A\": \"$SRC\"}}}}");
    let entries: Vec<_> = (0..5_000).map(entry).collect();
    let text = format!("{{\"mcpServers\": {{{}}}}}", entries.join(","));
    let tree = Tree::empty();
    tree.file("/home/me/.pi/agent/mcp.json", &text);
    tree.file("/work/repo/.pi/mcp.json", &text);
    let resolution = Pi.resolve(&asked(Stage::of(tree).env("SRC", "x"), "pi -a").world());
    assert_eq!(resolution.servers.len(), 10_000);
}

/// Pi's files with anything in them.
fn files() -> impl Strategy<Value = Vec<(usize, Vec<u8>)>> {
    let file = (0..PLACES.len()).prop_flat_map(|at| {
        let format = match PLACES[at] {
            path if path.ends_with("/mcp.json") => strategies::Format::Mcp,
            _ => strategies::Format::Settings,
        };
        let store = prop::sample::select(vec![
            "{\"/work\": true}",
            "{\"/work/repo\": false}",
            "{\"x\": null}",
            "{",
        ]);
        prop_oneof![
            4 => strategies::file(format),
            1 => store.prop_map(|text| text.as_bytes().to_vec()),
        ]
        .prop_map(move |content| (at, content))
    });
    prop::collection::vec(file, 0..6)
}

const PLACES: [&str; 7] = [
    "/home/me/.pi/agent/mcp.json",
    "/home/me/.pi/agent/trust.json",
    "/home/me/.pi/agent/settings.json",
    "/home/me/.pi/agent/extensions/package.json",
    "/work/repo/.pi/mcp.json",
    "/work/repo/.pi/settings.json",
    "/work/.pi/mcp.json",
];

proptest! {
    #[test]
    fn claims_hold_over_random_files(
        files in files(),
        line in prop::sample::select(vec!["pi", "pi -p hi", "pi -a", "pi -na -ne", "pi mcp list", "pi -e /work/.pi/mcp.json"]),
    ) {
        let tree = Tree::empty();
        for (at, content) in files {
            tree.file(PLACES[at], content);
        }
        let broken = claims::broken(&Pi, &asked(Stage::of(tree), line));
        prop_assert!(broken.is_empty(), "{broken:?}");
    }
}
