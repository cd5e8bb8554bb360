//! OpenCode's configuration files as layers: each read once, or the reason why it stops OpenCode.

use std::rc::Rc;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Dossier, FileFault, FileKind, FileState, Files, Loaded, Rule, Scope, Source, World,
};
use muster_document::{
    Dialect, Document, JsonDialect, Masked, Node, Place, Secret, Shown, Span, SyntaxError,
};

use super::rules;
use super::stop::Stop;
use super::substitute::{self, Used};

/// JSON with comments and trailing commas, whatever the file is called. Observed on 1.18.33: a leading byte order mark is taken off, bytes
/// that are no UTF-8 become U+FFFD.
pub(super) const DIALECT: Dialect = Dialect::Json(JsonDialect {
    comments: true,
    trailing_commas: true,
    bom: true,
    ..JsonDialect::JSON_PARSE
});

/// Whose a layer is, and by which rule it is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner {
    pub(super) scope: Scope,
    pub(super) rule: &'static Rule,
}

/// One layer of the configuration.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) owner: Owner,
    /// How a person would call it: `~/.config/opencode/opencode.json`, `OPENCODE_CONFIG_CONTENT`.
    pub(super) name: String,
    text: Text,
    /// The parts of the file in whose place OpenCode reads something else, in order.
    changes: Vec<Span>,
}

#[derive(Debug)]
enum Text {
    /// A file that is read as it is.
    Plain(Rc<Source>),
    /// A file after `{env:}` and `{file:}`.
    Changed(Document),
    /// What a variable holds: it has no places.
    Variable(Document),
}

impl Layer {
    /// A file that is read as it is.
    pub(super) fn plain(world: &World<'_>, owner: Owner, source: Rc<Source>) -> Layer {
        Layer {
            owner,
            name: world.shown(source.path()),
            text: Text::Plain(source),
            changes: Vec::new(),
        }
    }

    /// The whole value.
    pub(super) fn root(&self) -> Option<&Node> {
        self.document().map(Document::root)
    }

    fn document(&self) -> Option<&Document> {
        match &self.text {
            Text::Plain(source) => source.document(),
            Text::Changed(document) | Text::Variable(document) => Some(document),
        }
    }

    /// `span` as a place in this layer's file.
    pub(super) fn place(&self, span: Span) -> Option<Place> {
        match &self.text {
            Text::Variable(_) => None,
            _ => self.document().map(|document| document.place(span)),
        }
    }

    /// The file, if it is one.
    pub(super) fn path(&self) -> Option<&Utf8Path> {
        match &self.text {
            Text::Variable(_) => None,
            _ => self.document().map(|document| &**document.path()),
        }
    }

    /// Whether something else is read in place of a part of `span`.
    pub(super) fn is_changed(&self, span: Span) -> bool {
        let first = self
            .changes
            .partition_point(|change| change.end <= span.start);
        self.changes
            .get(first)
            .is_some_and(|change| change.start < span.end)
    }

    /// The text of the string or key at `span`, which OpenCode reads as `value`, as it is written.
    pub(super) fn as_written(&self, span: Span, value: &str) -> String {
        if !self.is_changed(span) {
            return value.to_owned();
        }
        let written = self
            .document()
            .map(|document| span.of(document.text()))
            .unwrap_or_default();
        let string = Document::parse(
            Arc::from(Utf8Path::new("")),
            written.as_bytes(),
            Dialect::Json(JsonDialect::JSON_PARSE),
        );
        match string
            .as_ref()
            .ok()
            .and_then(|string| string.root().as_str())
        {
            Some(text) => text.to_owned(),
            None => written.trim_matches('"').to_owned(),
        }
    }
}

/// What a file gave.
#[derive(Debug)]
pub(super) enum Reading {
    /// Nothing: it is absent, empty, or OpenCode may not read it.
    Nothing,
    Layer(Layer),
    /// It stops OpenCode; with what its text names all the same.
    Stops(Stop, Option<Layer>),
}

/// Reads the file at `path` as 1.18.33 does.
pub(super) fn read(
    dossier: &mut Dossier<'_>,
    home: Option<&Utf8Path>,
    path: &Utf8Path,
    owner: Owner,
    used: &mut Used,
) -> Reading {
    let loaded = dossier.load(path, owner.scope, DIALECT, Files::LIMIT);
    let name = dossier.world.shown(path);
    let source = match &loaded {
        Loaded::Absent => return Reading::Nothing,
        Loaded::Empty => return read_blank(dossier, path, &name),
        Loaded::Skipped(fault) => return read_no_file(dossier, path, &name, fault),
        Loaded::Document(source) | Loaded::Broken(source) => Rc::clone(source),
    };
    let layer = |text: Text, changes: Vec<Span>| Layer {
        owner,
        name: name.clone(),
        text,
        changes,
    };
    let original: &str = match &*source {
        Source::Parsed(document) => document.text(),
        Source::Broken(error) => error.text(),
    };
    if !substitute::is_needed(original) {
        return match &*source {
            Source::Parsed(_) => Reading::Layer(layer(Text::Plain(source), Vec::new())),
            Source::Broken(error) => {
                let remnant = Document::salvage(error, DIALECT)
                    .map(|document| layer(Text::Changed(document), Vec::new()));
                Reading::Stops(not_json(error, &name, Some(error.place.clone())), remnant)
            }
        };
    }
    let mut of_this = Used::default();
    let mut changes = Vec::new();
    let world = dossier.world;
    let bytes = world.files.read(path, Files::LIMIT).unwrap_or_default();
    let folder = path.parent().unwrap_or(path);
    let parsed = Document::parse_rewritten(Arc::from(path), &bytes, DIALECT, |text| {
        let new = substitute::substitute(world, home, folder, &text, &mut of_this);
        changes = new.changes();
        new
    });
    // What the file names without the replacing, for the rows of what it costs.
    let remnant = |source: &Rc<Source>| match &**source {
        Source::Parsed(_) => Some(layer(Text::Plain(Rc::clone(source)), Vec::new())),
        Source::Broken(error) => Document::salvage(error, DIALECT)
            .map(|document| layer(Text::Changed(document), Vec::new())),
    };
    let fault = of_this.fault.take();
    used.values.append(&mut of_this.values);
    used.files.append(&mut of_this.files);
    if let Some(fault) = fault {
        let reference = fault.span.of(original);
        let message = bad_reference(&name, reference, &fault.path, fault.absent);
        let place = parsed_place(&source, fault.span);
        dossier.mark(
            path,
            FileState::Broken,
            "a file it refers to cannot be read",
            place.clone(),
        );
        let stop = Stop::new(&rules::SUBSTITUTION, message, &name).at(place);
        return Reading::Stops(stop, remnant(&source));
    }
    match parsed {
        Ok(document) => {
            if let Source::Broken(_) = &*source {
                dossier.mark(
                    path,
                    FileState::Read,
                    "it is JSON once its variables are put in",
                    None,
                );
            }
            Reading::Layer(layer(Text::Changed(document), changes))
        }
        Err(error) => {
            let place = Some(error.place.clone());
            dossier.mark(
                path,
                FileState::Broken,
                format!("{} once its variables are put in", error.message),
                place.clone(),
            );
            Reading::Stops(not_json(&error, &name, place), remnant(&source))
        }
    }
}

/// Reads what `OPENCODE_CONFIG_CONTENT` holds: `text`.
pub(super) fn read_variable(
    world: &World<'_>,
    home: Option<&Utf8Path>,
    text: &str,
    owner: Owner,
    used: &mut Used,
) -> Reading {
    const NAME: &str = "OPENCODE_CONFIG_CONTENT";
    let mut of_this = Used::default();
    let mut changes = Vec::new();
    let parsed = Document::parse_rewritten(
        Arc::from(Utf8Path::new(NAME)),
        text.as_bytes(),
        // A byte order mark in a variable is no mark.
        Dialect::Json(JsonDialect {
            comments: true,
            trailing_commas: true,
            ..JsonDialect::JSON_PARSE
        }),
        |text| {
            let new = substitute::substitute(world, home, &world.cwd, &text, &mut of_this);
            changes = new.changes();
            new
        },
    );
    let fault = of_this.fault.take();
    used.values.append(&mut of_this.values);
    used.files.append(&mut of_this.files);
    let layer = |document: Document, changes: Vec<Span>| Layer {
        owner,
        name: NAME.to_owned(),
        text: Text::Variable(document),
        changes,
    };
    match (fault, parsed) {
        (Some(fault), parsed) => {
            let message = bad_reference(NAME, fault.span.of(text), &fault.path, fault.absent);
            let stop = Stop::new(&rules::SUBSTITUTION, message, NAME);
            Reading::Stops(stop, parsed.ok().map(|document| layer(document, changes)))
        }
        (None, Ok(document)) => Reading::Layer(layer(document, changes)),
        (None, Err(error)) => {
            let remnant = Document::salvage(&error, DIALECT);
            let stop = not_json(&error, NAME, None);
            Reading::Stops(stop, remnant.map(|document| layer(document, Vec::new())))
        }
    }
}

/// A file of blanks alone, or with nothing in it at all, which is no fault.
fn read_blank(dossier: &mut Dossier<'_>, path: &Utf8Path, name: &str) -> Reading {
    let bytes = dossier
        .world
        .files
        .read(path, Files::LIMIT)
        .unwrap_or_default();
    if bytes.is_empty() || *bytes == *b"\xEF\xBB\xBF" {
        return Reading::Nothing;
    }
    dossier.mark(path, FileState::Broken, "it holds nothing but blanks", None);
    let message = format!(
        "Config file at {} is not valid JSON(C): ValueExpected",
        Shown(name)
    );
    Reading::Stops(Stop::new(&rules::SYNTAX, message, name), None)
}

/// What is in the place of a file and none. Observed on 1.18.33: a folder stops OpenCode; what it may not read it passes over.
fn read_no_file(
    dossier: &mut Dossier<'_>,
    path: &Utf8Path,
    name: &str,
    fault: &FileFault,
) -> Reading {
    let message = match fault {
        FileFault::WrongKind(FileKind::Folder) => {
            format!("BadResource: FileSystem.readFile ({})", Shown(name))
        }
        FileFault::WrongKind(FileKind::Fifo) => {
            format!("it waits at the named pipe {}", Shown(name))
        }
        _ => return Reading::Nothing,
    };
    dossier.mark(path, FileState::Broken, fault.to_string(), None);
    Reading::Stops(Stop::new(&rules::FILE, message, name), None)
}

fn not_json(error: &SyntaxError, name: &str, place: Option<Place>) -> Stop {
    let message = format!(
        "Config file at {} is not valid JSON(C): {}",
        Shown(name),
        error.message
    );
    Stop::new(&rules::SYNTAX, message, name).at(place)
}

/// OpenCode's words for a `{file:PATH}` that cannot be followed. Where a variable is part of it, the path it gives stays unsaid.
fn bad_reference(name: &str, reference: &str, path: &Utf8Path, absent: bool) -> String {
    let shown = Masked::word(&Secret::new(reference));
    let missing = match absent && !reference.contains("{env:") && reference.contains("{file:") {
        true => format!(
            " {} does not exist",
            Masked::path(&Secret::new(path.as_str()))
        ),
        false => String::new(),
    };
    format!(
        "Configuration is invalid at {}: bad file reference: \"{shown}\"{missing}",
        Shown(name)
    )
}

fn parsed_place(source: &Source, span: Span) -> Option<Place> {
    match source {
        Source::Parsed(document) => Some(document.place(span)),
        Source::Broken(error) => {
            let lines = muster_document::LineIndex::new(error.text());
            Some(Place {
                path: Arc::clone(&error.place.path),
                span,
                position: lines.position(error.text(), span.start),
            })
        }
    }
}

/// Whether something that is no folder stands where a folder is read from: that stops OpenCode.
pub(super) fn no_folder(
    dossier: &mut Dossier<'_>,
    folder: &Utf8PathBuf,
    owner: Owner,
) -> Option<Stop> {
    let files = dossier.world.files;
    if !files.exists(folder) || files.is_folder(folder) {
        return None;
    }
    let name = dossier.world.shown(folder);
    dossier.look_at(folder, owner.scope, Some("it is no folder".to_owned()));
    let message = format!(
        "BadResource: FileSystem.readFile ({}/opencode.json)",
        Shown(&name)
    );
    Some(Stop::new(&rules::FILE, message, &name))
}
