import { describe, expect, test } from "vitest";
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
      expect((await toolsOf(pages, { baseUrl: "http://localhost:3000" })).tools).toHaveLength(1);
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
