//! Lists of everything that a server offers, page by page, within bounds.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::http::Mirrors;
use crate::{Ask, ErrorObject, Happening, Oddity, RequestError, Session};

/// A list that servers have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum List {
    /// `tools/list`.
    Tools,
    /// `prompts/list`.
    Prompts,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    ResourceTemplates,
}

impl List {
    /// The method that gives it.
    pub const fn method(self) -> &'static str {
        match self {
            List::Tools => "tools/list",
            List::Prompts => "prompts/list",
            List::Resources => "resources/list",
            List::ResourceTemplates => "resources/templates/list",
        }
    }

    /// The field of the result that holds the items.
    pub const fn field(self) -> &'static str {
        match self {
            List::Tools => "tools",
            List::Prompts => "prompts",
            List::Resources => "resources",
            List::ResourceTemplates => "resourceTemplates",
        }
    }

    /// The field by which an item is known.
    pub const fn key(self) -> &'static str {
        match self {
            List::Tools | List::Prompts => "name",
            List::Resources => "uri",
            List::ResourceTemplates => "uriTemplate",
        }
    }

    /// The capability that a server declares for it.
    pub const fn capability(self) -> &'static str {
        match self {
            List::Tools => "tools",
            List::Prompts => "prompts",
            List::Resources | List::ResourceTemplates => "resources",
        }
    }
}

/// What a list held.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    /// Its items that are objects, have what they are known by, and may be offered over this transport, as they were sent.
    pub items: Vec<Value>,
    /// The others, with their index in the whole list.
    pub odd: Vec<(usize, Value)>,
    /// How many pages there were.
    pub pages: usize,
    /// Whether it was cut at a limit.
    pub cut: bool,
    /// Milliseconds for which the server says the first page holds; 0 where it does not say.
    pub ttl_ms: u64,
    /// Whether it says that everybody may be told the same.
    pub public: bool,
}

impl Session {
    /// The whole of `list`, gathered before `deadline`.
    ///
    /// # Errors
    /// Where a page is refused, or is none.
    pub async fn list(&self, list: List, deadline: Instant) -> Result<Listed, RequestError> {
        let mut restarted = false;
        loop {
            let mut gathering = Gathering::new(self, list, deadline);
            match gathering.gather().await {
                Err(RequestError::Refused(error))
                    if error.code == Some(ErrorObject::INVALID_PARAMS)
                        && gathering.listed.pages > 0
                        && !restarted =>
                {
                    // A cursor of its own that it does not know any more: the list changed under way.
                    gathering.warn(Oddity::RefusedCursor);
                    restarted = true;
                }
                Err(error) => return Err(error),
                Ok(()) => return Ok(gathering.listed),
            }
        }
    }
}

struct Gathering<'s> {
    session: &'s Session,
    list: List,
    deadline: Instant,
    listed: Listed,
    /// Items so far, odd ones included.
    seen: usize,
    bytes: usize,
}

impl<'s> Gathering<'s> {
    fn new(session: &'s Session, list: List, deadline: Instant) -> Self {
        Gathering {
            session,
            list,
            deadline,
            listed: Listed::default(),
            seen: 0,
            bytes: 0,
        }
    }

    fn warn(&self, oddity: Oddity) {
        self.session.teller().tell(Happening::Warned(oddity));
    }

    async fn gather(&mut self) -> Result<(), RequestError> {
        let mut cursor: Option<String> = None;
        let mut cursors = HashSet::new();
        loop {
            let mut page = self.page(cursor.as_deref()).await?;
            self.take(&mut page)?;
            self.listed.pages += 1;
            cursor = match page.get("nextCursor") {
                None => return Ok(()),
                Some(Value::Null) => {
                    let method = self.list.method();
                    self.warn(Oddity::NullCursor { method });
                    return Ok(());
                }
                // An empty text is a cursor like any other.
                Some(Value::String(next)) => Some(next.clone()),
                Some(_) => {
                    self.wrong_type("nextCursor");
                    return Ok(());
                }
            };
            if cursor
                .as_ref()
                .is_some_and(|next| !cursors.insert(next.clone()))
            {
                // What this page brought was there before.
                self.warn(Oddity::RepeatedCursor);
                self.drop_repeats();
                return Ok(());
            }
            if let Some(limit) = self.limit() {
                let method = self.list.method();
                self.warn(Oddity::CutList { method, limit });
                self.listed.cut = true;
                return Ok(());
            }
        }
    }

    fn limit(&self) -> Option<&'static str> {
        let limits = &self.session.manner().limits;
        match () {
            () if self.listed.pages >= limits.pages => Some("pages"),
            () if self.seen >= limits.items => Some("items"),
            () if self.bytes >= limits.list_bytes => Some("bytes"),
            () => None,
        }
    }

    async fn page(&self, cursor: Option<&str>) -> Result<Value, RequestError> {
        if let (List::Tools, None) = (self.list, cursor)
            && let Some(page) = self.session.take_page()
        {
            return Ok(page);
        }
        let params = match cursor {
            Some(cursor) => json!({"cursor": cursor}),
            None => json!({}),
        };
        let limits = &self.session.manner().limits;
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left < Duration::from_millis(1) {
            return Err(RequestError::TimedOut {
                method: self.list.method(),
                after: limits.listing,
            });
        }
        let ask = Ask::new(self.list.method(), params, limits).within(left);
        self.session.ask(ask).await
    }

    fn invalid(&self, why: impl Into<String>) -> RequestError {
        RequestError::Invalid {
            method: self.list.method(),
            why: why.into(),
        }
    }

    fn wrong_type(&self, field: &'static str) {
        let method = self.list.method();
        self.warn(Oddity::WrongType { method, field });
    }

    /// Moves the items out of `page`.
    fn take(&mut self, page: &mut Value) -> Result<(), RequestError> {
        match page.get("resultType") {
            None => {}
            Some(Value::String(kind)) if kind == "complete" => {}
            Some(Value::String(kind)) => {
                return Err(self.invalid(format!(
                    "has the resultType {kind:?}, which a list may not have"
                )));
            }
            Some(_) => return Err(self.invalid("has a resultType that is no text")),
        }
        let field = self.list.field();
        let items = match page.get_mut(field) {
            Some(Value::Array(items)) => std::mem::take(items),
            Some(_) => return Err(self.invalid(format!("has {field} that are no list"))),
            None => return Err(self.invalid(format!("has no {field}"))),
        };
        if self.listed.pages == 0 {
            let ttl = page.get("ttlMs").and_then(Value::as_f64).unwrap_or(0.0);
            // Negative and absurd values are bounded by the conversion.
            self.listed.ttl_ms = ttl as u64;
            self.listed.public = page.get("cacheScope").and_then(Value::as_str) == Some("public");
        }
        for item in items {
            self.bytes = self.bytes.saturating_add(weight(&item));
            self.take_item(item);
        }
        Ok(())
    }

    fn take_item(&mut self, item: Value) {
        let index = self.seen;
        self.seen += 1;
        let key = self.list.key();
        let why = match &item {
            Value::Object(object) => match object.get(key) {
                Some(Value::String(name)) => match self.refusal(object) {
                    None => {
                        if self.list == List::Tools {
                            let name = name.clone();
                            self.session.teller().tell(Happening::Tool { name });
                        }
                        self.listed.items.push(item);
                        return;
                    }
                    Some(why) => why,
                },
                Some(_) => format!("its {key} is no text"),
                None => format!("it has no {key}"),
            },
            _ => "it is no object".to_owned(),
        };
        self.listed.odd.push((index, item));
        let method = self.list.method();
        self.warn(Oddity::OddItem { method, index, why });
    }

    /// Why a tool may not be offered over HTTP (2026-07-28, schema extension). Elsewhere its marks mean nothing.
    fn refusal(&self, tool: &serde_json::Map<String, Value>) -> Option<String> {
        if self.list != List::Tools || !self.session.mirrors_parameters() {
            return None;
        }
        let error = Mirrors::of(tool.get("inputSchema")?).err()?;
        Some(error.to_string())
    }

    /// Of the items that came twice, byte for byte, only the first stay: a server that gives a page again gives its items again.
    fn drop_repeats(&mut self) {
        let mut texts = HashSet::new();
        self.listed
            .items
            .retain(|item| texts.insert(item.to_string()));
    }
}

/// About how much memory a value takes.
fn weight(value: &Value) -> usize {
    // Deep values were refused by the parser: this does not overflow.
    32 + match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| key.len() + weight(value))
            .sum(),
        _ => 0,
    }
}
