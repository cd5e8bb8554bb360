//! What happens when Muster, or the process that supervises its servers, is killed.

use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use libtest_mimic::Trial;
use muster_client::process::{Force, Interrupts, Spawn, Supervisor, SupervisorProgram};
use muster_client::{Exit, Teller};

use crate::scene::{QUICK, Scene, apart, eventually, lives, numbers, tagged};

/// The word that makes this binary a Muster that starts servers and waits to be killed.
pub(crate) const VICTIM: &str = "__victim";

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("nothing_outlives_a_muster_that_is_killed", || {
            muster_is_killed();
            Ok(())
        }),
        Trial::test("a_muster_that_is_interrupted_ends_its_servers_once", || {
            muster_is_interrupted();
            Ok(())
        }),
        apart(
            "a_server_is_ended_though_its_supervisor_was_killed",
            supervisor_is_killed,
        ),
        apart(
            "a_supervisor_that_is_asked_to_terminate_ends_its_servers",
            supervisor_is_ended,
        ),
    ]
}

/// A Muster in `home` that has started its servers, and their processes.
fn running(home: &Path) -> (Child, Vec<u32>) {
    let muster = Command::new(std::env::current_exe().unwrap())
        .arg(VICTIM)
        .arg(home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut pids = numbers(&home.join("wrapper"), 3);
    pids.extend(numbers(&home.join("others"), 3));
    assert!(pids.iter().all(|pid| lives(*pid)));
    (muster, pids)
}

fn muster_is_interrupted() {
    let home = tempfile::tempdir().unwrap();
    let (mut muster, pids) = running(home.path());
    signal(muster.id(), "-INT");
    // Whoever is impatient does not stop the servers from being ended.
    std::thread::sleep(Duration::from_millis(50));
    signal(muster.id(), "-INT");
    signal(muster.id(), "-TERM");
    signal(muster.id(), "-HUP");
    assert_eq!(muster.wait().unwrap().code(), Some(130));
    assert!(!pids.into_iter().any(lives));
}

fn muster_is_killed() {
    let home = tempfile::tempdir().unwrap();
    let (mut muster, pids) = running(home.path());
    muster.kill().unwrap();
    muster.wait().unwrap();
    // A second each for the end of input, SIGTERM and SIGKILL, and a busy machine.
    let gone = eventually(Duration::from_secs(8), || {
        (!pids.iter().any(|pid| lives(*pid))).then_some(())
    });
    assert!(gone.is_some(), "{pids:?}");
    let tag = home.path().to_str().unwrap();
    assert_eq!(tagged(tag), [0; 0]);
}

/// Starts servers of all kinds and says who they are.
pub(crate) fn victim(words: &[String]) -> ExitCode {
    let home = std::path::PathBuf::from(&words[2]);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let interrupts = Interrupts::listen().unwrap();
        let supervisor = Supervisor::start(SupervisorProgram::itself().as_ref())
            .await
            .unwrap();
        let start = async |argv: &[&str], variable: (&str, &str)| {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let spawn = Spawn {
                argv: argv.iter().map(Into::into).collect(),
                cwd: home.clone(),
                env: vec![
                    ("PATH".into(), path),
                    ("SCENE".into(), home.clone().into_os_string()),
                    (variable.0.into(), variable.1.into()),
                ],
                stderr_tail: 1000,
            };
            supervisor.spawn(spawn, Teller::silent("s")).await.unwrap()
        };
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hostile");
        let wrapper = format!("{folder}/84-orphan-grandchild/files/srv/server.py");
        let wrapper = start(&["python3", &wrapper], ("REPRO_PIDS", "wrapper")).await;
        let polite = start(&["cat"], ("X", "")).await;
        let deaf = format!("{folder}/83-never-answers/files/srv/server.py");
        let deaf = start(&["python3", &deaf], ("X", "")).await;
        // Leaves its parent and its group; says who it is before.
        let text = "setsid sh -c 'sleep 120 & echo $! > escaped.new; mv escaped.new escaped'; cat";
        let escapes = start(&["sh", "-c", text], ("X", "")).await;
        let escaped = numbers(&home.join("escaped"), 1);
        let others = format!(
            "{} {} {}\n",
            polite.process.pid(),
            deaf.process.pid(),
            escaped[0]
        );
        std::fs::write(home.join("others"), others).unwrap();
        let limit = Duration::from_secs(60);
        assert!(
            tokio::time::timeout(limit, interrupts.interrupted())
                .await
                .is_ok()
        );
        drop((wrapper, polite, deaf, escapes));
        assert_eq!(supervisor.close().await, []);
    });
    ExitCode::from(130)
}

/// The parent of the process `pid`.
fn parent(pid: u32) -> u32 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, rest) = stat.rsplit_once(')').unwrap();
    rest.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn signal(pid: u32, signal: &str) {
    let status = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status();
    assert!(status.unwrap().success());
}

async fn supervisor_is_killed(scene: Scene) {
    let text = "setsid sleep 120 & echo $! > pids; trap '' TERM; cat; while :; do sleep 1; done";
    let started = scene.start(scene.server(["sh", "-c", text])).await.unwrap();
    let escaped = numbers(&scene.path("pids"), 1)[0];
    let pid = started.process.pid();
    signal(parent(pid), "-KILL");
    assert_eq!(started.process.exited().await, Exit::Unknown);
    drop(started.stdin);
    let ending = started.process.stop(QUICK).await;
    assert_eq!((ending.exit, ending.force), (Exit::Unknown, Force::Killed));
    assert_eq!(ending.left_running, []);
    assert!(!lives(pid) && !lives(escaped));
    // And nothing more is started.
    let refused = scene.start(scene.server(["cat"])).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the process that supervises servers is gone"
    );
}

async fn supervisor_is_ended(scene: Scene) {
    let started = scene.start(scene.server(["sleep", "120"])).await.unwrap();
    let pid = started.process.pid();
    signal(parent(pid), "-TERM");
    assert_eq!(started.process.exited().await, Exit::Signal(15));
    assert!(!lives(pid));
}
