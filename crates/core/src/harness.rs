//! What a harness is to the rest of Muster.

use camino::{Utf8Path, Utf8PathBuf};

use crate::{
    Field, Idiom, LaunchError, LaunchPlan, Mode, Platform, Resolution, Rule, Server, Unset,
    VariableForm, World, path,
};

/// What is known when a harness is asked beside others.
#[derive(Debug, Clone, Copy)]
pub struct Beside<'r> {
    /// What others made of the same world.
    pub others: &'r [Resolution],
    /// Whether servers are wanted where all of them only repeat another's ([`Resolution::only_repeats`]).
    pub repeats: bool,
}

/// A coding agent that starts MCP servers, as rules over a world.
pub trait Harness: Sync {
    /// The id of the contract, such as `claude-code`.
    fn id(&self) -> &'static str;

    /// The name people use, such as `Claude Code`.
    fn name(&self) -> &'static str;

    /// The version of the real program on which the rules were observed.
    fn rules_version(&self) -> &'static str;

    /// Every rule that a reason or note of this harness may name.
    fn rules(&self) -> &'static [&'static Rule];

    /// The rules by which the user says yes to what a repository brings. A reason that follows from one of them counts as that yes if it
    /// stands in a file of the user's.
    fn consents(&self) -> &'static [&'static Rule] {
        &[]
    }

    /// Environment variables that move this harness's files; with `--home` they are not taken from the environment.
    fn home_variables(&self) -> &'static [&'static str];

    /// The names of its program on PATH, the usual one first.
    fn programs(&self) -> &'static [&'static str];

    /// The npm package that brings the program; `None` where none does.
    fn package(&self) -> Option<&'static str>;

    /// The ways to write a variable that it follows in `field`; empty where it expands nothing there.
    fn variables(&self, field: Field) -> &'static [VariableForm];

    /// What it does with a variable in `field` that is unset and has no default.
    fn unset(&self, field: Field) -> Unset;

    /// The name under which the model sees the tool `tool` of `server`, where no other tool wants the same name.
    fn tool_name(&self, server: &str, tool: &str) -> String;

    /// Faults of a server's list of tools over which it loses all of them, as observed.
    fn loses_tools_over(&self) -> &'static [crate::ListFault] {
        &[]
    }

    /// What it calls things, for those who come from another agent.
    fn idiom(&self) -> &'static Idiom;

    /// What it has in the demo: files of a made-up home with a project `shop`, by their paths in it. `{{HOME}}` stands for the home.
    fn example(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// What session the command line `words` (its first word the program) would start.
    ///
    /// # Errors
    /// Where the real program refuses the command line, or Muster cannot tell what it would do.
    fn session(&self, words: &[String], cwd: &Utf8Path) -> Result<Session, CommandLineError>;

    /// Everything this harness makes of `world`. Total: broken input gives verdicts, never a failure.
    fn resolve(&self, world: &World<'_>) -> Resolution;

    /// The same, where other harnesses were asked before: one that takes over what another has need not find it out again.
    fn resolve_beside(&self, world: &World<'_>, beside: Beside<'_>) -> Resolution {
        let _ = beside;
        self.resolve(world)
    }

    /// How it would start `server`, one of its resolution of the same world. Files that it asks again answer as before.
    ///
    /// # Errors
    /// Where there is nothing to start, or the harness gives up before it does.
    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError>;
}

/// A session that a command line would start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The command line, its first word the program.
    pub words: Vec<String>,
    /// Whether somebody can be asked in it.
    pub mode: Mode,
    /// The folder that it moves to, absolute; `None` for the current one.
    pub folder: Option<Utf8PathBuf>,
    /// It is the harness's own list command, which can differ from a session.
    pub lists: bool,
}

/// Why a command line cannot be answered for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// No harness is started by that program, given as it may be printed.
    #[error("`{0}` starts no agent that Muster knows")]
    UnknownProgram(String),
    /// A variable is set where a program is expected; its name.
    #[error("`{0}=•••` sets a variable and starts no agent")]
    Assignment(String),
    /// A flag lacks its value.
    #[error("`{0}` needs a value")]
    MissingValue(String),
    /// The real program refuses it.
    #[error("{0}")]
    Refused(String),
}

/// The version in the `package.json` of `package`, of which `program` on PATH is a part. On Windows npm puts a script on PATH that
/// stands beside the folder of packages; documented, not observed.
pub fn installed_version(world: &World<'_>, program: &str, package: &str) -> Option<String> {
    let paths = world.env.get("PATH")?;
    if world.platform == Platform::Windows {
        let endings = world.env.filled("PATHEXT").unwrap_or(PATHEXT);
        let endings: Vec<&str> = endings.split(';').collect();
        return paths
            .split(';')
            .filter(|folder| !folder.is_empty())
            .map(|folder| world.at(folder.trim_matches('"'), &world.cwd))
            .find(|folder| has_program(world, folder, program, &endings))
            .and_then(|folder| {
                version_of(world, &folder.join("node_modules").join(package), package)
            });
    }
    let found = paths
        .split(':')
        .filter(|folder| !folder.is_empty())
        .map(|folder| path::absolute(folder, &world.cwd).join(program))
        .find(|candidate| world.files.is_file(candidate))?;
    let real = world.files.real_path(&found)?;
    let mut above = real.ancestors().skip(1).take(4);
    above.find_map(|folder| version_of(world, folder, package))
}

/// The endings of programs on Windows where `PATHEXT` does not say.
const PATHEXT: &str = ".COM;.EXE;.BAT;.CMD";

fn has_program(world: &World<'_>, folder: &Utf8Path, program: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| {
        // The file system does not care, one that the tree was copied to may.
        [ending.to_ascii_lowercase(), ending.to_ascii_uppercase()]
            .iter()
            .any(|ending| {
                world
                    .files
                    .is_file(&folder.join(format!("{program}{ending}")))
            })
    })
}

/// The version of `package`, if `folder` is the package's.
fn version_of(world: &World<'_>, folder: &Utf8Path, package: &str) -> Option<String> {
    let manifest = world
        .files
        .read(&folder.join("package.json"), 1024 * 1024)
        .ok()?;
    let dialect =
        muster_document::Dialect::Json(muster_document::JsonDialect::JSON_PARSE.with_bom());
    let document =
        muster_document::Document::parse(std::sync::Arc::from(folder), &manifest, dialect).ok()?;
    (document.root().get("name")?.as_str()? == package)
        .then(|| document.root().get("version")?.as_str().map(str::to_owned))?
}
