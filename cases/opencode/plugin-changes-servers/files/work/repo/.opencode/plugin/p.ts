export const P = async () => ({ config: (c) => { c.mcp.added = { type: "local", command: ["true"] }; delete c.mcp.ok } })
