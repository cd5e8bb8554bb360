//! The four settings files: read, checked, and what they say together.

use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileFault, FileState, Files, Loaded, Rule, Scope, Source};
use muster_document::{Dialect, Document, JsonDialect, Place, Shown};

use super::ground::{Ground, SystemFile, insecurity};
use super::schema::Issues;
use super::session::Flags;
use super::stop::Stop;
use super::value::{Content, Js};
use super::variables::{fill, of_environment};
use super::{rules, schema_table};

/// What Gemini CLI takes for JSON in its settings: comments, closed or not, and nothing else.
pub(super) const DIALECT: Dialect = Dialect::Json(JsonDialect {
    comments: true,
    open_comments: true,
    ..JsonDialect::JSON_PARSE
});

/// Whose file a layer is, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// `system-defaults.json`.
    Defaults,
    /// `~/.gemini/settings.json`.
    User,
    /// `.gemini/settings.json` of the session folder.
    Project,
    /// The administrator's `settings.json`.
    System,
}

impl Owner {
    pub(super) fn scope(self) -> Scope {
        match self {
            Owner::Defaults | Owner::System => Scope::Managed,
            Owner::User => Scope::User,
            Owner::Project => Scope::Project,
        }
    }

    /// The rule that makes Gemini CLI read it.
    pub(super) fn rule(self) -> &'static Rule {
        match self {
            Owner::Defaults | Owner::System => &rules::SYSTEM,
            Owner::User => &rules::USER,
            Owner::Project => &rules::PROJECT,
        }
    }

    /// What the place means, for the first line of a story.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Owner::Defaults => "managed scope: your administrator's defaults, the weakest layer",
            Owner::User => "user scope: yours, in every folder",
            Owner::Project => "project scope: comes with the folder's files",
            Owner::System => "managed scope: your administrator's, above every other file",
        }
    }
}

/// A settings file that is there.
#[derive(Debug)]
pub(super) struct LayerFile {
    pub(super) owner: Owner,
    pub(super) path: Utf8PathBuf,
    /// What was read; for a file that stops Gemini CLI what could be salvaged.
    pub(super) text: Text,
}

/// What a settings file gives.
#[derive(Debug)]
pub(super) enum Text {
    Read(Rc<Source>),
    /// A file that Gemini CLI does not use: for what its servers are worth telling.
    Skipped(Rc<Source>, String),
    Broken(Option<Document>),
}

impl LayerFile {
    /// The document, whatever becomes of it.
    pub(super) fn document(&self) -> Option<&Document> {
        match &self.text {
            Text::Read(source) | Text::Skipped(source, _) => source.document(),
            Text::Broken(salvaged) => salvaged.as_ref(),
        }
    }
}

/// Reads the settings files, the weakest first, and finds the first that stops Gemini CLI. Observed on 0.61.0: one that does not parse stops
/// it in whatever layer it is, the project's even where the folder is not trusted; an administrator's that others could write to is passed over.
pub(super) fn read(dossier: &mut Dossier<'_>, ground: &Ground) -> (Vec<LayerFile>, Option<Stop>) {
    let mut stop = None;
    let mut layers = Vec::new();
    let mut system = |dossier: &mut Dossier<'_>, owner, file: &SystemFile| {
        let reason = dossier
            .world
            .files
            .exists(&file.path)
            .then(|| insecurity(dossier.world, file))
            .flatten();
        match reason {
            Some(reason) => skip(dossier, owner, &file.path, &reason),
            None => load(dossier, owner, &file.path, &mut stop),
        }
    };
    layers.extend(system(dossier, Owner::Defaults, &ground.system_defaults));
    let highest = system(dossier, Owner::System, &ground.system_settings);
    layers.extend(load(dossier, Owner::User, &ground.user_settings, &mut stop));
    if let Some(path) = &ground.project_settings {
        layers.extend(load(dossier, Owner::Project, path, &mut stop));
    }
    layers.extend(highest);
    (layers, stop)
}

fn load(
    dossier: &mut Dossier<'_>,
    owner: Owner,
    path: &Utf8Path,
    stop: &mut Option<Stop>,
) -> Option<LayerFile> {
    let loaded = dossier.load(path, owner.scope(), DIALECT, Files::LIMIT);
    let world = dossier.world;
    let layer = |text| {
        Some(LayerFile {
            owner,
            path: path.to_owned(),
            text,
        })
    };
    let remedy = || {
        format!(
            "correct {}: Gemini CLI starts no server until then",
            Shown(&world.shown(path))
        )
    };
    let words = |message: &str| format!("Error in {}: {message}", Shown(path.as_str()));
    match &loaded {
        Loaded::Absent => None,
        Loaded::Empty => {
            dossier.mark(path, FileState::Broken, "the file is empty", None);
            stop.get_or_insert_with(|| {
                Stop::new(
                    &rules::SYNTAX,
                    words("Unexpected end of JSON input"),
                    remedy(),
                )
            });
            layer(Text::Broken(None))
        }
        Loaded::Skipped(fault) => {
            let message = match fault {
                FileFault::WrongKind(kind) => format!("it is {}", kind.noun()),
                fault => format!("it {fault}"),
            };
            stop.get_or_insert_with(|| Stop::new(&rules::SYNTAX, words(&message), remedy()));
            layer(Text::Broken(None))
        }
        Loaded::Broken(_) => {
            if let Some(error) = loaded.error() {
                let message = words(&error.to_string());
                stop.get_or_insert_with(|| {
                    Stop::at(world, &rules::SYNTAX, message, error.place.clone())
                });
            }
            layer(Text::Broken(loaded.salvage(DIALECT)))
        }
        Loaded::Document(source) => {
            let document = source.document()?;
            if document.root().is_table() {
                return layer(Text::Read(Rc::clone(source)));
            }
            let message = "Settings file is not a valid JSON object.";
            let place = document.place(document.root().span);
            dossier.mark(path, FileState::Broken, message, Some(place.clone()));
            stop.get_or_insert_with(|| Stop::at(world, &rules::SYNTAX, words(message), place));
            layer(Text::Broken(None))
        }
    }
}

/// An administrator's file that is not used, told with a note.
fn skip(
    dossier: &mut Dossier<'_>,
    owner: Owner,
    path: &Utf8Path,
    reason: &str,
) -> Option<LayerFile> {
    let label = match owner {
        Owner::Defaults => "system defaults",
        _ => "system settings",
    };
    let text = format!("Security Warning: Skipping {label} file '{path}': {reason}");
    let text = Shown(&text).to_string();
    dossier.look_at(path, owner.scope(), Some(text.clone()));
    dossier.note(&rules::SECURE, text.clone(), None);
    let source = dossier.examine(path, DIALECT)?;
    Some(LayerFile {
        owner,
        path: path.to_owned(),
        text: Text::Skipped(source, text),
    })
}

/// A settings file as Gemini CLI has it: variables filled, and where nothing is wrong, texts turned into what they stand for.
#[derive(Debug)]
pub(super) struct Layer<'d> {
    pub(super) owner: Owner,
    pub(super) path: &'d Utf8Path,
    pub(super) document: &'d Document,
    pub(super) root: Js<'d>,
    /// Nothing is wrong in it.
    pub(super) valid: bool,
}

impl<'d> Layer<'d> {
    /// Reads `file`; tells what is wrong in it in a note.
    pub(super) fn of(dossier: &mut Dossier<'_>, file: &'d LayerFile) -> Option<Layer<'d>> {
        let Text::Read(source) = &file.text else {
            return None;
        };
        let document = source.document()?;
        let env = &dossier.world.env;
        let mut root = Js::read(document.root(), &|text| fill(text, of_environment(env)));
        let mut issues = Issues::default();
        schema_table::SETTINGS.check(&root, &mut issues);
        let valid = issues.count == 0;
        if valid {
            schema_table::SETTINGS.coerce(&mut root);
        }
        for issue in &issues.named {
            let text = format!(
                "Invalid configuration in {}: Error in: {}: {}",
                Shown(&dossier.world.shown(&file.path)),
                issue.path,
                issue.message
            );
            let text = format!(
                "{text}; what is written there is used as it is, and no text in this file counts as a number or truth value"
            );
            dossier.note(&rules::SCHEMA, text, Some(document.place(issue.span)));
        }
        Some(Layer {
            owner: file.owner,
            path: &file.path,
            document,
            root,
            valid,
        })
    }
}

/// The layers that count, the weakest first.
#[derive(Debug, Clone)]
pub(super) struct Settings<'l, 'd> {
    pub(super) layers: Vec<&'l Layer<'d>>,
}

/// A value of the merged settings, and the layer it comes from.
pub(super) type Given<'l, 'd> = (&'l Layer<'d>, &'l Js<'d>);

impl<'l, 'd> Settings<'l, 'd> {
    /// Those of `layers` that count where the project's do or do not.
    pub(super) fn of(layers: &'l [Layer<'d>], with_project: bool) -> Self {
        let counts = |layer: &&Layer<'_>| with_project || layer.owner != Owner::Project;
        Settings {
            layers: layers.iter().filter(counts).collect(),
        }
    }

    /// What the layers give for `path` together: the strongest that speaks of it, but what is no object replaces all below it.
    pub(super) fn get(&self, path: &[&str]) -> Option<Given<'l, 'd>> {
        let mut current = None;
        for layer in &self.layers {
            match walk(&layer.root, path) {
                Walk::Found(value) => current = Some((*layer, value)),
                Walk::Cut => current = None,
                Walk::Silent => {}
            }
        }
        current
    }

    /// The texts of a list for which every layer's elements count.
    pub(super) fn union(&self, path: &[&str]) -> Vec<String> {
        let mut texts = Vec::new();
        for layer in &self.layers {
            match walk(&layer.root, path) {
                Walk::Found(value) => match &value.content {
                    Content::List(items) => texts.extend(
                        items
                            .iter()
                            .filter_map(|item| item.text().map(str::to_owned)),
                    ),
                    Content::Text(text) => texts.push(text.to_string()),
                    _ => {}
                },
                Walk::Cut => texts.clear(),
                Walk::Silent => {}
            }
        }
        texts
    }

    /// The texts of a list of which the strongest layer's counts.
    pub(super) fn texts(&self, path: &[&str]) -> Vec<String> {
        let list = self.get(path).and_then(|(_, value)| value.list());
        let texts = list
            .unwrap_or_default()
            .iter()
            .filter_map(|item| item.text().map(str::to_owned));
        texts.collect()
    }

    /// Whether a switch counts as on; `usual` where nothing is written.
    pub(super) fn on(&self, path: &[&str], usual: bool) -> bool {
        self.get(path).map_or(usual, |(_, value)| value.truthy())
    }

    /// The value of every layer that has one for `path`, the strongest layer of `order` first.
    pub(super) fn each(&self, order: [Owner; 4], path: &[&str]) -> Vec<Given<'l, 'd>> {
        let of = |owner: Owner| self.layers.iter().find(move |layer| layer.owner == owner);
        let value = |layer: &&'l Layer<'d>| match walk(&layer.root, path) {
            Walk::Found(value) => Some((*layer, value)),
            _ => None,
        };
        order
            .into_iter()
            .filter_map(|owner| of(owner).and_then(value))
            .collect()
    }
}

enum Walk<'l, 'd> {
    Found(&'l Js<'d>),
    /// Something that is no object stands where an object should be.
    Cut,
    Silent,
}

fn walk<'l, 'd>(root: &'l Js<'d>, path: &[&str]) -> Walk<'l, 'd> {
    let mut at = root;
    for key in path {
        if !at.is_object() {
            return Walk::Cut;
        }
        match at.get(key) {
            Some(next) => at = next,
            None => return Walk::Silent,
        }
    }
    Walk::Found(at)
}

/// What the settings must be for Gemini CLI to come up at all. Observed on 0.61.0: where one of these is null it crashes.
const OBJECTS: [(&[&str], &str); 7] = [
    (&["security"], "auth"),
    (&["security", "auth"], "selectedType"),
    (&["experimental"], "worktrees"),
    (&["ui"], "customThemes"),
    (&["advanced"], "dnsResolutionOrder"),
    (&["tools"], "exclude"),
    (&["hooksConfig"], "enabled"),
];

/// A value that crashes Gemini CLI.
pub(super) fn crash(dossier: &Dossier<'_>, settings: &Settings<'_, '_>) -> Option<Stop> {
    OBJECTS.iter().find_map(|(path, reads)| {
        let (layer, value) = settings.get(path)?;
        let security = *path == ["security"] && !value.is_object();
        if !value.is_null() && !security {
            return None;
        }
        let message = if value.is_null() {
            format!("TypeError: Cannot read properties of null (reading '{reads}')")
        } else {
            "TypeError: Cannot read properties of undefined (reading 'selectedType')".to_owned()
        };
        let place = layer.document.place(value.node.span);
        Some(Stop::at(dossier.world, &rules::CRASH, message, place))
    })
}

/// A mode of approval that Gemini CLI does not start in.
pub(super) fn wrong_mode(
    dossier: &Dossier<'_>,
    settings: &Settings<'_, '_>,
    flags: &Flags,
) -> Option<Stop> {
    if flags.yolo {
        let (layer, value) = settings
            .get(&["security", "disableYoloMode"])
            .filter(|(_, value)| value.truthy())?;
        let message = "YOLO mode is disabled by the \"disableYolo\" setting";
        return Some(Stop::at(
            dossier.world,
            &rules::CRASH,
            message,
            place(layer, value),
        ));
    }
    let (layer, value) = settings
        .get(&["general", "defaultApprovalMode"])
        .filter(|(_, value)| value.truthy())?;
    let known = matches!(
        value.text(),
        Some("yolo" | "auto_edit" | "plan" | "default")
    );
    let message = "Invalid approval mode. Valid values are: yolo, auto_edit, plan, default";
    (!known && !flags.approval)
        .then(|| Stop::at(dossier.world, &rules::CRASH, message, place(layer, value)))
}

/// Where `value` of `layer` stands.
pub(super) fn place(layer: &Layer<'_>, value: &Js<'_>) -> Place {
    layer.document.place(value.node.span)
}
