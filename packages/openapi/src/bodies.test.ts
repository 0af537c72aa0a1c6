import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { document, serveApi } from "../test/api.js";
import { type OpenApiOptions, openApiTools } from "./index.js";
import { multipart } from "./multipart.js";

serveApi();

/** A server that parses forms like those of browsers: a part with a file name is a file. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  const seen: unknown[] = [];
  if (type.startsWith("multipart/form-data")) {
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    for (const [name, value] of form) {
      const isFile = typeof value !== "string";
      seen.push(isFile ? [name, "file", value.name, value.type, await value.text()] : [name, "field", value]);
    }
  } else seen.push([type, body.toString("latin1")]);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ seen, raw: body.toString("latin1") }));
});
let baseURL = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const post = async (content: object, body: unknown, options: OpenApiOptions = {}, method = "post") => {
  const paths = { "/": { [method]: { operationId: "it", requestBody: { content } } } };
  const [tool] = await openApiTools(document(paths), { baseURL, ...options });
  const answer = await tool!.execute({ body }, { toolCallId: "1" });
  return answer as { seen: unknown[]; raw: string };
};

const form = {
  "multipart/form-data": {
    schema: {
      type: "object",
      properties: {
        title: { type: "string" },
        meta: { type: "object" },
        picture: { type: "string", format: "binary" },
        pages: { type: "array", items: { type: "string", contentMediaType: "image/png" } },
        inBase64: { type: "string", contentMediaType: "image/png", contentEncoding: "base64" },
        table: { type: "string" },
        any: {},
      },
    },
    encoding: { table: { contentType: "text/csv" }, any: { contentType: "image/png, image/jpeg" } },
  },
};

describe("a multipart form", () => {
  test("has files for binary schemas, and objects as JSON fields", async () => {
    const png = Buffer.from([137, 80, 78, 71]).toString("base64");
    const { seen, raw } = await post(form, {
      title: 'A "b"\r\nc',
      meta: { a: 1 },
      picture: "the text of it",
      pages: [`data:image/png;base64,${png}`, "data:,two%20words"],
      inBase64: png,
      table: "a,b",
      any: "data:image/jpeg,x",
    });
    expect(seen).toEqual([
      ["title", "field", 'A "b"\r\nc'],
      ["meta", "field", '{"a":1}'],
      ["picture", "file", "picture", "application/octet-stream", "the text of it"],
      ["pages", "file", "pages", "image/png", "\ufffdPNG"],
      ["pages", "file", "pages", "text/plain", "two words"],
      ["inBase64", "field", png],
      ["table", "field", "a,b"],
      ["any", "file", "any", "image/jpeg", "x"],
    ]);
    expect(raw).toMatch(/name="meta"\r\ncontent-type: application\/json\r\n\r\n{"a":1}/);
    expect(raw).toMatch(/name="table"\r\ncontent-type: text\/csv\r\n\r\na,b/);
  });

  test("accepts bytes from code, and files that a model names", async () => {
    const file = new File([new Uint8Array([1, 2])], "dot.png", { type: "image/png" });
    const read = async (reference: string) => {
      if (reference === "gone.txt") throw new Error("no such file");
      return { bytes: new TextEncoder().encode(`what is in ${reference}`), name: reference, type: "text/plain" };
    };
    const { seen } = await post(
      form,
      { picture: "note.txt", pages: [file, new Uint8Array([51])] },
      { files: { read } },
    );
    expect(seen).toEqual([
      ["picture", "file", "note.txt", "text/plain", "what is in note.txt"],
      ["pages", "file", "dot.png", "image/png", "\u0001\u0002"],
      ["pages", "file", "pages", "application/octet-stream", "3"],
    ]);
    expect(await post(form, { picture: "gone.txt" }, { files: { read } })).toMatchObject({
      code: "invalid-arguments",
      message: 'The file "gone.txt" cannot be read: no such file',
    });
    expect(await post(form, { picture: "data:image/png;base64,%%" })).toMatchObject({ code: "invalid-arguments" });
  });

  test("is read back unchanged, with any content", async () => {
    const text = fc.string({ unit: "grapheme" });
    const part = fc.record({ name: text, content: text }, { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        const { body, contentType } = multipart(parts.map((one) => ({ ...one, filename: "f" })));
        const read = await new Response(body, { headers: { "content-type": contentType } }).formData();
        const contents = await Promise.all([...read].map(([, value]) => (value as File).text()));
        const bom = /^\ufeff/;
        expect(contents).toEqual(parts.map(({ content }) => content.replace(bom, "")));
      }),
      { numRuns: 50 },
    );
  });
});

describe("a body of bytes", () => {
  test("is sent as bytes, in its own type if any is accepted", async () => {
    const binary = { schema: { type: "string", format: "binary" } };
    const url = "data:image/png;base64,/w==";
    expect((await post({ "image/png": binary }, url)).seen).toEqual([["image/png", "\u00ff"]]);
    expect((await post({ "image/png": {} }, url)).seen).toEqual([["image/png", "\u00ff"]]);
    expect((await post({ "application/octet-stream": binary }, url)).seen).toEqual([["image/png", "\u00ff"]]);
    expect((await post({ "*/*": binary }, new Uint8Array([255]))).seen).toEqual([
      ["application/octet-stream", "\u00ff"],
    ]);
    for (const range of ["image/*", "Application/*"]) {
      expect((await post({ [range]: binary }, new Uint8Array([255]))).seen).toEqual([
        ["application/octet-stream", "\u00ff"],
      ]);
    }
    expect((await post({ "application/*": { schema: { type: "string" } } }, "x")).seen).toEqual([
      ["application/octet-stream", "x"],
    ]);
    for (const wrong of ["data:a\nb,x", "data:image/p\u00e4ng,x", "data:a/b;c\u0000=d,x", "data:nothing,x"]) {
      expect(await post({ "*/*": binary }, wrong)).toMatchObject({ code: "invalid-arguments" });
    }
    expect((await post({ "text/csv": { schema: { type: "string" } } }, "data:,x")).seen).toEqual([
      ["text/csv", "data:,x"],
    ]);
  });
});

describe("a body with several media types", () => {
  const patches = { "application/json-patch+json": {}, "application/merge-patch+json": {}, "text/plain": {} };
  test("prefers a merge patch to a list of changes, unless the application chooses another", async () => {
    expect((await post(patches, { a: null }, {}, "patch")).seen).toEqual([
      ["application/merge-patch+json", '{"a":null}'],
    ]);
    const asked: unknown[] = [];
    const mediaType: OpenApiOptions["mediaType"] = (types, operation) => {
      asked.push(types, operation);
      return "application/json-patch+json";
    };
    const list = [{ op: "remove", path: "/a" }];
    expect((await post(patches, list, { mediaType }, "patch")).seen).toEqual([
      ["application/json-patch+json", JSON.stringify(list)],
    ]);
    expect(asked).toEqual([Object.keys(patches), { method: "PATCH", path: "/", operationId: "it" }]);
  });

  test("excludes the operation if none is supported", async () => {
    const problems: string[] = [];
    const paths = { "/": { patch: { requestBody: { content: patches } } } };
    const options = { baseURL, mediaType: () => "text/xml", onProblem: (one: Error) => problems.push(one.message) };
    expect(await openApiTools(document(paths), options)).toEqual([]);
    expect(problems[0]).toMatch(
      /does not have the chosen media type "text\/xml".*It has application\/json-patch\+json/,
    );
  });
});

test("a list with one item per line is written so", async () => {
  const content = { "application/jsonl": { itemSchema: { type: "object" } } };
  expect((await post(content, [{ a: 1 }, { a: 2 }])).seen).toEqual([["application/jsonl", '{"a":1}\n{"a":2}\n']]);
  expect(await post(content, { a: 1 })).toMatchObject({ code: "invalid-arguments" });
});
