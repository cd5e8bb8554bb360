//! What a status means to the reader, and how many servers have it.

use muster_core::{FileReport, FileState, Resolution, Server, Status};

/// What a status means to the reader: twelve words of the contract in seven kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It loads.
    Loads,
    /// It waits for the user.
    Waits,
    /// Somebody wants it off.
    Off,
    /// It stands where nobody reads it.
    Unread,
    /// It is wrong.
    Wrong,
    /// It cannot be known.
    Unknown,
    /// Another definition stands for it.
    Hidden,
}

impl Standing {
    /// The kind of `status`.
    pub(crate) fn of(status: Status) -> Standing {
        match status {
            Status::Configured => Standing::Loads,
            Status::NeedsApproval | Status::Untrusted => Standing::Waits,
            Status::Off | Status::Rejected | Status::Blocked => Standing::Off,
            Status::Ignored => Standing::Unread,
            Status::Invalid | Status::Unsupported | Status::Broken => Standing::Wrong,
            Status::Unknown => Standing::Unknown,
            Status::Overridden => Standing::Hidden,
        }
    }

    /// The symbol before a row; a loser has none, so that the eye finds the winner.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Standing::Loads => "●",
            Standing::Waits => "◌",
            Standing::Off | Standing::Unread => "○",
            Standing::Wrong => "✗",
            Standing::Unknown => "?",
            Standing::Hidden => " ",
        }
    }
}

/// The verdict on `server` in a few words.
pub(crate) fn short(server: &Server) -> &str {
    match (&server.short, server.status) {
        (Some(short), _) => short,
        (None, Status::Configured) => "loads",
        (None, Status::NeedsApproval) => "needs your approval",
        (None, Status::Untrusted) => "folder not trusted",
        (None, status) => status.word(),
    }
}

/// How many servers stand how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) loads: usize,
    pub(crate) waits: usize,
    pub(crate) off: usize,
    pub(crate) unread: usize,
    pub(crate) wrong: usize,
    pub(crate) unknown: usize,
    /// Files that cost servers.
    pub(crate) broken_files: usize,
    /// Files of which nothing is known.
    pub(crate) unread_files: usize,
}

impl Tally {
    /// Counts one harness.
    pub(crate) fn of(resolution: &Resolution) -> Tally {
        let mut tally = Tally {
            broken_files: files(resolution, FileState::Broken).count(),
            unread_files: files(resolution, FileState::Unreadable).count(),
            ..Tally::default()
        };
        for server in &resolution.servers {
            match Standing::of(server.status) {
                Standing::Loads => tally.loads += 1,
                Standing::Waits => tally.waits += 1,
                Standing::Off => tally.off += 1,
                Standing::Unread => tally.unread += 1,
                Standing::Wrong => tally.wrong += 1,
                Standing::Unknown => tally.unknown += 1,
                Standing::Hidden => {}
            }
        }
        tally
    }

    /// Both together.
    pub(crate) fn plus(self, other: Tally) -> Tally {
        Tally {
            loads: self.loads + other.loads,
            waits: self.waits + other.waits,
            off: self.off + other.off,
            unread: self.unread + other.unread,
            wrong: self.wrong + other.wrong,
            unknown: self.unknown + other.unknown,
            broken_files: self.broken_files + other.broken_files,
            unread_files: self.unread_files + other.unread_files,
        }
    }

    /// `3 load · 1 waits · 1 off`.
    pub(crate) fn phrase(self) -> String {
        let mut parts = vec![if self.loads == 0 {
            "none load".to_owned()
        } else {
            count(self.loads, "loads", "load")
        }];
        let others = [
            (self.waits, "waits", "wait"),
            (self.off, "off", "off"),
            (self.wrong, "wrong", "wrong"),
            (self.unknown, "unknown", "unknown"),
            (self.unread, "never read", "never read"),
        ];
        parts.extend(
            others
                .into_iter()
                .filter(|(n, ..)| *n > 0)
                .map(|(n, one, many)| count(n, one, many)),
        );
        parts.extend(self.files());
        parts.join(" · ")
    }

    /// `1 file is wrong`, `2 files were skipped`.
    fn files(self) -> impl Iterator<Item = String> {
        let kinds = [
            (self.broken_files, "file is wrong", "files are wrong"),
            (self.unread_files, "file was skipped", "files were skipped"),
        ];
        kinds
            .into_iter()
            .filter(|(n, ..)| *n > 0)
            .map(|(n, one, many)| count(n, one, many))
    }
}

/// `3 servers load in 1 of 2 agents; 2 wait for you; 1 file is wrong.`
pub(crate) fn totals(resolutions: &[Resolution]) -> String {
    let tally = resolutions
        .iter()
        .map(Tally::of)
        .fold(Tally::default(), Tally::plus);
    let loading = resolutions
        .iter()
        .filter(|resolution| Tally::of(resolution).loads > 0)
        .count();
    let mut parts = vec![match (tally.loads, resolutions) {
        (0, _) => "No server loads".to_owned(),
        (n, [only]) => format!(
            "{} in {}",
            count(n, "server loads", "servers load"),
            only.name
        ),
        (n, _) => format!(
            "{} in {loading} of {} agents",
            count(n, "server loads", "servers load"),
            resolutions.len()
        ),
    }];
    if tally.waits > 0 {
        parts.push(count(tally.waits, "waits for you", "wait for you"));
    }
    if tally.wrong > 0 {
        parts.push(count(tally.wrong, "is wrong", "are wrong"));
    }
    parts.extend(tally.files());
    format!("{}.", parts.join("; "))
}

/// Files that cost something: those that the harness could not use, and those that could not be read.
pub(crate) fn faulty_files(resolution: &Resolution) -> impl Iterator<Item = &FileReport> {
    [FileState::Broken, FileState::Unreadable]
        .into_iter()
        .flat_map(|state| files(resolution, state))
}

/// What is the matter with a file that costs something.
pub(crate) fn fault(file: &FileReport) -> String {
    match (&file.note, file.state) {
        // "cannot be read: …" says it already, "is a named pipe" does not.
        (Some(note), FileState::Unreadable) if !note.starts_with("cannot be read") => {
            format!("{note}: not read")
        }
        (Some(note), _) => note.clone(),
        (None, _) => "cannot be used".to_owned(),
    }
}

fn files(resolution: &Resolution, state: FileState) -> impl Iterator<Item = &FileReport> {
    let in_state = move |file: &&FileReport| file.state == state;
    resolution.files.iter().filter(in_state)
}

/// Whether there is anything to say about this harness beyond that nothing is configured.
pub(crate) fn has_something(resolution: &Resolution) -> bool {
    !resolution.servers.is_empty()
        || resolution.stopped.is_some()
        || faulty_files(resolution).next().is_some()
}

/// `1 waits`, `2 wait`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
