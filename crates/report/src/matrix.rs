//! Servers against harnesses: one row for each server, however many harnesses define it under however many names.

use std::collections::HashMap;

use muster_core::{Entry, Identity, Resolution, Server};

use crate::standing::Standing;
use crate::target::target;
use crate::{Detail, Survey};

/// Which server stands how in which harness.
#[derive(Debug)]
pub(crate) struct Matrix<'r> {
    /// The harnesses that define any server, in their order.
    pub(crate) columns: Vec<&'r Resolution>,
    /// Those that define none.
    pub(crate) others: Vec<&'r Resolution>,
    /// The servers, by their names.
    pub(crate) rows: Vec<Row<'r>>,
}

/// One server.
#[derive(Debug)]
pub(crate) struct Row<'r> {
    /// The names under which it goes, the first found first.
    pub(crate) names: Vec<&'r str>,
    /// What the first definition of it says.
    pub(crate) entry: &'r Entry,
    /// Its definitions in each harness of the columns.
    pub(crate) cells: Vec<Cell<'r>>,
    /// Another row has one of its names.
    pub(crate) shares_a_name: bool,
}

/// The definitions of one server in one harness, the highest first; none where it is not defined.
#[derive(Debug, Default)]
pub(crate) struct Cell<'r> {
    pub(crate) servers: Vec<&'r Server>,
}

/// What makes a row: what is started or reached, or the name alone where a definition says neither.
#[derive(PartialEq, Eq, Hash)]
enum Key<'r> {
    Same(Identity),
    Named(&'r str),
}

impl<'r> Matrix<'r> {
    /// The matrix of everything in `survey`.
    pub(crate) fn new(survey: &Survey<'r>) -> Matrix<'r> {
        let (columns, others): (Vec<&Resolution>, Vec<&Resolution>) = survey
            .resolutions
            .iter()
            .partition(|resolution| !resolution.servers.is_empty());
        let mut rows: Vec<Row<'r>> = Vec::new();
        let mut known: HashMap<Key<'r>, usize> = HashMap::new();
        for (column, resolution) in columns.iter().enumerate() {
            for server in &resolution.servers {
                let entry = &*server.definition.entry;
                let name = server.definition.name.as_str();
                let key = Identity::of(entry).map_or(Key::Named(name), Key::Same);
                let at = *known.entry(key).or_insert_with(|| {
                    rows.push(Row::new(entry, columns.len()));
                    rows.len() - 1
                });
                if let Some(row) = rows.get_mut(at) {
                    row.add(column, name, server);
                }
            }
        }
        tell_apart(&mut rows);
        rows.sort_by_cached_key(|row| {
            let name = row.names.first().copied().unwrap_or_default();
            (name.to_lowercase(), name, target(row.entry))
        });
        Matrix {
            columns,
            others,
            rows,
        }
    }

    /// How many of the rows that `detail` shows load in every harness of the columns, in some, in none.
    pub(crate) fn loading(&self, detail: Detail) -> [usize; 3] {
        let mut counts = [0; 3];
        let [all, some, none] = &mut counts;
        for row in self.rows.iter().filter(|row| row.shows(detail)) {
            match row.cells.iter().filter(|cell| cell.loads()).count() {
                0 => *none += 1,
                n if n == self.columns.len() => *all += 1,
                _ => *some += 1,
            }
        }
        counts
    }
}

/// Marks the rows that share a name with another.
fn tell_apart(rows: &mut [Row<'_>]) {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for name in rows.iter().flat_map(|row| &row.names) {
        *count.entry(name).or_default() += 1;
    }
    for row in rows {
        row.shares_a_name = row
            .names
            .iter()
            .any(|name| count.get(name).is_some_and(|rows| *rows > 1));
    }
}

impl<'r> Row<'r> {
    fn new(entry: &'r Entry, columns: usize) -> Row<'r> {
        Row {
            names: Vec::new(),
            entry,
            cells: (0..columns).map(|_| Cell::default()).collect(),
            shares_a_name: false,
        }
    }

    fn add(&mut self, column: usize, name: &'r str, server: &'r Server) {
        if !self.names.contains(&name) {
            self.names.push(name);
        }
        if let Some(cell) = self.cells.get_mut(column) {
            cell.servers.push(server);
        }
    }

    /// Whether it has a row: quietly only what some harness loads, and only verbosely what none of them ever reads.
    pub(crate) fn shows(&self, detail: Detail) -> bool {
        let unread = |cell: &Cell<'_>| {
            let mut servers = cell.servers.iter();
            servers.all(|server| Standing::of(server.status) == Standing::Unread)
        };
        match detail {
            Detail::Quiet => self.cells.iter().any(Cell::loads),
            Detail::Normal => !self.cells.iter().all(unread),
            Detail::Verbose => true,
        }
    }
}

impl<'r> Cell<'r> {
    /// The definition that matters most: one that loads, else the highest that no other one hides.
    pub(crate) fn best(&self) -> Option<&'r Server> {
        let first = |wanted: fn(Standing) -> bool| {
            let mut servers = self.servers.iter().copied();
            servers.find(|server| wanted(Standing::of(server.status)))
        };
        first(|standing| standing == Standing::Loads)
            .or_else(|| first(|standing| standing != Standing::Hidden))
            .or_else(|| first(|_| true))
    }

    /// Whether its harness loads the server.
    pub(crate) fn loads(&self) -> bool {
        self.best()
            .is_some_and(|server| server.status.loads() == Some(true))
    }
}

/// The symbol and the word for a cell. A loser has a symbol here: without one it would look as if it were not defined.
pub(crate) fn mark(standing: Standing) -> (&'static str, &'static str) {
    let word = match standing {
        Standing::Loads => "loads",
        Standing::Waits => "waits",
        Standing::Off => "off",
        Standing::Unread => "unread",
        Standing::Wrong => "wrong",
        Standing::Unknown => "unknown",
        Standing::Hidden => "loses",
    };
    match standing {
        Standing::Hidden => (Standing::Off.symbol(), word),
        other => (other.symbol(), word),
    }
}
