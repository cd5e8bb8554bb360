//! Every check of servers that were started.

use muster_core::{Check, Finding};

use super::answer::Answer;
use super::checks;
use super::item::Item;
use super::offering::{Gathered, Offering};
use super::tool::Tool;

/// How a check looks.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    /// Once for each server.
    Server(fn(&Answer<'_>, &mut Vec<Finding>)),
    /// Once for everything that a server tells models: its tools, prompts and resources, and itself.
    Item(fn(&Item<'_>, &mut Vec<Finding>)),
    /// Once for each tool.
    #[allow(dead_code, reason = "for checks to come")]
    Tool(fn(&Tool<'_>, &mut Vec<Finding>)),
    /// Once for what each harness gives its model.
    Offering(fn(&Offering<'_>, &mut Vec<Finding>)),
    /// Once.
    #[allow(dead_code, reason = "for checks to come")]
    All(fn(&Gathered<'_>, &mut Vec<Finding>)),
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

        /// Every check of servers that were started.
        pub static LAUNCH_CHECKS: &[&Check] = &[$(&checks::$check::CHECK),+];
    };
}

registry! {
    Server server_failed,
    Server server_timed_out,
    Server needs_sign_in,
    Server not_started,
    Server stdout_noise,
    Server slow_start,
    Server left_running,
    Offering tools_lost,
    Server odd_tool,
    Server odd_list,
    All tool_name,
    Offering tool_collision,
    Server list_failed,
    Server odd_protocol,
    Server asks_client,
    Item hidden_text,
}
