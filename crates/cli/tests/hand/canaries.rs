//! A secret that the server was given, printed by it in every way, and text that acts: neither comes out.

use base64::Engine;
use libtest_mimic::Trial;

use crate::scene::{CANARY, done, home, run};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("the_servers_secret_is_in_no_format", || {
            done(the_servers_secret_is_in_no_format)
        }),
        Trial::test("a_secret_given_on_the_command_line_is_hidden_too", || {
            done(a_secret_given_on_the_command_line_is_hidden_too)
        }),
        Trial::test("foreign_text_cannot_act", || done(foreign_text_cannot_act)),
    ]
}

/// Whether `text` holds the canary, in a form in which it could be read.
fn leaks(text: &str) -> bool {
    let folded = text.to_lowercase();
    let middle = "7z";
    let percent: String = CANARY.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let base64 = base64::engine::general_purpose::STANDARD.encode(CANARY);
    folded.contains(&format!("hunter q{middle}"))
        || folded.contains(&format!("hunter+q{middle}"))
        || folded.contains(&percent)
        || text.contains(base64.get(..12).unwrap())
}

fn the_servers_secret_is_in_no_format() {
    let context = home();
    for tool in ["env", "log -v", "refuse", "die", "echo message=@secret.txt"] {
        let context = home().file("project/secret.txt", CANARY);
        for format in ["text", "json", "markdown"] {
            let run = run(&context, &format!("call fake {tool} --format {format}"));
            let written = format!("{}{}", run.stdout, run.stderr);
            assert!(written.contains("•••"), "{tool} {format}: {written}");
            assert!(!leaks(&written), "{tool} {format}: {written}");
        }
    }
    for uri in ["x://secret", "x://secret-blob"] {
        for format in ["text", "json", "markdown"] {
            let run = run(&context, &format!("read fake {uri} --format {format}"));
            assert!(
                !leaks(&format!("{}{}", run.stdout, run.stderr)),
                "{uri} {format}"
            );
        }
        run(&context, &format!("read fake {uri} -o out")).fine();
        let saved = std::fs::read_to_string(context.path("project/out")).unwrap();
        assert_eq!(saved, "•••", "{uri}");
    }
}

fn a_secret_given_on_the_command_line_is_hidden_too() {
    let context = home();
    let words = [
        "call",
        "fake",
        "env",
        "--env",
        "TOKEN=other-hunter7q2",
        "--format",
        "json",
    ];
    let written = context.run(words).fine();
    assert!(
        !written.contains("other-hunter7q2") && written.contains("•••"),
        "{written}"
    );
}

fn foreign_text_cannot_act() {
    let context = home();
    let acts = |text: &str| {
        let harmless = |c: char| c == '\n' || c == '\t' || !c.is_control();
        let invisible = ['\u{202e}', '\u{200b}', '\u{e0041}'];
        !text.chars().all(harmless) || text.contains(invisible)
    };
    for words in [
        "tools fake",
        "tools fake -v",
        "resources fake",
        "prompts fake",
        "call fake hostile",
        "call fake ask",
    ] {
        for format in ["text", "json", "markdown"] {
            let run = run(&context, &format!("{words} --format {format}"));
            assert_eq!(run.code, 0, "{words}: {}", run.stderr);
            assert!(!acts(&run.stdout), "{words} {format}: {:?}", run.stdout);
            assert!(!acts(&run.stderr), "{words} {format}: {:?}", run.stderr);
        }
    }
}
