//! What a server of the official Rust SDK does here, whatever the way to it.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
    Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use serde_json::json;

/// A server of the SDK that speaks the revisions up to `newest`.
#[derive(Clone)]
pub(crate) struct Sdk {
    pub(crate) newest: usize,
}

impl ServerHandler for Sdk {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("sdk", "3.11.0"))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(&ProtocolVersion::KNOWN_VERSIONS[..self.newest])
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
        let tool = |name: &'static str| {
            Tool::new(
                name,
                "Says it again.",
                Arc::new(schema.as_object().unwrap().clone()),
            )
        };
        let cursor = request.and_then(|request| request.cursor);
        let mut result = ListToolsResult::with_all_items(match cursor {
            None => vec![tool("echo")],
            Some(_) => vec![tool("shout")],
        });
        result.next_cursor = cursor.is_none().then(|| "more".to_owned());
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = json!(request.arguments).to_string();
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}
