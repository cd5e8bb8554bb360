//! Codex 0.171.0.
//!
//! ```text
//! command line ─► session ─┐
//! CODEX_HOME, .env ────────┤
//! files ─► layers ─► gather: lowest first, a project's own by trust ─► merge: key by key
//!                       │                                                │
//!                       └─► stop: one mistake stops everything  ◄── toplevel, validate, requirements, enterprise
//!                                                                        │
//!                                                                        server ──► launch: what is started, with what
//! plugins ───────────────────────────────────────────► rows: allowed? switched on? started? ─► servers
//! ```
//!
//! Two questions are answered: what a session starts, and what `codex mcp list` reports, which looks less closely.
//! What stands in the rules' [evidence](muster_core::Evidence) was seen on the real program; where a part of it is only
//! documented, its comment says so. Sign-in, cloud-managed configuration, remote environments and macOS profiles are not known.

mod aside;
mod decoys;
mod enterprise;
mod entry;
mod environment;
mod example;
mod gather;
mod identity;
mod idiom;
mod launch;
mod layers;
mod merge;
mod nested;
mod overrides;
mod panel;
mod plugin_rows;
mod plugins;
mod providers;
mod requirements;
mod root;
mod rows;
mod rules;
mod salvage;
mod schema;
mod session;
mod start;
mod stop;
mod tooling;
mod toplevel;
mod trust;
mod validate;
mod words;

use camino::Utf8Path;
use muster_core::{
    CommandLineError, Dossier, Field, Harness, Idiom, LaunchError, LaunchPlan, Note, Platform,
    Resolution, Rule, Server, Session, Unset, VariableForm, World,
};
use muster_document::Shown;

use environment::CodexHome;
use gather::Gathered;
use merge::Merged;
use rows::Rows;
use session::{CommandLine, Program};
use start::Question;
use stop::Stop;

/// Codex.
#[derive(Debug)]
pub struct Codex;

impl Harness for Codex {
    fn id(&self) -> &'static str {
        "codex"
    }

    fn name(&self) -> &'static str {
        "Codex"
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
        &["CODEX_HOME"]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["codex"]
    }

    fn package(&self) -> Option<&'static str> {
        Some("@openai/codex")
    }

    fn variables(&self, _field: Field) -> &'static [VariableForm] {
        &[]
    }

    fn unset(&self, _field: Field) -> Unset {
        Unset::StaysText
    }

    fn tool_name(&self, server: &str, tool: &str) -> String {
        launch::tool_name(server, tool)
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
        let line = command_line(world);
        let home = CodexHome::find(world);
        let mut dossier = Dossier::new(world);
        let gathered = Gathered::read(&mut dossier, &line, &home);
        let config = gathered.merged();
        let stop = gathered.stop(world, &line, &config);
        let mut decoys = Vec::new();
        let plugins = match &home.folder {
            Some(folder) => {
                decoys = decoys::find(&mut dossier, folder, &gathered.trust_folder);
                aside::note_elsewhere(
                    &mut dossier,
                    folder,
                    line.profile.as_deref(),
                    &config,
                    &folder.join("config.toml"),
                );
                plugins::find(&mut dossier, folder, &config, &|value: &Merged<'_>| {
                    value.origin().and_then(|origin| gathered.place(origin))
                })
            }
            None => Vec::new(),
        };
        let mut variables = Vec::new();
        let env = environment::effective(&mut dossier, &home, &mut variables);
        let user_file = format!("{}/config.toml", home.name);
        let question = Question {
            lists: line.program == Program::McpList,
            env: &env,
        };
        let (servers, required) = Rows::new(world, &gathered, &config, question, user_file.clone())
            .settle(&plugins, &decoys, stop.as_ref());
        variables.extend(muster_core::named_variables(&servers, &env));
        variables.extend(environment::passed_on(&config, &env));
        let stopped = stop
            .as_ref()
            .map(Stop::note)
            .or_else(|| required.as_deref().map(required_note));
        if gathered.asks_for_trust && stopped.is_none() {
            dossier.note(&rules::TRUST_QUESTION, "Codex asks \"Trust this folder?\" when it starts here, and starts no server, not even yours, until that is answered", None);
        }
        if world.headless() && world.session.is_none() && gathered.outside_git {
            dossier.note(&rules::OUTSIDE_GIT, "this folder is in no git repository: `codex exec` starts nothing here without --skip-git-repo-check", None);
        }
        if world.platform != Platform::Linux {
            dossier.note(&rules::PLATFORM, "these rules were seen on Linux; what is different on this platform is as documents tell it", None);
        }
        Resolution {
            id: self.id(),
            name: self.name(),
            rules_version: self.rules_version(),
            installed: muster_core::installed_version(world, "codex", "@openai/codex"),
            situation: situation(&gathered).filter(|_| stopped.is_none()),
            files: dossier.files,
            servers,
            elsewhere: Vec::new(),
            notes: dossier.notes,
            stopped,
            sources: dossier.sources,
            variables,
            takes_from: None,
            first_steps: vec![format!(
                "{} takes [mcp_servers.NAME] tables; or: codex mcp add NAME -- COMMAND",
                Shown(&user_file)
            )],
        }
    }

    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
        launch::plan(world, server)
    }
}

/// The command line that is asked about; without one, a plain session in the world's mode.
fn command_line(world: &World<'_>) -> CommandLine {
    let asked = world
        .session
        .as_ref()
        .and_then(|session| CommandLine::parse(&session.words).ok());
    let plain = if world.headless() {
        Program::Exec
    } else {
        Program::Tui
    };
    asked.unwrap_or_else(|| CommandLine::plain(plain))
}

fn situation(gathered: &Gathered) -> Option<String> {
    let untrusted = !gathered.off.is_empty() || gathered.lost.iter().any(|lost| lost.untrusted);
    match (gathered.asks_for_trust, untrusted) {
        (true, _) => Some("nothing starts until trust is answered".to_owned()),
        (false, true) => Some("this folder is not trusted".to_owned()),
        (false, false) => None,
    }
}

fn required_note(name: &str) -> Note {
    let text = format!(
        "the session ends at once: the required server {} does not start",
        Shown(name)
    );
    Note {
        rule: &rules::REQUIRED,
        text,
        place: None,
    }
}

#[cfg(test)]
mod platforms;
#[cfg(test)]
mod tests;
