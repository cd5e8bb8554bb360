//! What the help of Muster itself ends with.

/// What `-h` ends with, which is to fit a screen.
pub(super) const SHORT: &str = "\
`muster` alone is `muster list`. Secrets are shown as ••• everywhere.
`muster --help` gives examples, `muster COMMAND --help` those of a command.";

/// What `--help` says besides; `-h` is to fit a screen.
pub(super) const EXIT_CODES: &str = "\
Exit codes: 0 whatever the answer is, 1 for what `muster check` denies and for a
tool that says it failed, 2 where a question makes no sense or the answer cannot
be written, 3 for a server that does not start or answer, 4 for one that may not
start, 70 for a fault of Muster's own, 130 where it was interrupted.";

/// What `check --help` says besides.
pub(super) const CHECK_CODES: &str = "\
Exit codes: 0 nothing to deny, 1 findings at or above --deny, 2 where a
question makes no sense, 3 where no server of a name that was asked for loads,
4 where one that was asked for needs your approval, 70 for a fault of Muster's
own, 130 where it was interrupted: what was started is ended then too.";
