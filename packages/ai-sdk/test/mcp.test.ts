import { createRequire } from "node:module";
import { createMCPClient, type MCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { generateText, stepCountIs, streamText, type ToolSet } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { call, type Reply, ScriptedModel } from "./scripted-model.js";

// The SDK's own MCP client, and the reference server of MCP in a process of its own.

const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
const sum = { a: z.number(), b: z.number() };

let client: MCPClient;
/** The tools of the server as its client gives them: dynamic, and with schemas of the application. */
let tools: Record<"dynamic" | "with schemas", ToolSet>;
/** The calls that the client sent to the server. */
let sent: unknown[] = [];

beforeAll(async () => {
  const transport = new StdioTransport({ command: process.execPath, args: [server, "stdio"], stderr: "ignore" });
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    if ("method" in message && message.method === "tools/call") sent.push(message.params);
    return send(message);
  };
  client = await createMCPClient({ transport });
  tools = {
    dynamic: await client.tools(),
    "with schemas": await client.tools({ schemas: { "get-sum": { inputSchema: z.object(sum) } } }),
  };
});
afterAll(() => client.close());
beforeEach(() => {
  sent = [];
});

const ways = ["generateText", "streamText"] as const;
async function ask(how: (typeof ways)[number], replies: readonly Reply[], given: ToolSet, steps = 5) {
  const inner = new ScriptedModel({ replies, size: 3 });
  const model = withToolCalling(inner, { protocol: "hermes" });
  const asked = { model, tools: given, prompt: "17 + 25?", stopWhen: stepCountIs(steps) };
  const result = how === "generateText" ? await generateText(asked) : streamText(asked);
  const [text, done] = [await result.text, await result.steps];
  return { inner, text, calls: done.flatMap(({ toolCalls }) => toolCalls), steps: done };
}

describe.each(ways)("%s with tools of an MCP server", (how) => {
  it.each(["dynamic", "with schemas"] as const)(
    "runs them there, and shows their results to the model: %s",
    async (kind) => {
      const replies = [call("get-sum", { a: 17, b: 25 }), "It is 42."];
      const { inner, text, calls, steps } = await ask(how, replies, tools[kind]);
      expect(inner.text(0)).toContain("get-sum");
      expect(inner.calls[0]?.tools).toBeUndefined();
      expect(sent).toEqual([{ name: "get-sum", arguments: { a: 17, b: 25 } }]);
      expect(inner.text(1)).toContain("The sum of 17 and 25 is 42.");
      expect(text).toBe("It is 42.");
      expect(calls).toMatchObject([{ toolName: "get-sum", input: { a: 17, b: 25 } }]);
      expect(calls[0]?.dynamic ?? false).toBe(kind === "dynamic");
      expect(steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
    },
  );

  it.each(["dynamic", "with schemas"] as const)("sends no wrong call to the server: %s", async (kind) => {
    const replies = [
      call("get-sum", { a: "seventeen", b: 25 }),
      call("get-sum", { a: 17 }),
      call("get-total", { a: 17, b: 25 }),
      call("get-sum", { a: 17, b: 25 }),
      "It is 42.",
    ];
    const { inner, text, calls } = await ask(how, replies, tools[kind]);
    expect(sent).toEqual([{ name: "get-sum", arguments: { a: 17, b: 25 } }]);
    expect(text).toBe("It is 42.");
    expect(inner.calls).toHaveLength(replies.length);
    expect(inner.text(1)).toContain("expected number, got string");
    expect(calls.filter(({ invalid }) => !invalid)).toHaveLength(1);
  });

  it("shows structured content, the type of a file, and the server's own refusal", async () => {
    const replies = [
      call("get-structured-content", { location: "Chicago" }),
      call("get-tiny-image", {}),
      call("get-resource-reference", { resourceType: "Text", resourceId: -1 }),
      "Done.",
    ];
    const { inner, text } = await ask(how, replies, tools.dynamic);
    expect(sent).toHaveLength(3);
    expect(inner.text(1)).toContain("Light rain");
    expect(inner.text(2)).toContain("image/png, not shown]");
    expect(inner.text(3)).toContain("Invalid resourceId: -1");
    expect(text).toBe("Done.");
  });

  it("runs several calls of a reply, each once", async () => {
    const both = `${call("get-sum", { a: 1, b: 2 })}\n${call("echo", { message: "<b>&</b>" })}`;
    const { inner } = await ask(how, [both, "Done."], tools.dynamic);
    expect(sent).toHaveLength(2);
    expect(inner.text(1)).toContain("The sum of 1 and 2 is 3.");
    expect(inner.text(1)).toContain("Echo: <b>&</b>");
  });
});
