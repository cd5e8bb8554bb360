//! Reading an event stream until the answer has come.

use std::collections::VecDeque;

use reqwest::Response;
use tokio::sync::mpsc;

use super::answer::lost;
use super::deliver::{Delivered, deliver};
use super::events::{Event, Events};
use crate::net::Failure;
use crate::{Incoming, Limits, Loss, Oddity};

/// How the reading of a stream ended.
#[derive(Debug, PartialEq)]
pub(super) enum End {
    /// The answer came. The rest of the stream is nobody's business.
    Answered,
    /// The stream ended before the answer.
    Ended,
    /// It broke; how.
    Broke(Loss),
    /// It is not worth being read on; why.
    Useless(Loss),
    /// Nobody hears any more.
    Nobody,
}

/// How much may come before the answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Bytes of one event.
    pub(super) event: usize,
    /// Bytes of everything; `None` where the session counts the messages.
    pub(super) all: Option<usize>,
    /// Bytes of what is no message, one after the other.
    pub(super) waste: usize,
}

impl Bounds {
    pub(super) fn of(limits: &Limits, lists: bool) -> Bounds {
        match lists {
            true => Bounds {
                event: limits.listing_answer,
                all: Some(limits.listing_answer),
                waste: limits.listing_answer,
            },
            false => Bounds {
                event: limits.answer,
                all: None,
                waste: limits.answer,
            },
        }
    }
}

/// An answer that comes as a stream, or several streams that go on with each other.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) events: Events,
    /// Events that were read and not looked at yet.
    found: VecDeque<Event>,
    bounds: Bounds,
    /// Bytes so far.
    read: usize,
    /// Bytes since the last message.
    wasted: usize,
    /// Messages so far.
    pub(super) messages: usize,
}

impl Stream {
    pub(super) fn new(bounds: Bounds) -> Stream {
        Stream {
            events: Events::new(bounds.event),
            found: VecDeque::new(),
            bounds,
            read: 0,
            wasted: 0,
            messages: 0,
        }
    }

    /// Reads `response` until the answer to `request`, or for ever where there is none to wait for.
    pub(super) async fn read(
        &mut self,
        response: &mut Response,
        request: Option<i64>,
        inbox: &mpsc::Sender<Incoming>,
    ) -> End {
        loop {
            while let Some(event) = self.found.pop_front() {
                if let Some(end) = self.hear(event, request, inbox).await {
                    return end;
                }
            }
            match self.more(response).await {
                Ok(true) => {}
                Ok(false) if self.found.is_empty() => return End::Ended,
                Ok(false) => {}
                Err(end) => return end,
            }
        }
    }

    /// The first event of `response`, which must be of the type `name`: its data.
    pub(super) async fn first(
        &mut self,
        response: &mut Response,
        name: &str,
    ) -> Result<String, Loss> {
        loop {
            match self.found.pop_front() {
                Some(Event::Told { name: told, data }) if told == name => {
                    return Ok(String::from_utf8_lossy(&data).trim().to_owned());
                }
                Some(_) => {
                    let text =
                        format!("not an MCP server (its stream does not begin with an {name})");
                    return Err(Loss::NoMcp(text));
                }
                None => {}
            }
            match self.more(response).await {
                Ok(false) if self.found.is_empty() => return Err(Loss::Ended),
                Ok(_) => {}
                Err(End::Broke(why) | End::Useless(why)) => return Err(why),
                Err(_) => return Err(Loss::Ended),
            }
        }
    }

    /// Reads a chunk. Whether there may be another.
    async fn more(&mut self, response: &mut Response) -> Result<bool, End> {
        // What was found before this chunk has been heard: only what came since can be too much.
        if let Some(limit) = self.exceeded() {
            return Err(End::Useless(Loss::TooLong { limit }));
        }
        match response.chunk().await {
            Ok(Some(chunk)) => {
                self.read = self.read.saturating_add(chunk.len());
                self.wasted = self.wasted.saturating_add(chunk.len());
                self.events
                    .take(&chunk, |event| self.found.push_back(event));
                Ok(true)
            }
            Ok(None) => {
                self.found.extend(self.events.end());
                Ok(false)
            }
            Err(error) => Err(End::Broke(lost(Failure::of(&error)))),
        }
    }

    fn exceeded(&self) -> Option<usize> {
        let all = self.bounds.all.filter(|all| self.read > *all);
        all.or((self.wasted > self.bounds.waste).then_some(self.bounds.waste))
    }

    async fn hear(
        &mut self,
        event: Event,
        request: Option<i64>,
        inbox: &mpsc::Sender<Incoming>,
    ) -> Option<End> {
        let (name, data) = match event {
            Event::Told { name, data } => (name, data),
            Event::TooLong(bytes) => {
                let told = inbox.send(Incoming::Odd(Oddity::TooLong { bytes })).await;
                return told.is_err().then_some(End::Nobody);
            }
        };
        // An event without data only says where to go on; one of another type is not for us.
        if data.is_empty() || name != "message" {
            return None;
        }
        match deliver(data, request, inbox).await {
            Delivered::Answer => Some(End::Answered),
            Delivered::Nobody => Some(End::Nobody),
            Delivered::Messages => {
                self.wasted = 0;
                self.messages += 1;
                None
            }
            Delivered::Noise => None,
        }
    }
}
