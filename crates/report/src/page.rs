//! Text that is ready to be written.

use muster_core::Resolution;
use muster_document::Scrubber;

/// Text that may be written: every secret the run knows has been taken out of it as the very last step, or Muster wrote all of it
/// itself. The printing module of the program takes nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page(String);

impl Page {
    /// Text that Muster wrote itself: help, completions, schemas.
    pub fn own(text: impl Into<String>) -> Page {
        Page(text.into())
    }

    /// Text or Markdown about `resolutions`.
    pub(crate) fn text(text: &str, resolutions: &[Resolution]) -> Page {
        Page(scrubber(resolutions).scrub(text).into_owned())
    }

    /// JSON about `resolutions`.
    pub(crate) fn json(text: &str, resolutions: &[Resolution]) -> Page {
        Page(scrubber(resolutions).scrub(text).into_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// This page with `next` below it.
    pub fn then(mut self, next: &Page) -> Page {
        self.0.push_str(&next.0);
        self
    }
}

/// Knows every value that a definition may keep secret: masking has hidden them already, this is the net below.
fn scrubber(resolutions: &[Resolution]) -> Scrubber {
    let mut scrubber = Scrubber::default();
    for server in resolutions
        .iter()
        .flat_map(|resolution| &resolution.servers)
    {
        let entry = &server.definition.entry;
        for (_, value) in entry.env.iter().chain(&entry.headers) {
            scrubber.learn(value.value.clone());
        }
    }
    scrubber
}
