//! What is different on Windows and macOS, as Codex's source and documents tell it: nothing here was observed.

use muster_core::{Evidence, Harness as _, Platform, Resolution, Start};
use muster_testkit::Stage;

use super::Codex;

/// A Windows machine whose drive `C:` lies at `/c`.
fn windows(fixture: &str) -> Stage {
    Stage::new(fixture)
        .platform(Platform::Windows)
        .system_root("/c")
        .folder("/c/Users/me/shop")
        .home(Some("/c/Users/me"))
}

fn told(resolution: &Resolution) -> Vec<String> {
    let servers = resolution.servers.iter();
    servers
        .map(|server| {
            let definition = &server.definition;
            let scope = definition.scope.word();
            format!("{} {} {scope}", definition.name, server.status.word())
        })
        .collect()
}

#[test]
fn trust_is_compared_without_case_on_windows() {
    let text = |key: &str| {
        format!(
            "
            //- /c/Users/me/.codex/config.toml
            [projects.'{key}']
            trust_level = 'trusted'
            //- /c/Users/me/shop/.git/HEAD
            ref: refs/heads/main
            //- /c/Users/me/shop/.codex/config.toml
            [mcp_servers.db]
            command = 'db'
            "
        )
    };
    for key in [r"c:\users\me\shop", "C:/Users/me/shop"] {
        let resolution = Codex.resolve(&windows(&text(key)).world());
        assert_eq!(told(&resolution), ["db configured project"], "{key}");
    }
    let resolution = Codex.resolve(&windows(&text(r"c:\users\me")).world());
    assert_eq!(told(&resolution), ["db untrusted project"]);
    let elsewhere = windows(&text("/C/users/me/shop")).platform(Platform::Linux);
    assert_eq!(
        told(&Codex.resolve(&elsewhere.world())),
        ["db untrusted project"]
    );
}

#[test]
fn an_administrator_s_file_is_where_each_platform_has_it() {
    let file = |path: &str| {
        format!("//- /c/Users/me/shop/\n//- {path}\n[mcp_servers.db]\ncommand = 'db'\n")
    };
    let usual = file("/c/ProgramData/OpenAI/Codex/config.toml");
    assert_eq!(
        told(&Codex.resolve(&windows(&usual).world())),
        ["db configured system"]
    );
    let moved = windows(&file("/c/data/OpenAI/Codex/config.toml"));
    assert_eq!(
        told(&Codex.resolve(&moved.env("PROGRAMDATA", r"C:\data").world())),
        ["db configured system"]
    );
    let mac = Stage::new(&file("/etc/codex/config.toml")).platform(Platform::MacOs);
    assert_eq!(told(&Codex.resolve(&mac.world())), ["db configured system"]);
}

#[test]
fn a_server_gets_the_short_list_of_windows() {
    let text = "
        //- /c/Users/me/shop/
        //- /c/codex/config.toml
        [mcp_servers.db]
        command = 'db'
        cwd = 'C:\\Users\\me\\data'
        env = { path = 'own' }
    ";
    let stage = windows(text)
        .env("codex_home", r"C:\codex")
        .env("Path", r"C:\Windows")
        .env("SystemRoot", r"C:\Windows")
        .env("HOME", "/x")
        .env("AppData", r"C:\data");
    let world = stage.world();
    let resolution = Codex.resolve(&world);
    let plan = Codex.launch(&world, &resolution.servers[0]).unwrap();
    let Start::Process {
        cwd, env, withheld, ..
    } = plan.start
    else {
        panic!("no process")
    };
    assert_eq!(cwd, "/c/Users/me/data");
    let names: Vec<_> = env.iter().map(|variable| &*variable.name).collect();
    assert_eq!(names, ["APPDATA", "SYSTEMROOT", "path"]);
    assert_eq!(withheld, ["HOME", "codex_home"]);
}

#[test]
fn what_was_not_observed_is_said() {
    let resolution = Codex.resolve(&windows("//- /c/Users/me/shop/\n").world());
    let note = resolution.notes.last().unwrap();
    assert_eq!(note.rule.id, "codex/platform");
    assert!(matches!(note.rule.evidence, Evidence::Documented(_)));
}
