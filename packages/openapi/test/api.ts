import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Tool } from "@toolingua/core";
import { afterAll, beforeAll } from "vitest";
import { type OpenApiOptions, openApiTools } from "../src/index.js";

// An API to call: a file of tests that calls serveApi has it running.

/** What the server was asked, as it arrived. */
export interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Where the API is, once the tests of a file have begun. */
export let base = "";
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "", headers } = request;
  answer({ method, url, headers, body: Buffer.concat(chunks).toString() }, response);
});

/** Runs the API during the tests of the file that calls this. */
export function serveApi() {
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
}

/** Says what it was asked, unless the path asks for something else. */
function answer(asked: Asked, response: ServerResponse) {
  const json = (status: number, value: unknown) =>
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(value));
  const { pathname } = new URL(asked.url, "http://localhost");
  const text = (value: string | Buffer, type: string) =>
    response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(value) }).end(value);
  switch (pathname) {
    case "/v1/wrong":
      return json(422, { error: "no such color", known: ["red"] });
    case "/v1/text":
      return text("grüße", "text/plain; charset=utf-8");
    case "/v1/long-id":
      return text('{"id": 12345678901234567890, "n": 1e400, "d": 1.50}', "application/json");
    case "/v1/latin":
      return text(Buffer.from("grüße", "latin1"), "text/plain; charset=iso-8859-1");
    case "/v1/long":
      return text("é".repeat(1000), "text/plain");
    case "/v1/picture":
      return text(Buffer.alloc(7), "image/png");
    case "/v1/nothing":
      return response.writeHead(204).end();
    case "/v1/never":
      return undefined;
    case "/v1/events":
      return response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    case "/v1/moved":
      return response.writeHead(302, { location: "/v1/echo?from=moved" }).end("gone");
    case "/v1/kept":
      return response.writeHead(307, { location: "echo" }).end();
    case "/v1/away":
      return response.writeHead(302, { location: base.replace("127.0.0.1", "localhost") }).end();
    case "/v1/round":
      return response.writeHead(302, { location: "/v1/round" }).end();
    case "/v1/broken":
      return response.destroy();
    default:
      return json(200, asked);
  }
}

/** A document of these paths at the server. */
export const document = (paths: object, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  servers: [{ url: base }],
  paths,
  ...more,
});
/** The tool of one operation. */
export const toolOf = async (operation: object, path = "/echo", options: OpenApiOptions & { method?: string } = {}) => {
  const { method = "get", ...rest } = options;
  const [tool] = await openApiTools(document({ [path]: { [method]: { operationId: "it", ...operation } } }), rest);
  return tool!;
};
/** Runs it as an agent would. */
export const run = (tool: Tool, args: Record<string, unknown> = {}, signal?: AbortSignal) =>
  tool.execute(args, { toolCallId: "1", ...(signal && { signal }) });
/** A parameter of any type. */
export const parameter = (name: string, place: string, more: object = {}) => ({ name, in: place, schema: {}, ...more });
