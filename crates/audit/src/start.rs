//! Where and with what a server is started, as far as that can be told without asking the harness for its plan: a plan takes far
//! longer than everything else that is looked at here.

use std::borrow::Cow;

use camino::Utf8PathBuf;
use muster_core::{Field, Start, Tilde, VariableForm};

use crate::account::Subject;
use crate::program::{Found, is_path, search_path};
use crate::references::{self, Style};

/// What stands in a path before it is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expanded<'t> {
    /// The text with its variables filled in.
    Text(Cow<'t, str>),
    /// It begins with a `~` that this harness leaves.
    Tilde,
}

impl<'a> Subject<'a> {
    /// `text` of `field` as the harness fills it in; `None` where that cannot be told.
    pub(crate) fn expanded<'t>(&self, field: Field, text: &'t str) -> Option<Expanded<'t>> {
        let world = self.account.world;
        let mut filled = Cow::Borrowed(text);
        if let Some(rest) = text.strip_prefix("~/") {
            match self.account.idiom().tilde {
                Tilde::Followed => {}
                Tilde::Kept => return Some(Expanded::Tilde),
                Tilde::Unknown => return None,
            }
            filled = Cow::Owned(world.home.as_ref()?.join(rest).into_string());
        }
        let forms = self.account.harness.variables(field);
        for reference in references::find(text) {
            let Style::Form(form) = reference.style else {
                return None;
            };
            // What is not followed stays, and is told of as such.
            if !forms.contains(&form) || form == VariableForm::Default {
                return None;
            }
            let value = world.env.get(reference.name)?;
            filled = Cow::Owned(filled.replace(&reference.shown(), value));
        }
        (!filled.contains(['$', '{'])).then_some(Expanded::Text(filled))
    }

    /// The folder that it is started in; `None` where that cannot be told.
    pub(crate) fn folder(&self) -> Option<Utf8PathBuf> {
        let start = &self.account.world.start;
        let Some(cwd) = &self.entry().cwd else {
            return Some(self.account.world.cwd.clone());
        };
        match self.expanded(Field::Cwd, cwd.value.expose())? {
            Expanded::Text(cwd) => Some(self.account.world.at(&cwd, start)),
            Expanded::Tilde => Some(self.account.world.at(cwd.value.expose(), start)),
        }
    }

    /// What `command`, filled in, starts. Most are where the world's PATH leads; only where one is not, the harness is asked for the
    /// path that it gives its servers.
    pub(crate) fn program(&self, command: &str) -> Option<Found> {
        let (account, world) = (self.account, self.account.world);
        let programs = &account.programs;
        let folder = self.folder()?;
        if is_path(command, world.platform) {
            return Some(programs.look_up(world, command, &folder, ""));
        }
        let mut env = self.entry().env.iter();
        let own = env.find(|(name, _)| name.eq_ignore_ascii_case("PATH"));
        if let Some((_, own)) = own {
            return match self.expanded(Field::EnvValue, own.value.expose())? {
                Expanded::Text(path) => Some(programs.look_up(world, command, &folder, &path)),
                Expanded::Tilde => None,
            };
        }
        let found = programs.named(world, command, search_path(world)?);
        if !matches!(found, Found::Nothing(_)) {
            return Some(found);
        }
        let given = account
            .search_path
            .get_or_init(|| self.given_path())
            .as_ref()?;
        Some(programs.look_up(world, command, &folder, given))
    }

    /// The search path that the harness gives this server.
    fn given_path(&self) -> Option<String> {
        let plan = self.account.harness.launch(self.account.world, self.server);
        let Ok(Start::Process { env, .. }) = plan.map(|plan| plan.start) else {
            return None;
        };
        let mut paths = env.iter();
        let path = paths.find(|handed| handed.name.eq_ignore_ascii_case("PATH"))?;
        Some(path.value.expose().to_owned())
    }
}
