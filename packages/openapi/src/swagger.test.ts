import { expect, test } from "vitest";
import { type OpenApiDocumentError, openApiTools } from "./index.js";

const pet = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const list = (name: string, collectionFormat: string) => ({
  ...{ name, in: "query", type: "array", items: { type: "string" } },
  collectionFormat,
});
const document = {
  swagger: "2.0",
  info: { title: "Pets", version: "1" },
  host: "pets.example",
  basePath: "/v1",
  schemes: ["https"],
  consumes: ["application/json"],
  definitions: { Pet: pet },
  parameters: {
    limit: { name: "limit", in: "query", type: "integer", maximum: 10 },
    pet: { name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } },
  },
  paths: {
    "/pets": {
      get: {
        operationId: "list",
        parameters: [
          { $ref: "#/parameters/limit" },
          list("csv", "csv"),
          list("multi", "multi"),
          list("pipes", "pipes"),
        ],
        responses: {},
      },
      post: { operationId: "add", parameters: [{ $ref: "#/parameters/pet" }], responses: {} },
    },
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, type: "integer" }],
      post: {
        operationId: "rename",
        consumes: ["application/x-www-form-urlencoded"],
        parameters: [{ name: "name", in: "formData", type: "string", required: true }],
        responses: {},
      },
    },
  },
};

test("a Swagger document gives tools that make its requests", async () => {
  const seen: string[] = [];
  const problems: OpenApiDocumentError[] = [];
  const before = structuredClone(document);
  const tools = await openApiTools(document, {
    onProblem: (problem) => problems.push(problem),
    fetch: async (url, init) => {
      const type = new Headers(init?.headers).get("content-type");
      seen.push([init?.method, String(url), ...(init?.body ? [type, String(init.body)] : [])].join(" "));
      return new Response("ok");
    },
  });
  expect(problems).toEqual([]);
  expect(document).toEqual(before);
  expect(tools.map(({ name }) => name)).toEqual(["list", "add", "rename"]);
  expect(tools[1]?.parameters).toMatchObject({ properties: { body: pet }, required: ["body"] });
  const calls = [
    { limit: 2, csv: ["a", "b"], multi: ["a", "b"], pipes: ["a", "b"] },
    { body: { name: "Rex" } },
    { id: 7, body: { name: "Max" } },
  ];
  for (const [i, args] of calls.entries()) expect(await tools[i]?.execute(args, { toolCallId: "1" })).toBe("ok");
  expect(seen).toEqual([
    "GET https://pets.example/v1/pets?limit=2&csv=a,b&multi=a&multi=b&pipes=a%7Cb",
    'POST https://pets.example/v1/pets application/json {"name":"Rex"}',
    "POST https://pets.example/v1/pets/7 application/x-www-form-urlencoded name=Max",
  ]);
  expect(await tools[0]?.execute({ limit: 11 }, { toolCallId: "1" })).toMatchObject({ code: "invalid-arguments" });
});

test.each([{ swagger: "2.0" }, { swagger: "2.0", paths: [] }, { swagger: "2.0", paths: { "/a": { get: 7 } } }])(
  "an incomplete Swagger document is a typed error or has no tools: %j",
  async (given) => {
    const read = await openApiTools(given).catch((error: OpenApiDocumentError) => error.name);
    expect([[], "OpenApiDocumentError"]).toContainEqual(read);
  },
);

test("a form of a Swagger document keeps what the schemas of its fields say, and how lists are written", async () => {
  const field = (name: string, more: object) => ({ name, in: "formData", type: "string", ...more });
  const list = { type: "array", items: { type: "string", maxLength: 3 } };
  const form = {
    ...{ swagger: "2.0", info: {}, host: "pets.example", schemes: ["https"] },
    paths: {
      "/pets": {
        parameters: [field("of_path", {})],
        post: {
          parameters: [
            field("kind", { required: true, enum: ["cat", "dog"], default: "cat", description: "Its kind" }),
            field("note", { "x-nullable": true, maxLength: 5 }),
            field("usual", list),
            field("csv", { ...list, collectionFormat: "csv" }),
            field("pipes", { ...list, collectionFormat: "pipes" }),
            field("multi", { ...list, collectionFormat: "multi" }),
          ],
        },
        put: { consumes: ["application/json", "multipart/form-data"], parameters: [field("photo", { type: "file" })] },
      },
    },
  };
  const seen: string[] = [];
  const tools = await openApiTools(form, {
    fetch: async (_, init) => {
      seen.push(typeof init?.body === "string" ? init.body : new TextDecoder().decode(init?.body as Uint8Array));
      return new Response("ok");
    },
  });
  const [post, put] = tools.toReversed();
  expect(post?.parameters).toMatchObject({
    properties: {
      body: {
        type: "object",
        properties: {
          of_path: { type: "string" },
          kind: { enum: ["cat", "dog"], default: "cat", description: "Its kind" },
          note: { type: ["string", "null"], maxLength: 5 },
          csv: list,
        },
        required: ["kind"],
      },
    },
    required: ["body"],
  });
  const lists = Object.fromEntries(["usual", "csv", "pipes", "multi"].map((name) => [name, ["a", "b"]]));
  await post?.execute({ body: { kind: "dog", ...lists } }, { toolCallId: "1" });
  expect(seen).toEqual(["kind=dog&usual=a,b&csv=a,b&pipes=a%7Cb&multi=a&multi=b"]);
  await put?.execute({ body: { photo: "pixels" } }, { toolCallId: "1" });
  expect(seen[1]).toMatch(/name="photo"; filename="photo"\r\n.*pixels/s);
});
