//! `muster tools`, `resources`, `prompts` as text.

use serde_json::Value;

use super::canvas::{Canvas, Line, Tone};
use super::measure::{cut_end, wrap};
use crate::offering::{State, gist, word};
use crate::{Look, Offered, Offering, Offers, Signature};

/// Where items begin.
const INDENT: usize = 2;
/// Where what is said of an item begins.
const DEEPER: usize = 6;
/// Prose is not wider than this.
const PROSE: usize = 78;
/// Lines of a description that are shown unless all of it is wanted.
const LINES: usize = 2;

/// Every server with what it offers.
pub(crate) fn offering(
    kind: Offered,
    offerings: &[Offering<'_>],
    look: Look,
    whole: bool,
) -> String {
    let mut canvas = Canvas::new(look);
    for offering in offerings {
        canvas.part();
        match offering.state {
            State::Offers(offers) => offered(&mut canvas, kind, offering, &offers, whole),
            State::Failed(why) => unasked(&mut canvas, offering, Tone::Wrong, "✗", why),
            State::NotStarted(why) => unasked(&mut canvas, offering, Tone::Waits, "◌", why),
        }
    }
    canvas.finish()
}

fn unasked(canvas: &mut Canvas, offering: &Offering<'_>, tone: Tone, symbol: &str, why: &str) {
    let head = Line::default()
        .then(tone, symbol)
        .then(Tone::Plain, " ")
        .then(Tone::Strong, offering.server);
    canvas.line(head);
    let room = canvas.look.width.min(PROSE).saturating_sub(DEEPER);
    for line in why.lines().flat_map(|line| wrap(line, room)) {
        canvas.line(Line::indented(DEEPER).then(Tone::Plain, line));
    }
}

fn offered(
    canvas: &mut Canvas,
    kind: Offered,
    offering: &Offering<'_>,
    offers: &Offers<'_>,
    whole: bool,
) {
    head(canvas, kind, offering, offers);
    if let (true, Some(instructions)) = (whole, offers.instructions) {
        prose(canvas, INDENT, instructions, true);
        canvas.part();
    }
    for item in offers.items {
        match kind {
            Offered::Tools => signed(canvas, item, &Signature::of_tool(item), whole),
            Offered::Prompts => signed(canvas, item, &Signature::of_prompt(item), whole),
            Offered::Resources => addressed(canvas, item, "uri", whole),
        }
    }
    for template in offers.templates {
        addressed(canvas, template, "uriTemplate", whole);
    }
    if offers.odd > 0 {
        let left_out = format!("{} left out: without a name", offers.odd);
        canvas.line(Line::indented(INDENT).then(Tone::Wrong, left_out));
    }
    if offers.cut {
        let cut = "there are more than Muster takes";
        canvas.line(Line::indented(INDENT).then(Tone::Wrong, cut));
    }
}

fn head(canvas: &mut Canvas, kind: Offered, offering: &Offering<'_>, offers: &Offers<'_>) {
    let screen = canvas.look.width.min(80);
    let own = offers.own_name();
    let mut left = Line::default().then(Tone::Strong, offering.server);
    let right = Line::default().then(
        Tone::Dim,
        format!("{} · {}", counted(kind, offers), offers.protocol),
    );
    let room = screen.saturating_sub(left.width() + right.width() + 4);
    if !own.is_empty() && room > 8 {
        let own = cut_end(&own, room, canvas.look.ellipsis());
        left = left.then(Tone::Dim, format!("  {own}"));
    }
    if left.width() + 2 + right.width() <= screen {
        canvas.line(left.right(right, screen));
    } else {
        canvas.line(left);
        canvas.line(right);
    }
}

/// `12 tools`, `1 prompt`, `no resources`.
pub(crate) fn counted(kind: Offered, offers: &Offers<'_>) -> String {
    let many = |number: usize, one: &str| match number {
        0 => format!("no {one}s"),
        1 => format!("1 {one}"),
        number => format!("{number} {one}s"),
    };
    match kind {
        Offered::Tools => many(offers.items.len(), "tool"),
        Offered::Prompts => many(offers.items.len(), "prompt"),
        Offered::Resources if offers.templates.is_empty() => many(offers.items.len(), "resource"),
        Offered::Resources => format!(
            "{} · {}",
            many(offers.items.len(), "resource"),
            many(offers.templates.len(), "template")
        ),
    }
}

fn signed(canvas: &mut Canvas, item: &Value, signature: &Signature, whole: bool) {
    let room = canvas.look.width.saturating_sub(INDENT);
    for (indent, pieces) in signature.lines(room, whole) {
        let pieces = pieces.into_iter();
        let line = pieces.fold(Line::indented(INDENT + indent), |line, piece| {
            line.then(piece.tone, piece.text)
        });
        canvas.line(line);
    }
    prose(canvas, DEEPER, word(item, "description"), whole);
    if whole {
        meanings(canvas, signature);
        hints(canvas, item);
        canvas.part();
    }
}

/// What the parameters mean.
fn meanings(canvas: &mut Canvas, signature: &Signature) {
    for parameter in signature.parameters() {
        let Some(description) = &parameter.description else {
            continue;
        };
        let name = Line::indented(DEEPER).then(Tone::Plain, &parameter.name);
        let column = name.width() + 2;
        let room = canvas.look.width.min(PROSE).saturating_sub(column).max(20);
        let mut first = Some(name);
        for line in wrap(&gist(description), room) {
            let start = first.take().unwrap_or_default();
            canvas.line(start.to(column).then(Tone::Dim, line));
        }
    }
}

/// What the server says of what a tool does to the world. It may lie.
fn hints(canvas: &mut Canvas, item: &Value) {
    let Some(annotations) = item.get("annotations") else {
        return;
    };
    let says = |key: &str| annotations.get(key).and_then(Value::as_bool);
    let words = [
        ("readOnlyHint", true, "only reads"),
        ("destructiveHint", true, "may destroy"),
        ("idempotentHint", true, "may be repeated"),
        ("openWorldHint", true, "reaches out"),
    ];
    let told: Vec<&str> = words
        .into_iter()
        .filter(|(key, value, _)| says(key) == Some(*value))
        .map(|(_, _, phrase)| phrase)
        .collect();
    if !told.is_empty() {
        let told = format!("the server says: {}", told.join(", "));
        canvas.line(Line::indented(DEEPER).then(Tone::Dim, told));
    }
}

fn addressed(canvas: &mut Canvas, item: &Value, key: &str, whole: bool) {
    let mut line = Line::indented(INDENT).then(Tone::Strong, word(item, key));
    let kind = word(item, "mimeType");
    if !kind.is_empty() {
        line = line.then(Tone::Place, format!("  {kind}"));
    }
    if let Some(size) = item.get("size").and_then(Value::as_u64) {
        line = line.then(Tone::Dim, format!("  {}", super::result::size(size)));
    }
    canvas.line(line);
    let title = match word(item, "title") {
        "" => word(item, "name"),
        title => title,
    };
    let description = word(item, "description");
    let same = title == word(item, key) || description.starts_with(title);
    match (title, description) {
        ("", text) => prose(canvas, DEEPER, text, whole),
        (_, text) if same => prose(canvas, DEEPER, text, whole),
        (title, "") => prose(canvas, DEEPER, title, whole),
        (title, text) => prose(canvas, DEEPER, &format!("{title}: {text}"), whole),
    }
}

/// Words of the server: the first lines of its first paragraph, or all of them.
fn prose(canvas: &mut Canvas, indent: usize, text: &str, whole: bool) {
    let room = canvas.look.width.min(PROSE).saturating_sub(indent);
    let lines: Vec<String> = if whole {
        let lines = text.trim().lines();
        lines.flat_map(|line| wrap(line.trim(), room)).collect()
    } else {
        wrap(&gist(text), room)
    };
    let cut = !whole && lines.len() > LINES;
    let shown = if cut { LINES } else { lines.len() };
    for (at, line) in lines.into_iter().take(shown).enumerate() {
        let line = if cut && at + 1 == shown {
            let ellipsis = canvas.look.ellipsis();
            let kept = cut_end(&line, room.saturating_sub(ellipsis.chars().count()), "");
            format!("{kept}{ellipsis}")
        } else {
            line
        };
        if !line.is_empty() {
            canvas.line(Line::indented(indent).then(Tone::Dim, line));
        }
    }
}
