//! Pi's extensions: files that may take the place of its own support for MCP, and answer whether a folder is trusted.
//!
//! Nothing of them is run. Observed on 1.6.0 for what lies in an `extensions` folder or is named by `-e`; the rest was read in the
//! source. What `.gitignore` hides, and what an extension imports, is not followed.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Files, Scope, World};
use muster_document::Node;

use super::ground::at;
use super::patterns::{Pattern, Target, decided_by, off_by, relative};
use super::session::Flags;
use super::settings::{JSON, Settings, source_of};

/// How much of an extension is looked at, in bytes.
const LONGEST: u64 = 4 * 1024 * 1024;

/// What extensions there are, as far as a reader of files can say.
#[derive(Debug, Default)]
pub(super) struct Extensions {
    /// Those that were read, each once.
    pub(super) files: Vec<Extension>,
    /// Packages that `-e` would fetch.
    pub(super) fetched: usize,
    /// Paths given with `-e` that lead nowhere.
    pub(super) missing: Vec<Utf8PathBuf>,
    /// `-e builtin:…`, without the prefix.
    pub(super) builtin: Vec<String>,
    known: HashSet<Utf8PathBuf>,
}

/// An extension's file.
#[derive(Debug)]
pub(super) struct Extension {
    pub(super) path: Utf8PathBuf,
    pub(super) scope: Scope,
    /// It registers the command `/mcp`.
    pub(super) registers_mcp: bool,
    /// It listens to the event `project_trust`.
    pub(super) answers_trust: bool,
}

impl Extensions {
    /// Those that the command line names, and, unless it leaves them out, the user's.
    pub(super) fn find(dossier: &mut Dossier<'_>, flags: &Flags, user: Option<&Settings>) -> Self {
        let mut found = Extensions::default();
        for word in &flags.extensions {
            found.add_named(dossier, word);
        }
        if let Some(user) = user.filter(|_| !flags.no_extensions) {
            found.add_settings(dossier, user);
        }
        found
    }

    /// Adds those of a trusted project.
    pub(super) fn add_project(
        &mut self,
        dossier: &mut Dossier<'_>,
        flags: &Flags,
        project: &Settings,
    ) {
        if !flags.no_extensions {
            self.add_settings(dossier, project);
        }
    }

    /// The extension that takes the place of Pi's own support.
    pub(super) fn in_place_of_mcp(&self) -> Option<&Extension> {
        self.files.iter().find(|extension| extension.registers_mcp)
    }

    /// The extension that answers whether a folder is trusted.
    pub(super) fn asker(&self) -> Option<&Extension> {
        self.files.iter().find(|extension| extension.answers_trust)
    }

    /// A value of `-e`.
    fn add_named(&mut self, dossier: &mut Dossier<'_>, word: &str) {
        let world = dossier.world;
        if let Some(name) = word.strip_prefix("builtin:") {
            self.builtin.push(name.to_owned());
        } else if is_fetched(word) {
            self.fetched += 1;
        } else {
            let path = at(word, &world.cwd, world);
            if !world.files.exists(&path) {
                self.missing.push(path);
                return;
            }
            for file in package(dossier, &path) {
                self.add(world, file, Scope::Flag);
            }
        }
    }

    /// What a settings file names and what lies beside it.
    fn add_settings(&mut self, dossier: &mut Dossier<'_>, settings: &Settings) {
        let world = dossier.world;
        let words = settings.words("extensions");
        let named = words.iter().filter(|(word, _)| !Pattern::is_one(word));
        let named: Vec<_> = named
            .map(|(word, _)| at(word, &settings.base, world))
            .collect();
        let mut files = Vec::new();
        for path in named {
            files.extend(files_of(dossier, &path));
        }
        files.extend(in_folder(dossier, &settings.base.join("extensions")));
        files.retain(|path| {
            let inside = relative(path, &settings.base);
            let target = Target {
                path: path.as_str(),
                relative: inside.as_deref(),
            };
            off_by(&words, target, world).is_none()
        });
        for source in settings
            .get("packages")
            .and_then(Node::as_array)
            .unwrap_or_default()
        {
            files.extend(installed(dossier, source, settings));
        }
        for file in files {
            self.add(world, file, settings.scope);
        }
    }

    fn add(&mut self, world: &World<'_>, path: Utf8PathBuf, scope: Scope) {
        if !self.known.insert(path.clone()) {
            return;
        }
        let Ok(bytes) = world.files.read(&path, LONGEST) else {
            return;
        };
        let text = String::from_utf8_lossy(&bytes);
        self.files.push(Extension {
            path,
            scope,
            registers_mcp: registers_mcp(&text),
            answers_trust: text.contains("project_trust"),
        });
    }
}

/// Whether the built-in support is switched off by a settings file: the word that does it, and the file.
pub(super) fn switched_off<'s>(
    world: &World<'_>,
    user: Option<&'s Settings>,
    project: Option<&'s Settings>,
) -> Option<(&'s Settings, &'s Node)> {
    const MCP: Target<'_> = Target {
        path: "builtin:mcp",
        relative: None,
    };
    if let Some(project) = project
        && let Some((on, _, node)) = decided_by(&project.words("extensions"), MCP, world)
    {
        return (!on).then_some((project, node));
    }
    let user = user?;
    let (_, node) = off_by(&user.words("extensions"), MCP, world)?;
    Some((user, node))
}

/// Whether JavaScript in `text` registers the command `mcp`, as far as its spelling shows.
fn registers_mcp(text: &str) -> bool {
    let mut calls = text.split("registerCommand").skip(1);
    calls.any(|after| {
        let after = after.trim_start();
        let Some(argument) = after.strip_prefix('(').map(str::trim_start) else {
            return false;
        };
        ["\"mcp\"", "'mcp'", "`mcp`"]
            .iter()
            .any(|name| argument.starts_with(name))
    })
}

/// Whether a source is a package from elsewhere.
fn is_fetched(source: &str) -> bool {
    ["npm:", "git:", "github:", "http:", "https:", "ssh:"]
        .iter()
        .any(|prefix| source.trim().starts_with(prefix))
}

/// The extensions of a package that a settings file names, where it is installed.
fn installed(dossier: &mut Dossier<'_>, source: &Node, settings: &Settings) -> Vec<Utf8PathBuf> {
    let Some(named) = source_of(source) else {
        return Vec::new();
    };
    let root = match named.strip_prefix("npm:") {
        Some(spec) => settings
            .base
            .join("npm/node_modules")
            .join(npm_name(spec.trim())),
        None if is_fetched(named) => match git_path(named) {
            Some(path) => settings.base.join("git").join(path),
            None => return Vec::new(),
        },
        None => at(named, &settings.base, dossier.world),
    };
    let files = package(dossier, &root);
    let world = dossier.world;
    let Some(filter) = source.get("extensions").and_then(Node::as_array) else {
        return files;
    };
    let words: Vec<_> = filter
        .iter()
        .filter_map(|word| Some((word.as_str()?, ())))
        .collect();
    let kept = |path: &Utf8PathBuf| {
        let inside = relative(path, &root);
        let target = Target {
            path: path.as_str(),
            relative: inside.as_deref(),
        };
        !words.is_empty() && off_by(&words, target, world).is_none()
    };
    files.into_iter().filter(kept).collect()
}

/// `@scope/name@1.2` without its version.
fn npm_name(spec: &str) -> &str {
    let version = spec.char_indices().skip(1).find(|(_, c)| *c == '@');
    version.and_then(|(at, _)| spec.get(..at)).unwrap_or(spec)
}

/// `host/owner/name` of `git:host/owner/name@ref`, `https://host/owner/name.git`, `github:owner/name`.
fn git_path(source: &str) -> Option<String> {
    let (prefix, rest) = source.trim().split_once(':')?;
    let rest = rest.trim_start_matches("//");
    let rest = rest.split_once("git@").map_or(rest, |(_, rest)| rest);
    let rest = rest.split('@').next()?.trim_end_matches(".git");
    let rest = rest.replacen(':', "/", 1);
    Some(match prefix {
        "github" => format!("github.com/{rest}"),
        _ => rest,
    })
}

/// The extensions of a package: a file, or a folder with a manifest, an `extensions` folder, or an entry of its own.
fn package(dossier: &mut Dossier<'_>, root: &Utf8Path) -> Vec<Utf8PathBuf> {
    let files = dossier.world.files;
    if files.is_file(root) {
        return vec![root.to_owned()];
    }
    if !files.is_folder(root) {
        return Vec::new();
    }
    match manifest(dossier, root) {
        Some(entries) => entries,
        None if files.is_folder(&root.join("extensions")) => {
            in_folder(dossier, &root.join("extensions"))
        }
        None => entry_of(dossier, root).unwrap_or_default(),
    }
}

/// A path in settings: a file, or a folder of them.
fn files_of(dossier: &mut Dossier<'_>, path: &Utf8Path) -> Vec<Utf8PathBuf> {
    match dossier.world.files.is_file(path) {
        true => vec![path.to_owned()],
        false => in_folder(dossier, path),
    }
}

/// What a folder of extensions holds: its own entry, or its files and the entries of its folders.
fn in_folder(dossier: &mut Dossier<'_>, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let files: &Files = dossier.world.files;
    let Ok(names) = files.list(folder) else {
        return Vec::new();
    };
    if let Some(own) = entry_of(dossier, folder) {
        return own;
    }
    let mut found = Vec::new();
    for name in names
        .iter()
        .filter(|name| !name.starts_with('.') && *name != "node_modules")
    {
        let path = folder.join(name);
        if files.is_file(&path) {
            found.extend((name.ends_with(".ts") || name.ends_with(".js")).then_some(path));
        } else if let Some(entries) = entry_of(dossier, &path) {
            found.extend(entries);
        }
    }
    found
}

/// The entries of a folder that is an extension itself.
fn entry_of(dossier: &mut Dossier<'_>, folder: &Utf8Path) -> Option<Vec<Utf8PathBuf>> {
    if let Some(entries) = manifest(dossier, folder).filter(|entries| !entries.is_empty()) {
        return Some(entries);
    }
    let files = dossier.world.files;
    ["index.ts", "index.js"]
        .iter()
        .map(|name| folder.join(name))
        .find(|path| files.exists(path))
        .map(|path| vec![path])
}

/// What `pi.extensions` of a package.json names, as far as it is there; `None` where it names none.
fn manifest(dossier: &mut Dossier<'_>, folder: &Utf8Path) -> Option<Vec<Utf8PathBuf>> {
    let path = folder.join("package.json");
    if !dossier.world.files.is_file(&path) {
        return None;
    }
    let source = dossier.examine(&path, JSON)?;
    let document = source.document()?;
    let entries = document.root().get("pi")?.get("extensions")?.as_array()?;
    let world = dossier.world;
    let paths = entries
        .iter()
        .filter_map(Node::as_str)
        .filter(|entry| !Pattern::is_one(entry))
        .map(|entry| world.at(entry, folder))
        .filter(|path| world.files.exists(path));
    Some(paths.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_found_by_its_spelling() {
        for (text, found) in [
            ("pi.registerCommand(\"mcp\", {})", true),
            ("pi.registerCommand (\n  'mcp',", true),
            ("registerCommand(`mcp`", true),
            ("pi.registerCommand(\"mcp-lite\", {})", false),
            ("registerCommand; registerTool(\"mcp\")", false),
        ] {
            assert_eq!(registers_mcp(text), found, "{text}");
        }
    }

    #[test]
    fn where_packages_are_installed() {
        assert_eq!(npm_name("@acme/pi-tools@^1.2"), "@acme/pi-tools");
        assert_eq!(npm_name("pi-tools@1"), "pi-tools");
        for (source, path) in [
            ("git:github.com/o/n@v1", "github.com/o/n"),
            ("https://github.com/o/n.git", "github.com/o/n"),
            ("ssh://git@github.com/o/n", "github.com/o/n"),
            ("git:git@github.com:o/n", "github.com/o/n"),
            ("github:o/n", "github.com/o/n"),
        ] {
            assert_eq!(git_path(source).as_deref(), Some(path), "{source}");
        }
    }
}
