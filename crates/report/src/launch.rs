//! A launch plan as something that may be shown: names of variables, never their values, and what is started as it is written, with
//! the paths that variables hold in their place.

use std::time::Duration;

use muster_core::{Giver, Handed, LaunchError, LaunchPlan, Resolution, Server, Start, Timeout};
use muster_document::{Masked, Masking, Scrubber, Secret};

use crate::story::Chapter;
use crate::{Detail, Survey};

/// So many names of variables from the user's environment are told without being asked for.
const FEW: usize = 12;

/// How one harness would start the server that a name stands for.
#[derive(Debug)]
pub struct Launch<'l> {
    /// The id of the harness.
    pub harness: &'static str,
    /// The definition that is meant: the one that loads, else the one that the verdict is about.
    pub server: &'l Server,
    /// How, or why not.
    pub plan: Result<LaunchPlan, LaunchError>,
    /// The name under which the model would see a tool called `search`.
    pub example: String,
}

/// The definition of `name` that the verdict of `resolution` is about; `None` where the harness does not know the name.
pub fn meant<'r>(resolution: &'r Resolution, name: &str) -> Option<&'r Server> {
    Chapter::new(resolution, name).deciding()
}

impl<'r> Survey<'r> {
    /// The launch plan of the harness `id`, if one was asked for.
    pub(crate) fn launch(&self, id: &str) -> Option<&'r Launch<'r>> {
        self.launches.iter().find(|launch| launch.harness == id)
    }
}

impl Launch<'_> {
    /// The masked command line of `argv`.
    pub(crate) fn command(&self, argv: &[Secret]) -> Vec<Masked> {
        Masked::command_line(&self.shown_argv(argv))
    }

    fn shown_argv(&self, argv: &[Secret]) -> Vec<Secret> {
        let entry = &self.server.definition.entry;
        let written: Vec<&Secret> = entry
            .command
            .iter()
            .chain(&entry.args)
            .map(|word| &word.value)
            .collect();
        if written.len() != argv.len() {
            return argv.to_vec();
        }
        let words = written.into_iter().zip(argv);
        words
            .map(|(word, filled)| word.shown_filled(filled))
            .collect()
    }

    /// The masked address `url`.
    pub(crate) fn url(&self, url: &Secret) -> Masked {
        Masked::url(&self.shown_url(url))
    }

    fn shown_url(&self, url: &Secret) -> Secret {
        let written = &self.server.definition.entry.url;
        written
            .as_ref()
            .map_or_else(|| url.clone(), |written| written.value.shown_filled(url))
    }

    /// What masking hides, and what is sent to an address, for the last writer.
    pub(crate) fn teach(&self, scrubber: &mut Scrubber) {
        let mut learn = |maskings: Vec<Masking>| {
            let hidden = maskings.into_iter().flat_map(|masking| masking.hidden);
            hidden.for_each(|secret| scrubber.learn(secret));
        };
        for helper in self.plan.iter().flat_map(|plan| &plan.helpers) {
            learn(vec![Masking::word(&helper.command)]);
        }
        match self.plan.as_ref().map(|plan| &plan.start) {
            Ok(Start::Process { argv, env, .. }) => {
                learn(Masking::command_line(argv));
                learn(Masking::command_line(&self.shown_argv(argv)));
                for variable in env
                    .iter()
                    .filter(|variable| variable.giver != Giver::Inherited)
                {
                    scrubber.learn_variable(&variable.name, &variable.value);
                }
            }
            Ok(Start::Remote { url, headers, .. }) => {
                learn(vec![Masking::url(url), Masking::url(&self.shown_url(url))]);
                for (_, value) in headers {
                    scrubber.learn(value.clone());
                }
            }
            Err(_) => {}
        }
    }
}

/// Names of `variables` by who gives them, those of the definition first.
pub(crate) fn by_giver(variables: &[Handed]) -> Vec<(Giver, Vec<&str>)> {
    [
        Giver::Entry,
        Giver::Settings,
        Giver::Repository,
        Giver::Harness,
        Giver::Inherited,
    ]
    .into_iter()
    .map(|giver| {
        let given = variables.iter().filter(|variable| variable.giver == giver);
        (
            giver,
            given.map(|variable| variable.name.as_str()).collect(),
        )
    })
    .filter(|(_, names): &(Giver, Vec<&str>)| !names.is_empty())
    .collect()
}

/// `names` in one line: all of them, or how many there are.
pub(crate) fn names(names: &[&str], detail: Detail) -> String {
    if names.len() <= FEW || detail == Detail::Verbose {
        names.join(", ")
    } else {
        format!("{} variables (-v names them)", names.len())
    }
}

/// How long something waits: `30 s`, `5 min`, `27 h 46 min`.
pub(crate) fn wait(timeout: &Timeout) -> String {
    let Some(duration) = timeout.duration else {
        return "for ever".to_owned();
    };
    let (whole, minutes, hours) = (
        duration.as_secs(),
        duration.as_secs() / 60,
        duration.as_secs() / 3600,
    );
    let fraction = duration != Duration::from_secs(whole);
    match whole {
        0 => format!("{} ms", duration.as_millis()),
        1..120 if fraction => format!("{} s", duration.as_secs_f64()),
        1..120 => format!("{whole} s"),
        120..7200 if whole % 60 == 0 => format!("{minutes} min"),
        120..7200 => format!("{minutes} min {} s", whole % 60),
        _ if minutes % 60 == 0 => format!("{hours} h"),
        _ => format!("{hours} h {} min", minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_a_person_would_say_them() {
        for (milliseconds, expected) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (2500, "2.5 s"),
            (30_000, "30 s"),
            (119_000, "119 s"),
            (300_000, "5 min"),
            (301_500, "5 min 1 s"),
            (7_200_000, "2 h"),
            (100_000_000, "27 h 46 min"),
        ] {
            let timeout = Timeout::usual(Duration::from_millis(milliseconds));
            assert_eq!(wait(&timeout), expected);
        }
        let never = Timeout {
            duration: None,
            place: None,
        };
        assert_eq!(wait(&never), "for ever");
    }
}
