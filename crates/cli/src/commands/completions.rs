//! `muster completions`: a script that teaches a shell the command line.

use clap_complete::Shell;
use muster_report::Page;

use crate::args::Args;

/// The script for `shell`.
pub(crate) fn run(shell: Shell) -> Page {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::grammar(), "muster", &mut script);
    Page::own(String::from_utf8_lossy(&script))
}
