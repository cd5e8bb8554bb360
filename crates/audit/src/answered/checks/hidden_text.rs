//! Characters that nobody sees.

use muster_core::{Audience, Check, Confidence, Finding, Severity};

use crate::answered::item::{Item, Kind};
use crate::answered::lessons;
use crate::answered::text::{Part, Text};

pub(crate) static CHECK: Check = Check {
    id: "hidden-text",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a tool is described with characters that nobody sees",
    explanation: "Control sequences can change what a terminal shows; invisible characters can carry orders that the model reads and you do not.",
    help: "Do not use the server until whoever makes it has explained it.",
    links: &[],
    example: lessons::FAULTY,
};

/// So many kinds of characters are named.
const NAMED: usize = 3;

pub(crate) fn look(item: &Item<'_>, found: &mut Vec<Finding>) {
    let told = |text: &&Text<'_>| !matches!(text.part, Part::Address | Part::Aside);
    let mut texts = item.texts.iter().filter(told);
    let Some(unseen) = texts.find_map(|text| invisible(text.words)) else {
        return;
    };
    let text = match item.kind {
        Kind::Server => format!("its instructions hold {unseen}"),
        _ => format!("{}: {unseen}", item.called()),
    };
    found.push(item.finding(&CHECK, text));
}

/// How many characters of `text` act or are not seen, and which.
fn invisible(text: &str) -> Option<String> {
    let unseen = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
            || matches!(u32::from(*c), 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xE0000..=0xE007F)
    };
    let found: Vec<char> = text.chars().filter(unseen).collect();
    let mut kinds = found.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let named: Vec<String> = kinds
        .iter()
        .take(NAMED)
        .map(|c| format!("U+{:04X}", u32::from(*c)))
        .collect();
    match found.len() {
        0 => None,
        1 => Some(format!(
            "1 character that is not seen ({})",
            named.join(", ")
        )),
        count => {
            let more = if kinds.len() > NAMED { ", …" } else { "" };
            Some(format!(
                "{count} characters that are not seen ({}{more})",
                named.join(", ")
            ))
        }
    }
}
