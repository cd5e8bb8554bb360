//! What a tool, a resource or a prompt gave.

use serde_json::Value;

/// A result, and what was kept of it.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'o> {
    /// The result as the server sent it. Foreign.
    pub result: &'o Value,
    /// Files that were made of its binary parts.
    pub saved: &'o [Saved],
    /// So many lines are shown at most; `None` for all.
    pub most: Option<usize>,
}

/// A binary part of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Which of the parts that [`binary`] gave.
    pub index: usize,
    /// Its length in bytes.
    pub bytes: u64,
    /// The file, or why there is none, as may be printed.
    pub file: Result<String, String>,
}

/// A part of a result that is no text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binary<'r> {
    /// Its media type, as the server says. Foreign text.
    pub mime: &'r str,
    /// Base64.
    pub data: &'r str,
}

/// Something to show of a result, in its order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Part<'r> {
    /// Who speaks, in a prompt.
    Role(&'r str),
    /// Text.
    Text(&'r str),
    /// A picture, a sound, a file: the how-manieth, what it is called and which kind it is.
    Binary(usize, &'r str, &'r str),
    /// Where a resource is.
    Link(&'r Value),
    /// The address that the next part was read from.
    Source(&'r str, &'r str),
    /// JSON.
    Json(&'r Value),
}

/// The binary parts of `result`, in its order.
pub fn binary(result: &Value) -> Vec<Binary<'_>> {
    let mut found = Vec::new();
    walk(result, &mut |content| {
        found.extend(binary_of(content));
    });
    found
}

/// The texts of `result`, in its order, where it holds nothing else.
pub fn texts(result: &Value) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut only = true;
    walk(result, &mut |content| match text_of(content) {
        Some(text) => found.push(text),
        None => only = false,
    });
    only.then_some(found)
}

/// Whether a tool says that it failed.
pub fn is_error(result: &Value) -> bool {
    result.get("isError") == Some(&Value::Bool(true))
}

/// What a tool gave as data.
pub fn structured(result: &Value) -> Option<&Value> {
    result
        .get("structuredContent")
        .filter(|content| !content.is_null())
}

/// Each content of a tool's, a resource's or a prompt's result.
fn walk<'r>(result: &'r Value, visit: &mut dyn FnMut(&'r Value)) {
    for key in ["content", "contents"] {
        match result.get(key) {
            Some(Value::Array(contents)) => contents.iter().for_each(&mut *visit),
            // Some servers give one content instead of a list of one.
            Some(content @ Value::Object(_)) => visit(content),
            _ => {}
        }
    }
    let messages = result.get("messages").and_then(Value::as_array);
    for message in messages.into_iter().flatten() {
        match message.get("content") {
            Some(Value::Array(contents)) => contents.iter().for_each(&mut *visit),
            Some(content) => visit(content),
            None => {}
        }
    }
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

fn text_of(content: &Value) -> Option<&str> {
    match text(content, "type") {
        Some("text") => text(content, "text"),
        // The contents of a resource have no type.
        None => text(content, "text"),
        Some("resource") => text(content.get("resource")?, "text"),
        Some(_) => None,
    }
}

fn binary_of(content: &Value) -> Option<Binary<'_>> {
    let holder = match text(content, "type") {
        Some("resource") => content.get("resource")?,
        _ => content,
    };
    let data = match text(content, "type") {
        Some("image" | "audio") => text(content, "data")?,
        _ => text(holder, "blob")?,
    };
    let mime = text(holder, "mimeType").unwrap_or("application/octet-stream");
    Some(Binary { mime, data })
}

/// What is shown of `result`.
pub(crate) fn parts(result: &Value) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut binaries = 0;
    for key in ["content", "contents"] {
        match result.get(key) {
            Some(Value::Array(contents)) => {
                let alone = contents.len() < 2;
                for content in contents {
                    part(content, alone, &mut binaries, &mut parts);
                }
            }
            Some(content @ Value::Object(_)) => part(content, true, &mut binaries, &mut parts),
            _ => {}
        }
    }
    let messages = result.get("messages").and_then(Value::as_array);
    for message in messages.into_iter().flatten() {
        parts.push(Part::Role(text(message, "role").unwrap_or_default()));
        match message.get("content") {
            Some(Value::Array(contents)) => {
                for content in contents {
                    part(content, false, &mut binaries, &mut parts);
                }
            }
            Some(Value::String(content)) => parts.push(Part::Text(content)),
            Some(content) => part(content, false, &mut binaries, &mut parts),
            None => {}
        }
    }
    if let Some(data) = structured(result) {
        // Servers repeat it as text for old clients.
        let repeats = |part: &Part<'_>| matches!(part, Part::Text(text) if serde_json::from_str(text).ok().as_ref() == Some(data));
        parts.retain(|part| !repeats(part));
        parts.push(Part::Json(data));
    }
    let known = ["content", "contents", "messages", "structuredContent"];
    if !known.iter().any(|key| result.get(key).is_some()) {
        parts.push(Part::Json(result));
    }
    parts
}

fn part<'r>(content: &'r Value, alone: bool, binaries: &mut usize, parts: &mut Vec<Part<'r>>) {
    let kind = text(content, "type");
    if kind == Some("resource_link") {
        parts.push(Part::Link(content));
        return;
    }
    let holder = match kind {
        Some("resource") => content.get("resource").unwrap_or(content),
        _ => content,
    };
    if let (Some(uri), false) = (text(holder, "uri"), alone && kind.is_none()) {
        parts.push(Part::Source(
            uri,
            text(holder, "mimeType").unwrap_or_default(),
        ));
    }
    if let Some(binary) = binary_of(content) {
        let word = match kind {
            Some("image") => "image",
            Some("audio") => "audio",
            _ => "file",
        };
        parts.push(Part::Binary(*binaries, word, binary.mime));
        *binaries += 1;
    } else if let Some(text) = text_of(content) {
        parts.push(Part::Text(text));
    } else {
        parts.push(Part::Json(content));
    }
}
