//! What makes two definitions one server.

use muster_core::{Entry, Identity, Sourced, Transport};
use muster_document::Secret;
use proptest::prelude::*;

fn sourced(text: &str) -> Sourced<Secret> {
    Sourced {
        value: Secret::new(text),
        place: None,
    }
}

fn command(words: &[&str]) -> Option<Identity> {
    let (program, args) = words.split_first()?;
    Identity::of(&Entry {
        transport: Some(Transport::Stdio),
        command: Some(sourced(program)),
        args: args.iter().map(|word| sourced(word)).collect(),
        ..Entry::default()
    })
}

fn url(address: &str, transport: Transport) -> Option<Identity> {
    Identity::of(&Entry {
        transport: Some(transport),
        url: Some(sourced(address)),
        ..Entry::default()
    })
}

fn http(address: &str) -> Option<Identity> {
    url(address, Transport::Http)
}

#[test]
fn a_command_is_known_by_its_file_name_and_arguments() {
    let known = command(&["npx", "-y", "@acme/db"]);
    assert!(known.is_some());
    for same in [
        &["/usr/bin/npx", "-y", "@acme/db"][..],
        &["C:\\node\\npx.CMD", "-y", "@acme/db"],
    ] {
        assert_eq!(command(same), known, "{same:?}");
    }
    for other in [
        &["npx", "@acme/db"][..],
        &["npx", "-y", "@acme/DB"],
        &["npx", "@acme/db", "-y"],
        &["bunx", "-y", "@acme/db"],
        &["NPX", "-y", "@acme/db"],
    ] {
        assert_ne!(command(other), known, "{other:?}");
    }
    assert_eq!(command(&[".exe"]), command(&["/x/.exe"]));
    assert_ne!(command(&["server.py"]), command(&["server"]));
}

#[test]
fn an_address_is_known_without_case_of_its_host_own_port_and_last_slash() {
    let known = http("https://api.example.com/mcp");
    for same in [
        "HTTPS://API.example.com/mcp/",
        "https://api.example.com:443/mcp",
    ] {
        assert_eq!(http(same), known, "{same}");
    }
    for other in [
        "http://api.example.com/mcp",
        "https://api.example.com/MCP",
        "https://api.example.com:8443/mcp",
        "https://api.example.com/mcp?x=1",
        "https://me@api.example.com/mcp",
    ] {
        assert_ne!(http(other), known, "{other}");
    }
    assert_eq!(http("http://h/?a"), http("http://h:80?a"));
    assert_ne!(http("https://${HOST}/"), http("https://${host}/"));
    assert_eq!(http("not an address"), http("not an address"));
}

#[test]
fn how_an_address_is_spoken_to_makes_no_other_server() {
    let address = "https://api.example.com/mcp";
    assert_eq!(url(address, Transport::Sse), http(address));
}

#[test]
fn variables_are_the_same_in_every_spelling() {
    let known = command(&["db", "--url=${DB_URL}"]);
    assert_eq!(command(&["db", "--url=${env:DB_URL}"]), known);
    assert_eq!(command(&["db", "--url={env:DB_URL}"]), known);
    assert_ne!(command(&["db", "--url={env:OTHER}"]), known);
    assert_ne!(
        command(&["db", "--url={env:}"]),
        command(&["db", "--url=${}"])
    );
}

#[test]
fn an_address_is_no_command_and_nothing_is_no_server() {
    assert_ne!(command(&["https://h"]), http("https://h"));
    assert_eq!(Identity::of(&Entry::default()), None);
    let both = Entry {
        command: Some(sourced("npx")),
        url: Some(sourced("https://h")),
        ..Entry::default()
    };
    let as_stdio = Identity::of(&Entry {
        transport: Some(Transport::Stdio),
        ..both.clone()
    });
    assert_eq!(as_stdio, command(&["npx"]));
    let as_http = Identity::of(&Entry {
        transport: Some(Transport::Http),
        ..both
    });
    assert_eq!(as_http, http("https://h"));
}

proptest! {
    /// Whatever is written has an identity, and it shows nothing.
    #[test]
    fn anything_has_an_identity(words in prop::collection::vec(".{0,12}|[$]?\\{env:[A-Z]*\\}?", 1..4), address in ".{0,20}|[a-zA-Z]+://.{0,20}") {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let found = command(&words).unwrap();
        prop_assert_eq!(format!("{found:?}"), "Identity(•••)");
        prop_assert_eq!(&found, &command(&words).unwrap());
        prop_assert!(http(&address).is_some());
    }

    /// A folder before a program changes nothing; another argument does.
    #[test]
    fn only_folders_may_differ(program in "[a-z][a-z-]{0,9}", args in prop::collection::vec("[a-z@/.-]{1,9}", 0..3), folder in "(/[a-z.]{1,5}){1,3}/", more in "[a-z]{1,5}") {
        let with = |program: &str, more: Option<&str>| {
            let words: Vec<&str> = [program].into_iter().chain(args.iter().map(String::as_str)).chain(more).collect();
            command(&words)
        };
        prop_assert_eq!(with(&program, None), with(&format!("{folder}{program}"), None));
        prop_assert_ne!(with(&program, None), with(&program, Some(&more)));
    }

    /// Case of scheme and host, the scheme's own port and slashes at the end of the path change nothing; the path does.
    #[test]
    fn only_the_spelling_of_an_address_may_differ(host in "[a-z]{1,8}(\\.[a-z]{1,5}){0,2}", path in "(/[a-zA-Z0-9]{1,6}){0,3}", query in "(\\?[a-z=&]{1,6})?", slashes in "/{0,2}") {
        let plain = http(&format!("https://{host}{path}{query}"));
        let loud = format!("HTTPS://{}:443{path}{slashes}{query}", host.to_uppercase());
        prop_assert_eq!(&http(&loud), &plain);
        prop_assert_ne!(http(&format!("https://{host}{path}/x{query}")), plain);
    }
}
