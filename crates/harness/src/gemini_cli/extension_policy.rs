//! Which extensions may be loaded at all: by where they were installed from.

use camino::Utf8Path;
use muster_core::{Dossier, Files, Objection, Reason, Scope, Status};
use muster_document::{Document, Place, Shown};

use super::extensions::DIALECT;
use super::rules;
use super::stop::Stop;

/// The settings that decide about extensions.
#[derive(Debug)]
pub(super) struct Policy {
    /// `security.allowedExtensions`, with its place.
    pub(super) allowed: Vec<String>,
    pub(super) allowed_place: Option<Place>,
    /// `security.blockGitExtensions`.
    pub(super) block_git: bool,
    pub(super) block_place: Option<Place>,
    /// `experimental.extensionConfig`: extensions have settings of their own.
    pub(super) own_settings: bool,
    /// The folder is trusted: its `.env` fills extensions' texts too.
    pub(super) trusted: bool,
}

/// What `.gemini-extension-install.json` says.
#[derive(Debug, Default)]
pub(super) struct Install {
    source: Option<String>,
    kind: Option<String>,
    /// The folder that the extension is read from, for one that is a link.
    pub(super) link: Option<String>,
}

impl Install {
    pub(super) fn read(dossier: &mut Dossier<'_>, folder: &Utf8Path) -> Install {
        let path = folder.join(".gemini-extension-install.json");
        if !dossier.world.files.is_file(&path) {
            return Install::default();
        }
        let loaded = dossier.load(&path, Scope::Extension, DIALECT, Files::LIMIT);
        let root = loaded.document().map(Document::root);
        let text = |key: &str| {
            root.and_then(|root| root.get(key)?.as_str())
                .map(str::to_owned)
        };
        let (source, kind) = (
            text("source").filter(|source| !source.is_empty()),
            text("type"),
        );
        Install {
            link: source.clone().filter(|_| kind.as_deref() == Some("link")),
            source,
            kind,
        }
    }
}

impl Install {
    /// Why an extension with this install file is skipped: one from git must have a source that Gemini CLI can make a name of.
    /// Observed on 0.61.0.
    pub(super) fn complaint(&self) -> Option<String> {
        if !matches!(self.kind.as_deref(), Some("git" | "github-release")) {
            return None;
        }
        let Some(source) = &self.source else {
            return Some("its install file names no source".to_owned());
        };
        let words =
            "Invalid GitHub repository source. Expected \"owner/repo\" or a github repo uri";
        (github_parts(source)? != 2).then(|| words.to_owned())
    }
}

/// How many parts the path of `source` has, taken for an address of GitHub's; `None` for one of another host.
fn github_parts(source: &str) -> Option<usize> {
    let path = match source.strip_prefix("git@github.com:") {
        Some(path) => path,
        None if source.starts_with("git@") => return None,
        None => source,
    };
    let after_scheme = path.split_once("://").filter(|(scheme, _)| {
        scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    let path = match after_scheme
        .map(|(_, rest)| rest)
        .or_else(|| path.strip_prefix("//"))
    {
        Some(rest) => {
            let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
            let host = authority.rsplit('@').next().unwrap_or_default();
            if !host.eq_ignore_ascii_case("github.com") {
                return None;
            }
            path
        }
        None => path,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts = muster_core::normalize(Utf8Path::new(&format!("/{path}")));
    Some(parts.components().count().saturating_sub(1))
}

impl Policy {
    /// Why the administrator's or the user's settings keep an extension out.
    pub(super) fn refusal(
        &self,
        dossier: &Dossier<'_>,
        folder: &Utf8Path,
        install: &Install,
        stop: &mut Option<Stop>,
    ) -> Option<Objection> {
        let blocked = |text: String, place: &Option<Place>, remedy: &str| {
            let reason = Reason::new(&rules::EXTENSION_POLICY, "extension", text, place.clone());
            Some(
                Objection::new(Status::Off, "its extension is not allowed", reason)
                    .with_remedy(remedy),
            )
        };
        if self.allowed.is_empty() {
            let remote = matches!(install.kind.as_deref(), Some("git" | "github-release"));
            if !(remote && self.block_git) {
                return None;
            }
            let text = format!(
                "Failed to load extension {}. Extensions from remote sources is disallowed by your current settings.",
                Shown(folder.as_str())
            );
            return blocked(
                text.trim_end_matches('.').to_owned(),
                &self.block_place,
                "set security.blockGitExtensions to false",
            );
        }
        let halt = |message: String| match &self.allowed_place {
            Some(place) => Stop::at(
                dossier.world,
                &rules::EXTENSION_POLICY,
                message,
                place.clone(),
            ),
            None => Stop::new(
                &rules::EXTENSION_POLICY,
                message,
                "correct security.allowedExtensions",
            ),
        };
        let Some(source) = &install.source else {
            let message = format!(
                "Failed to load extension {}. The .gemini-extension-install.json file is missing or misconfigured.",
                Shown(folder.as_str())
            );
            stop.get_or_insert_with(|| halt(message.trim_end_matches('.').to_owned()));
            return None;
        };
        // The real program takes the source for a path, whatever it is: `https://ok/x` is looked for below the session folder.
        let path = muster_core::absolute(source, &dossier.world.cwd);
        let real = dossier.world.files.real_path(&path).unwrap_or(path);
        for pattern in &self.allowed {
            match regex_lite::Regex::new(pattern) {
                Ok(regex) if regex.is_match(real.as_str()) => return None,
                Ok(_) => {}
                Err(_) => {
                    let message = "Invalid regex pattern in allowedExtensions setting";
                    stop.get_or_insert_with(|| halt(message.to_owned()));
                    return None;
                }
            }
        }
        let text = format!(
            "Failed to load extension {}. This extension is not allowed by the \"allowedExtensions\" security setting; its source counts as {}",
            Shown(folder.as_str()),
            Shown(real.as_str())
        );
        blocked(
            text,
            &self.allowed_place,
            "add a pattern for that path to security.allowedExtensions",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_on_github() {
        for (source, expected) in [
            ("owner/repo", Some(2)),
            ("https://github.com/owner/repo.git", Some(2)),
            ("git@github.com:owner/repo.git", Some(2)),
            ("ssh://git@github.com/owner/repo", Some(2)),
            ("/home/me/src/my", Some(4)),
            ("owner/../x", Some(1)),
            ("https://example.org/x", None),
            ("git@example.org:x", None),
        ] {
            assert_eq!(github_parts(source), expected, "{source}");
        }
    }
}
