//! Where a harness looks, found out by watching it, and trees with something at these places: a new harness needs no list.

use camino::Utf8PathBuf;
use muster_core::Harness;
use proptest::prelude::*;

use super::places::{Format, file};
use crate::{Stage, Tree};

/// Every path that `harness` asks about in an empty home and repository, and those that it asks about once these are there.
pub fn looked_at(harness: &dyn Harness) -> Vec<Utf8PathBuf> {
    let tree = Tree::fixture("//- /work/repo/.git/HEAD\nref: refs/heads/main\n");
    let stage = Stage::of(tree.copy());
    harness.resolve(&stage.world());
    let folders = stage.tree.asked();
    for path in folders.iter().filter(|path| path.extension().is_none()) {
        if tree.content(path).is_none() {
            tree.folder(path);
        }
    }
    let stage = stage.again(tree);
    harness.resolve(&stage.world());
    let mut paths: Vec<_> = folders.into_iter().chain(stage.tree.asked()).collect();
    paths.sort();
    paths.dedup();
    paths.retain(|path| is_for_files(path.as_str()));
    paths
}

/// Not the folders that everything else lies in.
fn is_for_files(path: &str) -> bool {
    !path.ends_with("/.git")
        && !["/", Stage::HOME, "/home", Stage::FOLDER, "/work", "/etc"].contains(&path)
}

/// A tree with something at a few of the places that `harness` looks at. Its session folder is a repository's root.
pub fn tree_for(harness: &dyn Harness) -> BoxedStrategy<Tree> {
    let places = looked_at(harness);
    let formats = prop::sample::select(vec![Format::Mcp, Format::State, Format::Settings]);
    let filled = prop::sample::subsequence(places.clone(), 0..=places.len().min(6));
    (filled, formats)
        .prop_flat_map(|(places, json)| {
            let files: Vec<_> = places
                .iter()
                .map(|path| file(format(path.as_str(), json)))
                .collect();
            (Just(places), files)
        })
        .prop_map(|(places, contents)| {
            let tree = Tree::fixture("//- /work/repo/.git/HEAD\nref: refs/heads/main\n");
            tree.folder(Stage::HOME);
            for (path, content) in places.iter().zip(contents) {
                tree.file(path, content);
            }
            tree
        })
        .boxed()
}

fn format(path: &str, json: Format) -> Format {
    match path.rsplit('.').next() {
        Some("toml") => Format::Toml,
        Some("env") => Format::Environment,
        _ => json,
    }
}
