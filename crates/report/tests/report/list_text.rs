//! `muster list` as text.

use insta::assert_snapshot;
use muster_report::{Detail, Look};

use crate::{PLAIN, list, scenes};

#[test]
fn at_80_columns() {
    assert_snapshot!(list(&scenes::shop(), PLAIN, Detail::Normal));
}

#[test]
fn at_120_columns() {
    assert_snapshot!(list(
        &scenes::shop(),
        Look {
            width: 120,
            ..PLAIN
        },
        Detail::Normal
    ));
}

#[test]
fn at_40_columns() {
    assert_snapshot!(list(
        &scenes::shop(),
        Look { width: 40, ..PLAIN },
        Detail::Normal
    ));
}

#[test]
fn in_ascii() {
    assert_snapshot!(list(
        &scenes::shop(),
        Look {
            unicode: false,
            ..PLAIN
        },
        Detail::Normal
    ));
}

#[test]
fn in_colour() {
    assert_snapshot!(
        list(
            &scenes::shop(),
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
fn verbose() {
    assert_snapshot!(list(&scenes::shop(), PLAIN, Detail::Verbose));
}

#[test]
fn quiet() {
    assert_snapshot!(list(&scenes::shop(), PLAIN, Detail::Quiet));
}

#[test]
fn an_empty_world_says_how_to_begin() {
    assert_snapshot!(list(&scenes::empty(), PLAIN, Detail::Normal));
}

#[test]
fn a_harness_that_one_file_stops() {
    assert_snapshot!(list(&scenes::stopped(), PLAIN, Detail::Normal));
}

#[test]
fn files_that_cannot_be_read_are_shown_and_counted() {
    assert_snapshot!(list(&scenes::unreadable(), PLAIN, Detail::Normal));
}

#[test]
fn a_file_that_is_never_read_is_one_row() {
    assert_snapshot!(list(&scenes::unread(), PLAIN, Detail::Normal));
    let verbose = list(&scenes::unread(), PLAIN, Detail::Verbose);
    for name in ["files", "slack", "memory", "search"] {
        assert!(
            verbose.contains(&format!("  ○ {name}")),
            "{name}\n{verbose}"
        );
    }
}

#[test]
fn hostile_names_cannot_act() {
    let text = list(&scenes::hostile(), PLAIN, Detail::Verbose);
    assert!(
        text.chars().all(|c| c == '\n' || !c.is_control()),
        "a control character got through"
    );
    assert_snapshot!(text);
}

#[test]
fn two_hundred_servers_fill_one_line_each() {
    let text = list(&scenes::many(), PLAIN, Detail::Normal);
    assert_eq!(
        text.lines().filter(|line| line.starts_with("  ●")).count(),
        200
    );
    assert_snapshot!(
        text.lines()
            .take(6)
            .chain(text.lines().skip(198))
            .collect::<Vec<_>>()
            .join("\n")
    );
}
