//! Files where harnesses look, and trees of them.

use proptest::prelude::*;
use serde_json::Value;

use super::entries::document;
use super::mutate::mutated;
use super::render::{json, toml};
use crate::Tree;

/// What kind of document a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON that lists servers: `.mcp.json`.
    Mcp,
    /// JSON that Claude Code keeps for itself: `.claude.json`.
    State,
    /// JSON settings: Claude Code's `settings.json` and an administrator's.
    Settings,
    /// Codex's TOML.
    Toml,
    /// `NAME=value` lines.
    Environment,
}

/// Files where harnesses look in the world of a [`Stage`](crate::Stage), with what they hold.
pub const PLACES: &[(&str, Format)] = &[
    ("/home/me/.claude.json", Format::State),
    ("/home/me/.claude/settings.json", Format::Settings),
    ("/home/me/.claude/.config.json", Format::State),
    ("/work/repo/.mcp.json", Format::Mcp),
    ("/work/.mcp.json", Format::Mcp),
    ("/work/repo/.claude/settings.json", Format::Settings),
    ("/work/repo/.claude/settings.local.json", Format::Settings),
    ("/etc/claude-code/managed-mcp.json", Format::Mcp),
    ("/etc/claude-code/managed-settings.json", Format::Settings),
    (
        "/etc/claude-code/managed-settings.d/10-team.json",
        Format::Settings,
    ),
    ("/home/me/.codex/config.toml", Format::Toml),
    ("/home/me/.codex/work.config.toml", Format::Toml),
    ("/home/me/.codex/.env", Format::Environment),
    ("/work/repo/.codex/config.toml", Format::Toml),
    ("/work/.codex/config.toml", Format::Toml),
    ("/etc/codex/config.toml", Format::Toml),
    ("/etc/codex/managed_config.toml", Format::Toml),
    ("/etc/codex/requirements.toml", Format::Toml),
];

/// The content of a file of `format`: mostly well-formed, sometimes mutated, seldom anything.
pub fn file(format: Format) -> BoxedStrategy<Vec<u8>> {
    let written = document(format)
        .prop_map(move |value| render(format, &value))
        .boxed();
    prop_oneof![
        8 => written.clone(),
        2 => written.prop_flat_map(mutated),
        1 => prop::collection::vec(any::<u8>(), 0..64),
    ]
    .boxed()
}

fn render(format: Format, value: &Value) -> Vec<u8> {
    let text = match (format, value) {
        (Format::Toml, value) => toml(value),
        (Format::Environment, Value::Object(members)) => members
            .iter()
            .map(|(name, value)| format!("{name}={value}\n"))
            .collect(),
        (_, value) => json(value),
    };
    text.into_bytes()
}

/// What lies at a place.
#[derive(Debug, Clone)]
enum Thing {
    File(Vec<u8>),
    Folder,
    Link(&'static str),
    Nothing,
}

/// A tree with some of the [`PLACES`] filled. Its session folder is a repository's root.
pub fn tree() -> impl Strategy<Value = Tree> {
    let targets: Vec<&'static str> = PLACES
        .iter()
        .map(|(path, _)| *path)
        .chain(["/nowhere", "."])
        .collect();
    let things: Vec<_> = PLACES
        .iter()
        .map(|(_, format)| {
            prop_oneof![
                8 => Just(Thing::Nothing),
                8 => file(*format).prop_map(Thing::File),
                1 => prop::sample::select(targets.clone()).prop_map(Thing::Link),
                1 => Just(Thing::Folder),
            ]
        })
        .collect();
    things.prop_map(|things| {
        let tree = Tree::empty();
        tree.file("/work/repo/.git/HEAD", "ref: refs/heads/main\n");
        tree.folder("/work/repo/.git/objects");
        tree.folder("/work/repo/.git/refs");
        tree.folder("/home/me");
        for ((path, _), thing) in PLACES.iter().zip(things) {
            match thing {
                Thing::File(content) => tree.file(path, content),
                Thing::Folder => tree.folder(path),
                Thing::Link(target) => tree.link(path, target),
                Thing::Nothing => {}
            }
        }
        tree
    })
}
