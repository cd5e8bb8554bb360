//! One word, or one text, of unknown meaning.

use super::cover::Cover;
use super::{arguments, detect, loose, names, references, shell, url};
use crate::Span;

/// How often text is unpacked from text (JSON in a shell's word in JSON …). What is packed deeper is hidden.
pub(super) const DEPTH: usize = 8;

/// Longer texts are hidden whole: nobody would read them, and judging them takes time and memory.
pub(super) const LONGEST: usize = 16 * 1024;

/// Covers what looks like a secret in `text`: an argument, a string of a file, a message.
pub(super) fn judge(text: &str, depth: usize) -> Cover {
    let Some(deeper) = depth.checked_sub(1).filter(|_| text.len() <= LONGEST) else {
        return Cover::all(text);
    };
    if text.trim().is_empty() || references::is_placeholder(text) || references::is_bare(text) {
        return Cover::none();
    }
    if !has_joints(text) {
        return leaf(text);
    }
    quoted(text, deeper)
        .or_else(|| structured(text, deeper))
        .or_else(|| assigned_secret(text, deeper))
        .or_else(|| phrase(text, deeper))
        .or_else(|| address(text, deeper))
        .or_else(|| user_at_host(text))
        .or_else(|| assigned(text, deeper))
        .or_else(|| list(text, deeper))
        .unwrap_or_else(|| leaf(text))
}

/// Whether `text` holds any character by which one of the readings below tells parts: most words do not.
fn has_joints(text: &str) -> bool {
    text.bytes().any(|byte| {
        !byte.is_ascii_graphic()
            || matches!(
                byte,
                b'"' | b'\'' | b'{' | b'[' | b'=' | b':' | b'@' | b',' | b';' | b'|' | b'&'
            )
    })
}

/// Covers the path of a file: as [`judge`] does, and what follows a `?` or a `"`, since no path goes on so.
pub(super) fn path(text: &str, depth: usize) -> Cover {
    /// How Windows says that what follows is meant as written.
    const VERBATIM: &str = r"\\?\";
    let from = if text.starts_with(VERBATIM) {
        VERBATIM.len()
    } else {
        0
    };
    let odd = text
        .get(from..)
        .and_then(|rest| rest.find(['?', '"']))
        .map_or(text.len(), |at| from + at + 1);
    let mut cover = judge(text.get(..odd).unwrap_or_default(), depth);
    cover.hide(Span::new(odd, text.len()));
    cover
}

/// Covers `value`, of which its place says that it is a secret. References stay, and so do placeholders.
pub(super) fn hide(value: &str) -> Cover {
    let bare = match value.split_once(' ') {
        Some((scheme, rest)) if names::is_scheme(scheme) => rest.trim(),
        _ => value,
    };
    if references::is_placeholder(bare) {
        Cover::none()
    } else {
        hide_strictly(value)
    }
}

/// Covers `value` unless it consists of references alone.
pub(super) fn hide_strictly(value: &str) -> Cover {
    if !references::is_only(value) {
        return Cover::all(value);
    }
    let mut cover = Cover::none();
    for fallback in references::find(value)
        .into_iter()
        .filter_map(|reference| reference.fallback)
    {
        cover.hide(fallback);
    }
    cover
}

/// `name=value` or `name: value` where the name says that the value is a secret.
pub(super) struct Assignment {
    /// Where the name begins.
    pub(super) name: usize,
    /// Where the value begins; it may be empty.
    pub(super) value: usize,
}

/// The first place in `text` where a secret is assigned.
pub(super) fn find_assigned_secret(text: &str) -> Option<Assignment> {
    text.match_indices(['=', ':']).find_map(|(at, _)| {
        let before = text
            .get(..at)?
            .trim_end_matches([' ', '"', '\'', ']', '\\']);
        let name = before.len()
            - before
                .chars()
                .rev()
                .take_while(|c| names::is_name_character(*c))
                .map(char::len_utf8)
                .sum::<usize>();
        let rest = text.get(at..)?;
        if rest.starts_with("://") || !is_secret_name(before.get(name..)?) {
            return None;
        }
        let value = text.len() - rest.trim_start_matches(['=', ':', '>', ' ']).len();
        Some(Assignment { name, value })
    })
}

/// Whether a name, with dashes if it is a flag's, says that its value is a secret; of dotted names also the parts before the last.
fn is_secret_name(name: &str) -> bool {
    let flag = name.starts_with('-') && names::is_secret_flag(name.trim_start_matches('-'));
    let inside = || name.split('.').rev().skip(1).any(names::holds_secrets);
    flag || names::is_secret(name) || inside()
}

fn quoted(text: &str, depth: usize) -> Option<Cover> {
    let inner = ['"', '\''].into_iter().find_map(|quote| {
        text.strip_prefix(quote)?
            .strip_suffix(quote)
            .filter(|inner| !inner.contains(quote))
    })?;
    Some(judge(inner, depth).moved(1))
}

/// JSON, or what looks like it, by itself or behind a name (`--config={…}`) that says nothing.
fn structured(text: &str, depth: usize) -> Option<Cover> {
    let named = text.len() - text.trim_start_matches(names::is_name_character).len();
    let value = if text.get(named..)?.starts_with(['=', ':']) {
        named + 1
    } else {
        0
    };
    let value_text = text.get(value..)?;
    let reference = references::find(value_text)
        .first()
        .is_some_and(|reference| reference.span.start == 0);
    if !value_text.trim_start().starts_with(['{', '['])
        || reference
        || (value > 0 && is_secret_name(text.get(..named)?))
    {
        return None;
    }
    let mut cover = loose::structured(value_text, depth).moved(value);
    cover.add(leaf(text.get(..named.min(value))?), 0);
    Some(cover)
}

/// What follows a secret's name is hidden to the end of the text: a separator may belong to it.
fn assigned_secret(text: &str, depth: usize) -> Option<Cover> {
    let found = find_assigned_secret(text).filter(|found| {
        !text
            .get(..found.name)
            .is_some_and(|before| before.contains("://"))
    })?;
    // Behind other words, the shell's quotes say where the value ends.
    if found.name > 0 && text.contains(char::is_whitespace) {
        return None;
    }
    let mut cover = hide(text.get(found.value..)?).moved(found.value);
    cover.add(judge(text.get(..found.name)?, depth), 0);
    Some(cover)
}

/// Text with blanks is read as a shell would.
pub(super) fn phrase(text: &str, depth: usize) -> Option<Cover> {
    if !text.contains(char::is_whitespace) {
        return None;
    }
    let words = shell::split(text);
    let texts: Vec<&str> = words.iter().map(super::decoded::Decoded::text).collect();
    let mut cover = Cover::none();
    for (word, part) in words.iter().zip(arguments::judge(&texts, depth)) {
        cover.add(part.through(word), 0);
    }
    Some(cover)
}

/// An address, with what may stand before its scheme.
fn address(text: &str, depth: usize) -> Option<Cover> {
    // Most words are none, and all that follows looks for a colon first.
    if !text.contains(':') {
        return None;
    }
    if let Some(cover) = url::judge_with_scheme(text) {
        return Some(cover);
    }
    if text
        .get(..5)
        .is_some_and(|lead| lead.eq_ignore_ascii_case("data:"))
    {
        let comma = text.find(',')?;
        return Some(Cover::of(Span::new(comma + 1, text.len())));
    }
    let slashes = text.find("://")?;
    let before = text.get(..slashes)?;
    let scheme = before
        .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-'))
        .len();
    let mut cover = url::judge_with_scheme(text.get(scheme..)?)?.moved(scheme);
    cover.add(judge(text.get(..scheme)?, depth), 0);
    Some(cover)
}

/// `user:password@host` without a scheme.
fn user_at_host(text: &str) -> Option<Cover> {
    let at = text.rfind('@')?;
    let (before, host) = (text.get(..at)?, text.get(at + 1..)?);
    let (user, password) = before.split_once(':')?;
    let host_like =
        host.starts_with(|c: char| c.is_alphanumeric() || c == '[') && !detect::is_version(host);
    let apart = !user.is_empty() && !password.is_empty() && !user.contains(['/', '=']);
    (host_like && apart).then(|| {
        let mut cover = Cover::of(Span::new(0, user.len()));
        cover.hide(Span::new(user.len() + 1, at));
        cover
    })
}

/// `name=value` and `name:value` where the name says nothing.
fn assigned(text: &str, depth: usize) -> Option<Cover> {
    let dashes = text.len() - text.trim_start_matches('-').len();
    let rest = text.get(dashes..)?;
    let name = dashes + rest.len() - rest.trim_start_matches(names::is_name_character).len();
    let value = name + 1;
    let drive = name == 1 && text.get(value..)?.starts_with(['\\', '/']);
    if name == dashes
        || drive
        || !text.get(name..)?.starts_with(['=', ':'])
        || detect::is_package(text)
    {
        return None;
    }
    let (name, value_text) = (text.get(..name)?, text.get(value..)?);
    let mut cover = judge(value_text, depth).moved(value);
    cover.add(leaf(name), 0);
    // Both may be harmless by themselves and a password together.
    let clear = detect::is_plain_compound(name)
        && (dashes > 0 || names::is_variable(name) || is_plain_value(value_text));
    if cover.is_empty() && !clear && detect::is_random(text) && references::find(text).is_empty() {
        return Some(Cover::all(text));
    }
    Some(cover)
}

fn is_plain_value(value: &str) -> bool {
    let number = value
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'));
    number
        || detect::is_plain_compound(value)
        || detect::is_version(value)
        || detect::is_path(value)
}

/// `a,b;c`: each by itself.
fn list(text: &str, depth: usize) -> Option<Cover> {
    const SEPARATORS: [char; 4] = [',', ';', '|', '&'];
    if !text.contains(SEPARATORS) {
        return None;
    }
    let mut cover = Cover::none();
    let mut at = 0;
    for item in text.split(SEPARATORS) {
        cover.add(judge(item, depth), at);
        at += item.len() + 1;
    }
    let random = detect::is_random(text) && !detect::is_plain_compound(text);
    Some(if cover.is_empty() && random {
        Cover::all(text)
    } else {
        cover
    })
}

/// A word without parts.
fn leaf(text: &str) -> Cover {
    let mut cover = Cover::none();
    if let Some(at) = detect::find_known_key(text) {
        cover.hide(Span::new(at, text.len()));
    }
    let is_flag = || text.starts_with('-') && detect::is_plain_compound(text);
    let mut hide_secret = |literal: Span| {
        let part = literal.of(text);
        if detect::is_secret(part) && !detect::is_package(part) && !is_flag() {
            cover.hide(literal);
        }
    };
    if !text.as_bytes().contains(&b'{') {
        hide_secret(Span::new(0, text.len()));
        return cover;
    }
    references::literals(text).into_iter().for_each(hide_secret);
    for reference in references::find(text) {
        let Some(fallback) = reference.fallback else {
            continue;
        };
        let name = Span::new(reference.span.start, fallback.start).of(text);
        let name = name.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        if names::is_secret(name) || is_mixed(fallback.of(text)) {
            cover.hide(fallback);
        }
    }
    cover
}

/// Whether a fallback mixes letters and digits as a password does and no name of a region, a version or a path.
fn is_mixed(fallback: &str) -> bool {
    let letters = |part: &str| part.chars().any(char::is_alphabetic);
    let digits = |part: &str| part.chars().any(|c| c.is_ascii_digit());
    let mixed = fallback
        .split(['-', '_', '.', ':'])
        .any(|part| letters(part) && digits(part));
    mixed
        && !detect::is_version(fallback)
        && !detect::is_package(fallback)
        && !detect::is_path(fallback)
        && references::find(fallback).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_without_joints_has_no_parts() {
        for byte in (0..=0x7f_u8).chain([0xa0]) {
            let c = char::from(byte);
            let text = format!("{c}ab{c}{c}cd{c}");
            let readings: [fn(&str) -> Option<Cover>; 8] = [
                |text| quoted(text, DEPTH),
                |text| structured(text, DEPTH),
                |text| assigned_secret(text, DEPTH),
                |text| phrase(text, DEPTH),
                |text| address(text, DEPTH),
                user_at_host,
                |text| assigned(text, DEPTH),
                |text| list(text, DEPTH),
            ];
            let read = readings.iter().any(|reading| reading(&text).is_some());
            assert!(has_joints(&text) || !read, "{text:?}");
        }
    }
}
