//! Many servers at once: no file is left open, and nothing of theirs is left.

use std::process::{Command, ExitCode};

use libtest_mimic::Trial;
use muster_client::Exit;
use muster_client::process::{Force, Patience};

use crate::scene::{Scene, line, say, tagged};

/// The word that makes this binary start many servers: in a process of its own, whose open files can be counted.
pub(crate) const MANY: &str = "__many";

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test(
        "hundreds_of_servers_leave_nothing_behind",
        || {
            let mut command = Command::new(std::env::current_exe()?);
            assert!(command.arg(MANY).status()?.success());
            Ok(())
        },
    )]
}

fn open_files(pid: &str) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .count()
}

/// Starts 300 servers, 100 at a time.
pub(crate) fn many() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let scene = Scene::new(true).await;
        let children = std::fs::read_to_string("/proc/self/task/self/children");
        let children = children.or_else(|_| {
            let pid = std::process::id();
            std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))
        });
        let supervisor = children.unwrap().trim().to_owned();
        let before = (open_files("self"), open_files(&supervisor));
        for _ in 0..3 {
            let mut servers = Vec::new();
            for _ in 0..100 {
                servers.push(scene.start(scene.server(["cat"])).await.unwrap());
            }
            for server in &mut servers {
                say(server, "ping").await;
            }
            for server in &mut servers {
                assert_eq!(line(server).await, "ping");
            }
            for server in servers {
                drop(server.stdin);
                let ending = server.process.stop(Patience::default()).await;
                assert_eq!((ending.exit, ending.force), (Exit::Code(0), Force::None));
            }
        }
        assert_eq!((open_files("self"), open_files(&supervisor)), before);
        let tag = scene.home.path().to_str().unwrap().to_owned();
        assert_eq!(scene.supervisor.close().await, []);
        assert_eq!(tagged(&tag), [0; 0]);
    });
    ExitCode::SUCCESS
}
