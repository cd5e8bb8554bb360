//! How far a URL may lead.
//!
//! What its user configured may lead anywhere: it is theirs to say. What a *server* says (an endpoint, metadata, an authorization
//! server, an icon) may not make Muster knock at doors that the server itself could not reach: server-side request forgery. Names are
//! looked at where they are resolved to connect ([`super::resolve`]), addresses in a URL here, since nobody resolves them.

use std::net::IpAddr;

use url::{Host, Url};

use super::address::Locality;

/// How far the connections of one client may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reach {
    /// Anywhere.
    Anywhere,
    /// Anywhere but to link-local and metadata addresses.
    Local,
    /// Only into the Internet.
    Internet,
}

impl Reach {
    /// Whether a place of this kind may be connected to.
    pub fn allows(self, locality: Locality) -> bool {
        match self {
            Reach::Anywhere => true,
            Reach::Local => locality <= Locality::Loopback,
            Reach::Internet => locality == Locality::Public,
        }
    }
}

/// Why a URL is not asked for. Holds no path, query or user of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Only `http` and `https` are.
    #[error("{0} is no address of the web")]
    Scheme(String),
    /// Nobody can be called.
    #[error("the address names no host")]
    NoHost,
    /// Unencrypted, and not to this machine.
    #[error("{0} would be called without encryption")]
    Unencrypted(String),
    /// It leads where a server is not to send us.
    #[error("{host} is at a {} address, where a server is not to send its clients", .locality.as_str())]
    Locality {
        /// The host.
        host: String,
        /// What kind of place it is.
        locality: Locality,
    },
    /// It is of another origin than it must be.
    #[error("{found} is another origin than {expected}")]
    Origin {
        /// The origin that it has.
        found: String,
        /// The origin that it must have.
        expected: String,
    },
}

/// Names of metadata services, for where a proxy resolves names and nobody here sees the address.
const METADATA_NAMES: &[&str] = &["metadata.google.internal", "metadata.goog", "instance-data"];

/// Judges the URLs of one conversation: the one that was configured, and those that were learned through it.
#[derive(Debug, Clone)]
pub struct Bounds {
    configured: Url,
    local: bool,
}

impl Bounds {
    /// Bounds of what is learned through `configured`. `local_networks` says that the user allows private addresses and this machine;
    /// they are allowed as well where `configured` itself is such an address, or `localhost`. Link-local and metadata addresses never are.
    pub fn around(configured: &Url, local_networks: bool) -> Bounds {
        let local = match configured.host() {
            Some(Host::Domain(name)) => is_localhost(name),
            Some(host) => address(&host).is_some_and(|address| {
                matches!(
                    Locality::of(address),
                    Locality::Loopback | Locality::Private
                )
            }),
            None => false,
        };
        Bounds {
            configured: configured.clone(),
            local: local || local_networks,
        }
    }

    /// The URL that was configured.
    pub fn configured(&self) -> &Url {
        &self.configured
    }

    /// How far the connection to `learned`, a URL that a server told, may lead.
    ///
    /// # Errors
    /// Where it is not to be asked for at all.
    pub fn judge(&self, learned: &Url) -> Result<Reach, Refused> {
        let own = same_origin(learned, &self.configured);
        // The server's own address may be in a private network: it is called there anyway. It may not turn into that of a metadata
        // service meanwhile.
        let reach = match own || self.local {
            true => Reach::Local,
            false => Reach::Internet,
        };
        let Some(host) = learned.host() else {
            return Err(match is_web(learned) {
                true => Refused::NoHost,
                false => Refused::Scheme(learned.scheme().to_owned()),
            });
        };
        if !is_web(learned) {
            return Err(Refused::Scheme(learned.scheme().to_owned()));
        }
        let locality = match &host {
            Host::Domain(name) if is_localhost(name) => Some(Locality::Loopback),
            Host::Domain(name) if METADATA_NAMES.iter().any(|known| is_name(name, known)) => {
                Some(Locality::LinkLocal)
            }
            Host::Domain(_) => None,
            host => address(host).map(Locality::of),
        };
        if let Some(locality) = locality.filter(|locality| !reach.allows(*locality)) {
            return Err(Refused::Locality {
                host: host.to_string(),
                locality,
            });
        }
        if learned.scheme() == "http" && locality != Some(Locality::Loopback) && !own {
            return Err(Refused::Unencrypted(host.to_string()));
        }
        Ok(reach)
    }

    /// Requires `learned` to be of the origin that was configured.
    ///
    /// # Errors
    /// Where it is not.
    pub fn same_origin(&self, learned: &Url) -> Result<(), Refused> {
        match same_origin(learned, &self.configured) {
            true => Ok(()),
            false => Err(Refused::Origin {
                found: origin(learned),
                expected: origin(&self.configured),
            }),
        }
    }
}

/// Whether both URLs have scheme, host and port in common. Opaque origins (`file:`, `data:`) equal nothing.
pub fn same_origin(one: &Url, other: &Url) -> bool {
    one.origin().is_tuple() && one.origin() == other.origin()
}

/// `https://host:8443`, which is fit to be shown of any URL.
pub fn origin(url: &Url) -> String {
    match url.origin().is_tuple() {
        true => url.origin().ascii_serialization(),
        false => format!("{}:", url.scheme()),
    }
}

/// Whether `name` always means this machine (RFC 6761).
pub fn is_localhost(name: &str) -> bool {
    is_name(name, "localhost") || {
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        name.ends_with(".localhost")
    }
}

/// Whether what `url` names is this machine, by its looks.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_localhost(name),
        Some(host) => address(&host)
            .is_some_and(|address| matches!(Locality::of(address), Locality::Loopback)),
        None => false,
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

fn is_name(name: &str, known: &str) -> bool {
    name.trim_end_matches('.').eq_ignore_ascii_case(known)
}

fn address<S>(host: &Host<S>) -> Option<IpAddr> {
    match host {
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(configured: &str, learned: &str) -> Result<Reach, String> {
        let configured = Url::parse(configured).unwrap();
        let bounds = Bounds::around(&configured, false);
        let judged = bounds.judge(&Url::parse(learned).unwrap());
        judged.map_err(|refused| refused.to_string())
    }

    #[test]
    fn a_remote_server_sends_nobody_into_private_networks() {
        let remote = "https://mcp.example.com/mcp";
        let to = |learned: &str| judge(remote, learned);
        assert_eq!(to("https://auth.example.com/x"), Ok(Reach::Internet));
        assert_eq!(to("https://mcp.example.com/x"), Ok(Reach::Local));
        let away = |host: &str, kind: &str| {
            Err(format!(
                "{host} is at a {kind} address, where a server is not to send its clients"
            ))
        };
        assert_eq!(to("https://10.0.0.1/a"), away("10.0.0.1", "private"));
        assert_eq!(to("https://0x0a.1/a"), away("10.0.0.1", "private"));
        assert_eq!(to("https://2130706433/a"), away("127.0.0.1", "loopback"));
        assert_eq!(
            to("https://[::ffff:7f00:1]/"),
            away("[::ffff:7f00:1]", "loopback")
        );
        assert_eq!(to("http://localhost:1/"), away("localhost", "loopback"));
        assert_eq!(
            to("https://a.LocalHost./"),
            away("a.localhost.", "loopback")
        );
        let metadata = "link-local or metadata";
        assert_eq!(
            to("http://169.254.169.254/latest"),
            away("169.254.169.254", metadata)
        );
        assert_eq!(
            to("https://metadata.google.internal/"),
            away("metadata.google.internal", metadata)
        );
        assert_eq!(
            to("http://auth.example.com/?key=1"),
            Err("auth.example.com would be called without encryption".to_owned())
        );
    }

    #[test]
    fn only_addresses_of_the_web_are_asked_for() {
        for learned in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "gopher://x",
            "data:,x",
        ] {
            let scheme = learned.split(':').next().unwrap();
            let expected = Err(format!("{scheme} is no address of the web"));
            assert_eq!(
                judge("http://127.0.0.1:1/mcp", learned),
                expected,
                "{learned}"
            );
        }
    }

    #[test]
    fn a_server_at_home_may_send_home_but_not_to_metadata() {
        for home in [
            "http://localhost:3000/mcp",
            "http://127.0.0.1/",
            "http://192.168.1.5/mcp",
        ] {
            assert_eq!(
                judge(home, "http://127.0.0.1:9/"),
                Ok(Reach::Local),
                "{home}"
            );
            assert_eq!(judge(home, "https://10.0.0.1/"), Ok(Reach::Local), "{home}");
            assert_eq!(
                judge(home, "https://example.com/"),
                Ok(Reach::Local),
                "{home}"
            );
            assert!(judge(home, "http://169.254.169.254/").is_err(), "{home}");
            assert!(judge(home, "http://[fd00:ec2::254]/").is_err(), "{home}");
        }
        let remote = Url::parse("https://mcp.example.com/").unwrap();
        let opted_in = Bounds::around(&remote, true);
        let at = |url: &str| opted_in.judge(&Url::parse(url).unwrap());
        assert_eq!(at("https://10.0.0.1/"), Ok(Reach::Local));
        assert!(at("http://10.0.0.1/").is_err());
        assert!(at("https://169.254.169.254/").is_err());
    }

    #[test]
    fn origins_are_scheme_host_and_port() {
        let configured = Url::parse("https://mcp.example.com/mcp").unwrap();
        let bounds = Bounds::around(&configured, false);
        let check = |url: &str| bounds.same_origin(&Url::parse(url).unwrap()).is_ok();
        assert!(check("https://MCP.example.com:443/messages?x"));
        assert!(!check("http://mcp.example.com/messages"));
        assert!(!check("https://mcp.example.com:8443/messages"));
        assert!(!check("https://example.com/messages"));
        assert!(!same_origin(
            &Url::parse("file:///a").unwrap(),
            &Url::parse("file:///a").unwrap()
        ));
    }
}
