//! Claude Code 2.1.332.

mod rules;

use camino::Utf8Path;
use muster_core::{CommandLineError, Harness, Mode, Resolution, Rule, Session, World};

/// Claude Code.
#[derive(Debug)]
pub struct ClaudeCode;

impl Harness for ClaudeCode {
    fn id(&self) -> &'static str {
        "claude-code"
    }

    fn name(&self) -> &'static str {
        "Claude Code"
    }

    fn rules_version(&self) -> &'static str {
        rules::VERSION
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::ALL
    }

    fn home_variables(&self) -> &'static [&'static str] {
        &["CLAUDE_CONFIG_DIR"]
    }

    fn program(&self) -> &'static str {
        "claude"
    }

    fn package(&self) -> &'static str {
        "@anthropic-ai/claude-code"
    }

    fn session(&self, words: &[String], _cwd: &Utf8Path) -> Result<Session, CommandLineError> {
        Ok(Session { words: words.to_vec(), mode: Mode::Interactive, folder: None, lists: false })
    }

    fn resolve(&self, world: &World<'_>) -> Resolution {
        Resolution {
            id: self.id(),
            name: self.name(),
            rules_version: self.rules_version(),
            installed: muster_core::installed_version(world, self.program(), self.package()),
            files: Vec::new(),
            servers: Vec::new(),
            notes: Vec::new(),
            stopped: None,
            sources: Vec::new(),
            situation: None,
            first_steps: Vec::new(),
        }
    }
}
