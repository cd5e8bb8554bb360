//! `initialize`: the handshake of the legacy era.

use serde_json::{Value, json};

use crate::{Ask, Era, Happening, Limits, Oddity, Session, Version, client_info, is_date_shaped};

use super::discover::instructions;
use super::{ServerFacts, StartError};

/// The handshake.
pub(super) const INITIALIZE: &str = "initialize";

/// Offers `version`.
pub(super) fn ask(session: &Session, version: Version, limits: &Limits) -> Ask {
    let capabilities = session.manner().handler.capabilities(Era::Legacy);
    let params = json!({
        "protocolVersion": version.as_str(),
        "capabilities": capabilities,
        "clientInfo": client_info(),
    });
    let mut ask = Ask::new(INITIALIZE, params, limits).within(limits.listing);
    // Nothing is agreed on yet: no version is said beside the offer.
    ask.version = None;
    ask
}

/// Reads the server's answer, and tells it that the handshake is done. From then on its revision is spoken.
pub(super) async fn finish(session: &Session, result: Value) -> Result<ServerFacts, StartError> {
    let invalid = |why: &str| StartError::Invalid {
        method: INITIALIZE,
        why: why.to_owned(),
    };
    if !result.is_object() {
        return Err(invalid("is no object"));
    }
    let text = match result.get("protocolVersion") {
        Some(Value::String(text)) => text.clone(),
        Some(_) => return Err(invalid("names a protocolVersion that is no text")),
        None => return Err(invalid("has no protocolVersion")),
    };
    let version = match Version::parse(&text) {
        Some(version) if version.era() == Era::Legacy => version,
        // To look at what a server offers is worth more than to insist; agents that insist are told of elsewhere.
        _ if is_date_shaped(&text) => {
            warn(
                session,
                Oddity::UnknownVersion {
                    version: text.clone(),
                },
            );
            Version::LEGACY
        }
        _ => {
            return Err(StartError::NoCommonVersion { theirs: vec![text] });
        }
    };
    for (field, assumed) in [("capabilities", "none"), ("serverInfo", "no name")] {
        if !result.get(field).is_some_and(Value::is_object) {
            let method = INITIALIZE;
            warn(
                session,
                Oddity::MissingField {
                    method,
                    field,
                    assumed,
                },
            );
        }
    }
    session.speak(version);
    session
        .notify("notifications/initialized", Value::Null)
        .await
        .map_err(|error| StartError::asking("notifications/initialized", error))?;
    let object = |field: &str| result.get(field).filter(|value| value.is_object()).cloned();
    Ok(ServerFacts {
        era: Era::Legacy,
        version,
        version_text: text,
        capabilities: object("capabilities").unwrap_or_else(|| json!({})),
        server_info: object("serverInfo").unwrap_or(Value::Null),
        instructions: instructions(&result),
        raw: result,
    })
}

fn warn(session: &Session, oddity: Oddity) {
    session.teller().tell(Happening::Warned(oddity));
}
