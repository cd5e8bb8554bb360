//! A home in which an agent has the server that this binary is.

use libtest_mimic::Failed;

use crate::context::{Context, Run};

/// The word that makes this binary the server.
pub(crate) const SERVER: &str = "__server";

/// Stands for a secret of the server's. It looks like no key of a known service and like no word.
pub(crate) const CANARY: &str = "hunter q7z\"q+ü/8";

/// This binary, as JSON writes a path.
pub(crate) fn own() -> String {
    std::env::current_exe()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned()
}

/// A home whose user has the server, called `fake`, in Claude Code.
pub(crate) fn home() -> Context {
    home_of("")
}

/// The same, of the server's kind `kind`.
pub(crate) fn home_of(kind: &str) -> Context {
    home_with(kind, CANARY)
}

/// The same, which is given `token`.
pub(crate) fn home_with(kind: &str, token: &str) -> Context {
    let server = serde_json::json!({
        "command": own(), "args": [SERVER, kind], "env": {"TOKEN": token},
    });
    let file = serde_json::json!({"mcpServers": {"fake": server}});
    Context::new().file(".claude.json", &file.to_string())
}

/// What `words`, parted by blanks, leave in `context`.
pub(crate) fn run(context: &Context, words: &str) -> Run {
    context.run(words.split(' '))
}

/// Runs a test, which passes unless it panics.
pub(crate) fn done(test: fn()) -> Result<(), Failed> {
    test();
    Ok(())
}
