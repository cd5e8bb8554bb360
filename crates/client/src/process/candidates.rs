//! Which file a command names on Windows, where endings may be left away.

/// The endings of programs where `PATHEXT` does not say.
const USUAL: &str = ".COM;.EXE;.BAT;.CMD";

/// The files that `command` may name for a process in `cwd`, in the order in which they are tried: as it stands if it has an ending, then
/// with each ending of `endings` (the value of `PATHEXT`), in `cwd` and in each folder of `path` (the value of `PATH`). Scripts for
/// `cmd.exe` are found so too; the standard library starts those through it and quotes their arguments for it.
pub(super) fn candidates(
    command: &str,
    cwd: &str,
    path: Option<&str>,
    endings: Option<&str>,
) -> Vec<String> {
    let endings = endings
        .filter(|endings| !endings.is_empty())
        .unwrap_or(USUAL);
    let endings: Vec<&str> = endings
        .split(';')
        .filter(|ending| !ending.is_empty())
        .collect();
    let named = |base: String| {
        let file = base.rsplit(['/', '\\']).next().unwrap_or_default();
        let as_it_stands = file.contains('.').then(|| base.clone());
        let ended = endings.iter().map(|ending| format!("{base}{ending}"));
        as_it_stands
            .into_iter()
            .chain(ended)
            .collect::<Vec<String>>()
    };
    if command.contains(['/', '\\', ':']) {
        return named(join(cwd, command));
    }
    let path = path.unwrap_or_default().split(';');
    let folders = path
        .map(|folder| folder.trim_matches('"'))
        .filter(|folder| !folder.is_empty());
    std::iter::once(cwd.to_owned())
        .chain(folders.map(|folder| join(cwd, folder)))
        .flat_map(|folder| named(join(&folder, command)))
        .collect()
}

/// `path`, from `folder` on unless it is absolute or names a drive.
fn join(folder: &str, path: &str) -> String {
    let drive = path.as_bytes().get(1) == Some(&b':');
    if drive || path.starts_with(['/', '\\']) {
        return path.to_owned();
    }
    format!("{}\\{path}", folder.trim_end_matches(['/', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_tried_in_each_folder() {
        let path = Some(r#""C:\Program Files\nodejs\";;tools"#);
        assert_eq!(
            candidates("npx", r"C:\shop", path, Some(".EXE;.CMD")),
            [
                r"C:\shop\npx.EXE",
                r"C:\shop\npx.CMD",
                r"C:\Program Files\nodejs\npx.EXE",
                r"C:\Program Files\nodejs\npx.CMD",
                r"C:\shop\tools\npx.EXE",
                r"C:\shop\tools\npx.CMD",
            ]
        );
        assert_eq!(
            candidates("db.exe", r"C:\", None, Some(".EXE")),
            [r"C:\db.exe", r"C:\db.exe.EXE"]
        );
        assert_eq!(candidates("db", r"C:\", None, Some("")).len(), 4);
    }

    #[test]
    fn a_command_with_a_folder_is_looked_for_there_alone() {
        let found = |command| candidates(command, r"C:\shop", Some(r"C:\bin"), Some(".CMD"));
        assert_eq!(found(r".\run"), [r"C:\shop\.\run.CMD"]);
        assert_eq!(
            found("bin/run.py"),
            [r"C:\shop\bin/run.py", r"C:\shop\bin/run.py.CMD"]
        );
        assert_eq!(found(r"D:\x\run"), [r"D:\x\run.CMD"]);
        assert_eq!(found(r"\run"), [r"\run.CMD"]);
    }
}
