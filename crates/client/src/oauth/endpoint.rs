//! Addresses that a server names: which of them may be opened, and where well-known documents lie.

use std::fmt;

use muster_document::{Masked, Secret};
use url::Url;

use crate::net::{Bounds, Reach, Refused, is_loopback, origin, same_origin};

/// Where the server itself is, as its user configured it. What it may name depends on that.
#[derive(Clone)]
pub struct Ground {
    bounds: Bounds,
}

/// Why an address is not opened. None of them shows more of it than masking leaves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is no absolute address.
    #[error("`{0}` is no absolute address")]
    NoAddress(Masked),
    /// Neither https, nor http on this machine.
    #[error("`{0}` is not https")]
    NotHttps(Masked),
    /// It leads where this server is not to send anybody.
    #[error("{0}")]
    Refused(Refused),
    /// It carries a user, a password or a fragment.
    #[error("`{0}` carries what no such address does: a user, a password or a fragment")]
    Odd(Masked),
}

impl Ground {
    /// The ground of the server at `server`. `local_networks` as in [`Bounds::around`].
    pub fn new(server: &Url, local_networks: bool) -> Ground {
        Ground {
            bounds: Bounds::around(server, local_networks),
        }
    }

    /// The server's address.
    pub fn server(&self) -> &Url {
        self.bounds.configured()
    }

    /// How the server is named as a resource.
    pub fn resource(&self) -> String {
        canonical(self.server())
    }

    /// The address `text`, if it may be opened: https, or http on this machine, and only where a server may send its clients. Browsers
    /// and the network both get only what passed here.
    pub fn endpoint(&self, text: &str) -> Result<Endpoint, EndpointError> {
        let masked = || Masked::url(&Secret::new(text));
        if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
            return Err(EndpointError::NoAddress(masked()));
        }
        let url = Url::parse(text).map_err(|_| EndpointError::NoAddress(masked()))?;
        let reach = self.bounds.judge(&url).map_err(EndpointError::Refused)?;
        // What the bounds allow besides, http to the server's own origin, would send codes and tokens in the clear.
        if url.scheme() != "https" && !is_loopback(&url) {
            return Err(EndpointError::NotHttps(masked()));
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(EndpointError::Odd(masked()));
        }
        Ok(Endpoint { url, reach })
    }

    /// As [`Ground::endpoint`], for a document that holds no secret: it may also lie at the server's own origin, however that is called.
    pub(super) fn endpoint_or_own(&self, text: &str) -> Result<Endpoint, EndpointError> {
        match Url::parse(text) {
            Ok(url) if same_origin(&url, self.server()) && url.username().is_empty() => {
                let own = self.own(url);
                own.map_or_else(|| self.endpoint(text), Ok)
            }
            _ => self.endpoint(text),
        }
    }

    /// A place at the server's own origin.
    fn own(&self, url: Url) -> Option<Endpoint> {
        let reach = self.bounds.judge(&url).ok()?;
        Some(Endpoint { url, reach })
    }

    /// Where the server's own metadata may lie, the most exact place first (RFC 9728, section 3.1).
    pub(super) fn resource_metadata(&self) -> Vec<Endpoint> {
        const NAME: &str = "oauth-protected-resource";
        let server = self.server();
        let path = server.path();
        let bare = path.trim_end_matches('/');
        let mut places = Vec::new();
        if !bare.is_empty() {
            let mut inserted = well_known(server, NAME, path);
            inserted.set_query(server.query());
            places.push(inserted);
            if bare != path {
                places.push(well_known(server, NAME, bare));
            }
        }
        places.push(well_known(server, NAME, ""));
        places
            .into_iter()
            .filter_map(|place| self.own(place))
            .collect()
    }

    /// The origin of the server, without a slash behind it.
    pub(super) fn origin(&self) -> String {
        origin(self.server())
    }
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = Masked::url(&Secret::new(self.server().as_str()));
        f.debug_tuple("Ground").field(&masked).finish()
    }
}

/// An address that may be opened.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    url: Url,
    reach: Reach,
}

impl Endpoint {
    /// The address.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// How far a connection to it may lead.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Another place at the same origin.
    fn at(&self, url: Url) -> Endpoint {
        Endpoint {
            url,
            reach: self.reach,
        }
    }

    /// Whom it belongs to, for people: host and port.
    pub fn host(&self) -> String {
        host(&self.url)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = Masked::url(&Secret::new(self.url.as_str()));
        f.debug_tuple("Endpoint").field(&masked).finish()
    }
}

/// Host and port of `url`, as people know them.
pub(super) fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Where the metadata of `issuer` may lie, in the order of MCP 2026-07-28, "Authorization Server Metadata Discovery".
pub(super) fn issuer_metadata(issuer: &Endpoint) -> Vec<Endpoint> {
    const OAUTH: &str = "oauth-authorization-server";
    const OPENID: &str = "openid-configuration";
    let url = issuer.url();
    let path = url.path().trim_end_matches('/');
    let mut places = vec![well_known(url, OAUTH, path), well_known(url, OPENID, path)];
    if !path.is_empty() {
        let mut appended = url.clone();
        appended.set_path(&format!("{path}/.well-known/{OPENID}"));
        appended.set_query(None);
        places.push(appended);
    }
    places.into_iter().map(|place| issuer.at(place)).collect()
}

fn well_known(base: &Url, name: &str, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("/.well-known/{name}{path}"));
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// The identifier of the server as a resource (RFC 8707): its address without fragment, user, password, and without a slash that says
/// nothing.
pub(super) fn canonical(server: &Url) -> String {
    let mut url = server.clone();
    url.set_fragment(None);
    // Cannot fail for an address with a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let text = url.as_str();
    match text.strip_suffix('/') {
        Some(bare) if url.path() == "/" && url.query().is_none() => bare.to_owned(),
        _ => text.to_owned(),
    }
}

/// Whether the resource `named` in a metadata document is the server at `server`, or what it is a part of: the same origin, and a path
/// that begins the server's, segment by segment.
pub(super) fn covers(named: &str, server: &Url) -> bool {
    let Ok(named) = Url::parse(named) else {
        return false;
    };
    let has_origin = matches!(named.scheme(), "https" | "http") && named.host_str().is_some();
    let is_plain = named.fragment().is_none() && named.username().is_empty();
    let same_query = named.query().is_none() || named.query() == server.query();
    let (outer, inner) = (
        named.path().trim_end_matches('/'),
        server.path().trim_end_matches('/'),
    );
    let within = match inner.strip_prefix(outer) {
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => false,
    };
    has_origin && is_plain && same_query && within && same_origin(&named, server)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(server: &str) -> Ground {
        Ground::new(&Url::parse(server).unwrap(), false)
    }

    fn texts(places: Vec<Endpoint>) -> Vec<String> {
        let text = |place: Endpoint| place.url.to_string();
        places.into_iter().map(text).collect()
    }

    #[test]
    fn only_https_and_this_machine_are_opened() {
        let (remote, local) = (
            ground("https://mcp.example/mcp"),
            ground("http://localhost:8080/mcp"),
        );
        let both = ["https://as.example", "https://as.example:8443/a?b=c"];
        for text in both {
            assert!(remote.endpoint(text).is_ok(), "{text}");
            assert!(local.endpoint(text).is_ok(), "{text}");
        }
        let loopback = [
            "http://localhost/x",
            "http://127.0.0.1:1/x",
            "http://[::1]:1/x",
            "http://[::ffff:127.0.0.1]/x",
            "http://a.localhost./x",
            "https://127.9.9.9/x",
            "http://0x7f.1/x",
            "http://2130706433/",
        ];
        for text in loopback {
            assert!(
                matches!(remote.endpoint(text), Err(EndpointError::Refused(_))),
                "{text}"
            );
            assert!(local.endpoint(text).is_ok(), "{text}");
        }
        let never = [
            "",
            "/authorize",
            "//as.example/authorize",
            "http://as.example/",
            "http://169.254.169.254/latest",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "gopher://x",
            "data:text/html,x",
            "--upload-pack=touch /x",
            "--flag",
            "-x",
            "https://",
            "https://a.example/\u{202e}\nx",
            "https://a.example/ x",
            " https://a.example/",
            "https://user@a.example/",
            "https://user:password@a.example/",
            "https://a.example/#f",
            "https:\\\\a.example\\\tx",
            "http://www.example.com/$(touch${IFS}/x)?response_type=code&calc.exe",
            "view-source:https://a.example",
            "mailto:a@a.example",
            "ws://localhost/",
        ];
        for text in never {
            assert!(remote.endpoint(text).is_err(), "{text}");
            assert!(local.endpoint(text).is_err(), "{text}");
        }
    }

    #[test]
    fn well_known_places_are_tried_in_order() {
        assert_eq!(
            texts(ground("https://h.example/public/mcp?a=b#c").resource_metadata()),
            [
                "https://h.example/.well-known/oauth-protected-resource/public/mcp?a=b",
                "https://h.example/.well-known/oauth-protected-resource",
            ]
        );
        assert_eq!(
            texts(ground("https://h.example/mcp/").resource_metadata()),
            [
                "https://h.example/.well-known/oauth-protected-resource/mcp/",
                "https://h.example/.well-known/oauth-protected-resource/mcp",
                "https://h.example/.well-known/oauth-protected-resource",
            ]
        );
        assert_eq!(
            texts(ground("https://h.example").resource_metadata()),
            ["https://h.example/.well-known/oauth-protected-resource"]
        );
        let issuer = |text| ground("https://h.example").endpoint(text).unwrap();
        assert_eq!(
            texts(issuer_metadata(&issuer("https://as.example/tenant1"))),
            [
                "https://as.example/.well-known/oauth-authorization-server/tenant1",
                "https://as.example/.well-known/openid-configuration/tenant1",
                "https://as.example/tenant1/.well-known/openid-configuration",
            ]
        );
        for root in ["https://as.example", "https://as.example/"] {
            assert_eq!(
                texts(issuer_metadata(&issuer(root))),
                [
                    "https://as.example/.well-known/oauth-authorization-server",
                    "https://as.example/.well-known/openid-configuration",
                ]
            );
        }
    }

    #[test]
    fn a_resource_is_the_server_or_what_it_is_part_of() {
        let server = Url::parse("https://h.example/public/mcp").unwrap();
        for named in [
            "https://h.example/public/mcp",
            "https://H.EXAMPLE:443/public/mcp/",
            "https://h.example/public",
            "https://h.example/",
            "https://h.example",
        ] {
            assert!(covers(named, &server), "{named}");
        }
        for named in [
            "https://h.example/public/mcp2",
            "https://h.example/pub",
            "https://h.example/public/mcp/more",
            "https://h.example/other",
            "http://h.example/public/mcp",
            "https://h.example:8443/public/mcp",
            "https://evil.example/public/mcp",
            "https://h.example.evil.example/public/mcp",
            "https://h.example@evil.example/public/mcp",
            "https://h.example/public/mcp#x",
            "https://h.example/public/mcp?x",
            "urn:public",
            "/public/mcp",
            "",
        ] {
            assert!(!covers(named, &server), "{named}");
        }
    }

    #[test]
    fn a_server_is_named_without_what_says_nothing() {
        for (server, named) in [
            ("https://H.example:443/", "https://h.example"),
            ("https://h.example/mcp", "https://h.example/mcp"),
            ("https://h.example/mcp/", "https://h.example/mcp/"),
            (
                "https://u:p@h.example/mcp?a=b#c",
                "https://h.example/mcp?a=b",
            ),
            ("http://localhost:3000/", "http://localhost:3000"),
        ] {
            assert_eq!(canonical(&Url::parse(server).unwrap()), named);
        }
    }

    #[test]
    fn a_refusal_hides_what_an_address_may_hold() {
        let error = ground("https://h.example")
            .endpoint("https://user:hunter2hunter2@h.example/?token=canary-canary")
            .unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(!text.contains("hunter2"), "{text}");
        assert!(!text.contains("canary"), "{text}");
    }
}
