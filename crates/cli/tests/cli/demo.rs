//! `muster demo`.

use insta::assert_snapshot;

use crate::context::Context;

/// The demo's folder has a random name.
fn named(text: &str) -> String {
    let start = text.find("muster-demo-").unwrap();
    let name: String = text[start..]
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
        .collect();
    text.replace(&name, "muster-demo-NAME")
}

fn folders(context: &Context) -> Vec<String> {
    let entries = std::fs::read_dir(context.path("")).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("muster-demo"))
        .collect()
}

#[test]
fn shows_a_made_up_world_and_leaves_nothing() {
    let context = Context::new();
    let shown = context.run(["demo"]).fine();
    let (listed, started) = shown.split_once("\n$ muster check").unwrap();
    assert_snapshot!(listed);
    assert!(started.contains(" ✓ db "), "{started}");
    assert!(started.contains(" 2 tools "), "{started}");
    assert!(started.contains(" ✗ scratch "), "{started}");
    assert!(
        started.contains("muster               in any folder"),
        "{started}"
    );
    assert_eq!(folders(&context), [""; 0]);
    #[cfg(target_os = "linux")]
    assert_eq!(crate::launch::left_running(&context), [0; 0]);
}

#[test]
fn stays_where_it_is_asked_to() {
    let context = Context::new();
    let shown = context.run(["demo", "--keep"]).fine();
    let (_, story) = shown.split_once("$ muster why").unwrap();
    let (story, started) = story.split_once("\n$ muster check").unwrap();
    let (_, end) = started.split_once("\nThe made-up home stays").unwrap();
    assert_snapshot!(named(&format!("{story}\n…\nThe made-up home stays{end}")));
    assert_eq!(folders(&context).len(), 1);
    let home = context.path(&folders(&context)[0]);
    let again = context.finish(
        context
            .command()
            .arg("--home")
            .arg(&home)
            .arg("--project")
            .arg(home.join("shop")),
    );
    assert!(again.fine().contains("scratch"));
}

#[test]
fn reads_nothing_of_the_real_home_and_shows_none_of_its_secrets() {
    let context = Context::furnished();
    let shown = context.run(["demo", "-v"]).fine();
    assert!(!shown.contains("other-db"), "{shown}");
    let secrets = secrets();
    assert!(secrets.len() > 5, "{secrets:?}");
    for format in ["text", "json", "markdown"] {
        let shown = context.run(["demo", "-v", "--format", format]).fine();
        for secret in &secrets {
            assert!(!shown.contains(secret), "{secret} in {format}: {shown}");
        }
    }
}

/// Every secret that the demo's files hold: they all begin with `demo-`.
fn secrets() -> Vec<&'static str> {
    muster_harness::ALL
        .iter()
        .flat_map(|harness| harness.example())
        .flat_map(|(_, content)| content.split(|c: char| !c.is_ascii_alphanumeric() && c != '-'))
        .filter(|word| word.starts_with("demo-"))
        .collect()
}
