//! The disk, tried with what really lies on disks.

use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;

use super::*;

/// A folder that goes away with the value.
struct Scratch {
    _guard: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let guard = tempfile::tempdir().expect("a temporary folder");
        let root = Utf8Path::from_path(guard.path())
            .expect("a UTF-8 path")
            .canonicalize_utf8()
            .expect("it is there");
        Scratch {
            _guard: guard,
            root,
        }
    }

    fn file(&self, name: &str, content: &[u8]) -> Utf8PathBuf {
        let path = self.root.join(name);
        fs::write(&path, content).expect("a file");
        path
    }

    fn fifo(&self, name: &str) -> Utf8PathBuf {
        let path = self.root.join(name);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path.as_std_path(),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from(0o600),
            0,
        )
        .expect("a named pipe");
        path
    }

    fn link(&self, target: &str, name: &str) -> Utf8PathBuf {
        let path = self.root.join(name);
        symlink(target, &path).expect("a link");
        path
    }
}

fn read(path: &Utf8Path) -> Result<Vec<u8>, FileFault> {
    Disk.read(path, 100)
}

#[test]
fn reads_a_regular_file_up_to_the_limit() {
    let scratch = Scratch::new();
    let file = scratch.file("a", b"12345");
    assert_eq!(Disk.read(&file, 5), Ok(b"12345".to_vec()));
    assert_eq!(Disk.read(&file, 4), Err(FileFault::TooLarge { limit: 4 }));
    assert_eq!(Disk.read(&file, u64::MAX), Ok(b"12345".to_vec()));
    assert_eq!(
        Disk.metadata(&file).map(|found| (found.kind, found.size)),
        Ok((FileKind::File, 5))
    );
}

#[test]
fn what_is_not_there_is_absent() {
    let scratch = Scratch::new();
    scratch.file("file", b"");
    let dangling = scratch.link("nowhere", "dangling");
    for path in [
        scratch.root.join("no"),
        scratch.root.join("file/below"),
        dangling,
    ] {
        assert_eq!(read(&path), Err(FileFault::Absent), "{path}");
        assert_eq!(Disk.metadata(&path), Err(FileFault::Absent), "{path}");
        assert_eq!(Disk.list(&path), Err(FileFault::Absent), "{path}");
        assert_eq!(Disk.real_path(&path), None, "{path}");
    }
}

#[test]
fn never_waits_at_a_named_pipe() {
    let scratch = Scratch::new();
    let fifo = scratch.fifo("pipe");
    let linked = scratch.link("pipe", "linked");
    for path in [fifo, linked] {
        assert_eq!(read(&path), Err(FileFault::WrongKind(FileKind::Fifo)));
        assert_eq!(
            Disk.metadata(&path).map(|found| found.kind),
            Ok(FileKind::Fifo)
        );
        assert_eq!(Disk.list(&path), Err(FileFault::WrongKind(FileKind::Fifo)));
    }
}

#[test]
fn devices_folders_and_sockets_are_told_by_their_kind() {
    let scratch = Scratch::new();
    let null = scratch.link("/dev/null", "null");
    let zero = scratch.link("/dev/zero", "zero");
    let socket = scratch.root.join("socket");
    let _listener = UnixListener::bind(&socket).expect("a socket");
    assert!(fs::metadata(&socket).is_ok_and(|found| found.file_type().is_socket()));
    assert_eq!(read(&null), Err(FileFault::WrongKind(FileKind::Device)));
    assert_eq!(read(&zero), Err(FileFault::WrongKind(FileKind::Device)));
    assert_eq!(
        read(&scratch.root),
        Err(FileFault::WrongKind(FileKind::Folder))
    );
    assert_eq!(read(&socket), Err(FileFault::WrongKind(FileKind::Other)));
}

#[test]
fn a_huge_sparse_file_is_refused_unread() {
    let scratch = Scratch::new();
    let path = scratch.root.join("sparse");
    fs::File::create(&path)
        .and_then(|file| file.set_len(1 << 40))
        .expect("a sparse file");
    assert_eq!(
        Disk.read(&path, 64 * 1024 * 1024),
        Err(FileFault::TooLarge {
            limit: 64 * 1024 * 1024
        })
    );
}

#[test]
fn the_limit_holds_when_a_file_grows_while_it_is_read() {
    // The size on record says 2; the reader keeps giving.
    let mut endless = io::repeat(b'x');
    assert_eq!(
        read_bounded(&mut endless, 2, 10),
        Err(FileFault::TooLarge { limit: 10 })
    );
    assert_eq!(
        read_bounded(&mut io::repeat(b'x').take(10), 2, 10).map(|bytes| bytes.len()),
        Ok(10)
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_claims_to_be_empty_is_still_read() {
    let path = Utf8Path::new("/proc/self/status");
    assert_eq!(Disk.metadata(path).map(|found| found.size), Ok(0));
    assert!(
        Disk.read(path, 1 << 20)
            .is_ok_and(|bytes| bytes.starts_with(b"Name:"))
    );
    assert_eq!(Disk.read(path, 10), Err(FileFault::TooLarge { limit: 10 }));
}

#[test]
fn a_link_loop_is_refused() {
    let scratch = Scratch::new();
    let a = scratch.link("b", "a");
    scratch.link("a", "b");
    assert!(matches!(read(&a), Err(FileFault::Refused(_))));
    assert!(matches!(Disk.metadata(&a), Err(FileFault::Refused(_))));
    assert_eq!(Disk.real_path(&a), None);
    assert_eq!(Disk.link_target(&a).as_deref(), Some(Utf8Path::new("b")));
}

#[test]
fn what_may_not_be_read_says_so() {
    if rustix::process::geteuid().is_root() {
        return; // root may read everything
    }
    let scratch = Scratch::new();
    let file = scratch.file("secret", b"x");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).expect("chmod");
    assert_eq!(
        read(&file),
        Err(FileFault::Refused("permission denied".to_owned()))
    );
}

#[test]
fn mode_and_owner_are_known() {
    let scratch = Scratch::new();
    let file = scratch.file("a", b"");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("chmod");
    let found = Disk.metadata(&file).expect("it is there");
    assert_eq!(
        (found.mode, found.owner),
        (Some(0o640), Some(rustix::process::geteuid().as_raw()))
    );
}

#[test]
fn lists_sorted_without_names_that_are_not_text() {
    use std::os::unix::ffi::OsStrExt as _;

    let scratch = Scratch::new();
    for name in ["b", "a", ".hidden"] {
        scratch.file(name, b"");
    }
    // Some file systems refuse such a name: then there is nothing to leave out.
    let _ = fs::write(
        scratch
            .root
            .as_std_path()
            .join(std::ffi::OsStr::from_bytes(b"\xff")),
        b"",
    );
    assert_eq!(
        Disk.list(&scratch.root),
        Ok(vec![".hidden".to_owned(), "a".to_owned(), "b".to_owned()])
    );
    assert_eq!(
        Disk.list(&scratch.root.join("a")),
        Err(FileFault::WrongKind(FileKind::File))
    );
}

#[test]
fn a_folder_beyond_the_bound_is_refused_not_cut_short() {
    let scratch = Scratch::new();
    for name in ["a", "b", "c"] {
        scratch.file(name, b"");
    }
    assert_eq!(
        list_bounded(&scratch.root, 3).map(|names| names.len()),
        Ok(3)
    );
    assert!(matches!(
        list_bounded(&scratch.root, 2),
        Err(FileFault::Refused(_))
    ));
}

#[test]
fn links_are_followed_and_can_be_asked_for() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.root.join("folder")).expect("a folder");
    let file = scratch.file("folder/file", b"x");
    let link = scratch.link("folder", "link");
    assert_eq!(read(&link.join("file")), Ok(b"x".to_vec()));
    assert_eq!(Disk.real_path(&link.join("file")), Some(file.clone()));
    assert_eq!(
        Disk.link_target(&link).as_deref(),
        Some(Utf8Path::new("folder"))
    );
    assert_eq!(Disk.link_target(&file), None);
    assert_eq!(Disk.link_target(&scratch.root.join("no")), None);
}
