import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { base, document, parameter, run, serveApi } from "../test/api.js";
import { OpenApiDocumentError, type OpenApiOptions, openApiTools } from "./index.js";

serveApi();

test("a tool can be called without a context", async () => {
  const [tool] = await openApiTools(document({ "/text": { get: { operationId: "it" } } }));
  expect(await Reflect.apply(tool!.execute, tool, [{}])).toBe("grüße");
});

test("operations are selected by their method in upper case, and no other spelling is a type", async () => {
  const paths = { "/a": { get: {}, post: {}, additionalOperations: { purge: {} } } };
  const names = async (include: NonNullable<OpenApiOptions["include"]>) =>
    (await openApiTools(document(paths), { include })).map(({ name }) => name);
  expect(await names(({ method }) => method === "GET" || String(method) === "PURGE")).toEqual(["get_a", "purge_a"]);
  // @ts-expect-error no method is written so
  expect(await names(({ method }) => method === "get")).toEqual([]);
});

test("tools of GET and HEAD are `readOnly`, and no others", async () => {
  const operations = { get: {}, head: {}, post: {}, delete: {}, options: {} };
  const tools = await openApiTools(document({ "/a": operations }));
  expect(tools.filter(({ readOnly }) => readOnly).map(({ operation }) => operation.method)).toEqual(["GET", "HEAD"]);
});

describe("a document", () => {
  test("gets names that models can call, and maps them to its operations", async () => {
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

  test("may have several files, in JSON and YAML, but none outside the allowed places", async () => {
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

  test("that is missing is an error with the server's answer", async () => {
    const message = expect.stringMatching(/wrong answered 422/);
    await expect(openApiTools(`${base}/wrong`)).rejects.toMatchObject({ code: "unreadable", message });
  });

  test("at an address where no one listens is an error with the address and the cause", async () => {
    await expect(openApiTools("http://127.0.0.1:9/api.json")).rejects.toMatchObject({
      code: "unreadable",
      message: expect.stringMatching(/http:\/\/127\.0\.0\.1:9\/api\.json cannot be reached: .*(ECONNREFUSED|bad port)/),
    });
  });

  test("that does not arrive times out", async () => {
    const opening = openApiTools(`${base}/never`, { timeout: 100 });
    await expect(opening).rejects.toMatchObject({
      code: "unreadable",
      message: expect.stringMatching(/never cannot be reached: no answer in time/),
    });
  });

  test.each([
    ["[]", /tools\.json is not an OpenAPI document: it has no field `openapi`\./],
    ["{}", /tools\.json is not an OpenAPI document: it has no field `openapi`\./],
    ['{"openapi": "2.9"}', /^OpenAPI 2\.9 is not supported: convert \S*tools\.json to 3\.0, 3\.1 or 3\.2 first\.$/],
  ])("that is another document is named: %s", async (content, message) => {
    const folder = mkdtempSync(join(tmpdir(), "toolingua-openapi-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "tools.json");
    writeFileSync(path, content);
    await expect(openApiTools(path)).rejects.toThrow(message);
  });

  test("with an invalid operation keeps the others", async () => {
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
    "with the reference %s keeps the other operations",
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

  test("omits operations that cannot be written: an object in XML, an unknown style", async () => {
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

  test.each([3, 3.1])("of the version %s, which YAML reads as a number, is read", async (openapi) => {
    expect(await openApiTools({ ...document({ "/a": { get: {} } }), openapi })).toHaveLength(1);
  });

  test.each([
    [{}, "not-openapi"],
    [{ openapi: "3.1.0", paths: [] }, "not-openapi"],
    [{ swagger: "1.2" }, "unsupported-version"],
    [{ openapi: "3.3.0", paths: {} }, "unsupported-version"],
    [{ openapi: "3.10.0", paths: {} }, "unsupported-version"],
    ["/no/such/file.json", "unreadable"],
    ["http://127.0.0.1:9/api.json", "unreadable"],
  ])("that is invalid is refused: %j", async (source, code) => {
    const error = await openApiTools(source).catch((reason) => reason);
    expect(error).toBeInstanceOf(OpenApiDocumentError);
    expect(error.code).toBe(code);
  });

  test("without the API's address needs an option", async () => {
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
