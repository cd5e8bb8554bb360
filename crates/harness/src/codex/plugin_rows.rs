//! Verdicts about the servers that plugins bring.

use std::collections::HashMap;

use muster_core::{Objection, Reason, Scope, Status};
use muster_document::{Node, Shown};

use super::enterprise;
use super::entry::{self, Places};
use super::merge::{Merged, Origin};
use super::plugins::Plugin;
use super::rows::Rows;
use super::rules;
use super::start;
use super::validate;

impl Rows<'_> {
    /// Adds the servers of `plugins`, which come in the order in which they win names.
    pub(super) fn add_plugins(&mut self, plugins: &[Plugin]) {
        let mut taken: HashMap<String, String> = HashMap::new();
        for plugin in plugins {
            let members = plugin
                .servers()
                .map(Node::effective_members)
                .unwrap_or_default();
            for member in members {
                let server = Merged::single(&member.value, member.key.span);
                self.add_plugin_server(plugin, &member.key.text, &server, &mut taken);
            }
        }
    }

    fn add_plugin_server(
        &mut self,
        plugin: &Plugin,
        name: &str,
        server: &Merged<'_>,
        taken: &mut HashMap<String, String>,
    ) {
        let Some(document) = plugin.document() else {
            return;
        };
        let places = |origin: Origin| Some(document.place(origin.key));
        let gathered = self.gathered;
        let table = self
            .config
            .at(&["plugins", &plugin.id, "mcp_servers", name]);
        let mut entry = entry::entry(server, &places);
        if let Some(table) = table {
            let given = entry::entry(table, &|origin| gathered.place(origin));
            entry.tools_only = given.tools_only.or(entry.tools_only);
            entry.tools_without = if table.get("disabled_tools").is_some() {
                given.tools_without
            } else {
                entry.tools_without
            };
        }
        let definition =
            self.definition(name, Scope::Plugin, server.origin().and_then(places), entry);
        let mut facts = vec![Reason::new(
            &rules::PLUGIN,
            "defined",
            format!("brought by the plugin {}", Shown(&plugin.id)),
            definition.place.clone(),
        )];
        facts.push(Reason::new(
            &rules::PLUGIN,
            "plugin",
            format!("[plugins.\"{}\"] switches the plugin on", Shown(&plugin.id)),
            plugin.place.clone(),
        ));
        let out = plugin
            .off
            .clone()
            .or_else(|| skipped(server, &places))
            .or_else(|| other_plugin(name, taken));
        if out.is_none() {
            taken
                .entry(name.to_owned())
                .or_insert_with(|| plugin.id.clone());
        }
        let switch = match table {
            Some(table) => start::switched_off(self.world, table, &|origin| gathered.place(origin)),
            None => start::switched_off(self.world, server, &places),
        };
        let held = gathered
            .requirements
            .as_ref()
            .and_then(|requirements| requirements.denies_plugin(&plugin.id, name, server))
            .or(switch)
            .or_else(|| self.question.objection(name, server, &places));
        if out.is_none() && self.config.at(&["mcp_servers", name]).is_none() {
            self.note_required(name, server, held.as_ref());
        }
        self.push(definition, facts, out, held);
    }
}

/// Codex skips a plugin's bad servers one by one.
fn skipped(server: &Merged<'_>, places: Places<'_>) -> Option<Objection> {
    let (words, origin) = match validate::check_server(server) {
        Err(fault) => (fault.message, fault.origin),
        Ok(()) if enterprise::is_managed(server) => (
            "a plugin cannot ask for auth = \"ema_auth\"".to_owned(),
            server.origin(),
        ),
        Ok(()) => return None,
    };
    let reason = Reason::new(
        &rules::PLUGIN_ENTRY,
        "invalid",
        format!("Codex skips this server: {words}"),
        origin.and_then(places),
    );
    Some(Objection::new(Status::Invalid, "Codex skips it", reason))
}

fn other_plugin(name: &str, taken: &HashMap<String, String>) -> Option<Objection> {
    let winner = Shown(taken.get(name)?);
    let text = format!(
        "the plugin {winner} brings {} too, and its id comes first",
        Shown(name)
    );
    let reason = Reason::new(&rules::PLUGIN_NAME, "wins", text, None);
    Some(Objection::new(
        Status::Overridden,
        "another plugin's wins",
        reason,
    ))
}
