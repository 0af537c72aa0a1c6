import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { connectMcp, createMcpHandler } from "./index.js";

// A live HTTP server whose answer to a call fails in transit.

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Answer = (response: ServerResponse) => void;
const status =
  (code: number, body = "upstream is down"): Answer =>
  (response) =>
    void response.writeHead(code).end(body);
const all = (type: string, body: string): Answer => {
  return (response) => void response.writeHead(200, { "content-type": type }).end(body);
};
const hangUp: Answer = (response) => void response.destroy();
const cutAfter =
  (type: string, body: string): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": type }).write(body);
    setTimeout(() => response.destroy(), 20);
  };

test.each([
  ["answers 500", "server-failed", /500.*upstream is down/, status(500)],
  ["answers 502 through its proxy", "server-failed", /502/, status(502)],
  ["answers 503 without a word", "server-failed", /503/, status(503, "")],
  ["answers 400", "refused", /400/, status(400, "bad request")],
  ["answers 429", "refused", /429/, status(429, "slow down")],
  ["answers 401", "unauthorized", /credentials/, status(401)],
  ["hangs up before it answers", "connection-lost", /lost/, hangUp],
  ["hangs up in an answer of JSON", "connection-lost", /lost/, cutAfter("application/json", '{"jsonrpc":"2.0",')],
  ["hangs up in a stream of events", "connection-lost", /lost/, cutAfter("text/event-stream", ": hello\n\n")],
  [
    "hangs up in a stream that told of something else",
    "connection-lost",
    /lost/,
    cutAfter(
      "text/event-stream",
      'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"error":"x","result":1}}}\n\n',
    ),
  ],
  ["answers what is no JSON", "invalid-result", /protocol/, all("application/json", "<html>")],
  ["answers a page", "invalid-result", /protocol/, all("text/html", "<html>")],
] as [string, string, RegExp, Answer][])("a server that %s during a call: %s", async (_, code, message, answer) => {
  const handler = createMcpHandler([{ name: "word", execute: () => "a word" }], { name: "s", version: "1.0.0" });
  let isBroken = true;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (isBroken && body.includes("tools/call")) return answer(response);
    const headers = new Headers(request.headers as Record<string, string>);
    const sent = await handler.fetch(
      new Request(`http://localhost${request.url}`, {
        method: request.method!,
        headers,
        ...(body && { body }),
      }),
    );
    response.writeHead(sent.status, Object.fromEntries(sent.headers));
    if (sent.body) for await (const chunk of sent.body) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const toolset = await connectMcp({ s: { url: `http://127.0.0.1:${port}/mcp` } }, { timeout: 4000 });
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => toolset.close(),
  );
  const word = toolset.tools[0]!;
  expect(await word.execute({}, { toolCallId: "1" })).toMatchObject({
    code,
    server: "s",
    tool: "word",
    message: expect.stringMatching(message),
  });
  isBroken = false;
  expect(await word.execute({}, { toolCallId: "2" })).toBe("a word");
});

test("a server that refuses one transport and is silent on the older one is given up in time", async () => {
  const server = createServer((request, response) => {
    if (request.method === "GET") response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
    else response.writeHead(405).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const connecting = connectMcp({ s: { url: `http://127.0.0.1:${port}/mcp` } }, { timeout: 200 });
  await expect(connecting).rejects.toMatchObject({ code: "unreachable", message: expect.stringContaining("HTTP 405") });
});

test.each(["http", "sse"] as const)("no key is sent to another origin that a server redirects to: %s", async (type) => {
  const keys: unknown[] = [];
  const other = createServer((request, response) => {
    keys.push(request.headers["x-key"]);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
  const leading = createServer((_, response) => void response.writeHead(307, { location }).end());
  await new Promise<void>((resolve) => leading.listen(0, "127.0.0.1", resolve));
  closing.push(
    () => other.close(),
    () => leading.close(),
    () => leading.closeAllConnections(),
  );
  const url = `http://127.0.0.1:${(leading.address() as AddressInfo).port}/mcp`;
  const connecting = connectMcp({ s: { url, type, headers: { "x-key": "secret" } } }, { timeout: 1000 });
  await expect(connecting).rejects.toMatchObject({ code: "unreachable" });
  expect(keys).toEqual([]);
});

test.each([
  [
    "another JSON",
    all("application/json", '{"ok": true}'),
    /reached: it is no MCP server: its answer breaks the protocol$/,
  ],
  ["no JSON", all("application/json", "hello"), /it is no MCP server: its answer breaks the protocol \(.*JSON.*\)$/],
  [
    "a page",
    all("text/html", "<html>hello</html>"),
    /it is no MCP server: its answer breaks the protocol \(.*text\/html\)$/,
  ],
  ["a page with an error", status(501, "<!DOCTYPE HTML>\n<html>…</html>"), /cannot be reached: HTTP 501$/],
] as [string, Answer, RegExp][])(
  "what answers with %s is said to be no MCP server, in a line",
  async (_, answer, message) => {
    const server = createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const connecting = connectMcp({ s: { url: `http://127.0.0.1:${port}/` } }, { timeout: 4000 });
    await expect(connecting).rejects.toMatchObject({ code: "unreachable", message: expect.stringMatching(message) });
  },
);

test("a program that is no MCP server and ends is said to have ended", async () => {
  const connecting = connectMcp({ s: { command: process.execPath, args: ["-p", "1"] } }, { timeout: 10_000 });
  const message = 'The MCP server "s" cannot be reached: it ended before it answered';
  await expect(connecting).rejects.toMatchObject({ code: "unreachable", message });
});
