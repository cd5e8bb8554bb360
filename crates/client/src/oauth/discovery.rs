//! Who issues tokens for a server: its own metadata, then that of its authorization server; where a server knows no such documents, the
//! rules of 2025-03-26.

use serde_json::Value;

use super::endpoint::{self, Endpoint, EndpointError, Ground};
use super::metadata::{AuthorizationServer, Issuer, MetadataError, ProtectedResource};
use super::{Bearer, Scopes};
use crate::net::{Fetch, FetchError, Net, Redirects};

/// What was found about a server.
#[derive(Debug, Clone)]
pub struct Found {
    /// What the server is called as a resource.
    pub resource: String,
    /// The scopes that it lists.
    pub scopes: Option<Scopes>,
    /// Who issues its tokens.
    pub server: AuthorizationServer,
}

/// Why nobody was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiscoveryError {
    /// The address that the server gives for its metadata may not be opened.
    #[error("the address that the server gives for its metadata is refused: {0}")]
    Address(#[source] EndpointError),
    /// The metadata of the server is not used.
    #[error("the server's metadata is refused: {0}")]
    Resource(MetadataError),
    /// The metadata of the authorization server is not used.
    #[error("the metadata of its authorization server `{host}` is refused: {why}")]
    Server {
        /// Who.
        host: String,
        /// Why.
        why: MetadataError,
    },
    /// A document could not be fetched.
    #[error("metadata of `{host}` could not be fetched: {why}")]
    Fetch {
        /// From whom.
        host: String,
        /// Why.
        why: FetchError,
    },
    /// A server failed when asked for a document.
    #[error("`{host}` answers with HTTP {status} where its metadata should be")]
    Status {
        /// Who.
        host: String,
        /// How.
        status: u16,
    },
    /// There is no document where one was said to be.
    #[error("`{0}` has no metadata where it should be")]
    Absent(String),
}

impl DiscoveryError {
    /// Whether the server says that it is another one than it was called as.
    pub fn is_mismatch(&self) -> bool {
        matches!(
            self,
            DiscoveryError::Resource(MetadataError::OtherResource { .. })
        )
    }
}

/// What became of looking for a document.
enum Looked {
    /// Here it is.
    There(Value),
    /// There is none, or something that is none.
    Absent,
}

/// Finds who issues tokens for the server of `ground`. `preferred` says which of several issuers is known already.
///
/// # Errors
/// Where nobody is found, or what is found may not be trusted.
pub async fn discover(
    net: &Net,
    ground: &Ground,
    bearer: Option<&Bearer>,
    preferred: impl Fn(&str) -> bool,
) -> Result<Found, DiscoveryError> {
    let Some(resource) = protected_resource(net, ground, bearer).await? else {
        return before_2025_06_18(net, ground).await;
    };
    let (known, others): (Vec<&Issuer>, Vec<&Issuer>) = resource
        .authorization_servers
        .iter()
        .partition(|issuer| preferred(&issuer.id));
    let mut fault = None;
    for issuer in known.into_iter().chain(others) {
        match authorization_server(net, ground, issuer).await {
            Ok(server) => {
                return Ok(Found {
                    resource: resource.resource,
                    scopes: resource.scopes,
                    server,
                });
            }
            Err(error) => {
                fault.get_or_insert(error);
            }
        }
    }
    Err(fault.unwrap_or(DiscoveryError::Resource(
        MetadataError::NoAuthorizationServer(None),
    )))
}

/// The server's own metadata; `None` if it has none anywhere, nor says that it has.
async fn protected_resource(
    net: &Net,
    ground: &Ground,
    bearer: Option<&Bearer>,
) -> Result<Option<ProtectedResource>, DiscoveryError> {
    let named = bearer.and_then(|bearer| bearer.resource_metadata.as_deref());
    let named = named
        .map(|text| ground.endpoint_or_own(text))
        .transpose()
        .map_err(DiscoveryError::Address)?;
    for place in named.iter().chain(&ground.resource_metadata()) {
        if let Looked::There(document) = look(net, place).await? {
            let read = ProtectedResource::read(&document, ground);
            return read.map(Some).map_err(DiscoveryError::Resource);
        }
    }
    match named {
        Some(place) => Err(DiscoveryError::Absent(place.host())),
        None => Ok(None),
    }
}

async fn authorization_server(
    net: &Net,
    ground: &Ground,
    issuer: &Issuer,
) -> Result<AuthorizationServer, DiscoveryError> {
    let mut fault = None;
    for place in endpoint::issuer_metadata(&issuer.at) {
        match look(net, &place).await {
            Ok(Looked::There(document)) => {
                match AuthorizationServer::read(&document, &issuer.id, ground) {
                    Ok(server) => return Ok(server),
                    Err(why) => {
                        fault.get_or_insert(DiscoveryError::Server {
                            host: issuer.at.host(),
                            why,
                        });
                    }
                }
            }
            Ok(Looked::Absent) => {}
            Err(error) => {
                fault.get_or_insert(error);
            }
        }
    }
    Err(fault.unwrap_or_else(|| DiscoveryError::Absent(issuer.at.host())))
}

/// A server without metadata is its own authorization server: with metadata of that at its origin, or with default addresses (MCP
/// 2025-03-26, "Server Metadata Discovery").
async fn before_2025_06_18(net: &Net, ground: &Ground) -> Result<Found, DiscoveryError> {
    let origin = ground.origin();
    let at = ground.endpoint(&origin).map_err(DiscoveryError::Address)?;
    let issuer = Issuer { id: origin, at };
    let server = match authorization_server(net, ground, &issuer).await {
        Ok(server) => server,
        Err(DiscoveryError::Absent(_)) => {
            AuthorizationServer::by_default(ground).map_err(DiscoveryError::Address)?
        }
        Err(error) => return Err(error),
    };
    Ok(Found {
        resource: ground.resource(),
        scopes: None,
        server,
    })
}

/// Looks for a document. A page is none, whatever its status: many servers answer unknown paths with their start page.
async fn look(net: &Net, place: &Endpoint) -> Result<Looked, DiscoveryError> {
    let fetch = Fetch::get(place.url().clone(), place.reach()).following(Redirects::SameOrigin);
    let document = net
        .fetch(&fetch)
        .await
        .map_err(|why| DiscoveryError::Fetch {
            host: place.host(),
            why,
        })?;
    if document.status >= 500 || document.status == 429 {
        return Err(DiscoveryError::Status {
            host: place.host(),
            status: document.status,
        });
    }
    if !document.is_success() {
        return Ok(Looked::Absent);
    }
    let value = serde_json::from_slice(&document.body).ok();
    Ok(match value {
        Some(value @ Value::Object(_)) => Looked::There(value),
        _ => Looked::Absent,
    })
}
