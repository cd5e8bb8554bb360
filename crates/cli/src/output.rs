//! The only module that prints. Data goes to stdout, everything else to stderr; a closed pipe is no error.

use std::io::{self, IsTerminal, Write};
use std::panic::Location;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anstream::{AutoStream, ColorChoice};
use muster_document::Shown;
use muster_report::{Detail, Known, Look, Page, Progress};

use crate::args::{Color, Common};
use crate::error::CliError;
use crate::exit::Code;

/// The width where there is no terminal to ask.
const DEFAULT_WIDTH: usize = 80;

/// What every colour begins with.
const ESCAPE: char = '\x1b';

/// Lines of somebody else's text that a terminal is given.
const MOST_LINES: usize = 1_000;

/// Where answers go and what can be shown there.
#[derive(Clone)]
pub(crate) struct Output {
    file: Option<PathBuf>,
    choice: ColorChoice,
    look: Look,
    detail: Detail,
    /// Whether what is going on may be drawn.
    live: bool,
    /// What the run knows and does not print.
    known: Arc<Known>,
}

impl Output {
    /// What `common` asks for and the terminal offers.
    pub(crate) fn new(common: &Common) -> Output {
        let choice = colour(common);
        let look = Look {
            width: width(common),
            unicode: unicode(),
            colour: choice != ColorChoice::Never,
        };
        let detail = match (common.quiet, common.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        };
        Output {
            file: common.output.clone(),
            choice,
            look,
            detail,
            live: true,
            known: Arc::default(),
        }
    }

    /// What the reader's screen can do.
    pub(crate) fn look(&self) -> Look {
        self.look
    }

    /// The secrets of the run. Who uses servers teaches it; errors pass through it.
    pub(crate) fn known(&self) -> &Arc<Known> {
        &self.known
    }

    /// How much is said.
    pub(crate) fn detail(&self) -> Detail {
        self.detail
    }

    /// Writes `page` to where the answer was asked to go.
    pub(crate) fn write(&self, page: &Page) -> Result<(), CliError> {
        let written = match &self.file {
            Some(path) => std::fs::write(path, page.as_str()),
            None => to_stdout(page.as_str(), self.choice),
        };
        written.map_err(|source| self.unwritten(source))
    }

    /// Writes `bytes` as they are, to where the answer was asked to go. Never to a terminal.
    pub(crate) fn exact(&self, bytes: &[u8]) -> Result<(), CliError> {
        let written = match &self.file {
            Some(path) => std::fs::write(path, bytes),
            None => write(io::stdout().lock(), bytes),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|source| self.unwritten(source)),
        }
    }

    fn unwritten(&self, source: io::Error) -> CliError {
        CliError::Write {
            path: self
                .file
                .as_ref()
                .map(|path| Shown(&path.to_string_lossy()).to_string()),
            source,
        }
    }

    /// Whether the answer goes to a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.file.is_none() && io::stdout().is_terminal()
    }

    /// How many lines of somebody else's text are shown; `None` for all.
    pub(crate) fn most_lines(&self) -> Option<usize> {
        self.is_terminal().then_some(MOST_LINES)
    }

    /// Writes a line beside the answer.
    pub(crate) fn aside(&self, line: &Page) {
        to_stderr(&format!("{}\n", line.as_str()));
    }

    /// What can be shown beside the answer.
    pub(crate) fn aside_look(&self) -> Look {
        self.look
    }

    /// Draws a line beside the answer that is to be drawn anew, no longer than the screen.
    pub(crate) fn draw(&self, line: &Page) {
        let columns = terminal_size::terminal_size_of(io::stderr());
        let columns = columns.map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0));
        let mut line: String = line
            .as_str()
            .chars()
            .take(columns.saturating_sub(1))
            .collect();
        // Wide characters take two columns.
        while unicode_width(&line) >= columns {
            line.pop();
        }
        to_stderr(&format!("\r{line}\x1b[K"));
    }

    /// Takes a line back that was drawn.
    pub(crate) fn wipe(&self) {
        to_stderr("\r\x1b[K");
    }

    /// Whether somebody can be asked.
    pub(crate) fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Asks `question`, to which only a plain yes is one. `None` where nobody can be asked.
    pub(crate) fn ask(&self, question: &str) -> Option<bool> {
        if !self.can_ask() {
            return None;
        }
        to_stderr(&format!("{question} [y/N] "));
        let mut answer = String::new();
        // Whoever ends the input has not said yes.
        let _ = io::stdin().read_line(&mut answer);
        let answer = answer.trim().to_ascii_lowercase();
        Some(matches!(answer.as_str(), "y" | "yes"))
    }

    /// Says something beside the answer.
    pub(crate) fn tell(&self, page: &Page) {
        to_stderr(page.as_str());
    }

    /// The same, of which nothing is drawn beside the answer.
    pub(crate) fn without_live(&self) -> Output {
        Output {
            live: false,
            ..self.clone()
        }
    }

    /// A part of the screen that is drawn again and again; `None` where nobody watches.
    pub(crate) fn live(&self) -> Option<Live<'_>> {
        let watched = self.live && io::stderr().is_terminal() && self.detail != Detail::Quiet;
        watched.then_some(Live {
            output: self,
            kept: 0,
            drawn: 0,
        })
    }

    /// Says what went wrong and how to go on.
    pub(crate) fn failure(&self, error: &CliError) -> ExitCode {
        let strong = anstyle::AnsiColor::Red.on_default().bold();
        let said = |text: &str| self.known.said(text);
        let message = said(&error.to_string());
        let mut text = format!("{strong}error:{strong:#} {message}\n");
        let mut cause = std::error::Error::source(error);
        while let Some(source) = cause {
            text.push_str(&format!(
                "  because {}\n",
                said(&Shown(&source.to_string()).to_string())
            ));
            cause = source.source();
        }
        for hint in error.hints() {
            // What a server said is no advice.
            let label = if hint.starts_with("stderr ") {
                " "
            } else {
                "hint:"
            };
            text.push_str(&format!("{label} {}\n", said(&hint)));
        }
        to_stderr(&text);
        error.code().into()
    }
}

/// The lines at the end of the screen that say what is going on. Each change is written at once, so that nothing flickers, and taken away
/// before the answer is printed.
pub(crate) struct Live<'o> {
    output: &'o Output,
    /// Lines that stay until the end.
    kept: usize,
    /// Lines below them, which are drawn over.
    drawn: usize,
}

/// So many lines at most are drawn over: more may not be on the screen.
const ROWS: usize = 8;

impl Live<'_> {
    /// Puts `rows` above what is drawn.
    pub(crate) fn keep(&mut self, rows: &[Progress<'_>]) {
        let page = muster_report::progress(rows, self.look());
        to_stderr(&format!("{}{}", self.back(self.drawn), page.as_str()));
        self.kept += rows.len();
        self.drawn = 0;
    }

    /// Draws `rows` in place of what was drawn.
    pub(crate) fn draw(&mut self, rows: &[Progress<'_>]) {
        let rows = rows.get(..ROWS).unwrap_or(rows);
        let page = muster_report::progress(rows, self.look());
        to_stderr(&format!("{}{}", self.back(self.drawn), page.as_str()));
        self.drawn = rows.len();
    }

    /// Takes everything away where the answer goes to the same screen, else only what is drawn.
    pub(crate) fn clear(&mut self) {
        let here = self.output.file.is_none() && io::stdout().is_terminal();
        let fits = self.kept + self.drawn <= ROWS * 2;
        let lines = match here && fits {
            true => self.kept + self.drawn,
            false => self.drawn,
        };
        to_stderr(&self.back(lines));
        (self.kept, self.drawn) = (0, 0);
    }

    /// Goes back over `lines` lines and clears what is there.
    fn back(&self, lines: usize) -> String {
        match lines {
            0 => "\r\x1b[J".to_owned(),
            lines => format!("\r\x1b[{lines}A\x1b[J"),
        }
    }

    /// What the terminal of standard error can do.
    fn look(&self) -> Look {
        let width = terminal_size::terminal_size_of(io::stderr())
            .map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0));
        Look {
            width,
            colour: AutoStream::choice(&io::stderr()) != ColorChoice::Never,
            ..self.output.look
        }
    }
}

/// Where a server of ours speaks.
pub(crate) fn messages() -> impl Write {
    io::stdout().lock()
}

/// Prints what the argument parser answers: help and version are data, everything else is a refusal.
pub(crate) fn refusal(answer: &clap::Error) -> ExitCode {
    let text = answer.render();
    if answer.use_stderr() {
        to_stderr(&text.ansi().to_string());
        return Code::Usage.into();
    }
    match to_stdout(&text.ansi().to_string(), AutoStream::choice(&io::stdout())) {
        Ok(()) => Code::Fine.into(),
        Err(_) => Code::Usage.into(),
    }
}

/// Says that Muster itself is at fault, and where.
pub(crate) fn fault(at: Option<&Location<'_>>) {
    let place = at.map_or_else(
        || "an unknown place".to_owned(),
        |at| format!("{}:{}", at.file(), at.line()),
    );
    to_stderr(&format!(
        "muster {version} has a fault of its own at {place}. It is not your configuration's.\n\
         Please report this line at {repository}/issues\n",
        version = muster_report::VERSION,
        repository = env!("CARGO_PKG_REPOSITORY"),
    ));
}

fn to_stdout(text: &str, choice: ColorChoice) -> io::Result<()> {
    let stdout = io::stdout().lock();
    // `AutoStream` steps through every byte, which takes as long as making the answer did.
    let written = if text.contains(ESCAPE) {
        write(AutoStream::new(stdout, choice), text.as_bytes())
    } else {
        write(stdout, text.as_bytes())
    };
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn write(mut to: impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes)?;
    to.flush()
}

/// Whoever closed stderr does not want to hear it.
fn to_stderr(text: &str) {
    let mut stderr = AutoStream::auto(io::stderr().lock());
    let _ = stderr.write_all(text.as_bytes());
}

/// Whether what stands beside the answer is seen on a terminal.
pub(crate) fn is_terminal_aside() -> bool {
    io::stderr().is_terminal()
}

/// Whether somebody can be asked, and answer.
pub(crate) fn is_attended() -> bool {
    io::stdin().is_terminal() && is_terminal_aside()
}

/// The columns that `line` fills, at most.
fn unicode_width(line: &str) -> usize {
    line.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

fn colour(common: &Common) -> ColorChoice {
    match common.color {
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
        Color::Auto if common.output.is_some() => ColorChoice::Never,
        Color::Auto => AutoStream::choice(&io::stdout()),
    }
}

fn width(common: &Common) -> usize {
    if common.output.is_some() || !io::stdout().is_terminal() {
        return DEFAULT_WIDTH;
    }
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}

/// Whether the locale is a UTF-8 one. Windows consoles are, whatever these variables say.
fn unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    cfg!(windows)
        || locale.is_some_and(|locale| {
            locale
                .to_ascii_lowercase()
                .replace('-', "")
                .contains("utf8")
        })
}
