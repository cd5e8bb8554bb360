//! What a report is about.

use camino::Utf8Path;
use muster_core::{Finding, Mode, Resolution};

use crate::{Checked, Launch};

/// Everything one run found, and the session it was asked about.
#[derive(Debug, Clone, Copy)]
pub struct Survey<'r> {
    /// The session folder as the user named it.
    pub folder: &'r Utf8Path,
    /// The session folder with its links resolved.
    pub cwd: &'r Utf8Path,
    /// The user's home, shown as `~`.
    pub home: Option<&'r Utf8Path>,
    /// Whether somebody can be asked.
    pub mode: Mode,
    /// The command line whose session is asked about; `None` for a plain session.
    pub session: Option<&'r [String]>,
    /// What each harness makes of it, in the order in which harnesses are shown.
    pub resolutions: &'r [Resolution],
    /// What is worth acting on in it, the worst first.
    pub findings: &'r [Finding],
    /// How each harness would start the server that is asked about, where that is asked.
    pub launches: &'r [Launch<'r>],
    /// What came of servers that were started; `None` where none was to be.
    pub checked: Option<Checked<'r>>,
}
