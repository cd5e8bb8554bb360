//! The signals that ask Muster to end.

use std::future::Future;
use std::io;

use tokio::sync::watch;

/// Hears Ctrl-C, SIGTERM and SIGHUP from the moment it is made: none of them ends Muster by itself any more. Whoever hears the first ends
/// its servers and then Muster; those that follow change nothing, since everything that is being done is bounded in time.
#[derive(Debug, Clone)]
pub struct Interrupts(watch::Receiver<bool>);

impl Interrupts {
    /// Hears them from now on. What Muster was started to ignore (`nohup`) stays ignored.
    ///
    /// # Errors
    /// The system has no room for another listener.
    pub fn listen() -> io::Result<Interrupts> {
        let first = first()?;
        let (tell, told) = watch::channel(false);
        tokio::spawn(async move {
            first.await;
            tell.send_replace(true);
        });
        Ok(Interrupts(told))
    }

    /// Waits for the first of them; at once where it has come. Any number may wait, and stop waiting.
    pub async fn interrupted(&self) {
        let mut told = self.0.clone();
        if told.wait_for(|came| *came).await.is_err() {
            // The runtime ends, and with it whoever waits.
            std::future::pending().await
        }
    }

    /// Whether one has come.
    pub fn came(&self) -> bool {
        *self.0.borrow()
    }
}

#[cfg(unix)]
fn first() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    let ignored = ignored();
    let of = |kind: SignalKind| -> io::Result<Option<Signal>> {
        match ignored & (1 << (kind.as_raw_value() - 1)) {
            0 => signal(kind).map(Some),
            _ => Ok(None),
        }
    };
    async fn next(mut signal: Option<Signal>) {
        match &mut signal {
            Some(signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
    }
    let interrupt = next(of(SignalKind::interrupt())?);
    let terminate = next(of(SignalKind::terminate())?);
    let hangup = next(of(SignalKind::hangup())?);
    Ok(async move {
        tokio::select! {
            () = interrupt => {}
            () = terminate => {}
            () = hangup => {}
        }
    })
}

#[cfg(windows)]
fn first() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    let mut close = tokio::signal::windows::ctrl_close()?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = close.recv() => {}
        }
    })
}

/// The set of signals that this process was started to ignore, where the system tells.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok())
        .unwrap_or(0)
}
