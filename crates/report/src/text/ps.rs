//! `muster ps` as text.

use muster_core::{Fate, RunningServer};

use super::canvas::{Canvas, Line, Tone};
use super::closing::hint;
use super::measure::{cut_end, cut_middle, width};
use crate::running::{Group, age, command, fates, groups, is_sure, memory, name, size};
use crate::standing::count;
use crate::{Detail, Look};

/// Names are cut to this.
const NAME: usize = 16;
/// Between two columns.
const GAP: usize = 2;

/// Everything that runs, a group for each agent, and what became of what was ended.
pub(crate) fn ps(
    servers: &[RunningServer],
    reaped: Option<&[(u32, Fate)]>,
    look: Look,
    detail: Detail,
) -> String {
    let mut canvas = Canvas::new(look);
    let groups = groups(servers, detail == Detail::Verbose);
    let columns = Columns::measure(&groups, look);
    for group in &groups {
        canvas.part();
        heading(&mut canvas, group);
        for server in &group.servers {
            canvas.line(columns.row(server, look, detail));
        }
    }
    canvas.part();
    if detail != Detail::Quiet {
        closing(&mut canvas, servers, reaped, detail);
    }
    canvas.finish()
}

fn heading(canvas: &mut Canvas, group: &Group<'_>) {
    let tone = if group.orphaned {
        Tone::Wrong
    } else {
        Tone::Strong
    };
    let left = Line::default().then(tone, &group.title);
    let total = memory(group.servers.iter().copied()).map(|bytes| format!(" · {}", size(bytes)));
    let servers = group
        .servers
        .iter()
        .filter(|server| is_sure(server))
        .count();
    let servers = count(servers, "server", "servers");
    let right = Line::default().then(Tone::Dim, format!("{servers}{}", total.unwrap_or_default()));
    canvas.line(left.right(right, canvas.look.width.min(80)));
}

struct Columns {
    pid: usize,
    name: usize,
    memory: usize,
    age: usize,
}

impl Columns {
    fn measure(groups: &[Group<'_>], look: Look) -> Columns {
        let servers = || groups.iter().flat_map(|group| &group.servers);
        let widest = |of: &dyn Fn(&RunningServer) -> String| {
            servers()
                .map(|server| width(&of(server)))
                .max()
                .unwrap_or(0)
        };
        Columns {
            pid: widest(&|server| server.process.pid.to_string()),
            name: widest(&|server| short(server, look)),
            memory: widest(&in_memory),
            age: widest(&for_time),
        }
    }

    fn row(&self, server: &RunningServer, look: Look, detail: Detail) -> Line {
        let (symbol, tone) = match (server.orphaned, is_sure(server)) {
            (true, _) => ("✗", Tone::Wrong),
            (_, true) => ("●", Tone::Loads),
            (_, false) => ("?", Tone::Unknown),
        };
        let pid = server.process.pid.to_string();
        let mut at = 4;
        let line = Line::indented(2)
            .then(tone, symbol)
            .to(at + self.pid - width(&pid));
        let line = line.then(tone, &pid);
        at += self.pid + GAP;
        let name = short(server, look);
        let mut line = line.to(at).then(Tone::Plain, name);
        if self.name > 0 {
            at += self.name + GAP;
        }
        for (text, column) in [
            (in_memory(server), self.memory),
            (for_time(server), self.age),
        ] {
            if column > 0 {
                line = line.to(at + column - width(&text)).then(Tone::Dim, text);
                at += column + GAP;
            }
        }
        let command = command(server);
        let command = match detail {
            Detail::Verbose => command,
            _ => cut_middle(&command, look.width.saturating_sub(at), look.ellipsis()).into_owned(),
        };
        line.to(at).then(Tone::Plain, command)
    }
}

fn short(server: &RunningServer, look: Look) -> String {
    cut_end(name(server), NAME, look.ellipsis()).into_owned()
}

fn in_memory(server: &RunningServer) -> String {
    server.memory.map(size).unwrap_or_default()
}

fn for_time(server: &RunningServer) -> String {
    server.process.age.map(age).unwrap_or_default()
}

fn closing(
    canvas: &mut Canvas,
    servers: &[RunningServer],
    reaped: Option<&[(u32, Fate)]>,
    detail: Detail,
) {
    let shown = servers.iter().filter(|server| is_sure(server)).count();
    let orphans = servers.iter().filter(|server| server.orphaned).count();
    let say = |canvas: &mut Canvas, text: String| {
        canvas.line(Line::default().then(Tone::Plain, text));
    };
    match (shown, orphans) {
        (0, _) => say(canvas, "No MCP server runs.".to_owned()),
        (_, 0) => say(
            canvas,
            format!(
                "{}, no orphans.",
                count(shown, "server runs", "servers run")
            ),
        ),
        _ => {
            let orphans = count(orphans, "of them an orphan", "of them orphans");
            say(
                canvas,
                format!("{}, {orphans}.", count(shown, "server runs", "servers run")),
            );
        }
    }
    if let Some(reaped) = reaped {
        say(canvas, fates(reaped));
    } else if orphans > 0 {
        hint(canvas, "muster ps --reap", "end the orphans, after asking");
    }
    let unsure = servers.len() - shown;
    if unsure > 0 && detail != Detail::Verbose {
        let others = count(unsure, "other process", "other processes");
        hint(
            canvas,
            "muster ps -v",
            &format!("{others} that agents started; nothing cut"),
        );
    }
}
