//! Packages that are fetched in whatever version there is.

use muster_core::{Audience, Check, Confidence, Entry, Example, Finding, Severity, Sourced};
use muster_document::{Masked, Secret};

use crate::account::Subject;

pub(crate) static CHECK: Check = Check {
    id: "unpinned-package",
    severity: Severity::Note,
    confidence: Confidence::High,
    audience: Audience::Pedantic,
    since: "0.1.0",
    title: "a package without its version",
    explanation: "`npx -y PACKAGE` and `uvx PACKAGE` fetch whatever version is the newest when the server starts. What ran yesterday need not run \
        today, and whoever takes over the package runs code on every machine that names it.",
    help: "Name the version: `@acme/db@1.4.2` for npx and its like, `acme-db==1.4.2` or `acme-db@1.4.2` for uvx.",
    links: &[],
    example: Example {
        harness: "claude-code",
        path: ".mcp.json",
        before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db"] }
  }
}
"#,
        after: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db@1.4.2"] }
  }
}
"#,
        besides: &[],
    },
};

pub(crate) fn look(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let entry = subject.entry();
    let Some(package) = package(subject.base_name(), entry).filter(|_| subject.may_start()) else {
        return;
    };
    if is_pinned(package.value.expose()) {
        return;
    }
    let shown = Masked::word(&Secret::new(package.value.expose()));
    let finding = subject
        .finding(
            &CHECK,
            format!("{shown} is fetched in whatever version is the newest"),
        )
        .with_help("name its version behind an @")
        .at(package.place.as_ref());
    found.push(finding);
}

/// The package that a launcher is to fetch.
fn package<'e>(command: &str, entry: &'e Entry) -> Option<&'e Sourced<Secret>> {
    let takes_value: &[&str] = match command {
        "npx" | "bunx" | "pnpx" => &["-p", "--package", "-c", "--call"],
        "uvx" | "pipx" => &[
            "--from",
            "--with",
            "-p",
            "--python",
            "--index",
            "--index-url",
        ],
        _ => return None,
    };
    let mut skip = false;
    let mut args = entry.args.iter();
    args.find(|word| {
        let text = word.value.expose();
        let named = std::mem::replace(&mut skip, takes_value.contains(&text));
        // `--package X` and `--from X` name the package themselves.
        let names = named && !text.starts_with('-');
        names || (!named && !text.starts_with('-') && text != "run")
    })
}

/// Whether a version is named, or it is no package of a registry at all.
fn is_pinned(package: &str) -> bool {
    let name = package.strip_prefix('@').unwrap_or(package);
    let version = name
        .split_once('@')
        .or_else(|| name.split_once("=="))
        .map(|(_, version)| version);
    let local =
        package.starts_with(['.', '/', '~']) || package.contains("://") || package.contains('$');
    local || version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_told_from_a_tag() {
        for pinned in [
            "@a/b@1.2.3",
            "b@1",
            "b==1.0",
            "./b",
            "git+https://x/y",
            "${PKG}",
        ] {
            assert!(is_pinned(pinned), "{pinned}");
        }
        for open in ["@a/b", "b", "b@latest", "@a/b@next"] {
            assert!(!is_pinned(open), "{open}");
        }
    }
}
