//! The answers to `muster login` and `muster logout`.

use muster_document::{Masked, Shown};

use crate::{Format, Look, Page, json, view};

/// A sign-in that succeeded.
#[derive(Debug, Clone)]
pub struct SignedIn<'a> {
    /// The server, as it was asked for.
    pub server: &'a Masked,
    /// Its address.
    pub url: &'a Masked,
    /// The host of the authorization server.
    pub authorization_server: &'a str,
    /// The scopes that were granted, as far as that is known.
    pub scopes: &'a [String],
    /// Whether it is renewed without another sign-in.
    pub renewable: bool,
    /// Seconds until it has to be renewed.
    pub expires_in: Option<u64>,
}

/// A sign-in that is no more.
#[derive(Debug, Clone)]
pub struct SignedOut<'a> {
    /// The server, as it was asked for.
    pub server: &'a Masked,
    /// Its address.
    pub url: &'a Masked,
    /// Whether there was a sign-in.
    pub signed_out: bool,
    /// Whether the authorization server took its tokens back.
    pub revoked: bool,
}

/// Tells that a sign-in succeeded. It is given nothing secret: tokens never come this far.
pub fn signed_in(answer: &SignedIn<'_>, format: Format, look: Look) -> Page {
    let host = Shown(answer.authorization_server);
    let lasts = match (answer.renewable, answer.expires_in) {
        (true, _) => "until you sign out; it renews itself".to_owned(),
        (false, Some(seconds)) => format!("for {}", span(seconds)),
        (false, None) => "until the server refuses it".to_owned(),
    };
    let scopes = match answer.scopes {
        [] => String::new(),
        scopes => format!("\n  scopes  {}", Shown(&scopes.join(" "))),
    };
    match format {
        Format::Json => Page::own(json::write(&view::Login::new(answer))),
        Format::Text => Page::own_text(
            format!(
                "● signed in to {server}\n  at      {url}\n  by      {host}{scopes}\n  lasts   {lasts}\n",
                server = answer.server,
                url = answer.url,
            ),
            look,
        ),
        Format::Markdown => Page::own(format!(
            "Signed in to {} by {}, {lasts}.\n",
            Shown(answer.server.as_str()).markdown(),
            host.markdown(),
        )),
    }
}

/// Tells that a sign-in is no more.
pub fn signed_out(answer: &SignedOut<'_>, format: Format, look: Look) -> Page {
    let (symbol, words) = match (answer.signed_out, answer.revoked) {
        (false, _) => ("○", "there was no sign-in to"),
        (true, true) => ("●", "signed out, tokens given back:"),
        (true, false) => ("●", "signed out, tokens forgotten here:"),
    };
    match format {
        Format::Json => Page::own(json::write(&view::Logout::new(answer))),
        Format::Text => Page::own_text(
            format!(
                "{symbol} {words} {}\n  at      {}\n",
                answer.server, answer.url
            ),
            look,
        ),
        Format::Markdown => Page::own(format!(
            "{symbol} {words} {}\n",
            Shown(answer.server.as_str()).markdown(),
        )),
    }
}

fn span(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} seconds"),
        120..7200 => format!("{} minutes", seconds / 60),
        _ => format!("{} hours", seconds / 3600),
    }
}

#[cfg(test)]
mod tests {
    use muster_document::Secret;

    use super::*;

    const LOOK: Look = Look {
        width: 80,
        unicode: true,
        colour: false,
    };

    #[test]
    fn a_sign_in_says_by_whom_and_for_how_long() {
        let server = Masked::word(&Secret::new("notion"));
        let url = Masked::url(&Secret::new("https://h.example/s/hidden-part/mcp"));
        let scopes = ["read".to_owned(), "wri\u{1b}te".to_owned()];
        let answer = SignedIn {
            server: &server,
            url: &url,
            authorization_server: "as.example",
            scopes: &scopes,
            renewable: false,
            expires_in: Some(3600),
        };
        assert_eq!(
            signed_in(&answer, Format::Text, LOOK).as_str(),
            "● signed in to notion\n  at      https://h.example/•••/•••/mcp\n  by      as.example\n  \
             scopes  read wri\\u{1b}te\n  lasts   for 60 minutes\n"
        );
        let renewable = SignedIn {
            scopes: &[],
            renewable: true,
            ..answer.clone()
        };
        assert_eq!(
            signed_in(&renewable, Format::Markdown, LOOK).as_str(),
            "Signed in to notion by as.example, until you sign out; it renews itself.\n"
        );
        let json: serde_json::Value =
            serde_json::from_str(signed_in(&answer, Format::Json, LOOK).as_str()).unwrap();
        assert_eq!(json["schema"], "muster.login/1");
        assert_eq!(json["expires_in"], 3600);
        assert_eq!(json["url"], "https://h.example/•••/•••/mcp");
    }

    #[test]
    fn a_sign_out_says_whether_there_was_anything() {
        let server = Masked::word(&Secret::new("notion"));
        let url = Masked::url(&Secret::new("https://h.example/mcp"));
        let text = |signed_out, revoked| {
            let answer = SignedOut {
                server: &server,
                url: &url,
                signed_out,
                revoked,
            };
            signed_out_text(&answer)
        };
        fn signed_out_text(answer: &SignedOut<'_>) -> String {
            let page = signed_out(answer, Format::Text, LOOK);
            page.as_str().lines().next().unwrap().to_owned()
        }
        assert_eq!(text(false, false), "○ there was no sign-in to notion");
        assert_eq!(text(true, true), "● signed out, tokens given back: notion");
        assert_eq!(
            text(true, false),
            "● signed out, tokens forgotten here: notion"
        );
    }
}
