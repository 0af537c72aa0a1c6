import { expect, test } from "vitest";
import { openApiTools } from "./index.js";

const location = "https://docs.example.com/openapi.json";

async function codesFor(url: string, at = location) {
  const codes: string[] = [];
  const document = { openapi: "3.1.0", info: {}, servers: [{ url }], paths: { "/a": { get: {} } } };
  await openApiTools(document, { location: at, onProblem: ({ code }) => codes.push(code) });
  return codes;
}

test.each([
  "http://[::127.0.0.1]",
  "http://[::10.0.0.1]",
  "http://[::ffff:0:127.0.0.1]",
  "http://[fec0::1]",
  "http://wiki.corp",
  "http://router.home",
  "http://db.private",
  "http://printer.localdomain",
  "http://127.0.0.1.localdomain.",
])("a document of the web cannot name %s as its server", async (url) => {
  expect(await codesFor(url)).toEqual(["refused-server"]);
});

test.each(["https://api.example.com", "https://corp.example.com", "http://[2606:4700::1111]", "http://8.8.8.8"])(
  "it can name %s",
  async (url) => {
    expect(await codesFor(url)).toEqual([]);
  },
);

test.each([
  ["https://wiki.corp", []],
  ["https://wiki.corp:8443", ["refused-server"]],
  ["http://wiki.corp:8080", ["refused-server"]],
  ["https://db.corp", ["refused-server"]],
])(
  "a document at http://wiki.corp can lead to the same host over https, but to no other port or host: %s",
  async (url, codes) => {
    expect(await codesFor(url, "http://wiki.corp/openapi.json")).toEqual(codes);
  },
);
