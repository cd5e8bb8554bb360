//! Settings files: which are read, and which are dropped whole because one known key has a wrong type.

use std::rc::Rc;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileState, Files, Loaded, Reason, Scope, Source};
use muster_document::{Document, Node, Place, Shown};

use super::ground::Ground;
use super::session::Flags;
use super::{Stop, dialect, rules, settings_keys};

/// Whose a settings file is, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// An administrator's.
    Managed,
    /// Given with `--settings`.
    Flag,
    /// `.claude/settings.local.json` of the session folder.
    Local,
    /// `.claude/settings.local.json` of the project key's folder, where that is another one.
    ProjectKeyLocal,
    /// `.claude/settings.json` of the session folder.
    Project,
    /// The user's `settings.json`.
    User,
}

impl Owner {
    fn scope(self) -> Scope {
        match self {
            Owner::Managed => Scope::Managed,
            Owner::Flag => Scope::Flag,
            Owner::Local | Owner::ProjectKeyLocal => Scope::Local,
            Owner::Project => Scope::Project,
            Owner::User => Scope::User,
        }
    }
}

/// A settings file that counts.
#[derive(Debug)]
pub(super) struct SettingsFile {
    /// Whose it is.
    pub(super) owner: Owner,
    /// How to name it to the user.
    pub(super) label: String,
    source: Rc<Source>,
}

impl SettingsFile {
    fn document(&self) -> Option<&Document> {
        match &*self.source {
            Source::Parsed(document) => Some(document),
            Source::Broken(_) => None,
        }
    }

    /// The value of `key`.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.document()?.root().get(key)
    }

    /// The document, for definitions that stand in it.
    pub(super) fn parsed(&self) -> Option<&Document> {
        self.document()
    }

    /// The place of `node`; `None` for what the command line gave.
    pub(super) fn place(&self, node: &Node) -> Option<Place> {
        match self.owner {
            Owner::Flag => None,
            _ => self.document().map(|document| document.place(node.span)),
        }
    }

    /// The strings of the list `key`, a single string counting as a list of one.
    pub(super) fn names(&self, key: &str) -> Vec<(&str, Option<Place>)> {
        let Some(node) = self.get(key) else {
            return Vec::new();
        };
        let items = node.as_array().unwrap_or(std::slice::from_ref(node));
        items
            .iter()
            .filter_map(|item| Some((item.as_str()?, self.place(item))))
            .collect()
    }
}

/// Every settings file that counts, the strongest first.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The files.
    pub(super) files: Vec<SettingsFile>,
    /// The project key's `settings.local.json` is there but not usable, so legacy answers are not moved into it.
    pub(super) project_key_local_unusable: bool,
}

impl Settings {
    /// Reads them all.
    pub(super) fn read(
        dossier: &mut Dossier<'_>,
        ground: &Ground,
        flags: &Flags,
    ) -> (Settings, Option<Stop>) {
        let mut settings = Settings::default();
        let stop = settings.read_managed(dossier, ground);
        settings.read_flag(dossier, flags);
        let local = ground.cwd.join(".claude/settings.local.json");
        let key_local = ground.project.join(".claude/settings.local.json");
        if flags.reads_source("local") {
            let usable = settings.read_file(dossier, Owner::Local, &local);
            settings.project_key_local_unusable = if key_local == local {
                !usable
            } else {
                !settings.read_file(dossier, Owner::ProjectKeyLocal, &key_local)
            };
        }
        if flags.reads_source("project") {
            settings.read_file(
                dossier,
                Owner::Project,
                &ground.cwd.join(".claude/settings.json"),
            );
        }
        if flags.reads_source("user") {
            settings.read_file(dossier, Owner::User, &ground.config.join("settings.json"));
        }
        (settings, stop)
    }

    /// The administrator's files, the last drop-in first. The main file must be an object, or Claude Code does not start.
    fn read_managed(&mut self, dossier: &mut Dossier<'_>, ground: &Ground) -> Option<Stop> {
        let drop_ins = ground.managed.join("managed-settings.d");
        let names = dossier
            .world
            .files
            .list(&drop_ins)
            .unwrap_or_else(|_| Rc::from([]));
        for name in names
            .iter()
            .rev()
            .filter(|name| name.ends_with(".json") && !name.starts_with('.'))
        {
            self.read_file(dossier, Owner::Managed, &drop_ins.join(name));
        }
        let main = ground.managed.join("managed-settings.json");
        let loaded = dossier.load(&main, Scope::Managed, dialect::SETTINGS, Files::LIMIT);
        let bad = match &loaded {
            Loaded::Broken(_) => loaded.error().map(|error| Some(error.place.clone())),
            Loaded::Document(_) => loaded
                .document()
                .filter(|document| !document.root().is_table())
                .map(|document| Some(document.place(document.root().span))),
            _ => None,
        };
        if let Some(place) = bad {
            let shown = dossier.world.tilde(&main);
            let text = format!(
                "Claude Code does not start: {} is not a JSON object",
                Shown(&shown)
            );
            let remedy = "ask your administrator to mend it".to_owned();
            return Some(Stop {
                reason: Reason::new(&rules::MANAGED_SETTINGS, "policy", text, place),
                remedy,
            });
        }
        self.accept(dossier, Owner::Managed, &main, loaded);
        None
    }

    fn read_flag(&mut self, dossier: &mut Dossier<'_>, flags: &Flags) {
        let Some(given) = &flags.settings else { return };
        if !given.trim_start().starts_with('{') {
            let path = muster_core::absolute(given, &dossier.world.cwd);
            let loaded = dossier.load(&path, Scope::Flag, dialect::SETTINGS, Files::LIMIT);
            self.accept(dossier, Owner::Flag, &path, loaded);
            return;
        }
        let path: Arc<Utf8Path> = Arc::from(Utf8Path::new("--settings"));
        if let Ok(document) = Document::parse(path, given.as_bytes(), dialect::SETTINGS) {
            let source = Rc::new(Source::Parsed(document));
            self.files.push(SettingsFile {
                owner: Owner::Flag,
                label: "--settings".to_owned(),
                source,
            });
        }
    }

    /// Reads one file; false where it is there but not usable.
    fn read_file(&mut self, dossier: &mut Dossier<'_>, owner: Owner, path: &Utf8PathBuf) -> bool {
        let loaded = dossier.load(path, owner.scope(), dialect::SETTINGS, Files::LIMIT);
        self.accept(dossier, owner, path, loaded)
    }

    fn accept(
        &mut self,
        dossier: &mut Dossier<'_>,
        owner: Owner,
        path: &Utf8Path,
        loaded: Loaded,
    ) -> bool {
        let source = match loaded {
            Loaded::Absent | Loaded::Empty => return true,
            Loaded::Skipped(_) | Loaded::Broken(_) => return false,
            Loaded::Document(source) => source,
        };
        let Source::Parsed(document) = &*source else {
            return false;
        };
        if let Some((key, node, wanted)) = settings_keys::first_wrong(document.root()) {
            let note = match key {
                "" => "not an object: Claude Code takes nothing from this file".to_owned(),
                key => format!("{key} is not {wanted}: Claude Code drops the whole file"),
            };
            let place = document.place(node.span);
            dossier.note(
                &rules::SETTINGS_FILE,
                format!("{}: {note}", Shown(&dossier.world.tilde(path))),
                Some(place.clone()),
            );
            dossier.mark(path, FileState::Broken, note, Some(place));
            return false;
        }
        let label = dossier.world.tilde(path);
        self.files.push(SettingsFile {
            owner,
            label,
            source,
        });
        true
    }

    /// The files of one owner.
    pub(super) fn of(&self, owner: Owner) -> impl Iterator<Item = &SettingsFile> {
        self.files.iter().filter(move |file| file.owner == owner)
    }
}
