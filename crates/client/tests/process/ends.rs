//! How servers end, and that nothing of them is left.

use std::future::poll_fn;
use std::task::Poll;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use muster_client::Exit;
use muster_client::process::{Force, Patience};
use tokio::io::AsyncWriteExt;

use crate::scene::{QUICK, Scene, all, apart, eventually, is_gone, line, lives, numbers, within};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        apart(
            "a_server_that_ends_with_its_input_is_not_waited_for",
            ends_with_input,
        ),
        apart("a_server_that_ignores_sigterm_is_killed", ignores_sigterm),
        within(
            "a_server_that_ignores_sigterm_is_killed_within",
            ignores_sigterm,
        ),
        apart("what_a_wrapper_leaves_behind_goes_too", wrapper),
        within("what_a_wrapper_leaves_behind_goes_too_within", wrapper),
        apart("children_are_let_end_by_themselves", graceful_child),
        apart(
            "who_left_group_parent_and_environment_goes_at_the_end",
            stripped,
        ),
        apart("a_server_that_leaves_its_own_group_goes_too", own_group),
        apart("a_server_that_reads_nothing_goes_too", reads_nothing),
        apart("a_flood_on_stderr_is_read_to_its_end", flood),
        apart("a_server_that_exits_at_once_has_said_why", exits_at_once),
        apart("a_signal_that_ends_a_server_is_told", signal),
        apart("any_number_may_wait_for_an_exit", waiters),
        apart("a_dropped_server_is_ended", dropped),
        apart("a_start_that_nobody_waits_for_leaves_nothing", abandoned),
        apart("what_still_runs_is_ended_when_all_is_closed", closed),
    ]
}

async fn ends_with_input(scene: Scene) {
    let started = scene.start(scene.server(["cat"])).await.unwrap();
    drop(started.stdin);
    let before = Instant::now();
    let ending = started.process.stop(Patience::default()).await;
    assert!(before.elapsed() < Duration::from_millis(500));
    assert_eq!((ending.exit, ending.force), (Exit::Code(0), Force::None));
}

async fn ignores_sigterm(scene: Scene) {
    let started = scene
        .start(scene.hostile("83-never-answers", ("X", "")))
        .await
        .unwrap();
    // Not before it has begun to ignore it.
    let status = format!("/proc/{}/status", started.process.pid());
    let ignores = || {
        let status = std::fs::read_to_string(&status).ok()?;
        let ignored = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:\t"))?;
        (u64::from_str_radix(ignored, 16).ok()? & 1 << 14 != 0).then_some(())
    };
    eventually(Duration::from_secs(10), ignores).unwrap();
    drop(started.stdin);
    let before = Instant::now();
    let ending = started.process.stop(QUICK).await;
    assert!(before.elapsed() < Duration::from_secs(2));
    assert_eq!(
        (ending.exit, ending.force),
        (Exit::Signal(9), Force::Killed)
    );
    assert_eq!(ending.left_running, []);
    assert!(!lives(started.process.pid()));
}

async fn wrapper(scene: Scene) {
    let pids = scene.path("pids");
    let variable = ("REPRO_PIDS", pids.to_str().unwrap());
    let spawn = scene.hostile("84-orphan-grandchild", variable);
    let mut started = scene.start(spawn).await.unwrap();
    let pids = numbers(&pids, 3);
    assert_eq!(pids[0], started.process.pid());
    // The inner one answers, so that it ignores SIGTERM by now.
    let ask = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    started.stdin.write_all(ask).await.unwrap();
    assert!(line(&mut started).await.contains("Answers pong."));
    drop(started.stdin);
    let ending = started.process.stop(QUICK).await;
    assert_eq!(
        (ending.exit, ending.force),
        (Exit::Signal(15), Force::Killed)
    );
    assert_eq!(ending.left_running, []);
    for pid in pids {
        assert!(!lives(pid), "{pid} lives");
    }
}

async fn graceful_child(scene: Scene) {
    // The wrapper ends at once, the child a little later and by itself.
    let text = "cat; (sleep 0.05; echo done > done) & exit 0";
    let started = scene.start(scene.server(["sh", "-c", text])).await.unwrap();
    drop(started.stdin);
    let ending = started.process.stop(Patience::default()).await;
    assert_eq!((ending.exit, ending.force), (Exit::Code(0), Force::None));
    assert_eq!(
        std::fs::read_to_string(scene.path("done")).unwrap(),
        "done\n"
    );
}

async fn stripped(scene: Scene) {
    let text = "env -i setsid sh -c '(trap \"\" TERM; while :; do sleep 1; done) & echo $! $$ > pids; exit' & wait; cat";
    let started = scene.start(scene.server(["sh", "-c", text])).await.unwrap();
    let pids = numbers(&scene.path("pids"), 2);
    assert!(is_gone(pids[1]).await);
    drop(started.stdin);
    started.process.stop(QUICK).await;
    drop(started.process);
    let before = Instant::now();
    assert_eq!(scene.supervisor.close().await, []);
    assert!(before.elapsed() < Duration::from_secs(3));
    assert!(!lives(pids[0]));
}

async fn own_group(scene: Scene) {
    let text = "import os, subprocess, time, signal\n\
        signal.signal(signal.SIGTERM, signal.SIG_IGN)\n\
        kid = subprocess.Popen(['sleep', '120'], process_group=0)\n\
        os.setpgid(0, kid.pid)\n\
        print(kid.pid, flush=True)\n\
        time.sleep(120)\n";
    let mut started = scene.start(scene.python(text)).await.unwrap();
    let kid = line(&mut started).await.parse().unwrap();
    let ending = started.process.stop(QUICK).await;
    assert_eq!(
        (ending.exit, ending.force),
        (Exit::Signal(9), Force::Killed)
    );
    assert!(!lives(kid));
}

async fn reads_nothing(scene: Scene) {
    let mut started = scene.start(scene.server(["sleep", "120"])).await.unwrap();
    let full = vec![b'x'; 1 << 20];
    let written = started.stdin.write_all(&full);
    let written = tokio::time::timeout(Duration::from_millis(100), written).await;
    assert!(written.is_err());
    drop(started.stdin);
    let ending = started.process.stop(QUICK).await;
    assert_eq!(
        (ending.exit, ending.force),
        (Exit::Signal(15), Force::Terminated)
    );
}

async fn flood(scene: Scene) {
    let text = "import sys\n\
        for i in range(20000): sys.stderr.write('%099d\\n' % i)\n\
        sys.exit(3)\n";
    let started = scene.start(scene.python(text)).await.unwrap();
    assert_eq!(started.process.exited().await, Exit::Code(3));
    started.process.last_words(Duration::from_secs(5)).await;
    let tail = started.process.stderr_tail();
    assert!(tail.len() <= 64 * 1024 && tail.len() > 60 * 1024);
    assert!(tail.ends_with("19999\n") && tail.starts_with("0000"));
    let lines = scene.lines.lock().unwrap();
    assert_eq!(lines.len(), 20_000);
    assert_eq!(lines.last().unwrap(), &format!("{:099}", 19_999));
}

async fn exits_at_once(scene: Scene) {
    let spawn = scene.hostile("97-crash-and-exit", ("REPRO_MODE", "code"));
    let started = scene.start(spawn).await.unwrap();
    assert_eq!(started.process.exited().await, Exit::Code(3));
    let ending = started.process.stop(Patience::default()).await;
    assert_eq!((ending.exit, ending.force), (Exit::Code(3), Force::None));
    let tail = started.process.stderr_tail();
    assert_eq!(tail, "Error: API_TOKEN=SECRETENV0123456789 is invalid\n");
}

async fn signal(scene: Scene) {
    let spawn = scene.hostile("97-crash-and-exit", ("REPRO_MODE", "segv"));
    let mut started = scene.start(spawn).await.unwrap();
    assert_eq!(all(&mut started).await, "");
    assert_eq!(started.process.exited().await, Exit::Signal(11));
}

async fn waiters(scene: Scene) {
    let started = scene.start(scene.server(["cat"])).await.unwrap();
    let process = &started.process;
    // Who stops waiting takes nothing with it.
    let waited = tokio::time::timeout(Duration::from_millis(10), process.exited()).await;
    assert!(waited.is_err());
    drop(started.stdin);
    let (one, two) = tokio::join!(process.exited(), process.exited());
    assert_eq!((one, two), (Exit::Code(0), Exit::Code(0)));
}

async fn dropped(scene: Scene) {
    let started = scene.start(scene.server(["cat"])).await.unwrap();
    let pid = started.process.pid();
    drop(started);
    assert!(is_gone(pid).await);
}

async fn abandoned(scene: Scene) {
    let mut start = Box::pin(scene.start(scene.server(["sleep", "120"])));
    // Asked for, and dropped before there is an answer.
    let first = poll_fn(|context| Poll::Ready(start.as_mut().poll(context).is_pending()));
    assert!(first.await);
}

async fn closed(scene: Scene) {
    let one = scene.start(scene.server(["sleep", "120"])).await.unwrap();
    let two = scene.start(scene.server(["cat"])).await.unwrap();
    let pids = [one.process.pid(), two.process.pid()];
    assert_eq!(scene.supervisor.close().await, []);
    assert!(!pids.into_iter().any(lives));
    assert_eq!(one.process.exit(), Some(Exit::Signal(15)));
}
