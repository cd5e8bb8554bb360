//! `CODEX_HOME`, and the `.env` beside its `config.toml` that changes what Codex takes from the environment.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Environment, FileFault, FileReport, FileState, Platform, Scope, World};
use muster_document::{Secret, Shown};

use super::merge::Merged;
use super::rules;
use super::stop::Stop;

/// The largest `.env` that is read, in bytes.
const ENV_LIMIT: u64 = 1024 * 1024;

/// What the folder is called where `CODEX_HOME` does not move it.
const DEFAULT_NAME: &str = "~/.codex";

/// Codex's own folder.
#[derive(Debug)]
pub(super) struct CodexHome {
    /// The folder; `None` where there is neither `CODEX_HOME` nor a home.
    pub(super) folder: Option<Utf8PathBuf>,
    /// How a person would call it: `~/.codex`, or its path.
    pub(super) name: String,
    /// Why Codex stops over it.
    pub(super) stop: Option<Stop>,
}

impl CodexHome {
    /// Finds the folder. Observed on 0.171.0: an empty `CODEX_HOME` counts as unset; a relative one is taken from the working
    /// folder; `~` is not expanded; one that is missing or no folder stops Codex, a missing `~/.codex` does not.
    pub(super) fn find(world: &World<'_>) -> CodexHome {
        match world.env.filled("CODEX_HOME") {
            Some(text) => {
                let folder = match world.platform {
                    Platform::Windows => world.at(text, &world.cwd),
                    _ => world.cwd.join(text),
                };
                let stop = fault(world, &folder).map(|fault| {
                    Stop::new(
                        &rules::HOME,
                        format!(
                            "CODEX_HOME points to {:?}, but that path {fault}",
                            Shown(text).to_string()
                        ),
                    )
                });
                CodexHome {
                    name: world.tilde(&folder),
                    folder: Some(folder).filter(|_| stop.is_none()),
                    stop,
                }
            }
            None => {
                let folder = world.home.as_ref().map(|home| home.join(".codex"));
                let stop = folder
                    .as_deref()
                    .filter(|folder| world.files.exists(folder) && !world.files.is_folder(folder))
                    .map(|folder| {
                        let file = folder.join("config.toml");
                        Stop::new(
                            &rules::HOME,
                            format!(
                                "Failed to read config file {}: Not a directory (os error 20)",
                                Shown(file.as_str())
                            ),
                        )
                    });
                CodexHome {
                    name: DEFAULT_NAME.to_owned(),
                    folder: folder.filter(|_| stop.is_none()),
                    stop,
                }
            }
        }
    }

    /// Whether `CODEX_HOME` is set and leads nowhere.
    pub(super) fn is_lost(&self) -> bool {
        self.stop.is_some() && self.name != DEFAULT_NAME
    }

    /// Whether `folder` is Codex's own folder, by its text or by where it leads.
    pub(super) fn is(&self, world: &World<'_>, folder: &Utf8Path) -> bool {
        self.folder.as_deref().is_some_and(|own| {
            own == folder
                || world
                    .files
                    .real_path(own)
                    .is_some_and(|real| world.files.real_path(folder) == Some(real))
        })
    }
}

fn fault(world: &World<'_>, folder: &Utf8Path) -> Option<&'static str> {
    match (world.files.is_folder(folder), world.files.exists(folder)) {
        (true, _) => None,
        (false, true) => Some("is not a directory"),
        (false, false) => Some("does not exist"),
    }
}

/// The environment as Codex sees it: `$CODEX_HOME/.env` overrides what was there, except for names that start with `CODEX_`.
/// Observed on 0.171.0; a `.env` of the project is not read. What stands in the file is added to `known`.
pub(super) fn effective(
    dossier: &mut Dossier<'_>,
    home: &CodexHome,
    known: &mut Vec<(String, Secret)>,
) -> Environment {
    let mut env = dossier.world.env.clone();
    let Some(path) = home.folder.as_ref().map(|folder| folder.join(".env")) else {
        return env;
    };
    let content = dossier.world.files.read(&path, ENV_LIMIT);
    let (state, note) = match &content {
        Ok(_) => (
            FileState::Read,
            Some("it overrides the environment".to_owned()),
        ),
        Err(FileFault::Absent) => (FileState::Absent, None),
        Err(fault) => (FileState::Unreadable, Some(fault.to_string())),
    };
    dossier.files.push(FileReport {
        path,
        scope: Scope::User,
        state,
        note,
        place: None,
    });
    let Ok(text) = content else { return env };
    for line in String::from_utf8_lossy(&text).lines() {
        let Some((name, value)) = assignment(line, &env) else {
            continue;
        };
        known.push((name.clone(), Secret::new(&value)));
        if !name.to_ascii_uppercase().starts_with("CODEX_") {
            env.set(name, value);
        }
    }
    env
}

/// The variables that servers are passed by name (`env_vars`).
pub(super) fn passed_on(config: &Merged<'_>, env: &Environment) -> Vec<(String, Secret)> {
    let servers = config
        .get("mcp_servers")
        .into_iter()
        .flat_map(Merged::members);
    servers
        .filter_map(|(_, server)| server.get("env_vars")?.as_list())
        .flatten()
        .filter_map(|variable| {
            let name = variable
                .as_str()
                .or_else(|| variable.get("name")?.as_str())?;
            Some((name.to_owned(), Secret::new(env.filled(name)?)))
        })
        .collect()
}

/// One line of a `.env` file; lines that are none are passed over.
fn assignment(line: &str, env: &Environment) -> Option<(String, String)> {
    let line = line.trim_start();
    let (name, rest) = line
        .strip_prefix("export ")
        .unwrap_or(line)
        .split_once('=')?;
    let name = name.trim();
    let good = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    good.then(|| (name.to_owned(), value(rest.trim(), env)))
}

fn value(text: &str, env: &Environment) -> String {
    let quoted = |quote: char| {
        text.strip_prefix(quote)
            .and_then(|rest| rest.split(quote).next())
    };
    if let Some(literal) = quoted('\'') {
        return literal.to_owned();
    }
    let plain =
        quoted('"').unwrap_or_else(|| text.split(" #").next().unwrap_or_default().trim_end());
    expand(plain, env)
}

/// `$NAME` and `${NAME}` replaced; unset ones by nothing.
fn expand(text: &str, env: &Environment) -> String {
    let mut pieces = text.split('$');
    let mut expanded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = match piece
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'))
        {
            Some(braced) => braced,
            None => piece.split_at(
                piece
                    .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                    .unwrap_or(piece.len()),
            ),
        };
        expanded.push_str(env.get(name).unwrap_or_default());
        expanded.push_str(rest);
    }
    expanded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_dotenv() {
        let env: Environment = [("A", "1")].into_iter().collect();
        for (line, expected) in [
            ("B=2", Some(("B", "2"))),
            ("export B = \"x y\" # c", Some(("B", "x y"))),
            ("B='$A'", Some(("B", "$A"))),
            ("B=${A}$NONE.z", Some(("B", "1.z"))),
            ("B=", Some(("B", ""))),
            ("B=x # c", Some(("B", "x"))),
            ("# B=1", None),
            ("bad line", None),
        ] {
            let found = assignment(line, &env);
            assert_eq!(
                found
                    .as_ref()
                    .map(|(name, value)| (name.as_str(), value.as_str())),
                expected,
                "{line}"
            );
        }
    }
}
