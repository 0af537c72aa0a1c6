import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { getProtocol, type ProtocolName, parseReply, protocols, renderPrompt, type Tool } from "@toolingua/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectMcp, createMcpServer, type McpToolset } from "../src/index.js";

// From a server's tool to a model's reply and back to the server, in every wire format.

const name = "kom.memory.v1.search_memory";
const search: Tool = {
  name,
  description: "Searches the memory",
  parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  execute: ({ query }) => ({ found: [`about ${query}`] }),
};
let mcp: McpToolset;

beforeAll(async () => {
  mcp = await connectMcp({
    memory: {
      transport: () => {
        const [near, far] = InMemoryTransport.createLinkedPair();
        void createMcpServer([search], { name: "memory", version: "1" }).connect(far);
        return near;
      },
    },
  });
});
afterAll(() => mcp.close());

test.each(Object.keys(protocols) as ProtocolName[])("%s calls a tool with a dotted name", async (protocol) => {
  const { tools } = mcp;
  const asked = renderPrompt({ messages: [{ role: "user", content: "What of whales?" }], tools, protocol });
  expect(asked.messages.length).toBeGreaterThan(0);
  const reply = getProtocol(protocol).renderCalls([{ name, arguments: { query: "whales" } }], { tools });
  const [call] = parseReply(reply, { tools, protocol }).toolCalls;
  const tool = tools.find((one) => one.name === call?.name);
  expect(await tool?.execute(call!.arguments, { toolCallId: call!.id })).toEqual({ found: ["about whales"] });
});
