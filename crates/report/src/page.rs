//! Text that is ready to be written.

use std::borrow::Cow;

use muster_core::{Entry, RunningServer};
use muster_document::{Scrubber, Secret};

use crate::paths::without_secrets;
use crate::{Look, Survey, ascii};

/// Text that may be written: every secret the run knows has been taken out of it as the very last step, or Muster wrote all of it
/// itself. The printing module of the program takes nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page(String);

impl Page {
    /// Text that Muster wrote itself: help, completions, schemas.
    pub fn own(text: impl Into<String>) -> Page {
        Page(text.into())
    }

    /// Text that Muster wrote itself, for the screen that `look` describes.
    pub(crate) fn own_text(text: String, look: Look) -> Page {
        Page(if look.unicode {
            text
        } else {
            ascii::fold(&text)
        })
    }

    /// Text about `survey` for the screen that `look` describes.
    pub(crate) fn text(text: String, survey: &Survey<'_>, look: Look) -> Page {
        Page::scrubbed(&scrubber(survey), text, look)
    }

    /// Text without what `scrubber` knows, for the screen that `look` describes.
    pub(crate) fn scrubbed(scrubber: &Scrubber, text: String, look: Look) -> Page {
        let scrubbed = replaced(scrubber.scrub(&text)).unwrap_or(text);
        Page(if look.unicode {
            scrubbed
        } else {
            ascii::fold(&scrubbed)
        })
    }

    /// Markdown about `survey`, which is always Unicode.
    pub(crate) fn markdown(text: String, survey: &Survey<'_>) -> Page {
        Page::scrubbed_markdown(&scrubber(survey), text)
    }

    /// JSON about `survey`: it stays JSON.
    pub(crate) fn json(text: String, survey: &Survey<'_>) -> Page {
        Page::scrubbed_json(&scrubber(survey), text)
    }

    /// JSON without what `scrubber` knows: it stays JSON.
    pub(crate) fn scrubbed_json(scrubber: &Scrubber, text: String) -> Page {
        Page(replaced(scrubber.scrub_json(&text)).unwrap_or(text))
    }

    /// Markdown without what `scrubber` knows.
    pub(crate) fn scrubbed_markdown(scrubber: &Scrubber, text: String) -> Page {
        Page(replaced(scrubber.scrub(&text)).unwrap_or(text))
    }

    /// Text about `servers` that run, for the screen that `look` describes.
    pub(crate) fn text_of(text: String, servers: &[RunningServer], look: Look) -> Page {
        let text = replaced(scrubber_of(servers).scrub(&text)).unwrap_or(text);
        Page::own_text(text, look)
    }

    /// JSON about `servers` that run: it stays JSON.
    pub(crate) fn json_of(text: String, servers: &[RunningServer]) -> Page {
        Page(replaced(scrubber_of(servers).scrub_json(&text)).unwrap_or(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// This page with `next` below it.
    #[must_use]
    pub fn then(mut self, next: &Page) -> Page {
        self.0.push_str(&next.0);
        self
    }
}

/// What came of scrubbing a text; `None` if that left it as it was, so that a long one is not copied.
fn replaced(scrubbed: Cow<'_, str>) -> Option<String> {
    match scrubbed {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    }
}

/// Knows what the command lines of `servers` that run may keep secret. Their names are shown anyway.
fn scrubber_of(servers: &[RunningServer]) -> Scrubber {
    let mut scrubber = Scrubber::default();
    for server in servers {
        scrubber.learn_command_line(&server.process.argv);
    }
    if !scrubber.knows_nothing() {
        let names = servers.iter().flat_map(|server| &server.definitions);
        let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
        scrubber.spare(names.join("\0"));
    }
    scrubber
}

/// Knows every value that a definition may keep secret: masking has hidden them already, this is the net below.
pub(crate) fn scrubber(survey: &Survey<'_>) -> Scrubber {
    let mut scrubber = Scrubber::default();
    learn_survey(&mut scrubber, survey);
    scrubber
}

/// Teaches `scrubber` the same.
pub(crate) fn learn_survey(scrubber: &mut Scrubber, survey: &Survey<'_>) {
    let entries = || {
        survey
            .resolutions
            .iter()
            .flat_map(|resolution| &resolution.servers)
            .map(|server| &*server.definition.entry)
    };
    entries().for_each(|entry| learn(scrubber, entry));
    let variables = survey
        .resolutions
        .iter()
        .flat_map(|resolution| &resolution.variables);
    variables.for_each(|(name, value)| scrubber.learn_variable(name, value));
    survey
        .launches
        .iter()
        .for_each(|launch| launch.teach(scrubber));
    if let Some(checked) = &survey.checked {
        checked.teach(scrubber);
    }
    if let Some(words) = survey.session {
        let words: Vec<Secret> = words.iter().map(Secret::new).collect();
        scrubber.learn_command_line(&words);
    }
    if !scrubber.knows_nothing() {
        scrubber.spare(public(survey));
    }
}

/// Values of variables and header fields whole, of arguments and addresses what masking hides.
fn learn(scrubber: &mut Scrubber, entry: &Entry) {
    for (_, value) in entry.env.iter().chain(&entry.headers) {
        scrubber.learn(&value.value);
    }
    let words = entry.command.iter().chain(&entry.args);
    scrubber.learn_command_line(words.map(|word| &word.value));
    if let Some(url) = &entry.url {
        scrubber.learn_url(&url.value);
    }
    for text in entry.cwd.iter().chain(&entry.headers_helper) {
        scrubber.learn_word(&text.value);
    }
}

/// What identifies things is shown anyway, and a "secret" that is nothing but a name would only make the answer useless. One text, so
/// that one search goes through all names; no variable can hold the separator.
fn public(survey: &Survey<'_>) -> String {
    let servers = || {
        survey
            .resolutions
            .iter()
            .flat_map(|resolution| &resolution.servers)
    };
    let entries = servers().map(|server| &server.definition.entry);
    let fields = entries
        .flat_map(|entry| entry.env.iter().chain(&entry.headers))
        .map(|(name, _)| name.as_str());
    let files = survey
        .resolutions
        .iter()
        .flat_map(|resolution| &resolution.files)
        .map(|file| without_secrets(file.path.as_str()));
    let names = servers().map(|server| server.definition.name.as_str());
    let folders = [survey.folder.as_str(), survey.cwd.as_str()];
    let texts = names.chain(fields).chain(folders).map(Cow::Borrowed);
    let mut texts: Vec<Cow<'_, str>> = texts.chain(files).collect();
    texts.sort_unstable();
    texts.dedup();
    texts.join("\0")
}
