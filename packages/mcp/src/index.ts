export { type McpErrorCode, McpServerError } from "./errors.js";
export type { McpTool, ToolAnnotations } from "./mcp-tool.js";
export type { McpProgress } from "./options.js";
export { createMcpHandler, type McpHandler, type McpHandlerOptions, type RunningServer, serveStdio } from "./serve.js";
export { createMcpServer, type McpServerInfo, type ServedTools } from "./server.js";
export { connectMcp, type McpOptions, type McpToolset } from "./toolset.js";
export type { CustomServer, HttpServer, McpServerConfig, StdioServer } from "./transport.js";
