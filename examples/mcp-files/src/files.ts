import { createRequire } from "node:module";
import { connectMcp, type McpToolset } from "@toolingua/mcp";

/** Starts the reference filesystem server of MCP, which sees only `folder`. */
export function connectFiles(folder: string): Promise<McpToolset> {
  const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  return connectMcp({ files: { command: process.execPath, args: [server, folder] } });
}
