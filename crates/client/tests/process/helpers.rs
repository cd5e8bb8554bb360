//! Commands that give a server's values, asked before it starts.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use muster_client::{EraChoice, Launcher, Limits, Manner, Teller};
use muster_core::{Giver, Gives, Handed, Helper, LaunchPlan, Start, Timeout, Transport};
use muster_document::Secret;

use crate::scene::{QUICK, Scene, apart};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        apart(
            "a_variable_is_what_its_command_prints",
            a_variable_is_what_its_command_prints,
        ),
        apart(
            "a_helper_that_fails_fails_its_server",
            a_helper_that_fails_fails_its_server,
        ),
        apart(
            "header_fields_of_a_helper_that_need_not_succeed",
            header_fields_of_a_helper_that_need_not_succeed,
        ),
    ]
}

/// A server that says what `TOKEN` is, by its name.
const SERVER: &str = r#"
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        info = {"name": os.environ["TOKEN"], "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
    elif "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": ""}}), flush=True)
"#;

fn launcher(scene: &Scene) -> Launcher {
    Launcher {
        supervisor: scene.supervisor.clone(),
        net: None,
        sign_ins: None,
        manner: Manner {
            limits: Limits::default(),
            ..Manner::default()
        },
        era: EraChoice::Detect,
        patience: QUICK,
    }
}

fn env(scene: &Scene) -> Vec<Handed> {
    let path = std::env::var("PATH").unwrap_or_default();
    let scene = scene.home.path().to_str().unwrap();
    [
        ("PATH", path.as_str()),
        ("SCENE", scene),
        ("TOKEN", "!as-written"),
    ]
    .map(|(name, value)| Handed {
        name: name.to_owned(),
        value: Secret::new(value),
        giver: Giver::Entry,
    })
    .to_vec()
}

/// A plan whose `TOKEN` is what `command` prints.
fn plan(scene: &Scene, command: &str, patience: Duration) -> LaunchPlan {
    let cwd = camino::Utf8Path::from_path(scene.home.path()).unwrap();
    let server = ["python3", "-c", SERVER].map(Secret::new);
    LaunchPlan {
        start: Start::Process {
            argv: server.to_vec(),
            cwd: cwd.to_owned(),
            env: env(scene),
            withheld: Vec::new(),
        },
        startup_timeout: Timeout::usual(Duration::from_secs(60)),
        call_timeout: Timeout::usual(Duration::from_secs(60)),
        tool_names: "<tool>",
        tools_only: None,
        tools_without: Vec::new(),
        helpers: vec![Helper {
            gives: Gives::Variable("TOKEN".to_owned()),
            command: Secret::new(command),
            cwd: cwd.to_owned(),
            env: env(scene),
            patience,
            required: true,
        }],
        remarks: Vec::new(),
    }
}

/// Why the server of `plan` does not start.
async fn refusal(scene: &Scene, plan: &LaunchPlan) -> String {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
    let started = launcher(scene)
        .start(plan, &Teller::silent("s"), deadline)
        .await;
    let failed = started.map(|_| ()).unwrap_err();
    assert!(!failed.spawned);
    failed.error.to_string()
}

const LONG: Duration = Duration::from_secs(30);

async fn a_variable_is_what_its_command_prints(scene: Scene) {
    let plan = plan(&scene, "echo ' se'; printf 'cret \n'", LONG);
    let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
    let running = launcher(&scene)
        .start(&plan, &Teller::silent("s"), deadline)
        .await;
    let running = running.unwrap();
    assert_eq!(running.connection.facts.server_info["name"], "se\ncret");
    running.end().await;
}

async fn a_helper_that_fails_fails_its_server(scene: Scene) {
    let plan = |command: &str| plan(&scene, command, LONG);
    let why = refusal(&scene, &plan("echo hunter2; exit 3")).await;
    assert_eq!(
        why,
        "the command for the variable TOKEN ended with exit code 3"
    );
    let why = refusal(&scene, &plan("true")).await;
    assert_eq!(why, "the command for the variable TOKEN prints nothing");
    let why = refusal(&scene, &plan("yes hunter2")).await;
    assert_eq!(
        why,
        "the command for the variable TOKEN prints something else than a text of at most 1 MiB"
    );
    let begun = Instant::now();
    let slow = self::plan(&scene, "sleep 50 & sleep 50", Duration::from_secs(1));
    let why = refusal(&scene, &slow).await;
    assert_eq!(
        why,
        "the command for the variable TOKEN gave nothing within 1 s"
    );
    assert!(begun.elapsed() < Duration::from_secs(20));
}

async fn header_fields_of_a_helper_that_need_not_succeed(scene: Scene) {
    let mut plan = plan(&scene, "exit 1", LONG);
    plan.helpers[0].required = false;
    plan.helpers[0].gives = Gives::Headers;
    plan.start = Start::Remote {
        transport: Transport::Http,
        fallback: None,
        url: Secret::new("http://127.0.0.1:9/mcp"),
        headers: Vec::new(),
    };
    // It goes on without them, as far as there is a way.
    let why = refusal(&scene, &plan).await;
    assert!(!why.contains("header fields"), "{why}");
    plan.helpers[0].required = true;
    let why = refusal(&scene, &plan).await;
    assert_eq!(why, "the command for header fields ended with exit code 1");
    plan.helpers[0].command = Secret::new("echo '[\"hunter2\"]'");
    let why = refusal(&scene, &plan).await;
    assert_eq!(why, "the command for header fields prints no JSON object");
}
