//! Where Claude Code looks: the session folder, the repository around it, its configuration folder.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{GitRoot, Platform, World};

/// The folders that decide which files and which keys of files count.
#[derive(Debug)]
pub(super) struct Ground {
    /// The session folder, links resolved.
    pub(super) cwd: Utf8PathBuf,
    /// The nearest folder at or above it that holds an entry called `.git`.
    pub(super) git: Option<GitRoot>,
    /// The key of this place in `projects` of the state file: the main checkout's root, the git root, or the session folder.
    pub(super) project: Utf8PathBuf,
    /// The configuration folder: `~/.claude`, or what `CLAUDE_CONFIG_DIR` says.
    pub(super) config: Utf8PathBuf,
    /// The state file: `~/.claude.json`, or what takes its place.
    pub(super) state: Utf8PathBuf,
    /// The state file that an older `.config.json` pushes aside; `None` where there is no such file.
    pub(super) displaced_state: Option<Utf8PathBuf>,
    /// The folder of the administrator's files.
    pub(super) managed: Utf8PathBuf,
    /// The home, links resolved.
    pub(super) home: Option<Utf8PathBuf>,
}

impl Ground {
    /// Finds the ground of `world`. Observed on 2.1.332.
    pub(super) fn survey(world: &World<'_>) -> Ground {
        let cwd = world.cwd.clone();
        let git = GitRoot::find(world.files, &cwd);
        let project = match &git {
            Some(root) => root.main_checkout().unwrap_or_else(|| root.folder.clone()),
            None => cwd.clone(),
        };
        let home = world.home.clone().unwrap_or_else(|| Utf8PathBuf::from("/"));
        // An empty CLAUDE_CONFIG_DIR is not the same as none: the state file stays at home, the configuration folder becomes
        // the session folder.
        let (config, usual_state) = match world.env.get("CLAUDE_CONFIG_DIR") {
            None => (home.join(".claude"), home.join(".claude.json")),
            Some("") => (cwd.clone(), home.join(".claude.json")),
            Some(folder) => {
                let folder = world.at(folder, &cwd);
                let state = folder.join(".claude.json");
                (folder, state)
            }
        };
        let legacy = config.join(".config.json");
        let (state, displaced_state) = match world.files.is_file(&legacy) {
            true => (legacy, Some(usual_state)),
            false => (usual_state, None),
        };
        let managed = world.system(match world.platform {
            Platform::Linux => "/etc/claude-code",
            Platform::MacOs => "/Library/Application Support/ClaudeCode",
            Platform::Windows => "C:/Program Files/ClaudeCode",
        });
        let home = world.home.as_deref().map(|home| {
            world
                .files
                .real_path(home)
                .unwrap_or_else(|| home.to_owned())
        });
        Ground {
            cwd,
            git,
            project,
            config,
            state,
            displaced_state,
            managed,
            home,
        }
    }

    /// Where the plugin `name` of the marketplace `market` keeps its data. Observed on 2.1.332: plugins in folders of skills count as
    /// of the marketplace `skills-dir`, those of `--plugin-dir` as of `inline`.
    pub(super) fn plugin_data(&self, name: &str, market: &str) -> Utf8PathBuf {
        self.config
            .join("plugins/data")
            .join(format!("{name}-{market}"))
    }

    /// The folders whose `.mcp.json` is read, nearest first: the session folder and all above it, but not the root of the file
    /// system; reported for drives of Windows too (anthropics/claude-code#43499).
    pub(super) fn project_file_folders<'g>(
        &'g self,
        world: &'g World<'_>,
    ) -> impl Iterator<Item = &'g Utf8Path> {
        world
            .ancestors(&self.cwd)
            .filter(|folder| !world.is_root(folder))
    }

    /// The session folder and what is above it, up to the git root or, outside git, the root of the file system.
    pub(super) fn trust_walk(&self) -> impl Iterator<Item = &Utf8Path> {
        let last = self.git.as_ref().map(|root| root.folder.as_path());
        let mut done = false;
        self.cwd.ancestors().take_while(move |folder| {
            let inside = !done;
            done = Some(*folder) == last;
            inside
        })
    }
}
