//! `muster prompt`: the messages that a prompt makes, and what its arguments may be.

use muster_client::{Ask, Completion, Reference, Running};
use muster_core::Files;
use muster_document::Shown;
use muster_report::{Known, Offered, Outcome, Page};
use muster_store::Disk;
use serde_json::{Map, Value, json};

use super::Answer;
use super::call::{behaviour, server_and_rest};
use super::tools::no_such;
use crate::args::{Common, Format, Prompt};
use crate::error::CliError;
use crate::hand::{
    ArgumentError, Aside, Bench, Given, HandError, Live, Target, Trouble, Word, keep, list,
    server_says, similar, work,
};
use crate::output::Output;

/// Values that are named where an argument is missing.
const NAMED: usize = 8;

/// What was asked for.
enum Got {
    Messages(Value),
    Values(Completion),
}

/// Gets the prompt that `asked` names.
pub(crate) fn run(common: &Common, asked: &Prompt, output: &Output) -> Result<Answer, CliError> {
    let using = &asked.using;
    let (server, rest) = server_and_rest(&asked.words, &using.command);
    let [name, rest @ ..] = rest else {
        let missing = "name a prompt: `muster prompts SERVER` lists them";
        return Err(HandError::Missing(missing.to_owned()).into());
    };
    let words = rest.iter().map(|word| Word::read(word));
    let words: Vec<Word> = words.collect::<Result<_, _>>().map_err(HandError::from)?;
    let files = Files::new(Disk);
    let mut bench = Bench::new(common, server, using, &files, output)?;
    let target = bench.target(server, using)?;
    let folder = bench.scene.world().cwd.clone();
    let way = bench.way(&target, common)?;
    let known = bench.known;
    let aside = Aside::new(output);
    let live = Live::new(&aside, &known, common.verbose);
    let behaviour = behaviour(common, &target, folder, &aside, &known);
    let getting = Getting {
        target: &target,
        name,
        words: &words,
        complete: asked.complete.as_deref(),
        known: &known,
    };
    let done = work(using, behaviour, way, async |workshop| {
        workshop
            .with(&target, &known, live.clone(), async |running| {
                live.release();
                getting.got(running).await
            })
            .await
    });
    live.release();
    aside.clear();
    let page = match done? {
        Got::Values(completion) => values(&completion, &known, common, output),
        Got::Messages(result) => {
            let quiet = common.format != Format::Text && asked.save.is_none();
            let saved = match quiet {
                true => Vec::new(),
                false => keep(&result, name, asked.save.as_deref())?,
            };
            let outcome = Outcome {
                result: &result,
                saved: &saved,
                most: output.most_lines(),
            };
            muster_report::outcome(&outcome, &known, common.format.into(), output.look())
        }
    };
    Ok(page.into())
}

fn values(completion: &Completion, known: &Known, common: &Common, output: &Output) -> Page {
    if common.format == Format::Json {
        let values = json!({
            "values": completion.values, "total": completion.total, "more": completion.more,
        });
        return muster_report::raw(&values, known);
    }
    let lines = completion.values.iter().map(|value| {
        let line = muster_report::remark(value, known, output.look());
        line.then(&Page::own("\n"))
    });
    lines.fold(Page::own(""), |page, line| page.then(&line))
}

struct Getting<'g> {
    target: &'g Target,
    name: &'g str,
    words: &'g [Word],
    complete: Option<&'g str>,
    /// What may not be printed.
    known: &'g Known,
}

impl Getting<'_> {
    async fn got(&self, running: &Running) -> Result<Got, Trouble> {
        let session = &running.connection.session;
        let prompts = list(running, Offered::Prompts).await?.items;
        let named = |prompt: &&Value| prompt.get("name").and_then(Value::as_str) == Some(self.name);
        let prompt = prompts.iter().find(named);
        let prompt = prompt.ok_or_else(|| no_such(self.target, "prompt", self.name, &prompts))?;
        let mut given = self.given(prompt)?;
        if let Some(complete) = self.complete {
            let (argument, typed) = complete.split_once('=').unwrap_or((complete, ""));
            given.remove(argument);
            let reference = Reference::Prompt(self.name);
            let completed = session.complete(reference, argument, typed, &given).await;
            return completed.map(Got::Values).map_err(server_says);
        }
        if let Some(missing) = missing(prompt, &given) {
            return Err(self.missing(running, prompt, missing, &given).await);
        }
        let params = json!({"name": self.name, "arguments": given});
        let mut ask = Ask::new("prompts/get", params, &session.manner().limits);
        ask.progress = true;
        let result = session.ask_in_rounds(ask).await;
        result.map(Got::Messages).map_err(server_says)
    }

    /// The arguments, all of which are texts.
    fn given(&self, prompt: &Value) -> Result<Map<String, Value>, Trouble> {
        let known: Vec<&str> = names(prompt).collect();
        let mut given = Map::new();
        for word in self.words {
            let key = Shown(&word.key).to_string();
            if !known.contains(&word.key.as_str()) {
                let similar = similar(&word.key, known);
                return Err(self.unfit(prompt, ArgumentError::Unknown { name: key, similar }));
            }
            let text = match &word.given {
                Given::Text(text) | Given::Json(Value::String(text)) => text.clone(),
                Given::Json(_) => {
                    let error = ArgumentError::Unfit(format!("`{key}` must be of type string"));
                    return Err(self.unfit(prompt, error));
                }
            };
            if given.insert(word.key.clone(), text.into()).is_some() {
                return Err(self.unfit(prompt, ArgumentError::Twice(key)));
            }
        }
        Ok(given)
    }

    /// That an argument is missing, with what it may be where the server says.
    async fn missing(
        &self,
        running: &Running,
        prompt: &Value,
        name: &str,
        given: &Map<String, Value>,
    ) -> Trouble {
        let mut text = format!("`{}` is missing", Shown(name));
        if running.connection.facts.declares("completions") {
            let session = &running.connection.session;
            let reference = Reference::Prompt(self.name);
            let completion = session.complete(reference, name, "", given).await;
            let values = completion
                .map(|completion| completion.values)
                .unwrap_or_default();
            let values: Vec<String> = values
                .iter()
                .take(NAMED)
                .map(|value| Shown(value).to_string())
                .collect();
            if !values.is_empty() {
                text.push_str(&format!("; it may be {}", values.join(", ")));
            }
        }
        self.unfit(prompt, ArgumentError::Unfit(text))
    }

    fn unfit(&self, prompt: &Value, error: ArgumentError) -> Trouble {
        let signature = Shown(&self.known.signature(Offered::Prompts, prompt)).to_string();
        HandError::Argument { error, signature }.into()
    }
}

fn names(prompt: &Value) -> impl Iterator<Item = &str> {
    let arguments = prompt.get("arguments").and_then(Value::as_array);
    let arguments = arguments.into_iter().flatten();
    arguments.filter_map(|argument| argument.get("name")?.as_str())
}

fn missing<'p>(prompt: &'p Value, given: &Map<String, Value>) -> Option<&'p str> {
    let arguments = prompt.get("arguments").and_then(Value::as_array);
    let mut required = arguments
        .into_iter()
        .flatten()
        .filter(|argument| argument.get("required") == Some(&Value::Bool(true)))
        .filter_map(|argument| argument.get("name")?.as_str());
    required.find(|name| !given.contains_key(*name))
}
