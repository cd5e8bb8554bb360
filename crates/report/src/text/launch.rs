//! A launch plan as text.

use muster_core::{LaunchPlan, Start, Timeout};

use super::canvas::{Canvas, Line, Tone};
use super::margin::Margin;
use super::measure::width;
use crate::launch::{Launch, by_giver, names, wait};
use crate::target::words;
use crate::{Detail, Survey};

/// Writes how the server would be started.
pub(super) fn write(canvas: &mut Canvas, survey: &Survey<'_>, launch: &Launch<'_>, detail: Detail) {
    canvas.part();
    let [starts, calls] = match (launch.server.status.loads(), &launch.plan) {
        (Some(true), _) | (_, Err(_)) => ["starts", "calls"],
        _ => ["would start", "would call"],
    };
    let mut margin = Margin::for_words(canvas, [starts, "headers"]);
    let plan = match &launch.plan {
        Ok(plan) => plan,
        Err(error) => {
            margin
                .word(starts)
                .text(Tone::Plain, &format!("nothing: {error}"));
            return;
        }
    };
    match &plan.start {
        Start::Process {
            argv,
            cwd,
            env,
            withheld,
        } => {
            let line = words(&launch.command(argv));
            margin.word(starts).text(Tone::Plain, &line);
            margin.word("in").text(Tone::Plain, &survey.path(cwd));
            margin.word("with");
            let groups = by_giver(env);
            if groups.is_empty() {
                margin.text(Tone::Plain, "no variables at all");
            }
            for (giver, given) in groups {
                let text = format!("{}: {}", giver.phrase(), names(&given, detail));
                margin.text(Tone::Plain, &text);
            }
            if !withheld.is_empty() {
                let kept: Vec<&str> = withheld.iter().map(String::as_str).collect();
                let text = format!("of your environment: {}", names(&kept, detail));
                margin.word("without").text(Tone::Plain, &text);
            }
        }
        Start::Remote {
            transport,
            fallback,
            url,
            headers,
        } => {
            let way = match fallback {
                None => transport.word().to_owned(),
                Some(fallback) => format!("{}, else {}", transport.word(), fallback.word()),
            };
            let line = format!("{} ({way})", launch.url(url));
            margin.word(calls).text(Tone::Plain, &line);
            if !headers.is_empty() {
                let names: Vec<&str> = headers.iter().map(|(name, _)| name.as_str()).collect();
                margin.word("headers").text(Tone::Plain, &names.join(", "));
            }
            if let Some(helper) = plan.headers_helper() {
                let text = format!(
                    "and those that this prints: {}",
                    muster_document::Masked::word(helper)
                );
                if headers.is_empty() {
                    margin.word("headers");
                }
                margin.text(Tone::Plain, &text);
            }
        }
    }
    limits(&mut margin, survey, plan);
    tools(&mut margin, launch, plan);
    for remark in &plan.remarks {
        margin.word("note").text(Tone::Plain, remark);
    }
}

/// How long it waits, and where that is written.
fn limits(margin: &mut Margin<'_>, survey: &Survey<'_>, plan: &LaunchPlan) {
    let of = [
        ("until it is ready", &plan.startup_timeout),
        ("for one call", &plan.call_timeout),
    ];
    margin.word("waits");
    for (what, timeout) in of {
        limit(
            margin,
            survey,
            &format!("{} {what}", wait(timeout)),
            timeout,
        );
    }
}

/// A limit and its place, beside each other where there is room.
fn limit(margin: &mut Margin<'_>, survey: &Survey<'_>, text: &str, timeout: &Timeout) {
    let Some(place) = timeout.place.as_ref().map(|place| survey.place(place)) else {
        return margin.text(Tone::Plain, text);
    };
    if width(text) + 2 + width(&place) > margin.room() {
        margin.text(Tone::Plain, text);
        return margin.place(&place);
    }
    let line = Line::default().then(Tone::Plain, text);
    margin.line(line.then(Tone::Plain, "  ").then(Tone::Place, place));
}

/// Which tools the model is offered, under which names.
fn tools(margin: &mut Margin<'_>, launch: &Launch<'_>, plan: &LaunchPlan) {
    let text = format!("{}, such as {}", plan.tool_names, launch.example);
    margin.word("tools").text(Tone::Plain, &text);
    match plan.tools_only.as_deref() {
        Some([]) => margin.text(Tone::Plain, "none of them"),
        Some(only) => margin.text(Tone::Plain, &format!("only {}", only.join(", "))),
        None => {}
    }
    if !plan.tools_without.is_empty() {
        let text = format!("without {}", plan.tools_without.join(", "));
        margin.text(Tone::Plain, &text);
    }
}
