//! `oauth` of an entry.

use muster_document::{Node, Value};

use super::super::address::Address;
use super::check::Complaint;

/// Why Pi skips an entry with this `oauth`. Observed on 1.6.0.
pub(super) fn check(oauth: &Node) -> Option<Complaint> {
    let complain = |text: &str, short, node: &Node| Some((text.to_owned(), short, node.span));
    if !oauth.is_table() {
        return complain("oauth must be an object", "oauth is no object", oauth);
    }
    for (key, text) in [
        ("clientId", "oauth.clientId must be a string"),
        ("clientSecret", "oauth.clientSecret must be a string"),
    ] {
        if let Some(value) = oauth.get(key).filter(|value| value.as_str().is_none()) {
            return complain(text, "an oauth field is no string", value);
        }
    }
    let port = oauth.get("callbackPort");
    if let Some(value) = port.filter(|value| port_of(value).is_none()) {
        return complain(
            "oauth.callbackPort must be a port number",
            "callbackPort is no port",
            value,
        );
    }
    if let Some(value) = oauth.get("callbackUrl") {
        let Some(address) = callback(value) else {
            let text = "oauth.callbackUrl must be an http URI on localhost, 127.0.0.1, or [::1] without query or fragment";
            return complain(text, "callbackUrl is not local", value);
        };
        let named = port.and_then(port_of);
        if address
            .port
            .zip(named)
            .is_some_and(|(one, other)| one != other)
        {
            let text = "oauth.callbackUrl and oauth.callbackPort name different ports";
            return complain(text, "two callback ports", value);
        }
    }
    if let Some(value) = oauth.get("scope").filter(|value| value.as_str().is_none()) {
        return complain(
            "oauth.scope must be a string",
            "an oauth field is no string",
            value,
        );
    }
    let blank = |value: &&Node| value.as_str().is_none_or(|name| name.trim().is_empty());
    if let Some(value) = oauth.get("clientName").filter(blank) {
        return complain(
            "oauth.clientName must be a non-empty string",
            "clientName is empty",
            value,
        );
    }
    registration(oauth).or_else(|| metadata(oauth))
}

fn port_of(node: &Node) -> Option<u16> {
    let Value::Number(number) = &node.value else {
        return None;
    };
    let value = number.as_f64();
    let whole = value.fract() == 0.0 && (1.0..=65_535.0).contains(&value);
    // In range, so that nothing is cut off.
    whole.then_some(value as u16)
}

fn callback(node: &Node) -> Option<Address> {
    let address = Address::parse(node.as_str()?)?;
    let local = address.scheme == "http" && address.is_loopback();
    (local && !address.has_query_or_fragment).then_some(address)
}

fn registration(oauth: &Node) -> Option<Complaint> {
    let value = oauth.get("clientRegistration")?;
    let complain = |text: &str, short| Some((text.to_owned(), short, value.span));
    match value.as_str() {
        Some("auto" | "dcr") => return None,
        Some("cimd") => {}
        _ => {
            let text = "oauth.clientRegistration must be \"auto\", \"dcr\", or \"cimd\"";
            return complain(text, "unknown clientRegistration");
        }
    }
    if oauth.get("clientId").is_some() || oauth.get("clientName").is_some() {
        let text = "oauth.clientRegistration \"cimd\" cannot be combined with oauth.clientId or oauth.clientName";
        return complain(text, "cimd beside a client");
    }
    let callback = oauth.get("callbackUrl").and_then(callback)?;
    let fits = callback.host != "[::1]" && callback.path == "/callback";
    let text = "oauth.clientRegistration \"cimd\" requires oauth.callbackUrl on localhost or 127.0.0.1 with path /callback";
    (!fits).then(|| complain(text, "cimd needs /callback"))?
}

fn metadata(oauth: &Node) -> Option<Complaint> {
    let value = oauth.get("authServerMetadataUrl")?;
    let address = value.as_str().and_then(Address::parse);
    let fits = address.is_some_and(|address| {
        address.scheme == "https" || (address.scheme == "http" && address.is_loopback())
    });
    let text = "oauth.authServerMetadataUrl must be an https URL, or http on localhost, 127.0.0.1, or [::1]";
    (!fits).then(|| (text.to_owned(), "metadata URL is not https", value.span))
}
