//! What is worth saying and is about no single server.

use std::collections::HashMap;
use std::sync::Arc;

use camino::Utf8PathBuf;
use muster_core::{Dossier, FileState, Files, Scope, absolute};
use muster_document::{Dialect, Document, JsonDialect, Shown};

use super::account::Account;
use super::gather::Gathered;
use super::ground::Ground;
use super::merge::Merged;
use super::rules;
use super::tooling::tool_name;

/// Adds the notes.
pub(super) fn add(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    gathered: &Gathered,
    account: &Account<'_>,
) {
    plugins(dossier, gathered, account);
    signed_in(dossier);
    old_file(dossier, ground);
    namesakes(dossier, account);
    for file in &gathered.used.files {
        let note = "put into a configuration file".to_owned();
        dossier.look_at(file, Scope::User, Some(note));
    }
}

/// Plugins can change every server, which cannot be foreseen.
fn plugins(dossier: &mut Dossier<'_>, gathered: &Gathered, account: &Account<'_>) {
    let pure = dossier.world.env.get("OPENCODE_PURE");
    if pure.is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("true")) {
        return;
    }
    const CONSEQUENCE: &str = "plugins run at the start and can add, change and remove servers";
    if let Some(plugin) = gathered.plugins.first() {
        let file = dossier.world.shown(plugin);
        let text = format!("OpenCode runs {}: {CONSEQUENCE}", Shown(&file));
        return dossier.note(&rules::PLUGIN, text, None);
    }
    let listed = account.good().find_map(|(_, layer, root)| {
        let plugin = root.member("plugin")?;
        let any = plugin.value.as_array().is_some_and(|list| !list.is_empty());
        any.then(|| (layer.name.clone(), layer.place(plugin.key.span)))
    });
    if let Some((name, place)) = listed {
        let text = format!("{} lists plugins: {CONSEQUENCE}", Shown(&name));
        dossier.note(&rules::PLUGIN, text, place);
    }
}

/// Hosts that OpenCode is signed in to may give configuration of their own.
fn signed_in(dossier: &mut Dossier<'_>) {
    let world = dossier.world;
    let data: Option<Utf8PathBuf> = match world.env.filled("XDG_DATA_HOME") {
        Some(folder) => Some(absolute(folder, &world.cwd)),
        None => world.home.as_deref().map(|home| home.join(".local/share")),
    };
    let Some(file) = data.map(|data| data.join("opencode/auth.json")) else {
        return;
    };
    if !world.files.is_file(&file) {
        return;
    }
    let dialect = Dialect::Json(JsonDialect::JSON_PARSE.with_bom());
    let Ok(bytes) = world.files.read(&file, Files::LIMIT) else {
        return;
    };
    let Ok(document) = Document::parse(Arc::from(&*file), &bytes, dialect) else {
        return;
    };
    let hosts = document
        .root()
        .effective_members()
        .into_iter()
        .filter(|member| member.value.get("type").and_then(|t| t.as_str()) == Some("wellknown"))
        .count();
    if hosts > 0 {
        let text = format!(
            "OpenCode is signed in to {hosts} host{} that may add servers of {} own, below every file here",
            if hosts == 1 { "" } else { "s" },
            if hosts == 1 { "its" } else { "their" },
        );
        dossier.look_at(&file, Scope::User, None);
        dossier.note(&rules::REMOTE_CONFIG, text, None);
    }
}

fn old_file(dossier: &mut Dossier<'_>, ground: &Ground) {
    let Some(global) = &ground.global else { return };
    let path = global.join("config");
    let read = dossier
        .files
        .iter()
        .any(|file| file.path == path && file.state == FileState::Read);
    if read {
        let text = format!(
            "OpenCode makes config.json of {} and removes it when it starts next",
            Shown(&dossier.world.shown(&path))
        );
        dossier.note(&rules::OLD_FILE, text, None);
    }
}

/// Servers whose tools have the same names.
fn namesakes(dossier: &mut Dossier<'_>, account: &Account<'_>) {
    if account.stop.is_some() {
        return;
    }
    let on = |server: &&Merged<'_>| {
        server.kind.is_some() && server.enabled.is_none_or(|enabled| enabled.value.on)
    };
    let mut first: HashMap<String, &str> = HashMap::new();
    for server in account.servers.list.iter().filter(on) {
        let prefix = tool_name(server.name, "");
        match first.get(&prefix) {
            Some(other) => {
                let text = format!(
                    "the tools of {} and {} have the same names, {prefix}…: of two with one name the model sees one",
                    Shown(other),
                    Shown(server.name)
                );
                dossier.note(&rules::START, text, None);
            }
            None => {
                first.insert(prefix, server.name);
            }
        }
    }
}
