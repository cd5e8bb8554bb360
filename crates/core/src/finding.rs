//! Findings: what is wrong or misleading in a file as it stands, and the checks that find it.

use muster_document::Place;

/// One thing that is looked for in configuration. Every [`Finding`] names the check that found it.
#[derive(Debug, PartialEq, Eq)]
pub struct Check {
    /// One or more words with dashes, such as `url-without-type`. Stable: scripts may match on it.
    pub id: &'static str,
    /// How bad it usually is.
    pub severity: Severity,
    /// How sure a finding is.
    pub confidence: Confidence,
    /// Who wants to hear of it.
    pub audience: Audience,
    /// The version of Muster that first looked for it.
    pub since: &'static str,
    /// What is wrong, as a heading without its full stop.
    pub title: &'static str,
    /// What happens and why, in a few sentences.
    pub explanation: &'static str,
    /// What to do about it, in a few sentences.
    pub help: &'static str,
    /// Where to read more: public reports, pages of a specification. May be empty.
    pub links: &'static [&'static str],
    /// A file that has it, and the same file mended.
    pub example: Example,
}

/// A file before and after.
#[derive(Debug, PartialEq, Eq)]
pub struct Example {
    /// The id of the harness whose file it is.
    pub harness: &'static str,
    /// Its path: from the session folder, or from the home with `~/`.
    pub path: &'static str,
    /// With the fault.
    pub before: &'static str,
    /// Mended.
    pub after: &'static str,
    /// Other files that matter, each with its path and what it holds.
    pub besides: &'static [(&'static str, &'static str)],
}

/// How bad a finding is. The words are part of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Something does not work, or is dangerous.
    Error,
    /// Something probably does not do what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// The word in JSON and on screen.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// It is so, wherever it is found.
    High,
    /// It is nearly always so.
    Medium,
    /// It is worth a look.
    Low,
}

impl Confidence {
    /// The word on screen.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Low => "low",
        }
    }
}

/// Who wants to hear of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Audience {
    /// Everybody whose servers it is about.
    Everyone,
    /// Who wants every file to be as good as it can be.
    Pedantic,
    /// Who judges what a configuration could do to a machine.
    Security,
}

impl Audience {
    /// Every audience.
    pub const ALL: [Audience; 3] = [Audience::Everyone, Audience::Pedantic, Audience::Security];

    /// The word on screen.
    pub fn word(self) -> &'static str {
        match self {
            Audience::Everyone => "everyone",
            Audience::Pedantic => "pedantic",
            Audience::Security => "security",
        }
    }
}

/// Something worth acting on: where it is, what is, and what to do. It holds no secret: names, never values.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The check that found it.
    pub check: &'static Check,
    /// How bad it is here.
    pub severity: Severity,
    /// The id of the harness it is about; `None` where it is about none alone.
    pub harness: Option<&'static str>,
    /// The name of the server it is about; `None` where it is about none alone.
    pub server: Option<String>,
    /// The server's own name for the tool it is about; `None` where it is about none alone. Foreign.
    pub tool: Option<String>,
    /// What is: a sentence without its full stop. Foreign text in it is [`Shown`](muster_document::Shown), what may be secret is
    /// [`Masked`](muster_document::Masked).
    pub text: String,
    /// What to do: the same.
    pub help: Option<String>,
    /// Where it is written; `None` for what a command line gave.
    pub place: Option<Place>,
}

impl Finding {
    /// A finding of `check`, as bad as usual, that is about no harness, server or place yet.
    pub fn new(check: &'static Check, text: impl Into<String>) -> Self {
        Finding {
            check,
            severity: check.severity,
            harness: None,
            server: None,
            tool: None,
            text: text.into(),
            help: None,
            place: None,
        }
    }

    /// The same about the server called `name`.
    #[must_use]
    pub fn about(mut self, name: &str) -> Self {
        self.server = Some(name.to_owned());
        self
    }

    /// The same about the tool that its server calls `name`.
    #[must_use]
    pub fn of_tool(mut self, name: &str) -> Self {
        self.tool = Some(name.to_owned());
        self
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same at `place`; where that is not known, it stays where it was.
    #[must_use]
    pub fn at(mut self, place: Option<&Place>) -> Self {
        if let Some(place) = place {
            self.place = Some(place.clone());
        }
        self
    }

    /// The same, as bad as `severity`.
    #[must_use]
    pub fn as_bad_as(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}
