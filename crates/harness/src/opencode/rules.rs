//! The rules of OpenCode, with their evidence.

use muster_core::{Evidence, Rule};

/// The version on which the rules were observed.
pub(super) const VERSION: &str = "1.18.33";

/// Declares every rule, and the list of them.
macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $evidence:ident($version:expr), $summary:literal, [$($case:literal),* $(,)?];)*) => {
        $($(#[$doc])* pub(super) static $name: Rule = Rule {
            id: concat!("opencode/", $id),
            summary: $summary,
            evidence: Evidence::$evidence($version),
            cases: &[$($case),*],
        };)*

        /// Every rule.
        pub(super) static ALL: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    /// The user's files.
    GLOBAL = "global", Observed(VERSION),
        "In $XDG_CONFIG_HOME/opencode (else ~/.config/opencode), config.json, opencode.json and opencode.jsonc are read; the later one wins.",
        ["global-three-files", "xdg-config-home", "layers-global-and-project", "config-dir-relative"];
    /// The old file.
    OLD_FILE = "old-file", Observed(VERSION),
        "The old file `config` of that folder, in TOML, is merged over the three unchecked, and becomes config.json.",
        ["old-toml-file"];
    /// A named file.
    CONFIG = "config-variable", Observed(VERSION),
        "OPENCODE_CONFIG names one more file, over the global ones and below the project's; one that is missing is passed over.",
        ["opencode-config-absent", "opencode-config-missing-file", "config-dir-relative", "run-dir-relative-config"];
    /// The project's files.
    PROJECT = "project", Observed(VERSION),
        "opencode.json and opencode.jsonc are read in every folder from the git root down to the session's, without a repository from the root of the file system; the nearer wins, and opencode.jsonc over opencode.json.",
        ["same-dir-jsonc-beats-json", "sibling-not-read", "git-worktree-file", "no-git-parents", "home-folder-project", "project-root-to-cwd", "git-folder-without-repository", "git-folder-in-repository"];
    /// Switched off.
    PROJECT_OFF = "project-off", Observed(VERSION),
        "OPENCODE_DISABLE_PROJECT_CONFIG (1 or true) takes out the project's files and its .opencode folders, not ~/.opencode.",
        ["disable-project-config", "disable-project-config-words"];
    /// `.opencode` folders.
    DOT = "dot-opencode", Observed(VERSION),
        "opencode.json and opencode.jsonc of .opencode folders come over every plain file of the project; among those folders the one nearest the root wins.",
        ["dot-opencode-beats-project", "dot-opencode-order", "dot-opencode-jsonc"];
    /// `~/.opencode`.
    HOME_DOT = "home-dot-opencode", Observed(VERSION),
        "~/.opencode is read after the project's folders and wins over them.",
        ["dot-opencode-home-beats-project", "home-folder-project", "test-home"];
    /// A named folder.
    CONFIG_DIR = "config-dir", Observed(VERSION),
        "OPENCODE_CONFIG_DIR names one more folder like .opencode, over all of them.",
        ["config-dir-env", "config-dir-relative"];
    /// A variable with the text itself.
    CONTENT = "config-content", Observed(VERSION),
        "OPENCODE_CONFIG_CONTENT holds configuration itself, over all files but the administrator's; {file:} in it starts from the session's folder.",
        ["config-content-env"];
    /// The administrator's files.
    MANAGED = "managed", Observed(VERSION),
        "opencode.json and opencode.jsonc in /etc/opencode come over everything; OPENCODE_TEST_MANAGED_CONFIG_DIR names another folder.",
        ["managed-etc", "malformed-managed-fatal"];
    /// What was not seen of the administrator's side.
    REMOTE_CONFIG = "remote-config", Documented(VERSION),
        "Hosts and organisations that OpenCode is signed in to, and macOS's managed preferences, may add configuration of their own.",
        [];
    /// Files that cannot be read.
    FILE = "file", Observed(VERSION),
        "A folder in a file's place, or a file in a folder's, stops OpenCode; a file that it may not read is passed over.",
        ["folder-in-place-of-file", "dot-opencode-is-a-file"];
    /// Files that do not parse.
    SYNTAX = "syntax", Observed(VERSION),
        "Files are JSON with comments and trailing commas, whatever they are called; one that does not parse stops OpenCode, also one of blanks alone. A file without a byte says nothing.",
        ["jsonc-everywhere", "empty-project-file", "bom-project", "duplicate-key-last-wins", "root-not-object", "blank-file", "comments-only-file", "content-blank", "malformed-global-fatal", "malformed-managed-fatal", "malformed-content-fatal"];
    /// Replaced before parsing.
    SUBSTITUTION = "substitution", Observed(VERSION),
        "{env:NAME} and {file:PATH} are replaced in the text of a file before it is parsed; an unset variable is nothing, a file that cannot be read stops OpenCode, and a quote in a variable can break the file.",
        ["env-substitution", "env-substitution-breaks-json", "file-substitution", "file-reference-in-comments", "file-reference-in-block-comment", "file-reference-missing", "substitution-composed"];
    /// How layers come together.
    MERGE = "merge", Observed(VERSION),
        "Each file is checked alone; then servers merge key by key, lists and other values are replaced whole. Where files disagree on type, the later type counts.",
        ["merge-local-becomes-remote", "partial-without-type-loses-other-keys", "merge-per-key"];
    /// Entries.
    ENTRY = "entry", Observed(VERSION),
        "An entry that is no good server and has no boolean enabled stops OpenCode: no server of any file loads. Unknown keys are passed over.",
        ["invalid-enabled-string", "invalid-project-fatal-command-string", "invalid-project-type-stdio", "invalid-project-url-no-type", "invalid-timeout-zero", "invalid-env-number", "invalid-timeout-fraction", "invalid-oauth", "invalid-null-entry", "unknown-keys-ignored", "mcp-is-a-list", "proto-name"];
    /// Entries that only switch.
    PARTIAL = "partial", Observed(VERSION),
        "Of an entry with a boolean enabled that is no good server only enabled counts: it switches the server of another file, and nothing where no file defines one.",
        ["enabled-only-without-base", "partial-without-type-loses-other-keys", "merge-reenable", "enabled-beside-bad-command"];
    /// Other keys.
    KEYS = "config-keys", Observed(VERSION),
        "A wrong type in any key that OpenCode knows stops it, and so do the permissions of OpenCode 2.",
        ["v2-permissions-fatal", "model-wrong-type", "model-of-opencode-2", "agent-permissions-of-opencode-2"];
    /// Markdown.
    MARKDOWN = "markdown", Observed(VERSION),
        "An agent's or command's Markdown file whose top has a wrong type stops OpenCode.",
        ["agent-file-wrong-type", "agent-file-global", "agent-file-colon", "agent-file-no-yaml", "command-file-wrong-type", "mode-file-wrong-type"];
    /// The switch.
    ENABLED = "enabled", Observed(VERSION),
        "enabled = false switches a server off; the highest layer that says it decides.",
        ["disabled-not-started", "merge-reenable"];
    /// The switch of 2.x.
    DISABLED = "disabled", Observed(VERSION),
        "disabled = true, the word of OpenCode 2, counts in an entry that is otherwise good for OpenCode 2 and has no enabled.",
        ["v2-flat-disabled", "v2-deaf-disabled"];
    /// Servers of 2.x.
    NESTED = "nested", Observed(VERSION),
        "Entries of OpenCode 2 under mcp.servers are read too: a flat one of the same file wins, a malformed one is left out without a word, a good one switches the server on unless it says disabled.",
        ["v2-servers-layout", "v2-malformed-nested-omitted", "v2-nested-reenables", "v2-timeout-object", "v2-flat-beats-nested", "v2-mixed-layers-merge", "v2-server-named-servers", "v2-nested-server-named-type", "v2-nested-switch", "v2-timeouts-in-mcp", "v2-timeout-malformed"];
    /// Programs.
    COMMAND = "command", Observed(VERSION),
        "A server without a program fails by itself.",
        ["command-missing-and-bad-url", "empty-command"];
    /// Addresses.
    URL = "url", Observed(VERSION),
        "A server whose url is no address for JavaScript fails by itself.",
        ["command-missing-and-bad-url"];
    /// Transports.
    TRANSPORT = "transport", Observed(VERSION),
        "A remote server is spoken to over Streamable HTTP, and where that is refused over SSE. An address with sse in its path is shown as one of SSE.",
        ["remote-sse-fallback", "remote-headers", "remote-401-dcr"];
    /// Written elsewhere.
    ELSEWHERE = "elsewhere", Observed(VERSION),
        "Servers stand under mcp, in files called opencode.json or opencode.jsonc; other keys and files are passed over.",
        ["foreign-keys-not-read"];
    /// What starts.
    START = "start", Observed(VERSION),
        "Everything else is started at once: OpenCode trusts every folder and asks nobody.",
        [
            "layers-global-and-project", "env-and-cwd", "slow-server", "name-collision",
        ];
    /// Filters of tools.
    TOOLS = "tools", Observed(VERSION),
        "tools and then permission hide tools from the model by patterns of SERVER_TOOL; of those that speak of a tool the last decides, and the server starts all the same.",
        ["permission-deny", "tools-glob", "tools-glob-reallow", "tools-under-permission"];
    /// Plugins.
    PLUGIN = "plugin", Observed(VERSION),
        "Plugins, of a file or found in plugin folders, run at the start and can change every server.",
        ["plugin-changes-servers"];
    /// OpenCode 2.
    NEXT = "next", Documented("2.x"),
        "OpenCode 2 decides otherwise: whole entries replace each other, mcp.servers wins over flat entries, entries that only switch are dropped, the nearest .opencode wins, ~/.opencode and config.json do not count, and a bad file or entry costs only itself.",
        [];
}
