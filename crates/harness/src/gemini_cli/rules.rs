//! The rules of Gemini CLI, with their evidence.

use muster_core::Evidence;

use crate::rulebook::rules;

/// The version on which the rules were observed.
pub(super) const VERSION: &str = "0.61.0";

const OBSERVED: Evidence = Evidence::Observed(VERSION);

rules! { "gemini-cli":
    USER = "user-settings",
        "~/.gemini/settings.json holds everywhere; GEMINI_CLI_HOME moves the whole user side",
        OBSERVED, ["layers-user-and-project", "gemini-cli-home"];
    PROJECT = "project-settings",
        "of a project, .gemini/settings.json of the session folder is read, of no folder above it, and not where that is the home folder",
        OBSERVED, ["layers-user-and-project", "subfolder-does-not-see-parent-project", "cwd-is-home"];
    SYSTEM = "system-settings",
        "an administrator's settings are above every other file, the defaults beside them below; variables move both",
        OBSERVED, ["system-default-path-etc", "system-defaults-env-path", "system-defaults-lowest", "system-overrides-project"];
    SECURE = "system-file-owner",
        "an administrator's file counts only if it and every folder above it are root's and nobody else can write to them",
        OBSERVED, ["system-insecure-dir-skipped", "system-insecure-file-skipped", "system-not-root-owned-skipped"];
    MERGE = "merge",
        "servers merge by name, whole entries: the stronger layer's replaces the weaker's entirely",
        OBSERVED, ["duplicate-key-last-wins", "merge-partial-project-entry-kills-user-server", "system-overrides-project"];
    MERGE_ODD = "merge-odd",
        "an mcpServers that counts as false takes all weaker servers away; a list counts as servers called 0, 1, …",
        OBSERVED, ["mcpservers-as-list", "mcpservers-null-wipes", "mcpservers-number-changes-nothing"];
    SYNTAX = "syntax",
        "settings are JSON with comments; one file that does not parse stops Gemini CLI, the project's even where the folder is not trusted",
        OBSERVED, [
            "comments-allowed", "malformed-user-fatal", "malformed-project-untrusted-still-fatal", "bom-fatal", "empty-file-fatal",
            "top-level-array-fatal", "trailing-comma-fatal", "unclosed-comment-is-a-comment",
        ];
    SCHEMA = "schema",
        "mistakes in settings are only warned of; in a file without any, texts count as the numbers and truth values they spell",
        OBSERVED, [
            "coercion-off-when-file-has-errors", "coercion-trust-false-text", "transport-type-unknown",
            "trust-off-text-false-in-valid-file", "trust-off-text-false-in-invalid-file", "unknown-key-warns-loads",
        ];
    CRASH = "crash",
        "some wrong values crash Gemini CLI: null in place of a group of settings, lists of servers that are no lists, servers without a name",
        OBSERVED, [
            "crash-settings-group-null", "crash-allowed-not-a-list", "crash-excluded-empty-name", "crash-trust-of-nameless-server",
            "invalid-approval-mode-crashes", "flag-yolo-disabled-stops",
        ];
    NULL_ENTRY = "null-entry",
        "an entry that is null crashes Gemini CLI",
        OBSERVED, ["entry-null-crashes"];
    ENTRY = "entry",
        "an entry without command, url or httpUrl starts nothing, and still replaces those of weaker layers",
        OBSERVED, ["merge-partial-project-entry-kills-user-server", "entry-string"];
    WRONG_TYPE = "wrong-type",
        "values of a wrong type are used as they are: a command, a cwd, a variable or a header that is no text keeps its server from starting",
        OBSERVED, ["wrong-type-args-string", "wrong-type-command-array", "wrong-type-env-number", "env-values-that-count-as-false", "header-wrong"];
    NAME = "name",
        "names are not checked; __proto__ is lost in a file without mistakes, and with constructor and prototype in extensions",
        OBSERVED, [
            "odd-names", "expansion-in-names-not", "name-proto-lost-in-valid-file", "name-proto-kept-in-invalid-file",
            "extension-name-constructor-lost",
        ];
    TRANSPORT = "transport",
        "httpUrl comes before url, and both before command; a url without a type is tried as Streamable HTTP, then as SSE; tcp starts nothing",
        OBSERVED, [
            "transport-url-kinds", "transport-sse-fallback", "transport-no-fallback-typed", "transport-type-unknown",
            "transport-tcp-only", "transport-type-stdio-with-url",
        ];
    ADDRESS = "address",
        "an address must be http or https and hold no credentials; names of headers must be valid",
        OBSERVED, ["url-with-credentials", "url-not-http", "header-wrong"];
    PROVIDER = "google-sign-in",
        "authProviderType needs a url of Google's and scopes, or an audience and an account",
        OBSERVED, ["google-credentials-host"];
    TIMEOUT = "timeout",
        "timeout is in milliseconds: 10 minutes in a session and 5 seconds in gemini mcp list where nothing is written; what no timer can hold counts as 1 ms",
        OBSERVED, ["list-timeout-shorter-than-session", "timeout-ends-at-once"];
    EXPANSION = "expansion",
        "$NAME, ${NAME} and ${NAME:-default} are filled in every text of a file when it is read; values of variables and headers once more at the start, where what is unset becomes empty",
        OBSERVED, ["expansion-fields", "expansion-in-names-not", "headers-expansion", "dotenv-file", "dotenv-gemini-dir"];
    TRUST = "trust",
        "in a folder that is not trusted no server of any layer starts; GEMINI_CLI_TRUST_WORKSPACE decides first, then the switch security.folderTrust.enabled, which a project cannot turn, then trustedFolders.json",
        OBSERVED, [
            "trust-env-true", "trust-off-project-setting-ignored", "trust-untrusted-user-only", "trust-default-untrusted",
            "restricted-mode-variable", "project-turns-folder-trust-on", "extension-untrusted-folder", "trust-env-false",
            "trust-env-other-text", "trust-env-in-dotenv", "trust-off-user-setting",
        ];
    TRUST_RULES = "trust-rules",
        "a rule covers its folder and all below, TRUST_PARENT the folder above; of several the one with the longest text decides, after links are resolved",
        OBSERVED, [
            "trust-folder-covers-subfolders", "trust-parent-trusts-siblings", "trust-specific-trust-beats-parent-distrust",
            "trust-specificity-is-rule-text-length", "trust-symlink-resolved",
        ];
    TRUST_FILE = "trust-file",
        "a trustedFolders.json that does not parse or holds an unknown level stops Gemini CLI wherever it is asked",
        OBSERVED, [
            "trust-invalid-level-fatal", "trust-file-env-path", "trust-file-comments-and-trailing-slash",
            "trust-file-malformed-fatal", "trust-file-malformed-not-asked",
        ];
    SKIP_TRUST = "skip-trust",
        "--skip-trust trusts the folder after the settings were read: the user's servers start, the project's do not",
        OBSERVED, ["flag-skip-trust"];
    ALLOWED = "allowed",
        "mcp.allowed keeps all other servers out; the lists of several layers are intersected without case, and a session compares what is left with it",
        OBSERVED, ["mcp-allowed", "mcp-allowed-intersection", "mcp-server-command-vs-allowed", "mcp-allowed-case", "mcp-allowed-case-of-layers"];
    ALLOWED_EMPTY = "allowed-empty",
        "an allowed list that is empty, or lists with nothing in common, are no limit in a session",
        OBSERVED, ["mcp-allowed-disjoint", "mcp-allowed-empty-list"];
    EXCLUDED = "excluded",
        "mcp.excluded of every layer keeps servers out, allowed or not; a session compares names with their case",
        OBSERVED, ["mcp-excluded-beats-allowed", "mcp-excluded-case", "mcp-excluded-union", "extension-excluded-by-plain-name"];
    FLAG_ALLOWED = "flag-allowed",
        "--allowed-mcp-server-names replaces every mcp.allowed and switches mcp.excluded off",
        OBSERVED, ["flag-allowed-mcp-server-names", "flag-allowed-comma"];
    SERVER_COMMAND = "server-command",
        "mcp.serverCommand makes a server called mcp in a session; with operators, patterns or comments in it no configured server starts",
        OBSERVED, [
            "mcp-server-command", "mcp-server-command-replaces-mcp", "mcp-server-command-vs-allowed", "server-command-operator",
            "server-command-variables",
        ];
    SERVER_SWITCH = "server-switch",
        "~/.gemini/mcp-server-enablement.json switches servers off everywhere, by their names in lower case; a malformed one is ignored",
        OBSERVED, ["enablement-file-disables", "enablement-file-malformed-ignored", "enablement-file-uppercase-key-ignored", "enablement-null"];
    EXTENSION = "extension",
        "extensions are read from ~/.gemini/extensions; an install file of type link points elsewhere; a server's own trust does not count",
        OBSERVED, [
            "extension-link", "extension-trust-key-dropped", "extension-exclude-tools", "extension-project-folder-not-read",
            "extension-server", "extension-settings-env", "extension-workspace-env", "extension-two-same-name-fatal",
        ];
    EXTENSION_FILE = "extension-file",
        "gemini-extension.json is strict JSON with a plain name and a version; otherwise the extension is skipped",
        OBSERVED, ["extension-bad-name-skipped", "extension-null-entry-skips-extension", "extension-git-source-without-name"];
    EXTENSION_MERGE = "extension-merge",
        "an entry of the settings and one of an extension merge key by key in a session, the settings first; gemini mcp list takes the settings' alone",
        OBSERVED, [
            "extension-same-name-full-settings-entry", "extension-same-name-settings-override", "extension-include-intersection",
            "extension-entry-not-an-object", "extension-url-beats-settings-command", "extension-adds-what-cannot-be-used",
        ];
    EXTENSION_NAME = "extension-same-name",
        "of two extensions with a server of one name, the first by its folder's name gives it",
        OBSERVED, ["extension-two-same-server-name"];
    EXTENSION_SWITCH = "extension-switch",
        "extension-enablement.json switches extensions off by folder, the last rule that matches decides; -e names those that are on; gemini mcp list takes no notice",
        OBSERVED, ["extension-disabled", "extension-enablement-last-match-wins", "flag-extensions-none", "flag-extensions-one"];
    EXTENSION_POLICY = "extension-policy",
        "security.allowedExtensions is matched with the install source as a path, and without an install file stops Gemini CLI; security.blockGitExtensions keeps those from git out",
        OBSERVED, ["extension-allowed-extensions-url-pattern", "extension-allowed-no-metadata-fatal", "extension-block-git"];
    EXTENSION_KEY = "extension-key",
        "an entry whose key extension is set and not active does not start",
        OBSERVED, ["entry-extension-key", "extension-entry-with-extension-key"];
    TOOLS = "tools",
        "includeTools names the tools that are offered, name or name(…); excludeTools hides tools and wins; tools are called mcp_<server>_<tool>",
        OBSERVED, ["tool-filters", "trust-true-needs-plain-name", "tools-exclude-setting"];
    HEADLESS_TOOLS = "headless-tools",
        "in a headless run a server's tools are offered only with trust: true, if mcp.allowed names it, or in the approval mode yolo",
        OBSERVED, [
            "untrusted-server-tools-hidden-headless", "mcp-allowed-exposes-tools-headless", "trust-true-needs-plain-name",
            "flag-yolo-offers-tools",
        ];
    REDACTION = "redaction",
        "servers get Gemini CLI's environment without what looks like a secret by its name or value; the settings can let names through or hold more back",
        OBSERVED, ["env-redaction-github-strict", "env-redaction-settings", "env-dangerous-blocked", "env-redaction-names"];
    AGENT = "subagent",
        "servers in a subagent's file (mcp_servers) are not started with the session; a file with the key mcpServers is refused",
        OBSERVED, ["subagent-servers-not-started"];
    LEGACY = "legacy-lists",
        "allowMCPServers and excludeMCPServers do nothing any more",
        OBSERVED, ["legacy-top-level-lists-ignored"];
    ADMIN = "admin",
        "admin in a file does nothing: only Google's administration sets it",
        OBSERVED, ["admin-settings-in-file-ignored"];
    ELSEWHERE = "elsewhere",
        "no other file and no other key gives servers",
        OBSERVED, ["legacy-top-level-lists-ignored"];
    LIST = "list",
        "gemini mcp list compares names without case, shows settings' entries alone, connects to servers of disabled extensions and knows no mcp.serverCommand",
        OBSERVED, [
            "mcp-excluded-case", "extension-disabled", "list-extension-disabled", "list-excluded-case", "list-allowed-empty",
            "list-server-command-unknown",
        ];
    START = "start",
        "what nothing keeps out starts with the session",
        OBSERVED, ["layers-user-and-project", "cwd-relative", "command-missing"];
}

/// By which the user says yes to what a repository brings.
pub(super) static CONSENTS: &[&muster_core::Rule] = &[&TRUST_RULES];
