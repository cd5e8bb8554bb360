//! What a text becomes when its variables are filled, as far as that may be shown.

use super::{names, references};
use crate::{Masking, Secret};

impl Secret {
    /// `self`, in which variables stand, with what `filled` has in their place, as far as that may be shown: the path of a file in
    /// which nothing is secret. All other references stay, and so does the whole text where it cannot be told what stands for which.
    #[must_use]
    pub fn shown_filled(&self, filled: &Secret) -> Secret {
        Secret::new(
            fill(self.expose(), filled.expose()).unwrap_or_else(|| self.expose().to_owned()),
        )
    }
}

fn fill(written: &str, filled: &str) -> Option<String> {
    let mut shown = String::new();
    let mut rest = filled;
    let mut at = 0;
    let found = references::find(written);
    let ends = found.iter().skip(1).map(|next| next.span.start);
    let ends = ends.chain([written.len()]);
    for (reference, end) in found.iter().zip(ends) {
        let before = written.get(at..reference.span.start)?;
        // What stood behind the reference before this one is passed already.
        if at == 0 {
            rest = rest.strip_prefix(before)?;
            shown.push_str(before);
        }
        let behind = written.get(reference.span.end..end)?;
        let (value, next) = if end == written.len() {
            (rest.strip_suffix(behind)?, "")
        } else {
            // Two references side by side cannot be told apart.
            rest.split_once(behind).filter(|_| !behind.is_empty())?
        };
        let text = reference.span.of(written);
        shown.push_str(if may_be_shown(text, value) {
            value
        } else {
            text
        });
        shown.push_str(behind);
        (rest, at) = (next, reference.span.end);
    }
    (!found.is_empty()).then_some(shown)
}

fn may_be_shown(reference: &str, value: &str) -> bool {
    let drive = value
        .get(1..3)
        .is_some_and(|colon| matches!(colon, ":\\" | ":/"));
    let rooted = value.starts_with('/') || value.starts_with("~/") || drive;
    rooted
        && !references::names(reference)
            .into_iter()
            .any(names::is_secret)
        && Masking::path(&Secret::new(value)).hidden.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_and_everything_else_stays_a_reference() {
        for (written, filled, shown) in [
            ("${HOME}/bin/x", "/home/me/bin/x", "/home/me/bin/x"),
            (
                "--db=${DB_URL}",
                "--db=postgres://u:p@h/d",
                "--db=${DB_URL}",
            ),
            ("${A}:${B}", "/a:hunter2", "/a:${B}"),
            ("${A}:${B}!", "word:/b!", "${A}:/b!"),
            ("${A}${B}", "/a/b", "${A}${B}"),
            ("${TOKEN}", "/home/me/x", "${TOKEN}"),
            ("${TOKEN_FILE}", "/home/me/x", "/home/me/x"),
            ("${X:-/opt/x}", "/opt/x", "/opt/x"),
            ("${X:-hunter2}", "hunter2", "${X:-hunter2}"),
            ("${A}", "/x?token=hunter2", "${A}"),
            ("plain", "other", "plain"),
            ("${A}-x", "unrelated", "${A}-x"),
        ] {
            let found = Secret::new(written).shown_filled(&Secret::new(filled));
            assert_eq!(found.expose(), shown, "{written} {filled}");
        }
    }
}
