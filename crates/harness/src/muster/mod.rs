//! Muster itself: its own list of servers, and those that Claude Code knows here.
//!
//! `muster serve` starts them for any agent, so this is what it will do, decided and not observed. An entry is spelled as Claude Code
//! or as Codex takes it and can be carried over unchanged. Beside `mcp_servers`, `config.json` may hold
//! `"claude_code_servers": false`: then none of Claude Code's are taken.
//!
//! ```text
//! own: config.json ──────────────┐
//! taken: what Claude Code knows ─┴─► entry: one look at both ─► judge: own, local, project, user
//! ```
//!
//! What stands in Muster's own list decides about its name, even if it is switched off or wrong. Of Claude Code's, a no said there
//! counts here too; a yes does not: whether to trust a repository's `.mcp.json` is for Muster's user to say to Muster.

mod elsewhere;
mod entry;
mod example;
mod expand;
mod idiom;
mod judge;
mod launch;
mod own;
mod rules;
mod session;
mod taken;

use camino::Utf8Path;
use muster_core::{
    Beside, CommandLineError, Dossier, Field, Harness, Idiom, LaunchError, LaunchPlan, Resolution,
    Rule, Server, Session, Unset, VariableForm, World,
};
use muster_document::Shown;

use own::{Origin, Own};

/// Muster.
#[derive(Debug)]
pub struct Muster;

impl Harness for Muster {
    fn id(&self) -> &'static str {
        "muster"
    }

    fn name(&self) -> &'static str {
        "Muster"
    }

    fn rules_version(&self) -> &'static str {
        rules::VERSION
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::ALL
    }

    fn home_variables(&self) -> &'static [&'static str] {
        &["XDG_CONFIG_HOME", "APPDATA"]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["muster"]
    }

    fn package(&self) -> Option<&'static str> {
        None
    }

    fn variables(&self, field: Field) -> &'static [VariableForm] {
        match field {
            Field::Cwd => &[],
            _ => &[VariableForm::Braces, VariableForm::Default],
        }
    }

    fn unset(&self, field: Field) -> Unset {
        match field {
            Field::Cwd => Unset::StaysText,
            _ => Unset::ServerFails,
        }
    }

    fn tool_name(&self, server: &str, tool: &str) -> String {
        format!("{server}__{tool}")
    }

    fn idiom(&self) -> &'static Idiom {
        &idiom::IDIOM
    }

    fn example(&self) -> &'static [(&'static str, &'static str)] {
        example::FILES
    }

    fn session(&self, words: &[String], cwd: &Utf8Path) -> Result<Session, CommandLineError> {
        session::session(words, cwd)
    }

    fn resolve(&self, world: &World<'_>) -> Resolution {
        let alone = Beside {
            others: &[],
            repeats: true,
        };
        self.resolve_beside(world, alone)
    }

    fn resolve_beside(&self, world: &World<'_>, beside: Beside<'_>) -> Resolution {
        let mut dossier = Dossier::new(world);
        let config = own::config_file(world);
        let own = match &config {
            Some(config) => own::read(&mut dossier, config),
            None => Own {
                takes_claude_code: true,
                ..Own::default()
            },
        };
        let mut found = own.found;
        let mut known = Vec::new();
        if own.takes_claude_code {
            let wanted = beside.repeats || found.iter().any(|found| found.origin == Origin::Own);
            let (taken, variables) = taken::find(&mut dossier, beside, wanted);
            found.extend(taken);
            known = variables;
        }
        if let Some(config) = &config {
            found.extend(elsewhere::find(&mut dossier, config));
        }
        let shown = config.as_deref().map(|config| world.shown(config));
        let shown = shown.unwrap_or_else(|| "config.json".to_owned());
        let shown = Shown(&shown).to_string();
        let servers = judge::judge(&mut dossier, found, &shown);
        let named = muster_core::named_variables(&servers, &world.env);
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
            variables: named.into_iter().chain(known).collect(),
            situation: None,
            takes_from: own.takes_claude_code.then_some("claude-code"),
            first_steps: vec![format!(
                "write mcp_servers into {shown}, an entry as Claude Code or Codex takes it"
            )],
        }
    }

    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
        launch::plan(world, server)
    }
}

#[cfg(test)]
mod tests;
