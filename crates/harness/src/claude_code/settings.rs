//! Settings files: which are read, and which are dropped whole because one known key has a wrong type.

use std::rc::Rc;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileState, Files, Loaded, Reason, Scope, Source};
use muster_document::{Document, Masked, Node, Place, Secret, Shown};

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
    /// `.claude/settings.local.json` of the project key's folder, where that is another one.
    ProjectKeyLocal,
    /// `.claude/settings.local.json` of the session folder.
    Local,
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
    /// Keys of an administrator's file whose values have a wrong type: these alone are passed over there.
    passed_over: Vec<&'static str>,
}

impl SettingsFile {
    fn document(&self) -> Option<&Document> {
        match &*self.source {
            Source::Parsed(document) => Some(document),
            Source::Broken(_) => None,
        }
    }

    /// The value of `key`; none where it is passed over for its type.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        if self.passed_over.contains(&key) {
            None
        } else {
            self.raw(key)
        }
    }

    /// The value of `key`, whatever its type.
    fn raw(&self, key: &str) -> Option<&Node> {
        self.document()?.root().get(key)
    }

    /// `enableAllProjectMcpServers`; a wrong type in an administrator's file reads as no.
    pub(super) fn enable_all(&self) -> Option<(bool, &Node)> {
        let node = self
            .raw("enableAllProjectMcpServers")
            .filter(|node| !node.is_null())?;
        Some((node.as_bool().unwrap_or(false), node))
    }

    /// `allowManagedMcpServersOnly` of an administrator's file; a wrong type reads as yes.
    pub(super) fn managed_servers_only(&self) -> Option<bool> {
        let node = self
            .raw("allowManagedMcpServersOnly")
            .filter(|node| !node.is_null())?;
        Some(node.as_bool().unwrap_or(true))
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

    /// The strings of the list `key`; a single string counts as a list of one, but not in an administrator's file.
    pub(super) fn names(&self, key: &str) -> Vec<(&str, Option<Place>)> {
        let Some(node) = self.get(key) else {
            return Vec::new();
        };
        if self.owner == Owner::Managed && node.as_array().is_none() {
            return Vec::new();
        }
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
    /// What stands under `env` in any of them, in dropped ones too.
    pub(super) variables: Vec<(String, Secret)>,
}

impl Settings {
    /// Reads them all.
    pub(super) fn read(
        dossier: &mut Dossier<'_>,
        ground: &Ground,
        flags: &Flags,
    ) -> (Settings, Option<Stop>) {
        let mut settings = Settings::default();
        let managed_stop = settings.read_managed(dossier, ground);
        let flag_stop = settings.read_flag(dossier, flags);
        let stop = unknown_source(flags).or(flag_stop).or(managed_stop);
        let local = ground.cwd.join(".claude/settings.local.json");
        let key_local = ground.project.join(".claude/settings.local.json");
        if flags.reads_source("local") {
            let apart = key_local != local;
            let key_usable =
                apart && settings.read_file(dossier, Owner::ProjectKeyLocal, &key_local);
            let usable = settings.read_file(dossier, Owner::Local, &local);
            settings.project_key_local_unusable = !(if apart { key_usable } else { usable });
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

    /// The administrator's files, the last drop-in first. Each must be an object, or Claude Code does not start.
    fn read_managed(&mut self, dossier: &mut Dossier<'_>, ground: &Ground) -> Option<Stop> {
        let drop_ins = ground.managed.join("managed-settings.d");
        let names = dossier
            .world
            .files
            .list(&drop_ins)
            .unwrap_or_else(|_| Rc::from([]));
        let names = names
            .iter()
            .rev()
            .filter(|name| name.ends_with(".json") && !name.starts_with('.'));
        let mut paths: Vec<Utf8PathBuf> = names.map(|name| drop_ins.join(name)).collect();
        paths.push(ground.managed.join("managed-settings.json"));
        let mut stop = None;
        for path in paths {
            let loaded = dossier.load(&path, Scope::Managed, dialect::SETTINGS, Files::LIMIT);
            match no_object(&loaded) {
                Some(place) => stop = Some(unreadable(dossier, &path, place)),
                None => drop(self.accept(dossier, Owner::Managed, &path, loaded)),
            }
        }
        stop
    }

    /// `--settings`, which must name a file that is there unless it is JSON itself.
    fn read_flag(&mut self, dossier: &mut Dossier<'_>, flags: &Flags) -> Option<Stop> {
        let given = flags.settings.as_deref()?;
        if given.trim_start().starts_with('{') {
            let path: Arc<Utf8Path> = Arc::from(Utf8Path::new("--settings"));
            if let Ok(document) = Document::parse(path, given.as_bytes(), dialect::SETTINGS) {
                let loaded = Loaded::Document(Rc::new(Source::Parsed(document)));
                self.accept(dossier, Owner::Flag, Utf8Path::new("--settings"), loaded);
            }
            return None;
        }
        let path = dossier.world.at(given, &dossier.world.cwd);
        let loaded = dossier.load(&path, Scope::Flag, dialect::SETTINGS, Files::LIMIT);
        if matches!(loaded, Loaded::Absent) {
            let text = format!(
                "Claude Code does not start: Settings file not found: {}",
                Masked::path(&Secret::new(dossier.world.shown(&path)))
            );
            let reason = Reason::new(&rules::SESSION_FLAGS, "flags", text, None);
            return Some(Stop {
                reason,
                remedy: "name a file that is there with --settings".to_owned(),
            });
        }
        self.accept(dossier, Owner::Flag, &path, loaded);
        None
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
        let env = document.root().get("env");
        let env = env.into_iter().flat_map(Node::members);
        self.variables.extend(env.filter_map(|member| {
            let value = Secret::new(member.value.as_str()?);
            Some((member.key.text.clone(), value))
        }));
        let wrong = settings_keys::wrong(document.root());
        let shown = dossier.world.shown(path);
        for wrong in &wrong {
            let what = match wrong.key {
                "" => "not an object".to_owned(),
                key => format!("{key} is not {}", wrong.wanted),
            };
            let cost = if owner == Owner::Managed {
                "that key alone is passed over"
            } else {
                "Claude Code drops the whole file"
            };
            let note = format!("{what}: {cost}");
            let place = document.place(wrong.node.span);
            dossier.note(
                &rules::SETTINGS_FILE,
                format!("{}: {note}", Shown(&shown)),
                Some(place.clone()),
            );
            if owner != Owner::Managed {
                dossier.mark(path, FileState::Broken, note, Some(place));
                return false;
            }
        }
        let passed_over = wrong.into_iter().map(|wrong| wrong.key).collect();
        self.files.push(SettingsFile {
            owner,
            label: shown,
            source,
            passed_over,
        });
        true
    }

    /// The files of one owner.
    pub(super) fn of(&self, owner: Owner) -> impl Iterator<Item = &SettingsFile> {
        self.files.iter().filter(move |file| file.owner == owner)
    }
}

fn unknown_source(flags: &Flags) -> Option<Stop> {
    let text = format!(
        "Claude Code does not start: Invalid setting source: {}. Valid options are: user, project, local",
        Shown(flags.unknown_source()?)
    );
    let reason = Reason::new(&rules::SESSION_FLAGS, "flags", text, None);
    Some(Stop {
        reason,
        remedy: "name only user, project and local in --setting-sources".to_owned(),
    })
}

/// The place of what makes a file no JSON object.
fn no_object(loaded: &Loaded) -> Option<Place> {
    if let Some(error) = loaded.error() {
        return Some(error.place.clone());
    }
    let document = loaded
        .document()
        .filter(|document| !document.root().is_table())?;
    Some(document.place(document.root().span))
}

fn unreadable(dossier: &Dossier<'_>, path: &Utf8Path, place: Place) -> Stop {
    let shown = dossier.world.shown(path);
    let text = format!(
        "Claude Code does not start: {} is not a JSON object",
        Shown(&shown)
    );
    let reason = Reason::new(&rules::MANAGED_SETTINGS, "policy", text, Some(place));
    Stop {
        reason,
        remedy: "ask your administrator to mend it".to_owned(),
    }
}
