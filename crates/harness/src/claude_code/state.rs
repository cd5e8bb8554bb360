//! The state file, `~/.claude.json`: the user's servers, what is known of each folder, and what is trusted.

use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, FileState, Files, Loaded, Platform, Reason, Scope, Source, World};
use muster_document::{Document, Node, Place, Shown};

use super::dialect::{self, truthy, type_word};
use super::ground::Ground;
use super::{Stop, rules};

/// The state file as Claude Code sees it.
#[derive(Debug, Default)]
pub(super) struct State {
    source: Option<Rc<Source>>,
    /// What can be made of a file that is no JSON, to name the servers that it costs.
    salvaged: Option<Document>,
    /// On Windows the folders that the keys of `projects` name, each with its key.
    spelled: Vec<(Utf8PathBuf, String)>,
}

impl State {
    /// Reads the state file. A file that is no JSON stops Claude Code; one of another shape counts as empty.
    pub(super) fn read(dossier: &mut Dossier<'_>, ground: &Ground) -> (State, Option<Stop>) {
        let (mut state, stop) = State::load(dossier, ground);
        if dossier.world.platform == Platform::Windows {
            state.spelled = state.spellings(dossier.world);
        }
        (state, stop)
    }

    /// The folders that the keys of `projects` name. Reported for Windows, not observed: keys stand there with either slash, and with
    /// a drive in either case (anthropics/claude-code#18122).
    fn spellings(&self, world: &World<'_>) -> Vec<(Utf8PathBuf, String)> {
        let keys = self.projects().into_iter().flat_map(Node::members);
        let keys = keys.map(|member| &member.key.text);
        let mut spelled: Vec<(Utf8PathBuf, String)> = keys
            .map(|key| (world.at(key, &world.cwd), key.clone()))
            .collect();
        // Two keys of one folder may differ in the case of the drive, of which its path here says nothing.
        spelled.sort_by_cached_key(|(named, key)| key.replace('\\', "/") != world.native(named));
        spelled
    }

    /// The key of `folder` as the file spells it: exactly so, else in another case.
    fn spelling(&self, folder: &Utf8Path) -> Option<&str> {
        let same = |(named, _): &&(Utf8PathBuf, String)| named == folder;
        let alike = |(named, _): &&(Utf8PathBuf, String)| {
            named.as_str().eq_ignore_ascii_case(folder.as_str())
        };
        let found = self.spelled.iter().find(same);
        found
            .or_else(|| self.spelled.iter().find(alike))
            .map(|(_, key)| key.as_str())
    }

    fn load(dossier: &mut Dossier<'_>, ground: &Ground) -> (State, Option<Stop>) {
        if let Some(displaced) = &ground.displaced_state {
            let text = format!(
                "{} exists, so {} is not read",
                Shown(&dossier.world.shown(&ground.state)),
                Shown(&dossier.world.shown(displaced))
            );
            dossier.note(&rules::STATE_FILE, text, None);
        }
        match dossier.load(&ground.state, Scope::User, dialect::JSON, Files::LIMIT) {
            Loaded::Document(source) => (
                State {
                    source: Some(source),
                    ..State::default()
                },
                None,
            ),
            Loaded::Absent => (State::default(), None),
            Loaded::Empty => (
                State::default(),
                has_backup(dossier, ground).then(|| corrupt(dossier, &ground.state, None)),
            ),
            Loaded::Skipped(fault) => {
                let text = format!(
                    "{} {fault}: Claude Code starts with none of your servers",
                    Shown(&dossier.world.shown(&ground.state))
                );
                dossier.note(&rules::STATE_FILE, text, None);
                (State::default(), None)
            }
            broken @ Loaded::Broken(_) => {
                let place = broken.error().map(|error| error.place.clone());
                let salvaged = broken.salvage(dialect::JSON);
                (
                    State {
                        salvaged,
                        ..State::default()
                    },
                    Some(corrupt(dossier, &ground.state, place)),
                )
            }
        }
    }

    pub(super) fn document(&self) -> Option<&Document> {
        match self.source.as_deref() {
            Some(Source::Parsed(document)) => Some(document),
            _ => self.salvaged.as_ref(),
        }
    }

    /// The place of `node` in the file.
    fn place(&self, node: &Node) -> Option<Place> {
        self.document().map(|document| document.place(node.span))
    }

    fn projects(&self) -> Option<&Node> {
        self.document()?
            .root()
            .get("projects")
            .filter(|projects| projects.is_table())
    }

    /// What the file knows of the folder `key`: found by its exact text only, but for Windows.
    pub(super) fn project(&self, key: &Utf8Path) -> Option<&Node> {
        let key = self.spelling(key).unwrap_or(key.as_str());
        self.projects()?
            .get(key)
            .filter(|project| project.is_table())
    }

    /// The `mcpServers` of the whole file (`None`) or of one folder, with the document they stand in.
    pub(super) fn servers(
        &self,
        dossier: &mut Dossier<'_>,
        path: &Utf8Path,
        project: Option<&Utf8Path>,
    ) -> Option<(&Document, &Node)> {
        let document = self.document()?;
        let holder = match project {
            None => document.root(),
            Some(key) => self.project(key)?,
        };
        let servers = holder
            .get("mcpServers")
            .filter(|servers| !servers.is_null())?;
        if servers.is_table() {
            return Some((document, servers));
        }
        let text = format!(
            "mcpServers: Invalid input: expected record, received {}",
            type_word(Some(servers))
        );
        let place = document.place(servers.span);
        let whose = if project.is_some() {
            "this folder's"
        } else {
            "your"
        };
        dossier.note(
            &rules::STATE_FILE,
            format!("{text}: none of {whose} servers load"),
            Some(place.clone()),
        );
        dossier.mark(path, FileState::Broken, text, Some(place));
        None
    }

    /// The servers that the file holds for folders other than `key`: the folder's key, the document, the map.
    pub(super) fn other_projects(&self, key: &Utf8Path) -> Vec<(&str, &Document, &Node)> {
        let Some(document) = self.document() else {
            return Vec::new();
        };
        let own = self.spelling(key).unwrap_or(key.as_str());
        let others = self
            .projects()
            .map(Node::effective_members)
            .unwrap_or_default()
            .into_iter();
        others
            .filter(|member| member.key.text != own)
            .filter_map(|member| {
                Some((
                    member.key.text.as_str(),
                    document,
                    member.value.get("mcpServers")?,
                ))
            })
            .filter(|(_, _, servers)| !servers.members().is_empty())
            .collect()
    }

    /// The members of the list `disabledMcpServers` of the folder `key` that are strings.
    pub(super) fn switched_off(&self, key: &Utf8Path) -> Vec<(String, Place)> {
        let list = self
            .project(key)
            .and_then(|project| project.get("disabledMcpServers"))
            .and_then(Node::as_array);
        let items = list.unwrap_or_default().iter();
        items
            .filter_map(|item| Some((item.as_str()?.to_owned(), self.place(item)?)))
            .collect()
    }
}

fn has_backup(dossier: &Dossier<'_>, ground: &Ground) -> bool {
    let folder = ground.config.join("backups");
    let names = dossier
        .world
        .files
        .list(&folder)
        .unwrap_or_else(|_| Rc::from([]));
    names.iter().any(|name| {
        let backup = dossier.world.files.metadata(&folder.join(name));
        name.starts_with(".claude.json.backup.") && backup.is_ok_and(|found| found.size > 0)
    })
}

fn corrupt(dossier: &Dossier<'_>, path: &Utf8Path, place: Option<Place>) -> Stop {
    let shown = dossier.world.shown(path);
    let shown = Shown(&shown);
    let text = match place {
        Some(_) => format!("Claude Code does not start: {shown} is not valid JSON"),
        None => format!(
            "Claude Code does not start: {shown} is empty, and a backup shows that it once was not"
        ),
    };
    let remedy = format!(
        "mend {shown}, or put back a copy from the backups folder of Claude Code's configuration"
    );
    Stop {
        reason: Reason::new(&rules::STATE_FILE, "file", text, place),
        remedy,
    }
}

/// What the state file says of trust in a folder.
#[derive(Debug)]
pub(super) struct Trust {
    /// This place's own key is trusted, with JSON `true`: committed approvals count.
    pub(super) strict: bool,
    /// This place or a folder above it, up to the git root, is trusted in the looser sense: no trust question is asked.
    pub(super) loose: bool,
    /// Where that is said.
    pub(super) place: Option<Place>,
}

const TRUST_KEY: &str = "hasTrustDialogAccepted";

impl Trust {
    /// Whether the key `folder` itself holds JSON `true`.
    pub(super) fn is_strict(state: &State, folder: &Utf8Path) -> bool {
        let said = state
            .project(folder)
            .and_then(|project| project.get(TRUST_KEY));
        said.and_then(Node::as_bool) == Some(true)
    }

    /// Looks up `ground`. Observed on 2.1.332: the key of the place must hold `true` itself; the walk takes whatever JavaScript
    /// takes for true, and stops at the git root, so that a trusted parent of a repository does not count.
    pub(super) fn look_up(state: &State, ground: &Ground) -> Trust {
        let said = |folder: &Utf8Path| state.project(folder)?.get(TRUST_KEY);
        let own = said(&ground.project);
        let strict = Trust::is_strict(state, &ground.project);
        let walked = || {
            ground
                .trust_walk()
                .filter_map(said)
                .find(|node| truthy(node))
        };
        let yes = own.filter(|own| truthy(own)).or_else(walked);
        Trust {
            strict,
            loose: yes.is_some(),
            place: yes.or(own).and_then(|node| state.place(node)),
        }
    }
}

/// Approvals that older versions kept in the state file. Any run moves them into the `settings.local.json` of the project key.
#[derive(Debug, Default)]
pub(super) struct LegacyAnswers {
    /// Names approved.
    pub(super) enabled: Vec<(String, Place)>,
    /// Names rejected.
    pub(super) disabled: Vec<(String, Place)>,
    /// All are approved.
    pub(super) all: Option<Place>,
}

impl LegacyAnswers {
    /// The answers kept for the folder `key`. A list of another shape loses its approvals and keeps its rejections.
    pub(super) fn of(state: &State, key: &Utf8Path) -> LegacyAnswers {
        let Some(project) = state.project(key) else {
            return LegacyAnswers::default();
        };
        let names = |list: &str| -> Option<(Vec<(String, Place)>, bool)> {
            let node = project.get(list)?;
            let items = match node.as_array() {
                Some(items) => items,
                None => std::slice::from_ref(node),
            };
            let strings: Vec<_> = items
                .iter()
                .filter_map(|item| Some((item.as_str()?.to_owned(), state.place(item)?)))
                .collect();
            let whole = node.as_array().is_some() && strings.len() == items.len();
            Some((strings, whole))
        };
        LegacyAnswers {
            enabled: names("enabledMcpjsonServers")
                .filter(|(_, whole)| *whole)
                .map(|(names, _)| names)
                .unwrap_or_default(),
            disabled: names("disabledMcpjsonServers")
                .map(|(names, _)| names)
                .unwrap_or_default(),
            all: project
                .get("enableAllProjectMcpServers")
                .filter(|all| all.as_bool() == Some(true))
                .and_then(|all| state.place(all)),
        }
    }
}
