//! Signatures in lines.

use muster_document::Shown;

use super::Signature;
use super::shape::{Member, Shape};
use crate::text::{Tone, width};

/// What one level of members is indented by.
const STEP: usize = 2;

/// A piece of a line and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) tone: Tone,
    /// Foreign text.
    pub(crate) text: String,
}

/// The columns that `pieces` fill once they are shown.
pub(crate) fn pieces_width(pieces: &[Piece]) -> usize {
    let shown = |piece: &Piece| width(&Shown(&piece.text).to_string());
    pieces.iter().map(shown).sum()
}

/// Lines in the making.
pub(super) struct Layout {
    room: usize,
    lines: Vec<(usize, Vec<Piece>)>,
}

fn plain(text: impl Into<String>) -> Piece {
    Piece {
        tone: Tone::Plain,
        text: text.into(),
    }
}

fn kind(text: impl Into<String>) -> Piece {
    Piece {
        tone: Tone::Place,
        text: text.into(),
    }
}

fn dim(text: impl Into<String>) -> Piece {
    Piece {
        tone: Tone::Dim,
        text: text.into(),
    }
}

impl Layout {
    pub(super) fn flat_signature(signature: &Signature) -> Vec<Piece> {
        let mut pieces = vec![name(signature), plain("(")];
        match (&signature.parameters, &signature.whole) {
            (Some(members), _) => {
                for (at, member) in members.iter().enumerate() {
                    pieces.extend((at > 0).then(|| plain(", ")));
                    pieces.extend(label(member));
                    pieces.extend(Layout::flat_shape(&member.shape));
                    pieces.extend(default(member));
                }
            }
            (None, whole) => pieces.extend(whole.iter().flat_map(Layout::flat_shape)),
        }
        pieces.push(plain(")"));
        if let Some(result) = &signature.result {
            pieces.push(plain(" → "));
            pieces.extend(Layout::flat_shape(result));
        }
        pieces
    }

    pub(super) fn flat_shape(shape: &Shape) -> Vec<Piece> {
        let mut pieces = Vec::new();
        flat(shape, &mut pieces);
        pieces
    }

    /// In lines of at most `room` columns. Unless the `whole` is wanted, of a result that does not fit only the names of its members stay.
    pub(super) fn signature(
        signature: &Signature,
        room: usize,
        whole: bool,
    ) -> Vec<(usize, Vec<Piece>)> {
        let flat = Layout::flat_signature(signature);
        if pieces_width(&flat) <= room {
            return vec![(0, flat)];
        }
        let mut layout = Layout {
            room,
            lines: Vec::new(),
        };
        let head = Layout::flat_signature(&Signature {
            result: None,
            ..signature.clone()
        });
        let result = signature.result.as_ref();
        let briefly = result.map(|result| match whole {
            true => vec![plain("{")],
            false => brief(result),
        });
        let behind = briefly.as_ref().map_or(0, |brief| 3 + pieces_width(brief));
        let mut open = if pieces_width(&head) + behind <= room {
            head
        } else {
            layout.taken(signature)
        };
        match (result, briefly) {
            (Some(result), _) if whole => {
                open.push(plain(" → "));
                layout.shape(open, result, Vec::new(), 0);
            }
            (Some(_), Some(brief)) => {
                open.push(plain(" → "));
                open.extend(brief);
                layout.lines.push((0, open));
            }
            _ => layout.lines.push((0, open)),
        }
        layout.lines
    }

    /// What is taken, line by line; the last line, which more may follow, is given back.
    fn taken(&mut self, signature: &Signature) -> Vec<Piece> {
        let mut open = vec![name(signature), plain("(")];
        match &signature.parameters {
            Some(members) if !members.is_empty() => {
                self.lines.push((0, open));
                self.members(members, STEP);
                vec![plain(")")]
            }
            _ => {
                let whole = signature.whole.iter().flat_map(Layout::flat_shape);
                open.extend(whole);
                open.push(plain(")"));
                open
            }
        }
    }

    fn members(&mut self, members: &[Member], indent: usize) {
        for (at, member) in members.iter().enumerate() {
            let mut behind = default(member);
            behind.extend((at + 1 < members.len()).then(|| plain(",")));
            self.shape(label(member), &member.shape, behind, indent);
        }
    }

    /// `before`, `shape` and `behind`: in one line if they fit, else broken inside the shape.
    fn shape(&mut self, before: Vec<Piece>, shape: &Shape, behind: Vec<Piece>, indent: usize) {
        let mut line = before.clone();
        flat(shape, &mut line);
        line.extend(behind.clone());
        if indent + pieces_width(&line) <= self.room {
            self.lines.push((indent, line));
            return;
        }
        let (members, ends) = match shape {
            Shape::Object(members) => (members, "}"),
            Shape::List(item) => match &**item {
                Shape::Object(members) => (members, "}[]"),
                _ => return self.wrapped(line, indent),
            },
            _ => return self.wrapped(line, indent),
        };
        let mut open = before;
        open.push(plain("{"));
        self.lines.push((indent, open));
        self.members(members, indent + STEP);
        let mut close = vec![plain(ends)];
        close.extend(behind);
        self.lines.push((indent, close));
    }

    /// A line that is too long, broken before its unions and members.
    fn wrapped(&mut self, line: Vec<Piece>, indent: usize) {
        let mut row: Vec<Piece> = Vec::new();
        let mut rows = 0;
        for piece in line {
            let deeper = if rows == 0 { indent } else { indent + STEP };
            let breaks = matches!(piece.text.as_str(), " | " | " & ");
            let full = deeper + pieces_width(&row) + pieces_width(std::slice::from_ref(&piece));
            // A bar takes the next word with it.
            if breaks && full + 12 > self.room && !row.is_empty() {
                self.lines.push((deeper, std::mem::take(&mut row)));
                rows += 1;
                row.push(plain(piece.text.trim_start()));
                continue;
            }
            row.push(piece);
        }
        let deeper = if rows == 0 { indent } else { indent + STEP };
        self.lines.push((deeper, row));
    }
}

/// Columns that a result may fill which is told briefly.
const BRIEF: usize = 60;

/// The names of an object's members; of anything else as much as fits.
fn brief(shape: &Shape) -> Vec<Piece> {
    let names = |members: &[Member], end: &str| {
        let names: Vec<String> = members.iter().map(|member| key(&member.name)).collect();
        plain(format!("{{{}}}{end}", names.join(", ")))
    };
    let told = match shape {
        Shape::Object(members) => vec![names(members, "")],
        Shape::List(item) => match &**item {
            Shape::Object(members) => vec![names(members, "[]")],
            _ => Layout::flat_shape(shape),
        },
        _ => Layout::flat_shape(shape),
    };
    match pieces_width(&told) <= BRIEF {
        true => told,
        false => vec![plain("{…}")],
    }
}

fn name(signature: &Signature) -> Piece {
    Piece {
        tone: Tone::Strong,
        text: signature.name.clone(),
    }
}

fn label(member: &Member) -> Vec<Piece> {
    let mark = if member.optional { "?: " } else { ": " };
    vec![plain(key(&member.name)), dim(mark)]
}

fn default(member: &Member) -> Vec<Piece> {
    let default = member.default.iter();
    default
        .map(|default| dim(format!(" = {default}")))
        .collect()
}

/// A name as it is, or quoted where it could be taken for something else.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        serde_json::Value::from(name).to_string()
    }
}

fn flat(shape: &Shape, pieces: &mut Vec<Piece>) {
    match shape {
        Shape::Any => pieces.push(kind("any")),
        Shape::Never => pieces.push(kind("never")),
        Shape::Word(word) => pieces.push(kind(*word)),
        Shape::Literal(literal) => pieces.push(kind(literal.clone())),
        Shape::Named(name) => pieces.push(kind(name.clone())),
        Shape::Cut => pieces.push(dim("…")),
        Shape::List(item) => {
            nested(item, pieces);
            pieces.push(kind("[]"));
        }
        Shape::Tuple(items) => {
            pieces.push(plain("["));
            joined(items, ", ", pieces);
            pieces.push(plain("]"));
        }
        Shape::Object(members) => {
            pieces.push(plain("{"));
            for (at, member) in members.iter().enumerate() {
                pieces.extend((at > 0).then(|| plain(", ")));
                pieces.extend(label(member));
                flat(&member.shape, pieces);
                pieces.extend(default(member));
            }
            pieces.push(plain("}"));
        }
        Shape::Record(values) => {
            pieces.push(plain("{[name]: "));
            flat(values, pieces);
            pieces.push(plain("}"));
        }
        Shape::Union(parts) => joined(parts, " | ", pieces),
        Shape::Both(parts) => {
            for (at, part) in parts.iter().enumerate() {
                pieces.extend((at > 0).then(|| plain(" & ")));
                nested(part, pieces);
            }
        }
    }
}

fn joined(shapes: &[Shape], between: &str, pieces: &mut Vec<Piece>) {
    for (at, shape) in shapes.iter().enumerate() {
        pieces.extend((at > 0).then(|| plain(between)));
        flat(shape, pieces);
    }
}

/// In brackets where it would be read otherwise without them.
fn nested(shape: &Shape, pieces: &mut Vec<Piece>) {
    if matches!(shape, Shape::Union(_) | Shape::Both(_)) {
        pieces.push(plain("("));
        flat(shape, pieces);
        pieces.push(plain(")"));
    } else {
        flat(shape, pieces);
    }
}
