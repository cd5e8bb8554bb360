//! Exit codes, which scripts rely on.

use std::process::ExitCode;

/// Why the process ends. The numbers are part of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// Everything was answered.
    Fine = 0,
    /// A check found something at or above the level that is denied, or a tool says that it failed.
    Findings = 1,
    /// The question makes no sense, cannot be answered where it was asked, or the answer cannot be written where it was to go.
    Usage = 2,
    /// A server that was asked for by name could not be started, or did not answer.
    NoAnswer = 3,
    /// Refused: nobody allowed it.
    Refused = 4,
    /// A fault of ours.
    Fault = 70,
    /// The user, or the system, wanted it to end.
    Interrupted = 130,
}

impl Code {
    fn number(self) -> u8 {
        match self {
            Code::Fine => 0,
            Code::Findings => 1,
            Code::Usage => 2,
            Code::NoAnswer => 3,
            Code::Refused => 4,
            Code::Fault => 70,
            Code::Interrupted => 130,
        }
    }
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> ExitCode {
        ExitCode::from(code.number())
    }
}

/// Makes a panic end with the code for a fault of ours and with words that say so. Its message is kept back: it can quote the text
/// that was being worked on, and configuration holds secrets.
pub(crate) fn own_up_to_panics() {
    std::panic::set_hook(Box::new(|panic| {
        crate::output::fault(panic.location());
        #[expect(
            clippy::exit,
            reason = "an abort would report a signal, not the contract's code"
        )]
        std::process::exit(i32::from(Code::Fault.number()));
    }));
}
