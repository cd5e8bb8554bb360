//! Facts about a repository. The indexes were written by git 2.47: three files (`.claude/settings.local.json`, `sub/a`, `sub/ab`), in
//! version 3 also `n`, staged with `git add -N`.

use camino::Utf8Path;
use muster_core::{Files, GitIndex, GitRoot};
use muster_testkit::Tree;
use proptest::prelude::*;

const INDEXES: [&[u8]; 3] = [
    include_bytes!("index/v2"),
    include_bytes!("index/v3"),
    include_bytes!("index/v4"),
];

fn index(bytes: &[u8]) -> GitIndex {
    let tree = Tree::empty();
    tree.file("/r/.git/index", bytes);
    GitIndex::read(&Files::new(tree), Utf8Path::new("/r/.git"))
}

#[test]
fn an_index_of_every_version_holds_its_paths() {
    for bytes in INDEXES {
        let index = index(bytes);
        for path in [".claude/settings.local.json", "sub/a", "sub/ab"] {
            assert!(index.may_contain(Utf8Path::new(path)), "{path}");
        }
        assert!(!index.may_contain(Utf8Path::new("sub")));
        assert!(!index.may_contain(Utf8Path::new("a")));
    }
    assert!(index(INDEXES[1]).may_contain(Utf8Path::new("n")));
}

#[test]
fn an_index_that_is_not_there_holds_nothing() {
    let files = Files::new(Tree::empty());
    let index = GitIndex::read(&files, Utf8Path::new("/r/.git"));
    assert!(!index.may_contain(Utf8Path::new("sub/a")));
}

#[test]
fn case_makes_no_difference() {
    assert!(index(INDEXES[0]).may_contain(Utf8Path::new("Sub/A")));
}

#[test]
fn an_index_that_cannot_be_read_may_hold_anything() {
    for bytes in [
        &b""[..],
        b"DIRC",
        b"DIRC\0\0\0\x02\xff\xff\xff\xff",
        b"nothing",
    ] {
        assert!(index(bytes).may_contain(Utf8Path::new("sub/a")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_damaged_index_is_read_to_an_end(version in 0_usize..3, at in 0_usize..400, with: Vec<u8>, cut in 0_usize..400) {
        let mut bytes = INDEXES[version].to_vec();
        let at = at.min(bytes.len());
        bytes.splice(at..(at + with.len()).min(bytes.len()), with);
        bytes.truncate(cut.max(12));
        index(&bytes);
    }
}

/// A main checkout, and a folder that claims to be a worktree of it. What differs is what the main checkout knows of that.
fn worktree(back: &str) -> Files {
    Files::new(Tree::fixture(&format!(
        "\
//- /w/main/.git/HEAD
ref: refs/heads/main
//- /w/main/.git/worktrees/wt/commondir
../..
//- /w/main/.git/worktrees/wt/gitdir
{back}
//- /w/wt/.git
gitdir: /w/main/.git/worktrees/wt
//- /w/wt/src/lib.rs
"
    )))
}

#[test]
fn a_worktree_belongs_to_its_main_checkout() {
    let files = worktree("/w/wt/.git");
    let root = GitRoot::find(&files, Utf8Path::new("/w/wt/src")).unwrap();
    assert_eq!(root.folder, "/w/wt");
    assert_eq!(root.main_checkout().unwrap(), "/w/main");
    assert_eq!(root.git_folder.unwrap(), "/w/main/.git/worktrees/wt");
}

#[test]
fn a_worktree_that_the_main_checkout_does_not_know_is_its_own() {
    let files = worktree("/w/other/.git");
    let root = GitRoot::find(&files, Utf8Path::new("/w/wt")).unwrap();
    assert_eq!(root.main_checkout(), None);
}

#[test]
fn any_entry_called_git_marks_a_root() {
    for content in ["", "garbage", "gitdir: /nowhere"] {
        let tree = Tree::empty();
        tree.file("/r/.git", content);
        tree.folder("/r/a/b");
        let root = GitRoot::find(&Files::new(tree), Utf8Path::new("/r/a/b")).unwrap();
        assert_eq!(
            (root.folder.as_str(), root.common),
            ("/r", None),
            "{content:?}"
        );
    }
    let empty = Files::new(Tree::empty());
    assert_eq!(GitRoot::find(&empty, Utf8Path::new("/r")), None);
}
