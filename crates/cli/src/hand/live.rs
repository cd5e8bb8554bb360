//! What is told while a server works: how far it is, its log, its standard error.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use muster_client::{Event, Happening, Listener, Oddity};
use muster_report::Known;

use crate::output::Output;

/// How often a line that tells of progress is drawn anew.
const REDRAWN: Duration = Duration::from_millis(100);
/// Lines of a server's own words that are told at most.
const LINES: usize = 2_000;

/// Tells on stderr what happens.
pub(crate) struct Live {
    aside: Arc<Aside>,
    known: Arc<Known>,
    verbose: bool,
    state: Mutex<State>,
}

struct State {
    drawn: Option<Instant>,
    lines: usize,
    too_long: Option<u64>,
    /// Lines that wait until it is known what may not be printed; `None` once it is.
    held: Option<Vec<String>>,
}

/// What stands beside the answer: lines, and one that is drawn anew where there is a terminal. While the user is asked something,
/// nothing is drawn.
pub(crate) struct Aside {
    output: Output,
    terminal: bool,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    drawn: bool,
    asking: bool,
}

impl Aside {
    pub(crate) fn new(output: &Output) -> Arc<Aside> {
        Arc::new(Aside {
            output: output.clone(),
            terminal: crate::output::is_terminal_aside(),
            held: Mutex::default(),
        })
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a line.
    pub(crate) fn tell(&self, line: &str, known: &Known) {
        let mut held = self.held();
        self.wipe(&mut held);
        self.output.aside(&muster_report::remark(
            line,
            known,
            self.output.aside_look(),
        ));
    }

    /// Draws the line that says how far it is.
    fn draw(&self, line: &str, known: &Known) {
        let mut held = self.held();
        if self.terminal && !held.asking {
            held.drawn = true;
            let line = muster_report::remark(line, known, self.output.aside_look());
            self.output.draw(&line);
        }
    }

    /// Takes back the line that says how far it is.
    pub(crate) fn clear(&self) {
        self.wipe(&mut self.held());
    }

    /// Whether the user is being asked.
    pub(crate) fn asks(&self, asking: bool) {
        let mut held = self.held();
        self.wipe(&mut held);
        held.asking = asking;
    }

    fn wipe(&self, held: &mut Held) {
        if std::mem::take(&mut held.drawn) {
            self.output.wipe();
        }
    }
}

impl Live {
    pub(crate) fn new(aside: &Arc<Aside>, known: &Arc<Known>, verbose: bool) -> Arc<Live> {
        Arc::new(Live {
            aside: aside.clone(),
            known: known.clone(),
            verbose,
            state: Mutex::new(State {
                drawn: None,
                lines: 0,
                too_long: None,
                held: Some(Vec::new()),
            }),
        })
    }

    /// From now on it is known what the server was given: what it said so far is told, and all that it says.
    pub(crate) fn release(&self) {
        let held = self.state().held.take();
        let held = held.into_iter().flatten();
        held.for_each(|line| self.aside.tell(&line, &self.known));
    }

    /// The bytes of a message that was longer than is taken, if there was one.
    pub(crate) fn too_long(&self) -> Option<u64> {
        self.state().too_long
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a line of the server's own, unless there were too many.
    fn says(&self, line: &str) {
        let mut state = self.state();
        if state.lines > LINES {
            return;
        }
        state.lines += 1;
        if state.lines > LINES {
            self.aside
                .tell("… the server says more than is told", &self.known);
        } else {
            self.aside.tell(line, &self.known);
        }
    }

    fn progress(&self, server: &str, after: Duration, share: &str, message: Option<&str>) {
        let mut state = self.state();
        // It may be told more often than anybody can read.
        if state.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAWN) {
            return;
        }
        state.drawn = Some(Instant::now());
        let message = message.map_or_else(String::new, |message| format!("  {message}"));
        let line = format!("… {server}  {share}  {:.0} s{message}", after.as_secs_f64());
        self.aside.draw(&line, &self.known);
    }
}

impl Listener for Live {
    fn hear(&self, event: Event) {
        let server = &event.server;
        match event.happening {
            Happening::Progress {
                progress,
                total,
                message,
            } => {
                let share = match total {
                    Some(total) if total > 0.0 => {
                        format!("{:.0} %", (progress / total * 100.0).clamp(0.0, 100.0))
                    }
                    _ => format!("step {progress}"),
                };
                self.progress(server, event.after, &share, message.as_deref());
            }
            Happening::Warned(Oddity::TooLong { bytes }) => {
                self.state().too_long = Some(bytes);
            }
            Happening::Log {
                level,
                logger,
                data,
            } if self.verbose => {
                let data = match data {
                    serde_json::Value::String(text) => text,
                    other => other.to_string(),
                };
                let logger = logger.map_or_else(String::new, |logger| format!("{logger}: "));
                self.says(&format!("{server}  {level}  {logger}{data}"));
            }
            Happening::Stderr(line) if self.verbose => {
                self.says(&format!("{server}  stderr  {}", line.trim_end()));
            }
            Happening::Noise(line) if self.verbose => {
                self.says(&format!("{server}  stdout  {}", line.trim_end()));
            }
            _ => {}
        }
    }
}
