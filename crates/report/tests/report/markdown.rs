//! `--format markdown`: safe to paste.

use insta::assert_snapshot;
use muster_core::Resolution;
use muster_report::{Detail, Format};

use crate::{PLAIN, hand, scenes};

fn list(resolutions: &[Resolution], detail: Detail) -> String {
    muster_report::list(&hand::survey(resolutions), Format::Markdown, PLAIN, detail)
        .as_str()
        .to_owned()
}

fn why(resolutions: &[Resolution], name: &str) -> String {
    muster_report::why(
        &hand::survey(resolutions),
        name,
        Format::Markdown,
        PLAIN,
        Detail::Normal,
    )
    .as_str()
    .to_owned()
}

#[test]
fn list_of_a_shop() {
    assert_snapshot!(list(&scenes::shop(), Detail::Normal));
}

#[test]
fn verbose_list_of_what_is_stopped() {
    assert_snapshot!(list(&scenes::stopped(), Detail::Verbose));
}

#[test]
fn why_of_a_server_that_waits() {
    assert_snapshot!(why(&scenes::shop(), "lint"));
}

#[test]
fn foreign_text_is_no_markup() {
    let text = list(&scenes::hostile(), Detail::Verbose);
    assert!(!text.contains("<script>") && !text.contains("[x](") && !text.contains('\u{1b}'));
    for row in text.lines().filter(|line| line.starts_with("| ")) {
        let cells = row.matches('|').count();
        assert!(
            cells == 8 || cells == 5,
            "a name made cells of its own: {row}"
        );
    }
    assert_snapshot!(text);
}
