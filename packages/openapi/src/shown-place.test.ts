import { expect, test } from "vitest";
import { openApiTools } from "./index.js";

const PLACE = "https://api.example.com/a.yaml";
const answering = (body: string | Uint8Array<ArrayBuffer> | null, init?: ResponseInit) => async () =>
  new Response(body, init);
const redirecting = (location: string) => answering(null, { status: 302, headers: { location } });

test.each([
  ["is empty", answering(""), "is empty"],
  ["contains no object", answering("hello"), "contains no object"],
  ["has an error", answering("{"), "unexpected end"],
  ["has only a comment", answering("# later"), "contains no object"],
  ["is not there", answering("", { status: 404 }), "answered 404"],
  ["is too large", answering(new Uint8Array(50_000_001)), "is larger than"],
  ["redirects to an invalid URL", redirecting("http://me:SECRET@a b/?token=SECRET"), "redirects to an invalid URL"],
  ["redirects to another origin", redirecting("https://other.com/?token=SECRET"), "redirects to another origin"],
  [
    "cannot be reached",
    async (url: unknown) => {
      throw new TypeError(`cannot fetch ${String(url)}`);
    },
    `cannot be reached: cannot fetch ${PLACE}`,
  ],
])("an error of a document that %s does not show the query of its URL", async (_, fetched, why) => {
  const error = await openApiTools(`${PLACE}?token=SECRET`, { fetch: fetched }).catch(String);
  expect(error).toContain(PLACE);
  expect(error).toContain(why);
  expect(error).not.toContain("SECRET");
});

test("an error of a URL with a password, or of an invalid one, does not show its secrets", async () => {
  for (const place of [
    "https://me:SECRET@api.example.com/a.yaml?token=SECRET",
    "https://me:SECRET@a b/?token=SECRET",
  ]) {
    const error = await openApiTools(place).catch(String);
    expect(error).toMatch(/^OpenApiDocumentError: /);
    expect(error).not.toContain("SECRET");
  }
});

test("an error of a reference does not show its query", async () => {
  const pages: Record<string, string> = {
    [PLACE]: JSON.stringify({ openapi: "3.1.0", paths: { "/a": { $ref: "b.json?token=SECRET#/missing" } } }),
    "https://api.example.com/b.json?token=SECRET": '{"item": {}}',
  };
  const problems: string[] = [];
  await openApiTools(PLACE, {
    fetch: async (url) => new Response(pages[String(url)]),
    onProblem: ({ message }) => problems.push(message),
  });
  expect(problems[0]).toMatch(/The reference "b\.json#\/missing" cannot be followed: .*[^.]\.$/);
  expect(problems.join()).not.toContain("SECRET");
});
