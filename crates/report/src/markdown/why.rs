//! `muster why` as Markdown.

use muster_core::{Reason, Resolution, Server};
use muster_document::{Shown, code};

use super::{finding, launch, list, plain};
use crate::excerpt::Excerpt;
use crate::name::name as shown;
use crate::standing::short;
use crate::story::{Chapter, Story};
use crate::target::target;
use crate::{Detail, Survey, VERSION};

/// Everything `survey` knows about `name`.
pub(crate) fn why(survey: &Survey<'_>, name: &str, detail: Detail) -> String {
    let story = Story::new(survey, name);
    let mut text = format!(
        "## Why {} loads or not in {}\n\n",
        plain(&shown(name)),
        code(&survey.here())
    );
    text.push_str(&format!(
        "{} session · muster {VERSION}\n",
        survey.mode.word()
    ));
    for chapter in &story.chapters {
        tell(&mut text, survey, chapter, story.name, detail);
    }
    if !story.others.is_empty() {
        let names = story
            .others
            .iter()
            .map(|resolution| resolution.name)
            .collect::<Vec<_>>()
            .join(", ");
        text.push_str(&format!("\nNot known to {names}.\n"));
    }
    for (resolution, elsewhere) in story.elsewhere() {
        text.push_str(&format!(
            "\n{}: {} — {}\n",
            plain(resolution.name),
            plain(&elsewhere.text),
            code(&survey.place(&elsewhere.place))
        ));
    }
    if !story.similar.is_empty() {
        let close: Vec<String> = story
            .similar
            .iter()
            .map(|(name, harness)| format!("{} ({harness})", plain(&shown(name))))
            .collect();
        text.push_str(&format!("\nDid you mean {}?\n", close.join(", or ")));
    }
    text
}

fn tell(text: &mut String, survey: &Survey<'_>, chapter: &Chapter<'_>, name: &str, detail: Detail) {
    text.push_str(&format!(
        "\n### {}\n\n{}\n",
        list::title(chapter.resolution),
        plain(&chapter.verdict(survey.mode))
    ));
    if detail == Detail::Quiet {
        return;
    }
    if let Some(launch) = survey.launch(chapter.resolution.id) {
        launch::write(text, survey, launch, detail);
        // How it is started is asked, not why.
        if detail < Detail::Verbose {
            return;
        }
    }
    for server in &chapter.servers {
        definition(text, survey, chapter.resolution, server);
    }
    let findings = survey.findings_on(chapter.resolution.id, name, &chapter.servers);
    if !findings.is_empty() {
        text.push_str("\nFindings:\n\n");
        let items = findings.into_iter();
        items.for_each(|found| text.push_str(&finding::item(survey, found, false)));
    }
    if detail == Detail::Verbose {
        list::details(text, survey, chapter.resolution);
    }
}

fn definition(text: &mut String, survey: &Survey<'_>, resolution: &Resolution, server: &Server) {
    text.push_str(&format!(
        "\n**{} scope: {}**\n\n",
        server.definition.scope.word(),
        plain(short(server))
    ));
    let target = target(&server.definition.entry);
    if !target.is_empty() {
        text.push_str(&format!("- starts or reaches: {}\n", code(&target)));
    }
    for reason in &server.reasons {
        link(text, survey, resolution, reason);
    }
    for place in &server.replaces {
        text.push_str(&format!("- hides: {}\n", code(&survey.place(place))));
    }
    if !server.remedies.is_empty() {
        text.push_str(match server.further.is_empty() {
            true => "\nTo load, one of:\n\n",
            false => "\nTo load, first one of:\n\n",
        });
        server
            .remedies
            .iter()
            .for_each(|remedy| text.push_str(&format!("- {}\n", plain(remedy))));
        if !server.further.is_empty() {
            let further = plain(&server.further.join(", "));
            text.push_str(&format!("\nStill against it then: {further}\n"));
        }
    }
}

/// A reason, its place, its line.
fn link(text: &mut String, survey: &Survey<'_>, resolution: &Resolution, reason: &Reason) {
    let rule = format!("{}, {}", reason.rule.id, reason.rule.evidence.phrase());
    let place = reason
        .place
        .as_ref()
        .map(|place| format!(" — {}", code(&survey.place(place))))
        .unwrap_or_default();
    text.push_str(&format!(
        "- {}: {}{place} ({})\n",
        plain(reason.label),
        plain(&reason.text),
        plain(&rule)
    ));
    if let Some(excerpt) = reason
        .place
        .as_ref()
        .and_then(|place| Excerpt::of(resolution, place))
    {
        let carets = excerpt.to.saturating_sub(excerpt.from).max(1);
        let number = excerpt.line.to_string();
        let blank = " ".repeat(number.len());
        let (indent, marks) = (" ".repeat(excerpt.from), "^".repeat(carets));
        // An indented block has no end that its content could fake.
        text.push_str(&format!(
            "\n      {number} | {}\n      {blank} | {indent}{marks}\n\n",
            Shown(&excerpt.text)
        ));
    }
}
