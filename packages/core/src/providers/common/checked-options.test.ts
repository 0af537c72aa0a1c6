import { describe, expect, it } from "vitest";
import { conversationToJson, type ProviderFormat, type ProviderShapes, providers } from "../index.js";

const refused = (message: string) =>
  expect.objectContaining({
    name: "OptionsError",
    code: "bad-option",
    message: expect.stringContaining(message),
  });

const formats = Object.entries<ProviderFormat<ProviderShapes>>(providers as never);

describe.each(formats)("the options of %s", (_, format) => {
  it.each([
    ["toTools", { jsonschema: true }, 'no "jsonschema" in the options of toTools. Did you mean "jsonSchema"?'],
    ["toRequest", { jsonSchema: "yes" }, '`jsonSchema` is true or false, not "yes"'],
    ["fromToolChoice", { tool: [] }, 'no "tool" in the options of fromToolChoice. Did you mean "tools"?'],
    ["fromCalls", { tools: [{}] }, "`tools` is a list of { name }"],
    ["fromResults", { calls: {} }, "`calls` is a list of { id, name }"],
    ["fromRequest", { readImages: true }, 'no "readImages" in the options of fromRequest'],
    ["fromRequest", { images: "keep" }, '`images` is true or false, not "keep"'],
    ["fromRequest", null, "The options of fromRequest must be an object, not null"],
    ["fromResponse", { images: true }, 'no "images" in the options of fromResponse'],
  ] as const)("of %s are checked: %o", (name, options, message) => {
    const convert = format[name] as (given: unknown, options: unknown) => unknown;
    expect(() => convert({ messages: [] }, options)).toThrow(refused(message));
  });
});

it("the options of conversationToJson are checked", () => {
  const write = (options: object) => () => conversationToJson({ messages: [] }, options);
  expect(write({ ident: 2 })).toThrow(refused('Did you mean "indent"?'));
  expect(write({ indent: "  " })).toThrow(refused("`indent` is a whole number from 0"));
  expect(write({ indent: 2 })().value).toBe('{\n  "messages": []\n}');
});
