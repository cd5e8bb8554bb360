//! A secret that the server was given, printed by it in every way, and text that acts: neither comes out.

use base64::Engine;
use libtest_mimic::Trial;

use crate::context::Context;
use crate::scene::{CANARY, done, home, home_of, home_with, run};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("the_servers_secret_is_in_no_format", || {
            done(the_servers_secret_is_in_no_format)
        }),
        Trial::test("a_secret_given_on_the_command_line_is_hidden_too", || {
            done(a_secret_given_on_the_command_line_is_hidden_too)
        }),
        Trial::test(
            "a_token_is_whole_or_not_at_all_in_what_is_wrapped_or_cut",
            || done(a_token_is_whole_or_not_at_all_in_what_is_wrapped_or_cut),
        ),
        Trial::test("errors_do_not_quote_a_token", || {
            done(errors_do_not_quote_a_token)
        }),
        Trial::test(
            "names_without_end_are_cut_where_nobody_asked_for_them",
            || done(names_without_end_are_cut_where_nobody_asked_for_them),
        ),
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

/// Tokens that look random: one that fits in a line, and one that does not.
fn tokens() -> [String; 2] {
    [40, 300].map(|length| {
        let letters = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
        let mut state = 7_u64;
        let mut letter = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            char::from(letters[(state >> 33) as usize % letters.len()])
        };
        (0..length).map(|_| letter()).collect()
    })
}

/// A part of `token` in `text`, across the ends of lines too.
fn part_of(token: &str, text: &str) -> Option<String> {
    let text: String = text.split_whitespace().collect();
    let parts = token.as_bytes().windows(10);
    let mut parts = parts.map(|part| String::from_utf8(part.to_vec()).unwrap());
    parts.find(|part| text.contains(part))
}

/// What `words` leave in `context` in each of `formats`, none of which may hold a part of `token`.
fn clean_in(formats: &[&str], context: &Context, words: &str, token: &str) -> String {
    let written = formats.iter().map(|format| {
        let run = run(context, &format!("{words} --format {format}"));
        let written = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(
            part_of(token, &written),
            None,
            "{words} {format}: {written}"
        );
        written
    });
    written.collect()
}

fn a_token_is_whole_or_not_at_all_in_what_is_wrapped_or_cut() {
    for token in tokens() {
        let context = home_with("echoes", &token);
        for words in [
            "tools",
            "tools fake",
            "tools fake give",
            "tools fake --schema",
            "prompts fake",
            "resources fake",
            "check --launch --harness claude-code",
        ] {
            let written = clean_in(
                &["text", "text -v", "json", "markdown"],
                &context,
                words,
                &token,
            );
            assert!(written.contains("•••"), "{words}: {written}");
        }
    }
}

fn errors_do_not_quote_a_token() {
    for token in tokens() {
        let context = home_with("echoes", &token);
        // Near enough to be taken for it.
        let typed = |(at, letter)| if at % 4 == 3 { '-' } else { letter };
        let near: String = token.chars().enumerate().map(typed).collect();
        for (words, told) in [
            ("call fake give".to_owned(), "`•••` is missing"),
            (
                "call fake give".to_owned(),
                r#"give(•••: "as •••" = "•••")"#,
            ),
            (format!("call fake give {near}=x"), "did you mean •••?"),
            ("call fake choose one=x".to_owned(), "must be one of •••"),
            ("call fake choose only=x".to_owned(), r#"must be "•••""#),
            ("call fake choose like=x".to_owned(), "•••"),
            (
                format!("call fake query_as_{near}="),
                "did you mean query_as_•••=?",
            ),
            (
                format!("tools fake query_as_{near}="),
                "did you mean query_as_•••=?",
            ),
            ("call fake choose".to_owned(), "the token ••• and"),
            ("prompt fake greet".to_owned(), "`•••` is missing"),
            (
                "prompt fake greet x=y".to_owned(),
                "there is no parameter `x`",
            ),
            ("read fake x://y".to_owned(), "the token ••• and"),
        ] {
            let written = clean_in(&["text -v", "json"], &context, &words, &token);
            let written = written.replace("\"•••\": ", "•••: ");
            assert!(written.contains(told), "{words}: {written}");
        }
    }
}

fn names_without_end_are_cut_where_nobody_asked_for_them() {
    let context = home_of("huge");
    for (words, told) in [
        ("call fake give", "nnn` is missing"),
        ("call fake give one=x", "error: `"),
        ("call fake choose", "has no tool `choose`"),
        ("read fake x://y", "did not do it: error -32000: nnn"),
    ] {
        let run = run(&context, words);
        assert!(run.stderr.contains(told), "{words}: {}", run.stderr);
        assert!(run.stderr.len() < 3_000, "{words}: {}", run.stderr.len());
    }
    for format in ["text -v", "json", "markdown"] {
        let words = format!("check --launch --harness claude-code --format {format}");
        let run = run(&context, &words);
        assert!(run.stdout.contains("nnn"), "{format}: {}", run.stdout);
        assert!(run.stdout.len() < 20_000, "{format}: {}", run.stdout.len());
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
