//! Every check there is.

use muster_core::{Check, Finding};

use crate::account::{Account, Subject};
use crate::checks;

/// How a check looks.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    /// Once for each harness.
    Harness(fn(&Account<'_>, &mut Vec<Finding>)),
    /// Once for each server; what was found of it so far is at hand.
    Server(fn(&Subject<'_>, &mut Vec<Finding>)),
}

/// A check and how it looks.
pub(crate) struct Registered {
    pub(crate) check: &'static Check,
    pub(crate) look: Look,
}

macro_rules! registry {
    ($($kind:ident $check:ident),+ $(,)?) => {
        /// Every check and how it looks; of one server, in this order.
        pub(crate) static ALL: &[Registered] = &[
            $(Registered { check: &checks::$check::CHECK, look: Look::$kind(checks::$check::look) }),+
        ];

        /// Every check, in the order in which they look.
        pub static CHECKS: &[&Check] = &[$(&checks::$check::CHECK),+];
    };
}

registry! {
    Harness agent_stopped,
    Harness broken_file,
    Harness duplicate_key,
    Harness shadowed_own,
    Harness tool_names,
    Harness readable_secrets,
    Harness dead_trust_key,
    Harness self_approval,
    Harness missing_in_worktree,
    Server server_name,
    Server transport_word,
    Server url_without_type,
    Server command_and_url,
    Server misspelled_key,
    Server dead_switch,
    Server variable_dialect,
    Server unset_variable,
    Server cmd_outside_windows,
    Server command_line,
    Server relative_path,
    Server windows_program,
    Server missing_folder,
    Server command_not_found,
    Server docker_stdin,
    Server timeout_unit,
    Server never_read,
    Server plain_http,
    Server literal_secret,
    Server unpinned_package,
    // Last: what a more exact check has told of is not told again.
    Server invalid_entry,
}

/// The check called `id`, of configuration or of servers that were started.
pub fn by_id(id: &str) -> Option<&'static Check> {
    let of_launches = crate::LAUNCH_CHECKS.iter().copied();
    ALL.iter()
        .map(|registered| registered.check)
        .chain(of_launches)
        .find(|check| check.id == id)
}
