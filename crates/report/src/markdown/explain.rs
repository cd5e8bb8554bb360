//! `muster explain` as Markdown: Muster's own words, which may be markup.

use muster_core::{Audience, Check, Harness, Rule};

use crate::Topic;

/// Every topic as a section of its own, `level` number signs deep.
pub(crate) fn explain(topics: &[Topic], level: usize) -> String {
    let section = |topic: &Topic| match topic {
        Topic::Check(check) => check_section(check, level),
        Topic::Rule(harness, rule) => rule_section(*harness, rule, level),
    };
    topics.iter().map(section).collect::<Vec<_>>().join("\n")
}

fn check_section(check: &Check, level: usize) -> String {
    let example = &check.example;
    let audience = match check.audience {
        Audience::Everyone => String::new(),
        other => format!(", for the {} audience", other.word()),
    };
    let besides = example.besides.iter();
    let besides: String = besides
        .map(|(path, text)| block(path, "", text) + "\n")
        .collect();
    let links = check.links.iter().map(|link| format!("- <{link}>\n"));
    let mut links: String = links.collect();
    if !links.is_empty() {
        links.push('\n');
    }
    format!(
        "{} `{}`\n\n{}. {}, {} confidence{audience}, since {}.\n\n{}\n\n{}\n\n{links}{besides}{}\n{}",
        "#".repeat(level),
        check.id,
        capital(check.title),
        capital(check.severity.word()),
        check.confidence.word(),
        check.since,
        check.explanation,
        check.help,
        block(example.path, ", before", example.before),
        block(example.path, ", after", example.after),
    )
}

fn block(path: &str, when: &str, text: &str) -> String {
    let language = match path.rsplit('.').next() {
        Some("toml") => "toml",
        _ => "json",
    };
    format!("`{path}`{when}:\n\n```{language}\n{text}```\n")
}

fn rule_section(harness: &dyn Harness, rule: &Rule, level: usize) -> String {
    let cases = rule.cases.iter().map(|case| format!("- `{case}`\n"));
    format!(
        "{} `{}`\n\n{}, {}: {}\n\n{}",
        "#".repeat(level),
        rule.id,
        harness.name(),
        rule.evidence.phrase(),
        rule.summary,
        cases.collect::<String>()
    )
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
