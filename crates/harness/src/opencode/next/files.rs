//! The files of OpenCode 2, and their order.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileState, Rule, Scope};

use crate::opencode::ground::{Ground, walk};
use crate::opencode::layers::{self, Layer, Owner, Reading};
use crate::opencode::rules;
use crate::opencode::stop::Stop;
use crate::opencode::substitute::Used;

/// What was read.
#[derive(Debug, Default)]
pub(in crate::opencode) struct Gathered {
    /// Lowest first.
    pub(in crate::opencode) layers: Vec<Layer>,
    /// Files that are passed over, with what they name.
    pub(in crate::opencode) lost: Vec<(Option<Layer>, Stop)>,
    pub(in crate::opencode) used: Used,
}

impl Gathered {
    pub(in crate::opencode) fn read(dossier: &mut Dossier<'_>, ground: &Ground) -> Gathered {
        let mut gathered = Gathered::default();
        if let Some(global) = &ground.global {
            for file in Ground::files(global) {
                gathered.file(dossier, ground, &file, Scope::User, &rules::GLOBAL, true);
            }
        }
        if let Some(file) = &ground.custom {
            gathered.file(dossier, ground, file, Scope::User, &rules::CONFIG, true);
        }
        if !ground.project_off {
            gathered.project(dossier, ground);
        }
        gathered.variable(dossier, ground);
        for file in Ground::files(&ground.managed) {
            gathered.file(
                dossier,
                ground,
                &file,
                Scope::Managed,
                &rules::MANAGED,
                true,
            );
        }
        gathered
    }

    /// From the root of the file system down to the session's folder, git or not: first the plain files, then those of `.opencode`, so that
    /// the nearest wins of both.
    fn project(&mut self, dossier: &mut Dossier<'_>, ground: &Ground) {
        let cwd = dossier.world.cwd.clone();
        let is_global = |folder: &Utf8PathBuf| ground.global.as_ref() == Some(folder);
        let folders: Vec<Utf8PathBuf> = walk(&cwd, None).into_iter().rev().collect();
        if !is_global(&cwd) {
            for folder in folders.iter().filter(|folder| !is_global(folder)) {
                for file in Ground::files(folder) {
                    let near = *folder == cwd;
                    self.file(
                        dossier,
                        ground,
                        &file,
                        Scope::Project,
                        &rules::PROJECT,
                        near,
                    );
                }
            }
        }
        for folder in &folders {
            let dot = folder.join(".opencode");
            if !dossier.world.files.is_folder(&dot) {
                continue;
            }
            let scope = match ground.home.as_ref() == Some(folder) {
                true => Scope::User,
                false => Scope::Project,
            };
            for file in Ground::files(&dot) {
                self.file(dossier, ground, &file, scope, &rules::DOT, true);
            }
        }
    }

    fn variable(&mut self, dossier: &mut Dossier<'_>, ground: &Ground) {
        let world = dossier.world;
        if let Some(text) = world.env.filled("OPENCODE_CONFIG_CONTENT") {
            let owner = Owner {
                scope: Scope::User,
                rule: &rules::CONTENT,
            };
            let home = ground.home.as_deref();
            let reading = layers::read_variable(world, home, text, owner, &mut self.used);
            self.take(reading);
        }
    }

    /// Reads a file; one that is not `near`, and is not there, is no news.
    fn file(
        &mut self,
        dossier: &mut Dossier<'_>,
        ground: &Ground,
        path: &Utf8Path,
        scope: Scope,
        rule: &'static Rule,
        near: bool,
    ) {
        if !near && !dossier.world.files.exists(path) {
            return;
        }
        let owner = Owner { scope, rule };
        let home = ground.home.as_deref();
        let reading = layers::read(dossier, home, path, owner, &mut self.used);
        if let Reading::Stops(stop, _) = &reading {
            let note = "OpenCode 2 passes over a file that it cannot read";
            dossier.mark(path, FileState::Broken, note, stop.place().cloned());
        }
        self.take(reading);
    }

    fn take(&mut self, reading: Reading) {
        match reading {
            Reading::Nothing => {}
            Reading::Layer(layer) => self.layers.push(layer),
            Reading::Stops(stop, layer) => self.lost.push((layer, stop)),
        }
    }
}
