//! The two `mcp.json`: every definition in them, checked and merged as Pi merges them.
//!
//! The user's file is read first. A trusted project's entry replaces the user's of its name, or changes its switches, or is skipped;
//! nothing of a project that is not trusted has any effect.

use std::collections::HashMap;

use camino::Utf8Path;
use muster_core::{Dossier, Entry, FileState, Files, Loaded, Objection, Reason, Scope, Status};
use muster_document::{Document, Masked, Member, Node, Place, Secret, Shown};

use super::entry::{self, Goal};
use super::ground::Ground;
use super::rules;
use super::settings::JSON;

/// A definition on its way to a verdict.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) scope: Scope,
    /// Where its name stands.
    pub(super) place: Place,
    pub(super) entry: Entry,
    pub(super) goal: Goal,
    /// What is known of it beside where it stands.
    pub(super) facts: Vec<Reason>,
    /// Why Pi skips it: it hides no other.
    pub(super) skipped: Option<Objection>,
    /// Where it is switched off.
    pub(super) off: Option<Place>,
    /// Its file does not count.
    pub(super) untrusted: bool,
    /// A project's entry takes its place.
    pub(super) replaced: bool,
}

/// Every definition of both files, the project's first.
pub(super) fn gather(dossier: &mut Dossier<'_>, ground: &Ground, trusted: bool) -> Vec<Found> {
    let mut merge = Merge {
        trusted,
        ..Merge::default()
    };
    if let Some(path) = ground.user_file() {
        merge.read(dossier, &path, Scope::User);
    }
    merge.read(dossier, &ground.project_file(), Scope::Project);
    let Merge {
        users, projects, ..
    } = merge;
    projects.into_iter().chain(users).collect()
}

/// The files read so far.
#[derive(Debug, Default)]
struct Merge {
    trusted: bool,
    users: Vec<Found>,
    projects: Vec<Found>,
    /// The valid user's entries, by name.
    valid: HashMap<String, usize>,
    /// The servers there are, by what their names are once `-` is `_`.
    taken: HashMap<String, (String, Place)>,
}

impl Merge {
    fn read(&mut self, dossier: &mut Dossier<'_>, path: &Utf8Path, scope: Scope) {
        let loaded = dossier.load(path, scope, JSON, Files::LIMIT);
        let counts = scope == Scope::User || self.trusted;
        let Some(document) = loaded.document() else {
            return self.broken(dossier, path, scope, &loaded, counts);
        };
        let root = document.root();
        let servers = root.get("mcpServers");
        let wrong = match servers {
            _ if !root.is_table() => Some(root),
            Some(servers) => Some(servers).filter(|servers| !servers.is_table()),
            None => None,
        };
        if let Some(wrong) = wrong {
            let place = document.place(wrong.span);
            let words = "expected an object with an \"mcpServers\" object";
            if counts {
                note_loss(dossier, path, words, Some(place.clone()));
                dossier.mark(path, FileState::Broken, words, Some(place));
            }
            return;
        }
        if counts {
            check_codemode(dossier, document, path);
        } else {
            dossier.mark(path, FileState::Skipped, "the folder is not trusted", None);
        }
        for member in servers.map(Node::effective_members).unwrap_or_default() {
            match scope {
                Scope::User => self.add_user(document, member),
                _ => self.add_project(document, member),
            }
        }
    }

    /// A file that gives nothing: the servers it names are lost.
    fn broken(
        &mut self,
        dossier: &mut Dossier<'_>,
        path: &Utf8Path,
        scope: Scope,
        loaded: &Loaded,
        counts: bool,
    ) {
        let words = match loaded {
            Loaded::Absent | Loaded::Document(_) => return,
            Loaded::Empty => "Unexpected end of JSON input".to_owned(),
            Loaded::Skipped(fault) => fault.to_string(),
            Loaded::Broken(_) => loaded.error().map(ToString::to_string).unwrap_or_default(),
        };
        let place = loaded.error().map(|error| error.place.clone());
        if counts {
            note_loss(dossier, path, &words, place.clone());
        }
        if matches!(loaded, Loaded::Empty) && counts {
            dossier.mark(path, FileState::Broken, words.clone(), None);
        }
        let Some(document) = loaded.salvage(JSON) else {
            return;
        };
        let shown = dossier.world.shown(path);
        let line = place.as_ref().map_or(1, |place| place.position.line);
        let reason = Reason::new(&rules::FILE, "file", words, place);
        let lost = Objection::new(Status::Invalid, "its file is broken", reason)
            .with_remedy(format!("correct line {line} of {}", Shown(&shown)));
        let servers = document.root().get("mcpServers");
        for member in servers.map(Node::effective_members).unwrap_or_default() {
            let mut found = found(&document, member, scope);
            found.skipped = Some(lost.clone());
            found.untrusted = !counts;
            match scope {
                Scope::User => self.users.push(found),
                _ => self.projects.push(found),
            }
        }
    }

    fn add_user(&mut self, document: &Document, member: &Member) {
        let mut found = found(document, member, Scope::User);
        found.skipped = refused(document, member).or_else(|| self.clash(&found));
        if found.skipped.is_none() {
            found.facts.extend(sent_token(document, member));
            self.valid.insert(found.name.clone(), self.users.len());
            self.take(&found);
        }
        self.users.push(found);
    }

    fn add_project(&mut self, document: &Document, member: &Member) {
        let mut found = found(document, member, Scope::Project);
        found.untrusted = !self.trusted;
        if entry::is_override(&member.value) {
            let base = self
                .valid
                .get(&found.name)
                .and_then(|at| self.users.get_mut(*at));
            match (base, entry::check_override(&found.name, &member.value)) {
                (None, _) => found.skipped = Some(without_base(&found)),
                (Some(_), Some(refusal)) => found.skipped = Some(refusal.objection(document)),
                (Some(base), None) => return overlay(base, document, member, self.trusted),
            }
        } else {
            found.skipped = refused(document, member)
                .or_else(|| self.clash(&found))
                .or_else(|| provider(document, member));
        }
        if found.skipped.is_none() && self.trusted {
            self.take(&found);
            let user = self
                .valid
                .get(&found.name)
                .and_then(|at| self.users.get_mut(*at));
            user.into_iter().for_each(|user| user.replaced = true);
        }
        self.projects.push(found);
    }

    fn take(&mut self, found: &Found) {
        let taken = (found.name.clone(), found.place.clone());
        self.taken.entry(namespace(&found.name)).or_insert(taken);
    }

    /// Why a name cannot be told from an earlier one.
    fn clash(&self, found: &Found) -> Option<Objection> {
        let (other, place) = self.taken.get(&namespace(&found.name))?;
        if *other == found.name {
            return None;
        }
        let (name, other) = (Shown(&found.name), Shown(other));
        let text = format!("server \"{name}\" conflicts with \"{other}\"");
        let reason = Reason::new(&rules::NAME_CLASH, "name", text, Some(place.clone()));
        Some(
            Objection::new(Status::Invalid, format!("clashes with {other}"), reason)
                .with_remedy(format!("rename it: Pi cannot tell {name} from {other}")),
        )
    }
}

/// What a name is among the tools of a model.
fn namespace(name: &str) -> String {
    name.replace('-', "_")
}

/// What a member of `mcpServers` says, not yet checked.
pub(super) fn found(document: &Document, member: &Member, scope: Scope) -> Found {
    let switch = member
        .value
        .get("enabled")
        .filter(|switch| switch.as_bool() == Some(false));
    Found {
        name: member.key.text.clone(),
        scope,
        place: document.place(member.key.span),
        entry: entry::read(document, &member.value),
        goal: entry::goal(document, &member.value),
        facts: Vec::new(),
        skipped: None,
        off: switch.map(|switch| document.place(switch.span)),
        untrusted: false,
        replaced: false,
    }
}

fn refused(document: &Document, member: &Member) -> Option<Objection> {
    let refusal = entry::check(&member.key.text, member.key.span, &member.value)?;
    Some(refusal.objection(document))
}

/// Whose token a user's server is sent.
fn sent_token(document: &Document, member: &Member) -> Option<Reason> {
    member.value.get("url")?;
    let provider = member.value.get("auth")?.get("provider")?;
    let login = Masked::word(&Secret::new(provider.as_str()?));
    let text = format!("Pi sends it the token of its login {login}");
    let place = document.place(provider.span);
    Some(Reason::new(&rules::PROVIDER, "auth", text, Some(place)))
}

/// A project must not send a login's token.
fn provider(document: &Document, member: &Member) -> Option<Objection> {
    let auth = member
        .value
        .get("auth")
        .filter(|auth| entry::is_truthy(auth))?;
    member.value.get("url")?;
    let name = Shown(&member.key.text);
    let text = format!("server \"{name}\": auth is only allowed in the global mcp.json");
    let reason = Reason::new(
        &rules::PROVIDER,
        "auth",
        text,
        Some(document.place(auth.span)),
    );
    Some(
        Objection::new(Status::Invalid, "auth is not for projects", reason)
            .with_remedy("define it in the user's mcp.json, or leave auth out"),
    )
}

fn without_base(found: &Found) -> Objection {
    let text = format!(
        "server \"{}\" needs \"command\" or \"url\", or a global server to override",
        Shown(&found.name)
    );
    let reason = Reason::new(
        &rules::OVERRIDE,
        "override",
        text,
        Some(found.place.clone()),
    );
    Objection::new(Status::Invalid, "nothing to override", reason)
        .with_remedy("give it a command or a url, or define it in the user's mcp.json")
}

/// Lays the switches of a project's entry over the user's.
fn overlay(base: &mut Found, document: &Document, member: &Member, trusted: bool) {
    let place = document.place(member.key.span);
    let keys: Vec<_> = member.value.effective_members();
    let keys: Vec<_> = keys
        .iter()
        .map(|key| Shown(&key.key.text).to_string())
        .collect();
    let set = match keys.is_empty() {
        true => "nothing".to_owned(),
        false => keys.join(", "),
    };
    if !trusted {
        let text = format!("the project would set {set}: no effect, the folder is not trusted");
        base.facts
            .push(Reason::new(&rules::OVERRIDE, "override", text, Some(place)));
        return;
    }
    let text = format!("the project sets {set}");
    base.facts
        .push(Reason::new(&rules::OVERRIDE, "override", text, Some(place)));
    let node = &member.value;
    if let Some(switch) = node.get("enabled") {
        let off = switch.as_bool() == Some(false);
        base.off = off.then(|| document.place(switch.span));
    }
    if node.get("exposure").is_some() || node.get("toolExposure").is_some() {
        base.overlay_exposure(node);
    }
}

impl Found {
    /// What is not said stays as the user has it.
    fn overlay_exposure(&mut self, node: &Node) {
        let mut over = Entry::default();
        entry::expose(&mut over, node.get("exposure"), node.get("toolExposure"));
        if node.get("toolExposure").is_some() {
            self.entry.tools_without = over.tools_without;
        }
        if node.get("exposure").is_some() {
            self.entry.tools_only = over.tools_only;
        }
    }
}

fn check_codemode(dossier: &mut Dossier<'_>, document: &Document, path: &Utf8Path) {
    let wrong = document
        .root()
        .get("autoEnableCodemode")
        .filter(|value| value.as_bool().is_none());
    if let Some(wrong) = wrong {
        let shown = dossier.world.shown(path);
        let text = format!("{}: autoEnableCodemode must be a boolean", Shown(&shown));
        dossier.note(&rules::CODEMODE, text, Some(document.place(wrong.span)));
    }
}

fn note_loss(dossier: &mut Dossier<'_>, path: &Utf8Path, words: &str, place: Option<Place>) {
    let shown = dossier.world.shown(path);
    let text = format!("{}: {words}: nothing of it loads", Shown(&shown));
    dossier.note(&rules::FILE, text, place);
}
