//! Streams of the legacy era that are gone on with after a break (2025-11-25, resumability and redelivery), and the one beside all
//! requests.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use tokio::time::sleep;

use super::answer::{self, Kind};
use super::fields::modern;
use super::stream::{Bounds, End, Stream};
use super::streamable::{Session, Shared};
use crate::{Loss, Outgoing};

/// How long to wait before going on where the server does not say.
const WAIT: Duration = Duration::from_secs(1);
/// The least that is waited, whatever it says.
const LEAST: Duration = Duration::from_millis(10);
/// How often in a row it may bring nothing.
const IN_VAIN: usize = 5;
const EVENTS: &str = "text/event-stream";

impl Shared {
    /// Goes on with `stream`, whose first part ended with `end`, until the request `id` is answered.
    pub(super) async fn until_answered(
        &self,
        id: i64,
        message: &Outgoing,
        session: &Session,
        mut stream: Stream,
        mut end: End,
    ) -> Result<(), Loss> {
        let mut in_vain = 0;
        loop {
            let why = match end {
                End::Answered | End::Nobody => return Ok(()),
                End::Useless(why) => return Err(why),
                End::Ended => Loss::Ended,
                End::Broke(why) => why,
            };
            let Some(last) = stream.events.last_id().map(str::to_owned) else {
                return Err(why);
            };
            // 2026-07-28 knows no way back, whatever the server numbers.
            if modern(message) || in_vain == IN_VAIN {
                return Err(why);
            }
            let heard = stream.messages;
            end = match self.go_on(&mut stream, session, Some(id)).await {
                Some(end) => end,
                None => return Err(why),
            };
            let brought = stream.messages > heard || stream.events.last_id() != Some(&last);
            in_vain = if brought { 0 } else { in_vain + 1 };
        }
    }

    /// Listens to what belongs to no request, where the server offers that. What it answers else is none of our business: the stream is
    /// optional.
    pub(super) fn listen(self: Arc<Self>) {
        let shared = self.clone();
        self.run_beside(async move {
            let mut stream = Stream::new(Bounds {
                event: shared.limits.message,
                all: None,
                waste: shared.limits.answer,
            });
            let mut in_vain = 0;
            let mut first = true;
            while in_vain < IN_VAIN {
                let heard = stream.messages;
                let session = shared.session();
                let end = match std::mem::take(&mut first) {
                    true => shared.read_on(&mut stream, &session, None).await,
                    false => shared.go_on(&mut stream, &session, None).await,
                };
                if !matches!(end, Some(End::Ended | End::Broke(_))) {
                    return;
                }
                in_vain = if stream.messages > heard {
                    0
                } else {
                    in_vain + 1
                };
            }
        });
    }

    /// Waits as long as the stream says, and reads on. `None` where the server does not offer that.
    async fn go_on(
        &self,
        stream: &mut Stream,
        session: &Session,
        request: Option<i64>,
    ) -> Option<End> {
        sleep(stream.events.retry().unwrap_or(WAIT).max(LEAST)).await;
        self.read_on(stream, session, request).await
    }

    async fn read_on(
        &self,
        stream: &mut Stream,
        session: &Session,
        request: Option<i64>,
    ) -> Option<End> {
        let call = self.beside_call(Method::GET, EVENTS, session, stream.events.last_id());
        let mut response = match self.caller.call(&call).await {
            Ok(response) => response,
            Err(failure) => return Some(End::Broke(answer::lost(failure))),
        };
        if !response.status().is_success() || !matches!(answer::kind(&response), Ok(Kind::Events)) {
            return None;
        }
        stream.events.begin_again();
        Some(stream.read(&mut response, request, &self.inbox).await)
    }
}
