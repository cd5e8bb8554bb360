//! Names of tools that models do not take.

use std::collections::HashSet;

use muster_core::{Audience, Check, Confidence, Finding, Severity};
use muster_document::Shown;

use crate::answered::lessons;
use crate::answered::offering::Gathered;

pub(crate) static CHECK: Check = Check {
    id: "tool-name",
    severity: Severity::Warning,
    confidence: Confidence::High,
    audience: Audience::Everyone,
    since: "0.1.0",
    title: "a tool has a name that models or agents do not take",
    explanation: "Models take names of letters, digits, `_` and `-` of up to 64 or 128 characters, and the name that they see begins with that of the server. Agents change other names, each in its way, or the whole request fails.",
    help: "Shorten the server's name in your file; the rest is for whoever makes the server.",
    links: &[],
    example: lessons::FAULTY,
};

/// Models of some vendors take names of so many characters, of others twice that.
const LENGTHS: [usize; 2] = [128, 64];

pub(crate) fn look(gathered: &Gathered<'_>, found: &mut Vec<Finding>) {
    for (answer, gists) in gathered.launch.answers().zip(&gathered.gists) {
        let mut seen = HashSet::new();
        for gist in gists {
            let name = answer.launch.word(&gist.name);
            let mut say =
                |text: String| found.push(answer.finding(&CHECK, text).of_tool(&gist.name));
            let length = gist.name.chars().count();
            let odd = |c: &char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
            if gist.name.is_empty() {
                say("a tool has an empty name".to_owned());
            } else if let Some(limit) = LENGTHS.into_iter().find(|limit| length > *limit) {
                say(format!(
                    "the name of tool {name} has {length} characters: models take up to {limit}"
                ));
            } else if let Some(odd) = gist.name.chars().find(odd) {
                say(format!(
                    "the name of tool {name} holds {}, which models do not take",
                    shown_character(odd)
                ));
            }
            if !seen.insert(&gist.name) {
                say(format!("two tools are called {name}"));
            }
        }
    }
}

fn shown_character(character: char) -> String {
    match character {
        ' ' => "a blank".to_owned(),
        character if character.is_control() => format!("U+{:04X}", u32::from(character)),
        character => format!("`{}`", Shown(&character.to_string())),
    }
}
