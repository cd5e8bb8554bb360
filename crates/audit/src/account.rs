//! What a check sees.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{
    Check, Entry, FileState, Finding, Harness, Idiom, Resolution, Server, Source, Status, World,
};
use muster_document::{Document, Node, Place, Shown};

use crate::owners;
use crate::program::{Programs, base_name};

/// What one harness made of the world.
pub(crate) struct Account<'a> {
    pub(crate) world: &'a World<'a>,
    /// Every agent that is known.
    pub(crate) agents: &'a [&'static dyn Harness],
    pub(crate) harness: &'a dyn Harness,
    pub(crate) resolution: &'a Resolution,
    pub(crate) programs: Programs,
    /// The search path that the harness gives its servers, where it had to be asked for.
    pub(crate) search_path: OnceCell<Option<String>>,
    /// Where in the resolution's sources the text of a file is.
    sources: OnceCell<HashMap<Arc<Utf8Path>, usize>>,
    variables: OnceCell<HashSet<String>>,
    broken: OnceCell<HashSet<Utf8PathBuf>>,
}

impl<'a> Account<'a> {
    pub(crate) fn new(
        world: &'a World<'a>,
        agents: &'a [&'static dyn Harness],
        harness: &'a dyn Harness,
        resolution: &'a Resolution,
    ) -> Self {
        Account {
            world,
            agents,
            harness,
            resolution,
            programs: Programs::default(),
            search_path: OnceCell::new(),
            sources: OnceCell::new(),
            variables: OnceCell::new(),
            broken: OnceCell::new(),
        }
    }

    /// The harness's id.
    pub(crate) fn id(&self) -> &'static str {
        self.harness.id()
    }

    /// The harness's name.
    pub(crate) fn name(&self) -> &'static str {
        self.harness.name()
    }

    /// What the harness calls things.
    pub(crate) fn idiom(&self) -> &'static Idiom {
        self.harness.idiom()
    }

    /// A finding of `check` about this harness.
    pub(crate) fn finding(&self, check: &'static Check, text: impl Into<String>) -> Finding {
        Finding {
            harness: Some(self.id()),
            ..Finding::new(check, text)
        }
    }

    /// The text of the file at `path`, if the harness read it.
    pub(crate) fn text(&self, path: &Utf8Path) -> Option<&'a str> {
        let text = |source: &'a Source| match source {
            Source::Parsed(document) => document.text(),
            Source::Broken(error) => error.text(),
        };
        self.source(path).map(text)
    }

    /// What stands at `place`, as it is spelled in its file.
    pub(crate) fn spelled(&self, place: &Place) -> Option<&'a str> {
        self.text(&place.path).map(|text| place.span.of(text))
    }

    /// The tree of the file at `path`, if the harness read it and it parsed.
    pub(crate) fn document(&self, path: &Utf8Path) -> Option<&'a Document> {
        self.source(path).and_then(Source::document)
    }

    /// The value behind the key at `place`, in a file whose members stand in order: JSON or YAML.
    pub(crate) fn node(&self, place: &Place) -> Option<&'a Node> {
        let mut node = self.document(&place.path)?.root();
        loop {
            let members = node.members();
            let next = members.partition_point(|member| member.key.span.start <= place.span.start);
            let member = members.get(next.checked_sub(1)?)?;
            if member.key.span == place.span {
                return Some(&member.value);
            }
            node = &member.value;
        }
    }

    /// Every server by the file and the byte where its name stands.
    pub(crate) fn by_place(&self) -> ByPlace<'a> {
        let servers = self.resolution.servers.iter();
        servers
            .filter_map(|server| {
                let place = server.definition.place.as_ref()?;
                Some(((&*place.path, place.span.start), server))
            })
            .collect()
    }

    fn source(&self, path: &Utf8Path) -> Option<&'a Source> {
        let all = &self.resolution.sources;
        let sources = self.sources.get_or_init(|| {
            let sources = all.iter().enumerate();
            sources
                .map(|(at, source)| (Arc::clone(source.path()), at))
                .collect()
        });
        all.get(*sources.get(path)?).map(|source| &**source)
    }

    /// Whether the variable `name` has a value for this harness, be it from its own files.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        let variables = || {
            let variables = self.resolution.variables.iter();
            variables.map(|(name, _)| name.clone()).collect()
        };
        self.world.env.get(name).is_some() || self.variables.get_or_init(variables).contains(name)
    }

    /// Whether the file at `path` could not be used at all.
    pub(crate) fn is_broken(&self, path: &Utf8Path) -> bool {
        let broken = || {
            let files = self.resolution.files.iter();
            let broken = files.filter(|file| file.state == FileState::Broken);
            broken.map(|file| file.path.clone()).collect()
        };
        self.broken.get_or_init(broken).contains(path)
    }

    /// `path` as a person would write it here.
    pub(crate) fn shown(&self, path: &Utf8Path) -> String {
        Shown(&self.world.shown(path)).to_string()
    }
}

/// Servers by the file and the byte where their names stand.
pub(crate) type ByPlace<'a> = HashMap<(&'a Utf8Path, usize), &'a Server>;

/// One server of a harness.
pub(crate) struct Subject<'a> {
    pub(crate) account: &'a Account<'a>,
    pub(crate) server: &'a Server,
    base_name: OnceCell<String>,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(account: &'a Account<'a>, server: &'a Server) -> Self {
        Subject {
            account,
            server,
            base_name: OnceCell::new(),
        }
    }

    /// What its definition says.
    pub(crate) fn entry(&self) -> &'a Entry {
        &self.server.definition.entry
    }

    /// The name of the program that its command names: no folder, no ending that Windows adds, in lower case. Empty without one.
    pub(crate) fn base_name(&self) -> &str {
        let command = self.entry().command.as_ref();
        let name = || command.map(|command| base_name(command.value.expose()));
        self.base_name.get_or_init(|| name().unwrap_or_default())
    }

    /// Where its name stands.
    pub(crate) fn place(&self) -> Option<&'a Place> {
        self.server.definition.place.as_ref()
    }

    /// A finding of `check` about this server, at its name.
    pub(crate) fn finding(&self, check: &'static Check, text: impl Into<String>) -> Finding {
        Finding {
            server: Some(self.server.definition.name.clone()),
            ..self.account.finding(check, text)
        }
        .at(self.place())
    }

    /// Whether it is started here, or would be after somebody's yes: what is wrong with its start is worth telling.
    pub(crate) fn may_start(&self) -> bool {
        matches!(
            self.server.status,
            Status::Configured | Status::NeedsApproval | Status::Untrusted | Status::Unknown
        )
    }

    /// Whether it stands in the own file of another agent, which is told of it.
    pub(crate) fn is_anothers(&self) -> bool {
        let Account {
            agents, harness, ..
        } = self.account;
        self.place()
            .is_some_and(|place| owners::is_another_agents(agents, harness.id(), &place.path))
    }

    /// Whether the harness reads the definition at all, whatever becomes of it.
    pub(crate) fn is_read(&self) -> bool {
        self.server.status != Status::Ignored
    }
}
