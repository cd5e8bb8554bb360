//! What the hand tools are asked: which server, and what of it.

use std::path::PathBuf;

// How a server is used, whichever tool asks.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Using {
    /// A variable for the server; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,
    /// A header field for an address; may be repeated
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,
    /// How long it may take, each step [default: 30 to start, 60 of silence]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    /// Start this command instead of a server that is configured
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

// `muster tools`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Tools {
    /// A server by name or address, then tools to show whole [default: every server]
    #[arg(value_name = "SERVER [TOOL]")]
    pub(crate) words: Vec<String>,
    /// The JSON Schemas as the server sent them
    #[arg(long)]
    pub(crate) schema: bool,
    /// How the server is used.
    #[command(flatten)]
    pub(crate) using: Using,
}

// `muster call`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Call {
    /// A server by name or address, one of its tools, and arguments
    #[arg(value_name = "SERVER TOOL [NAME=VALUE]", required = true)]
    pub(crate) words: Vec<String>,
    /// All arguments as one JSON object, or `-` for stdin, `@FILE`
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) json: Option<String>,
    /// Where pictures and other binary results are saved [default: a new folder for temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// How the server is used.
    #[command(flatten)]
    pub(crate) using: Using,
}

// `muster resources`, `muster prompts`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Listed {
    /// A server by name or address
    pub(crate) server: Option<String>,
    /// How the server is used.
    #[command(flatten)]
    pub(crate) using: Using,
}

// `muster read`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Read {
    /// A server by name or address, and the address of one of its resources
    #[arg(value_name = "SERVER URI", required = true, num_args = 1..=2)]
    pub(crate) words: Vec<String>,
    /// How the server is used.
    #[command(flatten)]
    pub(crate) using: Using,
}

// `muster prompt`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Prompt {
    /// A server by name or address, one of its prompts, and arguments
    #[arg(value_name = "SERVER PROMPT [NAME=VALUE]", required = true)]
    pub(crate) words: Vec<String>,
    /// Instead, what this argument may be, by what is typed of it
    #[arg(long, value_name = "NAME[=START]")]
    pub(crate) complete: Option<String>,
    /// Where pictures and other binary parts are saved [default: a new folder for temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// How the server is used.
    #[command(flatten)]
    pub(crate) using: Using,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("a number of seconds is wanted".to_owned()),
    }
}

pub(super) const TOOLS_HELP: &str = "\
Examples:
  muster tools                         the tools of every server that may start
  muster tools github                  those of one, as signatures
  muster tools github search_issues    all about one of them
  muster tools github --schema | jq    its JSON Schemas
  muster tools https://host/mcp        a server that is not configured
  muster tools -- npx -y @acme/db      a command that is not configured

SERVER is a name that `muster list` shows, or an address. Words behind `--` are
a command, which stands for SERVER: words before it are tools then.
A repository's servers are started only where you approved them in an agent;
--harness ID says whose definition is meant where agents differ.";

pub(super) const CALL_HELP: &str = "\
Examples:
  muster call github search_issues query=bug limit=5
  muster call db query 'sql=select 1' params:='[1, 2]'
  muster call files write_file path=a.txt content=@notes.txt
  muster call db query --json '{\"sql\": \"select 1\"}'
  muster call https://host/mcp echo message=hi --header 'X-Team: shop'
  muster call echo message=hi -- npx -y @modelcontextprotocol/server-everything

Arguments:
  name=text     read as the tool's schema wants it: 5 is a number where it wants
                one; a list is given by repeating it, commas are text
  name:=json    taken as it is
  name=@file    the text of a file; name:=@file its JSON
  a.b=text      a member of an object
They are checked against the schema before anything is sent.

Exit codes: 0 done, 1 the tool says that it failed, 2 arguments that do not fit,
3 the server could not be started or did not answer, 4 not approved,
130 interrupted (the call is cancelled first).";

pub(super) const RESOURCES_HELP: &str = "\
Examples:
  muster resources docs                what can be read there
  muster resources -- npx -y @acme/docs";

pub(super) const READ_HELP: &str = "\
Examples:
  muster read docs docs://intro        its text, on stdout
  muster read docs docs://logo -o logo.png
  muster read docs docs://intro > a.md byte for byte
  muster read docs://intro -- npx -y @acme/docs

On a terminal nothing in a text can act; a file or a pipe gets it as it is.
Secrets that Muster knows are hidden everywhere.";

pub(super) const PROMPTS_HELP: &str = "\
Examples:
  muster prompts github                what can be asked for there
  muster prompts -- npx -y @acme/db";

pub(super) const PROMPT_HELP: &str = "\
Examples:
  muster prompt github review pr=5     the messages it makes
  muster prompt github review --complete pr=1
                                       what the argument may be
  muster prompt review pr=5 -- npx -y @acme/github";
