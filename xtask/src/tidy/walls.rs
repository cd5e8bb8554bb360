//! The walls between crates.

use std::sync::Arc;

use camino::Utf8Path;
use muster_document::{Dialect, Document};

use crate::Result;
use crate::place::{PURE, Workspace};

/// What pure crates may depend on. A crate comes onto this list after a look whether it touches disk, process, clock or environment.
const PURE_DEPENDENCIES: &[&str] = &[
    "aho-corasick",
    "annotate-snippets",
    "anstyle",
    "camino",
    "jsonc-parser",
    "muster-core",
    "muster-document",
    "regex-lite",
    "saphyr",
    "saphyr-parser",
    "schemars",
    "serde",
    "serde_json",
    "sha1_smol",
    "sha2",
    "strsim",
    "thiserror",
    "toml_edit",
    "toml_parser",
    "unicode-width",
];

/// Which of our crates a crate may depend on, the lowest first. What is not listed may depend on any.
const ORDER: [(&str, &[&str]); 8] = [
    ("document", &[]),
    ("core", &["muster-document"]),
    ("harness", &["muster-core", "muster-document"]),
    ("audit", &["muster-core", "muster-document"]),
    ("report", &["muster-core", "muster-document"]),
    ("store", &["muster-core", "muster-document"]),
    ("client", &["muster-core", "muster-document"]),
    ("testkit", &["muster-core", "muster-document"]),
];

/// Every pure crate has the same `clippy.toml`, which forbids disk, process, clock, environment and network and repeats what the
/// workspace's own says, for which it stands in.
pub(super) fn pure_crates_are_walled(workspace: &Workspace) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let general = workspace.read("clippy.toml")?;
    let path = |name: &str| format!("crates/{name}/clippy.toml");
    let mut walls = Vec::new();
    for name in PURE {
        match workspace.read(&path(name)) {
            Ok(wall) => walls.push((name, wall)),
            Err(_) => faults.push(format!("{}: the wall is missing", path(name))),
        }
    }
    let Some((first, wall)) = walls.first() else {
        return Ok(faults);
    };
    for (name, other) in walls.iter().skip(1) {
        if other != wall {
            faults.push(format!("{}: differs from {}", path(name), path(first)));
        }
    }
    for forbidden in [
        "std::fs::read",
        "std::process::Command",
        "std::time::SystemTime",
        "std::env::var",
        "std::net::TcpStream",
    ] {
        if !wall.contains(&format!("path = \"{forbidden}\"")) {
            faults.push(format!("{}: does not forbid `{forbidden}`", path(first)));
        }
    }
    let settings = general
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    faults.extend(
        settings
            .filter(|line| !wall.contains(*line))
            .map(|line| format!("{}: lacks `{line}`", path(first))),
    );
    Ok(faults)
}

/// Dependencies between our crates run one way, pure crates depend on nothing that could go around the wall, and every crate takes
/// the workspace's lints.
pub(super) fn dependencies_run_one_way(workspace: &Workspace) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for name in workspace.folders("crates")? {
        let path = format!("crates/{name}/Cargo.toml");
        let manifest = Manifest::read(workspace, &path)?;
        if !manifest.takes_the_lints() {
            faults.push(format!("{path}: lacks `[lints] workspace = true`"));
        }
        for dependency in manifest.dependencies() {
            if PURE.contains(&name.as_str()) && !PURE_DEPENDENCIES.contains(&dependency.as_str()) {
                faults.push(format!("{path}: `{dependency}` is not on the list of what pure crates may depend on (xtask/src/tidy/walls.rs)"));
            }
            let allowed = ORDER
                .iter()
                .find(|(of, _)| *of == name)
                .map(|(_, allowed)| *allowed);
            if dependency.starts_with("muster-")
                && allowed.is_some_and(|allowed| !allowed.contains(&dependency.as_str()))
            {
                faults.push(format!("{path}: `{dependency}` lies above this crate"));
            }
        }
    }
    Ok(faults)
}

struct Manifest(Document);

impl Manifest {
    fn read(workspace: &Workspace, path: &str) -> Result<Self> {
        let text = workspace.read(path)?;
        Ok(Manifest(Document::parse(
            Arc::from(Utf8Path::new(path)),
            text.as_bytes(),
            Dialect::Toml,
        )?))
    }

    /// Names in `[dependencies]` and in `[target.….dependencies]`; those for tests do not count.
    fn dependencies(&self) -> Vec<String> {
        let root = self.0.root();
        let general = root.get("dependencies");
        let targets = root
            .get("target")
            .into_iter()
            .flat_map(|targets| targets.members());
        let special = targets.filter_map(|target| target.value.get("dependencies"));
        general
            .into_iter()
            .chain(special)
            .flat_map(|table| table.members())
            .map(|member| member.key.text.clone())
            .collect()
    }

    fn takes_the_lints(&self) -> bool {
        let lints = self
            .0
            .root()
            .get("lints")
            .and_then(|lints| lints.get("workspace"));
        lints.and_then(|workspace| workspace.as_bool()) == Some(true)
    }
}
