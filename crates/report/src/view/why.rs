//! `muster.why/1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{File, Finding, Launch, Mode, Note, Origin, Server};

/// The whole story of one server's name.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "muster.why/1")]
pub struct Why<'a> {
    /// `muster.why/1`.
    pub schema: &'static str,
    /// The version of Muster that wrote this.
    pub muster: &'static str,
    /// The session folder, absolute, links resolved.
    pub project: String,
    /// Whether somebody can be asked in the session.
    pub mode: Mode,
    /// The name that was asked about.
    pub name: String,
    /// Every harness asked, always in the same order; those that do not know the name have no definitions.
    pub harnesses: Vec<WhyHarness<'a>>,
    /// What is worth acting on in its definitions, as in `muster.list/1`.
    pub findings: Vec<Finding<'a>>,
    /// Where no harness knows the name: known names that are close to it.
    pub similar: Vec<Similar>,
}

/// What one harness makes of the name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WhyHarness<'a> {
    /// Its id, such as `claude-code`.
    pub id: &'static str,
    /// Its name, such as `Claude Code`.
    pub name: &'static str,
    /// The version of the real program on which the rules were observed.
    pub rules: &'static str,
    /// The version of the program found on PATH.
    pub installed: Option<String>,
    /// Whether a session starts a server of that name; `null` where it cannot be known or the name is not.
    pub loads: Option<bool>,
    /// The verdict in one sentence; `null` where the name is not known.
    pub verdict: Option<String>,
    /// Every definition of the name, the highest in precedence first.
    pub definitions: Vec<Definition<'a>>,
    /// Where else the name stands, of no concern in this session.
    pub elsewhere: Vec<Elsewhere<'a>>,
    /// How the server would be started; `null` where that is not asked for (`--launch-plan`), or the name is not known.
    pub launch: Option<Launch<'a>>,
    /// Every file looked at.
    pub files: Vec<File<'a>>,
    /// What is about no single server.
    pub notes: Vec<Note<'a>>,
}

/// A definition that is of no concern in this session.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Elsewhere<'a> {
    /// Whom it concerns, as a sentence without its full stop.
    pub text: String,
    /// Where it is written.
    pub origin: Option<Origin<'a>>,
}

/// One definition and how its verdict came about.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Definition<'a> {
    /// The definition, as in `muster.list/1`.
    pub server: Server<'a>,
    /// The verdict in a few words.
    pub short: String,
    /// The chain of reasons with the lines they are about, the deciding one last.
    pub chain: Vec<Link<'a>>,
    /// The definitions that this one keeps from loading.
    pub hides: Vec<Origin<'a>>,
    /// What one change would make it load: each a sentence or a command line, any one is enough, but for what is `further` against it.
    pub remedies: Vec<String>,
    /// What would still keep it from loading after that change, each in a few words.
    pub further: Vec<String>,
}

/// One link of the chain.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Link<'a> {
    /// The rule it follows from.
    pub rule: &'static str,
    /// How the rule is known: `seen on 2.1.332`.
    pub evidence: String,
    /// What it is about, in one word.
    pub label: &'static str,
    /// A sentence without its full stop.
    pub text: String,
    /// Where it is written.
    pub origin: Option<Origin<'a>>,
    /// The line it is written on.
    pub excerpt: Option<Line>,
}

/// A line of a file, hidden parts as `•••`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Line {
    /// Its number, from 1.
    pub line: u32,
    /// The masked line.
    pub text: String,
    /// Where in `text` the part that is meant begins, in Unicode scalar values from 0.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// A name that is close to the one asked about.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Similar {
    /// The name.
    pub name: String,
    /// The name of a harness that knows it.
    pub harness: &'static str,
}
