//! From the bytes of one answer to what the session hears.

use tokio::sync::mpsc;

use crate::stdio::{Line, incoming};
use crate::{Incoming, Message, Oddity, ResponseId};

/// What came of handing over some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivered {
    /// The answer that was waited for was among them.
    Answer,
    /// Messages, but not the answer.
    Messages,
    /// Nothing that is a message.
    Noise,
    /// Nobody hears any more.
    Nobody,
}

/// Hands over what `bytes` say. `request` is the request whose answer they are, or come before.
pub(crate) async fn deliver(
    bytes: Vec<u8>,
    request: Option<i64>,
    inbox: &mpsc::Sender<Incoming>,
) -> Delivered {
    let mut delivered = Delivered::Noise;
    for mut incoming in incoming(&Line::Whole(bytes)) {
        if let Incoming::Message(message, _) = &mut incoming {
            let mut answers = false;
            if let (Message::Response { id, .. }, Some(request)) = (message, request) {
                if *id == ResponseId::Absent {
                    // An error without an id, in the answer to one request, is about that one.
                    *id = ResponseId::Number(request);
                    if inbox
                        .send(Incoming::Odd(Oddity::ErrorWithoutId))
                        .await
                        .is_err()
                    {
                        return Delivered::Nobody;
                    }
                }
                answers =
                    matches!(id, ResponseId::Number(id) | ResponseId::Text(id) if *id == request);
            }
            delivered = match (answers, delivered) {
                (true, _) | (_, Delivered::Answer) => Delivered::Answer,
                _ => Delivered::Messages,
            };
        }
        if inbox.send(incoming).await.is_err() {
            return Delivered::Nobody;
        }
    }
    delivered
}
