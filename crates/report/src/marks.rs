//! In which tools something was found.

use std::collections::HashMap;

use muster_core::{Finding, Launched};

/// The findings about tools, by the names of server and tool.
pub(crate) struct Marks<'f>(HashMap<(&'f str, &'f str), Vec<&'f Finding>>);

impl<'f> Marks<'f> {
    /// Those of `findings`, which are clean.
    pub(crate) fn new(findings: &'f [Finding]) -> Marks<'f> {
        let mut marks: HashMap<_, Vec<_>> = HashMap::new();
        for finding in findings {
            if let (Some(server), Some(tool)) = (&finding.server, &finding.tool) {
                let about = (server.as_str(), tool.as_str());
                marks.entry(about).or_default().push(finding);
            }
        }
        Marks(marks)
    }

    /// The ids of the checks that found something in the tool of `launched` that is shown as `tool`, each once.
    pub(crate) fn of(&self, launched: &Launched, tool: &str) -> Vec<&'static str> {
        let mut ids = Vec::new();
        let found = self.0.get(&(launched.server.as_str(), tool));
        for finding in found.into_iter().flatten() {
            // A server of the same name that other harnesses load is another one.
            let here = finding.harness;
            if here.is_none_or(|id| launched.harnesses.contains(&id))
                && !ids.contains(&finding.check.id)
            {
                ids.push(finding.check.id);
            }
        }
        ids
    }

    /// The names of the tools of `launched` in which something was found, sorted.
    pub(crate) fn tools(&self, launched: &Launched) -> Vec<&'f str> {
        let of_server = self
            .0
            .keys()
            .filter(|(server, _)| *server == launched.server);
        let mut tools: Vec<&str> = of_server
            .map(|(_, tool)| *tool)
            .filter(|tool| !self.of(launched, tool).is_empty())
            .collect();
        tools.sort_unstable();
        tools
    }
}
