//! The rules of Cursor. Nothing of it could be run here: every rule is documented, and where documents disagree the verdict is
//! `unknown`.

use muster_core::Evidence;

use crate::rulebook::rules;

/// The builds of `cursor-agent` that the documents speak of.
pub(super) const VERSION: &str = "2026.07 to 2026.10, from documents";

/// The vendor's pages of autumn 2026.
const PAGES: Evidence = Evidence::Documented("2026.10");
/// Read in the bundle of that build, or measured on it, by others.
const BUNDLE: Evidence = Evidence::Documented("2026.09.02");
/// Captured from builds up to that one by others.
const CAPTURED: Evidence = Evidence::Documented("2026.08.11");
/// Written for that build by others, who then saw it work.
const WRITTEN: Evidence = Evidence::Documented("2026.06.12");
/// The editor, by others.
const EDITOR_SEEN: Evidence = Evidence::Documented("3.20.21");

rules! { "cursor":
    USER_FILE = "user-file",
        "~/.cursor/mcp.json holds in every folder; no variable moves it, and its servers need no approval (builds of June 2026 still asked)",
        BUNDLE, ["user-file-loads", "config-dir-does-not-move-mcp", "empty-message"];
    PROJECT_FILE = "project-file",
        ".cursor/mcp.json of the project root is read: the nearest folder that holds .git, else the session folder, or what --workspace names",
        BUNDLE, ["subfolder-uses-git-root", "workspace-flag", "worktree-own-root", "no-git-uses-cwd"];
    NESTED = "nested",
        "the vendor's pages speak of nested files and parent folders, others found that one project file is read: unknown",
        BUNDLE, ["subfolder-own-file-not-read"];
    SYNTAX = "syntax",
        "a file is JSON; whether comments, trailing commas and a byte order mark are taken is unknown",
        BUNDLE, ["syntax-error"];
    KEY = "key",
        "servers stand in an object under mcpServers; VS Code's servers and other programs' keys are passed over",
        PAGES, ["servers-key-ignored"];
    ENTRY = "entry",
        "an entry with a command is started, one with a url is called; with neither there is nothing to load",
        BUNDLE, ["type-not-needed", "entry-shapes", "names-with-spaces"];
    TYPE = "type",
        "the vendor's table requires type, others saw that it is never read: where it contradicts the rest, unknown",
        BUNDLE, ["type-not-needed"];
    KEYS = "keys",
        "type, command, args, env, envFile for a command; url, headers, auth for an address; disabled and other keys are never read",
        PAGES, ["disabled-key-ignored", "envFile-stdio-only", "static-oauth"];
    PRECEDENCE = "precedence",
        "of one name the project's entry replaces the user's whole (one reading of an older build had it the other way round)",
        BUNDLE, ["project-wins-same-name"];
    EXPANSION = "expansion",
        "${env:NAME}, ${userHome}, ${workspaceFolder}, ${workspaceFolderBasename}, ${pathSeparator} and ${/} are filled in; ${NAME} and $NAME stay text",
        PAGES, ["shell-style-variables-literal", "static-oauth"];
    APPROVAL = "approval",
        "a project server waits for a yes, kept by project root and content in mcp-approvals.json of Cursor's data folder",
        WRITTEN, ["project-approved", "approval-of-another-content", "approval-with-env-file", "approval-of-a-url", "data-dir-moves-approvals"];
    SWITCH = "switch",
        "a name in mcp-disabled.json of the data folder is not loaded, for this project root, whoever defines it",
        CAPTURED, ["disabled-list", "disabled-list-in-data-dir", "disabled-and-approved"];
    LONG_PATH = "long-path",
        "past 92 characters Cursor may name a project's data folder in a way that is not known",
        CAPTURED, ["long-path-nothing-stored"];
    HEADLESS = "headless",
        "a run that nobody can be asked in skips project servers without a yes, silently",
        PAGES, ["headless-no-approval", "headless-approved"];
    APPROVE_FLAG = "approve-mcps",
        "--approve-mcps says yes to every server in reach, but not in ACP mode",
        PAGES, ["approve-mcps", "acp-approve-mcps-does-nothing"];
    ACP = "acp",
        "agent acp asks nobody: user servers load, project servers only with a stored yes; the client may bring servers of its own",
        BUNDLE, ["acp-project-needs-file-approval"];
    PLUGIN = "plugin",
        "a plugin below ~/.cursor/plugins brings servers called plugin-<plugin>-<server>, on after install; whether a headless run gets them is unknown",
        BUNDLE, ["plugin-server-id", "plugin-on-after-install"];
    ADDED_FOLDER = "add-dir",
        "--add-dir DIR reads DIR/.cursor/mcp.json, its names with a prefix",
        BUNDLE, [];
    WORKTREE = "worktree",
        "--worktree runs in a new checkout, whose project root no yes is stored for yet",
        PAGES, [];
    EDITOR = "editor",
        "the editor keeps a switch for each server in its own storage; a new project server starts off there",
        EDITOR_SEEN, ["editor-new-server-starts-off"];
    ELSEWHERE = "elsewhere",
        "mcp.json in the folders that CURSOR_CONFIG_DIR, XDG_CONFIG_HOME or CURSOR_DATA_DIR name, at the project root and in .vscode is never read",
        BUNDLE, ["config-dir-does-not-move-mcp", "misplaced-files"];
    START = "start",
        "what no rule keeps out is started",
        PAGES, ["user-file-loads"];
}

/// By which the user says yes to what a repository brings.
pub(super) static CONSENTS: &[&muster_core::Rule] = &[&APPROVAL];
