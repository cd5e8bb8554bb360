//! The only module that prints. Data goes to stdout, everything else to stderr; a closed pipe is no error.

use std::io::{self, IsTerminal, Write};
use std::panic::Location;
use std::path::PathBuf;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use muster_document::Shown;
use muster_report::{Detail, Look, Page};

use crate::args::{Color, Common};
use crate::error::CliError;
use crate::exit::Code;

/// The width where there is no terminal to ask.
const DEFAULT_WIDTH: usize = 80;

/// What every colour begins with.
const ESCAPE: char = '\x1b';

/// Where answers go and what can be shown there.
pub(crate) struct Output {
    file: Option<PathBuf>,
    choice: ColorChoice,
    look: Look,
    detail: Detail,
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
        }
    }

    /// What the reader's screen can do.
    pub(crate) fn look(&self) -> Look {
        self.look
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
        written.map_err(|source| CliError::Write {
            path: self
                .file
                .as_ref()
                .map(|path| Shown(&path.to_string_lossy()).to_string()),
            source,
        })
    }

    /// Says what went wrong and how to go on.
    pub(crate) fn failure(&self, error: &CliError) -> ExitCode {
        let strong = anstyle::AnsiColor::Red.on_default().bold();
        let mut text = format!("{strong}error:{strong:#} {error}\n");
        let mut cause = std::error::Error::source(error);
        while let Some(source) = cause {
            text.push_str(&format!("  because {}\n", Shown(&source.to_string())));
            cause = source.source();
        }
        if let Some(hint) = error.hint() {
            text.push_str(&format!("hint: {hint}\n"));
        }
        to_stderr(&text);
        error.code().into()
    }
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
        write(AutoStream::new(stdout, choice), text)
    } else {
        write(stdout, text)
    };
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn write(mut to: impl Write, text: &str) -> io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}

/// Whoever closed stderr does not want to hear it.
fn to_stderr(text: &str) {
    let mut stderr = AutoStream::auto(io::stderr().lock());
    let _ = stderr.write_all(text.as_bytes());
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
