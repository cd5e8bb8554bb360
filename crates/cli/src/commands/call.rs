//! `muster call`: a tool, called.

use std::sync::Arc;
use std::time::Duration;

use muster_client::{Answers, Ask, Running, Session};
use muster_core::Files;
use muster_document::Shown;
use muster_report::{Known, Offered, Outcome, is_error};
use muster_store::Disk;
use serde_json::{Map, Value, json};

use super::Answer;
use super::tools::no_such;
use crate::args::{Call, Common, Format};
use crate::error::CliError;
use crate::exit::Code;
use crate::hand::{
    ArgumentError, Aside, Behaviour, Bench, Checked, HandError, Live, Target, Terminal, Trouble,
    Word, arguments, check, keep, list, server_says, whole, work,
};
use crate::output::Output;

/// How long after a message that was too long the answer is still waited for.
const GRACE: Duration = Duration::from_secs(2);

/// Calls the tool that `asked` names.
pub(crate) fn run(common: &Common, asked: &Call, output: &Output) -> Result<Answer, CliError> {
    let using = &asked.using;
    let (server, rest) = server_and_rest(&asked.words, &using.command);
    let [tool, rest @ ..] = rest else {
        let missing = "name a tool: `muster tools SERVER` lists them";
        return Err(HandError::Missing(missing.to_owned()).into());
    };
    let words = rest.iter().map(|word| Word::read(word));
    let words: Vec<Word> = words.collect::<Result<_, _>>().map_err(HandError::from)?;
    let base = asked.json.as_deref().map(whole).transpose();
    let base = base.map_err(HandError::from)?.unwrap_or_default();
    let files = Files::new(Disk);
    let mut bench = Bench::new(common, server, using, &files, output)?;
    let target = bench.target(server, using)?;
    let folder = bench.scene.world().cwd.clone();
    let way = bench.way(&target, common)?;
    let known = bench.known;
    let aside = Aside::new(output);
    let live = Live::new(&aside, &known, common.verbose);
    let behaviour = behaviour(common, &target, folder, &aside, &known);
    let call = Calling {
        target: &target,
        tool,
        words: &words,
        base,
        verbose: common.verbose,
    };
    let done = work(using, behaviour, way, async |workshop| {
        workshop
            .with(&target, &known, live.clone(), async |running| {
                live.release();
                call.made(running, &live, &aside, &known).await
            })
            .await
    });
    live.release();
    aside.clear();
    let result = done?;
    let quiet = common.format != Format::Text && asked.save.is_none();
    let saved = match quiet {
        true => Vec::new(),
        false => keep(&result, tool, asked.save.as_deref())?,
    };
    let outcome = Outcome {
        result: &result,
        saved: &saved,
        most: output.most_lines(),
    };
    let page = muster_report::outcome(&outcome, &known, common.format.into(), output.look());
    let failed = is_error(&result);
    if failed {
        aside.tell("the tool says that it failed", &known);
    }
    Ok(Answer {
        page: Some(page),
        code: if failed { Code::Findings } else { Code::Fine },
    })
}

/// The server among `words`, where no command stands for it, and the words behind it.
pub(super) fn server_and_rest<'w>(
    words: &'w [String],
    command: &[String],
) -> (Option<&'w str>, &'w [String]) {
    match (words, command) {
        ([server, rest @ ..], []) => (Some(server), rest),
        (words, _) => (None, words),
    }
}

/// A server may ask for the folder, and the user.
pub(super) fn behaviour(
    common: &Common,
    target: &Target,
    folder: camino::Utf8PathBuf,
    aside: &Arc<Aside>,
    known: &Arc<Known>,
) -> Behaviour {
    let attended = crate::output::is_attended() && !common.headless;
    let terminal = Terminal::new(&target.name, aside, known, attended);
    Behaviour {
        answers: Answers {
            roots: Some(vec![folder]),
            elicits: Some(Arc::new(terminal)),
            samples: None,
        },
        log_level: common.verbose.then_some("debug"),
    }
}

struct Calling<'c> {
    target: &'c Target,
    tool: &'c str,
    words: &'c [Word],
    base: Map<String, Value>,
    verbose: bool,
}

impl Calling<'_> {
    async fn made(
        &self,
        running: &Running,
        live: &Live,
        aside: &Aside,
        known: &Known,
    ) -> Result<Value, Trouble> {
        let session = &running.connection.session;
        let tools = list(running, Offered::Tools).await?.items;
        let named = |tool: &&Value| tool.get("name").and_then(Value::as_str) == Some(self.tool);
        let tool = tools.iter().find(named);
        let tool = tool.ok_or_else(|| no_such(self.target, "tool", self.tool, &tools))?;
        let arguments = self.arguments(tool, aside, known)?;
        if self.verbose {
            // A server that will not log can still be called.
            _ = session.want_log(&running.connection.facts, "debug").await;
        }
        let mut patience = Ask::new("tools/call", json!({}), &session.manner().limits);
        patience.progress = true;
        tokio::select! {
            biased;
            result = session.call_tool(tool, arguments, &patience) => result.map_err(server_says),
            bytes = too_long(live) => Err(Trouble::Server(format!(
                "it sent {bytes} bytes in one message, more than the {} that are taken",
                limit(session)
            ))),
        }
    }

    /// The arguments, which fit as far as that can be said.
    fn arguments(
        &self,
        tool: &Value,
        aside: &Aside,
        known: &Known,
    ) -> Result<Map<String, Value>, Trouble> {
        let unfit = |error: ArgumentError| HandError::Argument {
            error,
            signature: Shown(&known.signature(Offered::Tools, tool)).to_string(),
        };
        let none = json!({"type": "object"});
        let schema = tool.get("inputSchema").unwrap_or(&none);
        let given = arguments(schema, self.base.clone(), self.words).map_err(unfit)?;
        let given = Value::Object(given);
        match check(schema, &given).map_err(unfit)? {
            Checked::Fits => {}
            Checked::Unchecked(why) => {
                aside.tell(
                    &known.said(&format!(
                        "the arguments are not checked: of the schema, {why}"
                    )),
                    known,
                );
            }
        }
        match given {
            Value::Object(given) => Ok(given),
            _ => Ok(Map::new()),
        }
    }
}

fn limit(session: &Session) -> usize {
    session.manner().limits.message
}

/// Waits until a message was too long, and then for a while: the answer may come all the same.
pub(super) async fn too_long(live: &Live) -> u64 {
    loop {
        tokio::time::sleep(GRACE / 4).await;
        if let Some(bytes) = live.too_long() {
            tokio::time::sleep(GRACE).await;
            return bytes;
        }
    }
}
