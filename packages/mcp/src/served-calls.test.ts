import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, json, text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, expect, test } from "vitest";
import { connectMcp, createMcpHandler, createMcpServer, type ServedTool, type ServedTools } from "./index.js";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function clientOf(served: ServedTools) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "client", version: "1.0.0" });
  await Promise.all([createMcpServer(served, { name: "test", version: "1" }).connect(far), client.connect(near)]);
  closing.push(() => client.close());
  return client;
}

async function resultOf(tool: Omit<ServedTool, "name">) {
  const client = await clientOf([{ name: "t", ...tool } as ServedTool]);
  return (await client.callTool({ name: "t", arguments: {} })) as CallToolResult;
}

const failure = (text: unknown) => ({ content: [{ type: "text", text }], isError: true });

test("an object that lists tools, such as a ToolSpec or those of connectMcp, is served as it is", async () => {
  const listing = { toToolList: () => [{ name: "one", execute: () => 1 }] };
  for (const served of [listing, () => listing]) {
    const { tools } = await (await clientOf(served)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(["one"]);
  }
});

test("a tool that only reads says so to clients, unless its annotations do", async () => {
  const execute = () => 1;
  const annotations = { readOnlyHint: false, openWorldHint: true };
  const client = await clientOf([
    { name: "reads", readOnly: true, execute },
    { name: "writes", readOnly: false, execute },
    { name: "annotated", readOnly: true, annotations, execute },
  ]);
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.annotations)).toEqual([{ readOnlyHint: true }, undefined, annotations]);
});

test("a tool that gives many results instead of one fails, and what it keeps open is closed", async () => {
  let isClosed = false;
  function* many() {
    try {
      yield 1;
      yield 2;
    } finally {
      isClosed = true;
    }
  }
  const begun = many();
  begun.next();
  expect(await resultOf({ execute: () => begun })).toEqual(
    failure(expect.stringContaining("returned a generator or a stream")),
  );
  expect(isClosed).toBe(true);
  const stream = new ReadableStream();
  expect(await resultOf({ execute: () => stream })).toMatchObject({ isError: true });
});

test("a stream that a tool returns after its time is closed", async () => {
  const closed = new Promise((resolve) => {
    const execute = async () => {
      await new Promise((later) => setTimeout(later, 30));
      return new ReadableStream({ cancel: () => resolve("closed") });
    };
    void resultOf({ timeout: 5, execute });
  });
  expect(await closed).toBe("closed");
});

test("a tool gets no more time than its `timeout`, and its signal is aborted", async () => {
  let aborted: AbortSignal | undefined;
  const result = await resultOf({
    timeout: 20,
    execute: (_, { signal }) => {
      aborted = signal;
      return new Promise(() => {});
    },
  });
  expect(result).toEqual(failure('The tool "t" gave no result within 20 ms.'));
  expect(aborted?.aborted).toBe(true);
  expect(await resultOf({ timeout: Number.POSITIVE_INFINITY, execute: () => "soon" })).toMatchObject({
    content: [{ text: "soon" }],
  });
});

test.each([
  ["an object", { code: 5 }, '{"code":5}'],
  ["a text", "no", "no"],
  ["an error without words", new TypeError(""), "TypeError"],
  ["what cannot be read", new Proxy({}, { get: () => raise(), getPrototypeOf: () => raise() }), 'The tool "t" failed.'],
])("the client gets the message of %s that a tool throws", async (_, thrown, text) => {
  const execute = () => {
    throw thrown;
  };
  expect(await resultOf({ execute })).toEqual(failure(text));
});

function raise(): never {
  throw new Error("trap");
}

test.each([
  ["express.json()", json],
  ["express.text()", text],
  ["express.raw()", buffer],
])("a request whose body a middleware has read is answered: %s", async (_, read) => {
  const handler = createMcpHandler([{ name: "t", execute: () => "done" }], { name: "test", version: "1" });
  const server = createServer(async (request, response) => {
    if (request.method === "POST") Object.assign(request, { body: await read(request) });
    await handler.node(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  const toolset = await connectMcp({ x: { url: `http://127.0.0.1:${port}/mcp` } });
  closing.push(
    () => toolset.close(),
    () => handler.close(),
  );
  expect(await toolset.tools[0]!.execute({}, { toolCallId: "1" })).toBe("done");
});
