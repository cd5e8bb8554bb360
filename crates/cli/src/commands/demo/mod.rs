//! `muster demo`: a made-up home and project, so that somebody without any agent sees what Muster shows.

mod fence;
mod tree;

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::Files;
use muster_report::{Format, Page};
use tempfile::TempDir;

use crate::args::Common;
use crate::error::CliError;
use crate::output::Output;
use crate::world::Scene;

/// The server whose story the demo tells.
const STORY: &str = "lint";

/// Lays the demo down, shows the list and one story; for programs, the list alone.
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
    Ok(Page::own(INTRODUCTION)
        .then(&list)
        .then(&Page::own(BETWEEN))
        .then(&why))
}

const INTRODUCTION: &str = "\
This is a demo: a made-up home with every agent that Muster knows, and a project
`shop` with servers of its own. Nothing of yours was read; nothing was started.

$ muster

";

const BETWEEN: &str = "
$ muster why lint

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
    Ok(folder)
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
