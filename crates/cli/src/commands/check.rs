//! `muster check`: what is wrong or misleading, and with `--launch` whether it works.

use muster_client::net::Net;
use muster_core::{Candidate, Files, Finding, Resolution, Severity, fleet, offers};
use muster_report::{Checked, Known, Survey};
use muster_store::Disk;

use super::Answer;
use crate::args::{self, Common, Deny};
use crate::error::CliError;
use crate::exit::Code;
use crate::launch::{self, Allowed, Options, Wish};
use crate::output::Output;
use crate::sign_ins::sign_ins;
use crate::world::Scene;

/// Checks the session that `common` describes, or the one that a command line would start.
pub(crate) fn run(
    common: &Common,
    asked: &args::Check,
    output: &Output,
) -> Result<Answer, CliError> {
    let files = Files::new(Disk);
    let scene = Scene::new(common, &asked.session, &files)?;
    scene_check(&scene, common, asked, output)
}

/// Checks `scene`.
pub(crate) fn scene_check(
    scene: &Scene<'_>,
    common: &Common,
    asked: &args::Check,
    output: &Output,
) -> Result<Answer, CliError> {
    let resolutions = scene.resolve(common.format);
    let mut findings = scene.audit(resolutions);
    findings.retain(|finding| is_asked(finding, &asked.server));
    let mut answer = match asked.launch || asked.remote {
        true => started(scene, resolutions, findings, common, asked, output)?,
        false => {
            let page = muster_report::check(
                &scene.survey(resolutions, &findings),
                common.format.into(),
                output.look(),
                output.detail(),
            );
            Checks {
                answer: page.into(),
                findings,
            }
        }
    };
    let mut findings = answer.findings.iter();
    if answer.answer.code == Code::Fine && findings.any(|finding| is_denied(finding, asked.deny)) {
        answer.answer.code = Code::Findings;
    }
    Ok(answer.answer)
}

/// An answer, and what was found.
struct Checks {
    answer: Answer,
    findings: Vec<Finding>,
}

/// Starts what loads, and checks that too.
fn started(
    scene: &Scene<'_>,
    resolutions: &'static [Resolution],
    mut findings: Vec<Finding>,
    common: &Common,
    asked: &args::Check,
    output: &Output,
) -> Result<Checks, CliError> {
    let (world, harnesses) = (scene.world(), scene.harnesses());
    let candidates = chosen(fleet(world, harnesses, resolutions), &asked.server)?;
    let wish = Wish {
        include_unapproved: asked.include_unapproved,
        remote: asked.remote,
    };
    let allowed = launch::decide(&candidates, wish, output);
    let net = match wish.remote {
        true => Some(Net::new(&world.env).map_err(|error| CliError::Network(error.to_string()))?),
        false => None,
    };
    let options = Options {
        sign_ins: net.clone().and_then(|net| sign_ins(scene, common, net)),
        net,
        timeout: asked.timeout,
        jobs: asked.jobs.map_or(candidates.len().max(1), Into::into),
    };
    let launched = launch::launch(&candidates, &allowed, &options, output)?;
    let offers = offers(harnesses, &candidates, &launched);
    let likely: Vec<Option<(String, String)>> = candidates
        .iter()
        .zip(&launched)
        .map(|(candidate, launched)| {
            let likely = muster_audit::likely(candidate, launched)?;
            Some((likely.cause, likely.help))
        })
        .collect();
    let checked = Some(Checked {
        candidates: &candidates,
        launched: &launched,
        likely: &likely,
        offers: &offers,
        told: muster_audit::OUTCOMES,
    });
    let known = Known::of(&Survey {
        checked,
        ..scene.survey(resolutions, &[])
    });
    findings.extend(muster_audit::audit_launched(&muster_audit::Launch {
        harnesses,
        candidates: &candidates,
        launched: &launched,
        offers: &offers,
        audiences: scene.audiences(),
        without_secrets: &|text| known.without_secrets(text),
    }));
    findings.sort_by_key(|finding| finding.severity);
    let survey = Survey {
        checked,
        ..scene.survey(resolutions, &findings)
    };
    let page = muster_report::check(
        &survey,
        common.format.into(),
        output.look(),
        output.detail(),
    );
    Ok(Checks {
        answer: Answer {
            page: Some(page),
            code: code(&candidates, &allowed, asked, wish),
        },
        findings,
    })
}

/// Refused, where somebody asked by name for what nobody approved.
fn code(
    candidates: &[Candidate<'_>],
    allowed: &[Allowed],
    asked: &args::Check,
    wish: Wish,
) -> Code {
    let mut each = candidates.iter().zip(allowed);
    let refused = each
        .any(|(candidate, allowed)| !allowed.is_yes() && (wish.remote || !candidate.is_remote()));
    match refused && !asked.server.is_empty() {
        true => Code::Refused,
        false => Code::Fine,
    }
}

/// Those of `candidates` that are called as `names` say, in their order; all where none is named.
fn chosen<'r>(
    candidates: Vec<Candidate<'r>>,
    names: &[String],
) -> Result<Vec<Candidate<'r>>, CliError> {
    if names.is_empty() {
        return Ok(candidates);
    }
    let mut chosen: Vec<Candidate<'r>> = Vec::new();
    for name in names {
        let mut called = candidates.iter().filter(|candidate| candidate.name == name);
        let first = called.next();
        chosen.push(
            first
                .ok_or_else(|| CliError::NoSuchServer(name.clone()))?
                .clone(),
        );
        chosen.extend(called.cloned());
    }
    Ok(chosen)
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
