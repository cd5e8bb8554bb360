//! A launch plan as Markdown.

use muster_core::{LaunchPlan, Start, Timeout};
use muster_document::{Masked, code};

use super::plain;
use crate::launch::{Launch, by_giver, names, wait};
use crate::target::words;
use crate::{Detail, Survey};

/// Writes how the server would be started.
pub(super) fn write(text: &mut String, survey: &Survey<'_>, launch: &Launch<'_>, detail: Detail) {
    text.push('\n');
    let plan = match &launch.plan {
        Ok(plan) => plan,
        Err(error) => {
            text.push_str(&format!(
                "- starts nothing: {}\n",
                plain(&error.to_string())
            ));
            return;
        }
    };
    let would = match launch.server.status.loads() {
        Some(true) => ["starts", "calls"],
        _ => ["would start", "would call"],
    };
    match &plan.start {
        Start::Process {
            argv,
            cwd,
            env,
            withheld,
        } => {
            let [starts, _] = would;
            let line = words(&launch.command(argv));
            text.push_str(&format!("- {starts} {}\n", code(&line)));
            text.push_str(&format!("- in {}\n", code(&survey.path(cwd))));
            for (giver, given) in by_giver(env) {
                let names = listed(&given, detail);
                text.push_str(&format!("- with, {}: {names}\n", giver.phrase()));
            }
            if !withheld.is_empty() {
                let kept: Vec<&str> = withheld.iter().map(String::as_str).collect();
                let names = listed(&kept, detail);
                text.push_str(&format!("- without, of your environment: {names}\n"));
            }
        }
        Start::Remote {
            transport,
            fallback,
            url,
            headers,
        } => {
            let [_, calls] = would;
            let fallback =
                fallback.map_or_else(String::new, |way| format!(", else {}", way.word()));
            text.push_str(&format!(
                "- {calls} {} ({}{fallback})\n",
                code(launch.url(url).as_str()),
                transport.word()
            ));
            if !headers.is_empty() {
                let names: Vec<&str> = headers.iter().map(|(name, _)| name.as_str()).collect();
                text.push_str(&format!("- headers: {}\n", code(&names.join(", "))));
            }
            if let Some(helper) = plan.headers_helper() {
                let helper = code(Masked::word(helper).as_str());
                text.push_str(&format!("- headers that this prints: {helper}\n"));
            }
        }
    }
    text.push_str(&limit(survey, "until it is ready", &plan.startup_timeout));
    text.push_str(&limit(survey, "for one call", &plan.call_timeout));
    tools(text, launch, plan);
    for remark in &plan.remarks {
        text.push_str(&format!("- note: {}\n", plain(remark)));
    }
}

/// Names as they are written, or how many there are.
fn listed(given: &[&str], detail: Detail) -> String {
    let line = names(given, detail);
    if line == given.join(", ") {
        code(&line)
    } else {
        line
    }
}

fn limit(survey: &Survey<'_>, what: &str, timeout: &Timeout) -> String {
    let place = timeout
        .place
        .as_ref()
        .map(|place| format!(" — {}", code(&survey.place(place))))
        .unwrap_or_default();
    format!("- waits {} {what}{place}\n", wait(timeout))
}

fn tools(text: &mut String, launch: &Launch<'_>, plan: &LaunchPlan) {
    text.push_str(&format!(
        "- tools: {}, such as {}\n",
        code(plan.tool_names),
        code(&launch.example)
    ));
    match plan.tools_only.as_deref() {
        Some([]) => text.push_str("- offers none of its tools\n"),
        Some(only) => text.push_str(&format!("- offers only {}\n", code(&only.join(", ")))),
        None => {}
    }
    if !plan.tools_without.is_empty() {
        let hidden = code(&plan.tools_without.join(", "));
        text.push_str(&format!("- hides {hidden}\n"));
    }
}
