//! `{env:NAME}` and `{file:PATH}`, which OpenCode replaces in the text of a file before it parses it. Observed on 1.18.33.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{FileFault, Files, World, absolute};
use muster_document::{Rewritten, Secret, Span};

/// What the replacing used, and where it failed.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Values that were put in: of variables by name, of files by path.
    pub(super) values: Vec<(String, Secret)>,
    /// Files that were put in.
    pub(super) files: Vec<Utf8PathBuf>,
    /// Variables that are unset, or empty, with the place of their first use.
    pub(super) unset: Vec<(String, Span)>,
    /// The first reference to a file that cannot be read: that stops OpenCode.
    pub(super) fault: Option<BadReference>,
}

/// A `{file:PATH}` that cannot be followed.
#[derive(Debug)]
pub(super) struct BadReference {
    /// The file it means.
    pub(super) path: Utf8PathBuf,
    pub(super) absent: bool,
    /// Where it stands in the file.
    pub(super) span: Span,
}

/// Whether `text` holds anything to replace.
pub(super) fn is_needed(text: &str) -> bool {
    text.contains("{env:") || text.contains("{file:")
}

/// `text` of a file in `folder` as OpenCode parses it: variables first, then files, which may be named by variables.
pub(super) fn substitute(
    world: &World<'_>,
    home: Option<&Utf8Path>,
    folder: &Utf8Path,
    text: &Rewritten,
    used: &mut Used,
) -> Rewritten {
    let with_variables = put_variables(world, text, used);
    put_files(world, home, folder, &with_variables, used)
}

fn put_variables(world: &World<'_>, text: &Rewritten, used: &mut Used) -> Rewritten {
    let mut parts = Vec::new();
    for (span, name) in references(text.text(), "{env:") {
        let value = match name {
            // Set by OpenCode itself before it reads anything.
            "AGENT" | "OPENCODE" => "1",
            name => world.env.get(name).unwrap_or_default(),
        };
        let known = |(known, _): &(String, Span)| known == name;
        match value {
            "" if !used.unset.iter().any(known) => {
                used.unset.push((name.to_owned(), text.source(span)));
            }
            "" => {}
            value => used.values.push((name.to_owned(), Secret::new(value))),
        }
        parts.push((span, value.to_owned()));
    }
    text.replaced(&parts)
}

fn put_files(
    world: &World<'_>,
    home: Option<&Utf8Path>,
    folder: &Utf8Path,
    text: &Rewritten,
    used: &mut Used,
) -> Rewritten {
    let mut parts = Vec::new();
    for (span, path) in references(text.text(), "{file:") {
        if is_after_slashes(text.text(), span.start) {
            continue;
        }
        let path = match (path.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => Utf8PathBuf::from(path),
        };
        let path = absolute(path.as_str(), folder);
        let content = match world.files.read(&path, Files::LIMIT) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(fault) => {
                used.fault.get_or_insert(BadReference {
                    path,
                    absent: fault == FileFault::Absent,
                    span: text.source(span),
                });
                break;
            }
        };
        // What JavaScript's `trim` takes off; a byte order mark too.
        let content = content.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        used.values
            .push((path.to_string(), Secret::new(content.to_owned())));
        used.files.push(path);
        parts.push((span, escaped(content)));
    }
    text.replaced(&parts)
}

/// Every `{env:NAME}` or `{file:PATH}` of `text`: its span and what stands in it, which is anything but `}` and at least one character.
fn references<'t>(text: &'t str, opening: &'static str) -> impl Iterator<Item = (Span, &'t str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text.get(at..)?.find(opening)?;
            let inside = start + opening.len();
            let length = text.get(inside..)?.find('}')?;
            if length == 0 {
                at = inside;
                continue;
            }
            at = inside + length + 1;
            return Some((Span::new(start, at), text.get(inside..inside + length)?));
        }
    })
}

/// The variables that `text` names.
pub(super) fn variables(text: &str) -> impl Iterator<Item = &str> {
    references(text, "{env:").map(|(_, name)| name)
}

/// Whether only blanks and then `//` stand before `at` on its line: there a file is not asked for.
fn is_after_slashes(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim_start().starts_with("//")
}

/// `text` as the inside of a JSON string.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use muster_testkit::Stage;

    use super::*;

    fn run(text: &str, stage: &Stage) -> (String, Used) {
        let mut used = Used::default();
        let world = stage.world();
        let out = substitute(
            &world,
            world.home.as_deref(),
            Utf8Path::new("/work/repo"),
            &Rewritten::new(text),
            &mut used,
        );
        (out.text().to_owned(), used)
    }

    #[test]
    fn variables_are_put_in_anywhere_and_files_may_be_named_by_them() {
        let stage = Stage::new("//- /work/repo/d/f\n  con\"tent\nx\n\n//- /home/me/h\nhome\n")
            .env("A", "a")
            .env("D", "d")
            .env("F", "{file:d/f}");
        let (text, used) = run(
            "{env:A}{env:NO}{env:}{env:A\n{env:D} [{file:{env:D}/f}] {file:~/h} {env:F}\n // {file:no}",
            &stage,
        );
        // An opening without its end takes everything up to the next `}` for a name.
        assert_eq!(
            text,
            "a{env:} [con\\\"tent\\nx] home con\\\"tent\\nx\n // {file:no}"
        );
        let unset: Vec<_> = used.unset.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(unset, ["NO", "A\n{env:D"]);
        assert!(used.fault.is_none());
        assert_eq!(
            used.files,
            ["/work/repo/d/f", "/home/me/h", "/work/repo/d/f"]
        );
    }

    #[test]
    fn a_file_that_is_not_there_is_told_with_its_place() {
        let (_, used) = run("{\n\"a\": \"{file:../x/no}\"}", &Stage::new(""));
        let fault = used.fault.unwrap();
        assert_eq!(fault.path, "/work/x/no");
        assert_eq!(fault.span, Span::new(8, 22));
        assert!(fault.absent);
    }

    #[test]
    fn an_opening_without_an_end_is_text() {
        assert_eq!(run("{env:A", &Stage::new("")).0, "{env:A");
        assert_eq!(run("{file:", &Stage::new("")).0, "{file:");
    }
}
