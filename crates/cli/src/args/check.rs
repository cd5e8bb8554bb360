//! What `muster check` is asked.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::ValueEnum;

// What `muster check` is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Start what loads, list what it offers, and end it again
    #[arg(long)]
    pub(crate) launch: bool,
    /// Reach servers that run elsewhere too; means --launch
    #[arg(long)]
    pub(crate) remote: bool,
    /// Start what comes with a repository though you have not approved it in the agent; it is shown first
    #[arg(long)]
    pub(crate) include_unapproved: bool,
    /// How long one server may take until its last list is there, in seconds
    #[arg(long, value_name = "SECS", default_value = "20", value_parser = patience)]
    pub(crate) timeout: Duration,
    /// How many servers are started at once [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// The level of findings at which it fails (exit code 1)
    #[arg(
        long,
        value_name = "LEVEL",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) deny: Deny,
    /// Only this server; may be repeated, and is started in this order
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) server: Vec<String>,
    /// Answer for the session that this command line would start; nothing of it is run
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) session: Vec<String>,
}

/// The longest that a server is waited for: a day.
const LONGEST: f64 = 86_400.0;

/// A time in seconds, such as `20` or `0.5`.
fn patience(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "it is no number of seconds".to_owned())?;
    if !(seconds > 0.0 && seconds <= LONGEST) {
        return Err("it must be more than 0 and at most a day".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// How bad a finding must be to make a check fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Deny {
    /// Errors
    #[default]
    Error,
    /// Warnings and errors
    Warning,
    /// Everything
    Note,
    /// Nothing makes it fail
    Never,
}
