//! What Muster and its supervising process say to each other: frames of a length and a few numbers and byte strings, since argument
//! lists and environments are bytes and not text.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

use muster_document::Secret;

use super::{Ending, Force, LeftRunning, Patience};
use crate::Exit;

/// Bytes of one frame. Linux takes no more than 6 MiB of arguments and environment by default.
const LONGEST: usize = 16 * 1024 * 1024;

/// What is to be started. The three standard streams travel beside it.
#[derive(Clone)]
#[cfg_attr(test, derive(Debug, PartialEq, Eq))]
pub(super) struct Order {
    /// The file to execute, absolute.
    pub(super) program: OsString,
    /// The words it is given, the first being its name.
    pub(super) argv: Vec<OsString>,
    /// The folder it starts in.
    pub(super) cwd: OsString,
    /// Its whole environment.
    pub(super) env: Vec<(OsString, OsString)>,
}

/// What Muster asks of the supervising process.
#[cfg_attr(test, derive(Debug, PartialEq, Eq))]
pub(super) enum Request {
    /// Start a server and call it by this number from now on.
    Start(u32, Order),
    /// End a server, with all that came of it.
    Stop(u32, Patience),
}

/// What the supervising process tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Report {
    /// It is there.
    Ready,
    /// A server runs under this process id.
    Started(u32, u32),
    /// A server cannot be started: the error number of the system.
    Refused(u32, i32),
    /// The process of a server ended; what it started may still run.
    Exited(u32, Exit),
    /// A server was ended.
    Ended(u32, Ending),
    /// Muster is gone, and so is everything else but this.
    Gone(Vec<LeftRunning>),
}

impl Request {
    /// As a frame.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut frame = Frame::new();
        match self {
            Request::Start(server, order) => {
                frame.number(0).number(*server);
                frame.bytes(order.program.as_bytes());
                frame.bytes(order.cwd.as_bytes());
                frame.number(count(order.argv.len()));
                for word in &order.argv {
                    frame.bytes(word.as_bytes());
                }
                frame.number(count(order.env.len()));
                for (name, value) in &order.env {
                    frame.bytes(name.as_bytes()).bytes(value.as_bytes());
                }
            }
            Request::Stop(server, patience) => {
                frame.number(1).number(*server);
                for wait in [patience.input, patience.terminate, patience.kill] {
                    frame.number(u32::try_from(wait.as_millis()).unwrap_or(u32::MAX));
                }
            }
        }
        frame.finish()
    }

    /// The request in the `payload` of a frame.
    pub(super) fn decode(payload: &[u8]) -> Option<Request> {
        let mut fields = Fields(payload);
        let kind = fields.number()?;
        let server = fields.number()?;
        Some(match kind {
            0 => {
                let program = fields.text()?;
                let cwd = fields.text()?;
                let argv = (0..fields.number()?)
                    .map(|_| fields.text())
                    .collect::<Option<_>>()?;
                let env = (0..fields.number()?)
                    .map(|_| Some((fields.text()?, fields.text()?)))
                    .collect::<Option<_>>()?;
                let order = Order {
                    program,
                    argv,
                    cwd,
                    env,
                };
                Request::Start(server, order)
            }
            1 => {
                let mut wait = || Some(Duration::from_millis(u64::from(fields.number()?)));
                let patience = Patience {
                    input: wait()?,
                    terminate: wait()?,
                    kill: wait()?,
                };
                Request::Stop(server, patience)
            }
            _ => return None,
        })
    }
}

impl Report {
    /// As a frame.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut frame = Frame::new();
        match self {
            Report::Ready => {
                frame.number(0);
            }
            Report::Started(server, pid) => {
                frame.number(1).number(*server).number(*pid);
            }
            Report::Refused(server, error) => {
                frame
                    .number(2)
                    .number(*server)
                    .number(error.cast_unsigned());
            }
            Report::Exited(server, exit) => {
                frame.number(3).number(*server).exit(*exit);
            }
            Report::Ended(server, ending) => {
                let force = match ending.force {
                    Force::None => 0,
                    Force::Terminated => 1,
                    Force::Killed => 2,
                };
                frame.number(4).number(*server).exit(ending.exit);
                frame.number(force).left(&ending.left_running);
            }
            Report::Gone(left) => {
                frame.number(5).left(left);
            }
        }
        frame.finish()
    }

    /// The report in the `payload` of a frame.
    pub(super) fn decode(payload: &[u8]) -> Option<Report> {
        let mut fields = Fields(payload);
        Some(match fields.number()? {
            0 => Report::Ready,
            1 => Report::Started(fields.number()?, fields.number()?),
            2 => Report::Refused(fields.number()?, fields.number()?.cast_signed()),
            3 => Report::Exited(fields.number()?, fields.exit()?),
            4 => {
                let server = fields.number()?;
                let exit = fields.exit()?;
                let force = match fields.number()? {
                    0 => Force::None,
                    1 => Force::Terminated,
                    2 => Force::Killed,
                    _ => return None,
                };
                let ending = Ending {
                    exit,
                    force,
                    left_running: fields.left()?,
                };
                Report::Ended(server, ending)
            }
            5 => Report::Gone(fields.left()?),
            _ => return None,
        })
    }
}

/// Bytes as they come, cut into the payloads of frames.
#[derive(Debug, Default)]
pub(super) struct Frames(Vec<u8>);

impl Frames {
    /// Takes `bytes` in.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// The next whole payload. An error where what comes is no frame: nothing more can be read then.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>, NoFrame> {
        let Some((head, rest)) = self.0.split_first_chunk() else {
            return Ok(None);
        };
        let length = usize::try_from(u32::from_le_bytes(*head)).unwrap_or(usize::MAX);
        if length > LONGEST {
            return Err(NoFrame);
        }
        let Some(payload) = rest.get(..length).map(<[u8]>::to_vec) else {
            return Ok(None);
        };
        self.0.drain(..head.len() + length);
        Ok(Some(payload))
    }
}

/// What came is no frame.
#[derive(Debug)]
pub(super) struct NoFrame;

struct Frame(Vec<u8>);

impl Frame {
    fn new() -> Frame {
        Frame(vec![0; 4])
    }

    fn number(&mut self, number: u32) -> &mut Frame {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Frame {
        self.number(count(bytes.len()));
        self.0.extend_from_slice(bytes);
        self
    }

    fn exit(&mut self, exit: Exit) -> &mut Frame {
        let (kind, number) = match exit {
            Exit::Code(code) => (0, code),
            Exit::Signal(signal) => (1, signal),
            Exit::Unknown => (2, 0),
        };
        self.number(kind).number(number.cast_unsigned())
    }

    fn left(&mut self, left: &[LeftRunning]) {
        self.number(count(left.len()));
        for process in left {
            self.number(process.pid);
            self.number(count(process.argv.len()));
            for word in &process.argv {
                self.bytes(word.expose().as_bytes());
            }
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let length = count(self.0.len().saturating_sub(4));
        if let Some(head) = self.0.first_chunk_mut() {
            *head = length.to_le_bytes();
        }
        self.0
    }
}

/// A length as it is written. What is longer makes a frame that no reader takes.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

struct Fields<'p>(&'p [u8]);

impl Fields<'_> {
    fn number(&mut self) -> Option<u32> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*head))
    }

    fn text(&mut self) -> Option<OsString> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(OsString::from_vec(text.to_vec()))
    }

    fn exit(&mut self) -> Option<Exit> {
        let kind = self.number()?;
        let number = self.number()?.cast_signed();
        Some(match kind {
            0 => Exit::Code(number),
            1 => Exit::Signal(number),
            2 => Exit::Unknown,
            _ => return None,
        })
    }

    fn left(&mut self) -> Option<Vec<LeftRunning>> {
        (0..self.number()?)
            .map(|_| {
                let pid = self.number()?;
                let argv = (0..self.number()?)
                    .map(|_| Some(Secret::new(self.text()?.to_string_lossy())))
                    .collect::<Option<_>>()?;
                Some(LeftRunning { pid, argv })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(frame: &[u8]) -> Vec<u8> {
        let mut frames = Frames::default();
        // Byte by byte: a frame is whole only with its last byte.
        for byte in frame {
            assert_eq!(frames.next().unwrap(), None);
            frames.push(&[*byte]);
        }
        frames.next().unwrap().unwrap()
    }

    #[test]
    fn every_request_is_read_back() {
        let order = Order {
            program: OsString::from("/bin/sh"),
            argv: vec![OsString::from_vec(vec![0xFF, b'x']), OsString::new()],
            cwd: OsString::from("/"),
            env: vec![(OsString::from("A"), OsString::from("b=c"))],
        };
        let patience = Patience {
            input: Duration::from_millis(7),
            ..Patience::default()
        };
        for request in [Request::Start(3, order), Request::Stop(4, patience)] {
            let read = Request::decode(&payload(&request.encode()));
            assert_eq!(read, Some(request));
        }
    }

    #[test]
    fn every_report_is_read_back() {
        let left = vec![LeftRunning {
            pid: 9,
            argv: vec![Secret::new("sleep"), Secret::new("1")],
        }];
        let ending = Ending {
            exit: Exit::Signal(15),
            force: Force::Killed,
            left_running: left.clone(),
        };
        let reports = [
            Report::Ready,
            Report::Started(1, 2),
            Report::Refused(1, 26),
            Report::Exited(1, Exit::Code(-1)),
            Report::Ended(1, ending),
            Report::Gone(left),
        ];
        for report in reports {
            assert_eq!(Report::decode(&payload(&report.encode())), Some(report));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let mut frames = Frames::default();
        frames.push(b"GET / HTTP/1.1\r\n");
        assert!(frames.next().is_err());
        assert_eq!(Request::decode(&[]), None);
        assert_eq!(Report::decode(&[9, 0, 0, 0]), None);
        // Counts that promise more than there is cost nothing.
        assert_eq!(Report::decode(&[5, 0, 0, 0, 255, 255, 255, 255]), None);
    }
}
