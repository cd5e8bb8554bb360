//! The last writer.
//!
//! **What is found.** The text is searched as it is and with its escapes undone: backslashes (JSON, TOML, Rust, Python, a shell), percent
//! signs (also of forms), `'\''`, character references of HTML and Markdown, also on top of each other. So it does not matter
//! which characters a writer chose to escape, or in which case it writes hexadecimal digits. Whatever may be base64 is decoded too, from each
//! of the four characters that a group of four can begin with.
//!
//! **What is learnt.** Secrets of eight bytes and more: shorter ones would be found in unrelated text. Not references to variables and
//! placeholders, which are no secrets, and not paths of files, which messages need. Of a longer secret also the parts that a server may
//! print alone: what follows `Bearer`, values of a query, user and password of an address.
//!
//! **What is spared.** Texts that identify things (names of servers, paths of the run, words of the output) are given to
//! [`Scrubber::spare`]: a secret that equals one or is part of one is no longer looked for, for `•••` in their place would make the output
//! useless while the secret is public anyway.

use std::borrow::{Borrow, Cow};
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::OnceLock;

use super::cover::Cover;
use super::decoded::{Decoded, base64_runs, decode_base64};
use super::needles::{Needles, SHORTEST};
use super::shown::visible;
use super::{arguments, detect, names, references, url, word};
use crate::{Masked, Secret, Span};

/// Of longer secrets parts of this size are looked for.
const CHUNK: usize = 128;
/// Nor are longer ones, which no output holds: they would cost memory.
const LONGEST: usize = 64 * 1024;
/// Texts are searched in windows of this size, which have this much in common.
const WINDOW: usize = 64 * 1024;
const OVERLAP: usize = 8 * 1024;
/// How many escapings of different kinds on top of each other are undone. Backslashes do not count: each time there are fewer.
const LAYERS: usize = 2;

/// Takes every secret the run knows out of text that is about to be written, in raw, JSON-, URL-, shell-, HTML-escaped and base64 form.
#[derive(Default)]
pub struct Scrubber {
    known: BTreeSet<Secret>,
    spared: BTreeSet<String>,
    search: OnceLock<Option<Search>>,
}

impl Scrubber {
    /// Learns a secret: what may be learnt of it, see the module's documentation.
    pub fn learn(&mut self, secret: impl Borrow<Secret>) {
        let text = secret.borrow().expose();
        if text.len() < SHORTEST {
            return;
        }
        self.search = OnceLock::new();
        for part in parts(text) {
            self.known.insert(Secret::new(part));
        }
        if is_worth_learning(text) {
            self.known.insert(secret.borrow().clone());
        }
    }

    /// Learns what masking hides of a command line.
    pub fn learn_command_line<'s>(&mut self, words: impl IntoIterator<Item = &'s Secret>) {
        let texts: Vec<&str> = words.into_iter().map(Secret::expose).collect();
        let covers = arguments::judge(&texts, word::DEPTH);
        for (text, cover) in texts.into_iter().zip(covers) {
            self.learn_covered(text, &cover);
        }
    }

    /// Learns what masking hides of an address.
    pub fn learn_url(&mut self, url: &Secret) {
        self.learn_covered(url.expose(), &url::judge(url.expose()));
    }

    /// Learns what masking hides of a text of unknown meaning.
    pub fn learn_word(&mut self, word: &Secret) {
        self.learn_covered(word.expose(), &word::judge(word.expose(), word::DEPTH));
    }

    fn learn_covered(&mut self, text: &str, cover: &Cover) {
        if !cover.is_empty() {
            let hidden = cover.secrets(text);
            hidden.into_iter().for_each(|secret| self.learn(secret));
        }
    }

    /// Learns the value of the variable called `name`, which may as well be a setting: unless the name says that it is a secret, a plain
    /// word, a version, a path or a flag is not looked for, and of an address only what masking hides.
    pub fn learn_variable(&mut self, name: &str, value: &Secret) {
        let text = value.expose();
        let plain = detect::is_plain_compound(text)
            || detect::is_version(text)
            || detect::is_package(text)
            || detect::is_path(text)
            || text.starts_with('-')
            || text.contains("://");
        if names::is_secret(name) || !plain {
            self.learn(value);
        } else {
            self.learn_word(value);
        }
    }

    /// Learns the value of the variable called `name` that a process merely inherits: all of it where the name says that it is a secret,
    /// else what looks like one.
    pub fn learn_inherited(&mut self, name: &str, value: &Secret) {
        if names::is_secret(name) {
            self.learn(value);
        } else {
            self.learn_word(value);
        }
    }

    /// Whether there is nothing to look for.
    pub fn knows_nothing(&self) -> bool {
        self.known.is_empty()
    }

    /// Leaves `text` and every part of it alone: a name, a path, a word of the output.
    pub fn spare(&mut self, text: impl Into<String>) {
        self.search = OnceLock::new();
        self.spared.insert(text.into());
    }

    /// `text` without the secrets.
    pub fn scrub<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some(search) = self.search() else {
            return Cow::Borrowed(text);
        };
        let mut cover = Cover::none();
        let mut buffer = Vec::new();
        for window in windows(text) {
            let part = window.of(text);
            if !search.is_clean(part, &mut buffer) {
                let mut found = Cover::none();
                search.text(&Decoded::plain(part, window.start), &mut found);
                cover.add(found, 0);
            }
        }
        cover.redact(text)
    }

    /// The JSON document `text` without the secrets in its string values. It stays the same document otherwise: keys are not touched, and
    /// of an escape sequence never a part is replaced.
    pub fn scrub_json<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some(search) = self.search() else {
            return Cow::Borrowed(text);
        };
        let mut cover = Cover::none();
        // The same few paths and words stand in an answer over and over.
        let mut clean = HashSet::new();
        let mut buffer = Vec::new();
        for value in json_values(text) {
            let written = value.of(text);
            // No form of a secret is shorter than the secret.
            if written.len() < SHORTEST || clean.contains(written) {
                continue;
            }
            if search.is_clean(written, &mut buffer) {
                clean.insert(written);
                continue;
            }
            let mut found = Cover::none();
            let decoded = Decoded::plain(written, value.start);
            if written.contains('\\') {
                search.text(&decoded.backslashes(), &mut found);
            } else {
                search.text(&decoded, &mut found);
            }
            if found.is_empty() {
                clean.insert(written);
            }
            cover.add(found, 0);
        }
        cover.redact(text)
    }

    fn search(&self) -> Option<&Search> {
        self.search
            .get_or_init(|| Search::new(&self.known, &self.spared))
            .as_ref()
    }
}

/// Shows how many secrets are known, not which.
impl fmt::Debug for Scrubber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scrubber")
            .field("known", &self.known.len())
            .finish_non_exhaustive()
    }
}

/// `text` in windows that overlap: to undo escapings takes many times the memory of what they are undone in, and no secret, however
/// escaped, is longer than what two windows share.
fn windows(text: &str) -> impl Iterator<Item = Span> {
    let boundary = |at: usize| {
        let mut places = (0..=at.min(text.len())).rev();
        places.find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    };
    let last = text.len().saturating_sub(OVERLAP).max(1);
    let starts = (0..last).step_by(WINDOW - OVERLAP);
    starts.map(move |start| Span::new(boundary(start), boundary(start + WINDOW)))
}

/// `secret` in pieces that are looked for: itself, or of a long one parts of at most [`CHUNK`] bytes, the last two of which overlap. The time
/// to look at one place of a text can grow with the square of a pattern's length.
fn chunks(secret: &str) -> impl Iterator<Item = &str> {
    let last = secret.len().saturating_sub(CHUNK);
    let starts = (0..last).step_by(CHUNK).chain([last]);
    let boundary = |at: usize| {
        (0..=at)
            .rev()
            .find(|at| secret.is_char_boundary(*at))
            .unwrap_or(0)
    };
    let chunk = move |start: usize| {
        secret
            .get(boundary(start)..boundary(start + CHUNK).max(start))
            .unwrap_or_default()
    };
    let whole = secret.len() <= CHUNK;
    // A row of blanks or dashes inside a long secret is found everywhere.
    let is_telling = move |chunk: &&str| {
        whole || chunk.chars().filter(|c| c.is_alphanumeric()).count() >= SHORTEST
    };
    starts.map(chunk).filter(is_telling)
}

/// The search for all forms of the secrets that are not spared.
struct Search {
    needles: Needles,
    /// For each needle, whether it is part of a text to spare.
    public: Vec<bool>,
}

impl Search {
    /// `None` where there is nothing to look for.
    fn new(known: &BTreeSet<Secret>, spared: &BTreeSet<String>) -> Option<Search> {
        let mut needles = BTreeSet::new();
        for secret in known.iter().map(Secret::expose) {
            needles.extend(chunks(secret).map(Cow::Borrowed));
            // `Shown` leaves backslashes as they are, so what it makes of a text with control characters is no proper escaping.
            let shown = visible(secret);
            if shown != secret {
                needles.extend(chunks(&shown).map(|chunk| Cow::Owned(chunk.to_owned())));
            }
        }
        if needles.is_empty() {
            return None;
        }
        let needles = Needles::new(needles.into_iter().map(Cow::into_owned).collect());
        // One pass for all needles: to look for each by itself would take the square of their number.
        let mut public = vec![false; needles.len()];
        for (needle, _) in spared.iter().flat_map(|text| needles.find(text.as_bytes())) {
            if let Some(public) = public.get_mut(needle) {
                *public = true;
            }
        }
        let all = public.iter().all(|public| *public);
        (!all).then_some(Search { needles, public })
    }

    /// Where in `bytes` secrets stand, overlapping ones too: where two secrets overlap, no rest of either stays.
    fn find<'h>(&'h self, bytes: &'h [u8]) -> impl Iterator<Item = Span> + 'h {
        let found = self.needles.find(bytes);
        let secret = |needle| self.public.get(needle) == Some(&false);
        found.filter_map(move |(needle, span)| secret(needle).then_some(span))
    }

    /// Whether [`Search::text`] would find nothing in `text`, told without the way back from what is decoded: most texts are clean.
    fn is_clean(&self, text: &str, decoded: &mut Vec<u8>) -> bool {
        let bytes = text.as_bytes();
        let mut in_base64 = |run: Span| {
            let run = run.of(text).as_bytes();
            (0..4).any(|offset| {
                decode_base64(run.get(offset..).unwrap_or_default(), decoded);
                self.find(decoded).next().is_some()
            })
        };
        !has_escapes(bytes)
            && self.find(bytes).next().is_none()
            && !base64_runs(bytes).any(&mut in_base64)
    }

    /// Searches `text` as it is, what may be base64 in it, and what its escapes mean.
    fn text(&self, text: &Decoded, cover: &mut Cover) {
        self.decoded(text, cover);
        for run in text.base64_runs() {
            // A group of four may begin anywhere.
            for offset in 0..4 {
                self.decoded(&text.base64(run, offset), cover);
            }
        }
        self.layers(text, LAYERS, cover);
    }

    fn decoded(&self, text: &Decoded, cover: &mut Cover) {
        for found in self.find(text.bytes()) {
            cover.hide(text.source(found));
        }
    }

    /// Searches `text` with one more escaping undone, and that again.
    fn layers(&self, text: &Decoded, layers: usize, cover: &mut Cover) {
        let bytes = text.bytes();
        if layers == 0 || !has_escapes(bytes) {
            return;
        }
        let has = |byte| bytes.contains(&byte);
        let mut undone = Vec::new();
        if has(b'\\') {
            undone.push((text.backslashes(), layers));
        }
        if has(b'%') {
            undone.push((text.percents(false), layers - 1));
        }
        if has(b'+') {
            undone.push((text.percents(true), layers - 1));
        }
        if has(b'\'') && (has(b'\\') || has(b'"')) {
            undone.push((text.shell_quotes(), layers - 1));
        }
        if has(b'&') {
            undone.push((text.entities(), layers - 1));
            undone.push((text.code_joints(false), layers - 1));
            undone.push((text.code_joints(true), layers - 1));
        }
        for (decoded, layers) in undone
            .iter()
            .filter(|(decoded, _)| decoded.bytes() != bytes)
        {
            self.decoded(decoded, cover);
            self.layers(decoded, *layers, cover);
        }
    }
}

fn has_escapes(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .any(|byte| matches!(byte, b'\\' | b'%' | b'+' | b'\'' | b'&'))
}

/// The contents of the string values in JSON text: strings that no colon follows. Tolerates text that is not JSON.
fn json_values(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut values = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, open) {
            (b'\\', Some(_)) => at += 1,
            (b'"', Some(start)) => {
                open = None;
                let key = bytes
                    .iter()
                    .skip(at + 1)
                    .find(|byte| !byte.is_ascii_whitespace())
                    == Some(&b':');
                if !key {
                    values.push(Span::new(start, at));
                }
            }
            (b'"', None) => open = Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    values.extend(open.map(|start| Span::new(start.min(text.len()), text.len())));
    values
}

/// Whether `text` is long enough to be found by itself, short enough to be printed at all, and no reference, placeholder or path.
fn is_worth_learning(text: &str) -> bool {
    (SHORTEST..=LONGEST).contains(&text.trim().len())
        && !references::is_only(text)
        && !references::is_placeholder(text)
        && !is_plain_path(text)
        && !text.contains(Masked::HIDDEN)
}

fn is_plain_path(text: &str) -> bool {
    let lead = ["/", "./", "../", "~/"]
        .into_iter()
        .find(|lead| text.starts_with(lead));
    let drive = || {
        text.get(1..3)
            .is_some_and(|drive| matches!(drive, ":\\" | ":/"))
            .then_some("C:\\")
    };
    let Some(rest) = lead.or_else(drive).and_then(|lead| text.get(lead.len()..)) else {
        return false;
    };
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '\\' | '.' | '-' | '_' | ' ' | '@');
    rest.chars().all(plain) && detect::find_known_key(rest).is_none() && !detect::is_random(rest)
}

/// The parts of a secret that may be printed without the rest of it.
fn parts(secret: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    if let Some((scheme, rest)) = secret.trim().split_once(' ')
        && names::is_scheme(scheme)
        && is_worth_learning(rest.trim())
    {
        parts.push(rest.trim());
    }
    if let Some((_, rest)) = secret.split_once("://") {
        let cover = word::judge(secret, word::DEPTH);
        let hidden = cover.spans().into_iter().map(|span| span.of(secret));
        parts.extend(hidden.filter(|part| is_telling(part)));
        let password = rest
            .rsplit_once('@')
            .and_then(|(user, _)| user.split_once(':'));
        parts.extend(
            password
                .map(|(_, password)| password)
                .filter(|password| is_worth_learning(password)),
        );
    }
    let pieces = secret.split(['&', ';', '=', ' ', ',', '"', '\'', '{', '}', '?', '#']);
    parts.extend(pieces.filter(|piece| piece.len() < secret.len() && is_telling(piece)));
    parts
}

/// A part is learnt only if it does not read like a word.
fn is_telling(part: &str) -> bool {
    let digits = || part.bytes().any(|byte| byte.is_ascii_digit());
    let letters = || part.chars().any(char::is_alphabetic);
    part.len() >= SHORTEST
        && digits()
        && letters()
        && is_worth_learning(part)
        && !detect::is_plain_compound(part)
        && !detect::is_version(part)
        && !part.contains("://")
}
