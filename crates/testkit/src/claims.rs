//! What holds for every resolution, whatever the input. Called by proptest in the tests and by cargo-fuzz in long runs.

use std::collections::{HashMap, HashSet};

use camino::Utf8Path;
use muster_core::{Entry, Harness, Resolution, Scope, Source, Start};
use muster_document::{Place, Span};

use crate::Stage;

/// A variable that no harness knows.
const UNUSED: &str = "MUSTER_TESTKIT_UNUSED";

/// Resolves `stage` with `harness` and gives every claim that does not hold, as a sentence; none if all hold.
///
/// 1. Each file is read at most once.
/// 2. Two resolutions of one world are the same.
/// 3. A file that nothing was asked about, and a variable that nobody uses, change nothing.
/// 4. Every place lies in a file of the account, inside its text; that of a definition holds its name, or what it is put together from.
/// 5. At most one server of a name loads, every server has a reason, and every rule is a registered one.
/// 6. For every server there is a launch plan or a reason why not, whenever it is asked for; a variable stands in a plan once, handed
///    over or withheld; what limits it stands in a file of the account.
pub fn broken(harness: &dyn Harness, stage: &Stage) -> Vec<String> {
    let first = harness.resolve(&stage.world());
    let mut broken: Vec<String> = stage
        .tree
        .read_twice()
        .into_iter()
        .map(|path| format!("{path} was read more than once"))
        .collect();
    let shown = format!("{first:?}");

    let again = harness.resolve(&stage.again(stage.tree.copy()).world());
    if format!("{again:?}") != shown {
        broken.push("a second resolution is another".to_owned());
    }
    let elsewhere = stage.again(without_meaning(stage)).env(UNUSED, "1");
    if format!("{:?}", harness.resolve(&elsewhere.world())) != shown {
        broken.push("a file or variable that was not asked for makes a difference".to_owned());
    }
    broken.extend(misplaced(&first));
    broken.extend(misnamed(&first));
    broken.extend(inconsistent(harness, &first));
    broken.extend(misplanned(harness, stage, &first));
    broken
}

/// The tree of `stage` with every file that was not asked about replaced by something else.
fn without_meaning(stage: &Stage) -> crate::Tree {
    let tree = stage.tree.copy();
    for path in tree
        .files()
        .into_iter()
        .filter(|path| !stage.tree.was_asked(path))
    {
        tree.file(path, "nobody reads this");
    }
    tree
}

/// Every place that is not inside a text of the account.
fn misplaced(resolution: &Resolution) -> Vec<String> {
    let texts = texts(resolution);
    let accounted: HashSet<&Utf8Path> = resolution.files.iter().map(|file| &*file.path).collect();
    let mut broken = Vec::new();
    for place in places(resolution) {
        let Some(text) = texts.get(&*place.path) else {
            broken.push(format!(
                "a place is in {}, of which there is no text",
                place.path
            ));
            continue;
        };
        if !accounted.contains(&*place.path) {
            broken.push(format!(
                "a place is in {}, which is not in the account of files",
                place.path
            ));
        }
        if !inside(place.span, text) {
            broken.push(format!(
                "a place is outside of the text of {}: {:?}",
                place.path, place.span
            ));
        }
    }
    broken
}

/// Whether `span` lies in `text`; where a file ends too early, it may be the byte after its end.
fn inside(span: Span, text: &str) -> bool {
    let start = span.start.min(text.len());
    span.start <= span.end && span.end <= text.len() + 1 && text.is_char_boundary(start)
}

fn texts(resolution: &Resolution) -> HashMap<&Utf8Path, &str> {
    resolution
        .sources
        .iter()
        .map(|source| (&**source.path(), text_of(source)))
        .collect()
}

fn text_of(source: &Source) -> &str {
    match source {
        Source::Parsed(document) => document.text(),
        Source::Broken(error) => error.text(),
    }
}

fn places(resolution: &Resolution) -> impl Iterator<Item = &Place> {
    let reasons = resolution.servers.iter().flat_map(|server| {
        server
            .reasons
            .iter()
            .filter_map(|reason| reason.place.as_ref())
    });
    let definitions = resolution.servers.iter().map(|server| &server.definition);
    let written = definitions
        .clone()
        .flat_map(|definition| entry_places(&definition.entry));
    let definitions = definitions.filter_map(|definition| definition.place.as_ref());
    let replaced = resolution
        .servers
        .iter()
        .flat_map(|server| &server.replaces);
    let notes = resolution
        .notes
        .iter()
        .chain(&resolution.stopped)
        .filter_map(|note| note.place.as_ref());
    let files = resolution
        .files
        .iter()
        .filter_map(|file| file.place.as_ref());
    let elsewhere = resolution.elsewhere.iter().map(|found| &found.place);
    reasons
        .chain(definitions)
        .chain(written)
        .chain(replaced)
        .chain(notes)
        .chain(files)
        .chain(elsewhere)
}

/// Every definition whose place does not hold its name.
fn misnamed(resolution: &Resolution) -> Vec<String> {
    let texts = texts(resolution);
    let wrong = resolution.servers.iter().filter(|server| {
        let name = &server.definition.name;
        let written = server.definition.place.as_ref().map(|place| {
            let text = texts.get(&*place.path).copied().unwrap_or_default();
            place.span.of(text)
        });
        // A plugin's server is listed under a name that ends in the one that is written.
        let of_plugin = server.definition.scope == Scope::Plugin;
        let holds = |written: &str| {
            let bare = written.trim_matches(['"', '\'']);
            written.contains(name.as_str())
                || is_put_together(written)
                || (of_plugin && !bare.is_empty() && name.ends_with(bare))
        };
        spelled_plainly(name) && written.is_some_and(|written| !holds(written))
    });
    wrong
        .map(|server| {
            format!(
                "the place of {:?} does not hold its name",
                server.definition.name
            )
        })
        .collect()
}

fn entry_places(entry: &Entry) -> impl Iterator<Item = &Place> {
    let single = [&entry.command, &entry.cwd, &entry.url]
        .into_iter()
        .flatten();
    let named = entry
        .env
        .iter()
        .chain(&entry.headers)
        .map(|(_, value)| value);
    let words = entry
        .transport_word
        .iter()
        .chain(&entry.forwarded)
        .chain(&entry.unread)
        .map(|word| &word.place);
    let limits = [&entry.startup_timeout, &entry.call_timeout]
        .into_iter()
        .flatten()
        .map(|limit| &limit.place);
    single
        .chain(&entry.headers_helper)
        .chain(&entry.args)
        .chain(named)
        .map(|value| &value.place)
        .chain(words)
        .chain(limits)
        .flatten()
}

/// Every launch plan that cannot be relied on.
fn misplanned(harness: &dyn Harness, stage: &Stage, resolution: &Resolution) -> Vec<String> {
    let world = stage.world();
    let texts = texts(resolution);
    let mut broken = Vec::new();
    for (at, server) in resolution.servers.iter().enumerate() {
        let name = &server.definition.name;
        let plan = harness.launch(&world, server);
        // Every plan reads the world anew, which takes a while.
        if at == 0 && plan != harness.launch(&world, server) {
            broken.push(format!("a second plan for {name:?} is another"));
        }
        let Ok(plan) = plan else { continue };
        if let Start::Process { env, withheld, .. } = &plan.start {
            let handed: Vec<&str> = env.iter().map(|variable| &*variable.name).collect();
            let known: HashSet<&str> = handed.iter().copied().collect();
            if !handed.is_sorted() || known.len() != handed.len() {
                broken.push(format!("{name:?} is handed variables twice or in no order"));
            }
            if withheld.iter().any(|name| known.contains(&**name)) || !withheld.is_sorted() {
                broken.push(format!("{name:?} is handed a variable that is withheld"));
            }
        }
        for limit in [&plan.startup_timeout, &plan.call_timeout] {
            let text = limit.place.as_ref().map(|place| texts.get(&*place.path));
            if let (Some(place), Some(text)) = (&limit.place, text)
                && !text.is_some_and(|text| inside(place.span, text))
            {
                broken.push(format!("a limit of {name:?} is in no text of the account"));
            }
        }
        if plan
            .remarks
            .iter()
            .any(|remark| remark.is_empty() || remark.ends_with('.'))
        {
            broken.push(format!("a remark on {name:?} is no fragment"));
        }
    }
    broken
}

/// Whether a file spells `name` as it is, without escapes and without a prefix of the harness's.
fn spelled_plainly(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Whether a name is written with parts that a harness replaces before it reads the file.
fn is_put_together(written: &str) -> bool {
    written.contains("{env:") || written.contains("{file:")
}

fn inconsistent(harness: &dyn Harness, resolution: &Resolution) -> Vec<String> {
    let mut broken = Vec::new();
    let mut loading = HashSet::new();
    for server in &resolution.servers {
        let name = &server.definition.name;
        if server.status.loads() == Some(true) && !loading.insert(name) {
            broken.push(format!("two servers called {name:?} load"));
        }
        if server.reasons.is_empty() {
            broken.push(format!("{name:?} has no reason"));
        }
        if server.status.loads() != Some(true) && server.short.is_none() {
            broken.push(format!(
                "{name:?} does not load, and the list cannot say why"
            ));
        }
    }
    let known: HashSet<&str> = harness.rules().iter().map(|rule| rule.id).collect();
    let reasons = resolution
        .servers
        .iter()
        .flat_map(|server| &server.reasons)
        .map(|reason| reason.rule);
    let named = reasons.chain(
        resolution
            .notes
            .iter()
            .chain(&resolution.stopped)
            .map(|note| note.rule),
    );
    broken.extend(
        named
            .filter(|rule| !known.contains(rule.id))
            .map(|rule| format!("the rule `{}` is not registered", rule.id)),
    );
    broken
}

#[cfg(test)]
mod tests;
