//! How Claude Code reaches a server at an address.

use std::time::Duration;

use muster_core::{Entry, Giver, Gives, Helper, Scope, Server, Start, Transport};
use muster_document::Secret;

use super::super::expand::Missing;
use super::Planner;

/// How long a helper may take. Chosen: what Claude Code allows was not seen.
const HELPER: Duration = Duration::from_secs(10);

impl Planner<'_> {
    /// The address of `entry`, and what it is called with.
    pub(super) fn remote(
        &self,
        entry: &Entry,
        transport: Transport,
        url: &str,
        remarks: &mut Vec<String>,
    ) -> Start {
        let mut missing = Missing::default();
        let mut expand = |text: &str| self.variables.expand_text(text, true, &mut missing);
        let url = Secret::new(expand(url));
        let headers = entry.headers.iter().map(|(name, value)| {
            // Twice, so that a default may hold a variable.
            let once = expand(value.value.expose());
            (name.clone(), Secret::new(expand(&once)))
        });
        let headers = headers.collect();
        self.remark_on_variables(entry, true, &missing, remarks);
        Start::Remote {
            transport,
            fallback: None,
            url,
            headers,
        }
    }

    /// What is asked for header fields, where that is done.
    pub(super) fn helper(
        &self,
        server: &Server,
        url: &str,
        remarks: &mut Vec<String>,
    ) -> Option<Helper> {
        let helper = server.definition.entry.headers_helper.as_ref()?;
        let scope = server.definition.scope;
        let asks_trust = matches!(scope, Scope::Local | Scope::Project);
        if asks_trust && !self.trust.strict {
            remarks.push("headersHelper is not run: this folder is not trusted; it still connects, without those headers".to_owned());
            return None;
        }
        remarks.push(
            "headersHelper is run by a shell before it connects; its headers win over those that are written".to_owned(),
        );
        let url = self
            .variables
            .expand_text(url, true, &mut Missing::default());
        let mut given = self.surroundings(&mut Vec::new());
        let told = [
            (
                "CLAUDE_CODE_MCP_SERVER_NAME",
                server.definition.name.clone(),
            ),
            ("CLAUDE_CODE_MCP_SERVER_URL", url),
        ];
        given.extend(
            told.map(|(name, value)| (name.to_owned(), Secret::new(value), Giver::Harness)),
        );
        Some(Helper {
            gives: Gives::Headers,
            command: helper.value.clone(),
            cwd: match scope {
                Scope::User => self.ground.config.clone(),
                _ => self.ground.cwd.clone(),
            },
            env: self.world.handed(given),
            patience: HELPER,
            required: false,
        })
    }
}
