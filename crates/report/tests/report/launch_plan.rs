//! `muster why --launch-plan`.

use std::time::Duration;

use insta::assert_snapshot;
use muster_core::{
    Giver, Gives, Helper, LaunchError, LaunchPlan, Resolution, Start, Timeout, Transport, handed,
};
use muster_document::Secret;
use muster_report::{Detail, Format, Launch, Look, Survey};

use crate::{PLAIN, hand, scenes};

fn plan(start: Start, remarks: &[&str]) -> LaunchPlan {
    LaunchPlan {
        start,
        startup_timeout: Timeout::usual(Duration::from_secs(30)),
        call_timeout: Timeout::usual(Duration::from_secs(300)),
        tool_names: "mcp__<server>__<tool>",
        tools_only: None,
        tools_without: vec!["drop*".to_owned()],
        helpers: Vec::new(),
        remarks: remarks.iter().map(|remark| (*remark).to_owned()).collect(),
    }
}

fn process() -> LaunchPlan {
    let words = [
        "npx",
        "-y",
        "@acme/db",
        "--url",
        "postgres://me:hunter4-hunter4@h/db",
    ];
    let inherited = (0..20).map(|n| {
        let name = format!("VARIABLE_{n:02}");
        (name, Secret::new("hunter5-hunter5"), Giver::Inherited)
    });
    let own = [
        ("DB_TOKEN", "hunter2-hunter2", Giver::Entry),
        ("FROM_SETTINGS", "hunter6-hunter6", Giver::Settings),
        ("CLAUDECODE", "1", Giver::Harness),
    ];
    let own = own.map(|(name, value, giver)| (name.to_owned(), Secret::new(value), giver));
    plan(
        Start::Process {
            argv: words.map(Secret::new).to_vec(),
            cwd: hand::FOLDER.into(),
            env: handed(inherited.chain(own)),
            withheld: vec!["OTEL_TOKEN".to_owned()],
        },
        &["DB_URL is not set and has no default: ${DB_URL} is passed on as it stands"],
    )
}

fn remote() -> LaunchPlan {
    let helper = Helper {
        gives: Gives::Headers,
        command: Secret::new("./helper --token hunter8-hunter8"),
        cwd: hand::FOLDER.into(),
        env: Vec::new(),
        patience: Duration::from_secs(10),
        required: true,
    };
    let start = plan(
        Start::Remote {
            transport: Transport::Http,
            fallback: Some(Transport::Sse),
            url: Secret::new("https://api.example.com/hunter7-hunter7/mcp"),
            headers: vec![(
                "Authorization".to_owned(),
                Secret::new("Bearer hunter3-hunter3"),
            )],
        },
        &[],
    );
    LaunchPlan {
        helpers: vec![helper],
        ..start
    }
}

/// The answer for `name`, where each harness that knows it has the plan that `planned` makes.
fn shown<'r>(
    resolutions: &'r [Resolution],
    name: &str,
    planned: impl Fn(&str) -> Result<LaunchPlan, LaunchError>,
    format: Format,
    look: Look,
    detail: Detail,
) -> String {
    let launch = |resolution: &'r Resolution| {
        let server = muster_report::meant(resolution, name)?;
        Some(Launch {
            harness: resolution.id,
            server,
            plan: planned(resolution.id),
            example: format!("mcp__{name}__search"),
        })
    };
    let launches: Vec<Launch<'_>> = resolutions.iter().filter_map(launch).collect();
    let survey = Survey {
        launches: &launches,
        ..hand::survey(resolutions)
    };
    let page = muster_report::why(&survey, name, format, look, detail);
    page.as_str().to_owned()
}

fn db(harness: &str) -> Result<LaunchPlan, LaunchError> {
    match harness {
        "claude-code" => Ok(process()),
        _ => Err(LaunchError::GivesUp("it would not begin".to_owned())),
    }
}

#[test]
fn of_a_process() {
    assert_snapshot!(shown(
        &scenes::shop(),
        "db",
        db,
        Format::Text,
        PLAIN,
        Detail::Normal
    ));
}

#[test]
fn of_an_address() {
    let planned = |_: &str| Ok(remote());
    assert_snapshot!(shown(
        &scenes::shop(),
        "github",
        planned,
        Format::Text,
        PLAIN,
        Detail::Normal
    ));
}

#[test]
fn at_40_columns_in_ascii() {
    let look = Look {
        width: 40,
        unicode: false,
        ..PLAIN
    };
    let text = shown(
        &scenes::shop(),
        "lint",
        |_| Ok(process()),
        Format::Text,
        look,
        Detail::Normal,
    );
    assert!(text.lines().all(|line| line.len() <= 40), "{text}");
    assert_snapshot!(text);
}

#[test]
fn in_markdown() {
    assert_snapshot!(shown(
        &scenes::shop(),
        "db",
        db,
        Format::Markdown,
        PLAIN,
        Detail::Normal
    ));
}

#[test]
fn verbose_names_every_variable_and_tells_the_story_too() {
    let text = shown(
        &scenes::shop(),
        "db",
        db,
        Format::Text,
        PLAIN,
        Detail::Verbose,
    );
    for part in ["VARIABLE_19", "OTEL_TOKEN", "1 of 2 · project scope"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn no_value_is_shown_in_any_format() {
    for format in [Format::Text, Format::Json, Format::Markdown] {
        for (name, plan) in [("db", process()), ("github", remote())] {
            let planned = |_: &str| Ok(plan.clone());
            let text = shown(
                &scenes::shop(),
                name,
                planned,
                format,
                PLAIN,
                Detail::Verbose,
            );
            assert!(!text.contains("hunter"), "{text}");
        }
    }
}

#[test]
fn json_has_a_plan_or_null_for_every_harness() {
    let text = shown(
        &scenes::shop(),
        "db",
        db,
        Format::Json,
        PLAIN,
        Detail::Normal,
    );
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    let launch = |at: usize| &answer["harnesses"][at]["launch"];
    assert_eq!(launch(0)["env"][0]["name"], "CLAUDECODE");
    assert_eq!(launch(0)["env"][0]["giver"], "harness");
    assert_eq!(launch(0)["call_timeout"]["seconds"], 300.0);
    assert_eq!(launch(0)["withheld"][0], "OTEL_TOKEN");
    assert_eq!(launch(0)["refused"], serde_json::Value::Null);
    assert_eq!(launch(1)["refused"], "it would not begin");
    assert_eq!(launch(1)["command"], serde_json::Value::Null);
    assert!(launch(2).is_null());
}
