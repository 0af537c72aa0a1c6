import { type ChatMessage, type ToolChoice, type ToolDefinition, ToolinguaError } from "@toolingua/core";
import { describe, expect, test } from "vitest";
import {
  fromAiSdk,
  fromAtif,
  fromConversation,
  fromConversationState,
  fromLangChain,
  fromLlamaIndex,
  fromMcpContent,
  fromMcpResource,
  type PmlDocument,
  parsePml,
  renderHtml,
  stringifyPml,
  toAiSdk,
  toAtif,
  toConversationState,
  toLangChain,
  toLlamaIndex,
  toMarkdown,
  toMessages,
  unwritableIn,
} from "../src/index.js";

const png = "iVBORw0KGgo=";
const conversation: { messages: ChatMessage[]; tools: ToolDefinition[]; toolChoice: ToolChoice } = {
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Look.", images: [{ url: "https://a.example/b.png", detail: "low" }] },
    { role: "assistant", content: "", reasoning: "I look.", toolCalls: [{ id: "1", name: "f", arguments: { a: 1 } }] },
    { role: "tool", toolCallId: "1", name: "f", content: "r", isError: true },
  ],
  tools: [{ name: "f", description: "d", parameters: { type: "object" } }],
  toolChoice: "auto",
};
const said = fromConversation(conversation, { id: "c1" }).value;
const remembered: PmlDocument = { ...said, memory: [{ type: "fact", text: "Kim likes tea.", id: "tea" }] };

/** A good value of each format that this package reads itself, and what reads it. */
const formats: Record<string, { good: unknown; read: (data: never) => { value: unknown; losses: unknown[] } }> = {
  messages: { good: conversation, read: fromConversation },
  langchain: {
    good: [
      ...toLangChain(said).value,
      {
        lc: 1,
        id: ["x", "HumanMessage"],
        kwargs: { content: [{ type: "image_url", image_url: "https://a.example" }] },
      },
      { type: "ai", content: "", tool_calls: [{ id: "1", name: "f", args: {} }] },
    ],
    read: fromLangChain,
  },
  llamaindex: { good: toLlamaIndex(said).value, read: fromLlamaIndex },
  "ai-sdk": {
    good: [
      ...toAiSdk(said).value,
      { role: "user", content: [{ type: "file", data: png, mediaType: "image/png", filename: "a.png" }] },
      {
        role: "tool",
        content: [
          {
            ...{ type: "tool-result", toolCallId: "1", toolName: "f" },
            output: { type: "content", value: [{ type: "media", data: png, mediaType: "image/png" }] },
          },
        ],
      },
    ],
    read: fromAiSdk,
  },
  atif: { good: toAtif(remembered).value, read: fromAtif },
  state: { good: toConversationState(said).value, read: fromConversationState },
  "mcp resource": {
    good: {
      contents: [
        { uri: "file:///a", text: "x", mimeType: "text/plain", name: "n" },
        { uri: "u:b", blob: png },
      ],
    },
    read: fromMcpResource,
  },
  "mcp content": {
    good: [
      { type: "text", text: "a" },
      { type: "image", data: png, mimeType: "image/png" },
      { type: "resource", resource: { uri: "u:a", text: "x" } },
      { type: "resource_link", uri: "u:a", name: "n" },
    ],
    read: fromMcpContent,
  },
};
const read = (name: string, data: unknown) => Reflect.apply(formats[name]?.read ?? fromAtif, undefined, [data]);

type Path = readonly (string | number)[];

function pathsIn(data: unknown, path: Path = []): Path[] {
  if (typeof data !== "object" || data === null) return [path];
  const keys = Array.isArray(data) ? [...data.keys()] : Object.keys(data);
  return [path, ...keys.flatMap((key) => pathsIn(Reflect.get(data, key), [...path, key]))];
}

/** The data with something else at a place. */
function withAt(data: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(data);
  const copy: object = Array.isArray(data) ? [...data] : { ...Object(data) };
  Reflect.set(copy, key, withAt(Reflect.get(Object(data), key), rest, change));
  return copy;
}

const odd: unknown[] = [
  ...[null, undefined, 0, 1.5, Number.NaN, "", "x", "\u0000", "\ud800", true, [], {}, [null], ["x"], [{}]],
  // An object that no string can be made of: JSON can hold one.
  ...[{ toString: 1, valueOf: 1 }, { type: "text" }, 10n, () => 1, Symbol.iterator, new Date(0), new Uint8Array([1])],
];

describe.each(Object.keys(formats))("%s with something unusual in it", (name) => {
  const { good } = formats[name] ?? {};

  test("is read, or refused with the correct form; the result can be written and read again", () => {
    // The records of a log are checked by the core.
    for (const path of pathsIn(good).filter(([key]) => key !== "log")) {
      for (const value of odd) {
        const where = `${path.join("/")} = ${typeof value === "symbol" ? "a symbol" : JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}n` : one))}`;
        let made: unknown;
        try {
          made = read(
            name,
            withAt(good, path, () => value),
          ).value;
        } catch (error) {
          expect(error, `${where}: ${String(error)}`).toBeInstanceOf(ToolinguaError);
          continue;
        }
        if (name.startsWith("mcp")) continue;
        const document = made as PmlDocument;
        expect(unwritableIn(document), where).toEqual([]);
        expect(parsePml(stringifyPml(document)), where).toEqual(document);
        for (const write of [toMessages, toMarkdown, renderHtml]) write(document);
      }
    }
  });

  test("reports what it does not know", () => {
    // Data of the application is kept as it is.
    const isData = (path: Path) =>
      path.some((key) => /^(?:arguments|args|input|parameters|memory|log)$/.test(String(key)));
    const objects = pathsIn(good).filter((path) => {
      const at = path.reduce((data: unknown, key) => Reflect.get(Object(data), key), good);
      return typeof at === "object" && !Array.isArray(at) && !isData(path);
    });
    for (const path of objects) {
      const { losses } = read(
        name,
        withAt(good, path, (old) => ({ ...Object(old), novel: "something" })),
      );
      expect(losses, `/${path.join("/")}`).toContainEqual(expect.objectContaining({ what: "novel" }));
    }
  });
});

test.each([
  ["element", `<${"a".repeat(100_000)}/>`],
  ["value", `<pml version="${"a".repeat(100_000)}"/>`],
  ["attribute", `<pml ${"a".repeat(100_000)}="1"/>`],
])("an error of a text with a huge name or value is short: %s", (_, xml) => {
  const error = expect.objectContaining({ name: "PmlSyntaxError", code: "structure" });
  expect(() => parsePml(xml)).toThrow(error);
  expect(() => parsePml(xml)).toThrow(/^.{100,700}$/su);
});
