import { describe, expect, it } from "vitest";
import { anthropic, gemini, openai, openaiResponses, ProviderFormatError, providers } from "./index.js";

const names = Object.getOwnPropertyNames(Object.prototype);

/** What a conversion throws instead of a typed error. */
function crashOf(convert: () => unknown): unknown {
  try {
    convert();
    return undefined;
  } catch (error) {
    return error instanceof ProviderFormatError ? undefined : error;
  }
}

describe.each(names)("the name %s, which every object has,", (name) => {
  it("is an unknown type of a block, of an item and of a part", () => {
    const thought = { type: "thinking", thinking: "Hm.", signature: "s" };
    const reasoning = { type: "reasoning", id: "r", summary: [], encrypted_content: "e" };
    for (const { losses } of [
      anthropic.fromResponse({ content: [{ type: name }] }),
      anthropic.fromResponse({ content: [thought, { type: name }] }),
      openaiResponses.fromResponse({ output: [{ type: name }] }),
      openaiResponses.fromResponse({ output: [reasoning, { type: name }] }),
      openai.fromRequest({ messages: [{ role: "user", content: [{ type: name }] }] }),
    ]) {
      expect(losses).toContainEqual(expect.objectContaining({ what: name }));
    }
  });

  it("is neither a type nor a format of a schema", () => {
    const properties = {
      a: { type: name },
      b: { type: ["string", name] },
      c: { type: "string", format: name },
      [name]: { anyOf: [{ type: name }, { type: "string" }] },
    };
    const { value, losses } = gemini.formatSchema({ type: "object", properties, required: [name] });
    expect(value.properties?.b).toEqual({ type: "STRING" });
    expect(value.properties?.c).toEqual({ type: "STRING" });
    const reported = ["/properties/a/type", "/properties/b/type", "/properties/c/format"];
    expect(losses.map(({ path }) => path)).toEqual(expect.arrayContaining(reported));
  });

  it("crashes no conversion", () => {
    const call = { id: name, name, arguments: { [name]: 1 } };
    for (const { fromRequest, fromResponse, fromToolChoice, fromTools, toRequest } of Object.values(providers)) {
      const said = { [name]: 1, role: name, type: name, content: name };
      for (const convert of [
        () => fromRequest({ messages: [said], input: [said], contents: [said], tools: [said] } as never),
        () => fromResponse({ choices: [said], output: [said], content: [said], candidates: [said] } as never),
        () => fromTools([{ name, type: name, parameters: { type: name, [name]: name } }] as never),
        () => fromToolChoice({ type: name, mode: name } as never),
        () => toRequest({ messages: [{ role: "assistant", content: name, toolCalls: [call] }], tools: [{ name }] }),
      ]) {
        expect(crashOf(convert)).toBeUndefined();
      }
    }
  });
});
