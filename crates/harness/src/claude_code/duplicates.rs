//! What keeps a plugin's server from being a second one of something.

use std::collections::{HashMap, HashSet};

use muster_core::{Definition, Objection, Reason, Status};
use muster_document::{Place, Shown};

use super::expand::Expanded;
use super::plugins::Plugin;
use super::rules;

pub(super) fn plugin_off(plugin: &Plugin) -> Option<Objection> {
    let off = plugin.off.as_ref()?;
    let short = if off.status == Status::Untrusted {
        "folder not trusted"
    } else {
        "its plugin is off"
    };
    let reason = Reason::new(
        &rules::PLUGIN,
        "plugin",
        off.text.clone(),
        off.place.clone(),
    );
    Some(Objection::new(off.status, short, reason).with_remedy(off.remedy))
}

pub(super) fn name_taken(definition: &Definition, taken: &HashSet<String>) -> Option<Objection> {
    if !taken.contains(&definition.name) {
        return None;
    }
    let text = format!(
        "another server is already called {}",
        Shown(&definition.name)
    );
    let reason = Reason::new(
        &rules::PLUGIN_DUPLICATE,
        "wins",
        text,
        definition.place.clone(),
    );
    Some(Objection::new(
        Status::Overridden,
        "its name is taken",
        reason,
    ))
}

/// What the active servers run or reach, so that plugins do not bring them a second time.
#[derive(Debug, Default)]
pub(super) struct Active {
    known: HashMap<Signature, (String, Option<Place>)>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Signature {
    Command(Vec<String>),
    Url(String),
}

impl Signature {
    /// Environment, type and headers do not matter; nor does a slash at an address's end.
    fn of(fields: &Expanded) -> Option<Signature> {
        match (&fields.command, &fields.url) {
            (Some(command), _) => Some(Signature::Command(command.clone())),
            (None, Some(url)) => Some(Signature::Url(
                url.strip_suffix('/').unwrap_or(url).to_owned(),
            )),
            (None, None) => None,
        }
    }
}

impl Active {
    /// Learns an active server.
    pub(super) fn add(&mut self, definition: &Definition, fields: &Expanded) {
        if let Some(signature) = Signature::of(fields) {
            self.known
                .entry(signature)
                .or_insert_with(|| (definition.name.clone(), definition.place.clone()));
        }
    }

    /// Why a server with these fields is left out.
    pub(super) fn duplicate(&self, fields: &Expanded) -> Option<Objection> {
        let signature = Signature::of(fields)?;
        let (name, place) = self.known.get(&signature)?;
        let what = if matches!(signature, Signature::Command(_)) {
            "runs the same command"
        } else {
            "has the same address"
        };
        let reason = Reason::new(
            &rules::PLUGIN_DUPLICATE,
            "wins",
            format!("{} {what}", Shown(name)),
            place.clone(),
        );
        Some(Objection::new(
            Status::Overridden,
            format!("same as {}", Shown(name)),
            reason,
        ))
    }
}
