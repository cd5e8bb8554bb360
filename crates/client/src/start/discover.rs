//! `server/discover`: the question of the modern era.

use serde_json::{Value, json};

use crate::{Ask, Era, ErrorObject, Happening, Limits, Oddity, Session, Version};

use super::ServerFacts;

/// The question.
pub(super) const DISCOVER: &str = "server/discover";

/// Asks for the server's revisions.
pub(super) fn ask(limits: &Limits) -> Ask {
    Ask::new(DISCOVER, json!({}), limits)
        .within(limits.listing)
        .in_version(Version::MODERN)
}

/// What an answer to the question means.
#[derive(Debug, PartialEq)]
pub(super) enum Meaning {
    /// It is of the modern era, and says this of itself.
    Modern(Box<ServerFacts>),
    /// It is to be asked again, in this revision.
    AskAgain(Version),
    /// It is to be initialized, with this revision.
    Initialize(Version),
    /// It is of the modern era and will not speak with us.
    Refused,
    /// No revision is common to both.
    NoCommonVersion(Vec<String>),
}

/// What the result `result` means. Fields that lack are assumed and told.
pub(super) fn of_result(session: &Session, result: Value) -> Meaning {
    let Some(supported) = result.get("supportedVersions").and_then(Value::as_array) else {
        return Meaning::Initialize(Version::LEGACY);
    };
    let supported: Vec<&str> = supported.iter().filter_map(Value::as_str).collect();
    if !supported.contains(&Version::MODERN.as_str()) {
        return match Version::newest_legacy(supported.iter().copied()) {
            Some(version) => Meaning::Initialize(version),
            None => Meaning::NoCommonVersion(supported.into_iter().map(str::to_owned).collect()),
        };
    }
    for (field, assumed) in [
        ("resultType", "complete"),
        ("ttlMs", "0"),
        ("cacheScope", "private"),
        ("capabilities", "none"),
    ] {
        if result.get(field).is_none() {
            session
                .teller()
                .tell(Happening::Warned(Oddity::MissingField {
                    method: DISCOVER,
                    field,
                    assumed,
                }));
        }
    }
    let meta = result.get("_meta");
    let in_meta = meta.and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
    let server_info = in_meta.or_else(|| result.get("serverInfo"));
    Meaning::Modern(Box::new(ServerFacts {
        era: Era::Modern,
        version: Version::MODERN,
        version_text: Version::MODERN.as_str().to_owned(),
        capabilities: result
            .get("capabilities")
            .cloned()
            .unwrap_or_else(|| json!({})),
        server_info: server_info.cloned().unwrap_or(Value::Null),
        instructions: instructions(&result),
        raw: result,
    }))
}

/// What the error `error` means, said to a question in the modern revision; `again` where that was the second one.
pub(super) fn of_error(error: &ErrorObject, again: bool) -> Meaning {
    match error.code {
        Some(ErrorObject::UNSUPPORTED_VERSION) => of_unsupported(error, again),
        Some(ErrorObject::HEADER_MISMATCH | ErrorObject::MISSING_CAPABILITY) => Meaning::Refused,
        _ => Meaning::Initialize(Version::LEGACY),
    }
}

/// -32022: which of our revisions the server wants instead. It may be the very one that it refused.
pub(super) fn of_unsupported(error: &ErrorObject, again: bool) -> Meaning {
    let supported = error.supported();
    if supported.contains(&Version::MODERN.as_str()) {
        return match again {
            false => Meaning::AskAgain(Version::MODERN),
            true => Meaning::Refused,
        };
    }
    match Version::newest_legacy(supported.iter().copied()) {
        Some(version) => Meaning::Initialize(version),
        // What says nothing of its versions may still know `initialize`.
        None if supported.is_empty() => Meaning::Initialize(Version::LEGACY),
        None => Meaning::NoCommonVersion(supported.into_iter().map(str::to_owned).collect()),
    }
}

/// The server's words on its use.
pub(super) fn instructions(result: &Value) -> Option<String> {
    result
        .get("instructions")
        .and_then(Value::as_str)
        .map(str::to_owned)
}
