//! `muster resources` and `muster prompts`: what else a server offers.

use muster_core::Files;
use muster_report::Offered;
use muster_store::Disk;

use super::Answer;
use crate::args::{Common, Listed};
use crate::error::CliError;
use crate::hand::{Asked, Bench, Came, list, nobody, work};
use crate::output::Output;

/// What the server that `asked` names offers of `kind`.
pub(crate) fn run(
    common: &Common,
    asked: &Listed,
    kind: Offered,
    output: &Output,
) -> Result<Answer, CliError> {
    let server = asked.server.as_deref();
    let files = Files::new(Disk);
    let mut bench = Bench::new(common, server, &asked.using, &files, output)?;
    let target = bench.target(server, &asked.using)?;
    let behaviour = bench.behaviour(&target.name, common, output);
    let way = bench.way(&target, common)?;
    let known = bench.known;
    let answered = work(&asked.using, behaviour, way, async |workshop| {
        workshop
            .with(&target, &known, nobody(), async |running| {
                list(running, kind).await
            })
            .await
    })?;
    let asked = Asked {
        server: target.name,
        harnesses: target.harnesses,
        came: Came::Offers(Box::new(answered)),
    };
    let format = common.format.into();
    let offerings = [asked.offering()];
    let page = muster_report::offerings(
        kind,
        &offerings,
        &known,
        format,
        output.look(),
        common.verbose,
    );
    Ok(page.into())
}
