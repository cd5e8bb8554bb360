//! One server, as a check sees it.

use std::time::Duration;

use muster_core::{Candidate, Check, Finding, Launched};

use super::item::{Item, Kind};
use super::launch::Launch;
use super::likely;

/// A server with what came of it.
#[derive(Clone, Copy)]
pub(crate) struct Answer<'l> {
    /// All of it.
    pub(crate) launch: &'l Launch<'l>,
    /// How it was to be started.
    pub(crate) candidate: &'l Candidate<'l>,
    /// What came of it.
    pub(crate) launched: &'l Launched,
}

impl<'l> Answer<'l> {
    /// A finding about it: of the harness where there is one only, at its first definition.
    pub(crate) fn finding(&self, check: &'static Check, text: impl Into<String>) -> Finding {
        let mut finding = Finding::new(check, text).about(self.candidate.name);
        if let [user] = self.candidate.users.as_slice() {
            finding.harness = Some(user.harness);
        }
        let first = self.candidate.users.first();
        finding.at(first.and_then(|user| user.server.definition.place.as_ref()))
    }

    /// The same, with what is likely behind a failure.
    pub(crate) fn failure(&self, check: &'static Check, text: impl Into<String>) -> Finding {
        let finding = self.finding(check, text);
        match likely(self.candidate, self.launched) {
            Some(likely) => finding.with_help(format!("{}: {}", likely.cause, likely.help)),
            None => finding,
        }
    }

    /// The same as [`finding`](Answer::finding) about `harness` alone.
    pub(crate) fn finding_in(
        &self,
        harness: &'static str,
        check: &'static Check,
        text: impl Into<String>,
    ) -> Finding {
        let mut finding = self.finding(check, text);
        finding.harness = Some(harness);
        let mut users = self.candidate.users.iter();
        let user = users.find(|user| user.harness == harness);
        finding.at(user.and_then(|user| user.server.definition.place.as_ref()))
    }

    /// Calls `look` with everything that it tells models, but for its tools.
    pub(crate) fn items(&self, look: &mut dyn FnMut(&Item<'_>)) {
        look(&Item::of_server(self));
        let lists = [
            (Kind::Prompt, &self.launched.prompts),
            (Kind::Resource, &self.launched.resources),
            (Kind::Template, &self.launched.templates),
        ];
        for (kind, values) in lists {
            for (index, value) in values.iter().enumerate() {
                look(&Item::new(self, kind, index, value));
            }
        }
    }
}

/// A time as people say it: `0.4 s`, `20 s`.
pub(crate) fn seconds(time: Duration) -> String {
    match time.as_millis() {
        millis if millis % 1000 == 0 || millis > 10_000 => format!("{} s", time.as_secs()),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}
