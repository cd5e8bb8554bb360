//! `muster read`: a resource, on stdout or in a file.

use muster_client::Ask;
use muster_core::Files;
use muster_document::Shown;
use muster_report::{Known, Outcome, Page, binary, texts};
use muster_store::Disk;
use serde_json::{Value, json};

use super::Answer;
use super::call::{behaviour, server_and_rest, too_long};
use crate::args::{Common, Format, Read};
use crate::error::CliError;
use crate::hand::{Aside, Bench, HandError, Live, Trouble, decoded, server_says, work};
use crate::output::Output;

/// Reads the resource that `asked` names.
pub(crate) fn run(common: &Common, asked: &Read, output: &Output) -> Result<Answer, CliError> {
    let using = &asked.using;
    let (server, rest) = server_and_rest(&asked.words, &using.command);
    let [uri] = rest else {
        let missing = match rest {
            [] => "name the address of a resource: `muster resources SERVER` lists them",
            _ => "with a command behind `--`, only the address of a resource stands before it",
        };
        return Err(HandError::Missing(missing.to_owned()).into());
    };
    let files = Files::new(Disk);
    let mut bench = Bench::new(common, server, using, &files, output)?;
    let target = bench.target(server, using)?;
    let folder = bench.scene.world().cwd.clone();
    let way = bench.way(&target, common)?;
    let known = bench.known;
    let aside = Aside::new(output);
    let live = Live::new(&aside, &known, common.verbose);
    let behaviour = behaviour(common, &target, folder, &aside, &known);
    let done = work(using, behaviour, way, async |workshop| {
        workshop
            .with(&target, &known, live.clone(), async |running| {
                live.release();
                let session = &running.connection.session;
                let limits = &session.manner().limits;
                let mut ask = Ask::new("resources/read", json!({"uri": uri}), limits);
                ask.progress = true;
                tokio::select! {
                    biased;
                    result = session.ask_in_rounds(ask) => result.map_err(server_says),
                    bytes = too_long(&live) => Err(Trouble::Server(format!(
                        "it sent {bytes} bytes in one message, which is more than is taken"
                    ))),
                }
            })
            .await
    });
    live.release();
    aside.clear();
    let result = done?;
    if common.format != Format::Text {
        return Ok(page(&result, &known, common, output).into());
    }
    written(&result, &known, common, output)
}

fn page(result: &Value, known: &Known, common: &Common, output: &Output) -> Page {
    let outcome = Outcome {
        result,
        saved: &[],
        most: output.most_lines(),
    };
    muster_report::outcome(&outcome, known, common.format.into(), output.look())
}

/// Texts as they are, where nothing can act; on a terminal neutralised. A binary resource only where no terminal is.
fn written(
    result: &Value,
    known: &Known,
    common: &Common,
    output: &Output,
) -> Result<Answer, CliError> {
    if let Some(texts) = texts(result) {
        if output.is_terminal() {
            return Ok(page(result, known, common, output).into());
        }
        let text = known.without_secrets(&texts.concat());
        return output.exact(text.as_bytes()).map(|()| Answer::written());
    }
    let parts = binary(result);
    let contents = result.get("contents").and_then(Value::as_array);
    let contents = contents.map_or(0, Vec::len);
    match parts.as_slice() {
        [part] if contents <= 1 => {
            let bytes = decoded(part.data).ok_or_else(|| {
                HandError::Option("the resource is no base64, though it says so".to_owned())
            })?;
            // What is text after all is treated as such.
            let text = String::from_utf8(bytes);
            let bytes = match text {
                Ok(text) if output.is_terminal() && !text.contains('\0') => {
                    let text = json!({"contents": [{"text": text}]});
                    return Ok(page(&text, known, common, output).into());
                }
                _ if output.is_terminal() => {
                    return Err(HandError::Binary(Shown(part.mime).to_string()).into());
                }
                Ok(text) => known.without_secrets(&text).into_bytes(),
                Err(binary) => binary.into_bytes(),
            };
            output.exact(&bytes).map(|()| Answer::written())
        }
        [] => Ok(page(result, known, common, output).into()),
        _ => Err(HandError::Parts(contents).into()),
    }
}
