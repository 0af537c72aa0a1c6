import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { document, run, serveApi } from "../test/api.js";
import { type OpenApiOptions, openApiTools } from "./index.js";

serveApi();

const png = Buffer.from([137, 80, 78, 71, 0, 255]);
const routes: Record<string, (response: ServerResponse) => void> = {
  "/busy": (response) => response.writeHead(429, { "retry-after": "30" }).end("slow down"),
  "/dot": (response) =>
    response
      .writeHead(200, { "content-type": "image/png", "content-disposition": 'attachment; filename="../a/dot.png"' })
      .end(png),
  "/json": (response) => response.writeHead(200, { "content-type": "application/json" }).end('{"a":1}'),
  "/text": (response) =>
    response.writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" }).end(Buffer.from("grün", "latin1")),
};
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "", "http://localhost");
  const route = routes[pathname];
  if (route) route(response);
  else response.end(`${request.method} ${request.url} ${request.headers.cookie ?? ""}`);
});
let baseURL = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const get = async (path: string, options: OpenApiOptions = {}) =>
  (await openApiTools(document({ [path]: { get: {} } }), { baseURL, ...options }))[0]!;

describe("an answer of bytes", () => {
  test("is available whole to code", async () => {
    const { data, ...more } = await (await get("/dot")).call({});
    expect(Buffer.from(data as Uint8Array)).toEqual(png);
    expect(more).toMatchObject({ status: 200, mediaType: "image/png", fileName: "dot.png" });
    expect(await (await get("/json")).call({})).toMatchObject({ data: { a: 1 }, mediaType: "application/json" });
    expect(await (await get("/text")).call({})).toMatchObject({ data: "grün" });
    await expect((await get("/dot", { maxFileBytes: 5 })).call({})).rejects.toMatchObject({ code: "too-large" });
    await expect((await get("/busy")).call({})).rejects.toMatchObject({ code: "http-status", status: 429 });
  });

  test("is stored by the application, which decides what the model reads", async () => {
    const kept: unknown[] = [];
    const save: NonNullable<OpenApiOptions["files"]>["save"] = ({ bytes, ...about }, { path }) => {
      kept.push(Buffer.from(bytes), about, path);
      return `Saved as ${about.name}.`;
    };
    expect(await run(await get("/dot", { files: { save } }))).toBe("Saved as dot.png.");
    expect(kept).toEqual([png, { name: "dot.png", type: "image/png" }, "/dot"]);
    expect(await run(await get("/json", { files: { save } }))).toEqual({ a: 1 });
    expect(await run(await get("/dot", { files: { save }, maxFileBytes: 5 }))).toMatchObject({ code: "too-large" });
  });
});

describe("a failure", () => {
  test("reports when to try again", async () => {
    expect(await run(await get("/busy"))).toMatchObject({
      code: "http-status",
      retryAfterMs: 30_000,
      message: expect.stringMatching(/429 Too Many Requests:\nslow down\nTry again after 30 seconds\.$/),
    });
  });

  test("reports why nothing could be reached", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await run(await get("/x", { baseURL: `http://127.0.0.1:${port}` }))).toMatchObject({
      code: "unreachable",
      message: expect.stringContaining(`ECONNREFUSED 127.0.0.1:${port}`),
    });
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ENOTFOUND", message: "" } }));
    expect(await run(await get("/x", { fetch }))).toMatchObject({
      message: "GET /x did not answer: ENOTFOUND",
    });
  });
});

describe("OpenAPI 3.2", () => {
  const document32 = (paths: object, more: object = {}) => ({ ...document(paths), openapi: "3.2.0", ...more });
  const one = async (item: object) => (await openApiTools(document32({ "/x": item }), { baseURL }))[0]!;

  test("has QUERY, and custom methods", async () => {
    const { operation } = await one({ query: {} });
    expect(operation.method).toBe("QUERY");
    expect(await run(await one({ query: {} }))).toBe("QUERY /x ");
    expect(await run(await one({ additionalOperations: { PURGE: { operationId: "purge" } } }))).toBe("PURGE /x ");
  });

  test("has queries that are one value, and cookies without escapes", async () => {
    const content = { "application/json": { schema: { type: "object" } } };
    const whole = await one({ get: { parameters: [{ name: "filter", in: "querystring", content }] } });
    expect(await run(whole, { filter: { a: [1] } })).toBe("GET /x?%7B%22a%22%3A%5B1%5D%7D ");
    const form = { "application/x-www-form-urlencoded": { schema: { type: "object" } } };
    const pairs = await one({ get: { parameters: [{ name: "filter", in: "querystring", content: form }] } });
    expect(await run(pairs, { filter: { a: 1, b: "x y" } })).toBe("GET /x?a=1&b=x%20y ");
    const cookie = await one({ get: { parameters: [{ name: "c", in: "cookie", style: "cookie" }] } });
    expect(await run(cookie, { c: "a=b" })).toBe("GET /x c=a=b");
    expect(await run(cookie, { c: "a; admin=1" })).toMatchObject({ code: "invalid-arguments" });
  });

  test("has references to media types, and its own address", async () => {
    const components = { mediaTypes: { j: { schema: { type: "object", required: ["a"] } } } };
    const content = { "application/json": { $ref: "#/components/mediaTypes/j" } };
    const paths = { "/x": { post: { requestBody: { required: true, content } } } };
    const [tool] = await openApiTools(document32(paths, { components }), { baseURL });
    expect(tool?.parameters).toMatchObject({ properties: { body: { type: "object", required: ["a"] } } });
    const served: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      served.push(String(url));
      if (String(url).endsWith("/api.json")) {
        const schema = { $ref: "shared.json" };
        const get = { get: { parameters: [{ name: "p", in: "query", schema }] } };
        return Response.json(document32({ "/x": get }, { $self: "/v2/self.json" }));
      }
      return Response.json({ type: "integer" });
    };
    const [self] = await openApiTools("https://api.example.com/api.json", { baseURL, fetch });
    expect(self?.parameters).toMatchObject({ properties: { p: { type: "integer" } } });
    expect(served).toEqual(["https://api.example.com/api.json", "https://api.example.com/v2/shared.json"]);
  });

  test("is not trusted about an address elsewhere", async () => {
    const problems: string[] = [];
    const schema = { $ref: "shared.json" };
    const get = { get: { parameters: [{ name: "p", in: "query", schema }] } };
    for (const $self of ["https://private.example/x.json", "file:///etc/x.json"]) {
      const fetch: typeof globalThis.fetch = async (url) => {
        expect(new URL(String(url)).origin).toBe("https://api.example.com");
        return Response.json(document32({ "/x": get }, { $self }));
      };
      const onProblem = ({ message }: Error) => problems.push(message);
      await openApiTools("https://api.example.com/api.json", { baseURL, fetch, onProblem });
    }
    expect(problems).toEqual([]);
  });
});
