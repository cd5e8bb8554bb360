//! What people call transports.

use muster_core::Transport;

/// The transport that people mean by `word`, in whatever harness's words and spelling; `None` where that cannot be told.
pub(crate) fn meant(word: &str) -> Option<Transport> {
    let plain: String = word
        .chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    match plain.as_str() {
        "http" | "https" | "streamablehttp" | "streamable" | "httpstream" | "httpstreamable"
        | "streamhttp" | "remote" => Some(Transport::Http),
        "sse" | "httpsse" | "ssehttp" | "serversentevents" => Some(Transport::Sse),
        "stdio" | "local" | "command" | "process" | "stdin" => Some(Transport::Stdio),
        "ws" | "wss" | "websocket" | "websockets" => Some(Transport::Ws),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_thing_are_one_thing() {
        for word in ["streamableHttp", "streamable_http", "HTTP", "http-stream"] {
            assert_eq!(meant(word), Some(Transport::Http), "{word}");
        }
        assert_eq!(meant("websocket"), Some(Transport::Ws));
        assert_eq!(meant("sdk"), None);
    }
}
