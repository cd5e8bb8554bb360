//! The HTTP client.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use muster_core::Environment;
use reqwest::redirect::Policy;

use super::proxy::Proxies;
use super::reach::Reach;
use super::resolve::{Lookup, Resolver, SystemLookup};
use super::roots::Roots;

/// How long a connection may take to come about, encryption included.
const CONNECT: Duration = Duration::from_secs(10);

/// How long an idle connection is kept: less than Node's servers keep it (5 s), which may close it while a request is on its way.
const IDLE: Duration = Duration::from_secs(4);

/// Why nothing can be asked for at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// A variable names no proxy.
    #[error("{variable} names no proxy that can be used")]
    Proxy {
        /// The variable.
        variable: String,
    },
    /// Encryption cannot be set up; why.
    #[error("no encrypted connections: {0}")]
    Tls(String),
}

/// The way into the network. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Net {
    inner: Arc<Inner>,
}

struct Inner {
    proxies: Proxies,
    spared: Arc<[String]>,
    roots: Roots,
    lookup: Arc<dyn Lookup>,
    made: Mutex<Made>,
}

/// What was made so far.
#[derive(Default)]
struct Made {
    tls: Option<rustls::ClientConfig>,
    clients: Vec<(Reach, reqwest::Client)>,
}

impl Net {
    /// A way into the network as `env` says: proxies, certificates.
    ///
    /// # Errors
    /// Where a proxy is named that cannot be used: going around it is not what was asked for.
    pub fn new(env: &Environment) -> Result<Net, NetError> {
        Net::with_lookup(env, Arc::new(SystemLookup))
    }

    /// The same, with names looked up by `lookup`.
    ///
    /// # Errors
    /// As [`Net::new`].
    pub fn with_lookup(env: &Environment, lookup: Arc<dyn Lookup>) -> Result<Net, NetError> {
        let proxies = Proxies::of(env)?;
        let inner = Inner {
            spared: proxies.hosts.clone().into(),
            proxies,
            roots: Roots::of(env),
            lookup,
            made: Mutex::default(),
        };
        Ok(Net {
            inner: Arc::new(inner),
        })
    }

    /// A client whose connections lead as far as `reach`. Addresses in URLs must have been judged: nobody resolves them.
    ///
    /// # Errors
    /// Where encryption cannot be set up.
    pub(crate) fn client(&self, reach: Reach) -> Result<reqwest::Client, NetError> {
        let mut made = self
            .inner
            .made
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((_, client)) = made.clients.iter().find(|(known, _)| *known == reach) {
            return Ok(client.clone());
        }
        let tls = match &made.tls {
            Some(tls) => tls.clone(),
            None => made.tls.insert(self.inner.roots.clone().config()?).clone(),
        };
        // A client of its own for each reach: a connection that one may make is no other's to use.
        let client = self.build(reach, tls)?;
        made.clients.push((reach, client.clone()));
        Ok(client)
    }

    fn build(&self, reach: Reach, tls: rustls::ClientConfig) -> Result<reqwest::Client, NetError> {
        let resolver = Resolver {
            lookup: self.inner.lookup.clone(),
            reach,
            spared: self.inner.spared.clone(),
        };
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(Arc::new(resolver))
            .redirect(Policy::none())
            .referer(false)
            // A request is said once; whether it may be said again is not the client's to judge.
            .retry(reqwest::retry::never())
            .user_agent(concat!("muster/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .pool_idle_timeout(IDLE)
            .no_proxy();
        for proxy in &self.inner.proxies.all {
            builder = builder.proxy(proxy.clone());
        }
        builder
            .build()
            .map_err(|error| NetError::Tls(error.without_url().to_string()))
    }
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net")
            .field("proxies", &self.inner.proxies.hosts)
            .field("roots", &self.inner.roots)
            .finish_non_exhaustive()
    }
}
