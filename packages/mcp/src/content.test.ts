import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resultContent } from "./content.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const text = (words: string) => ({ type: "text" as const, text: words });
const shown = (content: CallToolResult["content"], structuredContent?: Record<string, unknown>) =>
  resultContent({ content, ...(structuredContent && { structuredContent }) });

describe("a result as the model reads it", () => {
  test("is its text, block by block", () => {
    expect(shown([text("one"), text("two")])).toBe("one\ntwo");
    expect(shown([])).toBe("");
  });

  test("describes parts that are not text", () => {
    expect(shown([{ type: "image", mimeType: "image/png", data: base64("x".repeat(2500)) }])).toBe(
      "[image: image/png, 3 KB, cannot be shown]",
    );
    expect(shown([{ type: "audio", mimeType: "audio/wav", data: base64("abc") }])).toBe(
      "[audio: audio/wav, 3 bytes, cannot be shown]",
    );
    const resource = { uri: "file:///a.pdf", mimeType: "application/pdf", blob: base64("%PDF") };
    expect(shown([{ type: "resource", resource }])).toBe(
      "[resource file:///a.pdf: application/pdf, 4 bytes, cannot be shown]",
    );
  });

  test.each([
    [{ uri: "file:///a.txt", text: "words" }, "[resource file:///a.txt]\nwords"],
    [{ uri: "a:b", mimeType: "text/plain; charset=utf-8", blob: base64("grüße") }, "[resource a:b]\ngrüße"],
    [{ uri: "a:b", mimeType: "application/ld+json", blob: base64("{}") }, "[resource a:b]\n{}"],
    [{ uri: "a:b", mimeType: "text/plain", blob: "/w==" }, "[resource a:b: text/plain, 1 bytes, cannot be shown]"],
    [{ uri: "a:b", blob: "AA==" }, "[resource a:b: binary, 1 bytes, cannot be shown]"],
  ])("is the text of a text resource: %j", (resource, expected) => {
    expect(shown([{ type: "resource", resource }])).toBe(expected);
  });

  test("names linked resources", () => {
    const link = { type: "resource_link" as const, uri: "file:///b", name: "b", description: "The second" };
    expect(shown([link])).toBe("[resource file:///b: b, The second]");
  });
});

describe("structured content", () => {
  test("is the result if there is nothing else, or only the same as JSON", () => {
    expect(shown([], { a: 1 })).toEqual({ a: 1 });
    expect(shown([text('{ "a": 1 }')], { a: 1 })).toEqual({ a: 1 });
  });

  test.each([
    ["Request 42 accepted.", { balance: 4 }],
    ["Found 3 users in 120 ms", { total: 12 }],
    ["There is no error", { error: null, isAdmin: false }],
    ["Ann is 40 years old.", { name: "Ann", age: 40 }],
    ["Done.", { items: [] }],
    ["Done.", {}],
    ["any text", { a: "" }],
    ['{"a":1}', { a: 1, b: 2 }],
  ])("is added to a text that differs: %s %j", (words, structured) => {
    expect(shown([text(words)], structured)).toBe(`${words}\n${JSON.stringify(structured)}`);
  });

  const picture = { type: "image" as const, mimeType: "image/png", data: "AAAA" };
  test.each([
    [[text("Milk.\n")], { content: "Milk.\n" }],
    [[text("5")], { result: 5 }],
    [[text('["a", "b"]')], { result: ["a", "b"] }],
    [[text("a"), text('{"b":1}')], { result: ["a", { b: 1 }] }],
    [[picture], { content: [picture] }],
    [[text("A picture"), text('{"b":1,"a":2}'), picture], { a: 2, b: 1 }],
  ] as [CallToolResult["content"], Record<string, unknown>][])(
    "is not added to a text that contains it: %j",
    (content, structured) => {
      expect(shown(content, structured)).toBe(shown(content));
    },
  );

  test("of any kind is never lost", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (structured, words) => {
        const result = shown([text(words)], structured);
        if (typeof result === "string" && result === words) {
          // A structured content with a single value, which is the text.
          const [value] = Object.values(structured);
          if (value !== words) expect(JSON.parse(words)).toEqual(value);
        } else if (typeof result === "string") expect(result).toBe(`${words}\n${JSON.stringify(structured)}`);
        else expect(JSON.stringify(result)).toBe(JSON.stringify(structured));
      }),
    );
  });
});
