import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiTools } from "./index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolingua-openapi-files-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const api = `openapi: 3.1.0
servers: [{ url: https://api.example.com }]
paths: { /now: { get: { operationId: now, summary: Uhrzeit in Köln } } }
`;
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

test.each([
  ["UTF-8", Buffer.from(api)],
  ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${api}`)],
  ["UTF-16 of PowerShell", utf16(api)],
  ["big-endian UTF-16", utf16(api).swap16()],
])("a document may be %s", async (name, bytes) => {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, bytes);
  expect(await openApiTools(path)).toMatchObject([{ name: "now", description: "Uhrzeit in Köln" }]);
  const fetched = async () => new Response(new Uint8Array(bytes));
  expect(await openApiTools("https://api.example.com/a.yaml", { fetch: fetched })).toMatchObject([{ name: "now" }]);
});

test("a file of a reference may be UTF-16", async () => {
  const path = join(folder, "api.json");
  writeFileSync(path, JSON.stringify({ openapi: "3.1.0", paths: { "/a": { $ref: "item.json" } } }));
  writeFileSync(join(folder, "item.json"), utf16(JSON.stringify({ get: { operationId: "item" } })));
  expect(await openApiTools(path, { baseURL: "https://api.example.com" })).toMatchObject([{ name: "item" }]);
});

test.each(["My API", "ha#sh", "per%20cent", "ümlaut", "q?m", "br[1](2)"])(
  "a document and the file of its reference may be in a folder such as %s",
  async (name) => {
    const own = join(folder, name);
    mkdirSync(join(own, name), { recursive: true });
    const $ref = `${encodeURIComponent(name)}/${encodeURIComponent(`${name}.json`)}#/item`;
    writeFileSync(join(own, "api.json"), JSON.stringify({ openapi: "3.1.0", paths: { "/a": { $ref } } }));
    writeFileSync(join(own, name, `${name}.json`), JSON.stringify({ item: { get: { operationId: "item" } } }));
    const options = { baseURL: "https://api.example.com" };
    expect(await openApiTools(join(own, "api.json"), options)).toMatchObject([{ name: "item" }]);
  },
);

test.each([
  ["that is missing", "gone %20ü#.yaml", undefined, "there is no file PATH"],
  ["that is a folder", ".", undefined, "PATH is a folder; the name of a file is needed"],
  ["that is empty", "empty.yaml", "", "PATH is empty"],
  ["of white space", "blank.json", " \n", "PATH is empty"],
  ["of plain text", "text.yaml", "hello", "PATH contains no object"],
  ["of nothing but a comment", "my comment.yaml", "# later", "PATH contains no object"],
  ["with an error", "ö #1.json", '{"openapi": ', "Error parsing PATH: unexpected end"],
])("a document %s is refused in plain words", async (_, name, content, why) => {
  const path = join(folder, name);
  if (content !== undefined) writeFileSync(path, content);
  const message = `The document cannot be read: ${why.replace("PATH", () => path)}`;
  await expect(openApiTools(path)).rejects.toMatchObject({
    code: "unreadable",
    message: expect.stringContaining(message),
  });
});
