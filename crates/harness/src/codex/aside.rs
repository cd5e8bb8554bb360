//! Definitions that Codex does not count: in folders that are not trusted, in files that do not parse, under names that it does
//! not know, in files that it does not open.

use camino::Utf8Path;
use muster_core::{Dossier, Objection, Reason, Status};
use muster_document::{Node, Shown};

use super::entry;
use super::gather::{Lost, OffLayer};
use super::layers::{self, Layer};
use super::merge::{Merged, Origin};
use super::rows::{Rows, defined};
use super::rules;
use super::trust::Decision;
use crate::foreign;

impl Rows<'_> {
    /// Adds everything that does not count.
    pub(super) fn add_aside(&mut self) {
        let gathered = self.gathered;
        gathered.off.iter().for_each(|off| self.add_untrusted(off));
        gathered.lost.iter().for_each(|lost| self.add_lost(lost));
        gathered
            .unread
            .iter()
            .for_each(|layer| self.add_unread(layer));
        let all = gathered
            .layers
            .iter()
            .chain(gathered.off.iter().map(|off| &off.layer));
        all.for_each(|layer| self.add_misspelled(layer));
    }

    /// Servers under a key that Codex does not know, which it passes over without a word.
    fn add_misspelled(&mut self, layer: &Layer) {
        let foreign = layer
            .root()
            .map(|root| foreign::servers(root, "mcp_servers"));
        for foreign in foreign.unwrap_or_default() {
            let text = format!("{}: Codex reads mcp_servers", foreign.whose());
            let reason = Reason::new(&rules::SPELLING, "ignored", text, None);
            let short = format!("Codex does not read {}", foreign.key);
            let out = Objection::new(Status::Ignored, short, reason).with_remedy(format!(
                "call the table mcp_servers in {}",
                Shown(&layer.name)
            ));
            self.add_servers(layer, foreign.servers, &out);
        }
    }

    /// Servers of a file that Codex would read if `CODEX_HOME` did not point elsewhere.
    fn add_unread(&mut self, layer: &Layer) {
        let text = format!(
            "CODEX_HOME points elsewhere: Codex does not open {}",
            Shown(&layer.name)
        );
        let reason = Reason::new(&rules::HOME, "ignored", text, None);
        let out = Objection::new(Status::Ignored, "CODEX_HOME points elsewhere", reason)
            .with_remedy("unset CODEX_HOME, or correct it");
        self.add_layer(layer, "mcp_servers", &out);
    }

    fn add_untrusted(&mut self, off: &OffLayer) {
        let out = self.untrusted(off.decision.as_ref());
        self.add_layer(&off.layer, "mcp_servers", &out);
    }

    /// The servers in table `key` of a layer that does not count, for the reason `out`.
    fn add_layer(&mut self, layer: &Layer, key: &str, out: &Objection) {
        let servers = layer.root().and_then(|root| root.get(key));
        if let Some(servers) = servers.filter(|servers| servers.is_table()) {
            self.add_servers(layer, servers, out);
        }
    }

    pub(super) fn add_servers(&mut self, layer: &Layer, servers: &Node, out: &Objection) {
        let places = |origin: Origin| layer.place(origin.key);
        for member in servers.effective_members() {
            let server = Merged::single(&member.value, member.key.span);
            let place = layer.place(member.key.span);
            let definition = self.definition(
                &member.key.text,
                layer.scope,
                place,
                entry::entry(&server, &places),
            );
            let facts = vec![defined(&definition, &layer.name)];
            self.push(definition, facts, Some(out.clone()), None);
        }
    }
    fn untrusted(&self, decision: Option<&Decision>) -> Objection {
        let folder = Shown(self.gathered.trust_folder.as_str()).to_string();
        let file = Shown(&self.user_file).to_string();
        let (text, place) = match decision {
            Some(decision) => (
                format!("{} is marked untrusted", Shown(&decision.folder)),
                decision.place.clone(),
            ),
            None => (format!("no [projects] table trusts {folder}"), None),
        };
        let objection = Objection::new(
            Status::Untrusted,
            "folder not trusted",
            Reason::new(&rules::TRUST, "trust", text, place),
        );
        match decision {
            Some(decision) => {
                let table = format!("[projects.\"{}\"]", Shown(&decision.folder));
                objection.with_remedy(format!("set trust_level = \"trusted\" under {table} in {file}"))
            }
            None => objection.with_remedy(format!(
                "trust this folder: run codex here and answer yes, or add [projects.\"{folder}\"] trust_level = \"trusted\" to {file}"
            )),
        }
    }

    /// Servers of a file that does not parse. Their file stops Codex, unless it would not have counted.
    fn add_lost(&mut self, lost: &Lost) {
        let place = Some(lost.remnant.place.clone());
        let name = layers::name(self.world, &lost.remnant.place.path);
        let definition = self.definition(
            &lost.remnant.name,
            lost.scope,
            place.clone(),
            lost.remnant.entry.clone(),
        );
        let facts = vec![defined(&definition, &name)];
        let out = if lost.untrusted {
            self.untrusted(None)
        } else {
            Objection::new(
                Status::Invalid,
                "its file is broken",
                Reason::new(&rules::SYNTAX, "file", "its file does not parse", place),
            )
        };
        self.push(definition, facts, Some(out), None);
    }
}

/// What concerns nobody here, counted.
pub(super) fn note_elsewhere(
    dossier: &mut Dossier<'_>,
    codex_home: &Utf8Path,
    profile: Option<&str>,
    config: &Merged<'_>,
    user_file: &Utf8Path,
) {
    let listed = dossier
        .world
        .files
        .list(codex_home)
        .map(|names| names.to_vec())
        .unwrap_or_default();
    let asked = profile.map(|profile| format!("{profile}.config.toml"));
    let others = listed
        .iter()
        .filter(|name| name.ends_with(".config.toml") && Some(name.as_str()) != asked.as_deref())
        .count();
    if others > 0 {
        let files = if others == 1 {
            "1 profile file is"
        } else {
            &format!("{others} profile files are")
        };
        dossier.note(
            &rules::PROFILE,
            format!("{files} read only with -p NAME"),
            None,
        );
    }
    let tables = config.get("profiles").into_iter().flat_map(Merged::members);
    let servers: usize = tables
        .filter_map(|(_, table)| Some(table.get("mcp_servers")?.members().count()))
        .sum();
    if servers > 0 {
        let text = format!(
            "{servers} in [profiles.NAME.mcp_servers] of {}: Codex no longer reads these",
            Shown(user_file.as_str())
        );
        dossier.note(&rules::LEGACY_PROFILE, text, None);
    }
}
