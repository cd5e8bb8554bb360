//! What is shown while servers start: only where somebody watches.

use std::time::{Duration, Instant};

use muster_core::{Candidate, Launched};
use muster_report::Progress as Row;

use crate::output::{Live, Output};

/// What is shown while servers start.
pub(super) struct Progress<'o, 'c> {
    live: Option<Live<'o>>,
    names: Vec<&'c str>,
    begun: Instant,
    limit: Duration,
}

impl<'o, 'c> Progress<'o, 'c> {
    /// Of `candidates`, each of which has `limit`.
    pub(super) fn new(
        candidates: &'c [Candidate<'_>],
        limit: Duration,
        output: &'o Output,
    ) -> Progress<'o, 'c> {
        Progress {
            live: output.live(),
            names: candidates.iter().map(|candidate| candidate.name).collect(),
            begun: Instant::now(),
            limit,
        }
    }

    /// One is done: it gets a line that stays.
    pub(super) fn done(&mut self, at: usize, launched: &Launched) {
        if let (Some(live), Some(name)) = (&mut self.live, self.names.get(at)) {
            let row = Row {
                name,
                state: Some(launched),
                since: launched.took,
                limit: self.limit,
            };
            live.keep(&[row]);
        }
    }

    /// Draws those that still start.
    pub(super) fn draw(&mut self, launched: &[Option<Launched>]) {
        let Some(live) = &mut self.live else { return };
        let since = self.begun.elapsed();
        let names = self.names.iter().zip(launched);
        let rows: Vec<Row<'_>> = names
            .filter(|(_, launched)| launched.is_none())
            .map(|(name, _)| Row {
                name,
                state: None,
                since,
                limit: self.limit,
            })
            .collect();
        live.draw(&rows);
    }

    /// Takes everything away: the answer says it all.
    pub(super) fn clear(&mut self) {
        if let Some(live) = &mut self.live {
            live.clear();
        }
    }
}
