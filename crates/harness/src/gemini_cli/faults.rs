//! What keeps a server from starting although everything lets it: values that Gemini CLI cannot use.

use muster_core::{Objection, Reason, Rule, Status, Transport};
use muster_document::Shown;

use super::entry::{Config, Part};
use super::redaction::is_dangerous;
use super::rules;
use super::value::{Content, Js};

/// What is wrong with a value that is used as it is.
struct Fault {
    status: Status,
    short: String,
    text: String,
    remedy: String,
    rule: &'static Rule,
}

impl Fault {
    fn new(
        status: Status,
        rule: &'static Rule,
        short: impl Into<String>,
        text: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Fault {
        Fault {
            status,
            short: short.into(),
            text: text.into(),
            remedy: remedy.into(),
            rule,
        }
    }

    fn at(self, part: Part<'_, '_>, value: &Js<'_>) -> Objection {
        let reason = Reason::new(self.rule, "invalid", self.text, Some(part.place(value)));
        Objection::new(self.status, self.short, reason).with_remedy(self.remedy)
    }
}

/// Nothing says how to reach the server. Observed on 0.61.0: such an entry starts nothing, and still replaces those below it.
pub(super) fn no_connection(config: &Config<'_, '_>, name: &str) -> Option<Objection> {
    if config.transport().is_some() {
        return None;
    }
    if let Some((part, value)) = config.filled("tcp") {
        let fault = Fault::new(
            Status::Unsupported,
            &rules::TRANSPORT,
            "tcp starts nothing",
            "tcp is in the schema, but Gemini CLI starts nothing for it",
            "give it a url or a command",
        );
        return Some(fault.at(part, value));
    }
    let place = config.parts.first().map(|part| part.place(part.value));
    let text = "missing httpUrl (for Streamable HTTP), url (for SSE), and command (for stdio)";
    let reason = Reason::new(&rules::ENTRY, "invalid", text, place);
    let empty = ["command", "url", "httpUrl"]
        .iter()
        .any(|key| config.get(key).is_some());
    let short = if empty {
        "its command or url is empty"
    } else {
        "no command, no url"
    };
    let remedy = format!("give {} a command or a url", Shown(name));
    Some(Objection::new(Status::Invalid, short, reason).with_remedy(remedy))
}

/// An `extension` that is not active. Observed on 0.61.0: the key is taken for the extension that the server comes from.
pub(super) fn false_extension(config: &Config<'_, '_>) -> Option<Objection> {
    let (part, value) = config.filled("extension")?;
    if value.get("isActive").is_some_and(Js::truthy) {
        return None;
    }
    let fault = Fault::new(
        Status::Off,
        &rules::EXTENSION_KEY,
        "its extension key says off",
        "the key extension stands for an extension that is not active",
        "take the key extension out",
    );
    Some(fault.at(part, value))
}

/// A value that the server cannot be started with. Observed on 0.61.0, each kind on the real program.
pub(super) fn unusable(config: &Config<'_, '_>, lists: bool) -> Option<Objection> {
    let transport = config.transport()?;
    provider(config)
        .or_else(|| match transport {
            Transport::Stdio => process(config),
            _ => address(config).or_else(|| headers(config)),
        })
        .or_else(|| impatience(config, lists))
}

/// Signing in with Google: what its two ways need.
fn provider(config: &Config<'_, '_>) -> Option<Objection> {
    let (part, value) = config.get("authProviderType")?;
    let kind = value.text()?;
    let text = |key: &str| config.filled(key);
    let words = match kind {
        "google_credentials" => {
            let url = text("url").or_else(|| text("httpUrl"));
            let host = url.map(|(_, url)| host(&url.spelled()));
            let scopes = config
                .get("oauth")
                .and_then(|(_, oauth)| oauth.get("scopes"));
            let scoped = scopes.is_some_and(|scopes| match &scopes.content {
                Content::List(items) => !items.is_empty(),
                _ => scopes.truthy(),
            });
            match host {
                None => {
                    "URL must be provided in the config for Google Credentials provider".to_owned()
                }
                Some(host) if !googles(&host) => {
                    format!(
                        "Host \"{}\" is not an allowed host for Google Credential provider",
                        Shown(&host)
                    )
                }
                Some(_) if !scoped => {
                    "Scopes must be provided in the oauth config for Google Credentials provider"
                        .to_owned()
                }
                Some(_) => return None,
            }
        }
        "service_account_impersonation" => {
            let missing = ["targetAudience", "targetServiceAccount"]
                .into_iter()
                .find(|key| text(key).is_none());
            match (config.url(), missing) {
                (None, _) => {
                    "No URL configured for ServiceAccountImpersonation MCP Server".to_owned()
                }
                (Some(_), Some(key)) => {
                    format!("{key} must be provided for the Service Account Impersonation provider")
                }
                (Some(_), None) => return None,
            }
        }
        _ => return None,
    };
    let fault = Fault::new(
        Status::Broken,
        &rules::PROVIDER,
        "Google sign-in is incomplete",
        words,
        "give what authProviderType needs, or take it out",
    );
    Some(fault.at(part, value))
}

fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':').next().unwrap_or_default().to_lowercase()
}

fn googles(host: &str) -> bool {
    host.strip_suffix(".googleapis.com")
        .is_some_and(|rest| !rest.is_empty())
        || host == "luci.app"
        || host.ends_with(".luci.app")
}

fn wrong_type(what: &str, wanted: &str) -> Fault {
    let short = format!("{what} is not {wanted}");
    Fault::new(
        Status::Invalid,
        &rules::WRONG_TYPE,
        &short,
        format!("{short}: Gemini CLI only warns of it, and then cannot start the server"),
        format!("make {what} {wanted}"),
    )
}

fn process(config: &Config<'_, '_>) -> Option<Objection> {
    let text = |key: &str| {
        let (part, value) = config.filled(key)?;
        value
            .text()
            .is_none()
            .then(|| wrong_type(key, "a string").at(part, value))
    };
    let args = || {
        let (part, value) = config.filled("args")?;
        let fault = Fault::new(
            Status::Invalid,
            &rules::WRONG_TYPE,
            "args is not a list",
            "args is not a list: the command is started without arguments and with the whole environment",
            "make args a list",
        );
        value.list().is_none().then(|| fault.at(part, value))
    };
    let variable = || {
        let bad = |(name, _, value): &(&str, Part<'_, '_>, &Js<'_>)| {
            value.truthy() && value.text().is_none() && !is_dangerous(name)
        };
        let (name, part, value) = config.env().into_iter().find(bad)?;
        let what = format!("env.{}", Shown(name));
        let mut objection = wrong_type(&what, "a string").at(part, value);
        objection.short = "an env value is no string".to_owned();
        Some(objection)
    };
    text("command")
        .or_else(args)
        .or_else(variable)
        .or_else(|| text("cwd"))
}

fn address(config: &Config<'_, '_>) -> Option<Objection> {
    let (part, value) = config.url()?;
    let written = value.spelled();
    let url = written.trim();
    let broken = |short: &str, text: &str, remedy: &str| {
        Fault::new(Status::Broken, &rules::ADDRESS, short, text, remedy).at(part, value)
    };
    let scheme = url
        .split_once(':')
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    let scheme = scheme.filter(|scheme| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    match scheme.as_deref() {
        Some("http" | "https") => {
            let rest = url
                .split_once(':')
                .map_or("", |(_, rest)| rest)
                .trim_start_matches(['/', '\\']);
            let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
            if authority.is_empty() {
                return Some(broken(
                    "its url is no address",
                    "Invalid URL",
                    "write a whole address into url",
                ));
            }
            let credentials = authority.contains('@');
            credentials.then(|| {
                broken(
                    "its url holds credentials",
                    "Request cannot be constructed from a URL that includes credentials",
                    "send them in headers",
                )
            })
        }
        Some("ws" | "wss") => {
            let fault = Fault::new(
                Status::Unsupported,
                &rules::ADDRESS,
                "no WebSocket",
                "Gemini CLI does not speak WebSocket",
                "give it an http or https address",
            );
            Some(fault.at(part, value))
        }
        Some(_) => Some(broken(
            "its url is not http",
            "fetch failed: unknown scheme",
            "give it an http or https address",
        )),
        None => Some(broken(
            "its url is no address",
            "Invalid URL",
            "write a whole address into url, with http:// or https://",
        )),
    }
}

fn headers(config: &Config<'_, '_>) -> Option<Objection> {
    config
        .headers()
        .into_iter()
        .find_map(|(name, part, value)| {
            if value.truthy() && value.text().is_none() {
                let mut objection =
                    wrong_type(&format!("headers.{}", Shown(name)), "a string").at(part, value);
                objection.short = "a header is no string".to_owned();
                return Some(objection);
            }
            let token = !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
            (!token).then(|| {
                let text = format!("{} is an invalid header name", Shown(name));
                Fault::new(
                    Status::Broken,
                    &rules::ADDRESS,
                    "a header name is invalid",
                    text,
                    "correct the name of the header",
                )
                .at(part, value)
            })
        })
}

/// A timeout that is over at once: what is no number, not above 0, or too large for a timer, counts as one millisecond.
fn impatience(config: &Config<'_, '_>, lists: bool) -> Option<Objection> {
    const LONGEST: f64 = 2_147_483_647.0;
    let (part, value, milliseconds) = config.timeout()?;
    if (1.0..=LONGEST).contains(&milliseconds) {
        return None;
    }
    let whose = if lists {
        "gemini mcp list"
    } else {
        "Gemini CLI"
    };
    let fault = Fault::new(
        Status::Broken,
        &rules::TIMEOUT,
        "its timeout ends at once",
        format!("its timeout counts as 1 ms: {whose} gives up before the server can answer"),
        "write a timeout in milliseconds, from 1 to 2147483647",
    );
    Some(fault.at(part, value))
}
