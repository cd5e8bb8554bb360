//! From names to addresses: the one place where that is done, and where the addresses are judged that will be connected to.
//!
//! A check before the connection would be worth nothing: the name may mean something else a moment later (DNS rebinding). So the client
//! asks here, connects to what comes out, and to nothing else.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::oneshot;

use super::address::Locality;
use super::reach::{Reach, Refused};
use crate::BoxFuture;

/// Finds the addresses of a name.
pub trait Lookup: Send + Sync {
    /// The addresses of `host`, with port 0.
    fn lookup<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>>;
}

/// As the system does it: `getaddrinfo`, on a thread of its own. One of the runtime's would keep the program from ending for as long as
/// the system waits for a name server, long after nobody waits for the answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        let host = host.to_owned();
        Box::pin(async move {
            let (tell, told) = oneshot::channel();
            std::thread::Builder::new()
                .name("resolver".to_owned())
                .spawn(move || {
                    let found = (host.as_str(), 0).to_socket_addrs().map(Iterator::collect);
                    // Whoever does not wait any more does not care.
                    _ = tell.send(found);
                })?;
            told.await.map_err(io::Error::other)?
        })
    }
}

/// Resolves names for the connections of one client, as far as they may lead.
pub(super) struct Resolver {
    pub(super) lookup: Arc<dyn Lookup>,
    pub(super) reach: Reach,
    /// Hosts that the user's own settings name: proxies, which stand in private networks.
    pub(super) spared: Arc<[String]>,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, reach, spared) = (self.lookup.clone(), self.reach, self.spared.clone());
        Box::pin(async move {
            let host = name.as_str();
            let found = lookup.lookup(host).await?;
            let spared = spared.iter().any(|own| own.eq_ignore_ascii_case(host));
            let allowed = match spared {
                true => found,
                false => judge(host, reach, found)?,
            };
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// The addresses among `found` that may be connected to.
fn judge(host: &str, reach: Reach, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Refused> {
    // One wrong address is enough: a name with a public and a private one is an attack, or soon will be.
    let refused = found
        .iter()
        .map(|address| Locality::of(address.ip()))
        .find(|locality| !reach.allows(*locality));
    match refused {
        None => Ok(found),
        Some(locality) => Err(Refused::Locality {
            host: host.to_owned(),
            locality,
        }),
    }
}
