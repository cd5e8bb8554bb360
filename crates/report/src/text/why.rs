//! `muster why` as text.

use muster_core::{Finding, Note, Reason, Resolution, Server, Sourced};
use muster_document::{Place, Secret};

use super::canvas::{Canvas, Line, Tone};
use super::margin::Margin;
use super::measure::wrap;
use super::{closing, empty, group, launch, row, snippet};
use crate::excerpt::Excerpt;
use crate::name::name;
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
        Teller::new(survey, chapter, story.name, detail).tell(&mut canvas, chapter);
    }
    if !story.others.is_empty() && detail > Detail::Quiet {
        canvas.part();
        let names: Vec<&str> = story
            .others
            .iter()
            .map(|resolution| resolution.name)
            .collect();
        paragraph(
            &mut canvas,
            Tone::Dim,
            &format!("Not defined for {}.", enumeration(&names)),
        );
        elsewhere(&mut canvas, survey, &story);
    }
    canvas.finish()
}

/// Tells what one harness makes of the name.
struct Teller<'t> {
    survey: &'t Survey<'t>,
    resolution: &'t Resolution,
    detail: Detail,
    /// What was found about the name.
    findings: Vec<&'t Finding>,
    /// Every word that stands in the margin: all definitions share one margin.
    words: Vec<&'t str>,
}

impl<'t> Teller<'t> {
    fn new(
        survey: &'t Survey<'t>,
        chapter: &'t Chapter<'t>,
        name: &str,
        detail: Detail,
    ) -> Teller<'t> {
        let findings = survey.findings_on(chapter.resolution.id, name, &chapter.servers);
        let reasons = chapter.servers.iter().flat_map(|server| &server.reasons);
        let words = reasons
            .map(|reason| reason.label)
            .chain(chapter.servers.iter().flat_map(|server| steps(server)))
            .chain(findings.iter().map(|finding| finding.severity.word()))
            .collect();
        Teller {
            survey,
            resolution: chapter.resolution,
            detail,
            findings,
            words,
        }
    }

    fn margin<'c>(&self, canvas: &'c mut Canvas) -> Margin<'c> {
        Margin::for_words(canvas, self.words.iter().copied())
    }

    /// The verdict, each definition, and what was looked at.
    fn tell(&self, canvas: &mut Canvas, chapter: &Chapter<'_>) {
        paragraph(canvas, Tone::Strong, &chapter.verdict(self.survey.mode));
        if self.detail == Detail::Quiet {
            return;
        }
        if let Some(launch) = self.survey.launch(self.resolution.id) {
            launch::write(canvas, self.survey, launch, self.detail);
            // How it is started is asked, not why.
            if self.detail < Detail::Verbose {
                return;
            }
        }
        let count = chapter.servers.len();
        for (at, server) in chapter.servers.iter().enumerate() {
            canvas.part();
            if count > 1 {
                title(canvas, server, &format!("{} of {count}", at + 1));
            }
            self.definition(canvas, server);
        }
        self.findings(canvas);
        if self.detail == Detail::Verbose {
            canvas.part();
            group::details(canvas, self.survey, self.resolution);
        }
    }

    /// One definition: the chain of its reasons, what it hides, what would make it load.
    fn definition(&self, canvas: &mut Canvas, server: &Server) {
        let mut margin = self.margin(canvas);
        let mut seen: Vec<&Place> = Vec::new();
        let mut before = "";
        for (at, reason) in server.reasons.iter().enumerate() {
            if reason.label != before {
                margin.word(reason.label);
            }
            before = reason.label;
            self.link(&mut margin, reason, &mut seen);
            if at == 0 {
                what(&mut margin, server);
            }
        }
        for note in self.notes_on(server) {
            margin.word("note").text(Tone::Plain, &note.text);
            note.place
                .iter()
                .for_each(|place| margin.place(&self.survey.place(place)));
        }
        if !server.replaces.is_empty() {
            let places = server.replaces.iter().map(|place| self.survey.place(place));
            margin
                .word("hides")
                .text(Tone::Plain, &places.collect::<Vec<_>>().join(", "));
        }
        self.remedies(canvas, server);
        canvas.part();
        self.rules(canvas, server);
    }

    /// One reason. Its line is shown once; where the sentence fits beside the carets it stands there, else above the place.
    fn link<'s>(&self, margin: &mut Margin<'_>, reason: &'s Reason, seen: &mut Vec<&'s Place>) {
        let Some(place) = &reason.place else {
            return margin.text(Tone::Plain, &reason.text);
        };
        let fresh = !seen.contains(&place);
        seen.push(place);
        let excerpt = Excerpt::of(self.resolution, place).filter(|_| fresh);
        let drawn = excerpt
            .map(|excerpt| snippet::draw(&excerpt, &reason.text, margin.room(), margin.look()));
        let labelled = drawn.as_ref().is_some_and(|drawn| drawn.labelled);
        if !labelled {
            margin.text(Tone::Plain, &reason.text);
        }
        margin.place(&self.survey.place(place));
        drawn
            .into_iter()
            .flat_map(|drawn| drawn.lines)
            .for_each(|line| margin.line(line));
    }

    /// Notes of the harness that follow from a rule this definition is judged by.
    fn notes_on(&self, server: &Server) -> Vec<&'t Note> {
        let told = |note: &Note| server.reasons.iter().any(|reason| reason.text == note.text);
        let ruled = |note: &Note| {
            server
                .reasons
                .iter()
                .any(|reason| reason.rule.id == note.rule.id)
        };
        self.resolution
            .notes
            .iter()
            .filter(|note| ruled(note) && !told(note))
            .collect()
    }

    /// What was found about the name, whichever of its definitions has it.
    fn findings(&self, canvas: &mut Canvas) {
        for finding in &self.findings {
            canvas.part();
            let mut margin = self.margin(canvas);
            margin
                .word(finding.severity.word())
                .text(Tone::Plain, &finding.text);
            if let Some(place) = &finding.place {
                margin.place(&self.survey.place(place));
            }
            if let Some(help) = &finding.help {
                margin.text(Tone::Plain, &format!("help: {help}"));
            }
            let rule = format!("muster explain {}", finding.check.id);
            margin.text(Tone::Dim, &rule);
        }
    }

    /// What one change would make it load.
    fn remedies(&self, canvas: &mut Canvas, server: &Server) {
        if server.remedies.is_empty() {
            return;
        }
        canvas.part();
        let mut margin = self.margin(canvas);
        let [to_load, still] = steps(server);
        margin.word(to_load);
        for (at, remedy) in server.remedies.iter().enumerate() {
            let text = if at == 0 {
                remedy.clone()
            } else {
                format!("or: {remedy}")
            };
            margin.text(Tone::Plain, &text);
        }
        if !server.further.is_empty() {
            margin
                .word(still)
                .text(Tone::Plain, &server.further.join(", "));
        }
    }

    /// The rules behind the verdict: the deciding one, or with [`Detail::Verbose`] all.
    fn rules(&self, canvas: &mut Canvas, server: &Server) {
        let verbose = self.detail == Detail::Verbose;
        let mut told: Vec<&str> = Vec::new();
        for reason in server
            .reasons
            .iter()
            .rev()
            .take(if verbose { usize::MAX } else { 1 })
        {
            let rule = reason.rule;
            if told.contains(&rule.id) {
                continue;
            }
            told.push(rule.id);
            let text = format!("rule {} · {}", rule.id, rule.evidence.phrase());
            canvas.line(Line::indented(1).then(Tone::Dim, text));
            if verbose {
                paragraph_at(canvas, 6, Tone::Dim, rule.summary);
            }
        }
    }
}

/// The words before what would make `server` load, and before what would still be in its way then.
fn steps(server: &Server) -> [&'static str; 2] {
    match server.further.is_empty() {
        true => ["to load", ""],
        false => ["to load, first", "still against"],
    }
}

/// `1 of 2 · project scope`, and at the right what becomes of it.
fn title(canvas: &mut Canvas, server: &Server, which: &str) {
    let standing = Standing::of(server.status);
    let left = format!("{which} · {} scope", server.definition.scope.word());
    let right = format!("{} {}", standing.symbol(), short(server));
    let right = Line::default().then(row::tone(standing), right);
    let width = canvas.look.width.min(80);
    canvas.line(
        Line::indented(1)
            .then(Tone::Strong, left)
            .right(right, width),
    );
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
    named(margin, "with", &entry.env);
    named(margin, "with the header", &entry.headers);
}

/// The names, never the values.
fn named(margin: &mut Margin<'_>, with: &str, pairs: &[(String, Sourced<Secret>)]) {
    if !pairs.is_empty() {
        let names: Vec<&str> = pairs.iter().map(|(name, _)| name.as_str()).collect();
        margin.text(Tone::Dim, &format!("{with} {}", names.join(", ")));
    }
}

/// `a`, `a and b`, `a, b and c`.
fn enumeration(names: &[&str]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => names.concat(),
    }
}

/// Nobody knows the name: say so, offer what is close, and tell where was looked and what could not be.
fn unknown(canvas: &mut Canvas, survey: &Survey<'_>, story: &Story<'_>, detail: Detail) {
    let harnesses: Vec<&str> = survey
        .resolutions
        .iter()
        .map(|resolution| resolution.name)
        .collect();
    let who = match harnesses.as_slice() {
        [only] => format!("{only} does not know"),
        [one, other] => format!("Neither {one} nor {other} knows"),
        several => format!("None of {} agents knows", several.len()),
    };
    paragraph(
        canvas,
        Tone::Strong,
        &format!("{who} a server called {} here.", name(story.name)),
    );
    elsewhere(canvas, survey, story);
    if !story.similar.is_empty() {
        canvas.part();
        let close: Vec<String> = story
            .similar
            .iter()
            .map(|(known, harness)| format!("{} ({harness})", name(known)))
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
            let files = empty::looked_at(survey, &resolution.files);
            let mut margin = Margin::for_words(canvas, harnesses.iter().copied());
            margin
                .word(resolution.name)
                .text(Tone::Plain, &format!("looked at {files}"));
            group::faults(canvas, survey, resolution);
        }
    }
    canvas.part();
    closing::hint(canvas, "muster list", "every server that is known here");
}

/// Where else the name stands, and whom it concerns there.
fn elsewhere(canvas: &mut Canvas, survey: &Survey<'_>, story: &Story<'_>) {
    let found: Vec<_> = story.elsewhere().collect();
    if found.is_empty() {
        return;
    }
    canvas.part();
    let names = survey.resolutions.iter().map(|resolution| resolution.name);
    let mut margin = Margin::for_words(canvas, names);
    let mut before = "";
    for (resolution, elsewhere) in found {
        if resolution.name != before {
            margin.word(resolution.name);
        }
        before = resolution.name;
        margin.text(Tone::Plain, &elsewhere.text);
        margin.place(&survey.place(&elsewhere.place));
    }
}

fn paragraph(canvas: &mut Canvas, tone: Tone, text: &str) {
    paragraph_at(canvas, 0, tone, text);
}

fn paragraph_at(canvas: &mut Canvas, indent: usize, tone: Tone, text: &str) {
    for text in wrap(text, canvas.look.width.saturating_sub(indent)) {
        canvas.line(Line::indented(indent).then(tone, text));
    }
}
