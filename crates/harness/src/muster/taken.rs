//! The servers that Claude Code knows here. Where they stand and what was said of them is Claude Code's to tell; what Muster makes
//! of an entry is its own.

use std::collections::{HashMap, HashSet};

use camino::Utf8Path;
use muster_core::{
    Beside, Dossier, FileReport, FileState, Harness as _, Objection, Reason, Resolution, Scope,
    Server, Source, Status, World,
};
use muster_document::{Document, Node, Place, Secret, Span};

use super::entry::{self, Checked};
use super::own::{Found, Origin};
use super::rules;
use crate::ClaudeCode;

/// What Claude Code knows here, strongest first, and the variables that its account knows. Unless it is `wanted`, only the account is
/// taken over, and no server.
pub(super) fn find(
    dossier: &mut Dossier<'_>,
    beside: Beside<'_>,
    wanted: bool,
) -> (Vec<Found>, Vec<(String, Secret)>) {
    let world = dossier.world;
    let same = beside
        .others
        .iter()
        .find(|other| other.id == ClaudeCode.id() && sees_the_same(world));
    let asked;
    let claude = match same {
        Some(told) => told,
        None => {
            asked = ClaudeCode.resolve(&as_claude_code_sees_it(world));
            &asked
        }
    };
    let found: Vec<Found> = {
        let entries = wanted.then(|| Entries::of(claude));
        let servers = claude.servers.iter().filter(|server| counts(server));
        let take = |server| take(server, entries.as_ref());
        servers.map(take).collect()
    };
    if let Some(stopped) = &claude.stopped {
        let text = format!("Claude Code's servers cannot be taken: {}", stopped.text);
        dossier.note(&rules::CLAUDE_CODE, text, None);
    }
    let here = world.cwd.join(".mcp.json");
    let of_rows: HashSet<&Utf8Path> = {
        let places = found.iter().flat_map(places);
        places.map(|place| &*place.path).collect()
    };
    let told =
        |file: &&FileReport| worth_telling(file, &here) || of_rows.contains(file.path.as_path());
    let files = claude.files.iter().filter(told);
    dossier.files.extend(files.cloned());
    dossier.sources.extend(claude.sources.iter().cloned());
    let found = if wanted { found } else { Vec::new() };
    (found, claude.variables.clone())
}

/// Whether Claude Code sees the same world: [`as_claude_code_sees_it`] would change nothing.
fn sees_the_same(world: &World<'_>) -> bool {
    world.session.is_none() && !world.headless() && world.start == world.cwd
}

/// The places that a row speaks of.
fn places(found: &Found) -> impl Iterator<Item = &Place> {
    let reasons = found.out.iter().flat_map(|out| &out.reasons);
    let reasons = reasons.filter_map(|reason| reason.place.as_ref());
    found.place.iter().chain(reasons)
}

/// The same world without the command line, which is Muster's.
fn as_claude_code_sees_it<'w>(world: &World<'w>) -> World<'w> {
    World {
        folder: world.folder.clone(),
        cwd: world.cwd.clone(),
        start: world.cwd.clone(),
        home: world.home.clone(),
        env: world.env.clone(),
        system_root: world.system_root.clone(),
        platform: world.platform,
        mode: muster_core::Mode::Interactive,
        session: None,
        files: world.files,
    }
}

/// What is wrong with a file is Claude Code's to tell; of one that is not there it is only worth telling where it is one of the
/// usual two.
fn worth_telling(file: &FileReport, here: &Utf8Path) -> bool {
    let usual = file.path == here || file.path.file_name() == Some(".claude.json");
    match file.state {
        FileState::Read => true,
        FileState::Absent => usual,
        FileState::Skipped | FileState::Unreadable | FileState::Broken => false,
    }
}

/// Whether a server of Claude Code's is one that Muster takes: not an administrator's, a plugin's, an agent's or the command line's,
/// and none that Claude Code refuses or never reads.
fn counts(server: &Server) -> bool {
    let taken = matches!(
        server.definition.scope,
        Scope::Local | Scope::Project | Scope::User
    );
    let refused = matches!(
        server.status,
        Status::Ignored | Status::Invalid | Status::Unsupported
    );
    taken && !refused
}

/// The server as Muster takes it; without `entries`, who it is and what was said of it, but not what it says.
fn take(server: &Server, entries: Option<&Entries<'_>>) -> Found {
    let definition = &server.definition;
    let place = definition.place.clone();
    let check = |entries: &Entries<'_>| {
        let entry = place.as_ref().and_then(|place| entries.at(place));
        match entry {
            Some((document, node)) => entry::check(document, node),
            None => Checked {
                entry: (*definition.entry).clone(),
                ..Checked::default()
            },
        }
    };
    let checked = entries.map(check).unwrap_or_default();
    Found {
        name: definition.name.clone(),
        origin: Origin::ClaudeCode(definition.scope),
        place,
        checked,
        out: said(server),
    }
}

/// What was said against it in Claude Code. A no counts here too, a yes does not.
fn said(server: &Server) -> Option<Objection> {
    let last = server.reasons.last();
    let told = last.map(|reason| reason.text.as_str()).unwrap_or_default();
    let (status, text) = match server.status {
        Status::Configured | Status::NeedsApproval | Status::Broken => return None,
        // What would keep it out there if no other definition of its name won.
        Status::Overridden => {
            let mut further = server.further.iter();
            let no = further.find(|further| !further.ends_with(" wins"))?;
            (Status::Off, format!("in Claude Code: {no}"))
        }
        other => (other, format!("in Claude Code: {told}")),
    };
    let short = match server.status {
        Status::Overridden => "off in Claude Code".to_owned(),
        _ => server.short.clone().unwrap_or_default(),
    };
    let place = last.and_then(|reason| reason.place.clone());
    let reason = Reason::new(&rules::CLAUDE_CODE, "claude code", text, place);
    Some(Objection {
        status,
        short,
        reasons: vec![reason],
        remedies: match server.status {
            Status::Overridden => Vec::new(),
            _ => server.remedies.clone(),
        },
    })
}

/// Every entry of the files that Claude Code read, by the place of its name.
struct Entries<'r> {
    nodes: HashMap<(&'r Utf8Path, Span), (&'r Document, &'r Node)>,
}

impl<'r> Entries<'r> {
    fn of(claude: &'r Resolution) -> Entries<'r> {
        let mut nodes = HashMap::new();
        for document in claude
            .sources
            .iter()
            .filter_map(|source: &std::rc::Rc<Source>| source.document())
        {
            let root = document.root();
            let projects = root.get("projects").into_iter().flat_map(Node::members);
            let maps = projects.map(|project| &project.value).chain([root]);
            for map in maps.filter_map(|owner| owner.get("mcpServers")) {
                for member in map.members() {
                    let key = (&**document.path(), member.key.span);
                    nodes.insert(key, (document, &member.value));
                }
            }
        }
        Entries { nodes }
    }

    fn at(&self, place: &Place) -> Option<(&'r Document, &'r Node)> {
        self.nodes.get(&(&*place.path, place.span)).copied()
    }
}
