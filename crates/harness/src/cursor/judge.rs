//! From what was found to verdicts.

use std::collections::HashSet;

use muster_core::{Contender, Definition, Objection, Reason, Rule, Server, Status, World, settle};
use muster_document::{Place, Shown};

use super::approval::{Answer, Kept};
use super::entry::Fault;
use super::expand::Variables;
use super::ground::Ground;
use super::rules;
use super::session::{CommandLine, Surface};
use super::sources::{Found, Origin};

/// Everything that decides about a definition besides the definition itself.
#[derive(Debug)]
pub(super) struct Circumstances<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) line: &'a CommandLine,
    pub(super) ground: &'a Ground,
    pub(super) kept: &'a Kept,
}

impl Circumstances<'_> {
    /// Judges everything that was found, strongest first.
    pub(super) fn judge(&self, found: Vec<Found>) -> Vec<Server> {
        // Names that a project's file takes away from the user's, if it is read.
        let doubtful: HashSet<String> = found
            .iter()
            .filter(|found| found.origin == Origin::Project && found.doubt.is_some())
            .map(|found| found.name.clone())
            .collect();
        let contenders = found.into_iter();
        let contenders = contenders.map(|found| self.contender(found, &doubtful));
        settle(contenders.collect(), &rules::PRECEDENCE)
    }

    fn contender(&self, mut found: Found, doubtful: &HashSet<String>) -> Contender {
        let mut facts = vec![Reason::new(
            found.origin.rule(),
            "defined",
            found.origin.meaning(),
            Some(found.place.clone()),
        )];
        for (rule, text, place) in std::mem::take(&mut found.checked.remarks) {
            facts.push(Reason::new(rule, "keys", text, place));
        }
        let held = self.held(&found, &mut facts);
        let open = held
            .as_ref()
            .is_none_or(|held| held.status.loads().is_none());
        let unsure = open && found.origin == Origin::User && doubtful.contains(&found.name);
        let out = self
            .out(&found, held.as_ref())
            .or_else(|| unsure.then(|| unsure_winner(&found)));
        Contender {
            definition: Definition {
                name: found.name,
                scope: found.origin.scope(),
                place: Some(found.place),
                entry: found.checked.entry.into(),
                rule: found.origin.rule(),
            },
            facts,
            out: out.map(Fault::objection),
            held,
            verdict: Reason::new(
                &rules::START,
                "loads",
                "nothing speaks against it: it starts in this session",
                None,
            ),
        }
    }

    /// Why a definition plays no part in who wins its name.
    fn out(&self, found: &Found, held: Option<&Objection>) -> Option<Fault> {
        match found.origin {
            Origin::Elsewhere(_) => found.checked.fault.clone(),
            Origin::Nested => Some(nested(found)),
            Origin::Added => Some(added(found)),
            // Read or not, it does not load where something else keeps it out for sure.
            _ if held.is_some_and(|held| held.status.loads() == Some(false)) => None,
            _ => found.doubt.clone(),
        }
    }

    /// What keeps a definition from loading although its name may be its own.
    fn held(&self, found: &Found, facts: &mut Vec<Reason>) -> Option<Objection> {
        let fault = found.checked.fault.as_ref();
        let (invalid, shape) = match fault.map(|fault| fault.status) {
            Some(Status::Unknown) => (None, fault.cloned()),
            Some(_) => (fault.cloned(), None),
            None => (None, None),
        };
        invalid
            .or_else(|| self.editor(found))
            .or_else(|| self.switched_off(found))
            .or_else(|| self.lost_store())
            .or_else(|| self.unapproved(found, facts))
            .or(shape)
            .or_else(|| self.variables(found, facts))
            .or_else(|| self.plugin_without_person(found))
            .map(Fault::objection)
    }

    fn editor(&self, found: &Found) -> Option<Fault> {
        (self.line.surface == Surface::Editor).then(|| Fault {
            status: Status::Unknown,
            short: "its switch in the editor".to_owned(),
            label: "editor",
            text: "the editor keeps a switch for it in its own storage (state.vscdb), which is not read here; a new project server starts off".to_owned(),
            place: None,
            rule: &rules::EDITOR,
            remedy: Some(format!("switch {} on in the editor: Customize, MCPs", quoted(&found.name))),
        })
    }

    fn switched_off(&self, found: &Found) -> Option<Fault> {
        let place = self.kept.switched_off(&found.name)?.clone();
        let name = quoted(&found.name);
        let remedy = Some(format!("agent mcp enable {name}"));
        if self.approves_all() {
            return Some(Fault {
                status: Status::Unknown,
                short: "off, and --approve-mcps".to_owned(),
                label: "switch",
                text: "switched off in mcp-disabled.json: one source saw --approve-mcps start it all the same, the vendor's pages say that it does not load".to_owned(),
                place: Some(place),
                rule: &rules::APPROVE_FLAG,
                remedy,
            });
        }
        Some(Fault {
            status: Status::Off,
            short: "switched off here".to_owned(),
            label: "switch",
            text: "switched off for this project root: its name stands in mcp-disabled.json"
                .to_owned(),
            place: Some(place),
            rule: &rules::SWITCH,
            remedy,
        })
    }

    /// What was approved and switched off cannot be found or read.
    fn lost_store(&self) -> Option<Fault> {
        let (short, text, rule): (_, _, &'static Rule) = if self.kept.hidden {
            (
                "switches not found",
                "the project root's path is so long that the folder of its approvals and switches may have another name, which is not known",
                &rules::LONG_PATH,
            )
        } else if self.kept.broken {
            (
                "switches cannot be read",
                "a file of approvals and switches for this project root is there and cannot be used: what Cursor does then is not known",
                &rules::SWITCH,
            )
        } else {
            return None;
        };
        Some(Fault {
            status: Status::Unknown,
            short: short.to_owned(),
            label: "switch",
            text: text.to_owned(),
            place: None,
            rule,
            remedy: None,
        })
    }

    /// `--approve-mcps`, where it has an effect.
    fn approves_all(&self) -> bool {
        self.line.approve_mcps && self.line.surface != Surface::Acp
    }

    /// A server of the project waits for a yes.
    fn unapproved(&self, found: &Found, facts: &mut Vec<Reason>) -> Option<Fault> {
        let in_home = found.origin == Origin::User && self.ground.home_is_project();
        if found.origin != Origin::Project && !in_home {
            return None;
        }
        let mut yes = |rule, text: &str, place: Option<Place>| {
            facts.push(Reason::new(rule, "approval", text, place));
        };
        if self.approves_all() {
            let text = "--approve-mcps says yes to every server";
            yes(&rules::APPROVE_FLAG, text, None);
            return None;
        }
        if let Answer::Yes(place) = &found.answer {
            let text = "approved for this project root, with this very content";
            yes(&rules::APPROVAL, text, Some(place.clone()));
            return None;
        }
        if in_home {
            return Some(Fault {
                status: Status::Unknown,
                short: "is the file yours or a project's".to_owned(),
                label: "approval",
                text: "in your home the user's file is the project's too: yours needs no approval, a project's does".to_owned(),
                place: None,
                rule: &rules::APPROVAL,
                remedy: Some(format!("agent mcp enable {}", quoted(&found.name))),
            });
        }
        if self.line.worktree {
            return Some(Fault {
                status: Status::Unknown,
                short: "runs in a worktree of its own".to_owned(),
                label: "approval",
                text: "--worktree runs in another checkout: what is approved there is not known"
                    .to_owned(),
                place: None,
                rule: &rules::WORKTREE,
                remedy: Some("add --approve-mcps".to_owned()),
            });
        }
        Some(self.pending(found))
    }

    fn pending(&self, found: &Found) -> Fault {
        let name = quoted(&found.name);
        let (remedy, rule): (_, &'static Rule) = match self.line.surface {
            Surface::Acp => (format!("agent mcp enable {name}"), &rules::ACP),
            _ if self.world.headless() => (
                format!("agent mcp enable {name}, or add --approve-mcps"),
                &rules::HEADLESS,
            ),
            _ => (
                format!("say yes when `agent` asks, or: agent mcp enable {name}"),
                &rules::APPROVAL,
            ),
        };
        let (mut text, place) = match &found.answer {
            Answer::ToAnother { place, sure } => (
                match sure {
                    true => "the yes that is stored was to another content of this name",
                    false => "a yes is stored for this name, but not for this content in any form that is known",
                }
                .to_owned(),
                Some(place.clone()),
            ),
            _ => ("no approval is stored for this project root".to_owned(), None),
        };
        if self.world.headless() {
            text.push_str(", and nobody can be asked: Cursor skips it silently");
        }
        let unsure = matches!(found.answer, Answer::ToAnother { sure: false, .. });
        Fault {
            status: if unsure {
                Status::Unknown
            } else {
                Status::NeedsApproval
            },
            short: match unsure {
                true => "approval not understood".to_owned(),
                false => "needs your approval".to_owned(),
            },
            label: "approval",
            text,
            place,
            rule,
            remedy: Some(remedy),
        }
    }

    /// Variables whose meaning, or whose absence, is not documented.
    fn variables(&self, found: &Found, facts: &mut Vec<Reason>) -> Option<Fault> {
        let root = (found.origin == Origin::Project).then_some(self.ground.root.as_path());
        let variables = Variables::of(self.world, root);
        let (start, all) = variables.met(found.entry());
        if !all.unset.is_empty() {
            const SHOWN: usize = 8;
            let names = all.unset.iter().take(SHOWN);
            let names: Vec<_> = names.map(|name| Shown(name).to_string()).collect();
            let more = all.unset.len().saturating_sub(SHOWN);
            let more = match more {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let text = format!(
                "not set: {}{more}; what Cursor puts in the place of an unset variable is not documented",
                names.join(", ")
            );
            let place = Some(found.place.clone());
            facts.push(Reason::new(&rules::EXPANSION, "variables", text, place));
        }
        start.workspace.then(|| Fault {
            status: Status::Unknown,
            short: "${workspaceFolder} not clear".to_owned(),
            label: "variables",
            text: "${workspaceFolder} is the folder of a project's .cursor/mcp.json: what it means outside of one is not documented".to_owned(),
            place: Some(found.place.clone()),
            rule: &rules::EXPANSION,
            remedy: Some("write the path itself, or ${userHome}".to_owned()),
        })
    }

    fn plugin_without_person(&self, found: &Found) -> Option<Fault> {
        (found.origin == Origin::Plugin && self.world.headless()).then(|| Fault {
            status: Status::Unknown,
            short: "a plugin's, run headless".to_owned(),
            label: "plugin",
            text: "sources disagree whether a run that nobody can be asked in gets the servers of plugins".to_owned(),
            place: None,
            rule: &rules::PLUGIN,
            remedy: None,
        })
    }
}

fn nested(found: &Found) -> Fault {
    Fault {
        status: Status::Unknown,
        short: "not at the project root".to_owned(),
        label: "file",
        text: "only the file at the project root was found to be read, but the vendor's pages speak of nested and parent folders".to_owned(),
        place: Some(found.place.clone()),
        rule: &rules::NESTED,
        remedy: Some("write it into .cursor/mcp.json of the project root".to_owned()),
    }
}

fn added(found: &Found) -> Fault {
    Fault {
        status: Status::Unknown,
        short: "from a folder of --add-dir".to_owned(),
        label: "approval",
        text: "it loads under a name that begins with project-; whether that one is approved is not known".to_owned(),
        place: Some(found.place.clone()),
        rule: &rules::ADDED_FOLDER,
        remedy: None,
    }
}

/// A user's definition beside one of a project's file that may or may not be read.
fn unsure_winner(found: &Found) -> Fault {
    Fault {
        status: Status::Unknown,
        short: "the project's may win".to_owned(),
        label: "wins",
        text: "the project's file defines this name too: it wins if Cursor reads that file, which is not known".to_owned(),
        place: Some(found.place.clone()),
        rule: &rules::SYNTAX,
        remedy: Some("write the project's file as plain JSON".to_owned()),
    }
}

/// A name as a word of a command line.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@');
    match name.chars().all(plain) && !name.is_empty() {
        true => name.to_owned(),
        false => format!("\"{}\"", Shown(name)),
    }
}
