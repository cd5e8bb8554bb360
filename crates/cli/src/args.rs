//! What can be asked on the command line, and the help that teaches it.

mod check;
mod hand;
mod help;
mod lean;
mod sign_in;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, CommandFactory, Parser, Subcommand, ValueEnum};
use muster_document::{Masked, Secret};

pub(crate) use check::{Check, Deny};
use hand::{CALL_HELP, PROMPT_HELP, PROMPTS_HELP, READ_HELP, RESOURCES_HELP, TOOLS_HELP};
pub(crate) use hand::{Call, Listed, Prompt, Read, Tools, Using};
use help::{CHECK_CODES, EXIT_CODES, SHORT};
pub(crate) use sign_in::Login;

/// Which MCP servers load in a session started here, in which coding agent, and why.
///
/// Muster reads the configuration files of Claude Code, Codex, Gemini CLI, Cursor, OpenCode and Pi exactly as they do, and says of
/// every MCP server whether it loads in this folder and what decides that. It starts nothing unasked and changes
/// nothing.
#[derive(Debug, Parser)]
#[command(name = "muster", version, max_term_width = 80, after_help = SHORT, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"), subcommand_help_heading = "Commands")]
pub(crate) struct Args {
    /// Options that every command takes.
    #[command(flatten)]
    pub(crate) common: Common,
    /// What is asked; nothing is `list`.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// As for `list`, which `muster` alone is.
    #[command(flatten)]
    pub(crate) alone: Alone,
}

/// What `muster` alone takes besides.
#[derive(Debug, clap::Args)]
pub(crate) struct Alone {
    /// As for `list`
    #[arg(last = true, hide = true)]
    pub(crate) session: Vec<String>,
}

/// What `--help` gives as examples.
const EXAMPLES: &str = "\
Examples:
  muster                       every server, every agent, in this folder
  muster why github            why it loads, or does not
  muster check                 what is wrong or misleading in it
  muster tools github          what it offers, as signatures
  muster list -- claude -p hi  for the session that this command would start
  muster --headless            for a run that nobody can be asked in (CI)
  muster demo                  a made-up project to look around in

`muster` alone is `muster list`. Secrets are shown as ••• everywhere.";

/// Options that every command takes.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// The session's folder [default: the current one]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) project: Option<PathBuf>,
    /// Ask only this agent; may be repeated
    #[arg(
        long,
        value_name = "ID",
        value_parser = harness_ids(),
        hide_possible_values = true,
        long_help = harness_help(),
        global = true
    )]
    pub(crate) harness: Vec<String>,
    /// Nobody can be asked: `claude -p`, `codex exec`, CI
    #[arg(long, global = true)]
    pub(crate) headless: bool,
    /// Text, json or markdown
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        global = true
    )]
    pub(crate) format: Format,
    /// Write the answer to this file instead of stdout
    #[arg(short, long, value_name = "FILE", global = true)]
    pub(crate) output: Option<PathBuf>,
    /// Another home; CODEX_HOME and its like do not count
    #[arg(long, value_name = "DIR", global = true, hide_short_help = true)]
    pub(crate) home: Option<PathBuf>,
    /// Answer as on this platform, for an audit of another machine's tree: its drive C: is the system root
    #[arg(long, value_name = "PLATFORM", value_enum, global = true, hide = true)]
    pub(crate) platform: Option<PlatformName>,
    /// Put before /etc/… paths [or: MUSTER_SYSTEM_ROOT]
    #[arg(long, value_name = "DIR", global = true, hide_short_help = true)]
    pub(crate) system_root: Option<PathBuf>,
    /// Auto, always, never; NO_COLOR counts
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_short_help = true,
        global = true
    )]
    pub(crate) color: Color,
    /// Only what loads
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Also findings, files looked at, notes; nothing cut
    #[arg(short, long, global = true, action = ArgAction::SetTrue)]
    pub(crate) verbose: bool,
}

/// A form that an answer can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// For people, on a terminal
    #[default]
    Text,
    /// For programs; `muster schema` describes it
    Json,
    /// For people, in an issue or a chat
    Markdown,
}

impl From<Format> for muster_report::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => muster_report::Format::Text,
            Format::Json => muster_report::Format::Json,
            Format::Markdown => muster_report::Format::Markdown,
        }
    }
}

/// Whose path rules and system folders hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlatformName {
    /// Linux
    Linux,
    /// macOS
    Macos,
    /// Windows
    Windows,
}

impl From<PlatformName> for muster_core::Platform {
    fn from(name: PlatformName) -> Self {
        match name {
            PlatformName::Linux => muster_core::Platform::Linux,
            PlatformName::Macos => muster_core::Platform::MacOs,
            PlatformName::Windows => muster_core::Platform::Windows,
        }
    }
}

/// When colour is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal that shows it
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What is asked. What each command takes is laid out only where it is asked for: a doc comment on what it takes would be the
/// command's own help then.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Every server in every agent: does it load here, and one reason
    #[command(after_help = LIST_EXAMPLES)]
    List {
        /// One row for each definition, or for each server across all agents
        #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
        by: By,
        /// Answer for the session that this command line would start; nothing of it is run
        #[arg(last = true, value_name = "COMMAND")]
        session: Vec<String>,
    },
    /// What is wrong or misleading in what is configured
    #[command(after_help = CHECK_EXAMPLES, after_long_help = format!("{CHECK_EXAMPLES}\n\n{CHECK_CODES}"))]
    Check(Check),
    /// The whole story of one server, and what would change it
    #[command(after_help = WHY_EXAMPLES)]
    Why {
        /// The server's name, as `muster list` shows it; '' for (no name)
        #[arg(allow_hyphen_values = true)]
        name: String,
        /// How it would be started instead: command, folder, variables, timeouts
        #[arg(long)]
        launch_plan: bool,
        /// Answer for the session that this command line would start; nothing of it is run
        #[arg(last = true, value_name = "COMMAND")]
        session: Vec<String>,
    },
    /// The tools of a server, or of every one, as signatures
    #[command(after_help = TOOLS_HELP)]
    Tools(Tools),
    /// Call a tool
    #[command(after_help = CALL_HELP)]
    Call(Call),
    /// What can be read from a server
    #[command(after_help = RESOURCES_HELP)]
    Resources(Listed),
    /// Read a resource
    #[command(after_help = READ_HELP)]
    Read(Read),
    /// The prompts of a server
    #[command(after_help = PROMPTS_HELP)]
    Prompts(Listed),
    /// The messages that a prompt makes
    #[command(after_help = PROMPT_HELP)]
    Prompt(Prompt),
    /// Sign in to a server over HTTP, in the browser
    #[command(after_help = sign_in::LOGIN_EXAMPLES)]
    Login(Login),
    /// Forget a sign-in, and give its tokens back
    #[command(after_help = sign_in::LOGOUT_EXAMPLES)]
    Logout {
        /// The server's name, as `muster list` shows it, or its address
        server: String,
    },
    /// What a rule means, with an example; without a rule, every one
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain {
        /// A rule of a finding or of a reason, or an agent's id for all of its rules
        rule: Option<String>,
    },
    /// MCP servers that run, of every agent, and those left behind
    #[command(after_help = PS_EXAMPLES)]
    Ps {
        /// End the orphans, after asking
        #[arg(long)]
        reap: bool,
        /// End them without asking
        #[arg(long, requires = "reap")]
        yes: bool,
    },
    /// A made-up home and project, to look around in
    #[command(after_help = DEMO_EXAMPLES)]
    Demo {
        /// Leave the made-up folder in place and say where it is
        #[arg(long)]
        keep: bool,
    },
    /// A completion script for a shell, on stdout
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// A man page, on stdout
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// The command whose page is wanted [default: muster itself]
        command: Option<String>,
    },
    /// The JSON Schema of a JSON format, on stdout
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema {
        /// The command whose `--format json` is described
        #[arg(value_enum)]
        name: SchemaName,
    },
}

/// What has a row of its own in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum By {
    /// Every definition, agent by agent
    #[default]
    Harness,
    /// Every server, with a column for each agent
    Server,
}

/// A command that has a JSON format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaName {
    /// `muster list`
    List,
    /// `muster check`
    Check,
    /// `muster why`
    Why,
    /// `muster explain`
    Explain,
    /// `muster tools`
    Tools,
    /// `muster resources`
    Resources,
    /// `muster prompts`
    Prompts,
    /// `muster ps`
    Ps,
    /// `muster login`
    Login,
    /// `muster logout`
    Logout,
}

const LIST_EXAMPLES: &str = "\
Examples:
  muster list                          here, in a session with you at it
  muster list --project ~/src/shop     in another folder
  muster list --harness codex -v       one agent; files, rules and notes too
  muster list --by server              one row a server, one column an agent
  muster list --format json | jq       for programs
  muster list -- claude --strict-mcp-config --mcp-config ci.json
                                       for exactly this command line
  muster list -- codex mcp list        as that agent's own list has it

  ● loads   ◌ waits for you   ○ off   ✗ wrong   ? cannot be known";

const CHECK_EXAMPLES: &str = "\
Examples:
  muster check                         everything that is configured here
  muster check --harness codex         one agent
  muster check --server github         one server
  muster check --deny warning          fails for warnings too
  muster check --launch                starts what loads: does it work?
  muster check --launch --server db    starts one
  muster check --remote --timeout 60   also what runs elsewhere, patiently
  muster check -- claude -p hi         for exactly this command line
  muster check --format json | jq      for programs

  muster explain RULE                  what a finding means, and what to do";

const WHY_EXAMPLES: &str = "\
Examples:
  muster why github                    in every agent that knows it
  muster why github --harness codex    in one
  muster why github --headless         for a run that nobody can be asked in
  muster why github --launch-plan      what each agent would start, with what
  muster why github -- claude -p hi    for exactly this command line
  muster why github --format markdown  to paste into an issue";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  muster explain                       everything that is looked for
  muster explain unset-variable        what one finding means, and what to do
  muster explain codex/trust           what an agent does, and how it is known
  muster explain codex                 everything that is known of one agent";

const PS_EXAMPLES: &str = "\
Examples:
  muster ps            whose they are, memory, age; orphans in red
  muster ps -v         also what else agents started; nothing cut
  muster ps --reap     end the orphans, after asking
  muster ps --format json | jq '.servers[] | select(.orphaned)'

An orphan is a server whose agent is gone. It is known by a definition in this
folder, or by a command that speaks of MCP and waits at a pipe for nobody.";

const DEMO_EXAMPLES: &str = "\
Examples:
  muster demo          look at it; nothing is left behind
  muster demo --keep   leave the folder, to try the commands on it";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  muster completions bash > ~/.local/share/bash-completion/completions/muster
  muster completions zsh > ~/.zfunc/_muster
  muster completions fish > ~/.config/fish/completions/muster.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  muster man > ~/.local/share/man/man1/muster.1
  muster man why > ~/.local/share/man/man1/muster-why.1";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  muster schema list > muster-list.schema.json";

/// What `--help` says of `--harness`.
fn harness_help() -> String {
    let ids: Vec<&str> = muster_harness::ALL
        .iter()
        .map(|harness| harness.id())
        .collect();
    format!("Ask only this agent; may be repeated: {}", ids.join(", "))
}

/// The registry's ids, so that help, refusals and completions name what exists.
fn harness_ids() -> PossibleValuesParser {
    PossibleValuesParser::new(
        muster_harness::ALL
            .iter()
            .map(|harness| PossibleValue::new(harness.id()).help(harness.name())),
    )
}

impl Args {
    /// Reads a command line, its first word the program.
    pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Args, clap::Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        if let Some(args) = lean::read(&words) {
            return Ok(args);
        }
        Args::try_parse_from(words).map_err(|mut refusal| {
            // Its tip to put `--` before a misspelled flag is wrong here: a command line stands there.
            refusal.insert(ContextKind::Suggested, ContextValue::None);
            no_such_command(&refusal).unwrap_or(refusal)
        })
    }

    /// The command line as data, for completions and man pages.
    pub(crate) fn grammar() -> clap::Command {
        Args::command()
    }
}

/// A misspelled command, which the parser takes for an argument too many since words after `--` may follow.
fn no_such_command(refusal: &clap::Error) -> Option<clap::Error> {
    let Some(ContextValue::String(word)) = refusal.get(ContextKind::InvalidArg) else {
        return None;
    };
    if refusal.kind() != ErrorKind::UnknownArgument || word.starts_with('-') {
        return None;
    }
    let mut grammar = Args::command();
    let names: Vec<&str> = grammar
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let word = Masked::word(&Secret::new(word.as_str()));
    let message = format!(
        "there is no command `{word}`; there are {}",
        names.join(", ")
    );
    Some(grammar.error(ErrorKind::InvalidSubcommand, message))
}
