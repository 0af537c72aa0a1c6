import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { normalizeTools, type Tool, validateValue } from "@toolingua/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OpenApiCallError, OpenApiDocumentError, type OpenApiOptions, openApiTools } from "./index.js";

/** What the server was asked, as it arrived. */
interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

let base = "";
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "", headers } = request;
  answer({ method, url, headers, body: Buffer.concat(chunks).toString() }, response);
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

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

const document = (paths: object, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  servers: [{ url: base }],
  paths,
  ...more,
});
const toolOf = async (operation: object, path = "/echo", options: OpenApiOptions & { method?: string } = {}) => {
  const { method = "get", ...rest } = options;
  const [tool] = await openApiTools(document({ [path]: { [method]: { operationId: "it", ...operation } } }), rest);
  return tool!;
};
const run = (tool: Tool, args: Record<string, unknown> = {}, signal?: AbortSignal) =>
  tool.execute(args, { toolCallId: "1", ...(signal && { signal }) });
const parameter = (name: string, place: string, more: object = {}) => ({ name, in: place, schema: {}, ...more });

describe("a call", () => {
  test("puts each argument where it belongs", async () => {
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

  test.each(["..", ".", ""])("does not let %j lead to another path", async (id) => {
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
    expect(await run(tool, { id: "%2e%2e/../x" })).toMatchObject({ url: "/v1/pets/%252e%252e%2F..%2Fx/toys" });
  });

  test("is not made with arguments that do not fit", async () => {
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

  test("follows a redirection where it stays with the API, and never takes the caller's headers elsewhere", async () => {
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

  test("writes a parameter in the media type it has", async () => {
    const content = (type: string) => ({ content: { [type]: { schema: {} } } });
    const parameters = [
      { name: "t", in: "query", ...content("text/plain") },
      { name: "j", in: "query", ...content("application/vnd.x+json") },
    ];
    expect(await run(await toolOf({ parameters }), { t: "hi", j: "hi" })).toMatchObject({
      url: "/v1/echo?t=hi&j=%22hi%22",
    });
  });

  test("does not send what follows a # in its path, which only tells operations apart", async () => {
    expect(await run(await toolOf({}, "/echo#Action=Add"))).toMatchObject({ url: "/v1/echo" });
  });

  test("is not made where an item would be read as two", async () => {
    const tool = await toolOf({ parameters: [parameter("p", "query", { style: "pipeDelimited", explode: false })] });
    expect(await run(tool, { p: ["x|y", "z"] })).toMatchObject({
      code: "invalid-arguments",
      message: expect.stringContaining('"x|y"'),
    });
    expect(await run(tool, { p: ["x", "z"] })).toMatchObject({ url: "/v1/echo?p=x%7Cz" });
  });

  test("keeps the query that the server's address has", async () => {
    const fetch: typeof globalThis.fetch = async (url) => new Response(String(url));
    const tool = await toolOf({ parameters: [parameter("q", "query")] }, "/echo", {
      fetch,
      baseUrl: "https://a.b/v/?k=1",
    });
    expect(await run(tool, { q: 2 })).toBe("https://a.b/v/echo?k=1&q=2");
  });

  test("has its time to itself: signing takes none of it", async () => {
    const authorize = () => new Promise<void>((resolve) => setTimeout(resolve, 600));
    const fetch: typeof globalThis.fetch = async (_, init) => {
      init?.signal?.throwIfAborted();
      return new Response("there");
    };
    expect(await run(await toolOf({}, "/echo", { authorize, fetch, timeout: 500 }))).toBe("there");
  });

  test("goes through the fetch that was given", async () => {
    const fake: typeof fetch = async (url) => new Response(String(url));
    expect(await run(await toolOf({}, "/echo", { fetch: fake, baseUrl: "https://api.example/x/" }))).toBe(
      "https://api.example/x/echo",
    );
  });
});

describe("an answer", () => {
  test.each([
    ["/text", "grüße"],
    ["/latin", "grüße"],
    ["/long", `${"é".repeat(50)}\n(cut: the first 101 bytes of 2000)`],
    ["/picture", "[image/png, 7 bytes: cannot be shown]"],
    ["/nothing", "204 No Content"],
  ])("of %s is %j", async (path, expected) => {
    expect(await run(await toolOf({}, path, { maxResponseBytes: 101 }))).toBe(expected);
  });

  test("that is a failure tells the model what was said", async () => {
    expect(await run(await toolOf({}, "/wrong"))).toMatchObject({
      code: "http-status",
      status: 422,
      message: 'GET /wrong answered 422 Unprocessable Entity:\n{"error":"no such color","known":["red"]}',
    });
  });

  test("that does not come is a failure, and stops when it is aborted", async () => {
    expect(await run(await toolOf({}, "/broken"))).toMatchObject({ code: "unreachable" });
    expect(await run(await toolOf({}, "/never", { timeout: 100 }))).toMatchObject({ code: "timeout" });
    const events = await run(await toolOf({}, "/events", { timeout: 300 }));
    expect(events).toBe("data: 1\n\n\n(cut: the stream went on for more than 300 ms)");
    const signal = AbortSignal.timeout(100);
    const error = await Promise.resolve(run(await toolOf({}, "/never"), {}, signal)).catch((reason) => reason);
    expect(error).toBe(signal.reason);
  });
});

describe("the schema of a tool's arguments", () => {
  const bodyOf = async (schema: object, more: object = {}, openapi = "3.1.0") => {
    const requestBody = { content: { "application/json": { schema } } };
    const whole = { ...document({ "/x": { post: { requestBody } } }, more), openapi };
    const [tool] = await openApiTools(whole);
    normalizeTools([tool!]);
    return tool!.parameters as { properties: { body: object }; $defs?: Record<string, object> };
  };
  const reference = { $ref: "#/components/schemas/Node" };
  const node = { type: "object", properties: { next: reference, value: { type: "integer" } } };

  test("holds what refers to itself, once", async () => {
    const parameters = await bodyOf(reference, { components: { schemas: { Node: node } } });
    expect(parameters).toMatchObject({
      properties: { body: { $ref: "#/$defs/Node" } },
      $defs: { Node: { properties: { next: { $ref: "#/$defs/Node" } } } },
    });
    const good = { body: { value: 1, next: { next: { value: 2 } } } };
    expect(validateValue(good, parameters)).toEqual([]);
    expect(validateValue({ body: { next: { value: "x" } } }, parameters)).toHaveLength(1);
  });

  test("holds in place what is used once, and as a definition what is used twice", async () => {
    const schemas = {
      Once: { type: "string", description: "An address" },
      Twice: { type: "object", properties: { a: { $ref: "#/components/schemas/Once", description: "Mine" } } },
    };
    const twice = { $ref: "#/components/schemas/Twice" };
    const parameters = await bodyOf({ properties: { one: twice, other: twice } }, { components: { schemas } });
    expect(parameters.$defs).toEqual({
      Twice: { type: "object", properties: { a: { type: "string", description: "Mine" } } },
    });
  });

  test("is JSON Schema, whatever OpenAPI 3.0 had it be", async () => {
    const schema = {
      type: "object",
      required: ["id", "age", "kind"],
      properties: {
        id: { type: "string", readOnly: true },
        age: { type: "integer", minimum: 0, exclusiveMinimum: true, nullable: true, example: 3, "x-order": 1 },
        kind: { type: "string", enum: ["a"], nullable: true, xml: { name: "k" } },
        example: { type: "string", default: "an example", writeOnly: true },
      },
      discriminator: { propertyName: "kind" },
    };
    expect((await bodyOf(schema, {}, "3.0.3")).properties.body).toEqual({
      type: "object",
      required: ["age", "kind"],
      properties: {
        age: { type: ["integer", "null"], exclusiveMinimum: 0 },
        kind: { type: ["string", "null"], enum: ["a", null] },
        example: { type: "string", default: "an example" },
      },
    });
  });

  test("admits null where OpenAPI 3.0 or Swagger says so, also beside a reference", async () => {
    const schemas = { Ref: { type: "object", properties: { a: { type: "string" } } } };
    const ref = { $ref: "#/components/schemas/Ref" };
    const properties = {
      part: { nullable: true, allOf: [ref], description: "A part" },
      typed: { type: "object", nullable: true, allOf: [{ type: "object" }] },
      beside: { ...ref, nullable: true },
      listed: { nullable: true, enum: ["a"] },
      swagger: { type: "string", "x-nullable": true },
      never: { allOf: [ref] },
    };
    const parameters = await bodyOf({ type: "object", properties }, { components: { schemas } }, "3.0.3");
    for (const key of Object.keys(properties)) {
      expect(validateValue({ body: { [key]: null } }, parameters)).toHaveLength(key === "never" ? 1 : 0);
      expect(validateValue({ body: { [key]: 7 } }, parameters)).not.toEqual([]);
    }
    const { part } = (parameters.properties.body as { properties: Record<string, object> }).properties;
    expect(part).toMatchObject({ description: "A part" });
  });

  test("lacks what only the server sets, also where another part requires it", async () => {
    const schemas = {
      Base: { type: "object", properties: { id: { type: "string", readOnly: true } } },
      Strict: { type: "object", required: ["id", "n"], properties: { id: { type: "string" }, n: { type: "integer" } } },
    };
    const [base, strict] = ["Base", "Strict"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const whole = { allOf: [base, strict, { required: ["id"] }], required: ["id"] };
    const parameters = await bodyOf({ properties: { whole, strict } }, { components: { schemas } });
    expect(validateValue({ body: { whole: { n: 1 } } }, parameters)).toEqual([]);
    expect(validateValue({ body: { whole: {} } }, parameters)).toHaveLength(1);
    expect(validateValue({ body: { strict: { n: 1 } } }, parameters)).toHaveLength(1);
    expect(JSON.stringify(parameters).match(/"id"/g)).toHaveLength(2);
  });

  test("takes what looks like a reference in an example for data", async () => {
    const schema = { type: "object", example: { $ref: "https://nowhere.invalid/x" }, default: { $ref: "#/y" } };
    expect((await bodyOf(schema)).properties.body).toEqual({ type: "object", default: { $ref: "#/y" } });
  });

  test("tells parameters of one name apart by their place", async () => {
    const tool = await toolOf(
      { parameters: ["path", "query"].map((place) => parameter("id", place)), requestBody: { content: { "a/b": {} } } },
      "/x/{id}",
      { method: "put" },
    );
    expect(await run(tool, { id_path: 1, id_query: 2, body: "b" })).toMatchObject({ url: "/v1/x/1?id=2", body: "b" });
  });
});

describe("a document", () => {
  test("gives names that models can call, and says what each stands for", async () => {
    const get = (operationId?: string) => ({ get: operationId === undefined ? {} : { operationId } });
    const paths = {
      "/a": get("repos/list-for-org"),
      "/b": get("repos list-for-org"),
      "/c/{id}.json": get(),
      "/d": get("é".repeat(3)),
      "/e": get("x".repeat(100)),
      "/f": get(`${"x".repeat(100)}y`),
    };
    const tools = await openApiTools(document(paths));
    expect(tools.map(({ name }) => name)).toEqual([
      "repos_list-for-org",
      "repos_list-for-org_2",
      "get_c_id_json",
      "get_d",
      "x".repeat(64),
      `${"x".repeat(62)}_2`,
    ]);
    expect(tools[2]?.operation).toMatchObject({ method: "GET", path: "/c/{id}.json" });
    const some = await openApiTools(document(paths), { include: ({ path }) => path === "/b" });
    expect(some.map(({ name }) => name)).toEqual(["repos_list-for-org_2"]);
  });

  test("may be of several files, in JSON and YAML, but not lead out of where it may", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolingua-openapi-"));
    try {
      const path = join(folder, "api.yaml");
      const item = { $ref: "./paths/item.json" };
      writeFileSync(
        path,
        `openapi: 3.0.0\nservers: [{ url: ${base} }]\npaths:\n  /item:\n    $ref: "./item.json#/it"\n`,
      );
      const schema = { $ref: "#/schemas/N" };
      const get = { operationId: "item", parameters: [{ name: "n", in: "query", schema }] };
      writeFileSync(join(folder, "item.json"), JSON.stringify({ it: { get }, schemas: { N: { type: "integer" } } }));
      const [tool] = await openApiTools(path);
      expect(tool?.parameters).toMatchObject({ properties: { n: { type: "integer" } } });
      expect(await run(tool!, { n: 3 })).toMatchObject({ url: "/v1/item?n=3" });

      const problems: OpenApiDocumentError[] = [];
      const onProblem = (problem: OpenApiDocumentError) => problems.push(problem);
      await openApiTools(document({ "/x": item }), { onProblem });
      const file = { $ref: `file://${folder}/item.json#/it` };
      await openApiTools(document({ "/x": file }), { onProblem, location: `${base}/api.json` });
      expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(["bad-reference"]));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("that has a wrong operation has the others", async () => {
    const problems: string[] = [];
    const circle = { components: { schemas: { A: { $ref: "#/components/schemas/A" } } } };
    const needed = { required: true, content: { "a/b": {} } };
    const wrong = (schema: object) => ({ get: { parameters: [parameter("a", "query", { schema })] } });
    const paths = {
      "/nowhere": wrong({ $ref: "#/components/nowhere" }),
      "/circle": wrong({ $ref: "#/components/schemas/A" }),
      "/nameless": { get: { parameters: [{ in: "query" }] } },
      "/odd": wrong({ type: "string", pattern: "([" }),
      "/body": { get: { requestBody: { content: { "a/b": {} } } }, head: { requestBody: needed }, trace: {} },
      "/fine": { get: {} },
    };
    const tools = await openApiTools(document(paths, circle), { onProblem: ({ message }) => problems.push(message) });
    expect(tools.map(({ name }) => name)).toEqual(["get_odd", "get_body", "get_fine"]);
    expect(Object.keys((tools[1]!.parameters as { properties: object }).properties)).toEqual([]);
    expect(problems.map((message) => message.split(" ").slice(0, 2).join(" "))).toEqual([
      "GET /nowhere",
      "GET /circle",
      "GET /nameless",
      "A part",
      "GET /body",
      "HEAD /body",
      "TRACE /body",
    ]);
  });

  test.each([["#/components/schemas/100%"], ["#"], ["http://[::/x#/a"]])(
    "that has the reference %s has the other operations",
    async ($ref) => {
      const problems: string[] = [];
      const paths = {
        "/a": { get: { parameters: [parameter("a", "query", { schema: { $ref } })] } },
        "/b": { get: {} },
      };
      const whole = document(paths, { components: { schemas: { "100%": { type: "string" } } } });
      const options = {
        location: `${base}/d.json`,
        onProblem: ({ code }: OpenApiDocumentError) => problems.push(code),
      };
      const tools = await openApiTools(whole, options);
      expect(tools.map(({ name }) => name)).toEqual(["get_b"]);
      expect(problems).toEqual(["bad-reference"]);
    },
  );

  test("has no operation that cannot be written: an object in XML, a style that there is not", async () => {
    const problems: string[] = [];
    const xml = (schema: object) => ({ requestBody: { content: { "application/xml": { schema } } } });
    const paths = {
      "/object": { post: xml({ $ref: "#/components/schemas/O" }) },
      "/part": { post: xml({ allOf: [{ $ref: "#/components/schemas/O" }] }) },
      "/text": { post: { ...xml({ type: "string" }) } },
      "/style": { get: { parameters: [parameter("a", "query", { style: "weird" })] } },
      "/any": { post: { requestBody: { content: { "text/xml": {}, "*/*": { schema: { type: "object" } } } } } },
      "/parameter": {
        get: {
          parameters: [{ name: "a", in: "query", content: { "application/xml": { schema: { type: "array" } } } }],
        },
      },
    };
    const whole = document(paths, { components: { schemas: { O: { type: "object" } } } });
    const tools = await openApiTools(whole, { onProblem: ({ message }) => problems.push(message) });
    expect(tools.map(({ name }) => name)).toEqual(["post_text", "post_any"]);
    expect(problems).toEqual([
      expect.stringMatching(/^POST \/object .*application\/xml/),
      expect.stringMatching(/^POST \/part .*application\/xml/),
      expect.stringMatching(/^GET \/style .*"weird"/),
      expect.stringMatching(/^GET \/parameter .*application\/xml/),
    ]);
  });

  test.each([3, 3.1])("of the version %s, which YAML read as a number, is read", async (openapi) => {
    expect(await openApiTools({ ...document({ "/a": { get: {} } }), openapi })).toHaveLength(1);
  });

  test.each([
    [{}, "not-openapi"],
    [{ openapi: "3.1.0", paths: [] }, "not-openapi"],
    [{ swagger: "1.2" }, "unsupported-version"],
    [{ openapi: "3.2.0", paths: {} }, "unsupported-version"],
    [{ openapi: "3.10.0", paths: {} }, "unsupported-version"],
    ["/no/such/file.json", "unreadable"],
    ["http://127.0.0.1:9/api.json", "unreadable"],
  ])("that is none is refused: %j", async (source, code) => {
    const error = await openApiTools(source).catch((reason) => reason);
    expect(error).toBeInstanceOf(OpenApiDocumentError);
    expect(error.code).toBe(code);
  });

  test("that does not say where the API is must be told", async () => {
    const problems: string[] = [];
    const nowhere = { ...document({ "/x": { get: {} } }), servers: undefined };
    expect(await openApiTools(nowhere, { onProblem: ({ code }) => problems.push(code) })).toEqual([]);
    expect(problems).toEqual(["no-server"]);
    const [at] = await openApiTools(
      { ...nowhere, servers: [{ url: "/{v}", variables: { v: { default: "v1" } } }] },
      {
        location: `${base}/openapi.json`,
      },
    );
    expect(at?.operation.server).toBe(base);
    const variable = (v: object) => ({ ...nowhere, servers: [{ url: "http://a.b/{v}", variables: { v } }] });
    const [only] = await openApiTools(variable({ enum: ["v3"] }));
    expect(only?.operation.server).toBe("http://a.b/v3");
    for (const v of [{}, { enum: ["v1", "v2"] }]) {
      expect(await openApiTools(variable(v), { onProblem: ({ code }) => problems.push(code) })).toEqual([]);
    }
    expect(problems).toEqual(["no-server", "no-server", "no-server"]);
  });
});
