//! Text that is ready to be written.

use muster_core::{Entry, Server};
use muster_document::{Masking, Scrubber, Secret};

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

    /// Text about `survey` for the screen that `look` describes.
    pub(crate) fn text(text: &str, survey: &Survey<'_>, look: Look) -> Page {
        let scrubbed = scrubber(survey).scrub(text).into_owned();
        Page(if look.unicode {
            scrubbed
        } else {
            ascii::fold(&scrubbed)
        })
    }

    /// Markdown about `survey`, which is always Unicode.
    pub(crate) fn markdown(text: &str, survey: &Survey<'_>) -> Page {
        Page(scrubber(survey).scrub(text).into_owned())
    }

    /// JSON about `survey`: it stays JSON.
    pub(crate) fn json(text: &str, survey: &Survey<'_>) -> Page {
        Page(scrubber(survey).scrub_json(text).into_owned())
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

/// Knows every value that a definition may keep secret: masking has hidden them already, this is the net below.
fn scrubber(survey: &Survey<'_>) -> Scrubber {
    let mut scrubber = Scrubber::default();
    for server in survey
        .resolutions
        .iter()
        .flat_map(|resolution| &resolution.servers)
    {
        learn(&mut scrubber, &server.definition.entry);
        spare(&mut scrubber, server);
    }
    if let Some(words) = survey.session {
        let words: Vec<Secret> = words.iter().map(Secret::new).collect();
        learn_hidden(&mut scrubber, Masking::command_line(&words));
    }
    for file in survey
        .resolutions
        .iter()
        .flat_map(|resolution| &resolution.files)
    {
        scrubber.spare(file.path.as_str());
    }
    scrubber.spare(survey.folder.as_str());
    scrubber.spare(survey.cwd.as_str());
    scrubber
}

/// Values of variables and header fields whole, of arguments and addresses what masking hides.
fn learn(scrubber: &mut Scrubber, entry: &Entry) {
    for (_, value) in entry.env.iter().chain(&entry.headers) {
        scrubber.learn(value.value.clone());
    }
    let words: Vec<Secret> = entry
        .command
        .iter()
        .chain(&entry.args)
        .map(|word| word.value.clone())
        .collect();
    learn_hidden(scrubber, Masking::command_line(&words));
    learn_hidden(
        scrubber,
        entry.url.iter().map(|url| Masking::url(&url.value)),
    );
    learn_hidden(
        scrubber,
        entry.cwd.iter().map(|cwd| Masking::word(&cwd.value)),
    );
}

fn learn_hidden(scrubber: &mut Scrubber, maskings: impl IntoIterator<Item = Masking>) {
    maskings
        .into_iter()
        .flat_map(|masking| masking.hidden)
        .for_each(|secret| scrubber.learn(secret));
}

/// What identifies a server is shown anyway; a "secret" that is nothing but a name would only make the answer useless.
fn spare(scrubber: &mut Scrubber, server: &Server) {
    let definition = &server.definition;
    scrubber.spare(definition.name.as_str());
    let names = definition
        .entry
        .env
        .iter()
        .chain(&definition.entry.headers)
        .map(|(name, _)| name);
    names.for_each(|name| scrubber.spare(name.as_str()));
}
