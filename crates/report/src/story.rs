//! The story of one name: who knows it, and what they make of it.

use std::collections::HashSet;

use muster_core::{Elsewhere, Mode, Resolution, Server};
use muster_document::Shown;

use crate::Survey;
use crate::name::name;
use crate::standing::{Standing, short};

/// So many close names are offered.
const SIMILAR: usize = 3;

/// The story of one name.
#[derive(Debug)]
pub(crate) struct Story<'r> {
    /// The name.
    pub(crate) name: &'r str,
    /// The harnesses that know it.
    pub(crate) chapters: Vec<Chapter<'r>>,
    /// The harnesses that do not.
    pub(crate) others: Vec<&'r Resolution>,
    /// Where nobody knows it: names that are close, with the harness that knows them.
    pub(crate) similar: Vec<(&'r str, &'static str)>,
}

/// What one harness makes of the name.
#[derive(Debug)]
pub(crate) struct Chapter<'r> {
    /// The harness.
    pub(crate) resolution: &'r Resolution,
    /// Its definitions of the name, the highest first.
    pub(crate) servers: Vec<&'r Server>,
}

impl<'r> Story<'r> {
    /// The story of `name` in `survey`.
    pub(crate) fn new(survey: &Survey<'r>, name: &'r str) -> Story<'r> {
        let chapters = survey
            .resolutions
            .iter()
            .map(|resolution| Chapter::new(resolution, name));
        let (chapters, others): (Vec<Chapter<'_>>, Vec<Chapter<'_>>) =
            chapters.partition(|chapter| !chapter.servers.is_empty());
        let others: Vec<&Resolution> = others.iter().map(|other| other.resolution).collect();
        let similar = if chapters.is_empty() {
            similar(survey.resolutions, name)
        } else {
            Vec::new()
        };
        Story {
            name,
            chapters,
            others,
            similar,
        }
    }

    /// Where else the name stands: the harnesses that do not know it here, and whom it concerns there.
    pub(crate) fn elsewhere(&self) -> impl Iterator<Item = (&'r Resolution, &'r Elsewhere)> {
        let found = |other: &&'r Resolution| {
            let other = *other;
            elsewhere(other, self.name).map(move |found| (other, found))
        };
        self.others.iter().flat_map(found)
    }
}

/// Where `name` stands for `resolution` but is of no concern in this session.
pub(crate) fn elsewhere<'r>(
    resolution: &'r Resolution,
    name: &str,
) -> impl Iterator<Item = &'r Elsewhere> {
    let found = resolution.elsewhere.iter();
    found.filter(move |found| found.name == name)
}

impl<'r> Chapter<'r> {
    /// What `resolution` makes of `name`.
    pub(crate) fn new(resolution: &'r Resolution, name: &str) -> Chapter<'r> {
        Chapter {
            resolution,
            servers: resolution
                .servers
                .iter()
                .filter(|server| server.definition.name == name)
                .collect(),
        }
    }

    /// The definition that the verdict is about: one that loads, else the highest that no other one hides.
    pub(crate) fn deciding(&self) -> Option<&'r Server> {
        let first = |wanted: fn(Standing) -> bool| {
            self.servers
                .iter()
                .copied()
                .find(|server| wanted(Standing::of(server.status)))
        };
        first(|standing| standing == Standing::Loads)
            .or_else(|| first(|standing| standing != Standing::Hidden))
            .or_else(|| first(|_| true))
    }

    /// Whether a session starts a server of that name.
    pub(crate) fn loads(&self) -> Option<bool> {
        self.deciding().and_then(|server| server.status.loads())
    }

    /// The verdict in one sentence.
    pub(crate) fn verdict(&self, mode: Mode) -> String {
        let Some(server) = self.deciding() else {
            return String::new();
        };
        let name = Shown(&name(&server.definition.name)).to_string();
        let run = if mode == Mode::Headless {
            " in a headless run"
        } else {
            ""
        };
        let harness = self.resolution.name;
        let whose = match self.servers.len() {
            1 => String::new(),
            n => format!(
                " ({} scope; {n} definitions)",
                server.definition.scope.word()
            ),
        };
        let why = short(server);
        match server.status.loads() {
            Some(true) if server.short.is_none() => {
                format!("{name} loads in {harness}{run}{whose}.")
            }
            Some(true) => format!("{name} loads in {harness}{run}: {why}{whose}."),
            Some(false) => format!("{name} does not load in {harness}{run}: {why}{whose}."),
            None => {
                format!("Whether {name} loads in {harness}{run} cannot be known: {why}{whose}.")
            }
        }
    }
}

/// Names that somebody who typed `name` may have meant, the closest first.
fn similar<'r>(resolutions: &'r [Resolution], name: &str) -> Vec<(&'r str, &'static str)> {
    let wanted = name.to_lowercase();
    let mut found: Vec<(usize, &str, &'static str)> = Vec::new();
    let mut seen = HashSet::new();
    for resolution in resolutions {
        for known in resolution
            .servers
            .iter()
            .map(|server| server.definition.name.as_str())
        {
            if let Some(distance) = distance(&wanted, &known.to_lowercase())
                && seen.insert(known)
            {
                found.push((distance, known, resolution.name));
            }
        }
    }
    found.sort_by_key(|(distance, ..)| *distance);
    found
        .into_iter()
        .take(SIMILAR)
        .map(|(_, name, harness)| (name, harness))
        .collect()
}

/// How far `known` is from `wanted`; `None` where they have nothing to do with each other.
fn distance(wanted: &str, known: &str) -> Option<usize> {
    if wanted.len().min(known.len()) >= 2 && (known.contains(wanted) || wanted.contains(known)) {
        return Some(1);
    }
    let distance = strsim::osa_distance(wanted, known);
    let longest = wanted.chars().count().max(known.chars().count());
    // Names of one character have nothing in common and are still but one apart.
    (distance <= longest.div_ceil(3) && distance < longest).then_some(distance)
}
