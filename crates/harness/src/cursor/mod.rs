//! Cursor's terminal agent, and its editor as far as files tell.
//!
//! Nothing of it could be run: what stands here was read in the vendor's pages and in what others measured. Where they agree the
//! verdict is theirs; where they contradict each other it is `unknown`, and the reason says about what.
//!
//! ```text
//! command line ─► session ─► ground: project root, the user's file, the data folder
//!                               │
//!        approval: mcp-approvals.json, mcp-disabled.json
//!                               │
//!   sources, plugins: project ► user ► plugins, each entry checked by entry ─► judge: replaced whole by name
//! ```
//!
//! The project's servers wait for a yes that is stored by a hash of their content; the user's do not.

mod approval;
mod elsewhere;
mod entry;
mod example;
mod expand;
mod ground;
mod idiom;
mod judge;
mod launch;
mod plugins;
mod rules;
mod session;
mod sources;

use camino::Utf8Path;
use muster_core::{
    CommandLineError, Dossier, Field, Harness, Idiom, LaunchError, LaunchPlan, Resolution, Rule,
    Server, Session, Unset, VariableForm, World,
};

use approval::Kept;
use expand::Variables;
use ground::Ground;
use judge::Circumstances;
use session::{CommandLine, Surface};
use sources::{Found, Origin, Reader};

/// Cursor.
#[derive(Debug)]
pub struct Cursor;

impl Harness for Cursor {
    fn id(&self) -> &'static str {
        "cursor"
    }

    fn name(&self) -> &'static str {
        "Cursor"
    }

    fn rules_version(&self) -> &'static str {
        rules::VERSION
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::ALL
    }

    fn consents(&self) -> &'static [&'static Rule] {
        rules::CONSENTS
    }

    fn home_variables(&self) -> &'static [&'static str] {
        &["CURSOR_DATA_DIR", "CURSOR_CONFIG_DIR"]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["cursor-agent", "agent", "cursor"]
    }

    fn package(&self) -> Option<&'static str> {
        None
    }

    fn variables(&self, field: Field) -> &'static [VariableForm] {
        match field {
            Field::Cwd => &[],
            _ => &[VariableForm::EnvBraces],
        }
    }

    fn unset(&self, _field: Field) -> Unset {
        Unset::Unknown
    }

    fn tool_name(&self, server: &str, tool: &str) -> String {
        format!("{server}:{tool}")
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
        let line = CommandLine::of(world);
        let ground = Ground::survey(world, &line);
        let mut dossier = Dossier::new(world);
        let found = gather(&mut dossier, &line, &ground);
        let servers = Circumstances {
            world,
            line: &line,
            ground: &ground,
            kept: &found.kept,
        }
        .judge(found.definitions);
        note_what_no_file_shows(&mut dossier, &line, &servers);
        let variables = muster_core::named_variables(&servers, &world.env);
        Resolution {
            id: self.id(),
            name: self.name(),
            rules_version: self.rules_version(),
            installed: None,
            files: dossier.files,
            servers,
            elsewhere: Vec::new(),
            notes: dossier.notes,
            stopped: None,
            sources: dossier.sources,
            variables,
            situation: None,
            takes_from: None,
            first_steps: vec![
                "write mcpServers into ~/.cursor/mcp.json (every folder)".to_owned(),
                "or into .cursor/mcp.json here (this project, once you approve them)".to_owned(),
            ],
        }
    }

    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
        launch::plan(world, server)
    }
}

/// Every definition, strongest first, and what was said to them.
struct Gathered {
    definitions: Vec<Found>,
    kept: Kept,
}

fn gather(dossier: &mut Dossier<'_>, line: &CommandLine, ground: &Ground) -> Gathered {
    let world = dossier.world;
    let kept = match may_have_servers(world, line, ground) {
        true => Kept::read(dossier, ground),
        false => Kept::default(),
    };
    let reader = Reader {
        ground,
        kept: &kept,
        variables: Variables::of(world, Some(&ground.root)),
    };
    let mut definitions = Vec::new();
    if !ground.home_is_project() {
        definitions.extend(reader.file(dossier, &ground.project_file, Origin::Project));
    }
    if let Some(user_file) = &ground.user_file {
        definitions.extend(reader.file(dossier, user_file, Origin::User));
    }
    definitions.extend(plugins::find(dossier, &reader, line));
    for file in &ground.nested_files {
        definitions.extend(reader.file(dossier, file, Origin::Nested));
    }
    for folder in line.added_folders(&world.start) {
        let file = ground::file_in(&folder);
        definitions.extend(reader.file(dossier, &file, Origin::Added));
    }
    definitions.extend(elsewhere::find(dossier, ground));
    Gathered { definitions, kept }
}

/// Whether it is worth looking at what was approved and switched off.
fn may_have_servers(world: &World<'_>, line: &CommandLine, ground: &Ground) -> bool {
    let plugins = world.home.as_ref().map(|home| home.join(".cursor/plugins"));
    world.files.is_file(&ground.project_file)
        || !line.plugin_dirs.is_empty()
        || [&ground.user_file, &plugins]
            .into_iter()
            .flatten()
            .any(|path| world.files.exists(path))
}

/// What decides in Cursor and stands in no file.
fn note_what_no_file_shows(dossier: &mut Dossier<'_>, line: &CommandLine, servers: &[Server]) {
    if servers.is_empty() {
        return;
    }
    if line.surface != Surface::Editor {
        let text = "this is about the terminal agent: the editor keeps a switch for each server in its own storage, which Muster does not read, and a team's dashboard may add or forbid servers";
        dossier.note(&rules::EDITOR, text, None);
    }
    if line.surface == Surface::Acp {
        let text = "an ACP client may bring servers of its own";
        dossier.note(&rules::ACP, text, None);
        if line.approve_mcps {
            let text = "--approve-mcps does nothing in ACP mode";
            dossier.note(&rules::APPROVE_FLAG, text, None);
        }
    }
}

#[cfg(test)]
mod tests;
