//! From a story to its view.

use muster_core::Resolution;

use super::build::notes;
use super::{
    Definition, Elsewhere, File, Finding, Launch, Line, Link, Origin, Server, Similar, Why,
    WhyHarness,
};
use crate::excerpt::Excerpt;
use crate::standing::short;
use crate::story::{Chapter, Story, elsewhere};
use crate::{Survey, VERSION};

impl<'a> Why<'a> {
    /// The view of what `survey` found about `name`.
    pub fn new(survey: &Survey<'a>, name: &'a str) -> Why<'a> {
        let story = Story::new(survey, name);
        Why {
            schema: "muster.why/1",
            muster: VERSION,
            project: survey.cwd.to_string(),
            mode: survey.mode.into(),
            name: name.to_owned(),
            harnesses: survey
                .resolutions
                .iter()
                .map(|resolution| harness(survey, resolution, &story))
                .collect(),
            findings: survey
                .findings
                .iter()
                .filter(|finding| finding.server.as_deref() == Some(name))
                .map(Finding::new)
                .collect(),
            similar: story
                .similar
                .iter()
                .map(|(name, harness)| Similar {
                    name: (*name).to_owned(),
                    harness,
                })
                .collect(),
        }
    }
}

fn harness<'a>(
    survey: &Survey<'a>,
    resolution: &'a Resolution,
    story: &Story<'a>,
) -> WhyHarness<'a> {
    let chapter = story
        .chapters
        .iter()
        .find(|chapter| chapter.resolution.id == resolution.id);
    WhyHarness {
        id: resolution.id,
        name: resolution.name,
        rules: resolution.rules_version,
        installed: resolution.installed.clone(),
        loads: chapter.and_then(Chapter::loads),
        verdict: chapter.map(|chapter| chapter.verdict(survey.mode)),
        definitions: chapter
            .iter()
            .flat_map(|chapter| &chapter.servers)
            .map(|server| definition(resolution, server))
            .collect(),
        elsewhere: elsewhere(resolution, story.name)
            .map(|elsewhere| Elsewhere {
                text: elsewhere.text.clone(),
                origin: Origin::of(Some(&elsewhere.place)),
            })
            .collect(),
        launch: survey.launch(resolution.id).map(Launch::new),
        files: resolution.files.iter().map(File::new).collect(),
        notes: notes(resolution),
    }
}

fn definition<'a>(resolution: &Resolution, server: &'a muster_core::Server) -> Definition<'a> {
    Definition {
        server: Server::new(server),
        short: short(server).to_owned(),
        chain: server
            .reasons
            .iter()
            .map(|reason| link(resolution, reason))
            .collect(),
        hides: server
            .replaces
            .iter()
            .filter_map(|place| Origin::of(Some(place)))
            .collect(),
        remedies: server.remedies.clone(),
        further: server.further.clone(),
    }
}

fn link<'a>(resolution: &Resolution, reason: &'a muster_core::Reason) -> Link<'a> {
    let excerpt = reason
        .place
        .as_ref()
        .and_then(|place| Excerpt::of(resolution, place));
    Link {
        rule: reason.rule.id,
        evidence: reason.rule.evidence.phrase(),
        label: reason.label,
        text: reason.text.clone(),
        origin: Origin::of(reason.place.as_ref()),
        excerpt: excerpt.map(|excerpt| Line {
            line: excerpt.line,
            text: excerpt.text,
            from: excerpt.from,
            to: excerpt.to,
        }),
    }
}
