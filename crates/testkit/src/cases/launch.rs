//! Holding a launch plan against how the real program started the server.

use camino::Utf8Path;
use muster_core::{Environment, Files, Harness, LaunchPlan, Mode, Server, Start, Status, World};
use serde_json::Value;

use super::{platform, text, texts};

/// What of a server's record is about how it was started.
const ASPECTS: [&str; 3] = ["env", "env_absent", "cwd"];

/// Whether `record` says how a server was started.
pub(super) fn is_told(record: &Value) -> bool {
    started(record).next().is_some()
}

/// What is wrong in the launch plans of `harness` for `record`, a case with its root put in, that is laid down at `root` below which
/// `files` reads; empty if they agree.
pub(super) fn compare(
    record: &Value,
    harness: &dyn Harness,
    root: &Utf8Path,
    files: &Files,
) -> Vec<String> {
    let world = match world(record, harness, root, files) {
        Ok(world) => world,
        Err(why) => return vec![why],
    };
    let resolution = harness.resolve(&world);
    let mut wrong = Vec::new();
    for (name, want) in started(record) {
        let loads = |server: &&Server| {
            server.definition.name == *name && server.status == Status::Configured
        };
        // That none loads is told by the list.
        let Some(server) = resolution.servers.iter().find(loads) else {
            continue;
        };
        let differences = match harness.launch(&world, server) {
            Ok(plan) => differences(want, &plan, files),
            Err(error) => vec![format!("no launch plan: {error}")],
        };
        wrong.extend(
            differences
                .into_iter()
                .map(|what| format!("{name}: {what}")),
        );
    }
    wrong
}

/// The servers of which `record` says how they were started.
fn started(record: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let servers = record
        .get("expect")
        .and_then(|expect| expect.get("servers"))
        .and_then(Value::as_object);
    servers.into_iter().flatten().filter(|(_, want)| {
        want.get("loads") == Some(&Value::Bool(true))
            && ASPECTS.iter().any(|aspect| want.get(aspect).is_some())
    })
}

/// The world of the case, as the binary would make it.
fn world<'f>(
    record: &Value,
    harness: &dyn Harness,
    root: &Utf8Path,
    files: &'f Files,
) -> Result<World<'f>, String> {
    let mut folder = root.join(text(record, "project").unwrap_or_default());
    let real = |folder: &Utf8Path| files.real_path(folder).unwrap_or_else(|| folder.to_owned());
    let start = real(&folder);
    let words: Vec<String> = texts(record, "session")
        .into_iter()
        .map(str::to_owned)
        .collect();
    let session = match words.as_slice() {
        [] => None,
        words => Some(
            harness
                .session(words, &start)
                .map_err(|error| error.to_string())?,
        ),
    };
    if let Some(moved) = session.as_ref().and_then(|session| session.folder.clone()) {
        folder = moved;
    }
    let headless = text(record, "mode") == Some("headless")
        || session
            .as_ref()
            .is_some_and(|session| session.mode == Mode::Headless);
    let home = root.join("home");
    let own = [
        ("HOME", home.as_str()),
        ("MUSTER_SYSTEM_ROOT", root.as_str()),
    ];
    let given = record
        .get("env")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default()));
    Ok(World {
        cwd: real(&folder),
        folder,
        start,
        env: own
            .into_iter()
            .chain(given)
            .collect::<Environment>()
            .on(platform(record)),
        home: Some(home),
        system_root: Some(root.to_owned()),
        platform: platform(record),
        mode: if headless {
            Mode::Headless
        } else {
            Mode::Interactive
        },
        session,
        files,
    })
}

/// In what `plan` differs from what the real program started. Variables of which the record says nothing may be anything.
fn differences(want: &Value, plan: &LaunchPlan, files: &Files) -> Vec<String> {
    let Start::Process { cwd, env, .. } = &plan.start else {
        return vec![
            "a launch plan for an address, and the real program started a process".to_owned(),
        ];
    };
    let passed_over = texts(want, "not_compared");
    let compared = |aspect: &str| !passed_over.contains(&aspect);
    let value_of = |name: &str| {
        let found = env.iter().find(|variable| variable.name == name);
        found.map(|variable| variable.value.expose())
    };
    let mut wrong = Vec::new();
    let wanted = want.get("env").and_then(Value::as_object);
    for (name, real) in wanted.into_iter().flatten().filter(|_| compared("env")) {
        let mine = value_of(name);
        if mine != real.as_str() {
            wrong.push(format!("env {name}={mine:?}, real program: {real}"));
        }
    }
    for name in texts(want, "env_absent") {
        if compared("env_absent") && value_of(name).is_some() {
            wrong.push(format!(
                "env {name} is passed on, the real program withholds it"
            ));
        }
    }
    if let Some(real) = text(want, "cwd").filter(|_| compared("cwd"))
        && cwd != real
        && files.real_path(cwd).as_deref() != Some(Utf8Path::new(real))
    {
        wrong.push(format!("cwd={cwd}, real program: {real}"));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use muster_harness::by_id;
    use serde_json::json;

    use super::*;
    use crate::Tree;

    #[test]
    fn what_a_server_is_given_is_held_against_its_plan() {
        let tree = Tree::fixture(
            "
            //- /case/home/.codex/config.toml
            [mcp_servers.s]
            command = 's'
            cwd = 'sub'
            env = { A = '1' }
            [mcp_servers.off]
            command = 's'
            enabled = false
            //- /case/work/.keep
            ",
        );
        let files = Files::new(tree);
        let check = |want: Value| {
            let record = json!({"project": "work", "env": {"X": "1"}, "expect": {"servers": {"s": want, "off": {"loads": false, "cwd": "/"}}}});
            assert!(is_told(&record));
            compare(&record, by_id("codex").unwrap(), "/case".into(), &files)
        };
        let good = json!({"loads": true, "env": {"A": "1", "HOME": "/case/home", "X": null}, "env_absent": ["X"], "cwd": "/case/work/sub"});
        assert_eq!(check(good), [""; 0]);
        let bad = json!({"loads": true, "env": {"A": "2", "B": "1"}, "env_absent": ["HOME"], "cwd": "/case/work"});
        assert_eq!(check(bad).len(), 4);
        let unheld = json!({"loads": true, "env": {"A": "2"}, "not_compared": ["env"]});
        assert_eq!(check(unheld), [""; 0]);
    }
}
