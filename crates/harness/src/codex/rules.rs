//! The rules of Codex, with their evidence.

use muster_core::Evidence;

use crate::rulebook::rules;

/// The version on which the rules were observed.
pub(super) const VERSION: &str = "0.171.0";

const OBSERVED: Evidence = Evidence::Observed(VERSION);
/// Read in its source or its documents, not seen on the real program.
const DOCUMENTED: Evidence = Evidence::Documented(VERSION);

rules! { "codex":
    /// Codex's own folder.
    HOME = "home",
        "CODEX_HOME, if set and not empty, is Codex's folder in place of ~/.codex; one that is missing or no folder stops Codex.",
        OBSERVED, ["codex-home-empty", "codex-home-env", "codex-home-missing"];
    /// Files that cannot be read.
    FILE = "file",
        "A configuration file that is no regular file or not UTF-8 stops Codex; in a project's .codex even where the folder is not trusted.",
        OBSERVED, ["project-config-dir", "user-not-utf8", "untrusted-not-utf8"];
    /// Files that do not parse.
    SYNTAX = "syntax",
        "Files are TOML 1.1; a syntax error in any file that counts stops Codex.",
        OBSERVED, ["user-malformed-toml", "user-bare-unicode-key", "user-toml-1-1", "user-crlf"];
    /// The user's and the system's file.
    LAYERS = "layers",
        "/etc/codex/config.toml and config.toml in Codex's folder are read; .mcp.json and XDG folders are not.",
        OBSERVED, ["user-http", "user-no-file", "system-config-trust", "mcp-json-not-read", "xdg-not-read", "session-ignore-user-config"];
    /// Profiles.
    PROFILE = "profile",
        "-p NAME adds NAME.config.toml of Codex's folder above the user's file and below the project's; it need not exist.",
        OBSERVED, ["profile-layer", "profile-missing", "profile-below-project"];
    /// Profiles of older versions.
    LEGACY_PROFILE = "legacy-profile",
        "profile = \"NAME\" stops Codex, and so does -p NAME beside [profiles.NAME]; servers in [profiles.NAME] are ignored.",
        OBSERVED, ["profile-legacy"];
    /// The command line's values.
    OVERRIDE = "override",
        "-c KEY=VALUE is a layer above the project's files; KEY is split at every dot, a later -c replaces an earlier one.",
        OBSERVED, ["override-disable", "override-empty-table", "override-incomplete", "override-quoted-name", "override-trust-inline", "override-replaces-override", "override-raw-text"];
    /// The administrator's layer.
    MANAGED = "managed",
        "/etc/codex/managed_config.toml is the highest layer, above -c.",
        OBSERVED, ["managed-config", "managed-config-in-codex-home"];
    /// The project's files.
    PROJECT = "project",
        "Of a project, .codex/config.toml is read in every folder from the project root (by project_root_markers, else .git) down to the session's.",
        OBSERVED, [
            "project-above-root", "project-nongit-cwd-only", "project-root-markers-empty", "project-root-markers-in-project", "project-git-file",
            "project-git-head-file", "project-home-is-codex-home", "project-nested-repo", "session-cd-flag",
        ];
    /// Trust of a folder.
    TRUST = "trust",
        "A project's file counts if the projects table trusts its folder, the project root or the repository (a worktree's main checkout); keys are compared as text, other parents do not count.",
        OBSERVED, [
            "project-untrusted-explicit", "project-key-text-match", "project-symlink-key", "project-parent-trust-not-inherited",
            "project-self-trust", "session-trust-flag", "session-bypass-no-trust", "worktree-trust-of-main", "worktree-forged", "worktree-bare-trust-of-bare", "worktree-dotbare-trust-of-bare",
            "worktree-dotbare-trust-of-parent", "project-table-without-level", "tui-open-restricted",
        ];
    /// The panel's question.
    TRUST_QUESTION = "trust-question",
        "In a repository or beside a .codex, the panel asks whether to trust the folder and starts no server until that is answered.",
        OBSERVED, ["tui-open-restricted"];
    /// Outside git.
    OUTSIDE_GIT = "outside-git",
        "codex exec and codex review start nothing outside a git repository, trusted or not, unless --skip-git-repo-check or --yolo is given.",
        OBSERVED, ["session-exec-outside-git", "session-exec-outside-git-skip"];
    /// Files of the main checkout.
    WORKTREE = "worktree",
        "In a linked worktree the main checkout's file of the same folder is read too, for hooks: it can stop Codex and gives no servers.",
        OBSERVED, ["worktree-hooks-unreadable", "worktree-trust-of-main"];
    /// How layers come together.
    MERGE = "merge",
        "Layers merge key by key, at every depth; lists and values are replaced whole, nothing is removed, and what is checked is the result.",
        OBSERVED, [
            "project-merge-per-key", "project-completes-user", "project-fixes-wrong-type", "project-disables-missing-server",
            "override-empty-table",
        ];
    /// A server's entry.
    ENTRY = "entry",
        "One bad entry, switched off or not, stops Codex: no server of any layer loads. Unknown keys are ignored.",
        OBSERVED, [
            "user-no-transport", "entry-helper-elsewhere", "entry-list", "user-args-string", "user-entry-string", "user-env-integer", "user-enabled-string", "user-env-vars-bad-source",
            "user-env-vars-objects", "user-stdio-http-headers", "user-timeout-negative", "user-timeouts", "user-approval-mode-bad",
            "user-datetime-as-string", "user-unknown-keys", "user-no-expansion",
        ];
    /// Other keys.
    KEYS = "config-keys",
        "A wrong type in any key that Codex knows stops it, except in a project's file for the keys that do not count there. Muster knows the types of most keys, not of all that is deep inside tables.",
        OBSERVED, [
            "user-unrelated-key-wrong", "user-unknown-top-level", "project-ignored-keys-wrong-type", "user-nested-wrong-agent-role",
            "user-nested-wrong-history-persistence", "user-nested-wrong-notice", "user-nested-wrong-otel-exporter",
            "user-nested-wrong-provider-name-type", "user-nested-wrong-provider-no-name", "user-nested-wrong-shell-inherit",
            "user-nested-wrong-thread-store", "user-nested-wrong-tui-notifications", "user-nested-wrong-tui-theme",
            "user-nested-wrong-web-search", "user-nested-wrong-workspace-id", "user-nested-wrong-writable-roots",
        ];
    /// Keys that look like the right one.
    SPELLING = "spelling",
        "Servers stand under mcp_servers; mcpServers and the like are passed over without a word.",
        OBSERVED, ["user-camelcase", "user-foreign-keys"];
    /// Files that it never opens.
    ELSEWHERE = "elsewhere",
        "Codex reads config.toml and what goes with it; config.json, codex.json and mcp.json are never opened.",
        OBSERVED, ["json-files-not-read"];
    /// The switch.
    ENABLED = "enabled",
        "enabled = false switches a server off; the highest layer that says it decides.",
        OBSERVED, ["project-disables-user", "project-enables-user", "override-disable"];
    /// The administrator's list.
    REQUIREMENTS = "requirements",
        "With mcp_servers in requirements.toml, servers that it does not list, or that differ from the identity it gives, are off; plugins have lists of their own.",
        OBSERVED, [
            "requirements-identity", "requirements-matcher-beside-url", "requirements-mismatch", "requirements-url", "requirements-url-matcher", "requirements-empty",
            "requirements-empty-plugin", "requirements-plugin", "requirements-plugin-mismatch", "requirements-no-mcp-key", "requirements-disabled-wins",
        ];
    /// Mistakes in the administrator's list.
    REQUIREMENTS_FILE = "requirements-file",
        "A mistake in requirements.toml stops Codex.",
        OBSERVED, ["requirements-missing-identity", "requirements-bad-regex"];
    /// Managed sign-in.
    ENTERPRISE = "enterprise-auth",
        "auth = \"ema_auth\" keeps a server out unless an administrator has set it up; put together from several layers it stops Codex.",
        OBSERVED, ["enterprise-auth-off", "enterprise-auth-two-layers"];
    /// Plugins.
    PLUGIN = "plugin",
        "[plugins.\"NAME@MARKET\"] brings the servers of the highest cached version, from its manifest or its .mcp.json.",
        OBSERVED, [
            "plugin-basic", "plugin-server-table-enables", "plugin-feature-off", "plugin-feature-override", "plugin-version-words", "plugin-claude-manifest", "plugin-enabled-default", "plugin-flat-map", "plugin-from-project", "plugin-highest-version",
            "plugin-malformed-json", "plugin-manifest-inline", "plugin-no-expansion", "plugin-no-manifest", "plugin-not-configured",
        ];
    /// A plugin's bad servers.
    PLUGIN_ENTRY = "plugin-entry",
        "A plugin's bad servers are skipped one by one.",
        OBSERVED, ["plugin-bad-entries-skipped"];
    /// Names that plugins share.
    PLUGIN_NAME = "plugin-name",
        "A server of the configuration replaces a plugin's of the same name whole; of two plugins the first id wins.",
        OBSERVED, ["plugin-user-wins", "plugin-no-merge", "plugin-name-clash"];
    /// Servers for elsewhere.
    ENVIRONMENT_ID = "environment-id",
        "environment_id other than \"local\" keeps a server out of a local session.",
        OBSERVED, ["session-environment-id"];
    /// Codex's own name.
    RESERVED = "reserved-name",
        "The name codex_apps is Codex's own: a session leaves such a server out.",
        OBSERVED, ["session-reserved-name"];
    /// Names.
    NAME = "server-name",
        "A session starts only servers whose name is made of letters, digits, _ : @ / . and -; codex mcp list takes any name.",
        OBSERVED, ["user-odd-names-listed", "session-bad-name"];
    /// Token variables.
    BEARER = "bearer-token",
        "A server whose bearer_token_env_var is unset or empty fails before any request.",
        OBSERVED, ["session-bearer-unset"];
    /// Remote variables.
    ENV_SOURCE = "env-source",
        "An env_vars entry with source \"remote\" makes a local server fail.",
        OBSERVED, ["session-env-remote-source"];
    /// No time to start.
    NO_TIME = "startup-timeout",
        "A startup timeout of 0 makes a server fail at once.",
        OBSERVED, ["session-timeout-zero"];
    /// Required servers.
    REQUIRED = "required",
        "A server with required = true that does not start ends the session.",
        OBSERVED, ["session-required-fails"];
    /// What starts.
    START = "start",
        "Everything else is started, also the same command under two names; Codex's own .env changes the environment first.",
        OBSERVED, ["session-same-command-twice", "session-missing-command", "session-env-default", "session-env-vars", "session-dotenv", "session-shell-policy", "session-tool-names"];
    /// What the list says.
    LIST = "list",
        "codex mcp list reports every merged server that is allowed and switched on, whether or not a session could start it.",
        OBSERVED, ["user-odd-names-listed"];
    /// Other platforms.
    PLATFORM = "platform",
        "On Windows administrators' files are in %ProgramData%\\OpenAI\\Codex, folders are compared without case, and a server gets another short list of variables.",
        DOCUMENTED, [];
    /// What a server is given.
    LAUNCH = "launch",
        "A server gets eleven variables and those that name certificate files, what env_vars names, and its env; a relative cwd is taken from where codex was called.",
        OBSERVED, ["launch-environment", "launch-folder", "launch-plugin-folder"];
}

/// By which the user says yes to what a repository brings.
pub(super) static CONSENTS: &[&muster_core::Rule] = &[&TRUST];
