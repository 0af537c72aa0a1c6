import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { document, parameter, run, serveApi, toolOf } from "../test/api.js";
import { openApiTools } from "./index.js";

serveApi();

/** The problems of a document, and the arguments of its tools. */
async function read(paths: object, more: object = {}) {
  const problems: string[] = [];
  const tools = await openApiTools(document(paths, more), { onProblem: ({ message }) => problems.push(message) });
  const known = tools.map(({ parameters }) => Object.keys((parameters as { properties: object }).properties));
  return { problems, known };
}
const post = (operation: object, path = "/a") => ({ [path]: { post: operation } });

describe("what is given as the document", () => {
  test.each([
    ["its text in JSON", '{"openapi": "3.1.0", "paths": {}}', "is its text: parse it first"],
    ["its text in YAML", "openapi: 3.1.0\npaths: {}\n", "is its text: parse it first"],
    ["another spelling", { openApi: "3.1.0" }, 'it has no field `openapi`, but "openApi".'],
    ["another format", { asyncapi: "3.0.0", info: {} }, 'it has no field `openapi`, but "asyncapi", "info".'],
  ])("is named in the error if it is %s", async (_, given, said) => {
    const failed = openApiTools(given);
    await expect(failed).rejects.toThrow(said);
    await expect(failed).rejects.not.toThrow("there is no file");
  });

  test("is a page of HTML, such as that of the documentation", async () => {
    const fetch = async () => new Response("\n<!DOCTYPE html><title>API</title>");
    await expect(openApiTools("https://api.example.com/docs", { fetch })).rejects.toThrow(
      "https://api.example.com/docs is a page of HTML",
    );
  });
});

describe("a slip in an operation is reported with what is right", () => {
  test("a parameter of the path that the path does not have", async () => {
    const id = parameter("petid", "path", { required: true });
    expect(await read({ "/pets/{petId}": { get: { parameters: [id] } } })).toEqual({
      problems: [expect.stringContaining('Its path has no "{petid}", which a parameter fills. Did you mean "petId"?')],
      known: [["petId"]],
    });
    const { problems } = await read({ "/pets/:petid": { get: { parameters: [id] } } });
    expect(problems).toEqual([expect.stringContaining('Write "/pets/{petid}".')]);
  });

  test.each([
    [parameter("id", "querry"), '"querry" is no place of a parameter. Did you mean "query"?'],
    [parameter("pet", "body"), '"body" is no place of a parameter in OpenAPI 3: it is the `requestBody`.'],
    [parameter("pet", "formData"), '"formData" is no place of a parameter in OpenAPI 3: it is the `requestBody`.'],
    [parameter("X Trace", "header"), 'Its parameter "X Trace" is no name of a header.'],
  ])("a place that is none: %j", async (given, said) => {
    expect(await read(post({ parameters: [given] }))).toEqual({ problems: [expect.stringContaining(said)], known: [] });
  });

  test.each([{ schema: { type: "object" } }, { required: true }])(
    "a body without `content`: %j",
    async (requestBody) => {
      const { problems, known } = await read(post({ requestBody }));
      expect([problems, known]).toEqual([[expect.stringContaining("Its body has no `content`")], []]);
    },
  );

  test.each([
    ["#/components/schemas/Pett", 'there is no "Pett" in #/components/schemas. Did you mean "Pet"?'],
    ["#/definitions/Pet", 'there is no "definitions" in the document.'],
    ["#/components/schemas/Pet/properties/name", 'there is no "properties" in #/components/schemas/Pet.'],
  ])("a reference that leads nowhere: %s", async ($ref, said) => {
    const requestBody = { content: { "application/json": { schema: { $ref } } } };
    const { problems } = await read(post({ requestBody }), { components: { schemas: { Pet: { type: "string" } } } });
    expect(problems).toEqual([expect.stringContaining(said)]);
  });

  test("credentials of a scheme that the document does not declare", async () => {
    const problems: string[] = [];
    const key = { type: "apiKey", in: "header", name: "x-key" };
    const given = document(post({ security: [{ kye: [] }] }), { components: { securitySchemes: { key } } });
    await openApiTools(given, { credentials: { key: "k" }, onProblem: ({ message }) => problems.push(message) });
    expect(problems).toEqual([expect.stringContaining("kye (which the document does not declare)")]);
  });
});

describe("a credential", () => {
  const bearer = {
    components: { securitySchemes: { login: { type: "http", scheme: "bearer" } } },
    security: [{ login: [] }],
  };

  test.each(["token", "Bearer token", "bearer token"])("is sent with its word once: %s", async (login) => {
    const [tool] = await openApiTools(document(post({}, "/echo"), bearer), { credentials: { login } });
    expect(await run(tool!, {})).toMatchObject({ headers: { authorization: "Bearer token" } });
  });

  test("that is not set is said so, and not which form it has", async () => {
    const credentials = { login: process.env.TOOLINGUA_NO_SUCH_KEY! };
    await expect(openApiTools(document(post({}), bearer), { credentials })).rejects.toThrow(
      'The credential of "login" is not set.',
    );
  });
});

describe("a request", () => {
  test.each(["../admin", "a/../../b", "..\\admin", "./a", "a/..;x=1/b", "..;/manager", "%2e%2e", "%252e%252e%252Fa"])(
    "does not carry %j into its path, where a server that decodes slashes would follow it",
    async (id) => {
      const tool = await toolOf({ parameters: [parameter("id", "path", { required: true })] }, "/echo/{id}");
      const refused = await run(tool, { id });
      expect(refused).toMatchObject({ code: "invalid-arguments" });
      expect(String(refused)).toContain("leads to another path");
    },
  );

  test("stays below its path, whatever the argument, also where a server decodes it before it follows it", async () => {
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      asked.push(String(url));
      return new Response("ok");
    };
    const tool = await toolOf({ parameters: [parameter("id", "path", { required: true })] }, "/users/{id}/pets", {
      fetch,
    });
    const piece = fc.constantFrom("..", ".", "/", "\\", "%2e", "%2F", ";", "a", "?", "#", "\n", "é", " ");
    const id = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
    );
    await fc.assert(
      fc.asyncProperty(id, async (id) => {
        asked.length = 0;
        const result = await run(tool, { id });
        if (result instanceof Error) {
          expect(asked).toEqual([]);
          return;
        }
        const { pathname, search, hash } = new URL(asked[0]!);
        expect(search + hash).toBe("");
        const followed = new URL(decodeURIComponent(pathname).replace(/[?#]/g, "_"), "http://server").pathname;
        expect(followed).toMatch(/^\/v1\/users\/.*\/pets$/s);
      }),
    );
  });

  test.each(["a/b", "v1..v2", "...", "..a", "a;b"])("carries %j into its path", async (id) => {
    const tool = await toolOf({ parameters: [parameter("id", "path", { required: true })] }, "/echo/{id}");
    expect(await run(tool, { id })).toMatchObject({ url: `/v1/echo/${encodeURIComponent(id)}` });
  });

  test.each([
    ["path", "/echo/{id}"],
    ["query", "/echo"],
    ["header", "/echo"],
  ])("is not sent for another number than the one that was meant, in its %s", async (place, path) => {
    const schema = { type: "integer", format: "int64" };
    const tool = await toolOf({ parameters: [parameter("id", place, { required: true, schema })] }, path);
    const refused = await run(tool, { id: Number("12345678901234567890") });
    expect(refused).toMatchObject({ code: "invalid-arguments" });
    expect(String(refused)).toContain("12345678901234567000 is too large to be exact");
    expect(await run(tool, { id: Number.MAX_SAFE_INTEGER })).toMatchObject({ method: "GET" });
  });

  test.each([
    ["application/json", (id: number) => [{ id }]],
    ["application/jsonl", (id: number) => [{ id }]],
    ["application/octet-stream", (id: number) => [{ id }]],
    ["application/x-www-form-urlencoded", (id: number) => ({ pet: { id } })],
    ["multipart/form-data", (id: number) => ({ pet: { id } })],
  ])("is not sent for another number in its body, %s", async (type, body) => {
    const tool = await toolOf({ requestBody: { content: { [type]: { schema: {}, itemSchema: {} } } } }, "/echo", {
      method: "post",
    });
    const refused = await run(tool, { body: body(Number("12345678901234567890")) });
    expect(String(refused)).toContain("12345678901234567000 is too large to be exact");
    expect(await run(tool, { body: body(Number.MAX_SAFE_INTEGER) })).toMatchObject({ method: "POST" });
  });

  test("does not get the headers of its connection from a parameter", async () => {
    const names = [
      "Content-Length",
      "Transfer-Encoding",
      "Connection",
      "Keep-Alive",
      "Upgrade",
      "TE",
      "Trailer",
      "Expect",
    ];
    const tool = await toolOf({ parameters: [...names, "X-Own"].map((name) => parameter(name, "header")) });
    expect(tool.parameters).toMatchObject({ properties: { "X-Own": {} } });
    expect(Object.keys((tool.parameters as { properties: object }).properties)).toEqual(["X-Own"]);
  });
});

test("an empty answer of a failed request is reported once", async () => {
  const fetch = async () => new Response(null, { status: 503, statusText: "Service Unavailable" });
  const tool = await toolOf({}, "/echo", { fetch });
  expect(await run(tool, {})).toHaveProperty("message", "GET /echo answered 503 Service Unavailable.");
});
