//! `.env` files: which one is read, and what it sets.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Environment, FileFault, FileReport, FileState, Giver, Scope};
use muster_document::Secret;

use super::ground::{FOLDER, Ground};

/// The largest `.env` that is read, in bytes.
const LIMIT: u64 = 1 << 20;

/// What a `.env` may set in a folder that is not trusted.
const IN_UNTRUSTED: [&str; 4] = [
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_LOCATION",
];

/// What decides about the `.env` of a session.
#[derive(Debug)]
pub(super) struct Conditions<'c> {
    /// The folder is trusted.
    pub(super) trusted: bool,
    /// `advanced.ignoreLocalEnv`, or `--ignore-env`: only the home's own `.env` counts.
    pub(super) home_only: bool,
    /// `advanced.excludedEnvVars`: names that a `.env` outside a `.gemini` does not set.
    pub(super) excluded: &'c [String],
}

/// A session's environment after the `.env` was read.
#[derive(Debug)]
pub(super) struct Loaded {
    /// All of it: the `.env` sets what is unset.
    pub(super) env: Environment,
    /// What the `.env` set.
    pub(super) set: Vec<(String, Secret)>,
    /// Who speaks by it: the user, where it is the home's own; else it may have come with a repository.
    pub(super) giver: Giver,
}

/// Reads the `.env` of a session. Observed on 0.61.0: settings are read before, extensions after.
pub(super) fn load(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    conditions: &Conditions<'_>,
) -> Loaded {
    let mut env = dossier.world.env.clone();
    let mut set = Vec::new();
    let mut giver = Giver::Settings;
    let Some(path) = find(dossier, ground, conditions) else {
        return Loaded { env, set, giver };
    };
    let folder = path.parent().unwrap_or(&path);
    if folder != ground.home && folder != ground.home.join(FOLDER) {
        giver = Giver::Repository;
    }
    let own = path.as_str().contains(FOLDER);
    for (name, value) in read(dossier, &path) {
        let allowed = conditions.trusted || IN_UNTRUSTED.contains(&name.as_str());
        let excluded = !own && conditions.excluded.contains(&name);
        if allowed && !excluded && env.get(&name).is_none() {
            env.set(&name, &value);
            set.push((name, Secret::new(value)));
        }
    }
    Loaded { env, set, giver }
}

/// The first of `<folder>/.gemini/.env` and `<folder>/.env` on the way up, at last those of the home.
fn find(
    dossier: &Dossier<'_>,
    ground: &Ground,
    conditions: &Conditions<'_>,
) -> Option<Utf8PathBuf> {
    let files = dossier.world.files;
    let there = |path: Utf8PathBuf| files.exists(&path).then_some(path);
    let own = |folder: &Utf8Path| {
        let path = folder.join(FOLDER).join(".env");
        conditions.trusted.then(|| there(path)).flatten()
    };
    let plain = |folder: &Utf8Path| {
        let counts = !conditions.home_only || folder == ground.home;
        counts.then(|| there(folder.join(".env"))).flatten()
    };
    ground
        .cwd
        .ancestors()
        .find_map(|folder| own(folder).or_else(|| plain(folder)))
        .or_else(|| own(&ground.home))
        .or_else(|| there(ground.home.join(".env")))
}

/// Reads the `.env` at `path` and enters it into the account.
pub(super) fn read(dossier: &mut Dossier<'_>, path: &Utf8Path) -> Vec<(String, String)> {
    let content = dossier.world.files.read(path, LIMIT);
    let (state, note) = match &content {
        Ok(_) => (
            FileState::Read,
            Some("it sets variables that are unset".to_owned()),
        ),
        Err(FileFault::Absent) => (FileState::Absent, None),
        Err(fault) => (FileState::Unreadable, Some(fault.to_string())),
    };
    if !dossier.files.iter().any(|report| report.path == path) {
        dossier.files.push(FileReport {
            path: path.to_owned(),
            scope: Scope::User,
            state,
            note,
            place: None,
        });
    }
    content
        .map(|bytes| parse(&String::from_utf8_lossy(&bytes)))
        .unwrap_or_default()
}

/// The assignments of a `.env` file, as `dotenv` reads them; of two with one name the last counts.
pub(super) fn parse(text: &str) -> Vec<(String, String)> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let Some((name, value, tail)) = assignment(rest, line) else {
            rest = after;
            continue;
        };
        let known = found.iter().position(|(known, _)| *known == name);
        match known.and_then(|at| found.get_mut(at)) {
            Some(slot) => slot.1 = value,
            None => found.push((name, value)),
        }
        rest = tail;
    }
    found
}

/// The assignment that `line` begins, with what follows it: a value in quotes may go on over lines.
fn assignment<'t>(text: &'t str, line: &'t str) -> Option<(String, String, &'t str)> {
    let start = line.trim_start();
    let start = match start.strip_prefix("export") {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => start,
    };
    let length = start
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
        .count();
    let (name, rest) = start.split_at_checked(length)?;
    let value = match rest.trim_start().strip_prefix('=') {
        Some(value) => value,
        None => rest
            .strip_prefix(':')
            .filter(|value| value.starts_with(char::is_whitespace))?,
    };
    if name.is_empty() {
        return None;
    }
    let whole = text.get(line.len() - value.len()..)?;
    let (value, tail) = quoted(whole).unwrap_or_else(|| {
        let (value, tail) = whole.split_once('\n').unwrap_or((whole, ""));
        let value = value.split('#').next().unwrap_or_default();
        (unquote(value.trim()), tail)
    });
    Some((name.to_owned(), value, tail))
}

/// A value in quotes that are closed, after which nothing but a comment stands on the line.
fn quoted(text: &str) -> Option<(String, &str)> {
    let start = text.trim_start_matches([' ', '\t']);
    let quote = start
        .chars()
        .next()
        .filter(|first| matches!(first, '\'' | '"' | '`'))?;
    let inner = start.get(1..)?;
    let mut escaped = false;
    let end = inner.char_indices().find_map(|(at, c)| {
        let closes = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        closes.then_some(at)
    })?;
    let value = inner.get(..end)?;
    let after = inner.get(end + 1..)?;
    let (line, tail) = after.split_once('\n').unwrap_or((after, ""));
    let rest = line.trim();
    if !rest.is_empty() && !rest.starts_with('#') {
        return None;
    }
    let value = match quote {
        '"' => value.replace("\\n", "\n").replace("\\r", "\r"),
        _ => value.to_owned(),
    };
    Some((value, tail))
}

/// A value without the quotes around it.
fn unquote(value: &str) -> String {
    let quote = value
        .chars()
        .next()
        .filter(|first| matches!(first, '\'' | '"' | '`'));
    let inner = quote.and_then(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
    match (quote, inner) {
        (Some('"'), inner) => {
            let inner = inner.unwrap_or(value);
            inner.replace("\\n", "\n").replace("\\r", "\r")
        }
        (_, inner) => inner.unwrap_or(value).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_dotenv() {
        let text = "A=1\r\nexport B = \"x y\" # c\nC='$A'\n# D=1\nE: yes\nF=a # b\nG=\"two\nlines\\n\"\nbad line\nA=2\nH=`x`\nI=\nJ='a'b\nK=a=b";
        let expected = [
            ("A", "2"),
            ("B", "x y"),
            ("C", "$A"),
            ("E", "yes"),
            ("F", "a"),
            ("G", "two\nlines\n"),
            ("H", "x"),
            ("I", ""),
            ("J", "'a'b"),
            ("K", "a=b"),
        ];
        let found = parse(text);
        let found: Vec<_> = found
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(found, expected);
    }
}
