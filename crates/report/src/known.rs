//! What a run that uses servers knows and does not print.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use muster_core::{Giver, LaunchPlan, Start};
use muster_document::{Masking, Scrubber, Secret};
use serde::Serialize;
use serde_json::Value;

use crate::bounded::{MESSAGE, bounded};
use crate::page::{learn_survey, scrubber};
use crate::{Offered, Page, Signature, Survey, json, offering};

/// The secrets of a run: those of every definition it looked at, and those that were handed to the servers it used. A server can print
/// what it was given, in any form; what it says passes through here.
#[derive(Debug, Default)]
pub struct Known {
    scrubber: RwLock<Scrubber>,
}

impl Known {
    /// What is known of `survey`.
    pub fn of(survey: &Survey<'_>) -> Known {
        Known {
            scrubber: RwLock::new(scrubber(survey)),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Scrubber> {
        self.scrubber.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Scrubber> {
        self.scrubber
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns everything secret in what `survey` looked at.
    pub fn learn_survey(&self, survey: &Survey<'_>) {
        learn_survey(&mut self.write(), survey);
    }

    /// Learns everything secret that a server gets by `plan`.
    pub fn learn_plan(&self, plan: &LaunchPlan) {
        let mut scrubber = self.write();
        let mut learn = |maskings: Vec<Masking>| {
            let hidden = maskings.into_iter().flat_map(|masking| masking.hidden);
            hidden.for_each(|secret| scrubber.learn(secret));
        };
        for helper in &plan.helpers {
            learn(vec![Masking::word(&helper.command)]);
        }
        match &plan.start {
            Start::Process { argv, env, .. } => {
                learn(Masking::command_line(argv));
                for variable in env {
                    match variable.giver {
                        // Of everything that stands in the user's environment only what is surely secret: the rest recurs in
                        // every honest answer.
                        Giver::Inherited => {
                            scrubber.learn_inherited(&variable.name, &variable.value);
                        }
                        _ => scrubber.learn_variable(&variable.name, &variable.value),
                    }
                }
            }
            Start::Remote { url, headers, .. } => {
                learn(vec![Masking::url(url)]);
                for (_, value) in headers {
                    scrubber.learn(value);
                }
            }
        }
    }

    /// Learns one secret, which may come to be known only while a server is used.
    pub fn learn(&self, secret: &Secret) {
        self.write().learn(secret);
    }

    /// Leaves `name` alone, which identifies something.
    pub fn spare(&self, name: &str) {
        self.write().spare(name);
    }

    /// `text` of somebody else without the secrets, otherwise as it is: for files, never for a terminal.
    pub fn without_secrets(&self, text: &str) -> String {
        self.read().scrub(text).into_owned()
    }

    /// A message that may quote somebody else, without the secrets, and no longer than can be read.
    pub fn said(&self, message: &str) -> String {
        bounded(&self.without_secrets(message), MESSAGE).into_owned()
    }

    /// What `item`, one of `kind`, takes and gives, in one line. Foreign text, without the secrets.
    pub fn signature(&self, kind: Offered, item: &Value) -> String {
        let item = self.clean(item);
        match kind {
            Offered::Tools => Signature::of_tool(&item).line(),
            Offered::Prompts => Signature::of_prompt(&item).line(),
            Offered::Resources => offering::word(&item, "uri").to_owned(),
        }
    }

    /// Text that was made printable, without the secrets.
    pub(crate) fn page(&self, text: String, look: crate::Look) -> Page {
        Page::scrubbed(&self.read(), text, look)
    }

    /// JSON of somebody else without the secrets, which may stand in names too.
    pub(crate) fn clean(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.without_secrets(text)),
            Value::Array(items) => items.iter().map(|item| self.clean(item)).collect(),
            Value::Object(members) => {
                let clean = |(name, member): (&String, &Value)| {
                    (self.without_secrets(name), self.clean(member))
                };
                Value::Object(members.iter().map(clean).collect())
            }
            other => other.clone(),
        }
    }

    /// Markdown without the secrets.
    pub(crate) fn markdown(&self, text: &str) -> Page {
        Page::own(self.read().scrub(text))
    }

    /// JSON that is made of what somebody else sent, without the secrets.
    pub(crate) fn json(&self, view: &impl Serialize) -> Page {
        // Views hold strings, numbers, lists and structs: they all are JSON.
        let value = serde_json::to_value(view).unwrap_or(Value::Null);
        Page::own(json::write(&self.clean(&value)))
    }
}
