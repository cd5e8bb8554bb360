//! `muster demo`: a made-up home and project, so that somebody without any agent sees what Muster shows.

mod fence;
mod tree;

use std::io;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::Files;
use muster_report::{Format, Page};
use tempfile::TempDir;

use crate::args::{self, Common};
use crate::error::CliError;
use crate::output::Output;
use crate::world::Scene;

/// The server whose story the demo tells.
const STORY: &str = "lint";
/// The servers that are started: one works, one does not.
const STARTED: [&str; 2] = ["db", "scratch"];
/// How long they may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Lays the demo down, shows the list, one story, and whether two of its servers work; for programs, the list alone.
pub(crate) fn run(common: &Common, keep: bool, output: &Output) -> Result<Page, CliError> {
    let folder = lay_down().map_err(CliError::Demo)?;
    let home = real_path(&folder).map_err(CliError::Demo)?;
    let page = show(common, &home, output)?;
    if common.format == crate::args::Format::Json {
        end(folder, keep, &home)?;
        return Ok(page);
    }
    Ok(page.then(&Page::own(end(folder, keep, &home)?)))
}

/// The list, how to read it, and one story.
fn show(common: &Common, home: &Utf8Path, output: &Output) -> Result<Page, CliError> {
    let files = Files::new(fence::Fence::around(home));
    let scene = Scene::made_up(common, home, &home.join(tree::PROJECT), &files);
    let resolutions = scene.resolve(common.format);
    let findings = scene.audit(resolutions);
    let survey = scene.survey(resolutions, &findings);
    let format: Format = common.format.into();
    let list = muster_report::list(&survey, format, output.look(), output.detail());
    if format != Format::Text {
        return Ok(list);
    }
    let why = muster_report::why(&survey, STORY, format, output.look(), output.detail());
    let page = Page::own(INTRODUCTION)
        .then(&list)
        .then(&Page::own(BETWEEN))
        .then(&why);
    Ok(match started(&scene, common, output)? {
        Some(check) => page.then(&Page::own(BEFORE_CHECK)).then(&check),
        None => page,
    })
}

/// Two of the made-up servers, one of which works; `None` where nothing can be started here.
fn started(scene: &Scene<'_>, common: &Common, output: &Output) -> Result<Option<Page>, CliError> {
    if cfg!(not(unix)) {
        return Ok(None);
    }
    let asked = args::Check {
        launch: true,
        remote: false,
        include_unapproved: false,
        timeout: PATIENCE,
        jobs: None,
        deny: args::Deny::Never,
        server: STARTED.map(str::to_owned).to_vec(),
        session: Vec::new(),
    };
    let quiet = output.without_live();
    let answer = super::check::scene_check(scene, common, &asked, &quiet)?;
    Ok(answer.page)
}

const INTRODUCTION: &str = "\
This is a demo: a made-up home with every agent that Muster knows, and a project
`shop` with servers of its own. Nothing of yours was read.

$ muster

";

const BETWEEN: &str = "
$ muster why lint

";

const BEFORE_CHECK: &str = "
$ muster check --launch --server db --server scratch

";

/// What became of the folder, and where to go from here.
fn end(folder: TempDir, keep: bool, home: &Utf8Path) -> Result<String, CliError> {
    if keep {
        let _ = folder.keep();
        return Ok(format!(
            "\nThe made-up home stays in {home}\n  muster --home {home} --project {home}/{}\n",
            tree::PROJECT
        ));
    }
    folder.close().map_err(CliError::Demo)?;
    Ok("\nThe made-up folder is gone again (--keep leaves it). Now yours:\n  muster               in any folder\n".to_owned())
}

fn lay_down() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("muster-demo-").tempdir()?;
    let home = real_path(&folder)?;
    for (path, content) in tree::files() {
        let path = home.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, content.replace(tree::HOME, home.as_str()))?;
    }
    #[cfg(unix)]
    lay_down_runner(&home)?;
    Ok(folder)
}

/// The only program of the made-up home: an `npx` that fetches nothing and starts the demo's own server.
#[cfg(unix)]
fn lay_down_runner(home: &Utf8Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let muster = std::env::current_exe()?;
    let muster = muster.to_string_lossy().replace('\'', "'\\''");
    let runner = home.join("bin/npx");
    std::fs::create_dir_all(home.join("bin"))?;
    let server = crate::demo_server::DEMO_SERVER;
    let script = format!("#!/bin/sh\nexec '{muster}' {server} query describe_table\n");
    std::fs::write(&runner, script)?;
    std::fs::set_permissions(&runner, std::fs::Permissions::from_mode(0o755))
}

/// The folder as the harnesses see it: they compare real paths.
fn real_path(folder: &TempDir) -> io::Result<Utf8PathBuf> {
    let real = std::fs::canonicalize(folder.path())?;
    Utf8PathBuf::from_path_buf(real).map_err(|_| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            "the temporary folder's name is not UTF-8",
        )
    })
}
