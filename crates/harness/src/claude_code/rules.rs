//! The rules of Claude Code, with their evidence.

use muster_core::Evidence;

use crate::rulebook::rules;

/// The version on which the rules were observed.
pub(super) const VERSION: &str = "2.1.332";

const OBSERVED: Evidence = Evidence::Observed(VERSION);
/// Read in its source or its documents, not seen on the real program.
const DOCUMENTED: Evidence = Evidence::Documented(VERSION);

rules! { "claude-code":
    USER_SCOPE = "user-scope",
        "top-level mcpServers of the state file hold everywhere",
        OBSERVED, ["prec-approved", "flag-setting-sources-user", "confdir-no-fallback"];
    LOCAL_SCOPE = "local-scope",
        "`projects[key].mcpServers` of the state file hold for one folder: the main checkout's root, the git root or the session folder, by its exact text",
        OBSERVED, [
            "local-any-dotgit-marks-root", "local-nogit-exact-cwd", "local-submodule-is-own-root", "local-symlinked-cwd",
            "local-worktree-uses-main-checkout", "local-bare-worktree", "local-subdir-uses-git-root",
        ];
    PROJECT_SCOPE = "project-scope",
        ".mcp.json is read in the session folder and in every folder above it; for each name the nearest wins",
        OBSERVED, ["mcpjson-all-ancestors", "mcpjson-bad-parent-good-child", "mcpjson-invalid-child-entry-falls-to-parent", "mcpjson-worktree-own-file", "mcpjson-other-places-not-read"];
    PROJECT_FILE = "project-file",
        ".mcp.json is strict JSON in a regular file of at most 2 MiB with a key mcpServers; otherwise nothing of it loads",
        OBSERVED, [
            "json-mcpjson-strict", "json-mcpjson-bare-map", "json-mcpjson-empty-file",
            "json-mcpjson-not-regular", "json-mcpjson-symlink", "json-mcpjson-too-big", "json-not-utf8",
        ];
    STATE_FILE = "state-file",
        "one state file is live; if it is no JSON, Claude Code does not start",
        OBSERVED, [
            "json-claudejson-corrupt", "json-claudejson-bom", "json-claudejson-wrong-types",
            "confdir-legacy-config-json", "confdir-no-fallback", "confdir-empty-string",
        ];
    SETTINGS_FILE = "settings-file",
        "one known key of a wrong type drops a settings file whole, its rejections too; in managed files that key alone is passed over",
        OBSERVED, [
            "appr-settings-unknown-key-ok", "appr-invalid-settings-file-dropped", "managed-settings-one-bad-key",
            "appr-settings-string-coerced", "flag-settings", "flag-settings-bad-key",
            "flag-settings-beats-local", "flag-settings-headless", "flag-settings-inline",
            "flag-settings-interactive", "flag-settings-last-wins", "flag-settings-malformed",
            "flag-settings-missing-file", "flag-settings-with-setting-sources", "settings-not-utf8",
            "settings-utf16be", "settings-utf16le",
        ];
    VALIDITY = "validity",
        "an entry of a wrong shape is skipped; it affects no other",
        OBSERVED, ["valid-types", "valid-stdio-fields", "valid-remote-fields", "valid-oauth", "prec-invalid-does-not-shadow"];
    RESERVED_NAME = "reserved-name",
        "some names are Claude Code's own and never load from files",
        OBSERVED, ["valid-reserved-names", "valid-any-name-loads", "reserved-name-trailing-underscore"];
    TRUST = "trust",
        "files of the repository count only where the folder is trusted in the state file",
        OBSERVED, [
            "appr-inherited-trust-tracked-local", "appr-nogit-parent-trust", "appr-home-cwd-local-counts",
            "appr-tracked-either-local-file", "appr-tracked-corrupt-index", "appr-tracked-other-case", "appr-tracked-sha256", "appr-tracked-split-index",
        ];
    APPROVAL = "approval",
        "a server of .mcp.json waits until a file whose word counts approves it by name, or all of them",
        OBSERVED, [
            "appr-project-settings-trusted", "appr-project-settings-untrusted", "appr-user-settings-untrusted",
            "appr-local-settings-untrusted", "appr-user-enableall-untrusted", "appr-claudejson-legacy-trusted",
            "appr-subdir-settings-files", "appr-worktree-settings-files", "prec-unapproved-does-not-shadow",
            "tui-approval-dialog", "tui-approved", "appr-claudejson-legacy-malformed-local",
            "appr-claudejson-legacy-untrusted", "appr-root-local-beats-cwd-local",
            "appr-root-local-beats-cwd-local-false", "appr-root-local-beats-cwd-local-inherited",
        ];
    REJECTION = "rejection",
        "disabledMcpjsonServers in any file wins over every approval, in every session",
        OBSERVED, ["appr-reject-anywhere", "appr-reject-headless", "appr-name-normalisation"];
    HEADLESS_APPROVAL = "headless-approval",
        "claude -p starts the servers of .mcp.json without asking, in trusted folders or not",
        OBSERVED, ["appr-none-headless", "prec-headless-project-shadows-user"];
    PRECEDENCE = "precedence",
        "of one name the strongest definition wins whole: --mcp-config, managed, local, project, user",
        OBSERVED, [
            "prec-approved", "managed-settings-wins-clash", "policy-mcp-config-servers",
            "prec-denied-still-shadows", "prec-rejected-does-not-shadow",
        ];
    SWITCH = "switch",
        "disabledMcpServers of the project's entry in the state file switches any server off, after names are settled",
        OBSERVED, [
            "toggle-disabled", "toggle-worktree", "toggle-wrong-places", "prec-disabled-still-shadows",
            "toggle-managed-mcp", "toggle-plugin-and-managed",
        ];
    MANAGED_FILE = "managed-file",
        "managed-mcp.json shuts out every other file, even if it is broken",
        OBSERVED, ["managed-exclusive", "managed-empty", "managed-malformed", "managed-user-deny"];
    MANAGED_SERVERS = "managed-servers",
        "managedMcpServers of managed settings add https servers that beat the user's",
        OBSERVED, [
            "managed-settings-with-managed-mcp", "managed-settings-wins-clash", "managed-dropin-order",
            "managed-settings-servers", "managed-settings-servers-variable",
        ];
    MANAGED_SETTINGS = "managed-settings",
        "every managed settings file must be a JSON object, or Claude Code does not start",
        OBSERVED, [
            "policy-managed-settings-malformed", "managed-dropin-malformed", "managed-beats-flag-settings",
            "managed-dropin-not-read", "managed-enable-all-wrong-type", "managed-flag-settings-untrusted",
            "managed-settings-bad-lists", "managed-settings-dropin",
        ];
    PLUGIN_ONLY = "plugin-only",
        "strictPluginOnlyCustomization in managed settings keeps user, local and project servers out",
        OBSERVED, ["policy-strict-plugin-only-mcp-config", "policy-strict-plugin-only-not-mcp"];
    DENY_LIST = "deny-list",
        "deniedMcpServers of any file keep a server out by name, whole command or address, after names are settled",
        OBSERVED, [
            "policy-deny-command", "policy-entry-validation", "policy-url-match-2", "managed-user-deny",
            "policy-deny-expanded", "policy-name-with-blanks", "policy-url-match-1", "policy-url-match-4",
            "policy-url-match-7", "policy-pending-denied",
        ];
    ALLOW_LIST = "allow-list",
        "where any allowedMcpServers exist, a server must be on them; one command or address in them mutes the names",
        OBSERVED, [
            "policy-allow-command-mutes-names", "policy-allow-url-mutes-names", "policy-url-match-3",
            "policy-merge-and-managed-only", "plugin-allow-name-impossible", "managed-only-wrong-type",
            "policy-managed-allow-wrong-type", "policy-url-match-5", "policy-url-match-6",
            "policy-user-allow-wrong-type", "policy-pending-not-allowed",
        ];
    EXPANSION = "expansion",
        "${NAME} and ${NAME:-default} are filled in command, args, env, url and headers; an unset one stays as written and the server still loads",
        OBSERVED, [
            "expand-not-in-type-or-keys", "expand-claude-project-dir", "http-credential-vars-blank",
            "expand-missing-variable-loads", "expand-otel-blank-in-stdio", "expand-settings-env",
            "expand-settings-env-order", "expand-settings-env-trusted", "expand-syntax",
            "http-headers-expanded-twice",
        ];
    EMPTY_URL = "empty-url",
        "a url that is written empty is shown as not configured and not tried; headless runs try it and fail",
        OBSERVED, ["valid-remote-fields", "valid-empty-url-headless"];
    HEADERS_HELPER = "headers-helper",
        "headersHelper of local and project servers is run only in a trusted folder; the server connects without it",
        OBSERVED, ["http-headershelper-local-untrusted", "http-headershelper-project-untrusted", "http-headershelper-user-untrusted"];
    PLUGIN = "plugin",
        "a plugin that is on, installed and listed by its marketplace brings servers called `plugin:<plugin>:<server>`",
        OBSERVED, [
            "plugin-servers", "plugin-flat-mcpjson", "plugin-toggle-and-deny", "plugin-user-skills-dir",
            "flag-plugin-dir", "flag-plugin-dir-folder", "flag-plugin-dir-mcpjson-only",
            "flag-plugin-dir-missing", "plugin-bom-in-mcpjson", "plugin-directory-marketplace-live",
            "plugin-not-in-marketplace", "plugin-not-installed", "plugin-project-scope-install",
            "plugin-project-scope-install-elsewhere", "flag-plugin-dir-list", "plugin-enabled-list", "plugin-installed-version-1", "plugin-missing-dependency", "plugin-user-skills-dir-list",
        ];
    PLUGIN_MANIFEST = "plugin-manifest",
        "one value of a wrong shape in plugin.json refuses the whole plugin, its .mcp.json too",
        OBSERVED, ["plugin-manifest-refused", "plugin-manifest-list", "plugin-manifest-path-absolute", "plugin-manifest-path-list-bad-element", "plugin-manifest-path-no-dot", "plugin-manifest-path-parent", "plugin-manifest-tolerated"];
    PROJECT_ENV = "project-env",
        "headless sessions judge policies twice, the second time with the env of the project's settings for what was unset",
        OBSERVED, ["policy-project-settings-env"];
    PLUGIN_DUPLICATE = "plugin-duplicate",
        "a plugin's server with the command or address of an active server is left out",
        OBSERVED, [
            "plugin-duplicate-of-disabled", "plugin-duplicate-of-active", "plugin-duplicate-url",
            "plugin-name-literal-user-server", "plugin-order-of-enabled",
        ];
    PROJECT_PLUGIN = "project-plugin",
        "plugins in the project's .claude/skills need a trusted folder, then approval like .mcp.json",
        OBSERVED, ["plugin-project-skills-dir"];
    ELSEWHERE = "elsewhere",
        "servers in settings files, under keys of other programs, in files of other names, in a state file that is not live or under another spelling of the folder are never read",
        OBSERVED, ["mcpjson-other-places-not-read", "foreign-keys-not-read", "local-symlinked-cwd", "confdir-no-fallback", "confdir-legacy-config-json"];
    AGENT = "agent",
        "servers in an agent's frontmatter start only in a session of that agent",
        OBSERVED, [
            "agent-frontmatter", "agent-above-git-root-not-found", "agent-denied", "agent-disabled",
            "agent-list-elements", "agent-managed-mcp", "agent-nearest-folder-wins", "agent-not-above-git-root",
            "agent-project-beats-user", "agent-project-trusted", "agent-project-untrusted",
            "agent-project-untrusted-hides-user", "agent-setting", "agent-setting-flag-wins",
            "agent-setting-not-in-list", "agent-setting-project", "agent-setting-sources",
            "agent-setting-unknown", "agent-strict-mcp-config", "agent-yaml-duplicate-key", "agent-yaml-merge-key", "flag-agents", "flag-agents-same-name",
        ];
    FLAG_CONFIG = "mcp-config",
        "--mcp-config adds servers that beat local, project and user",
        OBSERVED, [
            "policy-mcp-config-servers", "flag-mcp-config-bad-entry", "flag-mcp-config-inline",
            "flag-mcp-config-last-wins", "flag-mcp-config-malformed", "flag-mcp-config-missing-file",
            "flag-mcp-config-no-key", "flag-mcp-config-with-managed-mcp",
        ];
    SESSION_FLAGS = "session-flags",
        "--strict-mcp-config, --setting-sources, --bare, --restricted and --safe-mode leave sources out",
        OBSERVED, [
            "flag-setting-sources-project", "flag-setting-sources-user", "env-safe-mode",
            "env-safe-mode-off-words", "env-safe-mode-other-words", "env-safe-mode-session",
            "env-safe-mode-words", "env-simple", "env-simple-list", "env-simple-other-words", "env-simple-word",
            "flag-bare", "flag-bare-list", "flag-restricted", "flag-restricted-list", "flag-safe-mode",
            "flag-safe-mode-list", "flag-setting-sources-blanks", "flag-setting-sources-empty",
            "flag-setting-sources-filters-settings", "flag-setting-sources-list", "flag-setting-sources-unknown",
            "flag-strict-list", "flag-strict-mcp-config",
        ];
    START = "start",
        "what no rule keeps out is started in the session folder",
        OBSERVED, ["prec-approved"];
    PLATFORM = "platform",
        "on Windows administrators' files are in C:\\Program Files\\ClaudeCode, and a folder's key is found with either slash and in any case; on macOS they are in /Library/Application Support/ClaudeCode",
        DOCUMENTED, ["windows-project-key"];
    LAUNCH = "launch",
        "a server gets the whole environment but OTEL_* and three tokens, over it the env of settings, in sessions the project's too, what Claude Code sets, and its entry's env",
        OBSERVED, ["launch-environment-list", "launch-environment-headless", "launch-environment-untrusted", "launch-environment-plugin"];
}

/// By which the user says yes to what a repository brings.
pub(super) static CONSENTS: &[&muster_core::Rule] = &[&APPROVAL];
