import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type RunningGateway, serve } from "@toolingua/gateway";
import { afterAll, onTestFinished } from "vitest";
import { scriptedModel } from "./scripted-model.js";

// A server that is right in everything but one thing: the gateway, and before it a proxy that breaks what goes through.

// biome-ignore lint/suspicious/noExplicitAny: events are broken as they are written
export type Json = any;

/** What goes wrong on the way. */
export interface Breaking {
  /** Changes a request, or answers it in the gateway's place. */
  request?(body: Json, answer: (status: number, body: unknown) => void, path: string): void;
  /** Changes the events of streams: gives those that are sent in the place of one, as they are written. */
  event?: ((event: Json, write: Write) => string[]) | undefined;
  /** Changes whole answers and errors. */
  whole?(body: Json, status: number): { body?: unknown; status?: number };
  headers?(headers: Headers): void;
  /** Sends a stream only when it is over. */
  isBuffered?: boolean;
  /** Answers one request at a time, to its end, whoever waits for it. */
  isDeaf?: boolean;
  /** Of the model: ms between the pieces of a long text. */
  pace?: number;
  /** A question in whose middle the model fails. */
  failsAt?: string;
}

/** Writes an event: as the API does, with its name where it has one. */
export type Write = (event: Json) => string;
const write: Write = (event) =>
  `${event.type && event.type !== "function" ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;

const gateways = new Map<string, Promise<RunningGateway>>();
afterAll(async () => {
  for (const gateway of gateways.values()) await (await gateway).close();
});

/** A gateway on a model that obeys, for the doctor to find nothing at. It is one for all tests. */
export async function rightServer(options: Parameters<typeof scriptedModel>[0] = {}): Promise<string> {
  const key = JSON.stringify(options);
  let gateway = gateways.get(key);
  if (!gateway) {
    const models = [{ name: "m", aliases: ["claude-*"], protocol: "hermes" as const, model: scriptedModel(options) }];
    gateway = serve({ models, server: { port: 0, limits: { grace: 0.1 } } }, { log: () => {} });
    gateways.set(key, gateway);
  }
  return (await gateway).url;
}

/** A server that breaks in this way. Closed when the test ends. */
export async function brokenServer(breaking: Breaking): Promise<string> {
  const upstream = await rightServer({ pace: breaking.pace, failsAt: breaking.failsAt });
  let before: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const work = async () => proxy(upstream, breaking, request, response);
    const turn = breaking.isDeaf ? before.then(work) : work();
    before = turn.catch(() => {});
    await before;
    if (!response.destroyed) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function proxy(upstream: string, breaking: Breaking, request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? "";
  // It has no counts of its requests, as most servers have none.
  if (!path.startsWith("/v1/")) return response.writeHead(404).end();
  let body = request.method === "POST" ? await text(request) : undefined;
  if (body !== undefined && breaking.request) {
    const json = parse(body);
    if (json) {
      breaking.request(json, (status, answer) => sendJson(response, status, answer), path);
      body = JSON.stringify(json);
    }
    if (response.writableEnded) return;
  }
  const gone = new AbortController();
  if (!breaking.isDeaf) response.once("close", () => gone.abort());
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    ["host", "content-length", "connection", "transfer-encoding"].includes(name) ? [] : [[name, String(value)]],
  );
  const answer = await fetch(upstream + path, {
    ...{ method: request.method ?? "GET", headers: Object.fromEntries(headers), signal: gone.signal },
    ...(body !== undefined && { body }),
  });
  const given = new Headers(answer.headers);
  for (const name of ["content-length", "content-encoding", "transfer-encoding", "connection"]) given.delete(name);
  breaking.headers?.(given);
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    const json = parse(await answer.text());
    const changed = (path.includes("/models") ? undefined : breaking.whole?.(json, answer.status)) ?? {};
    response.writeHead(changed.status ?? answer.status, Object.fromEntries(given));
    return response.end(typeof changed.body === "string" ? changed.body : JSON.stringify(changed.body ?? json));
  }
  response.writeHead(200, Object.fromEntries(given));
  response.flushHeaders();
  let held = "";
  let number = 0;
  for await (const block of blocksOf(answer)) {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    const json = data === undefined || data === "[DONE]" ? undefined : parse(data);
    const isDone = data === "[DONE]";
    const out = breaking.event && (json || isDone) ? breaking.event(json ?? data, write) : [`${block}\n\n`];
    // What is left out had no number, either.
    const sent = out.join("").replace(/(?<="sequence_number":)\d+/g, () => String(number++));
    if (breaking.isBuffered) held += sent;
    else response.write(sent);
  }
  response.end(held);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function parse(json: string): Json {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

async function* blocksOf(answer: Response): AsyncGenerator<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    yield* blocks;
  }
}
