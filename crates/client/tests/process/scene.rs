//! A folder of one's own, servers in it, and a look at what is left.

use std::ffi::OsString;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use muster_client::process::{Patience, Spawn, SpawnError, Started, Supervisor, SupervisorProgram};
use muster_client::{Event, Happening, Teller};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// So long anything is waited for that happens at once.
const SOON: Duration = Duration::from_secs(10);

/// Quick, for servers that will not end.
pub(crate) const QUICK: Patience = Patience {
    input: Duration::from_millis(150),
    terminate: Duration::from_millis(150),
    kill: Duration::from_secs(2),
};

pub(crate) struct Scene {
    pub(crate) supervisor: Supervisor,
    pub(crate) home: tempfile::TempDir,
    pub(crate) lines: Arc<Mutex<Vec<String>>>,
    tag: String,
}

/// A trial whose servers have a supervising process.
pub(crate) fn apart<F>(name: &str, play: fn(Scene) -> F) -> Trial
where
    F: Future<Output = ()> + 'static,
{
    trial(name, true, play)
}

/// A trial whose servers are supervised from within.
pub(crate) fn within<F>(name: &str, play: fn(Scene) -> F) -> Trial
where
    F: Future<Output = ()> + 'static,
{
    trial(name, false, play)
}

fn trial<F: Future<Output = ()> + 'static>(name: &str, apart: bool, play: fn(Scene) -> F) -> Trial {
    Trial::test(name, move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let scene = Scene::new(apart).await;
            let supervisor = scene.supervisor.clone();
            let tag = scene.tag.clone();
            play(scene).await;
            assert_eq!(supervisor.close().await, []);
            let left = tagged(&tag);
            assert_eq!(left, [0; 0], "left running");
        });
        Ok(())
    })
}

impl Scene {
    pub(crate) async fn new(apart: bool) -> Scene {
        let program = SupervisorProgram::itself().filter(|_| apart);
        let supervisor = Supervisor::start(program.as_ref()).await.unwrap();
        assert_eq!(supervisor.within().is_none(), apart);
        let home = tempfile::tempdir().unwrap();
        Scene {
            tag: home.path().to_str().unwrap().to_owned(),
            supervisor,
            home,
            lines: Arc::default(),
        }
    }

    /// A server that runs `argv` in the scene's folder, with the PATH of the test.
    pub(crate) fn server<S: Into<OsString>>(&self, argv: impl IntoIterator<Item = S>) -> Spawn {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Spawn {
            argv: argv.into_iter().map(Into::into).collect(),
            cwd: self.home.path().to_owned(),
            env: [("PATH", path), ("SCENE", OsString::from(&self.tag))]
                .map(|(name, value)| (OsString::from(name), value))
                .to_vec(),
            stderr_tail: 64 * 1024,
        }
    }

    /// A server in Python.
    pub(crate) fn python(&self, text: &str) -> Spawn {
        self.server(["python3", "-c", text])
    }

    /// One of the servers that misbehave, with one more variable.
    pub(crate) fn hostile(&self, name: &str, variable: (&str, &str)) -> Spawn {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hostile");
        let file = folder.join(name).join("files/srv/server.py");
        let mut spawn = self.server(["python3".into(), file.into_os_string()]);
        spawn.env.push((variable.0.into(), variable.1.into()));
        spawn
    }

    pub(crate) async fn start(&self, spawn: Spawn) -> Result<Started, SpawnError> {
        let lines = self.lines.clone();
        let listener = move |event: Event| {
            if let Happening::Stderr(line) = event.happening {
                lines.lock().unwrap().push(line);
            }
        };
        let teller = Teller::new("server", Arc::new(listener));
        self.supervisor.spawn(spawn, teller).await
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }
}

/// Reads what the server writes until its end.
pub(crate) async fn all(started: &mut Started) -> String {
    let mut text = String::new();
    let read = started.stdout.read_to_string(&mut text);
    tokio::time::timeout(SOON, read).await.unwrap().unwrap();
    text
}

/// Reads one line of the server.
pub(crate) async fn line(started: &mut Started) -> String {
    let mut line = Vec::new();
    let read = async {
        while !line.ends_with(b"\n") {
            line.push(started.stdout.read_u8().await.unwrap());
        }
    };
    tokio::time::timeout(SOON, read).await.unwrap();
    String::from_utf8(line).unwrap().trim_end().to_owned()
}

pub(crate) async fn say(started: &mut Started, line: &str) {
    let line = format!("{line}\n");
    started.stdin.write_all(line.as_bytes()).await.unwrap();
}

/// The numbers in the file at `path`, as soon as it has `count` of them.
pub(crate) fn numbers(path: &Path, count: usize) -> Vec<u32> {
    let read = || {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let whole = text.ends_with('\n');
        let numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
        let numbers: Vec<u32> = numbers.collect();
        (whole && numbers.len() == count).then_some(numbers)
    };
    eventually(SOON, read).unwrap()
}

/// What `look` finds within `limit`.
pub(crate) fn eventually<T>(limit: Duration, look: impl Fn() -> Option<T>) -> Option<T> {
    let until = Instant::now() + limit;
    loop {
        match look() {
            None if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
            found => return found,
        }
    }
}

/// Waits until no process has this number, or says that one still has.
pub(crate) async fn is_gone(pid: u32) -> bool {
    let gone = async {
        while lives(pid) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, gone).await.is_ok()
}

/// Whether a process has this number, and is not merely waiting to be buried.
pub(crate) fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| {
        let (_, rest) = stat.rsplit_once(')').unwrap();
        !rest.trim_start().starts_with(['Z', 'X'])
    })
}

/// Who lives and was started with the tag of a scene.
pub(crate) fn tagged(tag: &str) -> Vec<u32> {
    let variable = format!("SCENE={tag}");
    let pids = std::fs::read_dir("/proc").unwrap();
    let pids = pids.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let env = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let mut variables = env.split(|byte| *byte == 0);
        variables.any(|set| set == variable.as_bytes()) && lives(*pid)
    })
    .collect()
}
