import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import { createRequire } from "node:module";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Tool } from "@toolingua/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import {
  connectMcp,
  createMcpHandler,
  createMcpServer,
  type McpToolset,
  type ServedTool,
  serveStdio,
} from "./index.js";

const info = { name: "test", version: "1.0.0", instructions: "Be kind." };
const point = z.object({ x: z.number(), y: z.number().default(0) });
const tools: (Tool & Record<string, unknown>)[] = [
  {
    name: "kom.memory.v1.search_memory",
    description: "Searches",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    execute: ({ query }) => `nothing about ${query}`,
  },
  { name: "point", resultSchema: point, annotations: { readOnlyHint: true }, execute: () => ({ x: 1, y: 2 }) },
  { name: "word", resultSchema: z.string(), execute: () => "a word" },
  { name: "list", execute: () => [1, { a: new Date(0) }] },
  { name: "nothing", execute: () => undefined },
  { name: "total", execute: () => ({ sum: 5n, of: new Map([["a", 2n ** 64n]]) }) },
  { name: "unknown", execute: () => ({ c: Number.NaN, d: [Number.NEGATIVE_INFINITY] }) },
  { name: "bytes", execute: () => new Uint8Array([0, 0, 7]) },
  { name: "failing", execute: () => new Error("It is broken.") },
  {
    name: "throwing",
    execute: () => {
      throw new TypeError("It threw.");
    },
  },
  {
    name: "waiting",
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject("stopped"))),
  },
];

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function inMemory(served: readonly ServedTool[] = tools) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "client", version: "1.0.0" });
  await Promise.all([createMcpServer(served, info).connect(far), client.connect(near)]);
  closing.push(() => client.close());
  return client;
}

const listen = async (server: HttpServer) => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
};

async function connect(...given: Parameters<typeof connectMcp>): Promise<McpToolset> {
  const toolset = await connectMcp(...given);
  closing.push(() => toolset.close());
  return toolset;
}

describe("our MCP server, with the SDK's client", () => {
  test("lists its tools under their own names, with the output schema if that is an object", async () => {
    const client = await inMemory();
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(listed[0]).toEqual({
      name: "kom.memory.v1.search_memory",
      description: "Searches",
      inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    });
    expect(listed[1]).toMatchObject({ outputSchema: { required: ["x", "y"] }, annotations: { readOnlyHint: true } });
    expect(listed[2]).not.toHaveProperty("outputSchema");
    expect(client.getInstructions()).toBe("Be kind.");
  });

  test.each([
    ["kom.memory.v1.search_memory", "nothing about whales", undefined],
    ["point", '{"x":1,"y":2}', { x: 1, y: 2 }],
    ["word", "a word", undefined],
    ["list", '[1,{"a":"1970-01-01T00:00:00.000Z"}]', undefined],
    ["nothing", "", undefined],
    ["total", '{"sum":5,"of":{"a":"18446744073709551616"}}', { sum: 5, of: { a: "18446744073709551616" } }],
    ["unknown", '{"c":"NaN","d":["-Infinity"]}', { c: "NaN", d: ["-Infinity"] }],
  ])("returns the result of %s", async (name, text, structuredContent) => {
    const client = await inMemory();
    await client.listTools();
    const result = await client.callTool({ name, arguments: { query: "whales" } });
    expect(result).toEqual({ content: [{ type: "text", text }], ...(structuredContent && { structuredContent }) });
  });

  test.each([
    ["failing", {}, "It is broken."],
    ["bytes", {}, /returned 3 bytes that are no text/],
    ["throwing", {}, "It threw."],
    ["kom.memory.v1.search_memory", {}, /^The call to "kom.memory.v1.search_memory" was not run.*query.*missing/s],
    ["kom.memory.v1.search_memory", { query: 1 }, /expected string, got number 1/],
  ] as [string, Record<string, unknown>, string | RegExp][])(
    "reports what is wrong with %s %j",
    async (name, args, text) => {
      const result = (await (await inMemory()).callTool({ name, arguments: args })) as CallToolResult;
      expect(result).toEqual({ content: [{ type: "text", text: expect.stringMatching(text) }], isError: true });
    },
  );

  test.each([
    ["duplicate-name", [tools[1]!, { ...tools[2]!, name: "point" }]],
    ["missing-execute", [{ name: "idle" } as unknown as Tool]],
  ])("refuses tools that cannot be served: %s", (code, wrong) => {
    expect(() => createMcpServer(wrong, info)).toThrow(expect.objectContaining({ name: "ToolDefinitionError", code }));
  });

  const shape = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  test.each<[string, ServedTool]>([
    ["MCP's", { name: "double", inputSchema: shape, execute: ({ n }) => Number(n) * 2 }],
    ["LangChain's", { name: "double", schema: z.object({ n: z.int() }), execute: ({ n }) => Number(n) * 2 }],
    ["Anthropic's", { name: "double", input_schema: shape, execute: ({ n }) => Number(n) * 2 }],
    [
      "OpenAI's",
      { type: "function", function: { name: "double", parameters: shape }, execute: ({ n }) => Number(n) * 2 },
    ],
  ])("runs a tool of %s shape, and only with arguments that match", async (_, served) => {
    const client = await inMemory([served]);
    expect((await client.listTools()).tools).toMatchObject([{ name: "double", inputSchema: { required: ["n"] } }]);
    expect(await client.callTool({ name: "double", arguments: { n: 2 } })).toMatchObject({ content: [{ text: "4" }] });
    expect(await client.callTool({ name: "double", arguments: { n: "x" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/call to "double" was not run.*expected integer/s) }],
    });
  });

  test("lists a tool with true or false as a property's schema", async () => {
    const parameters = { type: "object", properties: { any: true, none: false, deep: { properties: { any: true } } } };
    const client = await inMemory([{ name: "lax", parameters, resultSchema: parameters, execute: () => ({ any: 1 }) }]);
    const { tools: listed } = await client.listTools();
    const properties = { any: {}, none: { not: {} }, deep: { properties: { any: true } } };
    expect(listed).toMatchObject([{ inputSchema: { properties }, outputSchema: { properties } }]);
    expect(await client.callTool({ name: "lax" })).toMatchObject({ structuredContent: { any: 1 } });
  });

  test.each([
    ["oops", /object.*"oops"$/],
    [undefined, /schema/],
    [{ x: "far" }, /\/x.*number.*\{"x":"far"\}$/],
  ])("reports a result that does not match the tool's schema: %j", async (result, message) => {
    const client = await inMemory([{ name: "point", resultSchema: point, execute: () => result }]);
    await client.listTools();
    expect(await client.callTool({ name: "point" })).toEqual({
      content: [{ type: "text", text: expect.stringMatching(message) }],
      isError: true,
    });
  });

  test("lists no other tools", async () => {
    await expect((await inMemory()).callTool({ name: "other" })).rejects.toMatchObject({ code: -32602 });
  });

  test("stops a call that the client cancels", async () => {
    const stopped = vi.fn();
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "client", version: "1.0.0" });
    const waiting: Tool = {
      name: "waiting",
      execute: (_, { signal }) => new Promise(() => signal?.addEventListener("abort", stopped)),
    };
    await Promise.all([createMcpServer([waiting], info).connect(far), client.connect(near)]);
    closing.push(() => client.close());
    const call = client.callTool({ name: "waiting" }, undefined, { signal: AbortSignal.timeout(100) });
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(stopped).toHaveBeenCalled());
  });

  test("does not start with invalid tools", () => {
    const two = [tools[0]!, { ...tools[0]!, parameters: { type: "string" } }];
    expect(() => createMcpServer(two, info)).toThrow(/must describe an object/);
    expect(() => createMcpHandler(two, info)).toThrow(/must describe an object/);
  });
});

describe("a connection that cannot be closed", () => {
  const failing = { close: () => Promise.reject(new Error("already gone")) };
  const warned = () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    closing.push(() => warn.mockRestore());
    return warn;
  };

  test("is reported when the input of a server over stdio ends", async () => {
    const warn = warned();
    const close = vi.spyOn(StdioServerTransport.prototype, "close").mockImplementation(failing.close);
    const running = await serveStdio(tools, info);
    process.stdin.emit("end");
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringContaining("already gone")));
    close.mockRestore();
    await running.close();
  });

  test("is reported when a session makes room for another", async () => {
    const warn = warned();
    const close = vi.spyOn(WebStandardStreamableHTTPServerTransport.prototype, "close");
    closing.push(() => close.mockRestore());
    const handler = createMcpHandler(tools, info, { maxSessions: 1 });
    const url = await listen(createServer(handler.node));
    await connect({ ours: { url } });
    close.mockImplementationOnce(failing.close);
    await connect({ ours: { url } });
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringContaining("already gone")));
  });
});

describe("over stdio, as a process", () => {
  test("our tools are read back unchanged", async () => {
    const path = fileURLToPath(new URL("../test/servers/calculator.mjs", import.meta.url));
    const { tools } = await connect({ calculator: { command: process.execPath, args: [path] } });
    const [divide] = tools;
    expect(divide?.name).toBe("kom.math.v1.divide");
    expect(await divide?.execute({ a: 1, b: 4 }, { toolCallId: "" })).toBe("0.25");
    const failed = await divide?.execute({ a: 1, b: 0 }, { toolCallId: "" });
    expect(failed).toMatchObject({ code: "tool-failed", message: "Nothing divides by 0." });
  });
});

describe("over HTTP", () => {
  test("our tools come back as our tools, with their structured content, and change", async () => {
    let served: Tool[] = [...tools];
    const handler = createMcpHandler(() => served, info);
    const url = await listen(createServer(handler.node));
    const onToolsChanged = vi.fn();
    const toolset = await connect({ ours: { url } }, { onToolsChanged });
    const point = toolset.tools.find(({ name }) => name === "point")!;
    expect(await point.execute({}, { toolCallId: "" })).toEqual({ x: 1, y: 2 });
    const failing = toolset.tools.find(({ name }) => name === "failing")!;
    expect(await failing.execute({}, { toolCallId: "" })).toMatchObject({ message: "It is broken." });

    // The stream for server-initiated messages is opened in parallel to the first requests.
    served = served.filter(({ name }) => name !== "point");
    await vi.waitFor(async () => {
      await handler.toolsChanged();
      expect(onToolsChanged).toHaveBeenCalled();
    });
    expect(toolset.tools.map(({ name }) => name)).not.toContain("point");
    expect(await point.execute({}, { toolCallId: "" })).toMatchObject({ code: "tool-gone" });
    await handler.close();
  });

  test("handles Request and Response", async () => {
    const handler = createMcpHandler(tools, info);
    const client = new Client({ name: "client", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    });
    await client.connect(transport);
    closing.push(() => client.close());
    expect((await client.callTool({ name: "word" })).content).toEqual([{ type: "text", text: "a word" }]);
    await transport.terminateSession();
    await expect(client.callTool({ name: "word" })).rejects.toThrow();
    await handler.close();
  });

  test("a call that is aborted is stopped on the server too", async () => {
    const stopped = vi.fn();
    const waiting: Tool = {
      name: "waiting",
      execute: (_, { signal }) => new Promise(() => signal?.addEventListener("abort", stopped)),
    };
    const url = await listen(createServer(createMcpHandler([waiting], info).node));
    const toolset = await connect({ a: { url } });
    const signal = AbortSignal.timeout(200);
    const call = Promise.resolve(toolset.tools[0]!.execute({}, { toolCallId: "", signal }));
    expect(await call.catch((reason) => reason)).toBe(signal.reason);
    await vi.waitFor(() => expect(stopped).toHaveBeenCalled());
  });

  test("opens a new session if the server has forgotten the old one", async () => {
    const handler = createMcpHandler(tools, info, { maxSessions: 1 });
    const url = await listen(createServer(handler.node));
    const [first, second] = [await connect({ a: { url } }), await connect({ a: { url } })];
    for (const toolset of [first, second, first]) {
      const word = toolset.tools.find(({ name }) => name === "word")!;
      expect(await word.execute({}, { toolCallId: "" })).toBe("a word");
    }
  });

  test("concurrent calls after a lost session open one new session", async () => {
    const handler = createMcpHandler(tools, info);
    const url = await listen(createServer(handler.node));
    const toolset = await connect({ a: { url } });
    const word = toolset.tools.find(({ name }) => name === "word")!;
    await handler.close();
    const said = await Promise.all([1, 2, 3].map(() => word.execute({}, { toolCallId: "" })));
    expect(said).toEqual(["a word", "a word", "a word"]);
  });

  test("requires the configured credentials", async () => {
    const handler = createMcpHandler(tools, info);
    const url = await listen(
      createServer((request, response) =>
        request.headers.authorization === "Bearer good"
          ? void handler.node(request, response)
          : response.writeHead(401).end(),
      ),
    );
    const refused = await connectMcp({ a: { url } }).catch((reason) => reason);
    expect(refused).toMatchObject({ code: "unauthorized", server: "a" });
    const toolset = await connect({ a: { url, headers: { authorization: "Bearer good" } } });
    expect(toolset.tools).toHaveLength(tools.length);
  });

  test.each([
    ["a name of someone else's", { host: "evil.example" }],
    ["a page of someone else's", { origin: "https://evil.example" }],
    ["no page at all", { origin: "null" }],
  ])("refuses %s", async (_, headers) => {
    const handler = createMcpHandler(tools, info);
    const request = (more: Record<string, string>) =>
      handler.fetch(new Request("http://localhost/mcp", { method: "POST", body: "{}", headers: more }));
    expect((await request(headers as Record<string, string>)).status).toBe(403);
    expect((await request({ origin: "http://localhost:3000" })).status).not.toBe(403);
  });

  test("the reference server is called, dies during a call and is reached again", async () => {
    const port = await freePort();
    let server = await startEverything(port);
    const toolset = await connect({ everything: { url: `http://127.0.0.1:${port}/mcp` } }, { timeout: 20_000 });
    const tool = (name: string) => toolset.tools.find((one) => one.name === name)!;
    expect(await tool("echo").execute({ message: "hi" }, { toolCallId: "" })).toContain("hi");

    const call = tool("trigger-long-running-operation").execute({ duration: 100, steps: 100 }, { toolCallId: "" });
    setTimeout(() => server.kill("SIGKILL"), 500);
    expect(await call).toMatchObject({ code: "connection-lost" });
    expect(await tool("echo").execute({ message: "hi" }, { toolCallId: "" })).toMatchObject({ code: "unreachable" });

    server = await startEverything(port);
    expect(await tool("echo").execute({ message: "again" }, { toolCallId: "" })).toContain("again");
  });
});

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
}

async function startEverything(port: number): Promise<ChildProcess> {
  const script = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
  const server = spawn(process.execPath, [script, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  closing.push(() => server.kill("SIGKILL"));
  await new Promise<void>((resolve) => {
    server.stderr?.on("data", (chunk) => String(chunk).includes("listening") && resolve());
  });
  return server;
}
