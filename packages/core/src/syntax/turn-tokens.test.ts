import { describe, expect, test } from "vitest";
import { hermes, read } from "../../test/support/read.js";
import { endTokens } from "./turn-tokens.js";

describe.each(endTokens.map((token) => ({ token })))("$token", ({ token }) => {
  test("is no part of the answer or the call before it", () => {
    expect(read(`It is ten.${token}`).text).toBe("It is ten.");
    expect(read(`It is ten.\n${token}\n`).text.trimEnd()).toBe("It is ten.");
    const reply = read(`${hermes('{"name": "now", "arguments": {}}')}${token}`);
    expect([reply.text, reply.toolCalls.length]).toEqual(["", 1]);
  });

  test("is text within a sentence", () => {
    const sentence = `A turn ends with ${token} in this template.`;
    expect(read(sentence, { accept: "own" }).text).toBe(sentence);
  });
});
