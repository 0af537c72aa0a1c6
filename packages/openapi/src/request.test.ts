import { describe, expect, test } from "vitest";
import { type Asked, parameter, run, serveApi, toolOf } from "../test/api.js";
import { OpenApiCallError, type OpenApiOptions } from "./index.js";

serveApi();

describe("a call", () => {
  test("puts each argument in its place", async () => {
    const tool = await toolOf(
      {
        parameters: [
          parameter("id", "path", { required: true }),
          parameter("tags", "query", { schema: { type: "array" } }),
          parameter("where", "query", { content: { "application/json": { schema: { type: "object" } } } }),
          parameter("filter[name]", "query"),
          parameter("X-Trace", "header"),
          parameter("session", "cookie"),
          parameter("Authorization", "header"),
        ],
        requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
      },
      "/pets/{id}/toys",
      { method: "post" },
    );
    expect(Object.keys((tool.parameters as { properties: object }).properties)).toEqual([
      "id",
      "tags",
      "where",
      "filter_name",
      "X-Trace",
      "session",
      "body",
    ]);
    const asked = await run(tool, {
      ...{ id: "a b/c", tags: ["x", "y&z"], where: { a: 1 }, filter_name: "n", "X-Trace": "t", session: "s s" },
      body: { name: "Rex" },
    });
    expect(asked).toMatchObject({
      method: "POST",
      url: `/v1/pets/a%20b%2Fc/toys?tags=x&tags=y%26z&where=%7B%22a%22%3A1%7D&filter%5Bname%5D=n`,
      headers: { "x-trace": "t", cookie: "session=s%20s", "content-type": "application/json" },
      body: '{"name":"Rex"}',
    });
  });

  test.each([
    ["application/x-www-form-urlencoded", "a=1&list=x&list=y&where%5Bgt%5D=5&note=%7B%22k%22%3A%22v%22%7D"],
    ["text/plain", undefined],
    ["multipart/form-data", undefined],
  ])("writes a body of the type %s", async (type, text) => {
    const encoding = { where: { style: "deepObject", explode: true } };
    const requestBody = { content: { [type]: { schema: type === "text/plain" ? { type: "string" } : {}, encoding } } };
    const tool = await toolOf({ requestBody }, "/echo", { method: "post" });
    const form = { a: 1, list: ["x", "y"], where: { gt: 5 }, note: { k: "v" } };
    const asked = (await run(tool, { body: type === "text/plain" ? "plain" : form })) as Asked;
    expect(asked.headers["content-type"]).toContain(type);
    if (text !== undefined) expect(asked.body).toBe(text);
    else if (type === "text/plain") expect(asked.body).toBe("plain");
    else
      expect(asked.body).toMatch(
        /name="list"\r\n\r\nx[\s\S]*name="list"\r\n\r\ny[\s\S]*application\/json\r\n\r\n{"gt":5}/,
      );
  });

  test.each(["..", ".", ""])("does not let %j change the path", async (id) => {
    const tool = await toolOf({}, "/pets/{id}/toys");
    expect(await run(tool, { id })).toMatchObject({ code: "invalid-arguments" });
    expect(await run(await toolOf({}, "/pets/{id}", { method: "delete" }), { id })).toMatchObject({
      code: "invalid-arguments",
    });
    const labelled = { parameters: [parameter("id", "path", { style: "label" })] };
    const label = await toolOf(labelled, "/pets/{id}");
    if (id !== "..") expect(await run(label, { id })).toMatchObject({ code: "invalid-arguments" });
    const ending = await toolOf({}, "/pets/%2E{id}");
    if (id === ".") expect(await run(ending, { id })).toMatchObject({ code: "invalid-arguments" });
    // What URLs drop, or read as a slash or as the end of the path.
    for (const path of ["/pets/{id}?x=1", "/pets/{id}#x", "/pets\\{id}\\toys", "/pets/{id}\t/toys", "/pets/{id} "]) {
      expect(await run(await toolOf({}, path), { id })).toMatchObject({ code: "invalid-arguments" });
    }
    expect(await run(tool, { id: "%2e%2e/x" })).toMatchObject({ code: "invalid-arguments" });
    expect(await run(tool, { id: "50%/x" })).toMatchObject({ url: "/v1/pets/50%25%2Fx/toys" });
  });

  test("is not made with arguments that do not match", async () => {
    const tool = await toolOf({
      parameters: [parameter("n", "query", { schema: { type: "integer" }, required: true })],
    });
    const error = await run(tool, { n: "many" });
    expect(error).toBeInstanceOf(OpenApiCallError);
    expect(error).toMatchObject({
      code: "invalid-arguments",
      message: expect.stringMatching(/was not run.*"n": "many" {2}\/\/ ← expected integer/s),
    });
    expect(await run(tool, {})).toMatchObject({ code: "invalid-arguments" });
    const header = await toolOf({ parameters: [parameter("X", "header")] });
    expect(await run(header, { X: "a\r\nb" })).toMatchObject({ code: "invalid-arguments" });
  });

  test("is signed by the caller, who may change all of it", async () => {
    const tool = await toolOf({ security: [{ key: [] }] }, "/echo", {
      authorize: async ({ headers, url }, { security }) => {
        headers.set("authorization", `Bearer ${Object.keys(security[0]!)[0]}`);
        url.searchParams.set("api_key", "k");
      },
    });
    expect(await run(tool)).toMatchObject({ url: "/v1/echo?api_key=k", headers: { authorization: "Bearer key" } });
  });

  test("follows a redirect only within the API, and never sends the caller's headers elsewhere", async () => {
    const authorize: OpenApiOptions["authorize"] = ({ headers }) => headers.set("x-api-key", "k");
    const body = { requestBody: { content: { "application/json": {} } } };
    const get = async (path: string) => run(await toolOf({}, path, { authorize }));
    const post = async (path: string) => run(await toolOf(body, path, { authorize, method: "post" }), { body: [1] });
    const headers = { "x-api-key": "k" };
    expect(await get("/moved")).toMatchObject({ method: "GET", url: "/v1/echo?from=moved", headers });
    const posted = (await post("/moved")) as Asked;
    expect(posted).toMatchObject({ method: "GET", body: "", headers });
    expect(posted.headers["content-type"]).toBeUndefined();
    expect(await post("/kept")).toMatchObject({ method: "POST", body: "[1]", headers });
    expect(await get("/away")).toMatchObject({
      code: "http-status",
      status: 302,
      message: expect.stringContaining("another origin, http://localhost:"),
    });
    expect(await get("/round")).toMatchObject({ code: "http-status", status: 302 });
  });

  test("writes a parameter in its media type", async () => {
    const content = (type: string) => ({ content: { [type]: { schema: {} } } });
    const parameters = [
      { name: "t", in: "query", ...content("text/plain") },
      { name: "j", in: "query", ...content("application/vnd.x+json") },
    ];
    expect(await run(await toolOf({ parameters }), { t: "hi", j: "hi" })).toMatchObject({
      url: "/v1/echo?t=hi&j=%22hi%22",
    });
  });

  test("does not send the part after # in its path, which only distinguishes operations", async () => {
    expect(await run(await toolOf({}, "/echo#Action=Add"))).toMatchObject({ url: "/v1/echo" });
  });

  test("is not made if an item would be read as two", async () => {
    const tool = await toolOf({ parameters: [parameter("p", "query", { style: "pipeDelimited", explode: false })] });
    expect(await run(tool, { p: ["x|y", "z"] })).toMatchObject({
      code: "invalid-arguments",
      message: expect.stringContaining('"x|y"'),
    });
    expect(await run(tool, { p: ["x", "z"] })).toMatchObject({ url: "/v1/echo?p=x%7Cz" });
    // Where the comma is not escaped.
    const header = await toolOf({ parameters: [parameter("X-Who", "header", { explode: true })] });
    expect(await run(header, { "X-Who": { role: "user", name: "x,role=admin" } })).toMatchObject({
      code: "invalid-arguments",
    });
    expect(await run(header, { "X-Who": ["a,b"] })).toMatchObject({ code: "invalid-arguments" });
    expect(await run(header, { "X-Who": "a,b" })).toMatchObject({ headers: { "x-who": "a,b" } });
    const cookie = await toolOf({ parameters: [parameter("c", "cookie", { style: "cookie", explode: false })] });
    expect(await run(cookie, { c: ["a,b", "c"] })).toMatchObject({ code: "invalid-arguments" });
  });

  test("keeps the query of the server's address", async () => {
    const fetch: typeof globalThis.fetch = async (url) => new Response(String(url));
    const tool = await toolOf({ parameters: [parameter("q", "query")] }, "/echo", {
      fetch,
      baseURL: "https://a.b/v/?k=1",
    });
    expect(await run(tool, { q: 2 })).toBe("https://a.b/v/echo?k=1&q=2");
  });

  test("has its own timeout: signing does not count", async () => {
    const authorize = () => new Promise<void>((resolve) => setTimeout(resolve, 600));
    const fetch: typeof globalThis.fetch = async (_, init) => {
      init?.signal?.throwIfAborted();
      return new Response("there");
    };
    expect(await run(await toolOf({}, "/echo", { authorize, fetch, timeout: 500 }))).toBe("there");
  });

  test("uses the given fetch", async () => {
    const fake: typeof fetch = async (url) => new Response(String(url));
    expect(await run(await toolOf({}, "/echo", { fetch: fake, baseURL: "https://api.example/x/" }))).toBe(
      "https://api.example/x/echo",
    );
  });
});
