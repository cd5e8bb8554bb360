//! Whether the project's own files count.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Files, Loaded, Platform, Reason, Scope, World};
use muster_document::{Place, Shown, Value};

use super::ground::Ground;
use super::rules;
use super::session::Flags;
use super::settings::{JSON, Settings};
use super::stop::Stop;

/// What in `.pi` makes the panel ask.
const ASKED_FOR: [&str; 8] = [
    "settings.json",
    "mcp.json",
    "extensions",
    "skills",
    "prompts",
    "themes",
    "SYSTEM.md",
    "APPEND_SYSTEM.md",
];

/// An answer, or that there is none yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// The project's files count.
    Yes,
    /// They do not.
    No,
    /// The panel asks.
    Open,
    /// An extension answers.
    Unknown,
}

/// Whether the session folder is trusted, and who says so.
#[derive(Debug)]
pub(super) struct Trust {
    pub(super) answer: Answer,
    /// Why, for the chain of a server.
    pub(super) reason: Reason,
    /// What would make the project's files count.
    pub(super) remedy: String,
}

impl Trust {
    /// Looks the session folder up. `asker` is an extension that answers the question.
    ///
    /// # Errors
    /// Where `trust.json` stops Pi.
    pub(super) fn look_up(
        dossier: &mut Dossier<'_>,
        ground: &Ground,
        flags: &Flags,
        user: Option<&Settings>,
        asker: Option<&str>,
    ) -> Result<Trust, Box<Stop>> {
        if let Some(approved) = flags.approve {
            return Ok(Trust::by_flag(approved));
        }
        let store = Store::read(dossier, ground)?;
        let world = dossier.world;
        let listed = store.nearest(world);
        if flags.lists {
            return Ok(listed.unwrap_or_else(|| Trust::of_list(ground, world)));
        }
        if !asks(ground, world) {
            return Ok(listed.unwrap_or_else(Trust::of_nothing));
        }
        if let Some(asker) = asker {
            let text = format!("{} answers whether this folder is trusted", Shown(asker));
            let reason = Reason::new(&rules::EXTENSION_TRUST, "trust", text, None);
            return Ok(Trust {
                answer: Answer::Unknown,
                reason,
                remedy: "run pi with --approve".to_owned(),
            });
        }
        Ok(listed
            .or_else(|| Trust::by_default(user))
            .unwrap_or_else(|| Trust::unanswered(ground, flags, world)))
    }

    fn by_flag(approved: bool) -> Trust {
        let (answer, text) = match approved {
            true => (Answer::Yes, "--approve trusts this folder for this run"),
            false => (
                Answer::No,
                "--no-approve leaves the project's files out of this run",
            ),
        };
        Trust {
            answer,
            reason: Reason::new(&rules::APPROVE, "trust", text, None),
            remedy: "leave --no-approve out".to_owned(),
        }
    }

    fn by_default(user: Option<&Settings>) -> Option<Trust> {
        let user = user?;
        let node = user.get("defaultProjectTrust")?;
        let answer = match node.as_str()? {
            "always" => Answer::Yes,
            "never" => Answer::No,
            _ => return None,
        };
        let word = node.as_str().unwrap_or_default();
        let text = format!("defaultProjectTrust is \"{word}\" in {}", Shown(&user.name));
        let reason = Reason::new(&rules::DEFAULT_TRUST, "trust", text, user.place(node));
        Some(Trust {
            answer,
            reason,
            remedy: "run pi with --approve, or start pi here and answer yes to /trust".to_owned(),
        })
    }

    fn unanswered(ground: &Ground, flags: &Flags, world: &World<'_>) -> Trust {
        let file = store_name(ground, world);
        let (answer, text, remedy) = match flags.headless {
            true => (
                Answer::No,
                format!(
                    "{} does not speak of this folder, and nobody can be asked",
                    Shown(&file)
                ),
                "pass --approve, or start pi here once and answer yes",
            ),
            false => (
                Answer::Open,
                format!("{} does not speak of this folder: Pi asks", Shown(&file)),
                "answer yes when pi asks, or pass --approve",
            ),
        };
        Trust {
            answer,
            reason: Reason::new(&rules::TRUST, "trust", text, None),
            remedy: remedy.to_owned(),
        }
    }

    fn of_list(ground: &Ground, world: &World<'_>) -> Trust {
        let file = store_name(ground, world);
        let text = format!(
            "{} does not speak of this folder, and pi mcp list goes by nothing else",
            Shown(&file)
        );
        Trust {
            answer: Answer::No,
            reason: Reason::new(&rules::LIST, "trust", text, None),
            remedy: "start pi here and answer yes".to_owned(),
        }
    }

    fn of_nothing() -> Trust {
        let text = "there is nothing here to be trusted";
        Trust {
            answer: Answer::Yes,
            reason: Reason::new(&rules::TRUST, "trust", text, None),
            remedy: String::new(),
        }
    }
}

fn store_name(ground: &Ground, world: &World<'_>) -> String {
    match ground.in_agent("trust.json") {
        Some(path) => world.shown(&path),
        None => "trust.json".to_owned(),
    }
}

/// Whether there is anything here that trust is needed for.
fn asks(ground: &Ground, world: &World<'_>) -> bool {
    let named = |name: &&str| world.files.exists(&ground.project.join(name));
    let inside = world.files.exists(&ground.project) && ASKED_FOR.iter().any(named);
    let own = world.home.as_ref().map(|home| {
        let real = world.files.real_path(home);
        real.unwrap_or_else(|| home.clone()).join(".agents/skills")
    });
    let skills = || {
        let mut folders = world
            .cwd
            .ancestors()
            .map(|folder| folder.join(".agents/skills"));
        folders.any(|folder| Some(&folder) != own.as_ref() && world.files.exists(&folder))
    };
    inside || skills()
}

/// `trust.json`: an answer for each folder, by its path as `path.resolve` of JavaScript has it.
#[derive(Debug, Default)]
struct Store {
    answers: HashMap<Utf8PathBuf, (bool, String, Place)>,
    name: String,
}

impl Store {
    fn read(dossier: &mut Dossier<'_>, ground: &Ground) -> Result<Store, Box<Stop>> {
        let Some(path) = ground.in_agent("trust.json") else {
            return Ok(Store::default());
        };
        let world = dossier.world;
        let name = world.shown(&path);
        let loaded = dossier.load(&path, Scope::User, JSON, Files::LIMIT);
        let stop = |words: String, place: Option<Place>| {
            let remedy = format!("correct {} or remove it: pi asks again then", Shown(&name));
            Box::new(Stop::new(&rules::TRUST_STORE, words, place).remedied_by(remedy))
        };
        let unread = |why: &str, place| {
            stop(
                format!("Failed to read trust store {}: {why}", Shown(&name)),
                place,
            )
        };
        let document = match &loaded {
            Loaded::Absent => return Ok(Store::default()),
            Loaded::Empty => return Err(unread("it is empty", None)),
            Loaded::Skipped(fault) => return Err(unread(&fault.to_string(), None)),
            Loaded::Broken(_) => {
                let error = loaded.error();
                let why = error.map(ToString::to_string).unwrap_or_default();
                return Err(unread(&why, error.map(|error| error.place.clone())));
            }
            Loaded::Document(source) => source.document(),
        };
        let Some(document) = document else {
            return Ok(Store::default());
        };
        let invalid = |what: String, span| {
            let words = format!("Invalid trust store {}: {what}", Shown(&name));
            stop(words, Some(document.place(span)))
        };
        let root = document.root();
        if !root.is_table() {
            return Err(invalid("expected an object".to_owned(), root.span));
        }
        let mut answers = HashMap::new();
        for member in root.effective_members() {
            let key = &member.key.text;
            match member.value.value {
                Value::Bool(answer) => {
                    let place = document.place(member.key.span);
                    answers
                        .entry(comparable(&world.at(key, &world.cwd), world))
                        .or_insert_with(|| (answer, key.clone(), place));
                }
                Value::Null => {}
                _ => {
                    let what = format!("value for \"{}\" must be true, false, or null", Shown(key));
                    return Err(invalid(what, member.value.span));
                }
            }
        }
        Ok(Store { answers, name })
    }

    /// What is stored for the session folder, or for the nearest folder above it that has an answer.
    fn nearest(&self, world: &World<'_>) -> Option<Trust> {
        let mut folders = world.cwd.ancestors();
        let (answer, key, place) =
            folders.find_map(|folder| self.answers.get(&comparable(folder, world)))?;
        let (file, key) = (Shown(&self.name), Shown(key));
        let (answer, text) = match answer {
            true => (Answer::Yes, format!("{file} trusts {key}")),
            false => (Answer::No, format!("{file} says no to {key}")),
        };
        let line = place.position.line;
        Some(Trust {
            answer,
            reason: Reason::new(&rules::TRUST, "trust", text, Some(place.clone())),
            remedy: format!("run pi with --approve, or set line {line} of {file} to true"),
        })
    }
}

/// A path as it is compared. On Windows without case, which was not observed.
fn comparable(path: &Utf8Path, world: &World<'_>) -> Utf8PathBuf {
    match world.platform {
        Platform::Windows => Utf8PathBuf::from(path.as_str().to_lowercase()),
        _ => path.to_owned(),
    }
}
