//! Paths and variables as other platforms write them.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Environment, Giver, Platform, World, installed_version};
use muster_document::Secret;
use muster_testkit::Stage;
use proptest::prelude::*;

/// A Windows machine whose drive `C:` lies at `/c`.
fn windows(fixture: &str) -> Stage {
    Stage::new(fixture)
        .platform(Platform::Windows)
        .system_root("/c")
        .folder("/c/Users/me/shop")
        .home(Some("/c/Users/me"))
}

const NOTHING: &str = "//- /c/Users/me/shop/\n";

fn at(world: &World<'_>, text: &str) -> Utf8PathBuf {
    world.at(text, &world.cwd)
}

#[test]
fn a_path_of_windows_leads_into_the_tree() {
    let stage = windows(NOTHING);
    let world = stage.world();
    for (text, found) in [
        (r"C:\Users\me\x.json", "/c/Users/me/x.json"),
        ("c:/Users/me/x.json", "/c/Users/me/x.json"),
        (r"sub\x.json", "/c/Users/me/shop/sub/x.json"),
        (r"..\x.json", "/c/Users/me/x.json"),
        (r"\x.json", "/c/x.json"),
        (r"C:\", "/c"),
        ("C:", "/c"),
        (r"\\server\share\x", "/server/share/x"),
    ] {
        assert_eq!(at(&world, text), found, "{text}");
    }
    assert_eq!(
        world.native(Utf8Path::new("/c/Users/me/shop")),
        "C:/Users/me/shop"
    );
    assert!(world.is_native(r"c:\users\me\SHOP", &world.cwd));
    assert!(!world.is_native(r"c:\users\me", &world.cwd));
    assert_eq!(
        world.system("C:/Program Files/ClaudeCode"),
        "/c/Program Files/ClaudeCode"
    );
}

#[test]
fn without_a_root_a_path_of_windows_keeps_its_drive() {
    let stage = Stage::new("//- /w/\n")
        .platform(Platform::Windows)
        .folder("/w");
    let world = stage.world();
    assert_eq!(at(&world, r"D:\a\..\b"), "D:/b");
    assert_eq!(world.at(r"\x", Utf8Path::new("D:/a/b")), "D:/x");
    assert_eq!(world.system("C:/Program Files"), "C:/Program Files");
}

#[test]
fn on_other_platforms_a_backslash_is_a_letter() {
    for platform in [Platform::Linux, Platform::MacOs] {
        let stage = Stage::new("//- /w/\n").platform(platform).folder("/w");
        let world = stage.world();
        assert_eq!(at(&world, r"C:\x"), r"/w/C:\x");
        assert!(!world.is_native("/W", &world.cwd));
    }
}

#[test]
fn what_is_above_a_folder_ends_at_the_drive() {
    let stage = windows(NOTHING);
    let world = stage.world();
    let above: Vec<&Utf8Path> = world.ancestors(&world.cwd).collect();
    assert_eq!(above, ["/c/Users/me/shop", "/c/Users/me", "/c/Users", "/c"]);
    assert!(world.is_root(Utf8Path::new("/c")) && !world.is_root(Utf8Path::new("/c/Users")));
    assert!(world.is_root(Utf8Path::new("D:")) && world.is_root(Utf8Path::new("D:/")));
    let linux = Stage::new("//- /w/x/\n").folder("/w/x").system_root("/w");
    let world = linux.world();
    assert_eq!(world.ancestors(&world.cwd).count(), 3);
    assert!(world.is_root(Utf8Path::new("/")) && !world.is_root(Utf8Path::new("/w")));
}

#[test]
fn names_of_variables_have_no_case_on_windows_alone() {
    let env: Environment = [("Path", "a"), ("TEMP", "t")].into_iter().collect();
    let linux = env.clone().on(Platform::Linux);
    assert_eq!((linux.get("PATH"), linux.get("Path")), (None, Some("a")));
    let mut windows = env.on(Platform::Windows);
    assert_eq!(windows.get("PATH"), Some("a"));
    windows.set("PATH", "b");
    assert_eq!(
        windows.iter().collect::<Vec<_>>(),
        [("Path", "b"), ("TEMP", "t")]
    );
    windows.remove("temp");
    assert_eq!(windows.get("TEMP"), None);
}

#[test]
fn a_server_is_handed_a_variable_once_however_it_is_spelled() {
    let variables = || {
        [
            ("Path", "inherited", Giver::Inherited),
            ("PATH", "own", Giver::Entry),
        ]
        .map(|(name, value, giver)| (name.to_owned(), Secret::new(value), giver))
    };
    let stage = windows(NOTHING);
    let handed = stage.world().handed(variables());
    assert_eq!(handed.len(), 1);
    assert_eq!(
        (handed[0].name.as_str(), handed[0].giver),
        ("PATH", Giver::Entry)
    );
    let linux = Stage::new(NOTHING);
    assert_eq!(linux.world().handed(variables()).len(), 2);
}

#[test]
fn a_program_of_npm_is_found_beside_its_packages() {
    let stage = windows(
        r#"
        //- /c/Users/me/AppData/Roaming/npm/agent.cmd
        //- /c/Users/me/AppData/Roaming/npm/node_modules/@acme/agent/package.json
        {"name": "@acme/agent", "version": "1.2.3"}
        //- /c/Users/me/shop/
        "#,
    );
    let found = |stage: Stage| installed_version(&stage.world(), "agent", "@acme/agent");
    let path = r#"C:\Windows;"C:\Users\me\AppData\Roaming\npm""#;
    let stage = stage.env("Path", path);
    let version = Some("1.2.3".to_owned());
    assert_eq!(found(stage.again(stage.tree.copy())), version);
    assert_eq!(
        found(stage.again(stage.tree.copy()).env("PATHEXT", ".EXE;.CMD")),
        version
    );
    assert_eq!(found(stage.env("PATHEXT", ".EXE")), None);
}

proptest! {
    /// Whatever a file names, the path can be worked with, and a path in the tree is found again by its native spelling.
    #[test]
    fn native_paths_come_back(parts in prop::collection::vec("[a-zA-Z0-9 ._-]{1,6}", 0..4), text in ".{0,20}|[a-zA-Z]:[/\\\\].{0,10}") {
        let stage = windows(NOTHING);
        let world = stage.world();
        at(&world, &text);
        let parts: Vec<&String> = parts.iter().filter(|part| !matches!(part.as_str(), "." | "..")).collect();
        let path = parts.iter().fold(Utf8PathBuf::from("/c"), |path, part| path.join(part));
        let native = world.native(&path);
        prop_assert!(native.starts_with("C:/"));
        prop_assert_eq!(&at(&world, &native), &path);
        prop_assert_eq!(&at(&world, &native.replace('/', "\\")), &path);
        prop_assert!(world.is_native(&native.to_uppercase(), &path));
    }
}
