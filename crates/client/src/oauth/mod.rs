//! OAuth for servers over HTTP: MCP's authorization, revisions 2025-03-26 to 2026-07-28.
//!
//! ```text
//! 401, WWW-Authenticate ─► Bearer ─► discover ─► Found { resource, scopes, AuthorizationServer }
//!                                                  │
//!          what is kept, or who we are there ◄─────┤ registration
//!                     │                            ▼
//!  Keeper ◄── Stored ◄┴── Tokens ◄── code ◄── the browser, sent to the sign-in page
//! ```
//!
//! The parts that decide are functions over facts, without network: `challenge`, `metadata`, `endpoint`, `scope`,
//! `registration`, `response`, `token`. What a server names is opened only as an [`Endpoint`], which is an address that passed
//! the policy. Whatever could be used by somebody else (tokens, codes, verifiers, client secrets) is a `Secret`; no error holds one.

mod access;
mod agent;
mod authorizer;
mod challenge;
mod client;
mod discovery;
mod endpoint;
mod listener;
mod machine;
mod metadata;
mod pkce;
mod record;
mod registration;
mod response;
mod scope;
mod sign_in;
mod token;

pub use access::{Access, AccessError, Now, SignedOut};
pub use agent::{Door, Nobody, Person, Show, SignInPage, UserAgent, VisitError};
pub use authorizer::{Barred, Gate, SignIns, says_who_calls};
pub use challenge::{Bearer, Challenge, parse as parse_challenges};
pub use client::{AuthMethod, Client, Origin};
pub use discovery::{DiscoveryError, Found, discover};
pub use endpoint::{Endpoint, EndpointError, Ground};
pub use listener::{Listener, WaitError};
pub use machine::SigningKey;
pub use metadata::{AuthorizationServer, Issuer, MetadataError, Pkce, ProtectedResource};
pub use pkce::{NoRandomness, challenge as pkce_challenge};
pub use record::{Account, Granted, Held, Keeper, KeeperError, Seconds, Stored};
pub use registration::{Choice, ClientError, Given, choose as choose_client};
pub use response::{Param, Pending, ResponseError};
pub use scope::{ScopeSources, Scopes, choose as choose_scopes};
pub use sign_in::SignedIn;
pub use token::{Denial, TokenError, Tokens};
