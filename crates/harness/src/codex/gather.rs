//! Everything that is read before a server is judged: layers in order, project files by trust, and what stops Codex.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileState, Rule, Scope, World};
use muster_document::{Node, Place, Shown};

use super::enterprise;
use super::environment::CodexHome;
use super::layers::{Kind, Layer, Reading, read, system_file};
use super::merge::Merged;
use super::overrides;
use super::requirements::Requirements;
use super::root::{self, Repository};
use super::rules;
use super::salvage::Remnant;
use super::schema::Fault;
use super::session::{CommandLine, Program};
use super::stop::Stop;
use super::toplevel;
use super::trust::{Decision, TrustTable};

/// When Codex notices a problem: it reports the earliest, and of one moment the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    Home,
    Requirements,
    Managed,
    Files,
    Early,
    Project,
    Merged,
    Profile,
    LegacyProfile,
    Enterprise,
    Start,
}

/// A project's layer that does not count.
#[derive(Debug)]
pub(super) struct OffLayer {
    pub(super) layer: Layer,
    /// Who said no; `None` where nobody said anything.
    pub(super) decision: Option<Decision>,
}

/// A server in a file that does not parse.
#[derive(Debug)]
pub(super) struct Lost {
    pub(super) scope: Scope,
    pub(super) remnant: Remnant,
    /// Why its file would not count anyway.
    pub(super) untrusted: bool,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// The layers that count, lowest first.
    pub(super) layers: Vec<Layer>,
    /// For the project's layers among them: who trusts their folder.
    pub(super) trusted_by: Vec<(usize, Decision)>,
    pub(super) off: Vec<OffLayer>,
    pub(super) lost: Vec<Lost>,
    /// Files that Codex would read if `CODEX_HOME` did not lead nowhere.
    pub(super) unread: Vec<Layer>,
    pub(super) requirements: Option<Requirements>,
    /// Whether the panel asks about the folder before it starts anything.
    pub(super) asks_for_trust: bool,
    /// The folder that a yes would trust.
    pub(super) trust_folder: Utf8PathBuf,
    /// Whether no repository is around the session's folder.
    pub(super) outside_git: bool,
    stops: Vec<(Moment, Stop)>,
}

impl Gathered {
    /// Reads everything that `line` makes Codex read.
    pub(super) fn read(
        dossier: &mut Dossier<'_>,
        line: &CommandLine,
        home: &CodexHome,
    ) -> Gathered {
        let mut gathered = Gathered::default();
        gathered
            .stops
            .extend(home.stop.iter().map(|stop| (Moment::Home, stop.clone())));
        let below = gathered.read_below(dossier, line, home);
        gathered.layers.push(Layer::flags(overrides::layer(
            line.toggles().chain(line.overrides.iter().cloned()),
        )));
        let managed = system_file(dossier.world, "managed_config.toml");
        gathered.add(dossier, &managed, Scope::Managed, Moment::Managed);
        gathered.read_default_home(dossier, home);
        let (requirements, stop) = Requirements::read(dossier);
        gathered.requirements = requirements;
        gathered
            .stops
            .extend(stop.map(|stop| (Moment::Requirements, stop)));
        gathered.read_project(dossier, line, home, below);
        gathered
    }

    /// The merged configuration.
    pub(super) fn merged(&self) -> Merged<'_> {
        let is_project =
            |layer: usize| self.layers.get(layer).map(|layer| layer.scope) == Some(Scope::Project);
        Merged::where_counts(self.roots(), |layer, key| {
            !is_project(layer) || !toplevel::NOT_OF_A_PROJECT.contains(&key)
        })
    }

    fn roots(&self) -> impl Iterator<Item = (usize, &Node)> {
        let layers = self.layers.iter().enumerate();
        layers.filter_map(|(at, layer)| Some((at, layer.root()?)))
    }

    /// `origin`'s key as a place.
    pub(super) fn place(&self, origin: super::merge::Origin) -> Option<Place> {
        self.layers.get(origin.layer)?.place(origin.key)
    }

    /// What stops Codex: the earliest of what reading met and of what is wrong with `config`, the merged configuration.
    pub(super) fn stop(
        &self,
        world: &World<'_>,
        line: &CommandLine,
        config: &Merged<'_>,
    ) -> Option<Stop> {
        let met = self.stops.iter().cloned();
        let (_, mut stop) = met
            .chain(self.check(line, config))
            .min_by_key(|(moment, _)| *moment)?;
        stop.name_file(world);
        Some(stop)
    }

    /// The layers below the project's: system, user, profile. Says how many there are.
    fn read_below(
        &mut self,
        dossier: &mut Dossier<'_>,
        line: &CommandLine,
        home: &CodexHome,
    ) -> usize {
        let system = system_file(dossier.world, "config.toml");
        self.add(dossier, &system, Scope::System, Moment::Files);
        if let Some(folder) = &home.folder {
            if !line.ignore_user_config {
                self.add(
                    dossier,
                    &folder.join("config.toml"),
                    Scope::User,
                    Moment::Files,
                );
            }
            if let Some(profile) = &line.profile {
                self.add(
                    dossier,
                    &folder.join(format!("{profile}.config.toml")),
                    Scope::Profile,
                    Moment::Profile,
                );
            }
        }
        self.layers.len()
    }

    /// With a `CODEX_HOME` that leads nowhere, the user will miss what stands in `~/.codex`.
    fn read_default_home(&mut self, dossier: &mut Dossier<'_>, home: &CodexHome) {
        let default = dossier
            .world
            .home
            .as_ref()
            .map(|home| home.join(".codex/config.toml"));
        if let Some(path) = default.filter(|_| home.is_lost())
            && let Reading::Layer(layer) = read(dossier, &path, Scope::User, Kind::Config)
        {
            dossier.mark(
                &path,
                FileState::Skipped,
                "CODEX_HOME points elsewhere",
                None,
            );
            self.unread.push(layer);
        }
    }

    fn add(&mut self, dossier: &mut Dossier<'_>, path: &Utf8Path, scope: Scope, moment: Moment) {
        match read(dossier, path, scope, Kind::Config) {
            Reading::Nothing => {}
            Reading::TooLarge => too_large(dossier, path),
            Reading::Layer(layer) => self.layers.push(layer),
            Reading::Unreadable(stop, remnants) | Reading::Malformed(stop, remnants) => {
                self.stops.push((moment, stop));
                self.lose(scope, remnants, false);
            }
        }
    }

    fn lose(&mut self, scope: Scope, remnants: Vec<Remnant>, untrusted: bool) {
        self.lost.extend(remnants.into_iter().map(|remnant| Lost {
            scope,
            remnant,
            untrusted,
        }));
    }

    /// The project's layers go between the profile and the command line.
    fn read_project(
        &mut self,
        dossier: &mut Dossier<'_>,
        line: &CommandLine,
        home: &CodexHome,
        below: usize,
    ) {
        let (project, stop) = {
            let early = Merged::where_counts(self.roots(), |_, key| toplevel::is_early(key));
            let fault = toplevel::check_early(&early).err();
            (
                Project::find(dossier, line, &early, &self.layers),
                self.complaint(&rules::KEYS, fault),
            )
        };
        self.stops.extend(stop.map(|stop| (Moment::Early, stop)));
        self.asks_for_trust = project.asks(dossier, line, home);
        self.trust_folder = project.trust_folder();
        self.outside_git = project.repository.is_none();
        self.stops
            .extend(project.refusal(line).map(|stop| (Moment::Start, stop)));
        let mut on = Vec::new();
        for folder in project.folders() {
            let dot_codex = folder.join(".codex");
            if !dossier.world.files.is_folder(&dot_codex) || home.is(dossier.world, &dot_codex) {
                continue;
            }
            let decision = project.decision(dossier, &folder).cloned();
            let trusted = decision.as_ref().is_some_and(|decision| decision.trusted);
            let path = dot_codex.join("config.toml");
            match read(dossier, &path, Scope::Project, Kind::Project) {
                Reading::Nothing => {}
                Reading::TooLarge => too_large(dossier, &path),
                Reading::Layer(layer) => match decision {
                    Some(decision) if trusted => on.push((layer, decision)),
                    decision => self.off.push(OffLayer { layer, decision }),
                },
                Reading::Malformed(_, remnants) if !trusted => {
                    self.lose(Scope::Project, remnants, true);
                }
                Reading::Unreadable(stop, remnants) | Reading::Malformed(stop, remnants) => {
                    self.stops.push((Moment::Project, stop));
                    self.lose(Scope::Project, remnants, !trusted);
                }
            }
            let hooks = project.hooks_stop(dossier, &folder, trusted);
            self.stops.extend(hooks.map(|stop| (Moment::Project, stop)));
        }
        self.trusted_by = on
            .iter()
            .enumerate()
            .map(|(at, (_, decision))| (below + at, decision.clone()))
            .collect();
        self.layers
            .splice(below..below, on.into_iter().map(|(layer, _)| layer));
    }

    /// What is wrong with `config`, the configuration as a whole.
    fn check(&self, line: &CommandLine, config: &Merged<'_>) -> Vec<(Moment, Stop)> {
        let fault = toplevel::check_all(config)
            .and_then(|()| toplevel::check_sense(config))
            .err();
        let in_servers = fault.as_ref().is_some_and(|fault| {
            fault
                .within
                .as_deref()
                .is_some_and(|within| within.starts_with("mcp_servers"))
        });
        let rule = if in_servers {
            &rules::ENTRY
        } else {
            &rules::KEYS
        };
        let stops = [
            (Moment::Merged, self.complaint(rule, fault)),
            (Moment::LegacyProfile, self.legacy_profile(line)),
            (Moment::Enterprise, enterprise::check(config, &self.layers)),
        ];
        let found = |(moment, stop)| Some((moment, stop?));
        stops.into_iter().filter_map(found).collect()
    }

    fn complaint(&self, rule: &'static Rule, fault: Option<Fault>) -> Option<Stop> {
        let fault = fault?;
        let place = fault.origin.and_then(|origin| self.place(origin));
        Some(Stop::complaint(rule, &fault, place))
    }

    /// Profiles as older versions wrote them. A project's are ignored.
    fn legacy_profile(&self, line: &CommandLine) -> Option<Stop> {
        let outside = self.layers.iter().enumerate();
        let outside = outside.filter(|(_, layer)| layer.scope != Scope::Project);
        let speaks = |(_, layer): (usize, &Layer)| {
            let root = layer.root();
            root.is_some_and(|root| root.get("profile").or(root.get("profiles")).is_some())
        };
        if !outside.clone().any(speaks) {
            return None;
        }
        let merged = Merged::of(outside.filter_map(|(at, layer)| Some((at, layer.root()?))));
        let place = |value: &Merged<'_>| value.origin().and_then(|origin| self.place(origin));
        if let Some(asked) = &line.profile {
            let table = merged.at(&["profiles", asked]);
            let key = merged
                .get("profile")
                .filter(|value| value.as_str() == Some(asked));
            if let Some(found) = table.or(key) {
                let words = format!(
                    "--profile `{asked}` cannot be used while config.toml contains legacy `profile = \"{asked}\"` or `[profiles.{asked}]` config"
                );
                return Some(Stop::new(&rules::LEGACY_PROFILE, words).at(place(found)));
            }
        }
        let key = merged.get("profile")?;
        let name = Shown(key.as_str()?);
        let words = format!(
            "legacy `profile = \"{name}\"` config is no longer supported; use `--profile {name}` with `{name}.config.toml` instead"
        );
        Some(Stop::new(&rules::LEGACY_PROFILE, words).at(place(key)))
    }
}

fn too_large(dossier: &mut Dossier<'_>, path: &Utf8Path) {
    let text = format!(
        "{} is larger than Muster reads; what Codex makes of it is not known",
        Shown(&dossier.world.shown(path))
    );
    dossier.note(&rules::FILE, text, None);
}

/// The session's folder within its project.
struct Project {
    /// The session folder as Codex knows it.
    cwd: Utf8PathBuf,
    /// The same with its links resolved.
    real: Utf8PathBuf,
    root: Utf8PathBuf,
    repository: Option<Repository>,
    trust: TrustTable,
}

impl Project {
    fn find(
        dossier: &Dossier<'_>,
        line: &CommandLine,
        config: &Merged<'_>,
        layers: &[Layer],
    ) -> Project {
        let world = dossier.world;
        // `-C DIR` keeps DIR as written; otherwise Codex asks the system where it is.
        let moved = world
            .session
            .as_ref()
            .and_then(|session| session.folder.as_ref());
        let cwd = moved.unwrap_or(&world.cwd).clone();
        let written = config.get("project_root_markers").and_then(Merged::as_list);
        let markers: Vec<&str> = match written {
            Some(markers) => markers.iter().filter_map(Merged::as_str).collect(),
            None => root::DEFAULT_MARKERS.to_vec(),
        };
        let root = root::project_root(world.files, &cwd, &markers);
        let repository = root::repository(world.files, &world.cwd);
        let mut project = Project {
            real: world.cwd.clone(),
            cwd,
            root,
            repository,
            trust: TrustTable::read(world, config, layers),
        };
        if line.trust {
            let folder = project.trust_folder();
            project.trust.grant(&folder);
        }
        project
    }

    /// The folders whose `.codex` is read: from the project root down to the session folder.
    fn folders(&self) -> Vec<Utf8PathBuf> {
        let mut folders: Vec<_> = self
            .cwd
            .ancestors()
            .take_while(|folder| folder.starts_with(&self.root))
            .map(Utf8Path::to_owned)
            .collect();
        folders.reverse();
        folders
    }

    fn decision(&self, dossier: &Dossier<'_>, folder: &Utf8Path) -> Option<&Decision> {
        let real = |path: &Utf8Path| {
            dossier
                .world
                .files
                .real_path(path)
                .unwrap_or_else(|| path.to_owned())
        };
        let mut keys = vec![
            real(folder),
            folder.to_owned(),
            real(&self.root),
            self.root.clone(),
        ];
        keys.extend(
            self.repository
                .as_ref()
                .and_then(|repository| repository.trust_root.clone()),
        );
        self.trust.first(&keys)
    }

    /// The folder that a yes would trust: the repository's, or outside git the session's.
    fn trust_folder(&self) -> Utf8PathBuf {
        self.repository
            .as_ref()
            .and_then(|repository| repository.trust_root.clone())
            .unwrap_or_else(|| self.real.clone())
    }

    /// Whether the panel asks before it starts anything: in a repository or beside a `.codex` that is not Codex's own folder, while
    /// nothing is written down. Observed on 0.171.0.
    fn asks(&self, dossier: &Dossier<'_>, line: &CommandLine, home: &CodexHome) -> bool {
        let world = dossier.world;
        let dot_codex = self.cwd.join(".codex");
        let beside = world.files.is_folder(&dot_codex) && !home.is(world, &dot_codex);
        let asked_about = self.repository.is_some() || beside;
        !world.headless()
            && line.program == Program::Tui
            && asked_about
            && self.decision(dossier, &self.cwd).is_none()
    }

    /// `codex exec` starts nothing outside git, trusted or not. Observed on 0.171.0: it notices that last of all.
    fn refusal(&self, line: &CommandLine) -> Option<Stop> {
        let refused = line.program == Program::Exec && line.needs_git && self.repository.is_none();
        refused.then(|| {
            let words =
                "Not inside a trusted directory and --skip-git-repo-check was not specified";
            Stop::new(&rules::OUTSIDE_GIT, words)
                .remedied_by("add --skip-git-repo-check, or start it in a git repository")
        })
    }

    /// In a linked worktree Codex also parses the main checkout's file of the same folder, for hooks. Observed on 0.171.0: what is
    /// unreadable there stops it, what is no TOML does so in a trusted folder; entries there do no harm and give no servers.
    fn hooks_stop(
        &self,
        dossier: &mut Dossier<'_>,
        folder: &Utf8Path,
        trusted: bool,
    ) -> Option<Stop> {
        let repository = self.repository.as_ref()?;
        let relative = folder.strip_prefix(&repository.checkout).ok()?;
        let dot_codex = repository.main.as_ref()?.join(relative).join(".codex");
        let path = dot_codex.join("config.toml");
        let files = dossier.world.files;
        if files.exists(&dot_codex) && !files.is_folder(&dot_codex) {
            let words = format!(
                "Failed to read project hooks config file {}: Not a directory (os error 20)",
                Shown(path.as_str())
            );
            return Some(Stop::new(&rules::WORKTREE, words));
        }
        match read(dossier, &path, Scope::Project, Kind::ProjectHooks) {
            Reading::Nothing | Reading::TooLarge => None,
            Reading::Unreadable(stop, _) => Some(stop),
            Reading::Malformed(stop, _) => trusted.then_some(stop),
            Reading::Layer(_) => {
                dossier.mark(&path, FileState::Skipped, "the main checkout's: read for hooks only, its servers do not count in a worktree", None);
                None
            }
        }
    }
}
