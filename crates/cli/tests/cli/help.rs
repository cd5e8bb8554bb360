//! What is printed for installers and for people who ask.

use insta::assert_snapshot;

use crate::context::Context;

const COMMANDS: [&str; 17] = [
    "list",
    "check",
    "why",
    "tools",
    "call",
    "resources",
    "read",
    "prompts",
    "prompt",
    "login",
    "logout",
    "explain",
    "ps",
    "demo",
    "completions",
    "man",
    "schema",
];

#[test]
fn the_whole_reference() {
    let context = Context::new();
    let mut reference = context.run(["--help"]).fine();
    for command in COMMANDS {
        reference.push_str(&format!(
            "\n===== {command}\n{}",
            context.run([command, "--help"]).fine()
        ));
    }
    assert_snapshot!(reference);
}

#[test]
fn the_short_help_fits_a_screen() {
    let help = Context::new().run(["-h"]).fine();
    assert!(help.lines().count() <= 40, "{help}");
    assert_snapshot!(help);
}

#[test]
fn the_version() {
    assert_eq!(
        Context::new().run(["--version"]).fine(),
        format!("muster {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn completions_for_every_shell() {
    let context = Context::new();
    let shells = [
        ("bash", "complete -F"),
        ("elvish", "edit:completion"),
        ("fish", "complete -c muster"),
        ("powershell", "Register-ArgumentCompleter"),
        ("zsh", "#compdef muster"),
    ];
    for (shell, word) in shells {
        let script = context.run(["completions", shell]).fine();
        assert!(
            script.contains(word) && script.contains("system-root"),
            "{shell}: {script}"
        );
    }
}

#[test]
fn man_pages() {
    let context = Context::new();
    let page = context.run(["man"]).fine();
    assert!(
        page.contains(".TH muster 1") && page.contains("muster\\-why(1)"),
        "{page}"
    );
    let page = context.run(["man", "why"]).fine();
    assert!(
        page.contains(".TH muster-why 1") && page.contains("\\-\\-headless"),
        "{page}"
    );
    assert_snapshot!(context.run(["man", "wyh"]).refused());
}

#[test]
fn the_schema_describes_what_is_printed() {
    let context = Context::furnished();
    let asked = [
        ("list", vec!["list"]),
        ("list", vec!["list", "--by", "server"]),
        ("why", vec!["why", "db"]),
        ("why", vec!["why", "db", "--launch-plan"]),
        ("why", vec!["why", "github", "--launch-plan"]),
        ("explain", vec!["explain"]),
        ("explain", vec!["explain", "codex/trust"]),
    ];
    for (name, args) in asked {
        let schema = serde_json::from_str(&context.run(["schema", name]).fine()).unwrap();
        let written = serde_json::from_str(
            &context
                .run(args.into_iter().chain(["--format", "json"]))
                .fine(),
        )
        .unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&written)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}
