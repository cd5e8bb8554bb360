//! Verdicts by the rules of OpenCode 2.

use std::rc::Rc;

use muster_core::{Contender, Definition, Entry, Objection, Reason, Server, Status, World, settle};
use muster_document::{Place, Shown};

use super::{Candidate, Gathered, Verdict, candidates};
use crate::opencode::entries::{self, Part};
use crate::opencode::entry;
use crate::opencode::layers::Layer;
use crate::opencode::rows::defined;
use crate::opencode::rules;
use crate::opencode::schema::own;

/// All servers, in order of precedence.
pub(in crate::opencode) fn rows(world: &World<'_>, gathered: &Gathered) -> Vec<Server> {
    let mut contenders = Vec::new();
    let found = candidates(&gathered.layers);
    for (at, layer) in gathered.layers.iter().enumerate().rev() {
        let of_layer = found.iter().filter(|candidate| candidate.layer == at);
        contenders.extend(of_layer.map(|candidate| contender(world, layer, candidate)));
    }
    for (layer, stop) in &gathered.lost {
        let Some(layer) = layer else { continue };
        let mcp = layer.root().and_then(|root| root.get("mcp"));
        let servers = mcp.map(|mcp| (mcp.get("servers"), mcp));
        let members = servers.map(|(nested, mcp)| {
            let nested = nested.map(own).unwrap_or_default();
            let flat = own(mcp)
                .into_iter()
                .filter(|member| !matches!(member.key.text.as_str(), "servers" | "timeout"));
            nested.into_iter().chain(flat).collect::<Vec<_>>()
        });
        for member in members.unwrap_or_default() {
            let text = "OpenCode 2 passes over its file, which it cannot read";
            let reason = Reason::new(&rules::NEXT, "file", text, stop.place().cloned());
            let out = Objection::new(Status::Invalid, "its file is passed over", reason);
            let part = entries::meant(&member.value);
            let place = layer.place(member.key.span);
            let definition = definition(&member.key.text, layer, place, entry_of(&part, layer));
            contenders.push(of(definition, layer, Some(out), None));
        }
    }
    settle(contenders, &rules::NEXT)
}

fn contender(world: &World<'_>, layer: &Layer, candidate: &Candidate<'_>) -> Contender {
    let place = layer.place(candidate.key.span);
    let meant = entries::meant(candidate.node);
    let part = match &candidate.verdict {
        Verdict::Good(part) => part,
        _ => &meant,
    };
    let definition = definition(
        &candidate.key.text,
        layer,
        place.clone(),
        entry_of(part, layer),
    );
    let name = Shown(&candidate.key.text).to_string();
    let out = match &candidate.verdict {
        Verdict::Good(_) => None,
        Verdict::Bad(fault) => {
            let text = format!("OpenCode 2 leaves it out: {}", fault.sentence(Some(layer)));
            let place = layer.place(fault.span);
            let reason = Reason::new(&rules::NEXT, "entry", text, place);
            Some(
                Objection::new(Status::Invalid, "malformed, left out", reason)
                    .with_remedy("write type and command, or type and url"),
            )
        }
        Verdict::Switch => {
            let text = "OpenCode 2 drops entries that only switch a server";
            let reason = Reason::new(&rules::NEXT, "entry", text, place);
            Some(
                Objection::new(Status::Ignored, "only switches", reason)
                    .with_remedy(format!("write the whole of {name} here")),
            )
        }
        Verdict::Hidden(span) => {
            let text = format!("mcp.servers.{name} of the same file wins over mcp.{name}");
            let reason = Reason::new(&rules::NEXT, "wins", text, layer.place(*span));
            Some(
                Objection::new(Status::Overridden, "mcp.servers wins", reason)
                    .with_remedy(format!("remove mcp.servers.{name}")),
            )
        }
    };
    let held = part
        .enabled
        .filter(|(switch, _)| !switch.on)
        .map(|(switch, span)| {
            let place = layer.place(span);
            let said = match switch.key {
                "disabled" => "disabled = true",
                _ => "enabled = false",
            };
            let text = format!("{} says {said}", Shown(&layer.name));
            let remedy = match &place {
                Some(place) => format!(
                    "change line {} of {}",
                    place.position.line,
                    Shown(&world.shown(&place.path))
                ),
                None => format!("change {}", Shown(&layer.name)),
            };
            let reason = Reason::new(&rules::NEXT, "switch", text, place);
            Objection::new(Status::Off, "switched off", reason).with_remedy(remedy)
        });
    of(definition, layer, out, held)
}

fn entry_of(part: &Part<'_>, layer: &Layer) -> Entry {
    entry::of_part(part, layer)
}

fn definition(name: &str, layer: &Layer, place: Option<Place>, entry: Entry) -> Definition {
    Definition {
        name: name.to_owned(),
        scope: layer.owner.scope,
        place,
        entry: Rc::new(entry),
        rule: layer.owner.rule,
    }
}

fn of(
    definition: Definition,
    layer: &Layer,
    out: Option<Objection>,
    held: Option<Objection>,
) -> Contender {
    let text = "by the source of OpenCode 2 it starts in this session, and nobody is asked";
    Contender {
        facts: vec![defined(&definition, &layer.name)],
        definition,
        out,
        held,
        verdict: Reason::new(&rules::NEXT, "loads", text, None),
    }
}
