//! `muster why` as text.

use insta::assert_snapshot;
use muster_core::Resolution;
use muster_report::{Detail, Format, Look};

use crate::{PLAIN, hand, scenes};

fn why(resolutions: &[Resolution], name: &str, look: Look, detail: Detail) -> String {
    muster_report::why(&hand::survey(resolutions), name, Format::Text, look, detail)
        .as_str()
        .to_owned()
}

#[test]
fn of_a_server_that_waits() {
    assert_snapshot!(why(&scenes::shop(), "lint", PLAIN, Detail::Normal));
}

#[test]
fn of_a_name_with_several_definitions_in_several_agents() {
    assert_snapshot!(why(&scenes::shop(), "db", PLAIN, Detail::Normal));
}

#[test]
fn verbose() {
    assert_snapshot!(why(&scenes::shop(), "lint", PLAIN, Detail::Verbose));
}

#[test]
fn quiet_is_the_verdict() {
    assert_snapshot!(why(&scenes::shop(), "db", PLAIN, Detail::Quiet));
}

#[test]
fn at_40_columns_in_ascii() {
    assert_snapshot!(why(
        &scenes::shop(),
        "lint",
        Look {
            width: 40,
            unicode: false,
            ..PLAIN
        },
        Detail::Normal
    ));
}

#[test]
fn in_colour() {
    assert_snapshot!(
        why(
            &scenes::shop(),
            "lint",
            Look {
                colour: true,
                ..PLAIN
            },
            Detail::Normal
        )
        .replace('\u{1b}', "␛")
    );
}

#[test]
fn of_a_name_that_nobody_knows() {
    assert_snapshot!(why(&scenes::shop(), "github-mcp", PLAIN, Detail::Normal));
    assert_snapshot!(why(
        &scenes::shop(),
        "nothing-like-it",
        PLAIN,
        Detail::Normal
    ));
}
