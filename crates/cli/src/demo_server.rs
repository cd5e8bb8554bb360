//! A small MCP server over standard streams: what the demo and the benchmark start. It answers at once and does nothing.

use std::io::{self, BufRead, BufReader, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

/// The word that makes this program such a server.
pub(crate) const DEMO_SERVER: &str = "__demo-server";

/// Bytes of a request that are read: nobody who is well sends more.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Serves the tools called `names`, or as many as the word `N-tools` says, until its input ends.
pub(crate) fn serve(names: &[String]) -> ExitCode {
    let tools = tools(names);
    let mut input = BufReader::new(io::Read::take(io::stdin(), LONGEST));
    let mut line = String::new();
    let mut output = crate::output::messages();
    while matches!(input.read_line(&mut line), Ok(length) if length > 0) {
        if let Some(answer) = serde_json::from_str(&line)
            .ok()
            .and_then(|message| answer(&message, &tools))
        {
            // Whoever hears nothing any more has ended its input too.
            let _ = writeln!(output, "{answer}");
            let _ = output.flush();
        }
        line.clear();
    }
    ExitCode::SUCCESS
}

fn answer(message: &Value, tools: &Value) -> Option<Value> {
    let id = message.get("id")?;
    let outcome = match message.get("method").and_then(Value::as_str)? {
        "initialize" => Ok(json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "muster demo", "version": muster_report::VERSION},
        })),
        "tools/list" => Ok(json!({"tools": tools})),
        "ping" => Ok(json!({})),
        "tools/call" => Ok(json!({"content": [{"type": "text", "text": "This is only a demo."}]})),
        _ => Err(json!({"code": -32601, "message": "the demo does not know that"})),
    };
    Some(match outcome {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    })
}

fn tools(names: &[String]) -> Value {
    let tool = |name: &str| {
        json!({
            "name": name,
            "description": format!("What `{name}` of the demo does: nothing at all."),
            "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
        })
    };
    let mut tools = Vec::new();
    for name in names {
        match name
            .strip_suffix("-tools")
            .and_then(|count| count.parse::<usize>().ok())
        {
            Some(count) => tools.extend((0..count).map(|at| tool(&format!("tool_{at}")))),
            None => tools.push(tool(name)),
        }
    }
    Value::Array(tools)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_offers_what_its_words_say() {
        let tools = tools(&["query".to_owned(), "3-tools".to_owned()]);
        let names: Vec<&str> = tools
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["query", "tool_0", "tool_1", "tool_2"]);
        let asked = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
        let answer = answer(&asked, &tools).unwrap();
        assert_eq!(answer["id"], 7);
        assert_eq!(answer["result"]["tools"], tools);
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(super::answer(&told, &tools), None);
    }
}
