//! One file for each check. Each has its `CHECK`, which says what it is, and its `look`.

pub(crate) mod broken_file;
pub(crate) mod cmd_outside_windows;
pub(crate) mod command_line;
pub(crate) mod command_not_found;
pub(crate) mod invalid_entry;
pub(crate) mod never_read;
pub(crate) mod plain_http;
pub(crate) mod transport_word;
pub(crate) mod unset_variable;
pub(crate) mod url_without_type;
pub(crate) mod variable_dialect;
