//! The client that the official conformance suite tests: it begins, signs in where that is wanted, lists, and uses what it finds.
//!
//! The suite names the scenario and the revision in variables and the server as the last argument. Tokens are kept in memory, and
//! sign-ins need nobody: the suite's authorization servers ask nothing.

#![expect(clippy::indexing_slicing, reason = "what JSON does not have is null")]

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use muster_client::http::Remote;
use muster_client::net::Net;
use muster_client::oauth::{
    Access, Account, Gate, Given, Held, Keeper, KeeperError, Nobody, SigningKey,
};
use muster_client::{
    Address, Ask, BoxFuture, Connection, Era, EraChoice, First, Handler, Limits, List, Manner,
    Refusal, Session, Teller, Version, over_http,
};
use muster_core::{Environment, Transport};
use muster_document::Secret;
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use url::Url;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// Where the suite's authorization servers send answers.
const REDIRECT: &str = "http://localhost:3000/callback";
/// The document that the suite's authorization servers know the client by.
const DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";
/// How long everything may take.
const TIME: Duration = Duration::from_secs(90);

/// What the suite says.
struct Scenario {
    name: String,
    server: Url,
    choice: EraChoice,
    context: Value,
}

fn main() -> Result {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async { Scenario::read()?.play().await })
}

impl Scenario {
    fn read() -> Result<Scenario> {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let server = std::env::args().next_back().unwrap_or_default();
        let detects = !variable("MUSTER_CONFORMANCE_DETECT").is_empty();
        let version = Version::parse(&variable("MCP_CONFORMANCE_PROTOCOL_VERSION"));
        let context = variable("MCP_CONFORMANCE_CONTEXT");
        Ok(Scenario {
            name: variable("MCP_CONFORMANCE_SCENARIO"),
            server: Url::parse(&server)?,
            choice: match version {
                Some(version) if !detects => EraChoice::Pinned(version.era()),
                _ => EraChoice::Detect,
            },
            context: serde_json::from_str(&context).unwrap_or_default(),
        })
    }

    async fn play(&self) -> Result {
        let net = Net::new(&Environment::default())?;
        let remote = Remote {
            authorizer: Some(Arc::new(self.gate(&net).await?)),
            ..Remote::at(self.server.as_str())
        };
        let address = Address {
            net: &net,
            remote: &remote,
            transport: Transport::Http,
            fallback: None,
            first: First::Discover,
            // Servers of the legacy era may ask over the stream that belongs to no request.
            listens: true,
        };
        let manner = Manner {
            handler: Arc::new(Agreeable),
            strict: true,
            ..Manner::default()
        };
        let (teller, deadline) = (Teller::silent("server"), Instant::now() + TIME);
        let Connection { session, facts } =
            over_http(&address, &manner, self.choice, &teller, deadline).await?;
        let used = self
            .use_server(&session, &facts.capabilities, deadline)
            .await;
        session.close().await;
        used
    }

    /// The way in: as the client that the suite gave, as one that signs in for itself, or as one that has a document.
    async fn gate(&self, net: &Net) -> Result<Gate> {
        let text = |field: &str| self.context.get(field).and_then(Value::as_str);
        let given = Given {
            id: text("client_id").map(str::to_owned),
            secret: text("client_secret").map(Secret::new),
            issuer: None,
            document: Some(DOCUMENT.to_owned()),
        };
        let keeper = Arc::new(Memory::default());
        let access =
            Access::new(net.clone(), keeper, Arc::new(now), &self.server).with(given, None);
        if self.name.starts_with("auth/client-credentials") {
            let (_, bearer) = access.challenge(&[]).await?;
            let algorithm = text("signing_algorithm").unwrap_or("ES256");
            let key =
                text("private_key_pem").map(|pem| SigningKey::read(&Secret::new(pem), algorithm));
            access
                .sign_in_as_client(bearer.as_ref(), key.transpose()?.as_ref())
                .await?;
            return Ok(Gate::new(access));
        }
        let nobody = Nobody {
            net: net.clone(),
            redirect: REDIRECT.to_owned(),
        };
        Ok(Gate::with_agent(access, Arc::new(nobody)))
    }

    async fn use_server(
        &self,
        session: &Session,
        capabilities: &Value,
        deadline: Instant,
    ) -> Result {
        let limits = Limits::default();
        let tools = session.list(List::Tools, deadline).await?.items;
        if self.name == "json-schema-ref-no-deref" {
            return Ok(());
        }
        let named = |name: &str| tools.iter().find(|tool| tool["name"] == name);
        let patience = Ask::new("tools/call", json!({}), &limits);
        if self.name == "json-schema-2020-12-preservation" {
            let focal = named("json_schema_2020_12_tool").ok_or("there is no such tool")?;
            let echo = named("json_schema_echo").ok_or("there is no such tool")?;
            let arguments = object(json!({"schema": focal["inputSchema"]}));
            session.call_tool(echo, arguments, &patience).await?;
            return Ok(());
        }
        match self.context.get("toolCalls").and_then(Value::as_array) {
            Some(calls) => {
                for call in calls {
                    let name = call["name"].as_str().unwrap_or_default();
                    let tool = named(name).ok_or("a tool to call is not there")?;
                    let arguments = object(call["arguments"].clone());
                    // Some are there to be refused.
                    let _ = session.call_tool(tool, arguments, &patience).await;
                }
            }
            None => {
                for tool in &tools {
                    let arguments = arguments(&tool["inputSchema"]);
                    session.call_tool(tool, arguments, &patience).await?;
                }
            }
        }
        self.look_around(session, capabilities, deadline).await
    }

    /// Reads and gets what else is declared.
    async fn look_around(
        &self,
        session: &Session,
        capabilities: &Value,
        deadline: Instant,
    ) -> Result {
        let limits = Limits::default();
        if capabilities.get("resources").is_some() {
            for resource in session.list(List::Resources, deadline).await?.items {
                let ask = Ask::new("resources/read", json!({"uri": resource["uri"]}), &limits);
                session.ask_in_rounds(ask).await?;
            }
        }
        if capabilities.get("prompts").is_some() {
            for prompt in session.list(List::Prompts, deadline).await?.items {
                let ask = Ask::new("prompts/get", json!({"name": prompt["name"]}), &limits);
                session.ask_in_rounds(ask).await?;
            }
        }
        Ok(())
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// Arguments that `schema` requires.
fn arguments(schema: &Value) -> Map<String, Value> {
    let required = schema.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    names
        .map(|name| (name.to_owned(), value(&schema["properties"][name])))
        .collect()
}

/// A value as `schema` has it: its default, or the first that comes to mind.
fn value(schema: &Value) -> Value {
    if let Some(default) = schema.get("default") {
        return default.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("number" | "integer") => json!(2),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!("text"),
    }
}

/// Agrees to everything, with the defaults of what is asked.
#[derive(Debug)]
struct Agreeable;

impl Handler for Agreeable {
    fn capabilities(&self, era: Era) -> Value {
        match era {
            Era::Modern => json!({"elicitation": {"form": {}}}),
            Era::Legacy => json!({"elicitation": {}}),
        }
    }

    fn answers(&self, method: &str) -> bool {
        method == "elicitation/create"
    }

    fn answer<'a>(
        &'a self,
        method: &'a str,
        params: Value,
    ) -> BoxFuture<'a, std::result::Result<Value, Refusal>> {
        Box::pin(async move {
            if !self.answers(method) {
                return Err(Refusal::unknown(method));
            }
            let schema = params["requestedSchema"].clone();
            let properties = object(schema["properties"].clone());
            let required = |name: &str| {
                let required = schema["required"].as_array();
                required.is_some_and(|required| required.iter().any(|own| own == name))
            };
            let content: Map<String, Value> = properties
                .iter()
                .filter(|(name, schema)| schema.get("default").is_some() || required(name))
                .map(|(name, schema)| (name.clone(), value(schema)))
                .collect();
            Ok(json!({"action": "accept", "content": content}))
        })
    }
}

/// Keeps sign-ins for one run.
#[derive(Debug, Default)]
struct Memory(Mutex<BTreeMap<String, Secret>>);

impl Keeper for Memory {
    fn load(&self, account: &Account) -> std::result::Result<Option<Secret>, KeeperError> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(kept.get(account.as_str()).cloned())
    }

    fn save(&self, account: &Account, text: &Secret) -> std::result::Result<(), KeeperError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(account.as_str().to_owned(), text.clone());
        Ok(())
    }

    fn remove(&self, account: &Account) -> std::result::Result<(), KeeperError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(account.as_str());
        Ok(())
    }

    fn lock(&self, _: &Account, _: Duration) -> std::result::Result<Held, KeeperError> {
        // Nobody else is here.
        Ok(Box::new(()))
    }
}
