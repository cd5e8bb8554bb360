//! What a server is given, and why one is not started.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use libtest_mimic::Trial;
use muster_client::Exit;
use muster_client::process::{Force, MARK, Patience, SpawnError};

use crate::scene::{Scene, all, apart, line, say, within};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        apart(
            "a_server_gets_what_it_was_to_get_and_nothing_else",
            gets_only_that,
        ),
        apart("no_file_of_one_server_is_open_in_another", no_foreign_files),
        apart("a_server_talks_over_its_streams", talks),
        within("a_server_talks_over_its_streams_within", talks),
        apart("each_reason_why_a_server_is_not_started_is_told", refusals),
        within(
            "each_reason_why_a_server_is_not_started_is_told_within",
            refusals,
        ),
        apart("a_script_without_a_first_line_is_read_by_a_shell", script),
        apart("a_program_that_is_being_written_is_tried_again", busy),
    ]
}

async fn gets_only_that(scene: Scene) {
    let argv = ["sh", "-c", "echo; cat; true", "a b", "", "*"];
    let mut spawn = scene.server(argv);
    spawn.env.push(("X".into(), "first".into()));
    spawn.env.push(("X".into(), "last".into()));
    let expected: Vec<String> = [0, 1, 3]
        .map(|at| {
            let (name, value) = &spawn.env[at];
            format!("{}={}", name.to_str().unwrap(), value.to_str().unwrap())
        })
        .to_vec();
    let mut started = scene.start(spawn).await.unwrap();
    line(&mut started).await;
    let pid = started.process.pid();
    let words = |file: &str| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap();
        let words = text.trim_end_matches('\0').split('\0').map(str::to_owned);
        words.collect::<Vec<String>>()
    };
    let (marks, mut env): (Vec<String>, Vec<String>) = words("environ")
        .into_iter()
        .partition(|variable| variable.starts_with(MARK));
    env.sort_unstable();
    assert_eq!(env, expected);
    assert_eq!(marks.len(), 1);
    assert_eq!(words("cmdline"), argv);
    let cwd = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap();
    assert_eq!(cwd, scene.home.path().canonicalize().unwrap());
}

async fn no_foreign_files(scene: Scene) {
    let servers = [
        scene.start(scene.server(["cat"])).await.unwrap(),
        scene.start(scene.server(["cat"])).await.unwrap(),
    ];
    let mut servers = servers;
    for server in &mut servers {
        // Who answers has been loaded: its loader holds no file any more.
        say(server, "ready").await;
        assert_eq!(line(server).await, "ready");
    }
    let [one, two] = servers.map(|server| {
        let folder = format!("/proc/{}/fd", server.process.pid());
        let files = std::fs::read_dir(folder).unwrap();
        let files = files.map(|file| {
            let file = file.unwrap().path();
            let number = file.file_name().unwrap().to_str().unwrap().parse().unwrap();
            (number, std::fs::read_link(file).unwrap())
        });
        files.collect::<BTreeMap<u32, PathBuf>>()
    });
    let own =
        |files: &BTreeMap<u32, PathBuf>| files.iter().filter(|(number, _)| **number < 3).count();
    assert_eq!((own(&one), own(&two)), (3, 3));
    // What this test was itself started with is passed on to everybody, and is the same in both.
    let rest = |files: &BTreeMap<u32, PathBuf>| {
        let rest = files.iter().filter(|(number, _)| **number >= 3);
        rest.map(|(number, file)| (*number, file.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(rest(&one), rest(&two));
    let given = std::fs::read_dir(format!("/proc/{}/fd", std::os::unix::process::parent_id()));
    let given: Vec<PathBuf> = given
        .unwrap()
        .filter_map(|file| std::fs::read_link(file.ok()?.path()).ok())
        .collect();
    for (number, file) in rest(&two) {
        assert!(given.contains(&file), "{number} is {file:?}");
    }
}

async fn talks(scene: Scene) {
    let mut started = scene.start(scene.server(["cat"])).await.unwrap();
    say(&mut started, "hello").await;
    assert_eq!(line(&mut started).await, "hello");
    assert_eq!(started.process.exit(), None);
    drop(started.stdin);
    let ending = started.process.stop(Patience::default()).await;
    assert_eq!((ending.exit, ending.force), (Exit::Code(0), Force::None));
    assert_eq!(started.process.exit(), Some(Exit::Code(0)));
    assert_eq!(started.process.exited().await, Exit::Code(0));
    // Again: the same answer.
    assert_eq!(started.process.stop(Patience::default()).await, ending);
}

fn put(path: &Path, mode: u32, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

async fn refusals(scene: Scene) {
    put(&scene.path("data"), 0o644, b"");
    put(&scene.path("script"), 0o755, b"#!/no/such/python3 -u\n");
    put(&scene.path("strange"), 0o755, b"\0\x01\x02\x03");
    std::fs::create_dir(scene.path("folder")).unwrap();
    let refused = async |argv: &[&str]| scene.start(scene.server(argv)).await.unwrap_err();
    let told = async |argv: &[&str]| refused(argv).await.to_string();
    assert!(matches!(refused(&[]).await, SpawnError::NoCommand));
    assert!(matches!(refused(&[""]).await, SpawnError::NoCommand));
    assert_eq!(
        told(&["no-such-program"]).await,
        "`no-such-program` is not on the PATH"
    );
    assert!(matches!(
        refused(&["./none"]).await,
        SpawnError::NotFound(_)
    ));
    assert!(matches!(
        refused(&["./data"]).await,
        SpawnError::NotExecutable(_)
    ));
    assert!(matches!(
        refused(&["./folder"]).await,
        SpawnError::Directory(_)
    ));
    assert!(matches!(
        refused(&["./strange"]).await,
        SpawnError::NoProgram(_)
    ));
    assert!(matches!(
        refused(&["./script"]).await,
        SpawnError::BadInterpreter { interpreter, .. } if interpreter == Path::new("/no/such/python3")
    ));
    assert!(matches!(refused(&["cat", "a\0b"]).await, SpawnError::Nul));
    let long = "x".repeat(4 << 20);
    assert!(matches!(
        refused(&["cat", &long]).await,
        SpawnError::TooLong
    ));
    let mut elsewhere = scene.server(["cat"]);
    elsewhere.cwd = scene.path("none");
    let refused = scene.start(elsewhere).await.unwrap_err();
    assert!(matches!(refused, SpawnError::NoFolder(_)));
}

async fn script(scene: Scene) {
    put(&scene.path("tool"), 0o755, b"echo \"$1\" $#; exit 4\n");
    let mut started = scene.start(scene.server(["./tool", "a b"])).await.unwrap();
    assert_eq!(all(&mut started).await, "a b 1\n");
    assert_eq!(started.process.exited().await, Exit::Code(4));
}

async fn busy(scene: Scene) {
    let path = scene.path("tool");
    put(&path, 0o755, b"");
    let mut file = std::fs::File::create(&path).unwrap();
    let writing = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        file.write_all(b"#!/bin/sh\necho done\n").unwrap();
    });
    let mut started = scene.start(scene.server(["./tool"])).await.unwrap();
    writing.join().unwrap();
    assert_eq!(all(&mut started).await, "done\n");
}
