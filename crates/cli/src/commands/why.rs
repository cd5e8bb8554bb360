//! `muster why`: the whole story of one name.

use muster_core::Files;
use muster_report::{Page, Survey};
use muster_store::Disk;

use crate::args::Common;
use crate::error::CliError;
use crate::output::Output;
use crate::world::Scene;

/// Tells the story of `name` in the session that `common` describes, or in the one that the command line `session` would start; with
/// `launch_plan`, how each harness would start it.
pub(crate) fn run(
    common: &Common,
    name: &str,
    launch_plan: bool,
    session: &[String],
    output: &Output,
) -> Result<Page, CliError> {
    let files = Files::new(Disk);
    let scene = Scene::new(common, session, &files)?;
    let resolutions = scene.resolve(common.format);
    let findings = scene.audit(resolutions);
    let launches = if launch_plan {
        scene.launches(resolutions, name)
    } else {
        Vec::new()
    };
    let survey = Survey {
        launches: &launches,
        ..scene.survey(resolutions, &findings)
    };
    Ok(muster_report::why(
        &survey,
        name,
        common.format.into(),
        output.look(),
        output.detail(),
    ))
}
