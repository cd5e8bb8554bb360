//! `muster list` as Markdown.

use muster_core::{Resolution, Server};
use muster_document::code;

use super::{finding, head, plain, row};
use crate::name::name;
use crate::standing::{Standing, Tally, fault, faulty_files, has_something, short, totals};
use crate::target::target;
use crate::{Detail, Survey, VERSION};

/// Everything `survey` found, one table for each harness.
pub(crate) fn list(survey: &Survey<'_>, detail: Detail) -> String {
    let mut text = format!("## MCP servers in {}\n\n", code(&survey.here()));
    text.push_str(&format!(
        "{} session · muster {VERSION} · {}\n",
        survey.mode.word(),
        totals(survey.resolutions)
    ));
    if let Some(words) = survey.session {
        text.push_str(&format!(
            "\nAs {}\n",
            code(&crate::target::command_line(words))
        ));
    }
    let (something, nothing): (Vec<&Resolution>, Vec<&Resolution>) =
        survey.resolutions.iter().partition(|r| has_something(r));
    for resolution in something {
        harness(&mut text, survey, resolution, detail);
    }
    if !nothing.is_empty() {
        let names = nothing
            .iter()
            .map(|resolution| resolution.name)
            .collect::<Vec<_>>()
            .join(", ");
        text.push_str(&format!("\nNothing configured: {names}\n"));
    }
    if detail > Detail::Quiet && !survey.findings.is_empty() {
        text.push_str("\n### Findings\n\n");
        let items = survey.findings.iter();
        items.for_each(|found| text.push_str(&finding::item(survey, found, true)));
    }
    text
}

fn harness(text: &mut String, survey: &Survey<'_>, resolution: &Resolution, detail: Detail) {
    text.push_str(&format!("\n### {}\n\n", title(resolution)));
    match (&resolution.stopped, &resolution.situation) {
        (Some(stopped), _) => {
            text.push_str(&format!("**Nothing loads**: {}\n", plain(&stopped.text)))
        }
        (None, Some(situation)) => text.push_str(&format!(
            "{} · {}\n",
            Tally::of(resolution).phrase(),
            plain(situation)
        )),
        (None, None) => text.push_str(&format!("{}\n", Tally::of(resolution).phrase())),
    }
    for file in faulty_files(resolution) {
        let place = file
            .place
            .as_ref()
            .map_or_else(|| survey.path(&file.path), |place| survey.place(place));
        text.push_str(&format!("\n✗ {} — {}\n", code(&place), plain(&fault(file))));
    }
    let shown = |server: &&Server| detail > Detail::Quiet || server.status.loads() == Some(true);
    if resolution.servers.iter().any(|server| shown(&server)) {
        text.push('\n');
        text.push_str(&head([
            "",
            "server",
            "scope",
            "transport",
            "starts or reaches",
            "verdict",
            "defined in",
        ]));
        resolution
            .servers
            .iter()
            .filter(shown)
            .for_each(|server| text.push_str(&line(survey, server)));
    }
    if detail == Detail::Verbose {
        details(text, survey, resolution);
    }
}

/// The harness with the versions that matter.
pub(super) fn title(resolution: &Resolution) -> String {
    let rules = resolution.rules_version;
    plain(&match &resolution.installed {
        Some(installed) if installed == rules => format!("{} {installed}", resolution.name),
        Some(installed) => format!("{} {installed} (by the rules of {rules})", resolution.name),
        None => format!("{} (by the rules of {rules})", resolution.name),
    })
}

fn line(survey: &Survey<'_>, server: &Server) -> String {
    let definition = &server.definition;
    row([
        Standing::of(server.status).symbol().trim().to_owned(),
        plain(&name(&definition.name)),
        definition.scope.word().to_owned(),
        definition
            .entry
            .transport
            .map_or("", |transport| transport.word())
            .to_owned(),
        code(&target(&definition.entry)),
        plain(short(server)),
        definition
            .place
            .as_ref()
            .map(|place| code(&survey.place(place)))
            .unwrap_or_default(),
    ])
}

/// Files and notes.
pub(super) fn details(text: &mut String, survey: &Survey<'_>, resolution: &Resolution) {
    if !resolution.files.is_empty() {
        text.push('\n');
        text.push_str(&head(["file", "scope", "state", "note"]));
        for file in &resolution.files {
            let note = plain(file.note.as_deref().unwrap_or_default());
            text.push_str(&row([
                code(&survey.path(&file.path)),
                file.scope.word().to_owned(),
                file.state.word().to_owned(),
                note,
            ]));
        }
    }
    if !resolution.notes.is_empty() {
        text.push('\n');
        resolution.notes.iter().for_each(|note| {
            text.push_str(&format!(
                "- {} ({})\n",
                plain(&note.text),
                plain(note.rule.id)
            ))
        });
    }
}
