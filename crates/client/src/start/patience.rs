//! How long a server is silent. What passes while somebody refreshes a token, or signs in, is none of its silence.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use muster_document::Secret;
use tokio::time::{Instant, sleep_until};

use crate::BoxFuture;
use crate::http::{Authorizer, Challenge, Remote, Verdict};

/// Watches the work on the right to call a server.
#[derive(Debug, Clone, Default)]
pub(super) struct Patience(Arc<Mutex<Work>>);

#[derive(Debug, Default)]
struct Work {
    /// How many work on it now.
    hands: usize,
    /// When the last of them was done.
    done: Option<Instant>,
}

impl Patience {
    /// `remote`, with its authorizer watched.
    pub(super) fn watching(&self, remote: &Remote) -> Remote {
        let mut remote = remote.clone();
        remote.authorizer = remote.authorizer.map(|inner| {
            Arc::new(Watched {
                inner,
                patience: self.clone(),
            }) as Arc<dyn Authorizer>
        });
        remote
    }

    /// Returns once the server has been silent for `limit`.
    pub(super) async fn is_over(&self, limit: Duration) {
        let mut since = Instant::now();
        loop {
            sleep_until(since + limit).await;
            let (hands, done) = {
                let work = self.work();
                (work.hands, work.done)
            };
            match done {
                _ if hands > 0 => since = Instant::now(),
                Some(done) if done > since => since = done,
                _ => return,
            }
        }
    }

    fn work(&self) -> std::sync::MutexGuard<'_, Work> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody at work; done when dropped, also where the work is given up.
struct Hand(Patience);

impl Hand {
    fn lend(patience: &Patience) -> Hand {
        patience.work().hands += 1;
        Hand(patience.clone())
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        let mut work = self.0.work();
        work.hands -= 1;
        work.done = Some(Instant::now());
    }
}

#[derive(Debug)]
struct Watched {
    inner: Arc<dyn Authorizer>,
    patience: Patience,
}

impl Authorizer for Watched {
    fn authorization(&self) -> BoxFuture<'_, Option<Secret>> {
        Box::pin(async move {
            let _hand = Hand::lend(&self.patience);
            self.inner.authorization().await
        })
    }

    fn refused<'a>(&'a self, challenge: &'a Challenge) -> BoxFuture<'a, Verdict> {
        Box::pin(async move {
            let _hand = Hand::lend(&self.patience);
            self.inner.refused(challenge).await
        })
    }
}
