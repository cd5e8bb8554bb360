//! How a harness starts a server, or reaches it: what `muster why --launch-plan` shows, and what a client does.

use std::time::Duration;

use camino::Utf8PathBuf;
use muster_document::{Place, Secret};

use crate::{Platform, Server, Status, Transport, World};

/// What a harness would do to use one server, with every variable expanded as it expands them. Helpers (`!command`,
/// `headersHelper`) are named, never run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchPlan {
    /// The process that is started, or the address that is called.
    pub start: Start,
    /// How long the harness waits for the server to be ready.
    pub startup_timeout: Timeout,
    /// How long it waits for the answer to one tool call.
    pub call_timeout: Timeout,
    /// The pattern of the names under which the model sees tools: `mcp__<server>__<tool>`.
    pub tool_names: &'static str,
    /// Tools that alone are offered, by the server's own names; `None` for all.
    pub tools_only: Option<Vec<String>>,
    /// Tools that are hidden, by the server's own names or patterns of that harness.
    pub tools_without: Vec<String>,
    /// Commands whose output the harness takes for values before it starts the server. Named here, never run.
    pub helpers: Vec<Helper>,
    /// What is worth knowing: a variable that is unset and what becomes of it, a helper that is run. Sentences without full stop.
    pub remarks: Vec<String>,
}

/// A process to start, or an address to call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// A child process that speaks MCP over its standard streams.
    Process {
        /// The program and its arguments.
        argv: Vec<Secret>,
        /// The folder it is started in, absolute.
        cwd: Utf8PathBuf,
        /// The whole environment it gets, sorted by name.
        env: Vec<Handed>,
        /// Names that stand in the harness's own environment and are not passed on, sorted.
        withheld: Vec<String>,
    },
    /// A server that runs elsewhere.
    Remote {
        /// How it is spoken to first.
        transport: Transport,
        /// How it is spoken to where the first way is refused.
        fallback: Option<Transport>,
        /// The address.
        url: Secret,
        /// Header fields that are sent, in the order of the file.
        headers: Vec<(String, Secret)>,
    },
}

/// A command, for `/bin/sh` or Windows' own shell, whose output a harness takes for a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Helper {
    /// What its output is taken for.
    pub gives: Gives,
    /// The command line.
    pub command: Secret,
    /// The folder it is run in, absolute.
    pub cwd: Utf8PathBuf,
    /// The whole environment it gets, sorted by name.
    pub env: Vec<Handed>,
    /// How long it may take.
    pub patience: Duration,
    /// Whether the server is not started where it fails.
    pub required: bool,
}

/// What the output of a helper is taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gives {
    /// A JSON object of header fields, which win over those that are written.
    Headers,
    /// The value of this header field.
    Header(String),
    /// The value of this variable.
    Variable(String),
}

/// A variable that a server gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handed {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Secret,
    /// Who sets it.
    pub giver: Giver,
}

/// Who sets a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Giver {
    /// It is passed on from the harness's own environment.
    Inherited,
    /// The definition sets it.
    Entry,
    /// A file of the harness sets it: settings, `.env`, an extension's settings.
    Settings,
    /// A file that may come with the repository sets it, whether or not anybody trusts that.
    Repository,
    /// The harness itself sets it.
    Harness,
}

impl Giver {
    /// The words on screen.
    pub fn phrase(self) -> &'static str {
        match self {
            Giver::Inherited => "from your environment",
            Giver::Entry => "from the definition",
            Giver::Settings => "from the agent's own files",
            Giver::Repository => "from the project's own settings",
            Giver::Harness => "from the agent itself",
        }
    }
}

/// How long a harness waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeout {
    /// How long; `None` where it waits for ever.
    pub duration: Option<Duration>,
    /// Where that is written; `None` for what the harness does by itself.
    pub place: Option<Place>,
}

impl Timeout {
    /// What the harness does where nothing is written.
    pub fn usual(duration: Duration) -> Self {
        Timeout {
            duration: Some(duration),
            place: None,
        }
    }
}

/// Why there is no plan for a server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The definition says neither a command nor an address.
    #[error("the definition says neither a command nor an address")]
    Nothing,
    /// The harness gives up before starting it; why, without its full stop.
    #[error("{0}")]
    GivesUp(String),
}

impl LaunchError {
    /// Why the harness would not even begin to start `server`: what it refuses, or never reads, it does not start.
    pub fn of(server: &Server) -> Option<LaunchError> {
        let gives_up = matches!(
            server.status,
            Status::Invalid | Status::Unsupported | Status::Broken | Status::Ignored
        );
        let reason = server.reasons.last().filter(|_| gives_up)?;
        Some(LaunchError::GivesUp(reason.text.clone()))
    }
}

/// The environment of a server that gets all of its harness's environment, `own` of the harness's and then the variables `entry` of the definition.
pub fn whole_environment(
    world: &World<'_>,
    own: &[(&str, &str)],
    entry: impl IntoIterator<Item = (String, Secret)>,
) -> Vec<Handed> {
    let inherited = world
        .env
        .iter()
        .map(|(name, value)| (name.to_owned(), Secret::new(value), Giver::Inherited));
    let own = own
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Secret::new(*value), Giver::Harness));
    let entry = entry
        .into_iter()
        .map(|(name, value)| (name, value, Giver::Entry));
    world.handed(inherited.chain(own).chain(entry))
}

impl World<'_> {
    /// As [`handed`], with names compared as on this platform: on Windows `Path` and `PATH` are one.
    pub fn handed(
        &self,
        variables: impl IntoIterator<Item = (String, Secret, Giver)>,
    ) -> Vec<Handed> {
        if self.platform != Platform::Windows {
            return handed(variables);
        }
        let by_name: std::collections::BTreeMap<String, (String, Secret, Giver)> = variables
            .into_iter()
            .map(|(name, value, giver)| (name.to_ascii_uppercase(), (name, value, giver)))
            .collect();
        handed(by_name.into_values())
    }
}

/// Variables sorted by name; of two with one name the later counts.
pub fn handed(variables: impl IntoIterator<Item = (String, Secret, Giver)>) -> Vec<Handed> {
    let by_name: std::collections::BTreeMap<String, (Secret, Giver)> = variables
        .into_iter()
        .map(|(name, value, giver)| (name, (value, giver)))
        .collect();
    by_name
        .into_iter()
        .map(|(name, (value, giver))| Handed { name, value, giver })
        .collect()
}

impl LaunchPlan {
    /// The command that is asked for header fields.
    pub fn headers_helper(&self) -> Option<&Secret> {
        let mut helpers = self.helpers.iter();
        let asked = helpers.find(|helper| helper.gives == Gives::Headers)?;
        Some(&asked.command)
    }

    /// The plan of a harness that expands nothing, passes all of its environment on and starts servers in the session folder.
    ///
    /// # Errors
    /// [`LaunchError::Nothing`] where there is nothing to start.
    pub fn as_written(
        world: &World<'_>,
        server: &Server,
        tool_names: &'static str,
    ) -> Result<LaunchPlan, LaunchError> {
        let entry = &server.definition.entry;
        let start = match (&entry.command, &entry.url, entry.transport) {
            (Some(command), _, Some(Transport::Stdio) | None) => Start::Process {
                argv: std::iter::once(command)
                    .chain(&entry.args)
                    .map(|word| word.value.clone())
                    .collect(),
                cwd: match &entry.cwd {
                    Some(cwd) => world.at(cwd.value.expose(), &world.cwd),
                    None => world.cwd.clone(),
                },
                env: whole_environment(
                    world,
                    &[],
                    entry
                        .env
                        .iter()
                        .map(|(name, value)| (name.clone(), value.value.clone())),
                ),
                withheld: Vec::new(),
            },
            (_, Some(url), transport) => Start::Remote {
                transport: transport.unwrap_or(Transport::Http),
                fallback: None,
                url: url.value.clone(),
                headers: entry
                    .headers
                    .iter()
                    .map(|(name, value)| (name.clone(), value.value.clone()))
                    .collect(),
            },
            _ => return Err(LaunchError::Nothing),
        };
        let patience = Timeout::usual(Duration::from_secs(60));
        Ok(LaunchPlan {
            start,
            startup_timeout: patience.clone(),
            call_timeout: patience,
            tool_names,
            tools_only: entry.tools_only.clone(),
            tools_without: entry.tools_without.clone(),
            helpers: Vec::new(),
            remarks: Vec::new(),
        })
    }
}
