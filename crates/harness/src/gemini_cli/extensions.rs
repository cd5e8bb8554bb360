//! Extensions: folders below `~/.gemini/extensions`, each with a `gemini-extension.json`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Dossier, Environment, FileState, Files, Loaded, Objection, Reason, Scope, Source, Status,
};
use muster_document::{Dialect, Document, JsonDialect, Key, Place, Secret, Shown};

use super::dotenv;
use super::enablement::Enablement;
use super::extension_policy::{Install, Policy};
use super::rules;
use super::schema;
use super::session::Flags;
use super::stop::Stop;
use super::value::{Content, Js};
use super::variables::{fill, hydrate};

/// What Gemini CLI takes for JSON in an extension's files.
pub(super) const DIALECT: Dialect = Dialect::Json(JsonDialect::JSON_PARSE);

/// How many extensions are looked at.
const MOST: usize = 1_000;

/// Names that are lost when an extension's texts are filled.
const LOST_KEYS: [&str; 3] = ["__proto__", "constructor", "prototype"];

/// An extension's files.
#[derive(Debug)]
pub(super) struct ExtensionFile {
    /// The folder it is read from.
    folder: Utf8PathBuf,
    source: Option<Rc<Source>>,
    /// The manifest where it does not parse.
    salvaged: Option<Document>,
    /// Why the extension is not loaded.
    refusal: Option<Objection>,
    /// What its own settings file sets.
    own: Vec<(String, String)>,
}

/// Reads the extensions in the order of their folders' names, which is the order in which they start.
pub(super) fn read(
    dossier: &mut Dossier<'_>,
    home: &Utf8Path,
    policy: &Policy,
) -> (Vec<ExtensionFile>, Option<Stop>) {
    let folder = home.join(".gemini/extensions");
    let names = dossier
        .world
        .files
        .list(&folder)
        .map(|names| names.to_vec())
        .unwrap_or_default();
    let mut found = Vec::new();
    let mut stop = None;
    for name in names.iter().take(MOST) {
        let installed = folder.join(name);
        if dossier.world.files.is_folder(&installed) {
            found.push(read_one(dossier, home, &installed, policy, &mut stop));
        }
    }
    (found, stop)
}

fn read_one(
    dossier: &mut Dossier<'_>,
    home: &Utf8Path,
    installed: &Utf8Path,
    policy: &Policy,
    stop: &mut Option<Stop>,
) -> ExtensionFile {
    let metadata = Install::read(dossier, installed);
    let mut file = ExtensionFile {
        folder: installed.to_owned(),
        source: None,
        salvaged: None,
        refusal: policy.refusal(dossier, installed, &metadata, stop),
        own: Vec::new(),
    };
    let unnamed = metadata.complaint();
    if let Some(source) = metadata.link {
        file.folder = muster_core::absolute(&source, &dossier.world.cwd);
    }
    let path = file.folder.join("gemini-extension.json");
    let loaded = dossier.load(&path, Scope::Extension, DIALECT, Files::LIMIT);
    let skipped = |words: String, place: Option<Place>| {
        let text = format!(
            "Warning: Skipping extension in {}: {words}",
            Shown(file.folder.as_str())
        );
        let reason = Reason::new(&rules::EXTENSION_FILE, "extension", text, place);
        let remedy = format!("correct {}", Shown(&dossier.world.shown(&path)));
        Objection::new(Status::Invalid, "its extension is skipped", reason).with_remedy(remedy)
    };
    match &loaded {
        Loaded::Document(source) => {
            file.source = Some(Rc::clone(source));
            if let Some((words, place)) = source
                .document()
                .and_then(|document| complaint(document, &path))
            {
                file.refusal
                    .get_or_insert_with(|| skipped(words, Some(place)));
            } else if let Some(words) = unnamed {
                file.refusal.get_or_insert_with(|| skipped(words, None));
            }
        }
        Loaded::Broken(_) => {
            let error = loaded.error();
            let words = error.map(ToString::to_string).unwrap_or_default();
            file.refusal
                .get_or_insert_with(|| skipped(words, error.map(|error| error.place.clone())));
            file.salvaged = loaded.salvage(DIALECT);
        }
        Loaded::Absent | Loaded::Empty | Loaded::Skipped(_) => {}
    }
    if let Some(text) = file
        .refusal
        .as_ref()
        .and_then(|refusal| refusal.reasons.last())
        .map(|reason| reason.text.clone())
        && matches!(loaded, Loaded::Document(_) | Loaded::Broken(_))
    {
        let place = file
            .refusal
            .as_ref()
            .and_then(|refusal| refusal.reasons.last()?.place.clone());
        let state = if matches!(loaded, Loaded::Broken(_)) {
            FileState::Broken
        } else {
            FileState::Skipped
        };
        dossier.mark(
            &path,
            state,
            text,
            place.filter(|place| *place.path == path),
        );
    }
    if policy.own_settings && file.refusal.is_none() {
        file.own = own_settings(dossier, home, &file);
    }
    file
}

/// What keeps a manifest that parses from being loaded, in the real program's words.
fn complaint(document: &Document, path: &Utf8Path) -> Option<(String, Place)> {
    let root = Js::read(document.root(), &schema::plain);
    let here = document.place(document.root().span);
    let at = |value: &Js<'_>| document.place(value.node.span);
    let prefix = format!(
        "Failed to load extension config from {}: ",
        Shown(path.as_str())
    );
    if root.is_null() {
        return Some((format!("{prefix}it is null"), here));
    }
    for key in ["name", "version"] {
        let value = root.get(key);
        if !value.is_some_and(Js::truthy) {
            let words = format!(
                "{prefix}Invalid configuration in {}: missing \"{key}\"",
                Shown(path.as_str())
            );
            return Some((words, value.map_or(here, at)));
        }
    }
    let name = root.get("name")?;
    let spelled = name.spelled();
    if !spelled
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    {
        let words = format!(
            "{prefix}Invalid extension name: \"{}\". Only letters (a-z, A-Z), numbers (0-9), and dashes (-) are allowed.",
            Shown(&spelled)
        );
        return Some((words, at(name)));
    }
    let servers = root.get("mcpServers").filter(|servers| servers.truthy());
    let null = servers
        .into_iter()
        .flat_map(Js::members)
        .find(|(key, value)| value.is_null() && !LOST_KEYS.contains(&key.text.as_str()));
    let null = null
        .map(|(_, value)| value)
        .or_else(|| servers?.list()?.iter().find(|item| item.is_null()));
    if let Some(value) = null {
        return Some((
            "Cannot destructure property 'trust' of 'original' as it is null.".to_owned(),
            at(value),
        ));
    }
    let settings = root.get("settings").filter(|settings| settings.truthy())?;
    let iterable = settings.list().is_some() || settings.text().is_some();
    (!iterable).then(|| ("settings is not iterable".to_owned(), at(settings)))
}

/// What `~/.gemini/extensions/<name>/.env` sets, and over it the `.env` of a trusted session folder.
fn own_settings(
    dossier: &mut Dossier<'_>,
    home: &Utf8Path,
    file: &ExtensionFile,
) -> Vec<(String, String)> {
    let document = file.source.as_deref().and_then(Source::document);
    let Some(name) = document.and_then(|document| document.root().get("name")?.as_str()) else {
        return Vec::new();
    };
    let path = home.join(".gemini/extensions").join(name).join(".env");
    match dossier.world.files.is_file(&path) {
        true => dotenv::read(dossier, &path),
        false => Vec::new(),
    }
}

/// An extension with its texts filled.
#[derive(Debug)]
pub(super) struct Extension<'d> {
    /// Its name, or that of its folder where it has none.
    pub(super) name: String,
    pub(super) document: &'d Document,
    root: Js<'d>,
    /// Why none of its servers start.
    pub(super) out: Option<Objection>,
    /// Its settings that its servers get as variables.
    pub(super) given: Vec<(String, Secret)>,
}

impl<'d> Extension<'d> {
    /// Its servers: names, entries, and what the entries' places are.
    pub(super) fn servers(&self) -> Vec<(String, Option<&'d Key>, &Js<'d>)> {
        let Some(servers) = self.root.get("mcpServers") else {
            return Vec::new();
        };
        match &servers.content {
            Content::Object(members) => {
                let kept = members
                    .iter()
                    .filter(|(key, _)| !LOST_KEYS.contains(&key.text.as_str()));
                kept.map(|(key, value)| (key.text.clone(), Some(*key), value))
                    .collect()
            }
            Content::List(items) => items
                .iter()
                .enumerate()
                .map(|(at, item)| (at.to_string(), None, item))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Its servers whose names JavaScript loses.
    pub(super) fn lost(&self) -> Vec<(&'d Key, &Js<'d>)> {
        let servers = self
            .root
            .get("mcpServers")
            .map(Js::members)
            .unwrap_or_default();
        let lost = servers
            .iter()
            .filter(|(key, _)| LOST_KEYS.contains(&key.text.as_str()));
        lost.map(|(key, value)| (*key, value)).collect()
    }

    /// Tools that it hides, by the names under which the model sees them.
    pub(super) fn exclude_tools(&self) -> Vec<String> {
        let tools = self
            .root
            .get("excludeTools")
            .and_then(Js::list)
            .unwrap_or_default();
        tools
            .iter()
            .filter_map(|tool| tool.text().map(str::to_owned))
            .collect()
    }
}

/// What fills the texts of extensions, and what switches them on and off.
#[derive(Debug)]
pub(super) struct Context<'c> {
    /// The environment after the `.env` was read.
    pub(super) env: &'c Environment,
    /// What the `.env` of the session folder sets, where that is trusted.
    pub(super) workspace: &'c [(String, String)],
    pub(super) flags: &'c Flags,
    pub(super) enablement: &'c Enablement,
    pub(super) own_settings: bool,
}

/// The extensions that `files` hold. Two with one name stop Gemini CLI.
pub(super) fn of<'d>(
    dossier: &Dossier<'_>,
    files: &'d [ExtensionFile],
    context: &Context<'_>,
) -> (Vec<Extension<'d>>, Option<Stop>) {
    let mut stop = None;
    let mut seen: HashMap<String, ()> = HashMap::new();
    let mut found = Vec::new();
    for file in files {
        let document = match (&file.source, &file.salvaged) {
            (Some(source), _) => source.document(),
            (None, salvaged) => salvaged.as_ref(),
        };
        let Some(document) = document else {
            continue;
        };
        let custom: HashMap<&str, &str> = match context.own_settings {
            true => file
                .own
                .iter()
                .chain(context.workspace)
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect(),
            false => HashMap::new(),
        };
        let root = Js::read(document.root(), &|text| {
            filled(text, dossier, file, &custom, context.env)
        });
        let name = root
            .get("name")
            .filter(|name| name.truthy())
            .map(Js::spelled);
        let name = name.unwrap_or_else(|| file.folder.file_name().unwrap_or_default().to_owned());
        let mut out = file.refusal.clone();
        if out.is_none() {
            if seen.insert(name.clone(), ()).is_some() {
                let message = format!("Extension with name {} already was loaded.", Shown(&name));
                let place = root.get("name").map(|name| document.place(name.node.span));
                stop = stop.or(place.map(|place| {
                    Stop::at(
                        dossier.world,
                        &rules::EXTENSION,
                        message.trim_end_matches('.'),
                        place,
                    )
                }));
            }
            out = switched_off(dossier, &name, context);
        }
        let given = given(&root, &custom);
        found.push(Extension {
            name,
            document,
            root,
            out,
            given,
        });
    }
    (found, stop)
}

/// A text of an extension: first what is in braces and known to extensions, then variables.
fn filled<'d>(
    text: &'d str,
    dossier: &Dossier<'_>,
    file: &ExtensionFile,
    custom: &HashMap<&str, &str>,
    env: &Environment,
) -> Cow<'d, str> {
    let separator = match dossier.world.platform {
        muster_core::Platform::Windows => "\\",
        _ => "/",
    };
    let known = |key: &str| match key {
        "extensionPath" => Some(file.folder.to_string()),
        "workspacePath" => Some(dossier.world.cwd.to_string()),
        "/" | "pathSeparator" => Some(separator.to_owned()),
        _ => None,
    };
    let variable = |name: &str| {
        custom
            .get(name)
            .copied()
            .or_else(|| env.get(name))
            .map(str::to_owned)
    };
    match hydrate(text, known) {
        Cow::Borrowed(text) => fill(text, variable),
        Cow::Owned(text) => Cow::Owned(fill(&text, variable).into_owned()),
    }
}

/// The settings that an extension declares, with their values.
fn given(root: &Js<'_>, custom: &HashMap<&str, &str>) -> Vec<(String, Secret)> {
    let settings = root.get("settings").and_then(Js::list).unwrap_or_default();
    let declared = settings
        .iter()
        .filter_map(|setting| setting.get("envVar")?.text());
    declared
        .filter_map(|name| Some((name.to_owned(), Secret::new(*custom.get(name)?))))
        .collect()
}

fn switched_off(dossier: &Dossier<'_>, name: &str, context: &Context<'_>) -> Option<Objection> {
    let chosen = &context.flags.extensions;
    let off = |text: String, place: Option<Place>, remedy: String| {
        let reason = Reason::new(&rules::EXTENSION_SWITCH, "extension", text, place);
        Some(Objection::new(Status::Off, "its extension is off here", reason).with_remedy(remedy))
    };
    if context.flags.lists {
        return None;
    }
    if !chosen.is_empty() {
        if chosen.contains(&name.to_lowercase()) && *chosen != ["none"] {
            return None;
        }
        let remedy = format!("add -e {}, or leave -e out", Shown(name));
        return off(
            format!("-e leaves the extension {} out", Shown(name)),
            None,
            remedy,
        );
    }
    let place = context.enablement.off(name, &dossier.world.cwd)?;
    let text = format!("the extension {} is disabled for this folder", Shown(name));
    off(
        text,
        Some(place),
        format!("gemini extensions enable {}", Shown(name)),
    )
}
