//! From a launch plan to its view.

use muster_core::{LaunchPlan, Start};
use muster_document::Masked;

use super::{Handed, Launch, Origin, Timeout, ToolNames, Tools};
use crate::paths::without_secrets;

impl<'a> Launch<'a> {
    pub(crate) fn new(launch: &'a crate::Launch<'_>) -> Launch<'a> {
        let definition = &launch.server.definition;
        let nothing = Launch {
            loads: launch.server.status.loads(),
            scope: definition.scope.into(),
            origin: Origin::of(definition.place.as_ref()),
            refused: None,
            transport: None,
            fallback: None,
            command: None,
            cwd: None,
            env: Vec::new(),
            withheld: Vec::new(),
            url: None,
            headers: Vec::new(),
            headers_helper: None,
            startup_timeout: None,
            call_timeout: None,
            tool_names: None,
            tools: Tools {
                only: None,
                without: Vec::new(),
            },
            remarks: Vec::new(),
        };
        match &launch.plan {
            Ok(plan) => nothing.planned(launch, plan),
            Err(error) => Launch {
                refused: Some(error.to_string()),
                ..nothing
            },
        }
    }

    fn planned(self, launch: &crate::Launch<'_>, plan: &'a LaunchPlan) -> Launch<'a> {
        let with_limits = Launch {
            startup_timeout: Some(Timeout::new(&plan.startup_timeout)),
            call_timeout: Some(Timeout::new(&plan.call_timeout)),
            tool_names: Some(ToolNames {
                pattern: plan.tool_names,
                example: launch.example.clone(),
            }),
            tools: Tools {
                only: plan.tools_only.clone(),
                without: plan.tools_without.clone(),
            },
            remarks: plan.remarks.clone(),
            ..self
        };
        match &plan.start {
            Start::Process {
                argv,
                cwd,
                env,
                withheld,
            } => Launch {
                transport: Some(muster_core::Transport::Stdio.into()),
                command: Some(launch.command(argv).into_iter().map(String::from).collect()),
                cwd: Some(without_secrets(cwd.as_str()).into_owned()),
                env: env
                    .iter()
                    .map(|variable| Handed {
                        name: variable.name.clone(),
                        giver: variable.giver.into(),
                    })
                    .collect(),
                withheld: withheld.clone(),
                ..with_limits
            },
            Start::Remote {
                transport,
                fallback,
                url,
                headers,
            } => Launch {
                transport: Some((*transport).into()),
                fallback: fallback.map(Into::into),
                url: Some(launch.url(url).into()),
                headers: headers.iter().map(|(name, _)| name.clone()).collect(),
                headers_helper: plan
                    .headers_helper()
                    .map(|helper| Masked::word(helper).into()),
                ..with_limits
            },
        }
    }
}

impl<'a> Timeout<'a> {
    fn new(timeout: &'a muster_core::Timeout) -> Timeout<'a> {
        Timeout {
            seconds: timeout.duration.map(|duration| duration.as_secs_f64()),
            origin: Origin::of(timeout.place.as_ref()),
        }
    }
}
