//! Files of which the checks of servers that were started tell: what is wrong is the server, so that several show the same.

use muster_core::Example;

/// A server that logs to its output.
pub(crate) const NOISE: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "db": { "command": "db-mcp", "args": ["--log-to-stdout"] }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "db": { "command": "db-mcp", "args": ["--log-to-stderr"] }
  }
}
"#,
    besides: &[],
};

/// A package that is not there.
pub(crate) const FAILS: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/no-such-server"] }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db-server"] }
  }
}
"#,
    besides: &[],
};

/// A package that is fetched at every start.
pub(crate) const SLOW: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db-server@latest"] }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "db": { "command": "/usr/local/bin/db-server" }
  }
}
"#,
    besides: &[],
};

/// A server that runs elsewhere.
pub(crate) const ELSEWHERE: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "docs": { "type": "http", "url": "https://docs.example/mcp" }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "docs": {
      "type": "http",
      "url": "https://docs.example/mcp",
      "headers": { "Authorization": "Bearer ${DOCS_TOKEN}" }
    }
  }
}
"#,
    besides: &[],
};

/// A version of a server that has a fault.
pub(crate) const FAULTY: Example = Example {
    harness: "claude-code",
    path: ".mcp.json",
    before: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db-server@1.0.0"] }
  }
}
"#,
    after: r#"{
  "mcpServers": {
    "db": { "command": "npx", "args": ["-y", "@acme/db-server@1.0.1"] }
  }
}
"#,
    besides: &[],
};
