//! The binary as users get it.
//!
//! Muster answers in a few milliseconds, of which the dynamic loader takes half of one: it maps three libraries and moves eight thousand
//! addresses. So where the machine has what it takes, the binary is static and lies at a fixed address. What a loader at random
//! addresses guards against are writes out of bounds, which safe Rust has none of.

use std::path::Path;
use std::process::Command;

use camino::Utf8PathBuf;

use crate::place::Workspace;
use crate::{Result, say};

/// The targets on which a static C library is a matter of choice, and in question.
const GLIBC: &str = "-linux-gnu";

/// Builds it and gives its path.
pub(crate) fn build(workspace: &Workspace) -> Result<Utf8PathBuf> {
    let how = how()?;
    let words: Vec<&str> = how.iter().map(String::as_str).collect();
    workspace.build_muster("release", &words)
}

/// Builds it and puts it where `cargo install` puts programs; `options` are passed on (`--root DIR`).
pub(crate) fn install(workspace: &Workspace, options: &[&str]) -> Result {
    let how = how()?;
    let mut words = vec!["install", "--locked", "--path", "crates/cli"];
    words.extend(how.iter().map(String::as_str));
    words.extend(options);
    match workspace.cargo(&words).status()? {
        status if status.success() => Ok(()),
        status => Err(format!("`cargo {}`: {status}", words.join(" ")).into()),
    }
}

/// The options for cargo that make it static; none where that is not for us to say or cannot be.
fn how() -> Result<Vec<String>> {
    let host = host()?;
    if !host.ends_with(GLIBC) {
        return Ok(Vec::new());
    }
    if !has_static_libc() {
        say::warning(
            "there is no libc.a here: the binary will be dynamic, and start half a millisecond later",
        );
        return Ok(Vec::new());
    }
    // With a target named, the flags are not for build scripts and macros, which must stay dynamic.
    Ok(vec![
        "--target".to_owned(),
        host.clone(),
        "--config".to_owned(),
        format!(
            r#"target.{host}.rustflags=["-Ctarget-feature=+crt-static","-Crelocation-model=static"]"#
        ),
    ])
}

/// What the compiler builds for unless told.
fn host() -> Result<String> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = Command::new(compiler).arg("-vV").output()?;
    let told = String::from_utf8(told.stdout)?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host
        .ok_or("rustc does not say what it builds for")?
        .to_owned())
}

/// Whether the C compiler, which links, finds a static C library: it answers with the bare name where it does not.
fn has_static_libc() -> bool {
    let asked = Command::new("cc").arg("-print-file-name=libc.a").output();
    asked.is_ok_and(|answer| {
        let found = String::from_utf8_lossy(&answer.stdout);
        Path::new(found.trim()).is_absolute()
    })
}
