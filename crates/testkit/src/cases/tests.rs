//! A case lies on disk as its record says, and in memory the same.

use std::fs;

use camino::Utf8Path;
use muster_core::FileSource as _;

use super::*;

const LINE: &str = r#"{"id": "codex-r1", "harness": "codex", "project": "work/repo", "git": ["work/repo"], "dirs": ["extra"],
    "setup": ["printf %s \"$HOME\" > made"], "env": {}, "mode": "cli",
    "files": {"home/a.txt": "below {{ROOT}}/x and {{ROOT}}"}, "binary": {"home/b.bin": "AP8="}, "links": {"home/link": "{{ROOT}}/home/a.txt"},
    "expect": {"servers": {}}}"#;

#[cfg(unix)]
fn recorder(folder: &Utf8Path) -> Utf8PathBuf {
    let path = folder.join("recorder.py");
    fs::write(&path, "recorder").expect("a file");
    path
}

#[test]
#[cfg(unix)]
fn a_line_is_laid_down_as_it_says() {
    let case = Case::from_line("codex", LINE).expect("a record");
    assert_eq!(
        (case.name.as_str(), case.harness()),
        ("random/codex/codex-r1", "codex")
    );
    let (_guard, elsewhere) = lay::scratch().expect("a folder");
    let ground = Ground::new(&case, &recorder(&elsewhere)).expect("it can be laid down");
    let root = ground.root();
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("a text file");
    assert_eq!(read("home/link"), format!("below {root}/x and {root}"));
    assert_eq!(fs::read(root.join("home/b.bin")).expect("a file"), [0, 255]);
    assert_eq!(read("made"), format!("{root}/home"));
    assert_eq!(read("rec_server.py"), read("bin/rec_server.py"));
    assert!(root.join("work/repo/.git/HEAD").is_file() && root.join("extra").is_dir());
}

#[test]
fn a_case_in_memory_is_the_same_world() {
    let case = Case::from_line("codex", &LINE.replace("printf", ":")).expect("a record");
    assert!(
        case.stage().expect("readable").is_none(),
        "it needs a command"
    );
    let case =
        Case::from_line("codex", &LINE.replace("\"setup\"", "\"unused\"")).expect("a record");
    let stage = case
        .stage()
        .expect("readable")
        .expect("it needs no command");
    assert_eq!(
        stage.tree.read("/case/home/link".into(), 100),
        Ok(b"below /case/x and /case".to_vec())
    );
    assert_eq!(stage.tree.content("/case/home/b.bin"), Some(vec![0, 255]));
    let world = stage.world();
    assert_eq!(
        (world.cwd.as_str(), world.system("/etc/x").as_str()),
        ("/case/work/repo", "/case/etc/x")
    );
    assert!(
        world.files.is_folder("/case/work/repo/.git".into())
            && world.files.is_folder("/case/extra".into())
    );
}

#[test]
fn a_reason_is_needed_to_call_a_case_wrong() {
    let (_guard, folder) = lay::scratch().expect("a folder");
    let file = folder.join("wrong.toml");
    let check = |text: &str| {
        fs::write(&file, text).expect("a file");
        wrong(&file).ok()
    };
    assert_eq!(check("# none\n"), Some(Vec::new()));
    assert_eq!(
        check("\"cases/codex/x\" = \"why\"\n"),
        Some(vec![("cases/codex/x".to_owned(), "why".to_owned())])
    );
    assert_eq!(check("\"cases/codex/x\" = \" \"\n"), None);
    assert_eq!(check("\"cases/codex/x\" = 1\n"), None);
}

#[test]
fn cases_that_no_reader_of_files_can_answer_are_passed_over() {
    let check = |more: &str| {
        Case::from_line("pi", &format!("{{\"id\": \"x\", {more}}}"))
            .expect("a record")
            .passed_over()
    };
    assert_eq!(check("\"expect\": {}"), None);
    assert!(check("\"expect\": {\"files_after\": {}}").is_some());
    assert!(check("\"static\": false").is_some());
}
