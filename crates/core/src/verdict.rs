//! What a harness makes of a definition, and why.

use std::rc::Rc;

use muster_document::{Place, Secret};

use crate::{Definition, FileReport, Rule, Scope, Source};

/// What becomes of a definition. The words are part of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The harness starts it in a session here.
    Configured,
    /// It waits for the user's yes in that harness.
    NeedsApproval,
    /// The user said no.
    Rejected,
    /// Switched off.
    Off,
    /// The folder is not trusted there.
    Untrusted,
    /// An administrator's policy, or the user's own deny list, keeps it out.
    Blocked,
    /// Another definition wins.
    Overridden,
    /// The harness refuses the definition, or the file that holds it.
    Invalid,
    /// A transport that the harness does not speak.
    Unsupported,
    /// The harness gives up before starting it, by its own rules.
    Broken,
    /// Written where the harness never looks.
    Ignored,
    /// Depends on a switch that cannot be read.
    Unknown,
}

impl Status {
    /// Every status, in the order of the contract.
    pub const ALL: [Status; 12] = [
        Status::Configured,
        Status::NeedsApproval,
        Status::Rejected,
        Status::Off,
        Status::Untrusted,
        Status::Blocked,
        Status::Overridden,
        Status::Invalid,
        Status::Unsupported,
        Status::Broken,
        Status::Ignored,
        Status::Unknown,
    ];

    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Status::Configured => "configured",
            Status::NeedsApproval => "needs-approval",
            Status::Rejected => "rejected",
            Status::Off => "off",
            Status::Untrusted => "untrusted",
            Status::Blocked => "blocked",
            Status::Overridden => "overridden",
            Status::Invalid => "invalid",
            Status::Unsupported => "unsupported",
            Status::Broken => "broken",
            Status::Ignored => "ignored",
            Status::Unknown => "unknown",
        }
    }

    /// Whether somebody's choice, not a fault, keeps the server from loading.
    pub(crate) fn is_choice(self) -> bool {
        matches!(
            self,
            Status::NeedsApproval
                | Status::Rejected
                | Status::Off
                | Status::Untrusted
                | Status::Blocked
                | Status::Overridden
        )
    }

    /// Whether a session starts the server; `None` where that cannot be known.
    pub fn loads(self) -> Option<bool> {
        match self {
            Status::Configured => Some(true),
            Status::Unknown => None,
            _ => Some(false),
        }
    }
}

/// One link of the chain that leads to a verdict.
#[derive(Debug, Clone)]
pub struct Reason {
    /// The rule it follows from.
    pub rule: &'static Rule,
    /// One word for the margin of `muster why`: `defined`, `approval`, `trust`, `policy`, `wins`, …
    pub label: &'static str,
    /// A sentence without its full stop. Foreign text in it is [`Shown`](muster_document::Shown), secrets are [`Masked`](muster_document::Masked).
    pub text: String,
    /// Where it is written, if it is written anywhere.
    pub place: Option<Place>,
}

impl Reason {
    /// The label of a link that tells of another definition of the same name, which gives a part of the entry.
    pub const MERGES: &str = "merges";

    /// A link of the chain; see the fields.
    pub fn new(
        rule: &'static Rule,
        label: &'static str,
        text: impl Into<String>,
        place: Option<Place>,
    ) -> Self {
        Reason {
            rule,
            label,
            text: text.into(),
            place,
        }
    }
}

/// Why a definition does not load.
#[derive(Debug, Clone)]
pub struct Objection {
    /// The status it gives.
    pub status: Status,
    /// The reason in at most about 30 characters, for a line of `muster list`: `needs your approval`.
    pub short: String,
    /// The chain, the deciding link last.
    pub reasons: Vec<Reason>,
    /// What one change would make it load, each a sentence or a command line.
    pub remedies: Vec<String>,
}

impl Objection {
    /// An objection of one reason, without a remedy.
    pub fn new(status: Status, short: impl Into<String>, reason: Reason) -> Self {
        Objection {
            status,
            short: short.into(),
            reasons: vec![reason],
            remedies: Vec::new(),
        }
    }

    /// The same with one more way to make it load.
    pub fn with_remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedies.push(remedy.into());
        self
    }
}

/// A definition with its verdict.
#[derive(Debug, Clone)]
pub struct Server {
    /// What was written, and where.
    pub definition: Definition,
    /// What becomes of it.
    pub status: Status,
    /// The verdict in at most about 30 characters; `None` where it simply loads.
    pub short: Option<String>,
    /// The chain of reasons, the deciding link last. Never empty.
    pub reasons: Vec<Reason>,
    /// What one change would make it load; empty where it loads or nothing can be said.
    pub remedies: Vec<String>,
    /// What would still keep it from loading after that change, each in at most about 30 characters.
    pub further: Vec<String>,
    /// Names of the definitions that this one keeps from loading, with their places.
    pub replaces: Vec<Place>,
}

/// Something worth saying that is about no single server.
#[derive(Debug, Clone)]
pub struct Note {
    /// The rule it follows from.
    pub rule: &'static Rule,
    /// A sentence without its full stop.
    pub text: String,
    /// Where it is written, if it is written anywhere.
    pub place: Option<Place>,
}

/// A definition that is of no concern in this session, told only to somebody who asks for its name.
#[derive(Debug, Clone)]
pub struct Elsewhere {
    /// The server's name.
    pub name: String,
    /// Where the name stands.
    pub place: Place,
    /// Whom it concerns, as a sentence without its full stop: `defined for ~/other/folder only`.
    pub text: String,
}

/// What one harness makes of a world.
#[derive(Debug)]
pub struct Resolution {
    /// The harness's id, such as `claude-code`.
    pub id: &'static str,
    /// Its name, such as `Claude Code`.
    pub name: &'static str,
    /// The version on which its rules were observed.
    pub rules_version: &'static str,
    /// The installed version, where it was found.
    pub installed: Option<String>,
    /// Every file looked at.
    pub files: Vec<FileReport>,
    /// Every definition found: in order of precedence, then of the files.
    pub servers: Vec<Server>,
    /// Definitions that are of no concern in this session; they are no servers of it, whatever becomes of them.
    pub elsewhere: Vec<Elsewhere>,
    /// What is about no single server.
    pub notes: Vec<Note>,
    /// Why nothing at all loads, where one fault stops the whole harness: a sentence for its headline.
    pub stopped: Option<Note>,
    /// The texts that places refer to, for excerpts.
    pub sources: Vec<Rc<Source>>,
    /// Variables with their values that no entry holds and no report shows, but that may recur in what is shown: those of the harness's
    /// own files, and those that entries name.
    pub variables: Vec<(String, Secret)>,
    /// The session in one clause for the headline, where it decides everything: `this folder is not trusted`.
    pub situation: Option<String>,
    /// The harness whose servers this one takes over beside its own; all that are not of scope `own` are that one's.
    pub takes_from: Option<&'static str>,
    /// The folders and files a first server could be written to, as sentences: shown where nothing is configured.
    pub first_steps: Vec<String>,
}

impl Resolution {
    /// Whether it only repeats what another harness has: it takes that one's servers, and nobody gave it any of its own.
    pub fn only_repeats(&self) -> bool {
        let own = |server: &Server| server.definition.scope == Scope::Own;
        self.takes_from.is_some() && !self.servers.iter().any(own)
    }
}
