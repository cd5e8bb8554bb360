//! What holds for every input: lines fit, nothing acts, planted secrets stay hidden.

use std::time::Duration;

use muster_core::{
    Giver, Gives, Helper, LaunchPlan, Resolution, Scope, Start, Status, Timeout, Transport, handed,
};
use muster_document::Secret;
use muster_report::{Detail, Format, Launch, Look, Survey};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_oneof, proptest};
use unicode_width::UnicodeWidthStr;

use crate::hand::{self, Hand};

const FORMATS: [Format; 3] = [Format::Text, Format::Json, Format::Markdown];
const DETAILS: [Detail; 3] = [Detail::Quiet, Detail::Normal, Detail::Verbose];

/// Everything that can be said about `resolutions`.
fn everything(resolutions: &[Resolution], name: &str, look: Look) -> Vec<(Format, String)> {
    let survey = hand::survey(resolutions);
    let launches: Vec<Launch<'_>> = resolutions
        .iter()
        .filter_map(|resolution| launch(resolution, name))
        .collect();
    let planned = Survey {
        launches: &launches,
        ..survey
    };
    let asked = FORMATS
        .into_iter()
        .flat_map(|format| DETAILS.map(|detail| (format, detail)));
    asked
        .flat_map(|(format, detail)| {
            let list = muster_report::list(&survey, format, look, detail);
            let why = muster_report::why(&survey, name, format, look, detail);
            let matrix = muster_report::list_by_server(&survey, format, look, detail);
            let plan = muster_report::why(&planned, name, format, look, detail);
            [
                (format, list.as_str().to_owned()),
                (format, matrix.as_str().to_owned()),
                (format, plan.as_str().to_owned()),
                (format, why.as_str().to_owned()),
            ]
        })
        .collect()
}

/// A plan that has the definition's own words wherever a plan has foreign text.
fn launch<'r>(resolution: &'r Resolution, name: &str) -> Option<Launch<'r>> {
    let server = muster_report::meant(resolution, name)?;
    let entry = &*server.definition.entry;
    let words = || {
        entry
            .command
            .iter()
            .chain(&entry.args)
            .map(|word| &word.value)
    };
    let names = || words().map(|word| word.expose().replace(['\0', '='], "_"));
    // A name of a variable is no secret; what the canaries are in is.
    let hidden = |name: &String| CANARIES.iter().any(|canary| name.contains(canary));
    let names = || names().filter(|name| !hidden(name));
    let values = entry
        .env
        .iter()
        .map(|(name, value)| (name.clone(), value.value.clone()));
    let start = match &entry.url {
        Some(url) if entry.command.is_none() => Start::Remote {
            transport: Transport::Http,
            fallback: Some(Transport::Sse),
            url: url.value.clone(),
            headers: entry
                .headers
                .iter()
                .map(|(name, value)| (name.clone(), value.value.clone()))
                .collect(),
        },
        _ => Start::Process {
            argv: words().cloned().collect(),
            cwd: format!(
                "/home/me/{}",
                names().next().unwrap_or_default().replace('/', "-")
            )
            .into(),
            env: handed(
                values
                    .map(|(name, value)| (name, value, Giver::Entry))
                    .chain(names().map(|name| (name, Secret::new(CANARIES[0]), Giver::Inherited))),
            ),
            withheld: names().collect(),
        },
    };
    let plan = LaunchPlan {
        start,
        startup_timeout: Timeout::usual(Duration::from_secs(30)),
        call_timeout: Timeout {
            duration: None,
            place: server.definition.place.clone(),
        },
        tool_names: "mcp__<server>__<tool>",
        tools_only: Some(names().collect()),
        tools_without: names().collect(),
        helpers: words()
            .next()
            .map(|command| Helper {
                gives: Gives::Headers,
                command: command.clone(),
                cwd: "/work".into(),
                env: Vec::new(),
                patience: Duration::from_secs(10),
                required: false,
            })
            .into_iter()
            .collect(),
        remarks: names().collect(),
    };
    Some(Launch {
        harness: resolution.id,
        server,
        plan: Ok(plan),
        example: format!("mcp__{name}__search"),
    })
}

/// Names and words as nobody sane would write them, and as people do.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-z0-9-]{0,12}",
        any::<String>(),
        "[\\x00-\\x20|`<>\\[\\]()*_\\\\~]{0,20}",
        "[\u{202a}-\u{202e}\u{2060}-\u{206f}\u{200b}-\u{200f}\u{3164}]{1,5}",
        "[\u{4e00}-\u{4e20}]{1,60}",
        "[a-z]{200,300}",
        Just("${TOKEN}".to_owned()),
        Just("https://user:pass@host.example/a/b?c=d".to_owned()),
    ]
}

fn status() -> impl Strategy<Value = Status> {
    (0..Status::ALL.len()).prop_map(|at| Status::ALL[at])
}

fn resolution() -> impl Strategy<Value = (Resolution, String)> {
    let server = (
        word(),
        word(),
        proptest::collection::vec(word(), 0..4),
        status(),
        proptest::option::of(word()),
    );
    (proptest::collection::vec(server, 1..6), word(), word()).prop_map(|(servers, note, file)| {
        let mut text = serde_json::Map::new();
        for (name, command, args, ..) in &servers {
            text.insert(
                name.clone(),
                serde_json::json!({"command": command, "args": args, "url": args.first()}),
            );
        }
        let verdicts: Vec<(Status, Option<&str>)> = servers
            .iter()
            .map(|(.., status, short)| (*status, short.as_deref()))
            .collect();
        let path = format!("/home/me/{}.json", file.replace(['\0', '/'], "-"));
        let name = servers[0].0.clone();
        let json = serde_json::to_string(&text).unwrap();
        let hand = Hand::new("codex", "Codex").file(&path, Scope::Project, &json, &verdicts);
        (
            hand.note(&note)
                .remedy(&name, &note)
                .broken("/home/me/x.json", Scope::User, "{")
                .done(),
            name,
        )
    })
}

/// Bidirectional overrides and isolates.
fn turns_around(c: char) -> bool {
    ('\u{202a}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_wider_than_the_screen_and_nothing_acts((resolution, name) in resolution(), width in 20_usize..160, unicode in any::<bool>()) {
        let look = Look { width, unicode, colour: false };
        for (format, text) in everything(&[resolution], &name, look) {
            prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{format:?}: {text:?}");
            prop_assert!(!text.contains(turns_around));
            if format == Format::Text {
                for line in text.lines() {
                    // The last writer replaces after everything is laid out; a secret can fill fewer columns than its mark.
                    let marks = line.matches(if unicode { "•••" } else { "***" }).count();
                    prop_assert!(line.width() <= width + 3 * marks, "{} columns of {width}: {line:?}", line.width());
                }
            }
        }
    }
}

/// A secret for each position, each of another kind.
const CANARIES: [&str; 7] = [
    "kX9vTq2LmZ8rWp4s",
    "ghp_Zq8Lw3Xv7Tn2Mb5Kc9Rd4Fs6Hj1Gp0Ya",
    "correct-horse-battery",
    "pa55w0rd!quux\"\\",
    "q7Wc2Zr9Kx4Vt8Lm3Np6",
    "sk-proj-4f8Jk2Lq9Zx7Wv3T",
    "s3gm3nt9Xk2Lq7Zv4Tw8",
];

fn planted() -> Vec<Resolution> {
    let [env, header, flag, password, query, argument, segment] = CANARIES;
    let text = serde_json::json!({
        "local": {"command": "npx", "args": ["--api-key", flag, argument, format!("--token={flag}")], "env": {"TOKEN": env, "OTHER": password}},
        "remote": {
            "url": format!("https://me:{query}@host.example/mcp/{segment}?key={query}#{query}"),
            "headers": {"Authorization": format!("Bearer {header}"), "X-Key": env},
        },
    });
    let text = serde_json::to_string_pretty(&text).unwrap();
    let hand = Hand::new("claude-code", "Claude Code").file(
        "/home/me/src/shop/.mcp.json",
        Scope::Project,
        &text,
        &[(Status::Invalid, Some("bad"))],
    );
    // A careless harness quotes values in its own words: the last writer takes them out.
    let quote = format!(
        "the value {env} and {password} and Bearer {header} with {flag}, {argument}, {query} and {segment}"
    );
    vec![
        hand.reason("local", "invalid", &quote)
            .remedy("remote", &quote)
            .note(&quote)
            .done(),
    ]
}

#[test]
fn planted_secrets_are_in_no_format() {
    for colour in [false, true] {
        for name in ["local", "remote"] {
            for (format, text) in everything(
                &planted(),
                name,
                Look {
                    width: 400,
                    unicode: true,
                    colour,
                },
            ) {
                for canary in CANARIES {
                    let escaped = serde_json::to_string(canary).unwrap();
                    let inner = escaped.trim_matches('"');
                    assert!(
                        !text.contains(canary) && !text.contains(inner),
                        "{canary} in {format:?}:\n{text}"
                    );
                }
            }
        }
    }
}
