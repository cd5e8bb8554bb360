//! From what was found to verdicts, and what is told of names that clash.

use std::collections::HashMap;

use muster_core::{
    Contender, Definition, Dossier, Entry, Objection, Reason, Scope, Server, Status, World, settle,
};
use muster_document::{Secret, Shown};

use super::entry::is_address;
use super::expand::{Missing, expand};
use super::own::{Found, Origin};
use super::rules;

/// Judges everything that was found, strongest first, and notes what is left out and which names clash.
pub(super) fn judge(dossier: &mut Dossier<'_>, found: Vec<Found>, own: &str) -> Vec<Server> {
    let world = dossier.world;
    let contenders = found.into_iter().map(|found| contender(world, found, own));
    let contenders: Vec<Contender> = contenders.collect();
    note_clashes(dossier, &contenders);
    let servers = settle(contenders, &rules::CLASH);
    note_left_out(dossier, &servers);
    servers
}

fn contender(world: &World<'_>, found: Found, own: &str) -> Contender {
    let Found {
        name,
        origin,
        place,
        checked,
        out,
    } = found;
    let mut facts = vec![Reason::new(
        origin.rule(),
        "defined",
        origin.meaning(),
        place.clone(),
    )];
    for (text, place) in checked.remarks {
        facts.push(Reason::new(&rules::ENTRY, "keys", text, place));
    }
    let off = checked.off.map(|(key, place)| {
        let text = format!("switched off: {key} says so");
        let reason = Reason::new(&rules::SWITCH, "switch", text, Some(place));
        let remedy = format!("take {key} out of the entry");
        Objection::new(Status::Off, "switched off", reason).with_remedy(remedy)
    });
    let starts_muster = itself(&checked.entry);
    let wrong = checked
        .refusal
        .or(off)
        .or_else(|| unset(world, &checked.entry))
        .or_else(|| address(world, &checked.entry));
    let waits = (origin == Origin::ClaudeCode(Scope::Project)).then(|| waits(world, own));
    // What stands in Muster's own list decides about its name even if it is wrong; of Claude Code's, only what would be started.
    let refused = |wrong: &Objection| matches!(wrong.status, Status::Invalid | Status::Unsupported);
    let (out, held) = match origin {
        Origin::Elsewhere(_) => (out, None),
        Origin::Own => (starts_muster, out.or(wrong)),
        Origin::ClaudeCode(_) => {
            let (refusal, held) = match wrong {
                Some(wrong) if refused(&wrong) => (Some(wrong), None),
                other => (None, other),
            };
            (out.or(starts_muster).or(refusal).or(waits), held)
        }
    };
    Contender {
        definition: Definition {
            name,
            scope: origin.scope(),
            place,
            entry: checked.entry.into(),
            rule: origin.rule(),
        },
        facts,
        out,
        held,
        verdict: Reason::new(
            &rules::START,
            "loads",
            "nothing speaks against it: Muster starts it",
            None,
        ),
    }
}

/// A server of the project, of which nobody has told Muster whether to trust it.
fn waits(world: &World<'_>, own: &str) -> Objection {
    let mut text =
        "comes with the folder's files: a yes said in Claude Code does not count here, and Muster's own is not asked yet"
            .to_owned();
    if world.headless() {
        text.push_str("; muster serve leaves it out");
    }
    let reason = Reason::new(&rules::TRUST, "trust", text, None);
    Objection::new(Status::NeedsApproval, "not trusted by Muster yet", reason)
        .with_remedy(format!("write it under mcp_servers in {own}"))
}

/// Programs that fetch and start another one: `npx mcp-muster serve`.
const RUNNERS: [&str; 9] = [
    "npx", "pnpx", "bunx", "uvx", "npm", "pnpm", "yarn", "bun", "env",
];

/// An entry that starts `muster serve`: it would start itself for ever.
fn itself(entry: &Entry) -> Option<Objection> {
    let command = entry.command.as_ref()?;
    let file = command.value.expose().rsplit(['/', '\\']).next();
    let file = file.unwrap_or_default();
    let file = [".exe", ".cmd"]
        .iter()
        .find_map(|suffix| file.strip_suffix(suffix))
        .unwrap_or(file);
    let is_muster = |word: &str| matches!(word.split('@').next(), Some("muster" | "mcp-muster"));
    let mut args = entry.args.iter().map(|word| word.value.expose());
    let starts = is_muster(file) || (RUNNERS.contains(&file) && args.any(is_muster));
    if !starts || !args.any(|word| word == "serve") {
        return None;
    }
    let text = "it starts muster serve, which would start itself again";
    let reason = Reason::new(&rules::ITSELF, "itself", text, command.place.clone());
    Some(Objection::new(Status::Off, "is Muster itself", reason))
}

/// Variables that the fields of `entry` name, that are unset and have no default.
fn unset(world: &World<'_>, entry: &Entry) -> Option<Objection> {
    let mut missing = Missing::default();
    let mut first = None;
    let plain = entry
        .headers
        .len()
        .saturating_sub(entry.header_variables.len());
    let words = entry.command.iter().chain(&entry.args).chain(&entry.url);
    let headers = entry.headers.iter().take(plain);
    let pairs = entry.env.iter().chain(headers).map(|(_, value)| value);
    for text in words.chain(pairs) {
        let before = missing.names().len();
        expand(text.value.expose(), &world.env, &mut missing);
        if missing.names().len() > before {
            first.get_or_insert_with(|| text.place.clone());
        }
    }
    for header in &entry.header_variables {
        let name = header.variable.value.expose();
        if world.env.filled(name).is_none() {
            missing.add(name);
            first.get_or_insert_with(|| header.variable.place.clone());
        }
    }
    let names: Vec<String> = missing
        .names()
        .iter()
        .map(|name| Shown(name).to_string())
        .collect();
    let short = match names.as_slice() {
        [] => return None,
        [one] if one.chars().count() <= 19 => format!("{one} is not set"),
        [_] => "a variable is not set".to_owned(),
        several => format!("{} variables are not set", several.len()),
    };
    let names = names.join(", ");
    let verb = if missing.names().len() == 1 {
        "is"
    } else {
        "are"
    };
    let text = format!("{names} {verb} not set and there is no default");
    let reason = Reason::new(&rules::VARIABLE, "variables", text, first.flatten());
    let remedy = format!("set {names} where Muster runs, or write a default");
    Some(Objection::new(Status::Broken, short, reason).with_remedy(remedy))
}

/// An address that is none once its variables are filled in.
fn address(world: &World<'_>, entry: &Entry) -> Option<Objection> {
    let url = entry.url.as_ref()?;
    let filled = Secret::new(expand(
        url.value.expose(),
        &world.env,
        &mut Missing::default(),
    ));
    if is_address(filled.expose()) {
        return None;
    }
    let text = "url is no http or https address once its variables are filled in";
    let reason = Reason::new(&rules::VARIABLE, "address", text, url.place.clone());
    Some(
        Objection::new(Status::Broken, "url is no address", reason)
            .with_remedy("let its variables make an address that begins with https://"),
    )
}

/// Each name that is defined more than once, told once with the definition that wins it.
fn note_clashes(dossier: &mut Dossier<'_>, contenders: &[Contender]) {
    let real = |contender: &&Contender| contender.definition.rule.id != rules::ELSEWHERE.id;
    let mut by_name: HashMap<&str, (usize, Option<&Definition>)> = HashMap::new();
    let mut order = Vec::new();
    for contender in contenders.iter().filter(real) {
        let name = contender.definition.name.as_str();
        let (count, winner) = by_name.entry(name).or_insert_with(|| {
            order.push(name);
            (0, None)
        });
        *count += 1;
        if contender.out.is_none() {
            winner.get_or_insert(&contender.definition);
        }
    }
    for name in order {
        let Some((count, Some(winner))) = by_name.get(name).filter(|(count, _)| *count > 1) else {
            continue;
        };
        let whose = match winner.scope {
            Scope::Own => "Muster's own",
            Scope::Local => "Claude Code's for this folder",
            Scope::Project => "the project's",
            _ => "Claude Code's for every folder",
        };
        let file = winner.place.as_ref().map(|place| {
            let shown = dossier.world.shown(&place.path);
            format!(" ({})", Shown(&shown))
        });
        let text = format!(
            "{} is defined {count} times: {whose}{} wins",
            Shown(name),
            file.unwrap_or_default()
        );
        dossier.note(&rules::CLASH, text, winner.place.clone());
    }
}

/// Servers that an unset variable leaves out.
fn note_left_out(dossier: &mut Dossier<'_>, servers: &[Server]) {
    let broken = servers
        .iter()
        .filter(|server| server.status == Status::Broken);
    for server in broken {
        if let Some(reason) = server.reasons.last() {
            let text = format!(
                "{} is left out: {}",
                Shown(&server.definition.name),
                reason.text
            );
            dossier.note(reason.rule, text, reason.place.clone());
        }
    }
}
