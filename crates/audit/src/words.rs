//! The words that harnesses take for a transport.

use muster_core::Transport;

/// The words of one harness for each transport, the usual one first; none where it does not speak it.
pub(crate) struct Words {
    harness: &'static str,
    words: &'static [(Transport, &'static [&'static str])],
}

/// Harnesses that read a word for the transport. Codex and Cursor read none: the address or the command decides there.
/// Observed on the versions that the harnesses' rules name.
static HARNESSES: &[Words] = &[
    Words {
        harness: "claude-code",
        words: &[
            (Transport::Stdio, &["stdio"]),
            (Transport::Http, &["http", "streamable-http"]),
            (Transport::Sse, &["sse"]),
            (Transport::Ws, &["ws"]),
        ],
    },
    Words {
        harness: "gemini-cli",
        words: &[
            (Transport::Stdio, &["stdio"]),
            (Transport::Http, &["http"]),
            (Transport::Sse, &["sse"]),
        ],
    },
    Words {
        harness: "opencode",
        words: &[
            (Transport::Stdio, &["local"]),
            (Transport::Http, &["remote"]),
            (Transport::Sse, &["remote"]),
        ],
    },
    Words {
        harness: "pi",
        words: &[
            (Transport::Stdio, &["stdio"]),
            (Transport::Http, &["http", "streamable-http"]),
        ],
    },
];

impl Words {
    /// Those of `harness`; `None` where it reads no such word.
    pub(crate) fn of(harness: &str) -> Option<&'static Words> {
        HARNESSES.iter().find(|words| words.harness == harness)
    }

    /// Whether `word` is one of them.
    pub(crate) fn take(&self, word: &str) -> bool {
        self.words.iter().any(|(_, words)| words.contains(&word))
    }

    /// The word for `transport`; `None` where the harness does not speak it.
    pub(crate) fn word(&self, transport: Transport) -> Option<&'static str> {
        let spoken = self.words.iter().find(|(spoken, _)| *spoken == transport);
        spoken.and_then(|(_, words)| words.first()).copied()
    }
}

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

    #[test]
    fn the_word_of_a_harness_is_one_that_it_takes() {
        for words in HARNESSES {
            for (transport, _) in words.words {
                let word = words.word(*transport).expect("a word");
                assert!(words.take(word), "{} {word}", words.harness);
            }
        }
        assert!(Words::of("codex").is_none());
    }
}
