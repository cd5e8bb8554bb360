//! Muster's own rules. They are what Muster decided for itself: its evidence is the decision, and its cases pin it.

use muster_core::Evidence;

use crate::rulebook::rules;

/// Muster's own version.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

const DECIDED: Evidence = Evidence::Decided(VERSION);

rules! { "muster":
    FILE = "file",
        "Muster's own servers stand in muster/config.json of XDG_CONFIG_HOME (an absolute path) or ~/.config, on Windows of %APPDATA%",
        DECIDED, ["own-servers", "xdg-config-home", "xdg-config-home-relative", "no-file"];
    SYNTAX = "syntax",
        "config.json is JSON in which comments, trailing commas and a byte order mark may stand; what does not parse costs its own servers and no others",
        DECIDED, ["jsonc", "byte-order-mark", "syntax-error", "duplicate-name"];
    KEY = "key",
        "servers stand in an object under mcp_servers; the keys of other programs are passed over",
        DECIDED, ["other-keys", "servers-no-object"];
    ENTRY = "entry",
        "an entry may be spelled as Claude Code or as Codex takes it; one that is wrong is refused alone, whatever else is in the file",
        DECIDED, ["entry-of-claude-code", "entry-of-codex", "entry-wrong", "command-and-url"];
    TRANSPORT = "transport",
        "type may be stdio, http, streamable-http or sse; without it a command is started, a url is called over streamable HTTP. WebSocket is not spoken",
        DECIDED, ["types", "type-contradicts"];
    SWITCH = "switch",
        "enabled = false or disabled = true switches a server off; such an entry needs no command and switches off what Claude Code has under that name",
        DECIDED, ["switches", "switch-off-a-taken-server"];
    VARIABLE = "variable",
        "${NAME} and ${NAME:-default} are filled in, in command, args, env, url and headers; one that is unset and has no default leaves the server out",
        DECIDED, ["variables", "variable-unset", "variable-of-a-header-unset", "variables-where-none-count"];
    CLAUDE_CODE = "claude-code",
        "the servers that Claude Code knows here are taken too: local, then .mcp.json, then user, below Muster's own; a no that was said there counts, a yes does not",
        DECIDED, ["takes-claude-code", "claude-code-says-no", "claude-code-says-no-to-a-name", "claude-code-refuses", "takes-no-others"];
    NOT_TAKEN = "claude-code-servers",
        "claude_code_servers = false takes none of Claude Code's servers",
        DECIDED, ["claude-code-not-taken", "claude-code-switch-no-boolean"];
    TRUST = "trust",
        "a server of .mcp.json waits until Muster is told to trust it; what waits hides no other",
        DECIDED, ["takes-claude-code", "project-waits-and-hides-nothing", "serve-asks-nobody"];
    ITSELF = "itself",
        "Muster never starts muster serve as a server of its own",
        DECIDED, ["never-itself"];
    CLASH = "clash",
        "of one name Muster's own definition wins, even if it is off or wrong, then local, project, user; each clash is told once",
        DECIDED, ["own-wins", "own-wins-although-wrong", "local-wins-over-user"];
    ELSEWHERE = "elsewhere",
        "a config.json in another folder, or a file of another name, is never read",
        DECIDED, ["misplaced-files", "xdg-config-home"];
    START = "start",
        "what no rule keeps out is started in its cwd or the session folder, with the whole environment of Muster and its env",
        DECIDED, ["own-servers", "environment-and-folder"];
}
