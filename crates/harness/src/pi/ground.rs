//! Where Pi looks: its own folder, and `.pi` of the session folder.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Platform, World, normalize};

/// The folders and files of one session.
#[derive(Debug)]
pub(super) struct Ground {
    /// Pi's own folder; `None` where there is no home.
    pub(super) agent: Option<Utf8PathBuf>,
    /// `PI_CODING_AGENT_DIR` named it.
    pub(super) moved: bool,
    /// `.pi` of the session folder.
    pub(super) project: Utf8PathBuf,
}

impl Ground {
    /// Finds them from the world alone. Observed on 1.6.0; on Windows, where `~\` counts too, not observed.
    pub(super) fn survey(world: &World<'_>) -> Ground {
        let named = world.env.filled("PI_CODING_AGENT_DIR");
        let agent = match named {
            Some(folder) => Some(at(folder, &world.cwd, world)),
            None => usual_agent(world),
        };
        Ground {
            agent,
            moved: named.is_some(),
            project: world.cwd.join(".pi"),
        }
    }

    /// The user's servers.
    pub(super) fn user_file(&self) -> Option<Utf8PathBuf> {
        self.in_agent("mcp.json")
    }

    /// The project's servers.
    pub(super) fn project_file(&self) -> Utf8PathBuf {
        self.project.join("mcp.json")
    }

    /// A file in Pi's own folder.
    pub(super) fn in_agent(&self, name: &str) -> Option<Utf8PathBuf> {
        self.agent.as_ref().map(|agent| agent.join(name))
    }
}

/// `~/.pi/agent`.
pub(super) fn usual_agent(world: &World<'_>) -> Option<Utf8PathBuf> {
    world.home.as_ref().map(|home| home.join(".pi/agent"))
}

/// The file that `text` names from `base`; a leading `~/`, or a lone `~`, is the home.
pub(super) fn at(text: &str, base: &Utf8Path, world: &World<'_>) -> Utf8PathBuf {
    match in_home(text, world) {
        Some(path) => path,
        None => world.at(text, base),
    }
}

/// `text` with a leading `~/`, or a lone `~`, as the home.
pub(super) fn expand_home(text: &str, world: &World<'_>) -> String {
    in_home(text, world).map_or_else(|| text.to_owned(), Utf8PathBuf::into_string)
}

/// What `text` names in the home; `None` where it does not start there. On Windows `~\\` counts too, which was not observed.
fn in_home(text: &str, world: &World<'_>) -> Option<Utf8PathBuf> {
    let home = world.home.as_ref()?;
    let windows = world.platform == Platform::Windows;
    let inside = text
        .strip_prefix("~/")
        .or_else(|| text.strip_prefix("~\\").filter(|_| windows));
    match inside {
        Some(inside) if windows => Some(normalize(&home.join(inside.replace('\\', "/")))),
        Some(inside) => Some(normalize(&home.join(inside.trim_start_matches('/')))),
        None => (text == "~").then(|| home.clone()),
    }
}
