//! Servers that run, in words.

use std::time::Duration;

use muster_core::{Fate, KnownBy, RunningServer};
use muster_document::Masked;

/// The servers of one agent, or the orphans.
pub(crate) struct Group<'s> {
    /// Whose they are.
    pub(crate) title: String,
    /// Nobody's.
    pub(crate) orphaned: bool,
    /// They.
    pub(crate) servers: Vec<&'s RunningServer>,
}

/// `servers` by whose they are, those left away that may be anything, unless `everything` is asked for.
pub(crate) fn groups(servers: &[RunningServer], everything: bool) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let shown = |server: &&RunningServer| everything || is_sure(server);
    for server in servers.iter().filter(shown) {
        let title = match &server.agent {
            Some(agent) => format!("{} · process {}", agent.name, agent.pid),
            None => "Orphans · whoever started them is gone".to_owned(),
        };
        match groups.last_mut().filter(|group| group.title == title) {
            Some(group) => group.servers.push(server),
            None => groups.push(Group {
                title,
                orphaned: server.orphaned,
                servers: vec![server],
            }),
        }
    }
    groups
}

/// Whether more is known of `server` than that an agent started it.
pub(crate) fn is_sure(server: &RunningServer) -> bool {
    server.known_by != KnownBy::Parent
}

/// What `server` is called where it is defined, or nothing.
pub(crate) fn name(server: &RunningServer) -> &str {
    server.definitions.first().map_or("", |(_, name)| name)
}

/// Its masked command on one line.
pub(crate) fn command(server: &RunningServer) -> String {
    let words = Masked::command_line(&server.process.argv);
    let words: Vec<String> = words.into_iter().map(String::from).collect();
    words.join(" ")
}

/// The memory of `servers` together.
pub(crate) fn memory<'s>(servers: impl IntoIterator<Item = &'s RunningServer>) -> Option<u64> {
    let memory = servers.into_iter().filter_map(|server| server.memory);
    memory.reduce(|sum, memory| sum + memory)
}

/// Bytes as people say them.
pub(crate) fn size(bytes: u64) -> String {
    const MEGABYTE: u64 = 1024 * 1024;
    match bytes {
        0..MEGABYTE => format!("{} KB", bytes.div_ceil(1024)),
        _ if bytes < 1024 * MEGABYTE => format!("{} MB", (bytes + MEGABYTE / 2) / MEGABYTE),
        _ => {
            let tenths = bytes * 10 / (1024 * MEGABYTE);
            format!("{}.{} GB", tenths / 10, tenths % 10)
        }
    }
}

/// A time as people say it, in its two greatest units.
pub(crate) fn age(age: Duration) -> String {
    let seconds = age.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match () {
        () if days > 0 => format!("{days} d {} h", hours % 24),
        () if hours > 0 => format!("{hours} h {} min", minutes % 60),
        () if minutes > 0 => format!("{minutes} min"),
        () => format!("{seconds} s"),
    }
}

/// What became of processes, in one sentence.
pub(crate) fn fates(reaped: &[(u32, Fate)]) -> String {
    let count = |wanted: Fate| {
        reaped
            .iter()
            .filter(|(_, outcome)| *outcome == wanted)
            .count()
    };
    let parts = [
        (count(Fate::Terminated), "ended"),
        (count(Fate::Killed), "had to be killed"),
        (count(Fate::Gone), "had ended already"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let left: Vec<String> = reaped
        .iter()
        .filter(|(_, outcome)| *outcome == Fate::Left)
        .map(|(pid, _)| pid.to_string())
        .collect();
    let left = (!left.is_empty()).then(|| format!("still running: {}", left.join(", ")));
    let parts: Vec<String> = parts.into_iter().chain(left).collect();
    match parts.is_empty() {
        true => "No orphan to end.".to_owned(),
        false => format!("Processes: {}.", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_said_as_people_do() {
        assert_eq!(size(1), "1 KB");
        assert_eq!(size(180 << 20), "180 MB");
        assert_eq!(size(5 << 29), "2.5 GB");
        assert_eq!(age(Duration::from_secs(59)), "59 s");
        assert_eq!(age(Duration::from_secs(3599)), "59 min");
        assert_eq!(age(Duration::from_secs(4320)), "1 h 12 min");
        assert_eq!(age(Duration::from_secs(277_200)), "3 d 5 h");
    }

    #[test]
    fn what_became_of_processes_is_one_sentence() {
        assert_eq!(fates(&[]), "No orphan to end.");
        let reaped = [
            (1, Fate::Terminated),
            (2, Fate::Terminated),
            (3, Fate::Killed),
            (4, Fate::Left),
            (5, Fate::Gone),
        ];
        assert_eq!(
            fates(&reaped),
            "Processes: 2 ended, 1 had to be killed, 1 had ended already, still running: 4."
        );
    }
}
