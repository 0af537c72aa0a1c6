import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Asked, document, run, serveApi } from "../test/api.js";
import { type Credentials, type OpenApiOptions, openApiTools } from "./index.js";

serveApi();

const securitySchemes = {
  header: { type: "apiKey", in: "header", name: "X-Key" },
  query: { type: "apiKey", in: "query", name: "key" },
  cookie: { type: "apiKey", in: "cookie", name: "session" },
  basic: { type: "http", scheme: "basic" },
  bearer: { type: "http", scheme: "bearer" },
  oauth: { $ref: "#/components/x-shared" },
  certificate: { type: "mutualTLS" },
};
const shared = { "x-shared": { type: "oauth2", flows: {} } };
const tools = (security: object[] | undefined, options: OpenApiOptions) =>
  openApiTools(
    document(
      {
        "/echo": {
          get: { operationId: "it", parameters: [{ name: "c", in: "cookie" }], ...(security && { security }) },
        },
      },
      { components: { securitySchemes, ...shared } },
    ),
    options,
  );
const asked = async (security: object[] | undefined, credentials: Credentials, args = {}) => {
  const [tool] = await tools(security, { credentials });
  return (await run(tool!, args)) as Asked;
};

describe("credentials", () => {
  test.each<[string, Credentials[string], object]>([
    ["header", "k", { headers: { "x-key": "k" } }],
    ["query", "a b", { url: "/v1/echo?key=a%20b" }],
    ["cookie", "a;b", { headers: { cookie: "session=a%3Bb" } }],
    ["basic", { username: "Ann", password: "grün:1" }, { headers: { authorization: "Basic QW5uOmdyw7xuOjE=" } }],
    ["basic", "Basic Ann:grün:1", { headers: { authorization: "Basic QW5uOmdyw7xuOjE=" } }],
    ["basic", "basic QW5uOmdyw7xuOjE=", { headers: { authorization: "Basic QW5uOmdyw7xuOjE=" } }],
    ["basic", "Ann:grün:1", { headers: { authorization: "Basic QW5uOmdyw7xuOjE=" } }],
    ["bearer", () => "t", { headers: { authorization: "Bearer t" } }],
    ["oauth", async ({ path }) => `for ${path}`, { headers: { authorization: "Bearer for /echo" } }],
  ])("of %s are sent as the scheme says: %j", async (name, credential, seen) => {
    expect(await asked([{ [name]: [] }], { [name]: credential })).toMatchObject(seen);
  });

  test("are sent together if a set requires several, next to the call's own values", async () => {
    const security = [
      { bearer: [], certificate: [] },
      { cookie: [], header: [] },
    ];
    const credentials = { bearer: "t", cookie: "s", header: "k", certificate: "c" };
    const { headers } = await asked(security, credentials, { c: 1 });
    expect(headers).toMatchObject({ cookie: "c=1; session=s", "x-key": "k" });
    expect(headers.authorization).toBeUndefined();
  });

  test("leave the rest of the query unchanged, and replace the value with their name", async () => {
    const parameters = [
      { name: "path", in: "query", allowReserved: true },
      { name: "key", in: "query" },
      { name: "more", in: "query", schema: { type: "object" } },
    ];
    const paths = { "/echo": { get: { operationId: "it", parameters, security: [{ query: [] }] } } };
    const described = document(paths, { components: { securitySchemes, ...shared } });
    const [tool] = await openApiTools(described, { credentials: { query: "a&b" } });
    const { url } = (await run(tool!, { path: "a/b c", key: "mine", more: { key: "x", q: 1 } })) as Asked;
    expect(url).toBe("/v1/echo?path=a/b%20c&q=1&key=a%26b");
  });

  test("are the only value of a name that the query writes in escapes", async () => {
    const list = { ...securitySchemes, query: { type: "apiKey", in: "query", name: "key[]" } };
    const parameters = [{ name: "q", in: "query", style: "form", explode: true, schema: { type: "object" } }];
    const paths = { "/echo": { get: { operationId: "it", parameters, security: [{ query: [] }] } } };
    const described = document(paths, { components: { securitySchemes: list, ...shared } });
    const [tool] = await openApiTools(described, { credentials: { query: "mine" } });
    const { url } = (await run(tool!, { q: { "key[]": "theirs", other: 1 } })) as Asked;
    expect(new URL(url, "http://x").searchParams.getAll("key[]")).toEqual(["mine"]);
  });

  test("are the only value of their name in the query, whatever the call contains", async () => {
    const parameters = [{ name: "q", in: "query", style: "form", explode: true, schema: { type: "object" } }];
    const paths = { "/echo": { get: { operationId: "it", parameters, security: [{ query: [] }] } } };
    const described = document(paths, { components: { securitySchemes, ...shared } });
    const fetch = async (url: unknown) => Response.json({ url: String(url) });
    const text = fc.string({ unit: "grapheme" });
    const token = fc.string({ unit: "grapheme", minLength: 1 });
    const name = fc.oneof(fc.constantFrom("key", "Key", "key ", "k%65y"), text);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, text, { maxKeys: 4, noNullPrototype: true }), token, async (q, key) => {
        const [tool] = await openApiTools(described, { credentials: { query: key }, fetch });
        const { url } = (await run(tool!, { q })) as Asked;
        const { key: _, ...others } = q;
        expect([...new URL(url).searchParams]).toEqual([...Object.entries(others), ["key", key]]);
      }),
      { numRuns: 50 },
    );
  });

  test("are the only cookie of their name", async () => {
    const parameters = [
      { name: "session", in: "cookie" },
      { name: "c", in: "cookie", schema: { type: "object" } },
    ];
    const paths = { "/echo": { get: { operationId: "it", parameters, security: [{ cookie: [] }] } } };
    const described = document(paths, { components: { securitySchemes, ...shared } });
    const [tool] = await openApiTools(described, { credentials: { cookie: "s" } });
    const { headers } = (await run(tool!, { session: "mine", c: { session: "x", d: 1 } })) as Asked;
    expect(headers.cookie).toBe("d=1; session=s");
  });

  test.each<[string, unknown]>([
    ["scopes that are no list of schemes", { header: [] }],
    ["a set that is null", [null]],
    ["a set that is a text", ["header"]],
  ])("exclude an operation whose `security` is %s, and no other", async (_, security) => {
    const problems: unknown[] = [];
    const onProblem = (problem: unknown) => problems.push(problem);
    const paths = { "/a": { get: { security } }, "/b": { get: { security: [{ header: [] }] } } };
    const described = document(paths, { components: { securitySchemes, ...shared } });
    for (const options of [{ onProblem }, { onProblem, credentials: { header: "k" } }]) {
      expect((await openApiTools(described, options)).map(({ operation }) => operation.path)).toEqual(["/b"]);
      expect(problems.splice(0)).toMatchObject([
        { code: "bad-operation", message: expect.stringMatching(/^GET \/a cannot be used.*`security`.*list/) },
      ]);
    }
  });

  test("are not sent with operations that need none", async () => {
    expect((await asked(undefined, { bearer: "t" })).headers.authorization).toBeUndefined();
    expect((await asked([{}], { bearer: "t" })).headers.authorization).toBeUndefined();
    expect((await asked([{ header: [] }, {}], { bearer: "t" })).headers.authorization).toBeUndefined();
  });

  test("that are required but not given exclude the operation, unless the application signs", async () => {
    const problems: unknown[] = [];
    const options = { credentials: { bearer: "t" }, onProblem: (one: unknown) => problems.push(one) };
    expect(await tools([{ header: [] }, { basic: [], cookie: [] }], options)).toEqual([]);
    expect(problems).toMatchObject([
      { code: "no-credentials", message: expect.stringContaining("header, or basic and cookie") },
    ]);
    expect(await tools([{ header: [] }], { ...options, authorize: () => {} })).toHaveLength(1);
    expect(await tools([{ header: [] }], {})).toHaveLength(1);
  });

  test("of an unknown scheme are refused, and so are other options", async () => {
    await expect(tools([], { credentials: { beerer: "t" } })).rejects.toThrow(
      /security scheme "beerer", which the document lacks. Did you mean "bearer"\?/,
    );
    await expect(tools([], { credentials: { basic: { user: "a", password: "b" } } } as object)).rejects.toThrow(
      /credential of "basic" is a string, or \{ username, password \}/,
    );
    await expect(tools([], { credentials: { bearer: "" } })).rejects.toThrow('The credential of "bearer" is empty.');
    await expect(tools([], { credential: {} } as object)).rejects.toThrow(/Did you mean "credentials"/);
    await expect(tools([], { files: { open: () => "" } } as object)).rejects.toThrow(/no "open" in `files`/);
    await expect(tools([], { timeout: 2 ** 31 })).rejects.toThrow(/`timeout` is a whole number from 1 to 2147483647/);
    await expect(tools([], { timeout: "1s" } as object)).rejects.toMatchObject({ code: "bad-option" });
  });
});
