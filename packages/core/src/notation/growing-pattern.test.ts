import fc from "fast-check";
import { expect, test } from "vitest";
import { createReplyParser } from "../full/index.js";
import { growingPattern } from "./growing-pattern.js";

test("every prefix of a matching text is a partial match", () => {
  const { whole, part } = growingPattern([
    ["\\{", "\\s*", "[a-c]{1,4}", ":"],
    ["\\[", "[[{]"],
    ["``", "json", "\\s"],
  ]);
  const way = fc.oneof(fc.stringMatching(/^\{\s*[abc]{1,4}:$/), fc.constantFrom("[[", "[{", "``json\n"));
  fc.assert(
    fc.property(way, fc.string(), (text, rest) => {
      expect(whole.test(text + rest)).toBe(true);
      for (let end = 0; end < text.length; end++) {
        expect(part.test(text.slice(0, end))).toBe(true);
        expect(whole.test(text.slice(0, end))).toBe(false);
      }
    }),
  );
  expect([part.test("{x"), part.test("`j")]).toEqual([false, false]);
});

test.each([
  ["mistral", '[TOOL_CALLS]send[ARGS]{"to":"a"}, x == 3', "call-end"],
  ["mistral", '[TOOL_CALLS]send[ARGS]{"to":"a"}, x = 3', "call-invalid"],
  ["mistral", '[TOOL_CALLS]send[ARGS]{"to":"a"}, x =', "call-invalid"],
  ["lfm2", '<|tool_call_start|>[send({"to":"a"}), x == 3]', "call-end"],
] as const)("a comparison after a call of %s is not read as its key, in any chunks: %s", (protocol, reply, wanted) => {
  const tools = [{ name: "send", parameters: { type: "object", properties: { to: { type: "string" } } } }];
  for (const chunks of [[reply], [...reply]]) {
    const parser = createReplyParser({ protocol, tools });
    const types = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()].map(({ type }) => type);
    expect(types.filter((type) => /call-(?:end|invalid)/.test(type))).toEqual([wanted]);
  }
});
