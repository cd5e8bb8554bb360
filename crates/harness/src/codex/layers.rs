//! Codex's configuration files as layers: each read once, or the reason why it stops Codex.

use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileFault, FileState, Files, Loaded, Platform, Scope, Source, World};
use muster_document::{Dialect, Document, Node, Place, Shown, Span};

use super::rules;
use super::salvage::{self, Remnant};
use super::stop::Stop;

/// One layer of the configuration.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) scope: Scope,
    /// How a person would call it: `~/.codex/config.toml`, `-c`.
    pub(super) name: String,
    content: Content,
}

#[derive(Debug)]
enum Content {
    File(Rc<Source>),
    Flags(Node),
}

impl Layer {
    /// What the command line says.
    pub(super) fn flags(node: Node) -> Layer {
        Layer {
            scope: Scope::Flag,
            name: "the command line".to_owned(),
            content: Content::Flags(node),
        }
    }

    /// What `source` says, called `name`.
    pub(super) fn file(scope: Scope, name: String, source: Rc<Source>) -> Layer {
        Layer {
            scope,
            name,
            content: Content::File(source),
        }
    }

    /// The whole value; `None` only if the file did not parse, and such a file is no layer.
    pub(super) fn root(&self) -> Option<&Node> {
        match &self.content {
            Content::Flags(node) => Some(node),
            Content::File(_) => self.document().map(Document::root),
        }
    }

    /// `span` as a place in this layer's file.
    pub(super) fn place(&self, span: Span) -> Option<Place> {
        self.document().map(|document| document.place(span))
    }

    fn document(&self) -> Option<&Document> {
        match &self.content {
            Content::File(source) => match &**source {
                Source::Parsed(document) => Some(document),
                Source::Broken(_) => None,
            },
            Content::Flags(_) => None,
        }
    }
}

/// Which of Codex's sentences fits a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// System, user, profile and managed files.
    Config,
    /// A project's file.
    Project,
    /// The main checkout's file beside a worktree's, read for hooks only.
    ProjectHooks,
}

impl Kind {
    fn noun(self) -> &'static str {
        match self {
            Kind::Config => "config file",
            Kind::Project => "project config file",
            Kind::ProjectHooks => "project hooks config file",
        }
    }
}

/// What a file gave.
#[derive(Debug)]
pub(super) enum Reading {
    /// Nothing: it is absent or empty.
    Nothing,
    /// A layer.
    Layer(Layer),
    /// It cannot be read at all; in a project that stops Codex whether trusted or not.
    Unreadable(Stop, Vec<Remnant>),
    /// It is no TOML.
    Malformed(Stop, Vec<Remnant>),
    /// Codex may read it, Muster does not.
    TooLarge,
}

/// Reads the file at `path`. Observed on 0.171.0: TOML 1.1, UTF-8 with or without a byte order mark; a folder, pipe or device in
/// the file's place stops Codex.
pub(super) fn read(
    dossier: &mut Dossier<'_>,
    path: &Utf8Path,
    scope: Scope,
    kind: Kind,
) -> Reading {
    let loaded = dossier.load(path, scope, Dialect::Toml, Files::LIMIT);
    let shown = Shown(path.as_str());
    let unreadable = |words: String| {
        Stop::new(
            &rules::FILE,
            format!("Failed to read {} {shown}: {words}", kind.noun()),
        )
    };
    match loaded {
        Loaded::Absent | Loaded::Empty => Reading::Nothing,
        Loaded::Document(source) => {
            Reading::Layer(Layer::file(scope, name(dossier.world, path), source))
        }
        Loaded::Skipped(FileFault::TooLarge { .. }) => Reading::TooLarge,
        Loaded::Skipped(fault) => {
            let stop = unreadable(match &fault {
                FileFault::WrongKind(_) => format!("path `{shown}` is not a file"),
                fault => fault.to_string(),
            });
            dossier.mark(path, FileState::Broken, fault.to_string(), None);
            Reading::Unreadable(stop, Vec::new())
        }
        Loaded::Broken(source) => {
            let Source::Broken(error) = &*source else {
                return Reading::Nothing;
            };
            let place = Some(error.place.clone());
            let remnants = salvage::remnants(error);
            if let Some(words) = not_utf8(dossier.world, path) {
                return Reading::Unreadable(unreadable(words).at(place), remnants);
            }
            let message = match kind {
                Kind::Config => error.message.clone(),
                _ => {
                    let at = error.position();
                    let header = format!("Error parsing {} {shown}: TOML parse error", kind.noun());
                    format!(
                        "{header} at line {}, column {}: {}",
                        at.line, at.column, error.message
                    )
                }
            };
            Reading::Malformed(Stop::new(&rules::SYNTAX, message).at(place), remnants)
        }
    }
}

/// `path` as a person in the session folder would call it.
pub(super) fn name(world: &World<'_>, path: &Utf8Path) -> String {
    let below = [&world.folder, &world.cwd]
        .into_iter()
        .find_map(|folder| path.strip_prefix(folder).ok());
    let in_home = world
        .home
        .as_deref()
        .is_some_and(|home| path.starts_with(home.join(".codex")));
    match below {
        Some(relative) if !in_home => relative.to_string(),
        _ => world.tilde(path),
    }
}

/// The words of the standard library, which are Codex's, if the file is not UTF-8.
fn not_utf8(world: &World<'_>, path: &Utf8Path) -> Option<String> {
    let bytes = world.files.read(path, Files::LIMIT).ok()?;
    std::str::from_utf8(&bytes)
        .err()
        .map(|error| error.to_string())
}

/// The path of one of the administrator's files. Documented, not observed, for Windows.
pub(super) fn system_file(world: &World<'_>, name: &str) -> Utf8PathBuf {
    match world.platform {
        Platform::Windows => {
            let named = world.env.filled("ProgramData");
            let data = match named {
                Some(data) => world.at(data, &world.cwd),
                None => world.system("C:/ProgramData"),
            };
            data.join("OpenAI").join("Codex").join(name)
        }
        _ => world.system(&format!("/etc/codex/{name}")),
    }
}
