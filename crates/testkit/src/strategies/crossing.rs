//! Two recorded worlds made one, so that rules meet that no recording brought together.

use camino::Utf8Path;
use serde_json::Value;

use crate::{Stage, Tree};

/// The tree of `stage` with some files of `donor`, by the bits of `choice`: objects of one path are joined member by member, what
/// cannot be joined is replaced.
pub fn crossed(stage: &Stage, donor: &Stage, choice: u64) -> Tree {
    let tree = stage.tree.copy();
    for (at, path) in donor.tree.files().iter().enumerate() {
        if choice.rotate_right(u32::try_from(at % 64).unwrap_or_default()) & 1 == 0
            || !fits(&tree, path)
        {
            continue;
        }
        let new = donor.tree.content(path).unwrap_or_default();
        let joined = tree.content(path).and_then(|old| joined(&old, &new));
        tree.file(path, joined.unwrap_or(new));
    }
    tree
}

/// Whether a file can be laid at `path`: nothing above it is one.
fn fits(tree: &Tree, path: &Utf8Path) -> bool {
    path.ancestors()
        .skip(1)
        .all(|above| tree.content(above).is_none())
}

fn joined(old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let mut old: Value = serde_json::from_slice(old).ok()?;
    let new: Value = serde_json::from_slice(new).ok()?;
    if !old.is_object() || !new.is_object() {
        return None;
    }
    join(&mut old, new);
    serde_json::to_vec_pretty(&old).ok()
}

fn join(old: &mut Value, new: Value) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in new {
                match old.get_mut(&name) {
                    Some(there) => join(there, value),
                    None => drop(old.insert(name, value)),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => old.extend(new),
        (old, new) => *old = new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_worlds_become_one() {
        let base = Stage::new("//- /a.json\n{\"x\": {\"y\": 1}, \"l\": [1]}\n//- /b\nold\n");
        let donor = Stage::new(
            "//- /a.json\n{\"x\": {\"z\": 2}, \"l\": [2]}\n//- /b\nnew\n//- /b/c\nbelow a file\n//- /d\nadded\n",
        );
        let tree = crossed(&base, &donor, u64::MAX);
        let joined: Value = serde_json::from_slice(&tree.content("/a.json").unwrap_or_default())
            .unwrap_or_default();
        assert_eq!(
            joined,
            serde_json::json!({"x": {"y": 1, "z": 2}, "l": [1, 2]})
        );
        assert_eq!(tree.content("/d").as_deref(), Some(&b"added\n"[..]));
        assert_eq!(
            crossed(&base, &donor, 0).content("/b").as_deref(),
            Some(&b"old\n"[..])
        );
    }
}
