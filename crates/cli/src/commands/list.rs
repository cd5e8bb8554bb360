//! `muster list`: every definition in every harness, its status and one reason.

use muster_core::Files;
use muster_report::Page;
use muster_store::Disk;

use crate::args::{By, Common};
use crate::error::CliError;
use crate::output::Output;
use crate::world::Scene;

/// Lists, definition by definition or server by server, the session in the folder that `common` names, or the one that the command line `session` would start.
pub(crate) fn run(
    common: &Common,
    by: By,
    session: &[String],
    output: &Output,
) -> Result<Page, CliError> {
    let files = Files::new(Disk);
    let scene = Scene::new(common, session, &files)?;
    let resolutions = scene.resolve(common.format);
    let findings = scene.audit(resolutions);
    let list = match by {
        By::Harness => muster_report::list,
        By::Server => muster_report::list_by_server,
    };
    Ok(list(
        &scene.survey(resolutions, &findings),
        common.format.into(),
        output.look(),
        output.detail(),
    ))
}
