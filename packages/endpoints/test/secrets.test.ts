import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { chatEndpoint } from "../src/index.js";
import { failure, messages } from "./support/collect.js";
import { scriptedServer, status, stream } from "./support/scripted-server.js";

const apiKey = "sk-Abc/def+ghi==SECRET-9876";

/** The error of a call with that key, as text with all of its fields. */
async function shown(...answers: Parameters<typeof scriptedServer>): Promise<string> {
  const { baseURL } = await scriptedServer(...answers);
  return inspect(await failure(chatEndpoint({ baseURL, model: "m", apiKey })({ messages })), {
    depth: 9,
    showHidden: true,
    maxStringLength: null,
  });
}

const escapes: [string, (text: string) => string][] = [
  ["slashes", (text) => text.replaceAll("/", "\\/")],
  ["a plus", (text) => text.replaceAll("+", "\\u002b").replaceAll("=", "\\u003D")],
  ["JSON within JSON", (text) => JSON.stringify({ error: text.replaceAll("/", "\\/") })],
  ["an address", encodeURIComponent],
];

describe("a key is hidden in a server's escapes", () => {
  test.each(escapes)("%s", async (_name, spell) => {
    const body = spell(JSON.stringify({ error: { message: `Invalid key ${apiKey}!` } }));
    for (const answer of [status(401, body), stream([`data: ${body}\n\n`]), status(200, `<p>${body}</p>`)]) {
      const text = await shown(answer);
      expect(text).not.toMatch(/Abc|def|ghi|SECRET|9876/);
      expect(text).toContain("***");
    }
  });

  test("in the address of a redirect", async () => {
    const text = await shown(status(302, "", { location: `https://example.org/v1?key=${encodeURIComponent(apiKey)}` }));
    expect(text).toContain("https://example.org/v1?key=***");
    expect(text).not.toMatch(/Abc|SECRET/);
  });
});

describe("a truncated error contains no part of a key", () => {
  test.each([65_536, 2_000, 200])("after %i characters", async (limit) => {
    for (const before of [limit - 8, limit - 20]) {
      const page = `${"x".repeat(before)}${apiKey}${"y".repeat(80_000)}`;
      expect(await shown(status(500, page), status(400, page))).not.toMatch(/sk-Abc|9876/);
      expect(await shown(status(200, page))).not.toMatch(/sk-Abc|9876/);
    }
  });

  test("if the connection breaks in the middle of it", async () => {
    const text = await shown((response) => {
      response.writeHead(400);
      response.write(`Bad key ${apiKey.slice(0, 12)}`);
      setTimeout(() => response.destroy(), 20);
    });
    expect(text).toContain("Bad key ***");
    expect(text).not.toContain("sk-Abc");
  });

  test("if it arrives in two chunks", async () => {
    const text = await shown(stream([`<p>${apiKey.slice(0, 12)}`, `${apiKey.slice(12)}</p>`]));
    expect(text).not.toMatch(/sk-Abc|9876/);
  });
});
