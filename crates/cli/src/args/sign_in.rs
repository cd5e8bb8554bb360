//! What `muster login` and `muster logout` are asked.

// How to sign in.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Login {
    /// The server's name, as `muster list` shows it, or its address
    pub(crate) server: String,
    /// Print the address of the sign-in page instead of opening it
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// A client id that you registered with the server's authorization server
    #[arg(long, value_name = "ID")]
    pub(crate) client_id: Option<String>,
    /// The variable that holds the client's secret
    #[arg(long, value_name = "NAME", requires = "client_id")]
    pub(crate) client_secret_env: Option<String>,
    /// Scopes to ask for, divided by blanks [default: those that the server asks for]
    #[arg(long, value_name = "SCOPES")]
    pub(crate) scope: Option<String>,
    /// The port of this machine that the answer comes to [default: any that is free]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) callback_port: Option<u16>,
}

pub(super) const LOGIN_EXAMPLES: &str = "\
Examples:
  muster login notion                       in the browser
  muster login https://mcp.example.com/mcp  a server that no agent knows yet
  muster login notion --no-browser          over SSH: prints the address
  muster login slack --client-id 1234.5678 --callback-port 8976
                                            with a client you registered";

pub(super) const LOGOUT_EXAMPLES: &str = "\
Examples:
  muster logout notion";
