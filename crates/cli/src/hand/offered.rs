//! What servers offer, asked and kept.

use std::sync::Arc;

use muster_client::{Answers, ErrorObject, List, RequestError, Running};
use muster_core::{Files, Resolution, Start};
use muster_report::{Known, Offered, Offering, Offers, State};
use serde_json::Value;
use tokio::time::Instant;

use super::ask::Terminal;
use super::error::HandError;
use super::live::Aside;
use super::target::{Target, target};
use super::using::{Behaviour, Trouble, Way, net, server_says};
use crate::args::{Common, Using};
use crate::error::CliError;
use crate::output::Output;
use crate::sign_ins::sign_ins;
use crate::world::Scene;

/// What every hand tool begins with.
pub(crate) struct Bench<'f> {
    pub(crate) scene: Scene<'f>,
    /// What the agents make of it; empty where no agent is asked.
    pub(crate) resolutions: &'static [Resolution],
    /// What may not be printed.
    pub(crate) known: Arc<Known>,
}

impl<'f> Bench<'f> {
    /// The session that `common` describes. For a server that is none of an agent's, no agent is asked.
    pub(crate) fn new(
        common: &Common,
        server: Option<&str>,
        using: &Using,
        files: &'f Files,
        output: &Output,
    ) -> Result<Bench<'f>, CliError> {
        let scene = Scene::new(common, &[], files)?;
        let known = output.known().clone();
        let unknown = !using.command.is_empty() || server.is_some_and(|name| name.contains("://"));
        if unknown {
            return Ok(Bench {
                scene,
                resolutions: &[],
                known,
            });
        }
        // Who only repeats what another agent has adds nothing here.
        let resolutions = scene.resolve(crate::args::Format::Text);
        known.learn_survey(&scene.survey(resolutions, &[]));
        Ok(Bench {
            scene,
            resolutions,
            known,
        })
    }

    /// What servers may ask while they are only listed: many offer more to a client that could answer. Nobody is asked then.
    pub(crate) fn behaviour(&self, server: &str, common: &Common, output: &Output) -> Behaviour {
        let aside = Aside::new(output);
        let terminal = Terminal::new(server, &aside, &Arc::default(), false);
        Behaviour {
            answers: Answers {
                roots: Some(vec![self.scene.world().cwd.clone()]),
                elicits: Some(Arc::new(terminal)),
                samples: None,
            },
            log_level: common.verbose.then_some("debug"),
        }
    }

    /// The way to `target`, where it is at an address.
    pub(crate) fn way(&self, target: &Target, common: &Common) -> Result<Option<Way>, HandError> {
        match target.plan.start {
            Start::Process { .. } => Ok(None),
            Start::Remote { .. } => {
                let net = net(&self.scene.world().env)?;
                let sign_ins = sign_ins(&self.scene, common, net.clone());
                Ok(Some(Way { net, sign_ins }))
            }
        }
    }

    /// The server that is meant. What it gets is known from now on.
    pub(crate) fn target(
        &mut self,
        server: Option<&str>,
        using: &Using,
    ) -> Result<Target, HandError> {
        let target = target(&self.scene, self.resolutions, server, using)?;
        self.known.learn_plan(&target.plan);
        self.known.spare(&target.name);
        Ok(target)
    }
}

/// A server that was asked, or would have been.
pub(crate) struct Asked {
    pub(crate) server: String,
    pub(crate) harnesses: Vec<&'static str>,
    pub(crate) came: Came,
}

/// What came of it.
pub(crate) enum Came {
    /// It answered.
    Offers(Box<Answered>),
    /// It failed; why, as may be printed.
    Failed(String),
    /// It was not started; why, as may be printed.
    NotStarted(String),
}

/// What it answered.
#[derive(Debug, Default)]
pub(crate) struct Answered {
    pub(crate) era: &'static str,
    pub(crate) protocol: String,
    pub(crate) server_info: Value,
    pub(crate) instructions: Option<String>,
    pub(crate) items: Vec<Value>,
    pub(crate) templates: Vec<Value>,
    pub(crate) odd: usize,
    pub(crate) cut: bool,
}

impl Asked {
    /// As something to report on.
    pub(crate) fn offering(&self) -> Offering<'_> {
        Offering {
            server: &self.server,
            harnesses: &self.harnesses,
            state: match &self.came {
                Came::Failed(why) => State::Failed(why),
                Came::NotStarted(why) => State::NotStarted(why),
                Came::Offers(answered) => State::Offers(Offers {
                    era: answered.era,
                    protocol: &answered.protocol,
                    server_info: &answered.server_info,
                    instructions: answered.instructions.as_deref(),
                    items: &answered.items,
                    templates: &answered.templates,
                    odd: answered.odd,
                    cut: answered.cut,
                }),
            },
        }
    }
}

/// Everything of `kind` that the server offers.
pub(crate) async fn list(running: &Running, kind: Offered) -> Result<Answered, Trouble> {
    let facts = &running.connection.facts;
    let mut answered = Answered {
        era: facts.era.as_str(),
        protocol: facts.version_text.clone(),
        server_info: facts.server_info.clone(),
        instructions: facts.instructions.clone(),
        ..Answered::default()
    };
    let lists: &[List] = match kind {
        Offered::Tools => &[List::Tools],
        Offered::Prompts => &[List::Prompts],
        Offered::Resources => &[List::Resources, List::ResourceTemplates],
    };
    let session = &running.connection.session;
    let deadline = Instant::now() + session.manner().limits.listing;
    for list in lists {
        // Servers forget to declare their tools, and have them.
        if *list != List::Tools && !facts.declares(list.capability()) {
            continue;
        }
        match session.list(*list, deadline).await {
            Ok(listed) => {
                answered.odd += listed.odd.len();
                answered.cut |= listed.cut;
                if *list == List::ResourceTemplates {
                    answered.templates = listed.items;
                } else {
                    answered.items = listed.items;
                }
            }
            Err(RequestError::Refused(error))
                if error.code == Some(ErrorObject::METHOD_NOT_FOUND)
                    && (*list == List::ResourceTemplates || !facts.declares(list.capability())) => {
            }
            Err(error) => return Err(server_says(format!("{}: {error}", list.method()))),
        }
    }
    Ok(answered)
}
