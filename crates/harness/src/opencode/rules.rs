//! The rules of OpenCode, with their evidence.

use muster_core::Evidence;

use crate::rulebook::rules;

/// The version on which the rules were observed.
pub(super) const VERSION: &str = "1.18.33";

const OBSERVED: Evidence = Evidence::Observed(VERSION);
/// Read in its source or its documents, not seen on the real program.
const DOCUMENTED: Evidence = Evidence::Documented(VERSION);

rules! { "opencode":
    /// The user's files.
    GLOBAL = "global",
        "In $XDG_CONFIG_HOME/opencode (else ~/.config/opencode), config.json, opencode.json and opencode.jsonc are read; the later one wins.",
        OBSERVED, ["global-three-files", "xdg-config-home", "layers-global-and-project", "config-dir-relative"];
    /// The old file.
    OLD_FILE = "old-file",
        "The old file `config` of that folder, in TOML, is merged over the three unchecked, and becomes config.json.",
        OBSERVED, ["old-toml-file"];
    /// A named file.
    CONFIG = "config-variable",
        "OPENCODE_CONFIG names one more file, over the global ones and below the project's; one that is missing is passed over.",
        OBSERVED, ["opencode-config-absent", "opencode-config-missing-file", "config-dir-relative", "run-dir-relative-config"];
    /// The project's files.
    PROJECT = "project",
        "opencode.json and opencode.jsonc are read in every folder from the git root down to the session's, without a repository from the root of the file system; the nearer wins, and opencode.jsonc over opencode.json.",
        OBSERVED, ["same-dir-jsonc-beats-json", "sibling-not-read", "git-worktree-file", "no-git-parents", "home-folder-project", "project-root-to-cwd", "git-folder-without-repository", "git-folder-in-repository"];
    /// Switched off.
    PROJECT_OFF = "project-off",
        "OPENCODE_DISABLE_PROJECT_CONFIG (1 or true) takes out the project's files and its .opencode folders, not ~/.opencode.",
        OBSERVED, ["disable-project-config", "disable-project-config-words"];
    /// `.opencode` folders.
    DOT = "dot-opencode",
        "opencode.json and opencode.jsonc of .opencode folders come over every plain file of the project; among those folders the one nearest the root wins.",
        OBSERVED, ["dot-opencode-beats-project", "dot-opencode-order", "dot-opencode-jsonc"];
    /// `~/.opencode`.
    HOME_DOT = "home-dot-opencode",
        "~/.opencode is read after the project's folders and wins over them.",
        OBSERVED, ["dot-opencode-home-beats-project", "home-folder-project", "test-home"];
    /// A named folder.
    CONFIG_DIR = "config-dir",
        "OPENCODE_CONFIG_DIR names one more folder like .opencode, over all of them.",
        OBSERVED, ["config-dir-env", "config-dir-relative"];
    /// A variable with the text itself.
    CONTENT = "config-content",
        "OPENCODE_CONFIG_CONTENT holds configuration itself, over all files but the administrator's; {file:} in it starts from the session's folder.",
        OBSERVED, ["config-content-env"];
    /// The administrator's files.
    MANAGED = "managed",
        "opencode.json and opencode.jsonc in /etc/opencode come over everything; OPENCODE_TEST_MANAGED_CONFIG_DIR names another folder.",
        OBSERVED, ["managed-etc", "malformed-managed-fatal"];
    /// What was not seen of the administrator's side.
    REMOTE_CONFIG = "remote-config",
        "Hosts and organisations that OpenCode is signed in to, and macOS's managed preferences, may add configuration of their own.",
        DOCUMENTED, [];
    /// Files that cannot be read.
    FILE = "file",
        "A folder in a file's place, or a file in a folder's, stops OpenCode; a file that it may not read is passed over.",
        OBSERVED, ["folder-in-place-of-file", "dot-opencode-is-a-file"];
    /// Files that do not parse.
    SYNTAX = "syntax",
        "Files are JSON with comments and trailing commas, whatever they are called; one that does not parse stops OpenCode, also one of blanks alone. A file without a byte says nothing.",
        OBSERVED, ["jsonc-everywhere", "empty-project-file", "bom-project", "duplicate-key-last-wins", "root-not-object", "blank-file", "comments-only-file", "content-blank", "malformed-global-fatal", "malformed-managed-fatal", "malformed-content-fatal"];
    /// Replaced before parsing.
    SUBSTITUTION = "substitution",
        "{env:NAME} and {file:PATH} are replaced in the text of a file before it is parsed; an unset variable is nothing, a file that cannot be read stops OpenCode, and a quote in a variable can break the file.",
        OBSERVED, ["env-substitution", "env-substitution-breaks-json", "file-substitution", "file-reference-in-comments", "file-reference-in-block-comment", "file-reference-missing", "substitution-composed"];
    /// How layers come together.
    MERGE = "merge",
        "Each file is checked alone; then servers merge key by key, lists and other values are replaced whole. Where files disagree on type, the later type counts.",
        OBSERVED, ["merge-local-becomes-remote", "partial-without-type-loses-other-keys", "merge-per-key"];
    /// Entries.
    ENTRY = "entry",
        "An entry that is no good server and has no boolean enabled stops OpenCode: no server of any file loads. Unknown keys are passed over.",
        OBSERVED, ["invalid-enabled-string", "invalid-project-fatal-command-string", "invalid-project-type-stdio", "invalid-project-url-no-type", "invalid-timeout-zero", "invalid-env-number", "invalid-timeout-fraction", "invalid-oauth", "invalid-null-entry", "unknown-keys-ignored", "mcp-is-a-list", "proto-name"];
    /// Entries that only switch.
    PARTIAL = "partial",
        "Of an entry with a boolean enabled that is no good server only enabled counts: it switches the server of another file, and nothing where no file defines one.",
        OBSERVED, ["enabled-only-without-base", "partial-without-type-loses-other-keys", "merge-reenable", "enabled-beside-bad-command"];
    /// Other keys.
    KEYS = "config-keys",
        "A wrong type in any key that OpenCode knows stops it, and so do the permissions of OpenCode 2.",
        OBSERVED, ["v2-permissions-fatal", "model-wrong-type", "model-of-opencode-2", "agent-permissions-of-opencode-2"];
    /// Markdown.
    MARKDOWN = "markdown",
        "An agent's or command's Markdown file whose top has a wrong type stops OpenCode.",
        OBSERVED, ["agent-file-wrong-type", "agent-file-global", "agent-file-colon", "agent-file-no-yaml", "command-file-wrong-type", "mode-file-wrong-type"];
    /// The switch.
    ENABLED = "enabled",
        "enabled = false switches a server off; the highest layer that says it decides.",
        OBSERVED, ["disabled-not-started", "merge-reenable"];
    /// The switch of 2.x.
    DISABLED = "disabled",
        "disabled = true, the word of OpenCode 2, counts in an entry that is otherwise good for OpenCode 2 and has no enabled.",
        OBSERVED, ["v2-flat-disabled", "v2-deaf-disabled"];
    /// Servers of 2.x.
    NESTED = "nested",
        "Entries of OpenCode 2 under mcp.servers are read too: a flat one of the same file wins, a malformed one is left out without a word, a good one switches the server on unless it says disabled.",
        OBSERVED, ["v2-servers-layout", "v2-malformed-nested-omitted", "v2-nested-reenables", "v2-timeout-object", "v2-flat-beats-nested", "v2-mixed-layers-merge", "v2-server-named-servers", "v2-nested-server-named-type", "v2-nested-switch", "v2-timeouts-in-mcp", "v2-timeout-malformed"];
    /// Programs.
    COMMAND = "command",
        "A server without a program fails by itself.",
        OBSERVED, ["command-missing-and-bad-url", "empty-command"];
    /// Addresses.
    URL = "url",
        "A server whose url is no address for JavaScript fails by itself.",
        OBSERVED, ["command-missing-and-bad-url"];
    /// Transports.
    TRANSPORT = "transport",
        "A remote server is spoken to over Streamable HTTP, and where that is refused over SSE. An address with sse in its path is shown as one of SSE.",
        OBSERVED, ["remote-sse-fallback", "remote-headers", "remote-401-dcr"];
    /// Written elsewhere.
    ELSEWHERE = "elsewhere",
        "Servers stand under mcp, in files called opencode.json or opencode.jsonc; other keys and files are passed over.",
        OBSERVED, ["foreign-keys-not-read"];
    /// What starts.
    START = "start",
        "Everything else is started at once: OpenCode trusts every folder and asks nobody.",
        OBSERVED, [
            "layers-global-and-project", "env-and-cwd", "slow-server", "name-collision",
        ];
    /// Filters of tools.
    TOOLS = "tools",
        "tools and then permission hide tools from the model by patterns of SERVER_TOOL; of those that speak of a tool the last decides, and the server starts all the same.",
        OBSERVED, ["permission-deny", "tools-glob", "tools-glob-reallow", "tools-under-permission"];
    /// Plugins.
    PLUGIN = "plugin",
        "Plugins, of a file or found in plugin folders, run at the start and can change every server.",
        OBSERVED, ["plugin-changes-servers"];
    /// OpenCode 2.
    NEXT = "next",
        "OpenCode 2 decides otherwise: whole entries replace each other, mcp.servers wins over flat entries, entries that only switch are dropped, the nearest .opencode wins, ~/.opencode and config.json do not count, and a bad file or entry costs only itself.",
        Evidence::Documented("2.x"), [];
}
