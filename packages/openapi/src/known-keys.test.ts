import { describe, expect, test } from "vitest";
import { document, serveApi } from "../test/api.js";
import { openApiTools } from "./index.js";

serveApi();

const parameter = { name: "id", in: "query", schema: { type: "string" } };
const content = { "application/json": { schema: { type: "object" } } };

/** The problems of a document, and how many tools it has. */
async function read(paths: object, more: object = {}) {
  const problems: string[] = [];
  const tools = await openApiTools(document(paths, more), { onProblem: ({ message }) => problems.push(message) });
  return { problems, tools: tools.length };
}
const post = (operation: object) => ({ "/a": { post: operation } });

describe("a misspelt key of a document", () => {
  test.each<[string, object, number]>([
    [
      'Its parameter "id" has "shema". Did you mean "schema"?',
      post({ parameters: [{ ...parameter, schema: undefined, shema: {} }] }),
      1,
    ],
    [
      'Its parameter "id" has "type" outside of its "schema"',
      post({ parameters: [{ name: "id", in: "query", type: "string" }] }),
      1,
    ],
    [
      'Its parameter "id" has "requierd". Did you mean "required"?',
      post({ parameters: [{ ...parameter, requierd: true }] }),
      1,
    ],
    ['It has "nmae". Did you mean "name"?', post({ parameters: [{ in: "query", nmae: "id", schema: {} }] }), 0],
    ['Its body has "contnt". Did you mean "content"?', post({ requestBody: { contnt: content } }), 0],
    [
      'Its body in application/json has "shema"',
      post({ requestBody: { content: { "application/json": { shema: {} } } } }),
      1,
    ],
    ['It has "operatonId". Did you mean "operationId"?', post({ operatonId: "x" }), 1],
    ['It has "paramters". Did you mean "parameters"?', post({ paramters: [parameter] }), 1],
    ['The path /a has "gett". Did you mean "get"?', { "/a": { gett: {} } }, 0],
  ])("is a problem: %s", async (message, paths, tools) => {
    expect(await read(paths)).toEqual({ problems: [expect.stringContaining(message)], tools });
  });

  test("is a problem once, where several operations share it", async () => {
    const shared = { ...parameter, schema: undefined, shema: {} };
    expect((await read({ "/a": { get: {}, post: {}, parameters: [shared] } })).problems).toHaveLength(1);
  });

  test("is an error if it is the paths, without which nothing is usable", async () => {
    await expect(read({}, { paths: undefined, path: { "/a": { get: {} } } })).rejects.toMatchObject({
      code: "not-openapi",
      message: 'The document has "path". Did you mean "paths"?',
    });
  });

  test("is none if it is an extension, or resembles no other", async () => {
    const paths = post({
      "x-operatonId": 1,
      note: "?",
      requestBody: { content, "x-contnt": 1 },
      parameters: [parameter],
    });
    expect(await read(paths)).toEqual({ problems: [], tools: 1 });
  });
});
