//! Whole resolutions, told as a user would see them.

use muster_core::{Harness as _, Resolution, Server};
use muster_testkit::{Stage, claims, strategies};
use proptest::prelude::*;

use super::Codex;
use super::session::CommandLine;

/// Every server as `NAME STATUS SCOPE: SHORT`.
fn told(resolution: &Resolution) -> Vec<String> {
    let line = |server: &Server| {
        let short = server
            .short
            .as_deref()
            .map(|short| format!(": {short}"))
            .unwrap_or_default();
        format!(
            "{} {} {}{short}",
            server.definition.name,
            server.status.word(),
            server.definition.scope.word()
        )
    };
    resolution.servers.iter().map(line).collect()
}

fn asked(stage: Stage, line: &str) -> Stage {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    stage.session(Codex.session(&words, Stage::FOLDER.into()).unwrap())
}

const PROJECT: &str = "
    //- /home/me/.codex/config.toml
    [mcp_servers.db]
    command = 'npx'
    args = ['-y', '@acme/db']
    [mcp_servers.gh]
    url = 'https://api.example.com/mcp'
    bearer_token_env_var = 'GH_TOKEN'
    //- /work/repo/.git/HEAD
    ref: refs/heads/main
    //- /work/repo/.codex/config.toml
    [mcp_servers.db]
    enabled = false
    [mcp_servers.lint]
    command = './lint'
";

#[test]
fn exec_starts_nothing_outside_git() {
    let user = "
    //- /home/me/.codex/config.toml
    [mcp_servers.db]
    command = 'npx'
    //- /work/repo/note.txt
    no repository
";
    for (line, expected) in [
        ("codex exec hi", "db invalid user: Codex does not start"),
        ("codex exec --skip-git-repo-check hi", "db configured user"),
        ("codex mcp list", "db configured user"),
    ] {
        let resolution = Codex.resolve(&asked(Stage::new(user), line).world());
        assert_eq!(told(&resolution), [expected], "{line}");
    }
}

#[test]
fn what_to_correct_is_told_by_the_home_folder() {
    let stage = Stage::new(
        "
    //- /home/me/.codex/config.toml
    history = { persistence = 'x' }
    [mcp_servers.db]
    command = 'npx'
",
    );
    let resolution = Codex.resolve(&stage.world());
    let expected = "correct line 1 of ~/.codex/config.toml: Codex starts no server until then";
    assert_eq!(resolution.servers[0].remedies, [expected]);
}

#[test]
fn an_untrusted_project_changes_no_server_of_the_user() {
    let resolution = Codex.resolve(&Stage::new(PROJECT).env("GH_TOKEN", "t").world());
    let expected = [
        "db untrusted project: folder not trusted",
        "lint untrusted project: folder not trusted",
        "db configured user",
        "gh configured user",
    ];
    assert_eq!(told(&resolution), expected);
    assert_eq!(
        resolution.situation.as_deref(),
        Some("nothing starts until trust is answered")
    );
    assert!(
        resolution
            .notes
            .iter()
            .any(|note| note.rule.id == "codex/trust-question")
    );
}

#[test]
fn the_panel_asks_in_a_repository_or_beside_a_project_s_folder() {
    let config = "//- /home/me/.codex/config.toml\n";
    for (folder, extra, asks) in [
        ("/home/me", "", false),
        ("/work/repo", "//- /work/repo/README.md\n", false),
        ("/work/repo", "//- /work/repo/.codex/x\n", true),
        (
            "/work/repo/sub",
            "//- /work/repo/.codex/x\n//- /work/repo/sub/x\n",
            false,
        ),
        (
            "/work/repo/sub",
            "//- /work/repo/.git/HEAD\n//- /work/repo/sub/x\n",
            true,
        ),
        ("/home/me", "//- /home/me/.git/HEAD\n", true),
    ] {
        let stage = Stage::new(&format!("{config}{extra}")).folder(folder);
        assert_eq!(
            Codex.resolve(&stage.world()).situation.is_some(),
            asks,
            "{folder} {extra}"
        );
    }
}

#[test]
fn trust_on_the_command_line_merges_key_by_key() {
    let stage = asked(Stage::new(PROJECT), "codex exec --trust hi");
    let resolution = Codex.resolve(&stage.world());
    let expected = [
        "lint configured project",
        "db off user: switched off",
        "gh broken user: its token is not set",
    ];
    assert_eq!(told(&resolution), expected);
    let chain: Vec<_> = resolution.servers[1]
        .reasons
        .iter()
        .map(|reason| format!("{}: {}", reason.label, reason.text))
        .collect();
    let expected = [
        "defined: defined in ~/.codex/config.toml, user scope",
        "merges: .codex/config.toml gives enabled",
        "trust: the command line trusts /work/repo",
        "switch: enabled = false",
    ];
    assert_eq!(chain, expected);
    assert_eq!(
        resolution.servers[1].reasons[3]
            .place
            .as_ref()
            .unwrap()
            .position
            .line,
        2
    );
}

#[test]
fn the_list_command_looks_less_closely_than_a_session() {
    let stage = asked(Stage::new(PROJECT), "codex mcp list");
    assert!(told(&Codex.resolve(&stage.world())).contains(&"gh configured user".to_owned()));
}

#[test]
fn one_bad_entry_stops_everything_and_says_where() {
    let stage = asked(Stage::new(PROJECT), "codex exec -c mcp_servers.db.url=x hi");
    let resolution = Codex.resolve(&stage.world());
    assert!(
        resolution
            .servers
            .iter()
            .all(|server| server.status.word() == "invalid")
    );
    let stopped = resolution.stopped.unwrap();
    assert_eq!(
        stopped.text,
        "Codex does not start: url is not supported for stdio in `mcp_servers.db`"
    );
    assert_eq!(stopped.place, None);

    let broken = Stage::new(
        "
        //- /home/me/.codex/config.toml
        [mcp_servers.a]
        command = 'a'
        [mcp_servers.b
        command = 'b'
    ",
    );
    let resolution = Codex.resolve(&broken.world());
    assert_eq!(
        told(&resolution),
        [
            "a invalid user: Codex does not start",
            "b invalid user: Codex does not start"
        ]
    );
    let place = resolution.stopped.unwrap().place.unwrap();
    assert_eq!((place.position.line, place.position.column), (3, 15));
    assert!(resolution.servers[0].definition.entry.command.is_some());
}

#[test]
fn a_plugin_stands_below_the_configuration() {
    let stage = Stage::new(
        "
        //- /home/me/.codex/config.toml
        [mcp_servers.s]
        command = 'mine'
        enabled = false
        [plugins.'p@m']
        //- /home/me/.codex/plugins/cache/m/p/1.0.0/.codex-plugin/plugin.json
        {}
        //- /home/me/.codex/plugins/cache/m/p/1.0.0/.mcp.json
        {\"s\": {\"command\": \"x\"}, \"t\": {\"command\": \"x\"}, \"bad\": {}}
    ",
    );
    let expected = [
        "s off user: switched off",
        "s overridden plugin: user's s wins",
        "t configured plugin",
        "bad invalid plugin: Codex skips it",
    ];
    assert_eq!(told(&Codex.resolve(&stage.world())), expected);
}

#[test]
fn an_empty_world_says_how_to_begin() {
    let resolution = Codex.resolve(&Stage::new("//- /work/repo/README.md\n").world());
    assert!(resolution.servers.is_empty() && resolution.stopped.is_none());
    assert_eq!(
        resolution.first_steps,
        ["~/.codex/config.toml takes [mcp_servers.NAME] tables; or: codex mcp add NAME -- COMMAND"]
    );
}

proptest! {
    /// Whatever lies where Codex looks, no claim about its resolution is broken.
    #[test]
    fn claims_hold(tree in strategies::tree(), headless: bool) {
        let stage = Stage::of(tree);
        let stage = if headless { stage.headless() } else { stage };
        prop_assert_eq!(claims::broken(&Codex, &stage), Vec::<String>::new());
    }

    /// Any command line is understood or refused.
    #[test]
    fn any_command_line_ends(words in prop::collection::vec("(-{0,2}[a-zA-Z]{0,9}|.{0,12}|-c|[a-z]+(\\.[a-z\"]+)*=.{0,9})", 0..9)) {
        let _ = CommandLine::parse(&words);
    }
}

#[test]
fn variables_that_no_entry_holds_are_known() {
    let stage = Stage::new(
        "
        //- /home/me/.codex/.env
        DOT=hunter2-dot
        CODEX_KEY=hunter2-own
        //- /home/me/.codex/config.toml
        [mcp_servers.db]
        command = 'npx'
        args = ['--x', '${ARG}']
        env_vars = ['PASSED', { name = 'NAMED' }, 'UNSET']
        [mcp_servers.gh]
        url = 'https://h.example/'
        bearer_token_env_var = 'BEARER'
        ",
    );
    let stage = ["ARG", "PASSED", "NAMED", "BEARER", "UNRELATED"]
        .into_iter()
        .fold(stage, |stage, name| stage.env(name, "hunter2-value"));
    let resolution = Codex.resolve(&stage.world());
    let mut names: Vec<&str> = resolution
        .variables
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["ARG", "BEARER", "CODEX_KEY", "DOT", "NAMED", "PASSED"]
    );
}
