//! Whether the session folder is trusted.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Dossier, Environment, Files, Loaded, Objection, Platform, Reason, Rule, Scope, Status, absolute,
};
use muster_document::{Document, Place, Shown};

use super::ground::Ground;
use super::settings;
use super::stop::Stop;
use super::{rules, schema, value::Js};

/// An answer to the question of trust.
#[derive(Debug, Clone)]
pub(super) struct Decision {
    /// Whether the folder is trusted.
    pub(super) trusted: bool,
    /// No rule speaks of the folder: a session with a person at it asks.
    pub(super) open: bool,
    /// Folder trust is switched off.
    pub(super) off: bool,
    rule: &'static Rule,
    /// Why, as a sentence.
    text: String,
    place: Option<Place>,
    remedy: Option<String>,
}

impl Decision {
    /// The answer where the file with the rules stops everything.
    pub(super) fn unknown() -> Decision {
        Decision {
            trusted: false,
            open: false,
            off: false,
            rule: &rules::TRUST_FILE,
            text: "the file with the trusted folders cannot be used".to_owned(),
            place: None,
            remedy: None,
        }
    }

    /// The answer as a link of a chain.
    pub(super) fn reason(&self) -> Reason {
        Reason::new(self.rule, "trust", self.text.clone(), self.place.clone())
    }

    /// What an untrusted folder means for every server.
    pub(super) fn objection(&self) -> Objection {
        let mut reason = self.reason();
        reason.text = format!("{}: no server of any layer starts here", reason.text);
        let objection = Objection::new(Status::Untrusted, "folder not trusted", reason);
        match &self.remedy {
            Some(remedy) => objection.with_remedy(remedy),
            None => objection,
        }
    }
}

/// The switch `security.folderTrust.enabled`, as one reading of the settings has it.
#[derive(Debug, Clone)]
pub(super) struct Switch {
    /// Whether folders need to be trusted.
    pub(super) on: bool,
    /// Where that is written.
    pub(super) place: Option<Place>,
}

/// The rules of `trustedFolders.json`.
#[derive(Debug)]
pub(super) struct TrustedFolders {
    path: Utf8PathBuf,
    /// Folders as the real program compares them, with the level and its place.
    rules: Vec<(Utf8PathBuf, Level, Place)>,
    /// Why the file stops Gemini CLI once it is asked.
    fault: Option<Stop>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Folder,
    Parent,
    Not,
}

impl Level {
    const WORDS: [(&'static str, Level); 3] = [
        ("TRUST_FOLDER", Level::Folder),
        ("TRUST_PARENT", Level::Parent),
        ("DO_NOT_TRUST", Level::Not),
    ];
}

impl TrustedFolders {
    /// Reads the file. Observed on 0.61.0: one bad level stops the program, wherever it is run.
    pub(super) fn read(dossier: &mut Dossier<'_>, ground: &Ground) -> TrustedFolders {
        let path = ground.trusted_folders.clone();
        let loaded = dossier.load(&path, Scope::User, settings::DIALECT, Files::LIMIT);
        let mut read = TrustedFolders {
            path,
            rules: Vec::new(),
            fault: None,
        };
        match loaded {
            Loaded::Absent => {}
            Loaded::Empty => {
                let message = format!(
                    "Error in {}: Unexpected end of JSON input",
                    Shown(read.path.as_str())
                );
                read.fault = Some(Stop::new(&rules::TRUST_FILE, message, read.remedy(dossier)));
            }
            Loaded::Skipped(fault) => {
                let message = format!("Error in {}: it {fault}", Shown(read.path.as_str()));
                read.fault = Some(Stop::new(&rules::TRUST_FILE, message, read.remedy(dossier)));
            }
            Loaded::Broken(_) => {
                if let Some(error) = loaded.error() {
                    let message = format!("Error in {}: {error}", Shown(read.path.as_str()));
                    read.fault = Some(Stop::at(
                        dossier.world,
                        &rules::TRUST_FILE,
                        message,
                        error.place.clone(),
                    ));
                }
            }
            Loaded::Document(_) => {
                if let Some(document) = loaded.document() {
                    read.take(dossier, ground, document);
                }
            }
        }
        read
    }

    fn remedy(&self, dossier: &Dossier<'_>) -> String {
        format!(
            "correct {}: Gemini CLI starts no server until then",
            Shown(&dossier.world.tilde(&self.path))
        )
    }

    fn take(&mut self, dossier: &Dossier<'_>, ground: &Ground, document: &Document) {
        let root = Js::read(document.root(), &schema::plain);
        let fault = |message: String, place: Place| {
            let message = format!("Error in {}: {message}", Shown(self.path.as_str()));
            Some(Stop::at(dossier.world, &rules::TRUST_FILE, message, place))
        };
        if !root.is_object() {
            let place = document.place(document.root().span);
            self.fault = fault(
                "Trusted folders file is not a valid JSON object.".to_owned(),
                place,
            );
            return;
        }
        for (key, value) in root.members() {
            let place = document.place(key.span);
            let level = Level::WORDS
                .iter()
                .find(|(word, _)| value.text() == Some(*word));
            match level {
                Some((_, level)) => {
                    let folder = normal(dossier.world.platform, &absolute(&key.text, &ground.cwd));
                    match self.rules.iter_mut().find(|(known, _, _)| *known == folder) {
                        Some(known) => *known = (folder, *level, place),
                        None => self.rules.push((folder, *level, place)),
                    }
                }
                None => {
                    let words: Vec<_> = Level::WORDS.iter().map(|(word, _)| *word).collect();
                    let message = format!(
                        "Invalid trust level for path \"{}\". Possible values are: {}.",
                        Shown(&key.text),
                        words.join(", ")
                    );
                    if self.fault.is_none() {
                        self.fault = fault(message, document.place(value.node.span));
                    }
                }
            }
        }
    }

    /// The rule for `location`: of those that cover it the one with the longest text, whatever it covers. Observed on 0.61.0.
    fn rule(
        &self,
        dossier: &Dossier<'_>,
        location: &Utf8Path,
    ) -> Option<&(Utf8PathBuf, Level, Place)> {
        let world = dossier.world;
        let real = |path: &Utf8Path| {
            let real = world
                .files
                .real_path(path)
                .unwrap_or_else(|| path.to_owned());
            normal(world.platform, &real)
        };
        let location = real(location);
        let covers = |(folder, level, _): &&(Utf8PathBuf, Level, Place)| {
            let covered = match level {
                Level::Parent => folder.parent().unwrap_or(folder),
                _ => folder,
            };
            location.starts_with(real(covered))
        };
        let mut best: Option<&(Utf8PathBuf, Level, Place)> = None;
        for rule in self.rules.iter().filter(covers) {
            let length =
                |rule: &(Utf8PathBuf, Level, Place)| rule.0.as_str().encode_utf16().count();
            if best.is_none_or(|best| length(rule) > length(best)) {
                best = Some(rule);
            }
        }
        best
    }
}

fn normal(platform: Platform, path: &Utf8Path) -> Utf8PathBuf {
    match platform {
        Platform::Linux => path.to_owned(),
        Platform::MacOs | Platform::Windows => Utf8PathBuf::from(path.as_str().to_lowercase()),
    }
}

/// Asks everything that decides about trust, in the real program's order.
///
/// # Errors
/// Where the file with the rules stops Gemini CLI.
pub(super) fn decide(
    dossier: &Dossier<'_>,
    ground: &Ground,
    env: &Environment,
    switch: &Switch,
    folders: &TrustedFolders,
) -> Result<Decision, Stop> {
    let world = dossier.world;
    let of_variable = |trusted: bool, text: &str, remedy: Option<&str>| Decision {
        trusted,
        open: false,
        off: !switch.on,
        rule: &rules::TRUST,
        text: text.to_owned(),
        place: None,
        remedy: remedy.map(str::to_owned),
    };
    if env.get("GEMINI_RESTRICTED_MODE") == Some("true") {
        let text = "GEMINI_RESTRICTED_MODE=true makes every folder untrusted";
        return Ok(of_variable(
            false,
            text,
            Some("unset GEMINI_RESTRICTED_MODE"),
        ));
    }
    match env.get("GEMINI_CLI_TRUST_WORKSPACE") {
        Some("false") => {
            let text = "GEMINI_CLI_TRUST_WORKSPACE=false makes this folder untrusted";
            return Ok(of_variable(
                false,
                text,
                Some("unset GEMINI_CLI_TRUST_WORKSPACE"),
            ));
        }
        Some("true") => {
            let text = "GEMINI_CLI_TRUST_WORKSPACE=true trusts this folder";
            return Ok(of_variable(true, text, None));
        }
        _ => {}
    }
    if !switch.on {
        return Ok(Decision {
            trusted: true,
            open: false,
            off: true,
            rule: &rules::TRUST,
            text: "folder trust is switched off: every folder is trusted".to_owned(),
            place: switch.place.clone(),
            remedy: None,
        });
    }
    if let Some(fault) = &folders.fault {
        return Err(fault.clone());
    }
    let file = world.tilde(&folders.path);
    let here = Shown(ground.cwd.as_str());
    Ok(match folders.rule(dossier, &ground.cwd) {
        Some((folder, level, place)) => {
            let trusted = *level != Level::Not;
            let verb = match level {
                Level::Folder => "trusts",
                Level::Parent => "trusts the folder above",
                Level::Not => "says not to trust",
            };
            Decision {
                trusted,
                open: false,
                off: false,
                rule: &rules::TRUST_RULES,
                text: format!("{} {verb} {}", Shown(&file), Shown(folder.as_str())),
                place: Some(place.clone()),
                remedy: (!trusted)
                    .then(|| format!("make that rule TRUST_FOLDER in {}", Shown(&file))),
            }
        }
        None => Decision {
            trusted: false,
            open: true,
            off: false,
            rule: &rules::TRUST,
            text: format!("no rule of {} trusts {here}", Shown(&file)),
            place: None,
            remedy: Some(format!(
                "trust this folder: run gemini here and answer yes, or add \"{here}\": \"TRUST_FOLDER\" to {}",
                Shown(&file)
            )),
        },
    })
}
