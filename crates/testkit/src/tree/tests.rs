//! The tree in memory answers as a disk would.

use super::*;

fn tree() -> Tree {
    Tree::fixture(
        "
        //- /a/file.json
        {
          \"deep\": 1
        }
        //- /a/empty/
        //- /link -> a
        //- /a/up -> ../a/file.json
        //- /loop -> loop
        //- /dangling -> nowhere
        //- /pipe fifo
        //- /null device
        //- /secret refused mode=0600 owner=0
        hidden
        ",
    )
}

fn read(tree: &Tree, path: &str) -> Result<String, FileFault> {
    tree.read(path.into(), 100)
        .map(|bytes| String::from_utf8(bytes).expect("text"))
}

#[test]
fn a_fixture_keeps_relative_indentation() {
    assert_eq!(
        read(&tree(), "/a/file.json"),
        Ok("{\n  \"deep\": 1\n}\n".to_owned())
    );
}

#[test]
fn links_are_followed_in_every_part_of_a_path() {
    let tree = tree();
    assert_eq!(read(&tree, "/link/up"), read(&tree, "/a/file.json"));
    assert_eq!(
        tree.real_path("/link/empty/../up".into()),
        Some("/a/file.json".into())
    );
    assert_eq!(
        tree.link_target("/link/up".into()),
        Some("../a/file.json".into())
    );
    assert_eq!(tree.link_target("/a".into()), None);
}

#[test]
fn what_is_no_file_says_what_it_is() {
    let tree = tree();
    assert_eq!(
        read(&tree, "/pipe"),
        Err(FileFault::WrongKind(FileKind::Fifo))
    );
    assert_eq!(
        read(&tree, "/null"),
        Err(FileFault::WrongKind(FileKind::Device))
    );
    assert_eq!(
        read(&tree, "/link"),
        Err(FileFault::WrongKind(FileKind::Folder))
    );
    assert_eq!(read(&tree, "/dangling"), Err(FileFault::Absent));
    assert_eq!(read(&tree, "/a/file.json/below"), Err(FileFault::Absent));
    assert!(matches!(read(&tree, "/loop"), Err(FileFault::Refused(_))));
    assert!(matches!(read(&tree, "/secret"), Err(FileFault::Refused(_))));
    assert_eq!(
        tree.read("/a/file.json".into(), 3),
        Err(FileFault::TooLarge { limit: 3 })
    );
}

#[test]
fn mode_and_owner_come_from_the_fixture() {
    let found = tree().metadata("/secret".into()).expect("it is there");
    assert_eq!(
        (found.mode, found.owner, found.size),
        (Some(0o600), Some(0), 7)
    );
}

#[test]
fn a_listing_is_sorted_and_holds_names() {
    assert_eq!(
        tree().list("/link".into()),
        Ok(vec![
            "empty".to_owned(),
            "file.json".to_owned(),
            "up".to_owned()
        ])
    );
    assert_eq!(
        tree().list("/pipe".into()),
        Err(FileFault::WrongKind(FileKind::Fifo))
    );
}

#[test]
fn reads_are_counted_by_the_path_that_was_asked_for() {
    let tree = tree();
    let clone = tree.clone();
    let _ = (
        read(&clone, "/a/file.json"),
        read(&clone, "/a/file.json"),
        read(&clone, "/a/no"),
    );
    assert_eq!(
        (
            tree.reads("/a/file.json"),
            tree.reads("/a/no"),
            tree.reads("/null")
        ),
        (2, 1, 0)
    );
    assert_eq!(tree.read_twice(), ["/a/file.json"]);
}

#[test]
fn asking_is_remembered_for_the_path_and_for_where_it_leads() {
    let tree = tree();
    let _ = tree.metadata("/link/up".into());
    assert!(tree.was_asked("/link/up") && tree.was_asked("/a/file.json"));
    assert!(!tree.was_asked("/a/empty"));
    let _ = tree.list("/a".into());
    assert!(tree.was_asked("/a/empty"));
}
