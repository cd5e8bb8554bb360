//! `muster tools`: what servers offer to a model.

use muster_core::{Consent, Files, Start};
use muster_report::{Offered, Page};
use muster_store::Disk;
use serde_json::{Map, Value};

use super::Answer;
use crate::args::{Common, Tools};
use crate::error::CliError;
use crate::hand::{
    Asked, Bench, Came, HandError, Target, all, list, nobody, similar, unapproved, work,
};
use crate::output::Output;

/// The tools of the server that `asked` names, or of every one.
pub(crate) fn run(common: &Common, asked: &Tools, output: &Output) -> Result<Answer, CliError> {
    let using = &asked.using;
    let (server, wanted) = match (using.command.as_slice(), asked.words.as_slice()) {
        ([], [server, tools @ ..]) => (Some(server.as_str()), tools),
        (_, tools) => (None, tools),
    };
    let files = Files::new(Disk);
    let mut bench = Bench::new(common, server, using, &files, output)?;
    if server.is_none() && using.command.is_empty() {
        return everything(common, asked, bench, output);
    }
    let target = bench.target(server, using)?;
    let behaviour = bench.behaviour(&target.name, common, output);
    let way = bench.way(&target, common)?;
    let known = bench.known;
    let mut answered = work(using, behaviour, way, async |workshop| {
        workshop
            .with(&target, &known, nobody(), async |running| {
                list(running, Offered::Tools).await
            })
            .await
    })?;
    let named = |tool: &Value, name: &str| tool.get("name").and_then(Value::as_str) == Some(name);
    for name in wanted {
        if !answered.items.iter().any(|tool| named(tool, name)) {
            return Err(no_such(&target, "tool", name, &answered.items).into());
        }
    }
    if !wanted.is_empty() {
        answered
            .items
            .retain(|tool| wanted.iter().any(|name| named(tool, name)));
    }
    let whole = common.verbose || !wanted.is_empty();
    if asked.schema {
        let schemas = schemas(&answered.items, wanted.len() == 1);
        return Ok(muster_report::raw(&schemas, &known).into());
    }
    let asked = Asked {
        server: target.name,
        harnesses: target.harnesses,
        came: Came::Offers(Box::new(answered)),
    };
    Ok(shown(common, &[asked], &known, output, whole).into())
}

/// That a server has no `what` called `name`, and what it may have meant.
pub(super) fn no_such(
    target: &Target,
    what: &'static str,
    name: &str,
    items: &[Value],
) -> HandError {
    let names = items.iter().filter_map(|item| item.get("name")?.as_str());
    HandError::NoSuch {
        server: target.name.clone(),
        what,
        name: muster_document::Shown(name).to_string(),
        similar: similar(name, names),
        lists: match &target.plan.start {
            _ if !target.harnesses.is_empty() => format!("muster {what}s {}", target.name),
            Start::Process { .. } => format!("muster {what}s -- COMMAND"),
            Start::Remote { .. } => format!("muster {what}s {}", target.name),
        },
    }
}

fn shown(
    common: &Common,
    asked: &[Asked],
    known: &muster_report::Known,
    output: &Output,
    whole: bool,
) -> Page {
    let offerings: Vec<_> = asked.iter().map(Asked::offering).collect();
    let format = common.format.into();
    muster_report::offerings(
        Offered::Tools,
        &offerings,
        known,
        format,
        output.look(),
        whole,
    )
}

/// Input and output schemas by the names of their tools; of a single one that was asked for, only its input's.
fn schemas(tools: &[Value], single: bool) -> Value {
    let of = |tool: &Value, key: &str| tool.get(key).cloned().unwrap_or(Value::Null);
    if let ([tool], true) = (tools, single) {
        return of(tool, "inputSchema");
    }
    let schemas = tools.iter().map(|tool| {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let keys = ["inputSchema", "outputSchema"];
        let both: Map<String, Value> = keys
            .into_iter()
            .map(|key| (key.to_owned(), of(tool, key)))
            .collect();
        (name.to_owned(), Value::Object(both))
    });
    Value::Object(schemas.collect())
}

/// Every server that may start by itself, at once. Others are named with the reason.
fn everything(
    common: &Common,
    asked: &Tools,
    bench: Bench<'_>,
    output: &Output,
) -> Result<Answer, CliError> {
    let mut servers = Vec::new();
    let mut targets = Vec::new();
    for candidate in all(&bench.scene, bench.resolutions) {
        let name = muster_document::Shown(candidate.name).to_string();
        let came = if candidate.consent == Consent::Unapproved {
            let refused = unapproved(&name, &candidate);
            Came::NotStarted(format!("{refused}\n{}", refused.hints().join("\n")))
        } else if candidate.is_remote() {
            Came::NotStarted(format!("runs elsewhere: `muster tools {name}` asks it"))
        } else {
            bench.known.learn_plan(&candidate.plan);
            targets.push((
                servers.len(),
                Target {
                    name: name.clone(),
                    harnesses: candidate.harnesses(),
                    plan: candidate.plan.clone(),
                },
            ));
            Came::NotStarted(String::new())
        };
        bench.known.spare(&name);
        servers.push(Asked {
            server: name,
            harnesses: candidate.harnesses(),
            came,
        });
    }
    let behaviour = bench.behaviour("a server", common, output);
    let known = bench.known;
    if targets.is_empty() {
        return Ok(shown(common, &servers, &known, output, common.verbose).into());
    }
    let came = work(&asked.using, behaviour, None, async |workshop| {
        let local = tokio::task::LocalSet::new();
        let mut asking = tokio::task::JoinSet::new();
        for (at, target) in targets {
            let (workshop, known) = (workshop.clone(), known.clone());
            let asking_one = async move {
                let done = workshop.with(&target, &known, nobody(), async |running| {
                    list(running, Offered::Tools).await
                });
                (at, done.await)
            };
            asking.spawn_local_on(asking_one, &local);
        }
        let mut came = Vec::new();
        local
            .run_until(async {
                while let Some(done) = asking.join_next().await {
                    came.extend(done.ok());
                }
            })
            .await;
        match workshop.interrupts.came() {
            true => Err(HandError::Interrupted),
            false => Ok(came),
        }
    })?;
    for (at, done) in came {
        if let Some(server) = servers.get_mut(at) {
            server.came = match done {
                Ok(answered) => Came::Offers(Box::new(answered)),
                Err(error) => {
                    let hints = error.hints();
                    let lines = std::iter::once(error.to_string()).chain(hints);
                    let lines = lines.map(|line| known.said(&line));
                    Came::Failed(lines.collect::<Vec<_>>().join("\n"))
                }
            };
        }
    }
    Ok(shown(common, &servers, &known, output, common.verbose).into())
}
