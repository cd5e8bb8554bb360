//! `muster why` as text.

use muster_core::{Note, Reason, Resolution, Server};
use muster_document::Place;

use super::canvas::{Canvas, Line, Tone};
use super::margin::Margin;
use super::measure::wrap;
use super::{closing, empty, group, row};
use crate::excerpt::Excerpt;
use crate::standing::{Standing, short};
use crate::story::{Chapter, Story};
use crate::target::target;
use crate::{Detail, Look, Survey};

/// Everything `survey` knows about `name`.
pub(crate) fn why(survey: &Survey<'_>, name: &str, look: Look, detail: Detail) -> String {
    let story = Story::new(survey, name);
    let mut canvas = Canvas::new(look);
    if story.chapters.is_empty() {
        unknown(&mut canvas, survey, &story, detail);
        return canvas.finish();
    }
    for chapter in &story.chapters {
        canvas.part();
        tell(&mut canvas, survey, chapter, detail);
    }
    if !story.elsewhere.is_empty() && detail > Detail::Quiet {
        canvas.part();
        let names = story
            .elsewhere
            .iter()
            .map(|resolution| resolution.name)
            .collect::<Vec<_>>()
            .join(" and ");
        paragraph(&mut canvas, Tone::Dim, &format!("Not defined for {names}."));
    }
    canvas.finish()
}

/// What one harness makes of the name.
fn tell(canvas: &mut Canvas, survey: &Survey<'_>, chapter: &Chapter<'_>, detail: Detail) {
    let resolution = chapter.resolution;
    paragraph(canvas, Tone::Strong, &chapter.verdict(survey.mode));
    if detail == Detail::Quiet {
        return;
    }
    let several = chapter.servers.len() > 1;
    for (at, server) in chapter.servers.iter().enumerate() {
        canvas.part();
        if several {
            let standing = Standing::of(server.status);
            let title = format!(
                "{} of {} · {} scope",
                at + 1,
                chapter.servers.len(),
                server.definition.scope.word()
            );
            let right = Line::default().then(
                row::tone(standing),
                format!("{} {}", standing.symbol(), short(server)),
            );
            let width = canvas.look.width.min(80);
            canvas.line(
                Line::indented(1)
                    .then(Tone::Strong, title)
                    .right(right, width),
            );
        }
        definition(canvas, survey, resolution, server, detail);
    }
    if detail == Detail::Verbose {
        canvas.part();
        group::details(canvas, survey, resolution);
    }
}

/// One definition: the chain of its reasons, what it hides, what would make it load.
fn definition(
    canvas: &mut Canvas,
    survey: &Survey<'_>,
    resolution: &Resolution,
    server: &Server,
    detail: Detail,
) {
    let labels = server
        .reasons
        .iter()
        .map(|reason| reason.label)
        .chain(["to load", "starts"]);
    let mut margin = Margin::for_words(canvas, labels);
    let mut seen: Vec<&Place> = Vec::new();
    for (at, reason) in server.reasons.iter().enumerate() {
        let repeated = at > 0
            && server
                .reasons
                .get(at - 1)
                .is_some_and(|before| before.label == reason.label);
        if !repeated {
            margin.word(reason.label);
        }
        link(&mut margin, survey, resolution, reason, &mut seen);
        if at == 0 {
            what(&mut margin, server);
        }
    }
    for note in relevant(resolution, server) {
        margin.word("note").text(Tone::Plain, &note.text);
        note.place
            .iter()
            .for_each(|place| margin.place(&survey.place(place)));
    }
    if !server.replaces.is_empty() {
        let places: Vec<String> = server
            .replaces
            .iter()
            .map(|place| survey.place(place))
            .collect();
        margin.word("hides").text(Tone::Plain, &places.join(", "));
    }
    if !server.remedies.is_empty() {
        canvas.part();
        let mut margin =
            Margin::for_words(canvas, server.reasons.iter().map(|reason| reason.label));
        margin.word("to load");
        for (at, remedy) in server.remedies.iter().enumerate() {
            margin.text(
                Tone::Plain,
                &if at == 0 {
                    remedy.clone()
                } else {
                    format!("or: {remedy}")
                },
            );
        }
    }
    canvas.part();
    rules(canvas, server, detail);
}

/// Notes of the harness that follow from a rule this definition is judged by.
fn relevant<'r>(resolution: &'r Resolution, server: &Server) -> Vec<&'r Note> {
    let told = |note: &Note| server.reasons.iter().any(|reason| reason.text == note.text);
    let ruled = |note: &Note| {
        server
            .reasons
            .iter()
            .any(|reason| reason.rule.id == note.rule.id)
    };
    resolution
        .notes
        .iter()
        .filter(|note| ruled(note) && !told(note))
        .collect()
}

/// What the definition would start or reach.
fn what(margin: &mut Margin<'_>, server: &Server) {
    let entry = &server.definition.entry;
    let target = target(entry);
    if target.is_empty() {
        return;
    }
    let word = if entry.command.is_some() {
        "starts"
    } else {
        "reaches"
    };
    margin.word(word).text(Tone::Plain, &target);
    let names = |pairs: &[(String, muster_core::Sourced<muster_document::Secret>)]| {
        pairs
            .iter()
            .map(|(name, _)| name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    if !entry.env.is_empty() {
        margin.text(Tone::Dim, &format!("with {}", names(&entry.env)));
    }
    if !entry.headers.is_empty() {
        margin.text(
            Tone::Dim,
            &format!("with the header {}", names(&entry.headers)),
        );
    }
}

/// One reason. Its line is shown once; where the sentence fits beside the carets it stands there, else above the place.
fn link<'r>(
    margin: &mut Margin<'_>,
    survey: &Survey<'_>,
    resolution: &Resolution,
    reason: &'r Reason,
    seen: &mut Vec<&'r Place>,
) {
    let Some(place) = &reason.place else {
        return margin.text(Tone::Plain, &reason.text);
    };
    let excerpt = if seen.contains(&place) {
        None
    } else {
        Excerpt::of(resolution, place)
    };
    seen.push(place);
    match excerpt {
        Some(excerpt)
            if super::snippet::draw(&excerpt, &reason.text, margin.room(), margin.look()).1 =>
        {
            margin.place(&survey.place(place));
            margin.snippet(&excerpt, &reason.text);
        }
        Some(excerpt) => {
            margin.text(Tone::Plain, &reason.text);
            margin.place(&survey.place(place));
            margin.snippet(&excerpt, "");
        }
        None => {
            margin.text(Tone::Plain, &reason.text);
            margin.place(&survey.place(place));
        }
    }
}

/// The rules behind the verdict: the deciding one, or with [`Detail::Verbose`] all.
fn rules(canvas: &mut Canvas, server: &Server, detail: Detail) {
    let mut told: Vec<&str> = Vec::new();
    let count = if detail == Detail::Verbose {
        server.reasons.len()
    } else {
        1
    };
    for reason in server.reasons.iter().rev().take(count) {
        if !told.contains(&reason.rule.id) {
            told.push(reason.rule.id);
            canvas.line(Line::indented(1).then(
                Tone::Dim,
                format!(
                    "rule {} · {}",
                    reason.rule.id,
                    reason.rule.evidence.phrase()
                ),
            ));
            if detail == Detail::Verbose {
                paragraph_at(canvas, 6, Tone::Dim, reason.rule.summary);
            }
        }
    }
}

/// Nobody knows the name.
fn unknown(canvas: &mut Canvas, survey: &Survey<'_>, story: &Story<'_>, detail: Detail) {
    let names = survey
        .resolutions
        .iter()
        .map(|resolution| resolution.name)
        .collect::<Vec<_>>()
        .join(" nor ");
    let neither = if survey.resolutions.len() > 1 {
        "Neither "
    } else {
        ""
    };
    let verb = if survey.resolutions.len() > 1 {
        "knows"
    } else {
        "does not know"
    };
    paragraph(
        canvas,
        Tone::Strong,
        &format!(
            "{neither}{names} {verb} a server called {} here.",
            story.name
        ),
    );
    if !story.similar.is_empty() {
        canvas.part();
        let close: Vec<String> = story
            .similar
            .iter()
            .map(|(name, harness)| format!("{name} ({harness})"))
            .collect();
        paragraph(
            canvas,
            Tone::Plain,
            &format!("Did you mean {}?", close.join(", or ")),
        );
    }
    canvas.part();
    for resolution in survey.resolutions {
        if detail == Detail::Verbose {
            canvas.line(group::name(resolution, true));
            group::details(canvas, survey, resolution);
        } else if !resolution.files.is_empty() {
            let mut margin = Margin::for_words(
                canvas,
                survey.resolutions.iter().map(|resolution| resolution.name),
            );
            margin.word(resolution.name).text(
                Tone::Plain,
                &format!("looked at {}", empty::looked_at(survey, &resolution.files)),
            );
        }
    }
    canvas.part();
    closing::hint(canvas, "muster list", "every server that is known here");
}

fn paragraph(canvas: &mut Canvas, tone: Tone, text: &str) {
    paragraph_at(canvas, 0, tone, text);
}

fn paragraph_at(canvas: &mut Canvas, indent: usize, tone: Tone, text: &str) {
    for text in wrap(text, canvas.look.width.saturating_sub(indent)) {
        canvas.line(Line::indented(indent).then(tone, text));
    }
}
