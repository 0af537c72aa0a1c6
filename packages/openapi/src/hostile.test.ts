import { describe, expect, test } from "vitest";
import { run } from "../test/api.js";
import { type OpenApiDocumentError, type OpenApiOptions, openApiTools } from "./index.js";
import { isPrivate } from "./origins.js";

/** A fake web of pages by URL, with the requests in order. A number is a redirect to the URL after it. */
function web(pages: Record<string, string | object>) {
  const asked: string[] = [];
  const fetched = (async (url: string | URL) => {
    asked.push(String(url));
    const page = pages[String(url)];
    if (page === undefined) return new Response("", { status: 404 });
    if (typeof page === "string" && page.startsWith("→")) {
      return new Response("", { status: 302, headers: { location: page.slice(1) } });
    }
    return new Response(typeof page === "string" ? page : JSON.stringify(page));
  }) as typeof fetch;
  return { asked, fetch: fetched };
}

const withSchema = (schema: object, servers: object[] = [{ url: "/v1" }]) => ({
  openapi: "3.1.0",
  servers,
  paths: { "/x": { post: { requestBody: { content: { "application/json": { schema } } } } } },
});

const HOME = "https://api.example.com/openapi.json";

async function toolsOf(pages: Record<string, string | object>, options: OpenApiOptions = {}) {
  const { asked, fetch } = web(pages);
  const problems: OpenApiDocumentError[] = [];
  const tools = await openApiTools(HOME, { fetch, onProblem: (problem) => problems.push(problem), ...options });
  return { tools, asked, codes: problems.map(({ code }) => code) };
}

describe("an untrusted document", () => {
  test.each([
    "http://localhost/secret",
    "http://localhost:8080/secret",
    "http://127.0.0.1/secret",
    "http://2130706433/secret",
    "http://0177.0.0.1/secret",
    "http://[::1]/secret",
    "http://[::ffff:10.0.0.1]/secret",
    "http://169.254.169.254/latest/meta-data",
    "https://other.example.com/schema.json",
    "http://api.example.com/schema.json",
    "https://api.example.com:8443/schema.json",
    "file:///etc/passwd",
    "data:application/json,{}",
    "//localhost/secret",
  ])("does not get the answer of %s", async ($ref) => {
    const { tools, asked, codes } = await toolsOf({ [HOME]: withSchema({ $ref }) });
    expect([tools.length, codes, asked]).toEqual([0, ["bad-reference"], [HOME]]);
  });

  test("may refer to its own origin, and to an allowed one", async () => {
    const own = "https://api.example.com/schemas/a.json";
    const other = "https://schemas.example.com/b.json";
    const pages = {
      [HOME]: withSchema({ $ref: "schemas/a.json" }),
      [own]: { properties: { b: { $ref: other } } },
      [other]: { type: "string" },
    };
    expect((await toolsOf(pages)).codes).toEqual(["bad-reference"]);
    const { tools, asked } = await toolsOf(pages, { allow: ["https://schemas.example.com"] });
    expect([tools.length, asked]).toEqual([1, [HOME, own, other]]);
  });

  test.each([`${HOME}`, "https://api.example.com/schema.json"])(
    "is not redirected to another origin from %s",
    async (from) => {
      const pages = { [HOME]: withSchema({ $ref: "schema.json" }), [from]: "→http://169.254.169.254/latest" };
      const { fetch, asked } = web(pages);
      const problems: OpenApiDocumentError[] = [];
      const made = openApiTools(HOME, { fetch, onProblem: (problem) => problems.push(problem) });
      const error = await made.then(
        () => problems[0],
        (failed: OpenApiDocumentError) => failed,
      );
      expect(error?.message).toContain("redirects to another origin, http://169.254.169.254");
      expect(asked.some((url) => url.includes("169"))).toBe(false);
    },
  );

  test("names no server of the local network", async () => {
    for (const url of [
      "http://localhost:3000",
      "http://10.1.2.3",
      "http://[fd00::1]/",
      "http://metadata/",
      "//127.1",
    ]) {
      const pages = { [HOME]: withSchema({}, [{ url }]) };
      expect((await toolsOf(pages)).codes).toEqual(["refused-server"]);
      expect((await toolsOf(pages, { baseURL: "http://localhost:3000" })).tools).toHaveLength(1);
    }
    const local = { [HOME]: withSchema({}, [{ url: "http://localhost:3000" }]) };
    expect((await toolsOf(local, { allow: ["http://localhost:3000"] })).tools).toHaveLength(1);
    expect((await toolsOf({ [HOME]: withSchema({}, [{ url: "https://other.example.com" }]) })).tools).toHaveLength(1);
  });

  test("is refused if its aliases repeat too much, or it is nested too deep", async () => {
    const levels = Array.from({ length: 12 }, (_, i) => `      - &a${i} [${Array(10).fill(i ? `*a${i - 1}` : "x")}]`);
    const bomb = `openapi: 3.1.0\nservers: [{url: /v1}]\npaths:\n  /x:\n    post:\n      parameters:\n        - {name: a, in: query, schema: {enum: *b}}\nx:\n`;
    const anchored = `x-bomb: &b\n${levels.join("\n").replace(/^ {6}/gm, "  ")}\n${bomb}`;
    await expect(toolsOf({ [HOME]: anchored })).rejects.toMatchObject({ code: "limit" });
    const deep = `{"openapi": "3.1.0", "x": ${"[".repeat(2_000)}${"]".repeat(2_000)}}`;
    await expect(toolsOf({ [HOME]: deep })).rejects.toMatchObject({ code: "limit" });
  });

  test("loses one operation if one schema is too large", async () => {
    const document = withSchema({ type: "object", allOf: Array.from({ length: 1_000 }, () => ({ minProperties: 1 })) });
    Object.assign(document.paths, { "/y": { get: {} } });
    const { tools, codes } = await toolsOf({ [HOME]: document });
    expect([tools.map(({ operation }) => operation.path), codes]).toEqual([["/y"], ["limit"]]);
  });

  test("is truncated if it is endless", async () => {
    const stream = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1_000_000).fill(32)) });
    const fetch = (async () => new Response(stream)) as typeof globalThis.fetch;
    await expect(openApiTools(HOME, { fetch })).rejects.toMatchObject({ code: "limit" });
  });
});

describe("a document that anyone may have written", () => {
  const fetched = (async (url: string | URL) => new Response(String(url))) as typeof fetch;
  const problemsOf = async (paths: object, more: object = {}, options: OpenApiOptions = {}) => {
    const problems: OpenApiDocumentError[] = [];
    const tools = await openApiTools(
      { openapi: "3.1.0", paths, ...more },
      { baseURL: "https://api.example.com", fetch: fetched, onProblem: (one) => problems.push(one), ...options },
    );
    return { tools, codes: problems.map(({ code }) => code), problems };
  };

  test.each([".evil.example/x", "@evil.example/x", ":8080/x", "{host}/x", "x", "\\\\evil.example/x"])(
    "cannot change the host by the path %j",
    async (path) => {
      const { tools, codes } = await problemsOf({ [path]: { get: {} }, "/good": { get: {} } });
      expect([tools.map(({ operation }) => operation.path), codes]).toEqual([["/good"], ["bad-operation"]]);
    },
  );

  test("cannot set the header Host, and has no method that is several words", async () => {
    const parameters = [{ name: "Host", in: "header", required: true, schema: { enum: ["evil.example"] } }];
    const { tools, codes } = await problemsOf({
      "/x": { get: { parameters }, additionalOperations: { "GET / HTTP/1.1\r\nX": {} } },
    });
    expect([tools.map(({ parameters }) => (parameters as { properties: object }).properties), codes]).toEqual([
      [{}],
      ["bad-operation"],
    ]);
  });

  test.each([
    ["file:///", "no-server"],
    ["data:text/plain,x", "no-server"],
    ["https://ann:secret@api.example.com", "refused-server"],
  ])("cannot name the server %s", async (url, code) => {
    const { codes, problems } = await problemsOf({ "/x": { get: {} } }, { servers: [{ url }] }, { baseURL: undefined });
    expect(codes).toEqual([code]);
    expect(problems[0]!.message).not.toContain("secret");
  });

  test("takes no more time than its length, for names and braces", async () => {
    const same = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`/x${i}`, { get: { operationId: "a" } }]));
    const { tools } = await problemsOf({ ...same, [`/${"{".repeat(200_000)}`]: { get: {} } });
    expect([tools.length, new Set(tools.map(({ name }) => name)).size]).toEqual([5001, 5001]);
  });

  test("is not read whole if its operations share too many schemas, and other work goes on meanwhile", async () => {
    const schemas: Record<string, object> = {};
    const $ref = (i: number) => ({ $ref: `#/components/schemas/s${i}` });
    for (let i = 0; i < 4000; i++) schemas[`s${i}`] = { allOf: [$ref(i + 1)] };
    schemas.s4000 = {};
    const body = { requestBody: { content: { "application/json": { schema: $ref(0) } } } };
    let turns = 0;
    const other = setInterval(() => turns++, 1);
    const { tools, codes, problems } = await problemsOf(
      { "/x": { post: body }, "/y": { get: {} } },
      { components: { schemas } },
    );
    clearInterval(other);
    expect([tools, codes]).toEqual([[], ["limit", "limit"]]);
    expect(problems[1]!.message).toContain("The operations from DELETE /x on are omitted");
    expect(turns).toBeGreaterThan(2);
  });

  test("loses an operation whose schema contains itself as an object", async () => {
    const schema: Record<string, unknown> = { type: "object" };
    schema.properties = { a: schema, b: schema };
    const inline = "#/paths/~1y/post/requestBody/content/application~1json/schema";
    const whole = { type: "object", properties: { again: { $ref: inline } } };
    const post = (given: object) => ({ post: { requestBody: { content: { "application/json": { schema: given } } } } });
    const { tools, codes } = await problemsOf({ "/x": post(schema), "/y": post(whole) });
    expect([tools.map(({ operation }) => operation.path), codes]).toEqual([["/y"], ["bad-operation"]]);
  });

  test("describes no credential that cannot be sent, and none is in an error", async () => {
    const given = (scheme: object, k = "topsecret") =>
      problemsOf(
        { "/x": { get: {} } },
        { components: { securitySchemes: { k: scheme } }, security: [{ k: [] }] },
        { credentials: { k } },
      );
    for (const scheme of [
      { type: "apiKey", in: "header", name: "X Key" },
      { type: "apiKey", in: "header" },
      { type: "apiKey", in: "body", name: "k" },
      { type: "apiKey", in: "cookie", name: "a;b" },
      { type: "http", scheme: "a\r\nb" },
    ]) {
      const { codes, problems } = await given(scheme);
      expect(codes).toEqual(["no-credentials"]);
      expect(problems[0]!.message).toContain("k (which cannot be sent as the document says)");
    }
    const { tools } = await given({ type: "http", scheme: "bearer" }, "topsecret\nx");
    const error: unknown = await (async () => run(tools[0]!))().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "bad-option", message: expect.stringContaining('credential of "k"') });
    expect(String(error)).not.toContain("topsecret");
  });
});

describe("wrong values of options are errors with a code", () => {
  const document = { openapi: "3.1.0", paths: {} };
  test.each<[object]>([
    [{ baseURL: "api.example.com" }],
    [{ baseURL: "/v1" }],
    [{ baseURL: "ftp://api.example.com" }],
    [{ baseURL: "https://ann:secret@api.example.com" }],
    [{ allow: ["schemas.example.com"] }],
    [{ allow: ["localhost:8080"] }],
  ])("%j", async (options) => {
    const error: unknown = await openApiTools(document, options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "OptionsError", code: "bad-option" });
    expect(String(error)).not.toContain("secret");
  });

  test.each([[null], [5], [undefined], ["http://"]])("%j as the document", async (given) => {
    await expect(openApiTools(given as string)).rejects.toMatchObject({
      name: "OpenApiDocumentError",
      code: "unreadable",
    });
  });
});

test("hosts of this machine and its network are recognised", () => {
  const hosts = (...urls: string[]) => urls.map((url) => isPrivate(new URL(url).hostname));
  expect(
    hosts("http://0x7f.1", "http://017700000001", "http://10.9", "http://100.64.0.1", "http://[::ffff:7f00:1]"),
  ).toEqual(Array(5).fill(true));
  expect(hosts("http://[64:ff9b::7f00:1]", "http://localhost.", "http://a.localhost", "http://printer.local")).toEqual(
    Array(4).fill(true),
  );
  expect(hosts("http://8.8.8.8", "https://example.com", "http://[2606:4700::1111]", "http://11.0.0.1")).toEqual(
    Array(4).fill(false),
  );
});
