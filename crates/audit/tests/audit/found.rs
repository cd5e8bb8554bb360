//! The tree that every test starts from, and what was found in it.

use muster_core::{Audience, Finding};
use muster_testkit::Stage;

/// Programs that are there to be started.
const PROGRAMS: &str = "
    //- /work/repo/.git/HEAD
    ref: refs/heads/main
    //- /usr/bin/npx mode=755
    //- /usr/bin/node mode=755
    //- /usr/bin/uvx mode=755
    //- /usr/bin/docker mode=755
    //- /usr/bin/bash mode=755
    //- /usr/bin/notes.txt mode=644
";

/// The files of `fixture` in a world with a few programs on its PATH.
pub(crate) fn stage(fixture: &str) -> Stage {
    let stage = Stage::new(PROGRAMS).env("PATH", "/usr/local/bin:/usr/bin");
    stage.tree.lay(fixture);
    stage
}

/// Lays down a program at `path`.
pub(crate) fn program(stage: &Stage, path: &str) {
    stage.tree.file(path, "");
    stage.tree.chmod(path, 0o755);
}

/// The files of `.mcp.json` with these members of `mcpServers`.
pub(crate) fn project(servers: &str) -> Stage {
    let stage = stage("");
    stage.tree.file(
        "/work/repo/.mcp.json",
        format!("{{\"mcpServers\": {{\n{servers}\n}}}}"),
    );
    stage
}

/// The files of Codex's own configuration with this text.
pub(crate) fn codex(text: &str) -> Stage {
    let stage = stage("");
    stage.tree.file("/home/me/.codex/config.toml", text);
    stage
}

/// Every finding in `stage`.
pub(crate) fn findings(stage: &Stage) -> Vec<Finding> {
    let world = stage.world();
    let harnesses = muster_harness::ALL;
    let resolutions: Vec<_> = harnesses
        .iter()
        .map(|harness| harness.resolve(&world))
        .collect();
    muster_audit::audit(&world, harnesses, &resolutions, &Audience::ALL)
}

/// What the check `id` found in `stage`, each as `line:column server: text; help`.
pub(crate) fn by(id: &str, stage: &Stage) -> Vec<String> {
    let found = findings(stage).into_iter();
    found
        .filter(|finding| finding.check.id == id)
        .map(|finding| line(&finding))
        .collect()
}

/// The ids of everything for everybody that was found in `stage`.
pub(crate) fn ids(stage: &Stage) -> Vec<&'static str> {
    let found = findings(stage);
    let everyone = found
        .iter()
        .filter(|finding| finding.check.audience == Audience::Everyone);
    everyone.map(|finding| finding.check.id).collect()
}

fn line(finding: &Finding) -> String {
    let place = finding.place.as_ref();
    let place = place.map_or("-".to_owned(), |place| {
        format!("{}:{}", place.position.line, place.position.column)
    });
    format!(
        "{} {place} {}: {}; {}",
        finding.severity.word(),
        finding.server.as_deref().unwrap_or("-"),
        finding.text,
        finding.help.as_deref().unwrap_or("-")
    )
}
