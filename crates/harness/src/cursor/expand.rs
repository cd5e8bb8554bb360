//! `${env:NAME}` and Cursor's own variables in entries.

use camino::Utf8Path;
use muster_core::{Entry, Environment, Platform, World};

/// How long a text may grow by its variables, in bytes: a file may name a long one a hundred thousand times.
const LONGEST: usize = 1 << 20;

/// The variables that expansion sees.
#[derive(Debug, Clone)]
pub(super) struct Variables<'w> {
    env: &'w Environment,
    home: Option<&'w Utf8Path>,
    /// What `${workspaceFolder}` means; `None` where that is not known: outside the project's file.
    workspace: Option<&'w Utf8Path>,
    separator: &'static str,
}

/// What was met while a text was expanded.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Met {
    /// Variables that are not set, each once.
    pub(super) unset: Vec<String>,
    /// `${workspaceFolder}`, or its base name, where it is not known what they mean.
    pub(super) workspace: bool,
}

impl<'w> Variables<'w> {
    /// The variables of `world`, for a file of the project root `workspace` if there is one.
    pub(super) fn of(world: &'w World<'_>, workspace: Option<&'w Utf8Path>) -> Variables<'w> {
        Variables {
            env: &world.env,
            home: world.home.as_deref(),
            workspace,
            separator: match world.platform {
                Platform::Windows => "\\",
                Platform::Linux | Platform::MacOs => "/",
            },
        }
    }

    /// `text` with its variables filled in; what is not known stays as written.
    pub(super) fn expand(&self, text: &str, met: &mut Met) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest
            .split_once("${")
            .filter(|_| out.len() < LONGEST.max(text.len()))
        {
            out.push_str(before);
            // A name is short; the limit keeps a row of openings from costing the square of its length.
            let close = after.bytes().take(256).position(|byte| byte == b'}');
            let reference =
                close.and_then(|close| Some((after.get(..close)?, after.get(close + 1..)?)));
            match reference.and_then(|(name, tail)| Some((self.value(name, met)?, tail))) {
                Some((value, tail)) => {
                    out.push_str(&value);
                    rest = tail;
                }
                None => {
                    out.push_str("${");
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        out
    }

    fn value(&self, name: &str, met: &mut Met) -> Option<String> {
        if let Some(variable) = name.strip_prefix("env:") {
            let value = self.env.get(variable);
            if value.is_none() && !met.unset.iter().any(|known| known == variable) {
                met.unset.push(variable.to_owned());
            }
            return value.map(str::to_owned);
        }
        match name {
            "userHome" => self.home.map(|home| home.to_string()),
            "pathSeparator" | "/" => Some(self.separator.to_owned()),
            "workspaceFolder" | "workspaceFolderBasename" => {
                met.workspace |= self.workspace.is_none();
                let folder = self.workspace?;
                Some(match name {
                    "workspaceFolder" => folder.to_string(),
                    _ => folder.file_name().unwrap_or_default().to_owned(),
                })
            }
            _ => None,
        }
    }

    /// What is met in the fields of `entry`: in those that say what is started or called, and in all.
    pub(super) fn met(&self, entry: &Entry) -> (Met, Met) {
        let mut start = Met::default();
        let words = entry.command.iter().chain(&entry.args).chain(&entry.url);
        for word in words {
            self.expand(word.value.expose(), &mut start);
        }
        let mut all = start.clone();
        for (_, value) in entry.env.iter().chain(&entry.headers) {
            self.expand(value.value.expose(), &mut all);
        }
        (start, all)
    }
}

#[cfg(test)]
mod tests {
    use muster_testkit::Stage;

    use super::*;

    #[test]
    fn what_is_known_is_filled_in_and_the_rest_stays() {
        let stage = Stage::new("").env("TOKEN", "t").env("EMPTY", "");
        let world = stage.world();
        let root = Utf8Path::new("/work/repo");
        let mut met = Met::default();
        let inside = Variables::of(&world, Some(root));
        for (text, expected) in [
            ("Bearer ${env:TOKEN}", "Bearer t"),
            ("${env:EMPTY}-${userHome}", "-/home/me"),
            ("${workspaceFolder}${/}a", "/work/repo/a"),
            ("${workspaceFolderBasename}${pathSeparator}", "repo/"),
            ("$TOKEN ${TOKEN} ${TOKEN:-x}", "$TOKEN ${TOKEN} ${TOKEN:-x}"),
            ("${env:TOKEN", "${env:TOKEN"),
            ("${${env:TOKEN}", "${t"),
        ] {
            assert_eq!(inside.expand(text, &mut met), expected);
        }
        assert_eq!(met, Met::default());
        assert_eq!(
            inside.expand("${env:NO}${env:NO}", &mut met),
            "${env:NO}${env:NO}"
        );
        assert_eq!(met.unset, ["NO"]);

        let outside = Variables::of(&world, None);
        assert_eq!(
            outside.expand("${workspaceFolder}", &mut met),
            "${workspaceFolder}"
        );
        assert!(met.workspace);
    }
}
