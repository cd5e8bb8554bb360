//! `muster ps` as Markdown.

use muster_core::{Fate, RunningServer};
use muster_document::code;

use super::{head, plain, row};
use crate::running::{age, command, fates, groups, name, size};
use crate::{Detail, VERSION};

/// Everything that runs, a table for each agent.
pub(crate) fn ps(
    servers: &[RunningServer],
    reaped: Option<&[(u32, Fate)]>,
    detail: Detail,
) -> String {
    let mut text = format!("## MCP servers that run\n\nmuster {VERSION}\n");
    let groups = groups(servers, detail == Detail::Verbose);
    for group in &groups {
        text.push_str(&format!("\n### {}\n\n", plain(&group.title)));
        text.push_str(&head(["process", "server", "memory", "age", "command"]));
        for server in &group.servers {
            text.push_str(&row([
                server.process.pid.to_string(),
                plain(name(server)),
                server.memory.map(size).unwrap_or_default(),
                server.process.age.map(age).unwrap_or_default(),
                code(&command(server)),
            ]));
        }
    }
    if groups.is_empty() {
        text.push_str("\nNo MCP server runs.\n");
    }
    if let Some(reaped) = reaped {
        text.push_str(&format!("\n{}\n", fates(reaped)));
    }
    text
}
