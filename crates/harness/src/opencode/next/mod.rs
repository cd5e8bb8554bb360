//! OpenCode 2, as its public source had it in several commits: nothing of it could be run. Files come in another order, whole entries
//! replace each other by name, entries that only switch are dropped, and what is malformed costs only itself.

mod files;
mod launch;
mod rows;

use std::collections::HashMap;

use muster_core::{Dossier, Server, Status, World};
use muster_document::{Key, Node, Place, Shown, Span};

use super::entries::{self, Kind, Part, Switch};
use super::ground::Ground;
use super::layers::Layer;
use super::rules;
use super::schema::{Fault, Step, check, own};
use super::session::CommandLine;
use super::shapes;

pub(super) use files::Gathered;
pub(super) use launch::plan;
pub(super) use rows::rows;

/// Which OpenCode it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    First,
    Next,
    /// 1.x is assumed.
    Unknown,
}

impl Version {
    /// By the program that the command line names, else by the installed one, whose version is `installed`.
    pub(super) fn of(world: &World<'_>, installed: Option<&str>) -> Version {
        let words = world.session.as_ref().map(|session| &session.words);
        let line = words.and_then(|words| CommandLine::parse(words).ok());
        if line.is_some_and(|line| line.next) {
            return Version::Next;
        }
        let major = installed.and_then(|version| version.split('.').next()?.parse::<u32>().ok());
        match major {
            Some(0 | 1) => Version::First,
            Some(_) => Version::Next,
            None => Version::Unknown,
        }
    }
}

/// An entry of one file.
#[derive(Debug)]
pub(super) struct Candidate<'g> {
    pub(super) layer: usize,
    pub(super) key: &'g Key,
    pub(super) node: &'g Node,
    pub(super) verdict: Verdict<'g>,
}

/// What 2.x makes of an entry by itself.
#[derive(Debug)]
pub(super) enum Verdict<'g> {
    Good(Part<'g>),
    Bad(Fault<'g>),
    /// It only switches, which counts for nothing.
    Switch,
    /// An entry of 2.x in the same file has the name, at this span.
    Hidden(Span),
}

/// Every entry, in the order of the layers.
pub(super) fn candidates(layers: &[Layer]) -> Vec<Candidate<'_>> {
    let mut all = Vec::new();
    for (at, layer) in layers.iter().enumerate() {
        let mcp = layer.root().and_then(|root| root.member("mcp"));
        if let Some(mcp) = mcp.filter(|mcp| mcp.value.is_table()) {
            read(at, &mcp.key, &mcp.value, &mut all);
        }
    }
    all
}

fn read<'g>(layer: usize, mcp_key: &'g Key, mcp: &'g Node, all: &mut Vec<Candidate<'g>>) {
    let is_server = |node: &Node| {
        let word = node.get("type").and_then(Node::as_str);
        matches!(word, Some("local" | "remote"))
    };
    let nested = mcp
        .member("servers")
        .filter(|servers| !is_server(&servers.value));
    let mut names: HashMap<&str, Span> = HashMap::new();
    for member in nested
        .map(|servers| own(&servers.value))
        .unwrap_or_default()
    {
        names.insert(&member.key.text, member.key.span);
        let path = [Step::Key(mcp_key), Step::Key(&member.key)];
        let verdict = match server(&member.value, &path, false) {
            Ok(part) => Verdict::Good(part),
            Err(fault) => Verdict::Bad(fault),
        };
        all.push(Candidate {
            layer,
            key: &member.key,
            node: &member.value,
            verdict,
        });
    }
    for member in own(mcp) {
        let name = member.key.text.as_str();
        if matches!(name, "servers" | "timeout") && !is_server(&member.value) {
            continue;
        }
        let path = [Step::Key(mcp_key), Step::Key(&member.key)];
        let only_switches = !is_server(&member.value) && entries::enabled(&member.value).is_some();
        let verdict = match (names.get(name), only_switches) {
            (Some(nested), _) => Verdict::Hidden(*nested),
            (None, true) => Verdict::Switch,
            (None, false) => match server(&member.value, &path, true) {
                Ok(part) => Verdict::Good(part),
                Err(fault) => Verdict::Bad(fault),
            },
        };
        all.push(Candidate {
            layer,
            key: &member.key,
            node: &member.value,
            verdict,
        });
    }
}

/// A good server; a flat one may be one of 1.x too, whose `enabled` counts.
fn server<'g>(node: &'g Node, path: &[Step<'g>], flat: bool) -> Result<Part<'g>, Fault<'g>> {
    let shapes = match node.get("type").and_then(Node::as_str) {
        Some("local") => [&shapes::NEXT_LOCAL, &shapes::LOCAL],
        Some("remote") => [&shapes::NEXT_REMOTE, &shapes::REMOTE],
        _ => {
            return Err(Fault {
                complaint: "Expected a type of local or remote".to_owned(),
                got: None,
                path: path.to_vec(),
                span: node.span,
            });
        }
    };
    let mut good = check(node, shapes[0], path);
    if flat && good.is_err() {
        good = check(node, shapes[1], path).or(good);
    }
    good?;
    let mut part = entries::meant(node);
    let disabled = node
        .member("disabled")
        .and_then(|member| Some((member.value.as_bool()?, member.value.span)));
    part.enabled = match disabled {
        Some((off, span)) => {
            let key = "disabled";
            Some((Switch { on: !off, key }, span))
        }
        None => part.enabled.filter(|_| flat),
    };
    Ok(part)
}

/// For each name the entry that counts: the last good one.
pub(super) fn winners<'c, 'g>(
    candidates: &'c [Candidate<'g>],
) -> HashMap<&'g str, &'c Candidate<'g>> {
    let good = candidates
        .iter()
        .filter(|candidate| matches!(candidate.verdict, Verdict::Good(_)));
    good.map(|candidate| (candidate.key.text.as_str(), candidate))
        .collect()
}

fn is_on(candidate: &Candidate<'_>) -> bool {
    match &candidate.verdict {
        Verdict::Good(part) => part.enabled.is_none_or(|(switch, _)| switch.on),
        _ => false,
    }
}

/// Adds a note where 2.x would start other servers than `servers`, the rows of 1.x, and nobody knows which of them is installed.
pub(super) fn compare(dossier: &mut Dossier<'_>, ground: &Ground, servers: &[Server]) {
    // What 2.x alone looks at is no part of this account.
    let mut aside = Dossier::new(dossier.world);
    let gathered = Gathered::read(&mut aside, ground);
    let candidates = candidates(&gathered.layers);
    let place = |candidate: &Candidate<'_>| -> Option<Place> {
        gathered
            .layers
            .get(candidate.layer)?
            .place(candidate.key.span)
    };
    let mut theirs: HashMap<&str, Option<Place>> = winners(&candidates)
        .into_iter()
        .filter(|(_, candidate)| is_on(candidate))
        .map(|(name, candidate)| (name, place(candidate)))
        .collect();
    let (mut lost, mut others) = (Vec::new(), Vec::new());
    for server in servers
        .iter()
        .filter(|server| server.status == Status::Configured)
    {
        let definition = &server.definition;
        match theirs.remove(definition.name.as_str()) {
            None => lost.push(definition.name.as_str()),
            Some(place) if place != definition.place => others.push(definition.name.as_str()),
            Some(_) => {}
        }
    }
    let mut more: Vec<&str> = theirs.into_keys().collect();
    more.sort_unstable();
    let parts = [
        ("it would not start", lost),
        ("it would start", more),
        ("it would take another definition of", others),
    ];
    let said: Vec<String> = parts
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{what} {}", listed(&names)))
        .collect();
    if !said.is_empty() {
        let text = format!(
            "the installed version is not known; if it is OpenCode 2, by its source {}",
            said.join(", and ")
        );
        dossier.note(&rules::NEXT, text, None);
    }
}

/// The first names of a list.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 6;
    let mut shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|name| Shown(name).to_string())
        .collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.join(", ")
}

/// The kind of a good entry.
pub(super) fn kind(part: &Part<'_>) -> Option<Kind> {
    part.kind.map(|(kind, _)| kind)
}
