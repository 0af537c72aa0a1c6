import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { turnEndTokens } from "../syntax/turn-tokens.js";
import { isTurnEnd, tailStart } from "./turn-tail.js";

describe("the end of a text that waits for more", () => {
  test.each([
    ["Hi<|im_end|>", "<|im_end|>"],
    ["Hi <|im_end|>\n</s> ", "<|im_end|>\n</s> "],
    ["Hi<|im_end|><|eot", "<|im_end|><|eot"],
    ["Hi</s><|im_end|></s>\n<|im_end|></s>", "</s><|im_end|></s>\n<|im_end|></s>"],
    ["Hi<", "<"],
    ["[1, [", "["],
    ["[e~[", "[e~["],
    ["Hi <|im_end|>!", ""],
    ["Hi \n", ""],
    ["<parameter", ""],
    ["Hi\ud83d", "\ud83d"],
    ["<|im_end|>\ud83d", "\ud83d"],
  ])("%j: %j", (text, tail) => expect(text.slice(tailStart(text))).toBe(tail));

  test("begins with a token's first character", () => {
    for (const token of turnEndTokens) expect(token).toMatch(/^[<[]/);
  });

  test("never has what was read before", () => {
    const piece = fc.oneof(fc.constantFrom(...turnEndTokens, " ", "\n", " ".repeat(70), "a", "<", "\ud83d\ude00"));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.nat(), (pieces, at) => {
        const text = pieces.join("");
        const cut = at % (text.length + 1);
        // What the first part releases is before what the whole text holds back.
        expect(tailStart(text.slice(0, cut))).toBeLessThanOrEqual(tailStart(text));
      }),
    );
  });
});

test("an end of tokens is one, the beginning of a token none", () => {
  expect(["<|im_end|>", "</s>\n<|im_end|> ", "<|im_", "", "</s><", " "].map(isTurnEnd)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
