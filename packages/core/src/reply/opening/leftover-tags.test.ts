import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { type ProtocolName, protocols } from "../../index.js";

const protocolsWithTags = ["hermes", "qwen3-coder", "xml", "glm45", "minimax-m2", "tool-tags"] as const;
const call = (protocol: ProtocolName) =>
  protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools: [] });
const shown = (reply: string, protocol: ProtocolName) => pieces(reply, protocol).filter(([kind]) => kind !== "dropped");
const weather = ["call", "get_weather"];

describe.each(protocolsWithTags)("in %s, closing tags that belong to no call", (protocol) => {
  const closers = protocol === "tool-tags" ? ["</get_weather>", "</write_file>"] : ["</tool_call>", "</function>"];
  const left = fc
    .array(fc.tuple(fc.constantFrom(...closers), fc.constantFrom("", "\n", " ", "\n\n")), {
      minLength: 1,
      maxLength: 3,
    })
    .map((tags) => tags.flat().join(""));
  const words = fc.constantFrom("", "It is warm.\n", "It is warm. ");

  test("are dropped after a call", () =>
    fc.assert(
      fc.property(left, fc.constantFrom("", "\n", " "), fc.constantFrom("", "It is warm."), (tags, space, after) => {
        expect(shown(call(protocol) + space + tags + after, protocol)).toEqual([
          weather,
          ...(after === "" ? [] : [["text", after]]),
        ]);
      }),
      { numRuns: 60 },
    ));

  test("are dropped before a call", () =>
    fc.assert(
      fc.property(words, fc.constantFrom(...closers), fc.constantFrom("", "\n"), (before, tag, space) => {
        expect(shown(before + tag + space + call(protocol), protocol)).toEqual([
          ...(before === "" ? [] : [["text", before.trim()]]),
          weather,
        ]);
      }),
      { numRuns: 60 },
    ));

  test("are text in code and in a sentence", () => {
    // After a value that is raw text, its closing tag may end the value.
    for (const tag of closers)
      for (const text of [`It ends with \`${tag}\`.`, `So:\n\`\`\`\n${tag}\n\`\`\`\nYes.`, `The tag ${tag} ends it.`])
        for (const before of ["hermes", "xml"].includes(protocol) ? ["", `${call(protocol)}\n`] : [""])
          expect(shown(before + text, protocol)).toEqual([...(before === "" ? [] : [weather]), ["text", text]]);
  });
});

test("an empty element after a call is dropped, and alone it is an invalid call", () => {
  for (const empty of ["<tool_call></tool_call>", "<tool_call>\n</tool_call>\n"]) {
    expect(shown(`${call("hermes")}\n${empty}`, "hermes")).toEqual([weather]);
    expect(shown(`${call("hermes")}\n${empty}${call("hermes")}`, "hermes")).toEqual([weather, weather]);
    expect(shown(`I look. ${empty}`, "hermes")).toEqual([
      ["text", "I look."],
      ["invalid", "malformed"],
    ]);
  }
  expect(shown(`${call("hermes")}<tool_call>{}</tool_call>`, "hermes")).toEqual([weather, ["invalid", "malformed"]]);
});
