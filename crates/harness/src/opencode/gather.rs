//! Everything that is read, in the order in which 1.18.33 reads it: a later file wins.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileState, Files, Loaded, Rule, Scope};
use muster_document::Dialect;

use super::ground::{DotKind, Ground};
use super::layers::{self, Layer, Owner, Reading};
use super::markdown;
use super::rules;
use super::stop::Stop;
use super::substitute::Used;

/// A file, or what a variable holds, that OpenCode reads as configuration.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) layer: Option<Layer>,
    /// Why it stops OpenCode. Its layer is then what it names all the same.
    pub(super) stop: Option<Stop>,
    /// It is merged unchecked: the old file `config`.
    pub(super) unchecked: bool,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Lowest first.
    pub(super) items: Vec<Item>,
    /// The project's files where they are switched off.
    pub(super) off: Vec<Layer>,
    /// What was put into the files.
    pub(super) used: Used,
    /// Folders from which OpenCode takes plugins of its own accord, each with one of them.
    pub(super) plugins: Vec<Utf8PathBuf>,
}

impl Gathered {
    pub(super) fn read(dossier: &mut Dossier<'_>, ground: &Ground) -> Gathered {
        let mut gathered = Gathered::default();
        let mut reader = Reader {
            dossier,
            ground,
            gathered: &mut gathered,
        };
        reader.global();
        reader.named_file();
        reader.project();
        reader.dot_folders();
        reader.variable();
        reader.managed();
        gathered
    }
}

struct Reader<'r, 'w> {
    dossier: &'r mut Dossier<'w>,
    ground: &'r Ground,
    gathered: &'r mut Gathered,
}

impl Reader<'_, '_> {
    fn global(&mut self) {
        let Some(folder) = self.ground.global.clone() else {
            return;
        };
        for name in ["config.json", "opencode.json", "opencode.jsonc"] {
            self.file(&folder.join(name), Scope::User, &rules::GLOBAL);
        }
        self.old_file(&folder.join("config"));
    }

    fn named_file(&mut self) {
        if let Some(file) = self.ground.custom.clone() {
            self.file(&file, Scope::User, &rules::CONFIG);
        }
    }

    fn project(&mut self) {
        for folder in self.ground.walk.iter().rev() {
            // OpenCode reads its own folder as a project's where the session is in it; the files stay the user's.
            let scope = match self.ground.global.as_ref() == Some(folder) {
                true => Scope::User,
                false => Scope::Project,
            };
            // A person looks for a project's file here or at the root: that none is in between, or above, is no news.
            let near =
                *folder == self.dossier.world.cwd || self.ground.root.as_ref() == Some(folder);
            for file in Ground::files(folder) {
                if !near && !self.dossier.world.files.exists(&file) {
                    continue;
                }
                if self.ground.project_off {
                    self.set_aside(&file);
                } else {
                    self.file(&file, scope, &rules::PROJECT);
                }
            }
        }
    }

    fn dot_folders(&mut self) {
        if self.ground.project_off {
            for folder in self.ground.dot_folders(self.dossier.world, true) {
                if folder.kind == DotKind::Project {
                    for file in Ground::files(&folder.path) {
                        self.set_aside(&file);
                    }
                }
            }
        }
        if let Some(folder) = self.ground.global.clone() {
            self.markdown(&folder, Scope::User);
        }
        for folder in &self.ground.dots {
            let (scope, rule) = match folder.kind {
                DotKind::Project => (Scope::Project, &rules::DOT),
                DotKind::Home => (Scope::User, &rules::HOME_DOT),
                DotKind::Named => (Scope::User, &rules::CONFIG_DIR),
            };
            let owner = Owner { scope, rule };
            if let Some(stop) = layers::no_folder(self.dossier, &folder.path, owner) {
                self.stop(stop);
                continue;
            }
            for file in Ground::files(&folder.path) {
                self.file(&file, scope, rule);
            }
            self.markdown(&folder.path, scope);
        }
    }

    fn variable(&mut self) {
        let world = self.dossier.world;
        let Some(text) = world.env.filled("OPENCODE_CONFIG_CONTENT") else {
            return;
        };
        let owner = Owner {
            scope: Scope::User,
            rule: &rules::CONTENT,
        };
        let home = self.ground.home.as_deref();
        let reading = layers::read_variable(world, home, text, owner, &mut self.gathered.used);
        self.take(reading);
    }

    fn managed(&mut self) {
        let folder = self.ground.managed.clone();
        let owner = Owner {
            scope: Scope::Managed,
            rule: &rules::MANAGED,
        };
        if let Some(stop) = layers::no_folder(self.dossier, &folder, owner) {
            return self.stop(stop);
        }
        for file in Ground::files(&folder) {
            self.file(&file, owner.scope, owner.rule);
        }
    }

    fn file(&mut self, path: &Utf8Path, scope: Scope, rule: &'static Rule) {
        let owner = Owner { scope, rule };
        let reading = self.reading(path, owner);
        self.take(reading);
    }

    fn reading(&mut self, path: &Utf8Path, owner: Owner) -> Reading {
        let home = self.ground.home.as_deref();
        layers::read(self.dossier, home, path, owner, &mut self.gathered.used)
    }

    fn take(&mut self, reading: Reading) {
        let (layer, stop) = match reading {
            Reading::Nothing => return,
            Reading::Layer(layer) => (Some(layer), None),
            Reading::Stops(stop, layer) => (layer, Some(stop)),
        };
        self.gathered.items.push(Item {
            layer,
            stop,
            unchecked: false,
        });
    }

    fn stop(&mut self, stop: Stop) {
        self.gathered.items.push(Item {
            layer: None,
            stop: Some(stop),
            unchecked: false,
        });
    }

    /// A project's file that does not count because project files are switched off.
    fn set_aside(&mut self, path: &Utf8Path) {
        let owner = Owner {
            scope: Scope::Project,
            rule: &rules::PROJECT_OFF,
        };
        let known = self.dossier.files.iter().any(|file| file.path == path);
        if known || !self.dossier.world.files.is_file(path) {
            return;
        }
        if let Reading::Layer(layer) | Reading::Stops(_, Some(layer)) = self.reading(path, owner) {
            self.gathered.off.push(layer);
        }
        let note = "OPENCODE_DISABLE_PROJECT_CONFIG is on";
        self.dossier.mark(path, FileState::Skipped, note, None);
    }

    /// The old file without an ending, in TOML, over the other global ones. OpenCode makes `config.json` of it and merges it unchecked;
    /// one that it cannot read it passes over.
    fn old_file(&mut self, path: &Utf8Path) {
        if !self.dossier.world.files.exists(path) {
            return;
        }
        let owner = Owner {
            scope: Scope::User,
            rule: &rules::OLD_FILE,
        };
        let loaded = self
            .dossier
            .load(path, owner.scope, Dialect::Toml, Files::LIMIT);
        if let Loaded::Document(source) = loaded {
            self.gathered.items.push(Item {
                layer: Some(Layer::plain(self.dossier.world, owner, source)),
                stop: None,
                unchecked: true,
            });
        }
    }

    /// The agents, commands and plugins of `folder`.
    fn markdown(&mut self, folder: &Utf8Path, scope: Scope) {
        if !self.dossier.world.files.is_folder(folder) {
            return;
        }
        let stops = markdown::faults(self.dossier, folder, scope);
        stops.into_iter().for_each(|stop| self.stop(stop));
        if let Some(plugin) = markdown::plugin(self.dossier.world.files, folder) {
            self.gathered.plugins.push(plugin);
        }
    }
}
