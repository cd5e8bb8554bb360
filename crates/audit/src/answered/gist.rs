//! What is kept of a tool when its turn is over.

use super::tool::Tool;

/// What checks over several tools need of each.
#[derive(Debug)]
pub(crate) struct Gist {
    /// The server's own name for it. Foreign.
    pub(crate) name: Box<str>,
}

impl Gist {
    /// What is kept of `tool`.
    pub(crate) fn of(tool: &Tool<'_>) -> Gist {
        Gist {
            name: tool.name().into(),
        }
    }
}
