//! Proxies, as the environment says: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in either case, the lower one first.
//!
//! A proxy resolves names itself. What [`super::resolve`] refuses then stays unseen; addresses in URLs are still refused here, and so are
//! the known names of metadata services.

use muster_core::Environment;
use reqwest::{NoProxy, Proxy};
use url::Url;

use super::NetError;

/// Hosts that are never asked for through a proxy, which would reach its own machine under these names.
const OWN: &str = "localhost,127.0.0.0/8,::1";

/// What the environment says about proxies.
#[derive(Clone, Default)]
pub(super) struct Proxies {
    pub(super) all: Vec<Proxy>,
    /// The hosts of the proxies themselves.
    pub(super) hosts: Vec<String>,
}

impl Proxies {
    pub(super) fn of(env: &Environment) -> Result<Proxies, NetError> {
        let mut proxies = Proxies::default();
        let exempt = either(env, "no_proxy").map(|(_, value)| value);
        let exempt = format!("{OWN},{}", exempt.unwrap_or_default());
        type Make = fn(Url) -> reqwest::Result<Proxy>;
        let makers: [(&str, Make); 3] = [
            ("https_proxy", Proxy::https::<Url>),
            ("http_proxy", Proxy::http::<Url>),
            // The first that fits is taken.
            ("all_proxy", Proxy::all::<Url>),
        ];
        for (name, make) in makers {
            let Some((name, value)) = either(env, name) else {
                continue;
            };
            let proxy = parse(value).and_then(|url| {
                let host = url.host_str()?.to_owned();
                Some((host, make(url).ok()?))
            });
            // The value may hold a password.
            let Some((host, proxy)) = proxy else {
                return Err(NetError::Proxy { variable: name });
            };
            proxies.hosts.push(host);
            let proxy = proxy.no_proxy(NoProxy::from_string(&exempt));
            proxies.all.push(proxy);
        }
        Ok(proxies)
    }
}

/// The variable `name` in lower or upper case, with its name as it is written.
fn either<'e>(env: &'e Environment, name: &str) -> Option<(String, &'e str)> {
    [name.to_owned(), name.to_ascii_uppercase()]
        .into_iter()
        .find_map(|name| env.filled(&name).map(|value| (name, value)))
}

/// `http://proxy:3128`, `socks5h://…`, or `proxy:3128` as curl understands it.
fn parse(value: &str) -> Option<Url> {
    let value = value.trim();
    let url = match value.contains("://") {
        true => Url::parse(value),
        false => Url::parse(&format!("http://{value}")),
    };
    let known = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    url.ok()
        .filter(|url| known.contains(&url.scheme()) && url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(variables: &[(&str, &str)]) -> Result<Proxies, NetError> {
        Proxies::of(&variables.iter().copied().collect())
    }

    #[test]
    fn the_lower_case_variable_comes_first_and_empty_ones_count_as_unset() {
        let hosts = |variables: &[(&str, &str)]| proxies(variables).unwrap().hosts;
        assert_eq!(hosts(&[]), Vec::<String>::new());
        assert_eq!(
            hosts(&[
                ("https_proxy", "http://low:1"),
                ("HTTPS_PROXY", "http://up:1")
            ]),
            ["low"]
        );
        assert_eq!(
            hosts(&[("https_proxy", ""), ("HTTPS_PROXY", "up:3128")]),
            ["up"]
        );
        assert_eq!(
            hosts(&[
                ("ALL_PROXY", "socks5h://u:p@all:1"),
                ("HTTP_PROXY", "http://plain")
            ]),
            ["plain", "all"]
        );
    }

    #[test]
    fn an_unusable_proxy_is_told_by_its_variable_alone() {
        for value in ["http://", "ftp://user:hunter2@p", "http://[", "::::"] {
            let error = proxies(&[("HTTPS_PROXY", value)]).err().unwrap();
            assert_eq!(
                error.to_string(),
                "HTTPS_PROXY names no proxy that can be used"
            );
        }
    }
}
