//! Command lines: each word is judged by itself and by the flag before it.

use super::cover::Cover;
use super::{detect, loose, names, references, word};

/// A cover for each of `words`, the first of which is the program.
pub(super) fn judge(words: &[&str], depth: usize) -> Vec<Cover> {
    let mut line = Line {
        next: Next::Program,
        depth,
    };
    words.iter().map(|word| line.read(word)).collect()
}

/// The same for the words behind the program, which may be unknown.
pub(super) fn judge_rest(program: Option<&str>, words: &[&str], depth: usize) -> Vec<Cover> {
    let mut line = Line {
        next: Next::Any,
        depth,
    };
    if let Some(program) = program {
        line.next = Next::Program;
        line.read(program);
    }
    words.iter().map(|word| line.read(word)).collect()
}

/// What the words so far say about the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Variables for the program (`NAME=value`), then the program.
    Program,
    /// The package that `npx` and the like shall run.
    Package,
    /// Nothing.
    Any,
    /// It is a secret.
    Secret,
    /// It is a secret unless it reads like a word, a path or an address.
    Maybe,
    /// It is the secret of a header, whatever it reads like, or the scheme before it; then comes the rest.
    Credential,
    /// It and all up to the next flag are a header's secret value, but for an address, which is told of as one.
    Rest,
    /// It is a header.
    Header,
    /// It is `NAME=value`.
    Variable,
    /// It may be one more `NAME=value`.
    MoreVariables,
    /// It is `user:password`.
    User,
    /// It is a file or JSON: a string of JSON is neither.
    Json,
    /// It is an option of a shell, or the text behind `-c`.
    Shell,
    /// It is text for a shell.
    Script,
}

impl Next {
    /// `other` where this says nothing.
    fn or(self, other: Next) -> Next {
        if self == Next::Any { other } else { self }
    }
}

/// A command line under judgement.
struct Line {
    next: Next,
    depth: usize,
}

impl Line {
    fn read(&mut self, word: &str) -> Cover {
        let (cover, next) = self.step(word);
        self.next = next;
        cover
    }

    fn step(&self, word: &str) -> (Cover, Next) {
        match self.next {
            Next::Program => self.program(word),
            Next::Package => self.package(word),
            Next::Secret | Next::Credential | Next::Rest if is_plain_flag(word) => self.free(word),
            Next::Secret if names::is_scheme(word) => (Cover::none(), Next::Secret),
            Next::Secret => (word::hide(word), Next::Any),
            // `token = VALUE`
            Next::Maybe if !word.contains(char::is_alphanumeric) => (Cover::none(), Next::Secret),
            Next::Maybe if is_plain_flag(word) || is_harmless(word) => self.free(word),
            Next::Maybe => (word::hide(word), Next::Any),
            Next::Credential | Next::Rest if names::is_scheme(word) => {
                (Cover::none(), Next::Credential)
            }
            Next::Rest if word.contains("://") => self.free(word),
            Next::Credential | Next::Rest => (word::hide(word), Next::Rest),
            Next::Header if !is_plain_flag(word) => self.header(word),
            Next::Variable if !is_plain_flag(word) => self.variable(word),
            Next::MoreVariables => match variable_value(word) {
                Some(at) => (hide_from(word, at), Next::MoreVariables),
                None => self.free(word),
            },
            Next::User if !is_plain_flag(word) => self.user(word),
            Next::Json if word.trim_start().starts_with('"') => (word::hide(word), Next::Any),
            Next::Script => {
                let script = word::phrase(word, self.depth.saturating_sub(1));
                (
                    script.unwrap_or_else(|| word::judge(word, self.depth)),
                    Next::Any,
                )
            }
            Next::Shell => self.shell(word),
            Next::Json if !is_plain_flag(word) && !word.trim_start().starts_with(['{', '[']) => {
                (word::path(word, self.depth), Next::Any)
            }
            Next::Any | Next::Header | Next::Variable | Next::User | Next::Json => self.free(word),
        }
    }

    fn program(&self, word: &str) -> (Cover, Next) {
        const RUNNERS: &[&str] = &[
            "npx", "bunx", "pnpx", "uvx", "npm", "pnpm", "yarn", "bun", "uv", "pipx", "deno",
        ];
        const SHELLS: &[&str] = &[
            "sh",
            "bash",
            "zsh",
            "dash",
            "ksh",
            "fish",
            "cmd",
            "pwsh",
            "powershell",
        ];
        if let Some(at) = variable_value(word) {
            return (hide_from(word, at), Next::Program);
        }
        if word.starts_with('-') {
            let (cover, next) = self.free(word);
            return (cover, next.or(Next::Program));
        }
        let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = name
            .strip_suffix(".cmd")
            .or_else(|| name.strip_suffix(".exe"))
            .unwrap_or(name);
        let next = match name {
            "env" | "cross-env" | "export" | "set" | "sudo" | "exec" | "time" | "nohup" => {
                Next::Program
            }
            _ if RUNNERS.contains(&name) => Next::Package,
            _ if SHELLS.contains(&name) => Next::Shell,
            _ => Next::Any,
        };
        self.name(word, next)
    }

    /// `-c`, `-lc`, `/c`, `-Command` come before a script.
    fn shell(&self, word: &str) -> (Cover, Next) {
        let flag = word.to_ascii_lowercase();
        match flag.trim_start_matches(['-', '/']) {
            "command" => (Cover::none(), Next::Script),
            letters if letters.len() <= 3 && letters.ends_with('c') && flag != letters => {
                (Cover::none(), Next::Script)
            }
            _ if word.starts_with(['-', '/']) => {
                let (cover, next) = self.free(word);
                (cover, next.or(Next::Shell))
            }
            _ => self.free(word),
        }
    }

    fn package(&self, word: &str) -> (Cover, Next) {
        if word.starts_with('-') {
            let (cover, next) = self.free(word);
            return (cover, next.or(Next::Package));
        }
        let command = matches!(word, "run" | "exec" | "dlx" | "x" | "tool" | "tools");
        self.name(word, if command { Next::Package } else { Next::Any })
    }

    /// A program or a package: plain words in it are a name, however long it is.
    fn name(&self, word: &str, next: Next) -> (Cover, Next) {
        if detect::is_plain_compound(word) && !detect::is_known_key(word) && !names::is_scheme(word)
        {
            return (Cover::none(), next);
        }
        let (cover, then) = self.free(word);
        (cover, then.or(next))
    }

    /// A word that nothing before it says anything about.
    fn free(&self, word: &str) -> (Cover, Next) {
        if let Some(flag) = Flag::read(word) {
            return self.flag(word, flag);
        }
        if names::is_scheme(word) {
            return (Cover::none(), Next::Secret);
        }
        if names::may_announce(word) {
            return (Cover::none(), Next::Maybe);
        }
        match word::find_assigned_secret(word) {
            Some(found) if found.name == 0 && found.value == word.len() => {
                (Cover::none(), Next::Rest)
            }
            _ => (word::judge(word, self.depth), Next::Any),
        }
    }

    fn flag(&self, word: &str, flag: Flag<'_>) -> (Cover, Next) {
        let next = if names::is_secret_flag(flag.name) {
            Next::Secret
        } else if names::takes_header(flag.name) {
            Next::Header
        } else if names::takes_variable(flag.name) {
            Next::Variable
        } else if names::takes_user(flag.name) {
            Next::User
        } else if names::takes_json(flag.name) {
            Next::Json
        } else {
            return (word::judge(word, self.depth), Next::Any);
        };
        let Some(at) = flag.value else {
            return (Cover::none(), next);
        };
        let value = word.get(at..).unwrap_or_default();
        let line = Line {
            next,
            depth: self.depth,
        };
        let (cover, next) = if next == Next::Secret {
            (word::hide(value), Next::Any)
        } else {
            line.step(value)
        };
        (cover.moved(at), next)
    }

    /// `Name: value`; of a header without a colon all is hidden, for nobody knows what it is.
    fn header(&self, word: &str) -> (Cover, Next) {
        if word.trim_start().starts_with('{') {
            return (loose::structured_secrets(word, self.depth), Next::Any);
        }
        let name = word.len() - word.trim_start_matches(names::is_name_character).len();
        let rest = word.get(name..).unwrap_or_default().trim_start();
        if name == 0 || !rest.starts_with([':', '=']) {
            let is_name = names::is_secret(word) && detect::is_plain_compound(word);
            return if is_name {
                (Cover::none(), Next::Credential)
            } else {
                (word::hide(word), Next::Any)
            };
        }
        let value = rest.trim_start_matches([':', '=', ' ']);
        match value {
            "" => (Cover::none(), Next::Credential),
            _ if names::is_scheme(value) => (Cover::none(), Next::Secret),
            _ => (word::hide(value).moved(word.len() - value.len()), Next::Any),
        }
    }

    /// `NAME=value`, or a name whose value comes from the environment.
    fn variable(&self, word: &str) -> (Cover, Next) {
        if word.trim_start().starts_with('{') {
            return (loose::structured_secrets(word, self.depth), Next::Any);
        }
        let name = word.len() - word.trim_start_matches(names::is_name_character).len();
        if name > 0 && word.get(name..).unwrap_or_default().starts_with('=') {
            return (hide_from(word, name + 1), Next::MoreVariables);
        }
        self.free(word)
    }

    /// `user:password`; numbers are a user and a group.
    fn user(&self, word: &str) -> (Cover, Next) {
        let numbers = word.chars().all(|c| c.is_ascii_digit() || c == ':');
        let drive = word.get(1..3) == Some(":\\");
        match word.find(':') {
            Some(colon) if !numbers && !drive && !word.contains("://") => {
                (hide_from(word, colon + 1), Next::Any)
            }
            _ => self.free(word),
        }
    }
}

/// `-n`, `--name`, `--name=value`, `--name:value`, `-HName: value`, `-eNAME=value`.
#[derive(Clone, Copy)]
struct Flag<'w> {
    /// Without dashes.
    name: &'w str,
    /// Where the value begins, if the same word holds it.
    value: Option<usize>,
}

impl<'w> Flag<'w> {
    fn read(word: &'w str) -> Option<Flag<'w>> {
        let dashes = word.len() - word.trim_start_matches('-').len();
        let rest = word.get(dashes..).filter(|_| dashes > 0)?;
        let glued = |letter| {
            rest.strip_prefix(letter)
                .filter(|_| dashes == 1 && rest.len() > 1)
        };
        if glued("H").is_some_and(|header| header.contains(':'))
            || glued("e").is_some_and(|rest| variable_value(rest).is_some())
        {
            let equals = usize::from(rest.get(1..)?.starts_with('='));
            return Some(Flag {
                name: rest.get(..1)?,
                value: Some(dashes + 1 + equals),
            });
        }
        let name = rest.len() - rest.trim_start_matches(names::is_name_character).len();
        let after = rest.get(name..)?;
        let value = after.starts_with(['=', ':']).then_some(dashes + name + 1);
        (name > 0 && (after.is_empty() || value.is_some())).then_some(Flag {
            name: rest.get(..name)?,
            value,
        })
    }
}

/// Whether a word where a value is expected is surely the next flag. A secret may begin with a dash, too.
fn is_plain_flag(word: &str) -> bool {
    let long = word
        .strip_prefix("--")
        .map(|name| name.split_once('=').map_or(name, |(name, _)| name));
    let lower = |name: &str| {
        name.len() > 1
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && detect::is_plain_compound(name)
    };
    long.is_some_and(lower)
        || (word.len() == 2
            && word.starts_with('-')
            && word.ends_with(|c: char| c.is_ascii_alphabetic()))
}

/// Whether a word behind `token` and the like is rather a command, a path or an address.
fn is_harmless(word: &str) -> bool {
    let plain = word
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    plain || word.contains("://") || detect::is_path(word)
}

/// Where the value of `NAME=value` begins, the name spelled as variables are.
fn variable_value(word: &str) -> Option<usize> {
    let (name, _) = word.split_once('=')?;
    names::is_variable(name).then_some(name.len() + 1)
}

fn hide_from(word: &str, at: usize) -> Cover {
    let value = word.get(at..).unwrap_or_default();
    let cover = if references::is_placeholder(value) {
        Cover::none()
    } else {
        word::hide(value)
    };
    cover.moved(at)
}
