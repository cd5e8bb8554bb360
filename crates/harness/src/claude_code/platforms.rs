//! What is different on Windows and macOS, as documents and reports tell it: nothing here was observed.

use muster_core::{Evidence, Harness as _, Platform, Resolution, Start};
use muster_testkit::Stage;

use super::ClaudeCode;

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
fn a_folder_s_key_is_found_with_either_slash_and_in_any_case() {
    for key in [
        "C:/Users/me/shop",
        "c:/Users/me/shop",
        r"C:\\Users\\me\\shop",
        r"c:\\users\\ME\\shop",
    ] {
        let text = format!(
            "//- /c/Users/me/shop/\n//- /c/Users/me/.claude.json\n{{\"projects\": {{\"{key}\": {{\"mcpServers\": {{\"db\": {{\"command\": \"db\"}}}}, \"hasTrustDialogAccepted\": true}}}}}}\n"
        );
        let resolution = ClaudeCode.resolve(&windows(&text).world());
        assert_eq!(told(&resolution), ["db configured local"], "{key}");
        assert_eq!(resolution.situation, None, "{key}");
    }
}

#[test]
fn of_two_spellings_the_exact_one_counts_and_the_other_is_told() {
    let text = r#"
        //- /c/Users/me/shop/
        //- /c/Users/me/.claude.json
        {"projects": {
            "c:/Users/me/shop": {"mcpServers": {"lower": {"command": "db"}}},
            "C:/Users/me/shop": {"mcpServers": {"exact": {"command": "db"}}}
        }}
    "#;
    let resolution = ClaudeCode.resolve(&windows(text).world());
    assert_eq!(
        told(&resolution),
        ["exact configured local", "lower ignored local"]
    );
}

#[test]
fn on_linux_the_key_is_exact() {
    let text = r#"
        //- /work/repo/
        //- /home/me/.claude.json
        {"projects": {"/work/REPO": {"mcpServers": {"db": {"command": "db"}}}}}
    "#;
    let resolution = ClaudeCode.resolve(&Stage::new(text).world());
    assert_eq!(told(&resolution), ["db ignored local"]);
}

#[test]
fn an_administrator_s_files_are_where_each_platform_has_them() {
    const FILE: &str = r#"{"mcpServers": {"managed": {"command": "m"}}}"#;
    let stage = windows("//- /c/Users/me/shop/\n");
    stage
        .tree
        .file("/c/Program Files/ClaudeCode/managed-mcp.json", FILE);
    let resolution = ClaudeCode.resolve(&stage.world());
    assert_eq!(told(&resolution), ["managed configured managed"]);

    let stage = Stage::new("//- /work/repo/\n").platform(Platform::MacOs);
    let managed = "/Library/Application Support/ClaudeCode/managed-mcp.json";
    stage.tree.file(managed, FILE);
    let resolution = ClaudeCode.resolve(&stage.world());
    assert_eq!(told(&resolution), ["managed configured managed"]);
    let linux = stage.again(stage.tree.copy()).platform(Platform::Linux);
    assert!(ClaudeCode.resolve(&linux.world()).servers.is_empty());
}

#[test]
fn a_project_file_at_a_drive_s_root_is_not_read() {
    let text = r#"
        //- /c/Users/me/shop/
        //- /c/Users/.mcp.json
        {"mcpServers": {"above": {"command": "a"}}}
        //- /c/.mcp.json
        {"mcpServers": {"root": {"command": "r"}}}
        //- /.mcp.json
        {"mcpServers": {"outside": {"command": "o"}}}
    "#;
    let resolution = ClaudeCode.resolve(&windows(text).headless().world());
    assert_eq!(told(&resolution), ["above configured project"]);
}

#[test]
fn variables_that_name_folders_are_read_as_windows_writes_them() {
    let text = r#"
        //- /c/Users/me/shop/
        //- /c/conf/.claude.json
        {"mcpServers": {"moved": {"command": "${LocalAppData}\\m.exe"}}}
        //- /c/data/Claude/claude_desktop_config.json
        {"mcpServers": {"desktop": {"command": "d"}}}
    "#;
    let stage = windows(text)
        .env("Claude_Config_Dir", r"C:\conf")
        .env("LOCALAPPDATA", r"C:\local")
        .env("appdata", r"C:\data");
    let world = stage.world();
    let resolution = ClaudeCode.resolve(&world);
    assert_eq!(
        told(&resolution),
        ["moved configured user", "desktop ignored user"]
    );
    let plan = ClaudeCode.launch(&world, &resolution.servers[0]).unwrap();
    let Start::Process { argv, .. } = plan.start else {
        panic!("no process")
    };
    assert_eq!(argv[0].expose(), r"C:\local\m.exe");
}

#[test]
fn plugins_are_found_by_the_paths_that_windows_writes() {
    let text = r#"
        //- /c/Users/me/shop/
        //- /c/Users/me/.claude/settings.json
        {"enabledPlugins": {"p@m": true}}
        //- /c/Users/me/.claude/plugins/known_marketplaces.json
        {"m": {"source": {"source": "github", "repo": "o/r"}, "installLocation": "C:\\Users\\me\\.claude\\plugins\\marketplaces\\m"}}
        //- /c/Users/me/.claude/plugins/marketplaces/m/.claude-plugin/marketplace.json
        {"name": "m", "plugins": [{"name": "p", "source": "./p"}]}
        //- /c/Users/me/.claude/plugins/installed_plugins.json
        {"version": 2, "plugins": {"p@m": [{"scope": "project", "projectPath": "c:\\Users\\me\\shop", "installPath": "C:\\Users\\me\\.claude\\plugins\\cache\\m\\p\\1"}]}}
        //- /c/Users/me/.claude/plugins/cache/m/p/1/.mcp.json
        {"s": {"command": "s"}}
    "#;
    let resolution = ClaudeCode.resolve(&windows(text).world());
    assert_eq!(told(&resolution), ["plugin:p:s configured plugin"]);
}

#[test]
fn what_was_not_observed_is_said() {
    for platform in [Platform::Windows, Platform::MacOs] {
        let resolution = ClaudeCode.resolve(
            &windows("//- /c/Users/me/shop/\n")
                .platform(platform)
                .world(),
        );
        let note = resolution.notes.last().unwrap();
        assert!(matches!(note.rule.evidence, Evidence::Documented(_)));
    }
    let linux = ClaudeCode.resolve(&Stage::new("//- /work/repo/\n").world());
    assert!(
        linux
            .notes
            .iter()
            .all(|note| note.rule.id != "claude-code/platform")
    );
}
