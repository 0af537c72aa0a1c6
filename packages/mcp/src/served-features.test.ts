import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Tool } from "@toolingua/core";
import { afterEach, describe, expect, test } from "vitest";
import { EVERYTHING } from "../test/processes.js";
import {
  clientOf,
  connectMcp,
  createMcpHandler,
  createMcpServer,
  type McpReference,
  type McpServerInfo,
} from "./index.js";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A client of the SDK over real HTTP. */
async function clientFor(
  tools: readonly Tool[],
  more: Partial<McpServerInfo> = {},
  capabilities: ClientCapabilities = {},
) {
  const handler = createMcpHandler(tools, { name: "ours", version: "1", ...more });
  const server = createServer(handler.node).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = new Client({ name: "theirs", version: "1" }, { capabilities });
  closing.push(
    () => new Promise((done) => server.close(done).closeAllConnections()),
    () => handler.close(),
    () => client.close(),
  );
  const connect = () =>
    client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)) as Transport);
  return { client, connect, handler };
}

describe("a server that is served again", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolingua-again-"));
  writeFileSync(join(folder, "note.txt"), "Milk.\n");
  const filesystem = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("returns all of its results: structured content, images, links, failures", async () => {
    const servers = {
      everything: { command: process.execPath, args: [EVERYTHING, "stdio"] },
      files: { command: process.execPath, args: [filesystem, folder] },
    };
    const mcp = await connectMcp(servers, { onProblem: () => {} });
    closing.push(() => mcp.close());
    const { client, connect } = await clientFor(mcp.tools);
    await connect();
    // Like clients that validate results by the listed schemas.
    const { tools } = await client.listTools();
    expect(tools.length).toBe(mcp.tools.length);
    const calls: [string, Record<string, unknown>][] = [
      ["get-structured-content", { location: "Chicago" }],
      ["get-tiny-image", {}],
      ["get-resource-links", { count: 2 }],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["get-sum", { a: 1, b: 2 }],
      ["echo", { message: "hi" }],
      ["read_text_file", { path: join(folder, "note.txt") }],
      ["list_directory", { path: folder }],
      ["read_text_file", { path: "/etc/passwd" }],
    ];
    for (const [name, args] of calls) {
      const served = await client.callTool({ name, arguments: args });
      const own = mcp.tools.find((tool) => tool.name === name)!;
      const direct = await own.call(args).catch((error: Error) => ({ isError: true, said: error.message }));
      if (!("said" in direct)) expect(served).toEqual(direct);
      else expect(served).toMatchObject({ isError: true, content: [{ text: direct.said }] });
    }
  }, 20_000);

  test("is guarded by the hooks around its tools", async () => {
    const transport = () => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const echo = { name: "echo", execute: ({ message }: Record<string, unknown>) => message };
      void createMcpServer([echo], { name: "upstream", version: "1" }).connect(far);
      return near;
    };
    const mcp = await connectMcp({ upstream: { transport } });
    closing.push(() => mcp.close());
    const [echo] = mcp.tools;
    const { client, connect } = await clientFor([{ ...echo!, execute: () => new Error("not today") }]);
    await connect();
    expect(await client.callTool({ name: "echo", arguments: { message: "x" } })).toMatchObject({
      isError: true,
      content: [{ text: "not today" }],
    });
  });
});

describe("a served tool", () => {
  const bytes = new Uint8Array([137, 80, 78, 71]);
  const image = { type: "image", mimeType: "image/png", data: "iVBORw==" };

  test("returns images as blocks with bytes or base64, next to text and data", async () => {
    const tools: (Tool & { resultSchema?: unknown })[] = [
      {
        name: "picture",
        execute: () => [
          { type: "text", text: "A dot:" },
          { ...image, data: bytes },
        ],
      },
      { name: "ready", execute: () => [image] },
      {
        name: "both",
        resultSchema: { type: "object", required: ["width"] },
        execute: () => ({ content: [image], structuredContent: { width: 1 } }),
      },
      { name: "odd", execute: () => [{ type: "image" }] },
      { name: "none", execute: () => [] },
    ];
    const { client, connect } = await clientFor(tools);
    await connect();
    await client.listTools();
    const call = (name: string) => client.callTool({ name });
    expect(await call("picture")).toEqual({ content: [{ type: "text", text: "A dot:" }, image] });
    expect(await call("ready")).toEqual({ content: [image] });
    expect(await call("both")).toEqual({ content: [image], structuredContent: { width: 1 } });
    expect(await call("odd")).toEqual({ content: [{ type: "text", text: '[{"type":"image"}]' }] });
    expect(await call("none")).toEqual({ content: [{ type: "text", text: "[]" }] });
  });

  const schema = { type: "object" as const, properties: { sure: { type: "boolean" as const } }, required: ["sure"] };
  const asking: Tool = {
    name: "asking",
    execute: async (_, context) => {
      const client = clientOf(context)!;
      await client.progress(1, 2, "half");
      await client.log("info", { at: "work" }, "us");
      const { content } = await client.elicit("Sure?", schema);
      const { content: said } = await client.sample("Say yes.");
      const [root] = await client.roots();
      return [client.client?.name, content?.sure, said.type === "text" && said.text, root?.uri].join(" ");
    },
  };

  test("asks the client's user and model, and reports its progress", async () => {
    const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
    const { client, connect } = await clientFor([asking], {}, capabilities);
    let sure: unknown = true;
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { sure: sure as boolean } }));
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: "m",
      role: "assistant",
      content: { type: "text", text: "yes" },
    }));
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///srv" }] }));
    const logged: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params));
    await connect();
    const progress: unknown[] = [];
    const result = await client.callTool({ name: "asking" }, undefined, { onprogress: (one) => progress.push(one) });
    expect(result.content).toEqual([{ type: "text", text: "theirs true yes file:///srv" }]);
    expect(progress).toEqual([{ progress: 1, total: 2, message: "half" }]);
    expect(logged).toEqual([{ level: "info", data: { at: "work" }, logger: "us" }]);
    await client.setLoggingLevel("warning");
    await client.callTool({ name: "asking" });
    expect(logged).toHaveLength(1);
    await client.setLoggingLevel("info");
    await client.callTool({ name: "asking" });
    expect(logged).toHaveLength(2);
    sure = "perhaps";
    expect(await client.callTool({ name: "asking" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/does not match the form: \/sure/) }],
    });
  });

  test("gets an error if a client cannot be asked, or there is none", async () => {
    const { client, connect } = await clientFor([asking]);
    await connect();
    expect(await client.callTool({ name: "asking" })).toMatchObject({
      isError: true,
      content: [{ text: 'The MCP client "theirs" cannot ask its user: it has no capability "elicitation".' }],
    });
    expect(clientOf({ toolCallId: "1" })).toBeUndefined();
  });
});

describe("our server", () => {
  const more: Partial<McpServerInfo> = {
    resources: [
      { uri: "note://first", name: "first", mimeType: "text/plain", read: () => "Milk." },
      { uri: "note://dot", name: "dot", mimeType: "image/png", read: async () => new Uint8Array([1, 2]) },
      {
        uriTemplate: "user://{name}/file",
        name: "file of a user",
        read: ({ name }) => (name === "nobody" ? undefined : `the file of ${name}`),
        list: () => [{ uri: "user://ann/file", name: "Ann's" }],
        complete: { name: (value) => ["ann", "bob"].filter((name) => name.startsWith(value)) },
      },
    ],
    prompts: [
      {
        name: "greet",
        description: "Greets",
        arguments: [{ name: "who", required: true, complete: (value, { tone }) => [`${value}${tone ?? ""}`] }],
        render: ({ who }) => `Greet ${who}.`,
      },
      {
        name: "look",
        render: () => [{ role: "user", content: { type: "image", data: "AQI=", mimeType: "image/png" } }],
      },
    ],
  };

  test("has resources, which clients of the SDK list, read and complete", async () => {
    const { client, connect } = await clientFor([], more);
    await connect();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["note://first", "note://dot", "user://ann/file"]);
    expect((await client.readResource({ uri: "note://first" })).contents).toEqual([
      { uri: "note://first", mimeType: "text/plain", text: "Milk." },
    ]);
    expect((await client.readResource({ uri: "note://dot" })).contents).toMatchObject([{ blob: "AQI=" }]);
    const uri = "user://J%C3%BCrgen/file";
    expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: "the file of Jürgen" }]);
    for (const gone of ["user://nobody/file", "other://x"]) {
      await expect(client.readResource({ uri: gone })).rejects.toMatchObject({ code: -32002 });
    }
    const ref = { type: "ref/resource" as const, uri: "user://{name}/file" };
    const { completion } = await client.complete({ ref, argument: { name: "name", value: "a" } });
    expect(completion).toMatchObject({ values: ["ann"], hasMore: false });
  });

  test.each<[unknown, string]>([
    [null, "ToolDefinitionError"],
    [[null], "ToolDefinitionError"],
    [[{ name: "a", execute: () => 1, title: 5 }], "OptionsError"],
    [[{ name: "a", execute: () => 1, annotations: { readOnlyHint: "yes" } }], "OptionsError"],
  ])("refuses tools that clients would refuse: %j", (tools, name) => {
    const error = expect.objectContaining({ name, code: expect.any(String) });
    expect(() => createMcpServer(tools as never, { name: "ours", version: "1" })).toThrow(error);
  });

  test("is not blocked by a URI with very many ways to match a template", async () => {
    const template = "log://{y}-{m}-{d}T{h}:{min}:{s}/end";
    const read = (at: object) => Object.values(at).join();
    const resources = [template, "file://{owner}/{name}/{+path}"].map((uriTemplate) => ({
      uriTemplate,
      name: "x",
      read,
    }));
    const { client, connect } = await clientFor([], { resources });
    await connect();
    const path = `file://a/b/${"long/".repeat(1000)}`;
    expect((await client.readResource({ uri: path })).contents).toMatchObject([
      { text: `a,b,${"long/".repeat(1000)}` },
    ]);
    const uri = "log://2026-11-29T15:55:00/end";
    expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: "2026,11,29,15,55,00" }]);
    for (const long of [`log://${"-T:".repeat(2000)}/x`, "x".repeat(100_000)]) {
      await expect(client.readResource({ uri: long })).rejects.toMatchObject({ code: -32002 });
    }
  });

  test("has prompts, which are read back as our messages", async () => {
    const handler = createMcpHandler([], { name: "ours", version: "1", ...more });
    const server = createServer(handler.node).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const mcp = await connectMcp({ ours: { url } });
    closing.push(
      () => new Promise((done) => server.close(done).closeAllConnections()),
      () => handler.close(),
      () => mcp.close(),
    );
    const ours = mcp.servers.ours!;
    expect(await ours.listPrompts()).toMatchObject([
      { name: "greet", arguments: [{ name: "who", required: true }] },
      {},
    ]);
    expect((await ours.getPrompt("greet", { who: "Ann" })).chatMessages).toEqual([
      { role: "user", content: "Greet Ann." },
    ]);
    expect((await ours.getPrompt("look")).chatMessages).toEqual([
      { role: "user", content: "", images: [{ url: "data:image/png;base64,AQI=" }] },
    ]);
    await expect(ours.getPrompt("greet")).rejects.toThrow(/needs the argument "who"/);
    await expect(ours.getPrompt("great")).rejects.toThrow(/Did you mean "greet"/);
    const others = { tone: "!" };
    expect(await ours.complete({ prompt: "greet" }, { name: "who", value: "A", others })).toMatchObject({
      values: ["A!"],
    });
    await expect(
      ours.complete({ promt: "greet" } as object as McpReference, { name: "who", value: "" }),
    ).rejects.toMatchObject({
      code: "bad-option",
    });
    expect(await ours.complete({ prompt: "greet" }, { name: "what", value: "A" })).toMatchObject({ values: [] });
  });

  test.each<[object, RegExp]>([
    [{ instruction: "x" }, /no "instruction" in what the server says of itself\. Did you mean "instructions"/],
    [{ name: "" }, /`name` is a string/],
    [{ version: undefined }, /`version` is missing/],
    [{ resources: [{ uri: "a:b", name: "a", reed: () => "" }] }, /no "reed" in the resource "a"\. Did you mean "read"/],
    [{ resources: [{ name: "a", read: () => "" }] }, /needs a `uri`, or a `uriTemplate`/],
    [{ prompts: [{ name: "a" }] }, /`render` is missing in the prompt "a"/],
    [
      { prompts: [{ name: "a", render: () => "", arguments: [null] }] },
      /argument of the prompt "a": #0 must be an object/,
    ],
    [
      { prompts: [{ name: "a", render: () => "", arguments: [{ nam: "b" }] }] },
      /no "nam" in the argument of the prompt "a": #0/,
    ],
    [{ prompts: [0, 1].map(() => ({ name: "a", render: () => "" })) }, /Two prompts are called "a"/],
    [{ resources: [0, 1].map(() => ({ name: "a", uri: "a:b", read: () => "" })) }, /Two resources are called "a:b"/],
    [
      { resources: [{ uriTemplate: "a:{b", name: "a", read: () => "" }] },
      /`uriTemplate` of the resource "a".*not valid/,
    ],
    [
      { resources: [{ uriTemplate: "a:{b}", name: "a", read: () => "", complete: { b: 5 } }] },
      /a function for each variable/,
    ],
  ])("is refused with invalid options: %j", (wrong, message) => {
    expect(() => createMcpServer([], { name: "ours", version: "1", ...wrong })).toThrow(message);
    for (const host of [5, "a.b:3000", "https://a.b", "A.b"]) {
      expect(() => createMcpHandler([], { name: "a", version: "1" }, { allowedHosts: [host as string] })).toThrow(
        /`allowedHosts` is a list of host names in lower case, without ports/,
      );
    }
    expect(() => createMcpHandler([], { name: "a", version: "1" }, { maxSession: 1 } as object)).toThrow(
      /"maxSessions"/,
    );
  });
});
