//! What is worth acting on in what came of servers.

use std::time::Duration;

use muster_core::{
    Candidate, Check, Finding, Harness, Launched, ListFault, Oddity, Offer, State, tool_name,
};
use muster_document::{Masked, Secret, Shown};

use super::checks::{
    ASKS_CLIENT, HIDDEN_TEXT, LEFT_RUNNING, LIST_FAILED, NEEDS_SIGN_IN, NOT_STARTED, ODD_LIST,
    ODD_PROTOCOL, ODD_TOOL, SERVER_FAILED, SERVER_TIMED_OUT, SLOW_START, STDOUT_NOISE,
    TOOL_COLLISION, TOOL_NAME, TOOLS_LOST,
};
use super::likely;

/// What takes longer to start is worth a word in any agent.
const SLOW: Duration = Duration::from_secs(10);
/// Models of some vendors take names of so many characters, of others twice that.
const LENGTHS: [usize; 2] = [128, 64];
/// So many tools of one kind are named.
const NAMED: usize = 3;

/// Everything that came of one check that started servers.
#[derive(Clone, Copy)]
pub struct Launch<'l> {
    /// Who was asked.
    pub harnesses: &'l [&'static dyn Harness],
    /// What was to be started.
    pub candidates: &'l [Candidate<'l>],
    /// What came of each.
    pub launched: &'l [Launched],
    /// What each harness makes of it.
    pub offers: &'l [Offer],
    /// Takes out of a text what the servers were given and may not be printed. Before a text is cut: the rest of a secret nobody
    /// knows again.
    pub without_secrets: &'l dyn Fn(&str) -> String,
}

impl Launch<'_> {
    /// Words of a server on one line, without what they may give away.
    fn plain(&self, text: &str) -> String {
        Masked::line(&Secret::new((self.without_secrets)(text))).to_string()
    }

    /// A name that a server gave.
    fn word(&self, name: &str) -> String {
        let mut shown = Shown(&(self.without_secrets)(name)).to_string();
        if shown.chars().count() > 40 {
            shown = shown.chars().take(39).chain(['…']).collect();
        }
        if shown.is_empty() {
            "\"\"".to_owned()
        } else {
            shown
        }
    }
}

impl std::fmt::Debug for Launch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Launch")
            .field("launched", &self.launched)
            .finish_non_exhaustive()
    }
}

/// What is worth acting on in `launch`, the worst first, then server by server.
pub fn audit_launched(launch: &Launch<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (candidate, launched) in launch.candidates.iter().zip(launch.launched) {
        of_server(launch, candidate, launched, &mut found);
    }
    for offer in launch.offers {
        of_offer(launch, offer, &mut found);
    }
    found.sort_by_key(|finding| finding.severity);
    found
}

/// A finding about a server, of the harness where there is one only, at its first definition.
fn finding(check: &'static Check, candidate: &Candidate<'_>, text: impl Into<String>) -> Finding {
    let mut finding = Finding::new(check, text).about(candidate.name);
    if let [user] = candidate.users.as_slice() {
        finding.harness = Some(user.harness);
    }
    let first = candidate.users.first();
    finding.at(first.and_then(|user| user.server.definition.place.as_ref()))
}

fn of_server(
    launch: &Launch<'_>,
    candidate: &Candidate<'_>,
    launched: &Launched,
    found: &mut Vec<Finding>,
) {
    let mut say = |check, text: String| found.push(finding(check, candidate, text));
    match &launched.state {
        State::Ok => {}
        State::Failed(failure) => {
            let text = match launched.exit {
                Some(exit) => format!("{} ({exit})", launch.plain(&failure.text)),
                None => launch.plain(&failure.text),
            };
            say(&SERVER_FAILED, text);
        }
        State::TimedOut { method, after } => say(
            &SERVER_TIMED_OUT,
            format!(
                "no answer to {} within {}",
                launch.plain(method),
                seconds(*after)
            ),
        ),
        State::NeedsSignIn { how } => say(&NEEDS_SIGN_IN, launch.plain(how)),
        State::NotStarted(why) => say(&NOT_STARTED, why.clone()),
    }
    if let (State::Failed(_) | State::TimedOut { .. } | State::NeedsSignIn { .. }, Some(last)) =
        (&launched.state, found.last_mut())
        && let Some(likely) = likely(candidate, launched)
    {
        last.help = Some(format!("{}: {}", likely.cause, likely.help));
    }
    let mut say = |check, text: String| found.push(finding(check, candidate, text));
    if launched.noise.lines > 0 {
        let first = launched.noise.first.as_deref().unwrap_or_default();
        let lines = match launched.noise.lines {
            1 => "1 line that is no message".to_owned(),
            lines => format!("{lines} lines that are no messages"),
        };
        let text = format!(
            "writes logs to its standard output: {lines}, first: {}",
            launch.plain(first)
        );
        say(&STDOUT_NOISE, text);
    }
    for left in &launched.left_running {
        let words: Vec<String> = Masked::command_line(&left.argv)
            .into_iter()
            .map(String::from)
            .collect();
        say(
            &LEFT_RUNNING,
            format!(
                "process {} could not be ended: {}",
                left.pid,
                words.join(" ")
            ),
        );
    }
    for (index, value) in launched.odd_tools.iter().take(NAMED) {
        let what = match value {
            serde_json::Value::Object(object) if object.contains_key("name") => {
                "has a name that is no text"
            }
            serde_json::Value::Object(_) => "has no name",
            _ => "is no object",
        };
        say(
            &ODD_TOOL,
            format!("item {} of its list of tools {what}", index + 1),
        );
    }
    for (method, why) in &launched.failed_lists {
        if *method != "tools/list" {
            say(&LIST_FAILED, format!("{method}: {}", launch.plain(why)));
        }
    }
    let works = !matches!(launched.state, State::Failed(_));
    // Who ends whatever is asked did not end because of the question.
    let told = |oddity: &&Oddity| works || **oddity != Oddity::DiedAtProbe;
    for oddity in launched.oddities.iter().filter(told) {
        if let Some((check, text)) = of_oddity(launch, oddity) {
            say(check, text);
        }
    }
    for tool in &launched.tools {
        let Some(name) = tool_name(tool) else {
            continue;
        };
        if let Some(text) = hidden(tool) {
            say(&HIDDEN_TEXT, format!("tool {}: {text}", launch.word(name)));
        }
    }
    if let Some(text) = launched.instructions.as_deref().and_then(invisible) {
        say(&HIDDEN_TEXT, format!("its instructions hold {text}"));
    }
    names(launch, candidate, launched, found);
    slow(launch, candidate, launched, found);
}

/// Names that models do not take, whoever asks.
fn names(
    launch: &Launch<'_>,
    candidate: &Candidate<'_>,
    launched: &Launched,
    found: &mut Vec<Finding>,
) {
    let names: Vec<&str> = launched.tools.iter().filter_map(tool_name).collect();
    let mut say = |text: String| found.push(finding(&TOOL_NAME, candidate, text));
    let mut seen = std::collections::HashSet::new();
    for name in &names {
        let length = name.chars().count();
        let odd = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        if name.is_empty() {
            say("a tool has an empty name".to_owned());
        } else if let Some(limit) = LENGTHS.into_iter().find(|limit| length > *limit) {
            say(format!(
                "the name of tool {} has {length} characters: models take up to {limit}",
                launch.word(name)
            ));
        } else if let Some(odd) = name.chars().find(|c| odd(*c)) {
            say(format!(
                "the name of tool {} holds {}, which models do not take",
                launch.word(name),
                shown_character(odd)
            ));
        }
        if !seen.insert(*name) {
            say(format!("two tools are called {}", launch.word(name)));
        }
    }
}

fn shown_character(character: char) -> String {
    match character {
        ' ' => "a blank".to_owned(),
        character if character.is_control() => format!("U+{:04X}", u32::from(character)),
        character => format!("`{}`", Shown(&character.to_string())),
    }
}

/// What it took to start, against what each harness allows.
fn slow(
    launch: &Launch<'_>,
    candidate: &Candidate<'_>,
    launched: &Launched,
    found: &mut Vec<Finding>,
) {
    let took = match (&launched.state, launched.startup) {
        (State::TimedOut { after, .. }, None) => Some(*after),
        (_, took) => took,
    };
    let Some(took) = took else { return };
    let over = matches!(launched.state, State::TimedOut { .. });
    let mut said = false;
    for user in &candidate.users {
        let limit = &user.plan.startup_timeout;
        let Some(allowed) = limit.duration.filter(|allowed| took > *allowed) else {
            continue;
        };
        said = true;
        let harness = launch.harnesses.iter().find(|h| h.id() == user.harness);
        let name = harness.map_or(user.harness, |harness| harness.name());
        let text = format!(
            "took {} to start, longer than {name}'s {} start limit",
            about(took, over),
            seconds(allowed)
        );
        let mut finding = finding(&SLOW_START, candidate, text);
        finding.harness = Some(user.harness);
        found.push(match &limit.place {
            Some(place) => finding
                .with_help("raise the limit that is written there")
                .at(Some(place)),
            None => finding,
        });
    }
    if !said && !over && took >= SLOW {
        let text = format!(
            "took {} to start, longer than a {} start limit",
            seconds(took),
            seconds(SLOW)
        );
        found.push(finding(&SLOW_START, candidate, text));
    }
}

fn about(took: Duration, over: bool) -> String {
    match over {
        true => format!("more than {}", seconds(took)),
        false => seconds(took),
    }
}

/// What a harness loses, and what it cannot tell apart.
fn of_offer(launch: &Launch<'_>, offer: &Offer, found: &mut Vec<Finding>) {
    let harness = launch.harnesses.iter().find(|h| h.id() == offer.harness);
    let name = harness.map_or(offer.harness, |harness| harness.name());
    for (server, fault) in &offer.lost {
        let (Some(candidate), Some(launched)) =
            (launch.candidates.get(*server), launch.launched.get(*server))
        else {
            continue;
        };
        let text = format!(
            "{name} loses all {} of its tools: its list of tools {}{}",
            launched.tools.len(),
            fault.phrase(),
            culprit(launch, *fault, launched),
        );
        let mut finding = finding(&TOOLS_LOST, candidate, text);
        finding.harness = Some(offer.harness);
        found.push(finding);
    }
    for (first, second) in offer.collisions() {
        let of = |index: usize| launch.candidates.get(index);
        let (Some(one), Some(other)) = (of(first.server), of(second.server)) else {
            continue;
        };
        // The server's own name for it: what a harness makes of a name nobody would know again as a secret.
        let own = launch.launched.get(second.server);
        let own = own.and_then(|launched| tool_name(launched.tools.get(second.tool)?));
        let own = own.unwrap_or_default();
        let text = match first.server == second.server {
            true => format!("two of its tools are {} in {name}", launch.word(own)),
            false => format!(
                "{} and {} both offer {}: {name}'s model cannot tell them apart",
                launch.word(one.name),
                launch.word(other.name),
                launch.word(own)
            ),
        };
        let mut finding = finding(&TOOL_COLLISION, other, text);
        finding.harness = Some(offer.harness);
        found.push(finding);
    }
}

/// The tool that is at fault, in words.
fn culprit(launch: &Launch<'_>, fault: ListFault, launched: &Launched) -> String {
    let index = match (fault, fault.of(launched)) {
        (ListFault::NoTool, Some(Some(index))) => return format!(" (item {})", index + 1),
        (_, Some(Some(index))) => index,
        _ => return String::new(),
    };
    let tool = launched.tools.get(index).and_then(tool_name);
    tool.map_or_else(String::new, |name| format!(" ({})", launch.word(name)))
}

fn of_oddity(launch: &Launch<'_>, oddity: &Oddity) -> Option<(&'static Check, String)> {
    let text = match oddity {
        // Told with what came of it.
        Oddity::StdoutNoise { .. } | Oddity::OddItem { .. } | Oddity::SlowStart { .. } => {
            return None;
        }
        Oddity::NullCursor { method } => {
            let text = format!("{method} ends with nextCursor: null, which is not allowed");
            return Some((&ODD_LIST, text));
        }
        Oddity::RepeatedCursor => {
            let text = "a list comes to a page that was there before: it was read up to there";
            return Some((&ODD_LIST, text.to_owned()));
        }
        Oddity::RefusedCursor => {
            let text = "refuses a cursor of its own: the list was begun again";
            return Some((&ODD_LIST, text.to_owned()));
        }
        Oddity::CutList { method, limit } => {
            let text = format!("{method} goes on and on: it was cut at the limit of {limit}");
            return Some((&ODD_LIST, text));
        }
        Oddity::AskedClient { method } => {
            let text = format!("asks its client for {}, which a check does not give", launch.plain(method));
            return Some((&ASKS_CLIENT, text));
        }
        Oddity::TooLong { bytes } => format!("sent a message of {bytes} bytes, which was dropped"),
        Oddity::OddId => "sent a message whose id is neither a number nor a text".to_owned(),
        Oddity::TextualId => "answers with an id as text that was sent as a number".to_owned(),
        Oddity::StrayAnswer { .. } => "sent an answer to nothing that was asked".to_owned(),
        Oddity::ErrorWithoutId => "sent an error without the id that it answers to".to_owned(),
        Oddity::Batch => "sent messages in a batch, which only one old revision knows".to_owned(),
        Oddity::MissingField {
            method,
            field,
            assumed,
        } => format!("its answer to {method} has no {field}: taken for {assumed}"),
        Oddity::WrongType { method, field } => {
            format!("its answer to {method} has a {field} of the wrong type")
        }
        Oddity::UnknownVersion { version } => format!(
            "speaks the revision {}, which is not known: some agents refuse it",
            launch.plain(version)
        ),
        Oddity::LateDiscovery => {
            "is so slow to answer that agents take it for one of the older kind".to_owned()
        }
        Oddity::DiedAtProbe => {
            "ended at the first question, for its revisions, and was started again: agents that do not do so lose it".to_owned()
        }
        Oddity::Unconfirmed => "answers before it was greeted".to_owned(),
        Oddity::Other(text) => launch.plain(text),
    };
    Some((&ODD_PROTOCOL, text))
}

/// Characters of what the model is told of `tool` that nobody sees.
fn hidden(tool: &serde_json::Value) -> Option<String> {
    let said = [
        tool.get("name"),
        tool.get("description"),
        tool.get("inputSchema"),
    ];
    let mut texts = Vec::new();
    said.into_iter()
        .flatten()
        .for_each(|value| collect(value, &mut texts));
    texts.into_iter().find_map(invisible)
}

fn collect<'v>(value: &'v serde_json::Value, texts: &mut Vec<&'v str>) {
    match value {
        serde_json::Value::String(text) => texts.push(text),
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        serde_json::Value::Object(object) => object.iter().for_each(|(key, value)| {
            texts.push(key);
            collect(value, texts);
        }),
        _ => {}
    }
}

/// How many characters of `text` act or are not seen, and which.
fn invisible(text: &str) -> Option<String> {
    let unseen = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
            || matches!(u32::from(*c), 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xE0000..=0xE007F)
    };
    let found: Vec<char> = text.chars().filter(unseen).collect();
    let mut kinds = found.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let named: Vec<String> = kinds
        .iter()
        .take(NAMED)
        .map(|c| format!("U+{:04X}", u32::from(*c)))
        .collect();
    match found.len() {
        0 => None,
        1 => Some(format!(
            "1 character that is not seen ({})",
            named.join(", ")
        )),
        count => {
            let more = if kinds.len() > NAMED { ", …" } else { "" };
            Some(format!(
                "{count} characters that are not seen ({}{more})",
                named.join(", ")
            ))
        }
    }
}

/// A time as people say it: `0.4 s`, `20 s`.
fn seconds(time: Duration) -> String {
    match time.as_millis() {
        millis if millis % 1000 == 0 || millis > 10_000 => format!("{} s", time.as_secs()),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}
