import { fileURLToPath } from "node:url";
import type { Tool } from "@toolingua/core";
import type { McpServerConfig, McpToolset } from "../src/index.js";
import { EVERYTHING } from "./processes.js";

// Servers in processes of their own, and what tests ask of their tools.

export const moody = (mood = "fine"): McpServerConfig => ({
  command: process.execPath,
  args: [fileURLToPath(new URL("./servers/moody.mjs", import.meta.url)), mood],
});
export const everything: McpServerConfig = {
  command: process.execPath,
  args: [EVERYTHING, "stdio"],
};

export const named = (toolset: McpToolset, name: string) => toolset.tools.find((tool) => tool.name === name)!;
export const run = (tool: Tool, args: Record<string, unknown> = {}, signal?: AbortSignal) =>
  tool.execute(args, { toolCallId: "call_1", ...(signal && { signal }) });
export const pidOf = async (tool: Tool) => Number(/\d+$/.exec(String(await run(tool)))?.[0]);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
