//! `muster tools`, `resources`, `prompts`.

use insta::assert_snapshot;
use libtest_mimic::Trial;
use serde_json::Value;

use crate::scene::{SERVER, done, home, home_of, own, run};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("tools_are_signatures", || done(tools_are_signatures)),
        Trial::test("one_tool_is_shown_whole", || done(one_tool_is_shown_whole)),
        Trial::test("schemas_are_as_the_server_sent_them", || {
            done(schemas_are_as_the_server_sent_them)
        }),
        Trial::test("as_markdown", || done(as_markdown)),
        Trial::test("the_json_has_every_definition", || {
            done(the_json_has_every_definition)
        }),
        Trial::test("resources_and_prompts", || done(resources_and_prompts)),
        Trial::test("a_modern_server_is_listed_alike", || {
            done(a_modern_server_is_listed_alike)
        }),
        Trial::test("a_command_stands_for_a_server", || {
            done(a_command_stands_for_a_server)
        }),
        Trial::test("every_server_is_asked_at_once", || {
            done(every_server_is_asked_at_once)
        }),
        Trial::test("a_misspelled_name_is_told_with_the_right_one", || {
            done(a_misspelled_name_is_told_with_the_right_one)
        }),
    ]
}

fn tools_are_signatures() {
    assert_snapshot!(run(&home(), "tools fake").fine());
}

fn one_tool_is_shown_whole() {
    assert_snapshot!(run(&home(), "tools fake echo").fine());
}

fn schemas_are_as_the_server_sent_them() {
    let context = home();
    let schema: Value =
        serde_json::from_str(&run(&context, "tools fake weather --schema").fine()).unwrap();
    assert_eq!(schema, serde_json::json!({"type": "object"}));
    let schemas: Value =
        serde_json::from_str(&run(&context, "tools fake --schema").fine()).unwrap();
    assert_eq!(schemas["echo"]["inputSchema"]["required"][0], "message");
    assert_eq!(
        schemas["weather"]["outputSchema"]["required"][0],
        "temperature"
    );
}

fn as_markdown() {
    let context = home();
    let words = ["tools", "prompts", "resources"];
    let pages = words.map(|word| run(&context, &format!("{word} fake --format markdown")).fine());
    assert_snapshot!(pages.join("\n"));
}

fn the_json_has_every_definition() {
    let context = home();
    for (word, schema) in [
        ("tools", "tools"),
        ("prompts", "prompts"),
        ("resources", "resources"),
    ] {
        let answer: Value =
            serde_json::from_str(&run(&context, &format!("{word} fake --format json")).fine())
                .unwrap();
        let schema: Value =
            serde_json::from_str(&run(&context, &format!("schema {schema}")).fine()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&answer)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        let server = &answer["servers"][0];
        assert_eq!(
            (&server["server"], &server["state"]),
            (&"fake".into(), &"ok".into())
        );
        assert_eq!(server["harnesses"], serde_json::json!(["claude-code"]));
        assert_eq!(server["server_info"]["name"], "fake");
        assert_eq!(server["left_out"], u32::from(word == "tools"));
    }
}

fn resources_and_prompts() {
    let context = home();
    let resources = run(&context, "resources fake").fine();
    assert_snapshot!(format!(
        "{resources}\n{}",
        run(&context, "prompts fake").fine()
    ));
}

fn a_modern_server_is_listed_alike() {
    let context = home_of("modern");
    let listed = run(&context, "tools fake").fine();
    let first = listed.lines().next().unwrap();
    assert_eq!(
        first,
        "fake  fake 1                                               19 tools · 2026-07-28"
    );
    assert_eq!(run(&context, "call fake echo message=hi").fine(), "hi\n");
}

fn a_command_stands_for_a_server() {
    let context = home();
    let own = own();
    let echo = ["tools", "echo", "--", &own, SERVER];
    assert!(context.run(echo).fine().contains("echo(\n"));
    let call = [
        "call",
        "echo",
        "message=hi",
        "--env",
        "A=b",
        "--",
        &own,
        SERVER,
    ];
    assert_eq!(context.run(call).fine(), "hi\n");
    let read = ["read", "x://text", "--", &own, SERVER];
    assert_eq!(context.run(read).fine(), "hello\n");
    let prompt = [
        "prompt", "greet", "who=Ada", "--format", "markdown", "--", &own, SERVER,
    ];
    assert!(context.run(prompt).fine().contains("Greet \"Ada\""));
}

fn every_server_is_asked_at_once() {
    let server = |kind: &str| serde_json::json!({"command": own(), "args": [SERVER, kind]});
    let file = serde_json::json!({"mcpServers": {
        "good": server("modern"), "bad": server("exits"), "far": {"type": "http", "url": "https://host.example/mcp"},
    }});
    let repository = serde_json::json!({"mcpServers": {"theirs": server("")}});
    let context = crate::context::Context::new()
        .file(".claude.json", &file.to_string())
        .file("project/.mcp.json", &repository.to_string());
    let answer: Value = serde_json::from_str(&run(&context, "tools --format json").fine()).unwrap();
    let servers = answer["servers"].as_array().unwrap().iter();
    let states: Vec<(&str, &str)> = servers
        .map(|server| {
            (
                server["server"].as_str().unwrap(),
                server["state"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        states,
        [("good", "ok"), ("bad", "failed"), ("far", "not-started")]
    );
    let text = run(&context, "tools").fine();
    assert!(text.contains("✗ bad") && text.contains("◌ far"), "{text}");
}

fn a_misspelled_name_is_told_with_the_right_one() {
    let context = home();
    for (words, error) in [
        (
            "tools fakr",
            "error: no agent knows a server `fakr`\nhint: did you mean fake?\n",
        ),
        (
            "tools zzz",
            "error: no agent knows a server `zzz`\nhint: `muster list` shows what is known\n",
        ),
        (
            "tools fake ecko",
            "error: `fake` has no tool `ecko`\nhint: did you mean echo?\n",
        ),
        (
            "call fake zzzz",
            "error: `fake` has no tool `zzzz`\nhint: `muster tools fake` lists them\n",
        ),
        (
            "prompt fake zzzz",
            "error: `fake` has no prompt `zzzz`\nhint: `muster prompts fake` lists them\n",
        ),
    ] {
        assert_eq!(run(&context, words).refused(), error, "{words}");
    }
}
