//! OpenCode 1.18.33, and what is documented of 2.x.
//!
//! ```text
//! variables, folders ─► ground ─► gather: lowest first ─► account: each file checked alone, then merged key by key
//!                                   │                        │            └─ stop: one fault stops everything
//!            {env:}, {file:} ─► substitute, before parsing   └─ entries: 1.x and 2.x layouts, lowered to one
//!                                                            │
//!                                     aside ────────────► rows: a definition? switched on? can it start? ─► servers
//! ```
//!
//! Nobody is ever asked: OpenCode trusts every folder. What stands in the rules' [evidence](muster_core::Evidence) was seen on the real
//! program, or read in it. 2.x could not be had: its rules are in [`next`], and told in a note where they differ, unless the installed program
//! or the command line is 2.x.

mod account;
mod address;
mod aside;
mod entries;
mod entry;
mod example;
mod gather;
mod ground;
mod idiom;
mod launch;
mod layers;
mod markdown;
mod merge;
mod next;
mod notes;
mod rows;
mod rules;
mod schema;
mod session;
mod shapes;
mod stop;
mod substitute;
mod tooling;

use camino::Utf8Path;
use muster_core::{
    CommandLineError, Dossier, Field, Harness, Idiom, LaunchError, LaunchPlan, Note, Resolution,
    Rule, Server, Session, Unset, VariableForm, World,
};
use muster_document::{Secret, Shown};

use account::Account;
use gather::Gathered;
use ground::Ground;
use next::Version;
use rows::Rows;
use session::CommandLine;
use tooling::Filters;

/// The npm package that brings `opencode`.
const PACKAGE: &str = "opencode-ai";

/// OpenCode.
#[derive(Debug)]
pub struct OpenCode;

impl Harness for OpenCode {
    fn id(&self) -> &'static str {
        "opencode"
    }

    fn name(&self) -> &'static str {
        "OpenCode"
    }

    fn rules_version(&self) -> &'static str {
        rules::VERSION
    }

    fn loses_tools_over(&self) -> &'static [muster_core::ListFault] {
        use muster_core::ListFault::{
            NoSchema, NoTool, NullCursor, RepeatedCursor, SchemaOfNoObject,
        };
        // Observed on this version with servers that have one fault each.
        &[
            NoTool,
            NoSchema,
            SchemaOfNoObject,
            NullCursor,
            RepeatedCursor,
        ]
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::ALL
    }

    fn home_variables(&self) -> &'static [&'static str] {
        &[
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "OPENCODE_CONFIG",
            "OPENCODE_CONFIG_DIR",
            "OPENCODE_CONFIG_CONTENT",
            "OPENCODE_TEST_HOME",
        ]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["opencode", "opencode2"]
    }

    fn package(&self) -> Option<&'static str> {
        Some(PACKAGE)
    }

    fn variables(&self, _field: Field) -> &'static [VariableForm] {
        &[VariableForm::EnvCurly, VariableForm::FileCurly]
    }

    fn unset(&self, _field: Field) -> Unset {
        Unset::Empty
    }

    fn tool_name(&self, server: &str, tool: &str) -> String {
        tooling::tool_name(server, tool)
    }

    fn idiom(&self) -> &'static Idiom {
        &idiom::IDIOM
    }

    fn example(&self) -> &'static [(&'static str, &'static str)] {
        example::FILES
    }

    fn session(&self, words: &[String], cwd: &Utf8Path) -> Result<Session, CommandLineError> {
        Ok(CommandLine::parse(words)?.session(words, cwd))
    }

    fn resolve(&self, world: &World<'_>) -> Resolution {
        let installed = muster_core::installed_version(world, "opencode", PACKAGE);
        let version = Version::of(world, installed.as_deref());
        let ground = Ground::find(world);
        let dossier = Dossier::new(world);
        let answer = match version {
            Version::Next => answer_of_next(dossier, &ground),
            version => answer(dossier, &ground, version),
        };
        Resolution {
            id: self.id(),
            name: self.name(),
            rules_version: match version {
                Version::Next => "2.x",
                _ => self.rules_version(),
            },
            installed,
            situation: None,
            files: answer.dossier.files,
            servers: answer.servers,
            elsewhere: Vec::new(),
            notes: answer.dossier.notes,
            stopped: answer.stopped,
            sources: answer.dossier.sources,
            variables: answer.variables,
            takes_from: None,
            first_steps: vec![first_step(world, &ground)],
        }
    }

    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
        let installed = muster_core::installed_version(world, "opencode", PACKAGE);
        let ground = Ground::find(world);
        let mut dossier = Dossier::new(world);
        if let Some(error) = LaunchError::of(server) {
            return Err(error);
        }
        if Version::of(world, installed.as_deref()) == Version::Next {
            let gathered = next::Gathered::read(&mut dossier, &ground);
            return next::plan(world, server, &gathered);
        }
        let gathered = Gathered::read(&mut dossier, &ground);
        launch::plan(world, server, &Account::of(&gathered))
    }
}

/// What the rules of one version say.
struct Answer<'w> {
    dossier: Dossier<'w>,
    servers: Vec<Server>,
    stopped: Option<Note>,
    variables: Vec<(String, Secret)>,
}

/// By the rules of 1.x.
fn answer<'w>(mut dossier: Dossier<'w>, ground: &Ground, version: Version) -> Answer<'w> {
    let world = dossier.world;
    let gathered = Gathered::read(&mut dossier, ground);
    let account = Account::of(&gathered);
    account.mark(&mut dossier);
    notes::add(&mut dossier, ground, &gathered, &account);
    let decoys = aside::decoys(&mut dossier, ground);
    let filters = Filters::of(&account, world);
    let lists = world.session.as_ref().is_some_and(|session| session.lists);
    let mut rows = Rows::new(world, &account, filters, lists);
    rows.add_decoys(world, ground, &decoys);
    let servers = rows.settle(&gathered);
    // Where nothing is configured nobody asks what another version would make of it.
    if version == Version::Unknown && !gathered.items.is_empty() {
        next::compare(&mut dossier, ground, &servers);
    }
    let mut variables = gathered.used.values.clone();
    variables.extend(muster_core::named_variables(&servers, &world.env));
    Answer {
        servers,
        stopped: account.stop.as_ref().map(stop::Stop::note),
        variables,
        dossier,
    }
}

/// By the rules of 2.x.
fn answer_of_next<'w>(mut dossier: Dossier<'w>, ground: &Ground) -> Answer<'w> {
    let world = dossier.world;
    let gathered = next::Gathered::read(&mut dossier, ground);
    let servers = next::rows(world, &gathered);
    let mut variables = gathered.used.values;
    variables.extend(muster_core::named_variables(&servers, &world.env));
    Answer {
        servers,
        stopped: None,
        variables,
        dossier,
    }
}

fn first_step(world: &World<'_>, ground: &Ground) -> String {
    let global = ground.global.as_ref().map(|global| {
        let file = world.shown(&global.join("opencode.json"));
        format!(" or {}", Shown(&file))
    });
    format!(
        "opencode.json here{} takes mcp entries; or: opencode mcp add NAME -- COMMAND",
        global.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests;
