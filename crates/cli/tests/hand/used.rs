//! `muster call`, `read`, `prompt`.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::scene::{done, home, run};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("arguments_are_what_the_schema_wants", || {
            done(arguments_are_what_the_schema_wants)
        }),
        Trial::test("arguments_that_do_not_fit_are_never_sent", || {
            done(arguments_that_do_not_fit_are_never_sent)
        }),
        Trial::test("arguments_from_stdin_and_files", || {
            done(arguments_from_stdin_and_files)
        }),
        Trial::test("a_result_is_shown_part_by_part", || {
            done(a_result_is_shown_part_by_part)
        }),
        Trial::test("json_is_the_result_itself", || {
            done(json_is_the_result_itself)
        }),
        Trial::test("a_tool_that_fails_ends_with_one", || {
            done(a_tool_that_fails_ends_with_one)
        }),
        Trial::test("pictures_are_saved_where_they_are_wanted", || {
            done(pictures_are_saved_where_they_are_wanted)
        }),
        Trial::test("a_resource_goes_to_a_pipe_byte_for_byte", || {
            done(a_resource_goes_to_a_pipe_byte_for_byte)
        }),
        Trial::test("a_prompt_is_checked_and_shown", || {
            done(a_prompt_is_checked_and_shown)
        }),
        Trial::test("the_log_is_told_when_it_is_wanted", || {
            done(the_log_is_told_when_it_is_wanted)
        }),
        Trial::test("what_a_server_asks_without_a_terminal", || {
            done(what_a_server_asks_without_a_terminal)
        }),
        Trial::test("a_schema_that_cannot_be_used_stops_nothing", || {
            done(a_schema_that_cannot_be_used_stops_nothing)
        }),
        Trial::test("long_texts_reach_a_pipe_whole", || {
            done(long_texts_reach_a_pipe_whole)
        }),
        Trial::test("an_interrupt_cancels_the_call_first", || {
            done(an_interrupt_cancels_the_call_first)
        }),
    ]
}

fn arguments_are_what_the_schema_wants() {
    let context = home();
    assert_eq!(
        run(&context, "call fake echo message=5 times=2").fine(),
        "55\n"
    );
    let words = [
        "call",
        "fake",
        "arguments",
        "a=1",
        "b:=2",
        "c.d=x",
        "c.e:=[1]",
        "f=1",
        "f=2",
    ];
    let given: Value = serde_json::from_str(&context.run(words).fine()).unwrap();
    let expected = json!({"given": {"a": "1", "b": 2, "c": {"d": "x", "e": [1]}, "f": ["1", "2"]}});
    assert_eq!(given, expected);
    let words = [
        "call",
        "fake",
        "arguments",
        "--json",
        r#"{"a": {"b": 1}, "z": 0}"#,
        "a.c=2",
    ];
    let given: Value = serde_json::from_str(&context.run(words).fine()).unwrap();
    assert_eq!(given, json!({"given": {"a": {"b": 1, "c": "2"}, "z": 0}}));
}

fn arguments_that_do_not_fit_are_never_sent() {
    let context = home();
    let mut refusals = String::new();
    for words in [
        &["call", "fake"][..],
        &["call", "fake", "echo"],
        &["call", "fake", "echo", "hello"],
        &["call", "fake", "echo", "mesage=hi"],
        &["call", "fake", "echo", "message=hi", "times=many"],
        &["call", "fake", "echo", "message=hi", "times=0"],
        &["call", "fake", "echo", "message=hi", "mood=sad"],
        &["call", "fake", "echo", "message=hi", "message=ho"],
        &["call", "fake", "echo", "message:={"],
        &["call", "fake", "echo", "message=hi", "where.y=1"],
        &["call", "fake", "echo", "message=@/nonexistent"],
        &["call", "fake", "echo", "--json", "[]"],
        &["call", "fake", "echo", "message=hi", "--timeout", "soon"],
        &["call", "fake", "echo", "message=hi", "--header", "A: b"],
        &["call", "fake", "echo", "message=hi", "--env", "A"],
        &["call", "ftp://host.example", "echo"],
    ] {
        let refused = context.run(words).refused();
        refusals.push_str(&format!("$ muster {}\n{refused}", words.join(" ")));
    }
    assert_snapshot!(refusals);
}

fn arguments_from_stdin_and_files() {
    let context = home()
        .file("project/note.txt", "from a file\n")
        .file("project/a.json", r#"{"x": 1}"#);
    assert_eq!(
        run(&context, "call fake echo message=@note.txt").fine(),
        "from a file\n"
    );
    let given = run(&context, "call fake arguments a:=@a.json --format json").fine();
    assert!(given.contains("\"x\": 1"), "{given}");
    let given = run(&context, "call fake arguments --json @a.json --format json").fine();
    assert!(given.contains("\"x\": 1"), "{given}");
    let mut command = context.command();
    command
        .args(["call", "fake", "echo", "--json", "-"])
        .stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, br#"{"message": "piped"}"#).unwrap();
    drop(stdin);
    assert_eq!(child.wait_with_output().unwrap().stdout, b"piped\n");
}

fn a_result_is_shown_part_by_part() {
    let context = home();
    let mut results = String::new();
    for tool in ["weather", "links", "hostile"] {
        for format in ["text", "markdown"] {
            let words = format!("call fake {tool} --format {format}");
            results.push_str(&format!(
                "$ muster {words}\n{}\n",
                run(&context, &words).fine()
            ));
        }
    }
    assert_snapshot!(results);
}

fn json_is_the_result_itself() {
    let result: Value =
        serde_json::from_str(&run(&home(), "call fake weather --format json").fine()).unwrap();
    assert_eq!(
        result,
        json!({"content": [{"type": "text", "text": "{\"temperature\":5.5}"}], "structuredContent": {"temperature": 5.5}})
    );
}

fn a_tool_that_fails_ends_with_one() {
    let failed = run(&home(), "call fake fail");
    assert_eq!(
        (failed.code, failed.stdout.as_str(), failed.stderr.as_str()),
        (1, "no such table\n", "the tool says that it failed\n")
    );
    let failed = run(&home(), "call fake fail --format json");
    assert_eq!(failed.code, 1);
    assert!(failed.stdout.contains("\"isError\": true"));
}

fn pictures_are_saved_where_they_are_wanted() {
    let context = home();
    let told = run(&context, "call fake picture --save shots").fine();
    assert_eq!(
        told,
        "Look:\nimage  image/png  2 B  shots/picture-1.png\naudio  audio/wav  2 B  shots/picture-2.wav\n"
    );
    assert_eq!(
        std::fs::read(context.path("project/shots/picture-1.png")).unwrap(),
        b"hi"
    );
    // Without a word they are kept apart, and programs decide for themselves.
    let told = run(&context, "call fake picture").fine();
    assert!(
        told.contains("image  image/png  2 B  [HOME]/muster-"),
        "{told}"
    );
    let before = std::fs::read_dir(context.path(".")).unwrap().count();
    run(&context, "call fake picture --format json").fine();
    assert_eq!(
        std::fs::read_dir(context.path(".")).unwrap().count(),
        before
    );
    let prompt = run(&context, "prompt fake greet who=Ada --save shots").fine();
    assert!(
        prompt.ends_with("assistant\nimage  image/png  2 B  shots/greet-1.png\n"),
        "{prompt}"
    );
}

fn a_resource_goes_to_a_pipe_byte_for_byte() {
    let context = home();
    assert_eq!(run(&context, "read fake x://text").fine(), "hello\n");
    assert_eq!(
        run(&context, "read fake x://hostile").fine(),
        crate::server::HOSTILE
    );
    run(&context, "read fake x://blob -o out.bin").fine();
    assert_eq!(
        std::fs::read(context.path("project/out.bin")).unwrap(),
        [0xff, 0x00, 0x1b]
    );
    let piped = context
        .command()
        .args(["read", "fake", "x://blob"])
        .output()
        .unwrap();
    assert_eq!(piped.stdout, [0xff, 0x00, 0x1b]);
    assert_eq!(
        run(&context, "read fake x://two").refused(),
        "error: the resource has 2 parts, of which some are binary\nhint: --format json gives all of them\n"
    );
    let json: Value =
        serde_json::from_str(&run(&context, "read fake x://two --format json").fine()).unwrap();
    assert_eq!(json["contents"][1]["blob"], "aGk=");
    let missing = run(&context, "read fake x://none");
    assert_eq!(missing.code, 3);
    assert_eq!(
        missing.stderr,
        "error: `fake` did not do it: error -32002: Resource not found\n"
    );
    assert!(
        run(&context, "read fake")
            .refused()
            .contains("name the address of a resource")
    );
}

fn a_prompt_is_checked_and_shown() {
    let context = home();
    let told = run(&context, "prompt fake greet who=Ada").fine();
    assert!(
        told.starts_with("user\nGreet \"Ada\"\n\nassistant\nimage  image/png  2 B  "),
        "{told}"
    );
    assert_eq!(
        run(&context, "prompt fake greet").refused(),
        "error: `who` is missing; it may be Ada, Alan\nhint: greet(who: string, how?: string)\n"
    );
    assert_eq!(
        run(&context, "prompt fake greet woh=x").refused(),
        "error: there is no parameter `woh`; did you mean who?\nhint: greet(who: string, how?: string)\n"
    );
    assert_eq!(
        run(&context, "prompt fake greet who:=5").refused(),
        "error: `who` must be of type string\nhint: greet(who: string, how?: string)\n"
    );
    assert_eq!(
        run(&context, "prompt fake greet --complete who=A").fine(),
        "Ada\nAlan\n"
    );
}

fn the_log_is_told_when_it_is_wanted() {
    let context = home();
    let told = run(&context, "call fake log -v");
    assert_eq!((told.code, told.stdout.as_str()), (0, "logged\n"));
    assert!(
        told.stderr.contains("fake  info  l: in the log •••\n"),
        "{}",
        told.stderr
    );
    assert!(
        told.stderr.contains("fake  stderr  aside\n"),
        "{}",
        told.stderr
    );
    assert_eq!(run(&context, "call fake log").fine(), "logged\n");
}

fn what_a_server_asks_without_a_terminal() {
    let context = home();
    let asked = run(&context, "call fake ask");
    assert_eq!(
        (asked.code, asked.stdout.as_str()),
        (0, "{\"action\":\"decline\"}\n")
    );
    assert_snapshot!(asked.stderr);
    let sampled = run(&context, "call fake sample").fine();
    assert_eq!(
        sampled,
        "{\"code\":-32601,\"message\":\"this client has no model to sample from\"}\n"
    );
    let roots = run(&context, "call fake roots").fine();
    assert_eq!(
        roots,
        "{\"roots\":[{\"uri\":\"file://[HOME]/project\",\"name\":\"project\"}]}\n"
    );
}

fn a_schema_that_cannot_be_used_stops_nothing() {
    let called = run(&home(), "call fake circle a=1");
    assert_eq!((called.code, called.stdout.as_str()), (0, "no circle\n"));
    assert_eq!(
        called.stderr,
        "the arguments are not checked: of the schema, it refers to itself in a circle\n"
    );
}

fn long_texts_reach_a_pipe_whole() {
    assert_eq!(
        run(&home(), "call fake lines").fine().lines().count(),
        5_000
    );
}

fn an_interrupt_cancels_the_call_first() {
    let context = home();
    for signal in ["INT", "TERM", "HUP"] {
        let mut command = context.command();
        command
            .args(["call", "fake", "slow"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let called = context.path("project/called");
        let patience = Instant::now() + Duration::from_secs(30);
        while !called.exists() {
            assert!(Instant::now() < patience, "the tool is called");
            std::thread::sleep(Duration::from_millis(10));
        }
        let kill = format!("kill -{signal} {}", child.id());
        assert!(
            Command::new("sh")
                .args(["-c", &kill])
                .status()
                .unwrap()
                .success()
        );
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130), "{signal}");
        assert_eq!(
            String::from_utf8(ended.stderr).unwrap(),
            "error: interrupted\n"
        );
        assert!(
            context.path("project/cancelled").exists(),
            "{signal}: the server was told"
        );
        std::fs::remove_file(called).unwrap();
        std::fs::remove_file(context.path("project/cancelled")).unwrap();
    }
}
