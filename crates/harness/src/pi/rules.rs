//! The rules of Pi, with their evidence.

use muster_core::Evidence;

use crate::rulebook::rules;

/// The version on which the rules were observed.
pub(super) const VERSION: &str = "1.6.0";

const OBSERVED: Evidence = Evidence::Observed(VERSION);
/// Read in its source or its documents, not seen on the real program.
const DOCUMENTED: Evidence = Evidence::Documented(VERSION);

rules! { "pi":
    /// Pi's own folder.
    AGENT_DIR = "agent-dir",
        "PI_CODING_AGENT_DIR, if set and not empty, is Pi's folder in place of ~/.pi/agent; ~/ in it is expanded, and a relative one starts at the session folder.",
        OBSERVED, ["agent-dir-env", "same-file-user-and-project", "xdg-not-used", "agent-dir-relative", "agent-dir-empty"];
    /// The user's file.
    USER = "user",
        "mcp.json in Pi's folder holds the user's servers, for every folder.",
        OBSERVED, ["user-stdio-basic", "config-symlink", "list-order", "list-text-empty", "tui-trusted-no-file-in-home"];
    /// The project's file.
    PROJECT = "project",
        "Of a project only .pi/mcp.json of the session folder itself is read: no parent's, not the repository's.",
        OBSERVED, ["project-parent-folder-not-searched", "project-subfolder-own-file", "home-as-project", "home-as-project-trusted"];
    /// Files that Pi cannot use.
    FILE = "file",
        "A mcp.json that is no JSON, or in which mcpServers is no object, counts as nothing; the other file still loads.",
        OBSERVED, [
            "malformed-json-user", "top-level-array", "config-is-directory", "bom-allowed", "duplicate-json-keys", "comments-not-allowed",
            "trailing-comma-not-allowed", "empty-file", "malformed-json-project", "wrong-top-level",
        ];
    /// Keys that look like the right one.
    KEY = "servers-key",
        "Servers stand under mcpServers; servers, mcp_servers and the like are passed over without a word.",
        OBSERVED, ["vscode-servers-key-ignored", "servers-without-key"];
    /// Files that Pi does not open.
    ELSEWHERE = "elsewhere",
        "No other file gives servers: not mcp.json beside or above the right one, and not settings.json.",
        OBSERVED, ["project-parent-folder-not-searched", "xdg-not-used", "other-clients-files-ignored"];
    /// The switch for codemode.
    CODEMODE = "auto-enable-codemode",
        "autoEnableCodemode beside mcpServers must be true or false; a wrong value costs no server.",
        OBSERVED, ["autoEnableCodemode-type", "session-autoEnableCodemode-false", "session-autoEnableCodemode-project-wins"];
    /// A server's entry.
    ENTRY = "entry",
        "A wrong entry is skipped alone. Names are letters, digits, _ and -; null is a wrong value, not an absent one; fields of the other transport are not looked at.",
        OBSERVED, [
            "wrong-types", "invalid-names", "url-empty-with-command", "http-url-not-expanded", "override-in-user-file", "copied-claude-entry",
            "copied-cursor-entry", "session-invalid-entries-skipped", "exposure-values", "fields-of-other-transport-unchecked",
            "disabled-key-is-ignored", "oauth-fields",
        ];
    /// Transports.
    TYPE = "type",
        "type is stdio, http or streamable-http, spelled exactly so, or left out; the older SSE is not spoken.",
        OBSERVED, ["type-variants"];
    /// An address beside a command.
    URL_DECIDES = "url-decides",
        "Where an entry has a url key, Pi calls the address, whatever type says: the command never runs.",
        OBSERVED, ["command-and-url", "url-null-with-command"];
    /// An address that is none.
    BAD_URL = "bad-url",
        "A url that is no address passes beside type \"stdio\" and fails at the start; pi mcp list ends at it.",
        OBSERVED, [
            "url-bad-with-type-stdio-crashes", "session-url-bad-with-type-stdio", "url-null-with-command", "url-other-scheme-with-type-stdio",
            "url-bad-with-authorization", "url-bad-disabled",
        ];
    /// Names that Pi cannot tell apart.
    NAME_CLASH = "name-clash",
        "Of names that differ only in - and _ the first stays, even where the later one is the project's.",
        OBSERVED, ["name-clash-project-loses", "name-clash-same-file", "name-clash-disabled"];
    /// Credentials of a login.
    PROVIDER = "auth-provider",
        "auth.provider, which sends a login's token, is for the user's file alone: a project's entry with it is skipped.",
        OBSERVED, ["auth-provider-scope"];
    /// The project's entry of a name.
    REPLACE = "replace",
        "A trusted project's entry with a command, url or type replaces the user's of that name whole; a wrong one replaces nothing.",
        OBSERVED, ["project-trusted-replaces-user", "invalid-project-entry-keeps-user"];
    /// The project's change of a user's entry.
    OVERRIDE = "override",
        "A trusted project's entry without command, url and type changes enabled, exposure and toolExposure of the user's entry of that name; with any other key it is dropped whole.",
        OBSERVED, [
            "override-disable", "override-enable", "override-exposure", "override-empty-object", "override-extra-key-rejected",
            "override-without-user-entry", "tui-disable-in-project", "override-bad-value", "override-dash-underscore-name",
            "override-of-invalid-entry", "override-tool-exposure-keeps-exposure", "override-untrusted-no-effect",
        ];
    /// The switch.
    ENABLED = "enabled",
        "enabled: false switches a server off.",
        OBSERVED, ["user-disabled", "override-disable"];
    /// The store of answers.
    TRUST_STORE = "trust-store",
        "A trust.json that is no JSON, or holds anything but true, false and null, stops every session and pi mcp list; --approve and --no-approve get round it.",
        OBSERVED, [
            "trust-malformed-store", "trust-wrong-value", "session-trust-malformed-store", "session-trust-malformed-approve",
            "session-trust-malformed-store-no-project-files",
        ];
    /// Trust of a folder.
    TRUST = "trust",
        "The project's file counts if trust.json says true for the session folder's real path or, of its parents, for the nearest that has an answer.",
        OBSERVED, [
            "trust-inherited-from-parent", "trust-null-is-skipped", "trust-symlink-canonical", "session-saved-trust",
            "session-project-extension-needs-trust", "session-default-trust-always-saved-false", "tui-trust-no", "tui-trust-parent",
            "trust-nearest-decision-wins", "trust-symlink-real-path", "trust-key-spelling", "trust-key-dot", "project-untrusted-does-not-hide-user",
            "session-headless-untrusted", "session-mode-json",
        ];
    /// Flags about trust.
    APPROVE = "approve",
        "--approve and --no-approve answer for one run, above trust.json; pi mcp list does not take them.",
        OBSERVED, ["session-trust-malformed-approve", "session-approve-flag", "session-no-approve-flag", "session-approve-last-wins"];
    /// The answer where none is stored.
    DEFAULT_TRUST = "default-trust",
        "defaultProjectTrust (always, never, ask) in the user's settings.json answers where trust.json does not; the project's own has no effect, nor has any on pi mcp list.",
        OBSERVED, [
            "session-default-trust-always", "session-default-trust-always-saved-false", "session-default-trust-in-project-settings-ignored",
            "list-ignores-default-trust", "session-default-trust-never", "session-default-trust-always-parent-false",
        ];
    /// The panel's question.
    TRUST_QUESTION = "trust-question",
        "In a folder with Pi's files or .agents/skills the panel asks whether to trust it, and starts no server until that is answered.",
        OBSERVED, ["tui-trust-yes", "tui-trust-session", "tui-trust-escape"];
    /// Flags that leave MCP out.
    FLAGS = "flags",
        "--no-mcp starts no server, nor does --no-extensions without -e builtin:mcp; --tools and its kin change no server.",
        OBSERVED, [
            "session-no-mcp-flag", "session-no-extensions-flag", "tui-no-mcp", "session-tools-flag-keeps-servers",
            "session-no-extensions-plus-builtin", "session-no-mcp-beats-builtin",
        ];
    /// The built-in support for MCP.
    BUILTIN = "builtin-mcp",
        "\"-builtin:mcp\" under extensions in the user's or a trusted project's settings.json turns MCP off in sessions; pi mcp list still connects.",
        OBSERVED, [
            "session-builtin-mcp-off-in-settings", "session-builtin-mcp-off-in-project-settings",
            "session-builtin-mcp-off-in-untrusted-project-settings", "session-builtin-by-flag-beats-settings", "session-builtin-off-by-pattern",
            "session-builtin-pattern-and-plus", "session-builtin-project-plus-beats-user", "list-ignores-builtin-mcp-off",
        ];
    /// Extensions in place of the built-in support.
    EXTENSION = "extension",
        "An extension that registers /mcp takes the place of Pi's own support: mcp.json is not read then. A project's extensions need trust.",
        OBSERVED, [
            "session-extension-replaces-mcp", "session-project-extension-needs-trust", "session-extension-other-keeps-mcp", "session-extension-folder",
            "session-extension-folder-manifest", "session-extension-in-settings", "session-extension-switched-off", "session-extension-package",
            "session-extension-package-filtered", "session-extension-npm-package", "session-extension-by-flag", "session-extension-missing",
            "session-extension-unknown-builtin", "session-project-extension-trusted", "list-ignores-extension",
        ];
    /// Extensions that answer for the user.
    EXTENSION_TRUST = "extension-trust",
        "An extension of the user's that listens to project_trust answers before trust.json does.",
        OBSERVED, ["session-extension-answers-trust"];
    /// Settings that Pi cannot use, and those it breaks on.
    SETTINGS = "settings",
        "A settings.json that is no JSON object counts as empty; one whose extensions or packages are no lists ends every session.",
        OBSERVED, ["session-settings-malformed", "session-settings-extensions-no-list", "session-settings-packages-no-source"];
    /// Variables.
    VARIABLES = "variables",
        "$NAME and ${NAME} are filled in values of env and headers alone, from Pi's own environment; one that is unset or empty makes the server fail. Defaults are not known.",
        OBSERVED, [
            "env-expansion", "env-default-not-supported", "http-headers-expanded", "args-command-cwd-not-expanded", "tilde-expansion",
            "copied-claude-entry", "copied-cursor-entry", "env-unset-fails", "env-own-markers", "env-forms-started",
        ];
    /// Values that commands give.
    HELPER = "helper",
        "A value of env or headers that starts with ! is a command that Pi runs at the start; one that fails or prints nothing makes the server fail.",
        OBSERVED, ["bang-command", "bang-command-fails", "bang-command-builtin-and-path"];
    /// Time limits.
    TIMEOUT = "timeout",
        "timeout counts in seconds, for each request and the first too; beyond 2147483 it ends at once.",
        OBSERVED, ["timeout-seconds", "timeout-too-long"];
    /// What starts.
    START = "start",
        "Everything else is started, hidden servers too, and the same server under two names twice.",
        OBSERVED, [
            "user-stdio-basic", "session-hidden-still-starts", "session-exposure-effects", "session-tool-names", "command-relative-path",
            "command-path-lookup-env", "command-not-found", "cwd-missing-fails", "protocol-versions", "cwd-relative", "session-same-server-two-names",
            "session-http-proxy", "project-started-here",
        ];
    /// What the list says.
    LIST = "list",
        "pi mcp list starts every server that is switched on; for trust it goes by trust.json alone, and no flag or setting turns it off.",
        OBSERVED, ["list-ignores-default-trust", "list-order"];
    /// Sessions of other folders.
    OTHER_FOLDER = "other-folder",
        "--session and --resume open a session in the folder it was begun in: that folder's files count.",
        DOCUMENTED, [];
    /// Flags of extensions.
    UNKNOWN_FLAG = "unknown-flag",
        "A flag that neither Pi nor an extension knows ends the session.",
        DOCUMENTED, [];
}

/// By which the user says yes to what a repository brings.
pub(super) static CONSENTS: &[&muster_core::Rule] = &[&TRUST];
