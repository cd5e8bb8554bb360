//! Whether Muster may start a server: the user's own it may, a repository's only with the user's yes.

use camino::Utf8Path;
use muster_document::Place;

use crate::{Entry, GitIndex, GitRoot, Harness, Resolution, Scope, Server, World};

/// On whose word a server is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// It stands in files of the user's, or of whoever administers the machine.
    Own,
    /// It comes with the repository, and the user said yes to it in that harness.
    Approved,
    /// It comes with the repository, and nobody said yes: that a harness starts it unasked is no yes.
    Unapproved,
}

/// On whose word `server`, one of `resolution` of `harness` in `world`, would be started. The resolution must be that of a session with
/// somebody in it: where nobody can be asked, harnesses start what they would ask for.
pub fn consent(
    world: &World<'_>,
    harness: &dyn Harness,
    resolution: &Resolution,
    server: &Server,
) -> Consent {
    let comes = |place: &Place| comes_with_repository(world, resolution, &place.path);
    let definition = &server.definition;
    let written_there =
        definition.scope == Scope::Project || definition.place.as_ref().is_some_and(comes);
    // Where layers are merged key by key, one file may change another's server.
    if !written_there && !places(&definition.entry).any(comes) {
        return Consent::Own;
    }
    let yes = server.reasons.iter().any(|reason| {
        let by_rule = harness.consents().contains(&reason.rule);
        by_rule && reason.place.as_ref().is_some_and(|place| !comes(place))
    });
    if yes && server.status.loads() == Some(true) {
        Consent::Approved
    } else {
        Consent::Unapproved
    }
}

/// Where everything that decides what is started stands.
fn places(entry: &Entry) -> impl Iterator<Item = &Place> {
    let words = entry.command.iter().chain(&entry.args).chain(&entry.cwd);
    let words = words.chain(&entry.url).chain(&entry.headers_helper);
    let pairs = entry.env.iter().chain(&entry.headers);
    let forwarded = entry.forwarded.iter().map(|name| &name.place);
    words
        .chain(pairs.map(|(_, value)| value))
        .map(|value| &value.place)
        .chain(forwarded)
        .filter_map(Option::as_ref)
}

/// Whether the file `path` comes with the repository that the session is in.
fn comes_with_repository(world: &World<'_>, resolution: &Resolution, path: &Utf8Path) -> bool {
    let mut files = resolution.files.iter();
    match files
        .find(|file| *file.path == *path)
        .map(|file| file.scope)
    {
        Some(Scope::Project) => true,
        // Plugins, extensions and agents are the user's or the repository's: by where they lie.
        Some(Scope::Plugin | Scope::Extension | Scope::Agent) | None => lies_near(world, path),
        // A file that is meant for one person, and committed, is everybody's.
        Some(Scope::Local) => lies_near(world, path) && is_committed(world, path),
        Some(_) => false,
    }
}

/// Whether git may track the file `path`. An index that cannot be read may hold anything.
fn is_committed(world: &World<'_>, path: &Utf8Path) -> bool {
    let root = path
        .parent()
        .and_then(|folder| GitRoot::find(world.files, folder));
    let Some(root) = root else {
        return false;
    };
    let index = match &root.git_folder {
        Some(git_folder) => GitIndex::read(world.files, git_folder),
        None => return false,
    };
    let holds = |path: &Utf8Path| {
        let relative = path.strip_prefix(&root.folder);
        relative.is_ok_and(|relative| index.may_contain(relative))
    };
    holds(path) || world.files.real_path(path).is_some_and(|real| holds(&real))
}

/// Whether `path` and the session folder lie in one folder that does not hold the home.
fn lies_near(world: &World<'_>, path: &Utf8Path) -> bool {
    let home = world.home.as_deref();
    let holds_home = |folder: &Utf8Path| home.is_some_and(|home| home.starts_with(folder));
    let of_session = world.cwd.ancestors().chain(world.folder.ancestors());
    let mut apart = of_session.filter(|folder| !folder.as_str().is_empty() && !holds_home(folder));
    apart.any(|folder| path.starts_with(folder) && folder.parent().is_some())
}
