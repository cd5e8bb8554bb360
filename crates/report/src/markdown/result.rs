//! What a tool, a resource or a prompt gave, as Markdown.

use muster_document::{Shown, code};

use super::plain;
use crate::offering::word;
use crate::outcome::{Part, parts};
use crate::{Outcome, json};

/// The parts of `outcome`, texts as blocks of code.
pub(crate) fn result(outcome: &Outcome<'_>) -> String {
    let part = |part: Part<'_>| match part {
        Part::Role(role) => format!("**{}**\n", plain(role)),
        Part::Text(text) => block("text", text),
        Part::Json(value) => block("json", &json::write(value)),
        Part::Source(uri, _) => format!("{}\n", code(uri)),
        Part::Link(link) => format!(
            "→ {} {}\n",
            code(word(link, "uri")),
            plain(word(link, "name"))
        ),
        Part::Binary(index, word, mime) => {
            let saved = outcome.saved.iter().find(|saved| saved.index == index);
            let file = match saved.map(|saved| &saved.file) {
                Some(Ok(path)) => code(path),
                Some(Err(why)) => plain(why),
                None => "not saved".to_owned(),
            };
            format!("{word} {}: {file}\n", code(mime))
        }
    };
    let parts: Vec<String> = parts(outcome.result).into_iter().map(part).collect();
    parts.join("\n")
}

/// `text` between fences that it cannot end.
fn block(language: &str, text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let lines: Vec<String> = lines
        .map(|line| {
            let parts = line.trim_end_matches('\r').split('\t');
            let parts: Vec<String> = parts.map(|part| Shown(part).to_string()).collect();
            parts.join("\t")
        })
        .collect();
    format!("{fence}{language}\n{}\n{fence}\n", lines.join("\n"))
}
