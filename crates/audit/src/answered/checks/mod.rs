//! One file for each check. Each has its `CHECK`, which says what it is, and its `look`.

pub(crate) mod asks_client;
pub(crate) mod hidden_text;
pub(crate) mod left_running;
pub(crate) mod list_failed;
pub(crate) mod needs_sign_in;
pub(crate) mod not_started;
pub(crate) mod odd_list;
pub(crate) mod odd_protocol;
pub(crate) mod odd_tool;
pub(crate) mod server_failed;
pub(crate) mod server_timed_out;
pub(crate) mod slow_start;
pub(crate) mod stdout_noise;
pub(crate) mod tool_collision;
pub(crate) mod tool_name;
pub(crate) mod tools_lost;
