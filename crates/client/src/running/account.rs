//! What a server did, kept while it is told on.

use std::sync::{Arc, Mutex, PoisonError};

use muster_core::{Noise, Oddity};

use crate::{Event, Happening, Listener};

/// So many oddities of one server are kept: the rest says nothing new.
const KEPT: usize = 200;

/// Hears of one server, keeps account, and passes everything on.
pub(super) struct Account {
    next: Arc<dyn Listener>,
    kept: Mutex<Kept>,
}

/// What was kept.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    pub(super) noise: Noise,
    pub(super) oddities: Vec<Oddity>,
}

impl Account {
    pub(super) fn before(next: Arc<dyn Listener>) -> Arc<Account> {
        Arc::new(Account {
            next,
            kept: Mutex::default(),
        })
    }

    /// What is known so far.
    pub(super) fn kept(&self) -> Kept {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone()
    }
}

impl Listener for Account {
    fn hear(&self, event: Event) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        match &event.happening {
            Happening::Noise(line) => {
                kept.noise.lines += 1;
                if kept.noise.first.is_none() {
                    kept.noise.first = Some(line.clone());
                }
            }
            // One that comes again says nothing new.
            Happening::Warned(oddity)
                if kept.oddities.len() < KEPT && !kept.oddities.contains(oddity) =>
            {
                kept.oddities.push(oddity.clone());
            }
            _ => {}
        }
        drop(kept);
        self.next.hear(event);
    }
}
