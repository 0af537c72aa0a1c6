import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createReplyParser, normalizeTools, type ProtocolName, parseReply, protocols } from "../src/index.js";

// The documents of the packages that are installed here, which people wrote: prose with code in all languages, JSON,
// HTML and tables. None of them has a call, so each is the text of a reply as it is, alone and beside a call.

const root = fileURLToPath(new URL("../../../node_modules/.pnpm", import.meta.url));

/** The folder of a package, by the name of the folder that pnpm keeps it in: `@scope+name@1.0.0_peers`. */
const packageIn = (folder: string) =>
  join(root, folder, "node_modules", folder.replace(/(?<=.)@.*/, "").replace("+", "/"));

const documents = readdirSync(root)
  .map(packageIn)
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith(".md"))
  .sort()
  .map((file) => ({ file: relative(root, file), text: readFileSync(file, "utf8").trim() }))
  .filter(({ text }) => text.length > 50 && text.length < 100_000);

const anyText = { type: "string" };
const parameters = { type: "object", properties: { value: anyText, path: anyText }, required: ["value"] };
const words = [
  "get_weather",
  "search",
  "read_file",
  "write_file",
  "run",
  "open",
  "get",
  "set",
  "print",
  "fetch",
  "add",
];
const tools = normalizeTools(words.map((name) => ({ name, description: name, parameters })));
const args = { value: "Oslo", path: "a/b" };

const withoutSpace = (written: string) => written.replace(/\s+/g, "");

/** What a reply is read as; its text without white space. */
function reading(reply: string, protocol: ProtocolName) {
  const { text, reasoning, toolCalls, invalidToolCalls } = parseReply(reply, { protocol, tools });
  return { text: withoutSpace(text), reasoning, calls: toolCalls.map((call) => call.arguments), invalidToolCalls };
}

function inChunks(reply: string, protocol: ProtocolName, size: number): string {
  const parser = createReplyParser({ protocol, tools });
  const events = [];
  for (let at = 0; at < reply.length; at += size) events.push(...parser.push(reply.slice(at, at + size)));
  return [...events, ...parser.end()].map((event) => (event.type === "text" ? event.text : "")).join("");
}

const names = Object.keys(protocols) as ProtocolName[];
const asText = (document: string, calls: object[]) => ({
  text: withoutSpace(document),
  reasoning: "",
  calls,
  invalidToolCalls: [],
});

test("there are many documents", () => expect(documents.length).toBeGreaterThan(500));

test.each(names)("is the text of a reply, whole and in chunks: %s", (protocol) => {
  for (const [i, { file, text: document }] of documents.entries()) {
    expect(reading(document, protocol), file).toEqual(asText(document, []));
    if (i % 20 === 0) expect(inChunks(document, protocol, 7), file).toBe(document);
  }
});

test.each(names)("is the text after a call and before one: %s", (protocol) => {
  const { renderCalls, syntax } = protocols[protocol];
  const call = renderCalls([{ name: "get_weather", arguments: args }], { tools });
  const isMarked = syntax.at !== "reply";
  for (const [i, { file, text: document }] of documents.entries()) {
    if (i % 4 !== names.indexOf(protocol) % 4) continue;
    // A comment directly after a call is a remark on it. A fence that is not closed quotes a call; so does an open bracket, if
    // the call has no marker.
    if (!document.startsWith("<!--")) {
      expect(reading(`${call}\n\n${document}`, protocol), `after a call: ${file}`).toEqual(asText(document, [args]));
    }
    if (isMarked && (document.match(/^ *```/gm) ?? []).length % 2 === 0) {
      expect(reading(`${document}\n\n${call}`, protocol), `before a call: ${file}`).toEqual(asText(document, [args]));
    }
  }
});
