//! `muster check`: what is wrong or misleading.

use muster_core::{Files, Finding, Severity};
use muster_store::Disk;

use super::Answer;
use crate::args::{self, Common, Deny};
use crate::error::CliError;
use crate::exit::Code;
use crate::output::Output;
use crate::world::Scene;

/// Checks the session that `common` describes, or the one that a command line would start.
pub(crate) fn run(
    common: &Common,
    asked: &args::Check,
    output: &Output,
) -> Result<Answer, CliError> {
    let files = Files::new(Disk);
    let scene = Scene::new(common, &asked.session, &files)?;
    let resolutions = scene.resolve(common.format);
    let mut findings = scene.audit(resolutions);
    findings.retain(|finding| is_asked(finding, &asked.server));
    let page = muster_report::check(
        &scene.survey(resolutions, &findings),
        common.format.into(),
        output.look(),
        output.detail(),
    );
    let denied = findings
        .iter()
        .any(|finding| is_denied(finding, asked.deny));
    Ok(Answer {
        page: Some(page),
        code: if denied { Code::Findings } else { Code::Fine },
    })
}

/// Whether `finding` is about one of `servers`; all are where none is named.
fn is_asked(finding: &Finding, servers: &[String]) -> bool {
    servers.is_empty()
        || servers
            .iter()
            .any(|name| finding.server.as_ref() == Some(name))
}

fn is_denied(finding: &Finding, deny: Deny) -> bool {
    let level = match deny {
        Deny::Error => Severity::Error,
        Deny::Warning => Severity::Warning,
        Deny::Note => Severity::Note,
        Deny::Never => return false,
    };
    // The worst is the least.
    finding.severity <= level
}
