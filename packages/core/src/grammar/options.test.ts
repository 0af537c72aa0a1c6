import { describe, expect, it } from "vitest";
import { OptionsError } from "../index.js";
import {
  type ConstraintBackend,
  constraintFor,
  GrammarError,
  jsonSchemaToGbnf,
  replySchema,
  toEbnf,
  toolCallGrammar,
} from "./index.js";

const tools = [{ name: "now" }];
const required = { tools, protocol: "hermes", toolChoice: "required" } as const;

function errorOf(run: () => unknown): GrammarError | OptionsError {
  try {
    run();
  } catch (error) {
    if (error instanceof GrammarError || error instanceof OptionsError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the options of a grammar", () => {
  it.each([
    ...[0, -1, 1.5, 5000, Number.NaN].map((count) => ["maxCalls", count] as const),
    ...[-1, 1.5].map((count) => ["maxStringLength", count] as const),
    ...[0, 2.5, 513].map((count) => ["maxItems", count] as const),
    ...[-1, 0.5, 5000].map((count) => ["maxDepth", count] as const),
    ...[-1, 14].map((count) => ["maxUnordered", count] as const),
  ])("%s cannot be %d, and the error gives the allowed values", (name, count) => {
    const refused = [
      () => toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required", [name]: count }),
      name === "maxCalls"
        ? () => replySchema({ tools, protocol: "json-list", toolChoice: "required", maxCalls: count })
        : () => jsonSchemaToGbnf({}, { [name]: count }),
    ].map(errorOf);
    for (const { code, message } of refused) {
      expect(code).toBe("bad-option");
      expect(message).toMatch(new RegExp(`\`${name}\` is a whole number from [01]`));
    }
  });

  it.each(["onUnenforced", "onNarrowed", "whitespace"])("%s must be one of its words", (name) => {
    const { code, message } = errorOf(() => jsonSchemaToGbnf({}, { [name]: "throw" }));
    expect(code).toBe("bad-option");
    expect(message).toMatch(new RegExp(`\`${name}\` is "(report|none)".* or .*, not "throw"\\.$`));
  });

  it.each([
    ["toolCallGrammar", (options: object) => toolCallGrammar({ ...required, ...options })],
    ["constraintFor", (options: object) => constraintFor("vllm", { ...required, ...options })],
    ["replySchema", (options: object) => replySchema({ ...required, protocol: "json-list", ...options })],
    ["jsonSchemaToGbnf", (options: object) => jsonSchemaToGbnf({}, { maxItems: 3, ...options })],
  ])("%s refuses an unknown option, and suggests the right one", (name, ask) => {
    const [unknown, meant] = name === "jsonSchemaToGbnf" ? ["max_items", "maxItems"] : ["max_calls", "maxCalls"];
    expect(errorOf(() => ask({ [unknown]: 3 }))).toMatchObject({
      name: "OptionsError",
      code: "bad-option",
      message: expect.stringMatching(`"${unknown}" in the options of ${name}\\. Did you mean "${meant}"`),
    });
  });

  it.each(["tools", "protocol", "toolChoice"])("%s must be given", (name) => {
    expect(errorOf(() => constraintFor("vllm", { ...required, [name]: undefined }))).toMatchObject({
      code: "bad-option",
      message: expect.stringMatching(`^\`${name}\` is missing in the options of constraintFor: `),
    });
  });

  it.each([
    ["llamacpp", /not "llamacpp"\. Did you mean "llama\.cpp"\?$/],
    ["transformers", /^`backend` is "llama\.cpp", .* or "sglang", not "transformers"\.$/],
    [undefined, /^`backend` is missing/],
  ])("an unknown backend is refused: %s", (backend, message) => {
    const { code, message: told } = errorOf(() => constraintFor(backend as ConstraintBackend, required));
    expect(code).toBe("bad-option");
    expect(told).toMatch(message);
  });

  it("each backend is accepted", () => {
    const options = { ...required, protocol: "json-list" } as const;
    const backends: ConstraintBackend[] = ["llama.cpp", "ollama", "openai", "vllm", "sglang"];
    for (const backend of backends) expect(Object.keys(constraintFor(backend, options))).not.toEqual([]);
  });

  it("the ends of a range are within it", () => {
    const text = { type: "string" };
    for (const [name, least, most, properties] of [
      ["maxCalls", 1, 512, {}],
      ["maxItems", 1, 512, { a: { type: "array", items: text } }],
      ["maxDepth", 0, 64, { a: {} }],
      ["maxUnordered", 0, 10, { a: text, b: text, c: text }],
      ["maxStringLength", 0, 9_999, { a: text }],
    ] as const) {
      const note = { name: "note", parameters: { type: "object", properties } };
      const [tight, wide] = [least, most].map(
        (limit) => toolCallGrammar({ ...required, tools: [note], [name]: limit }).grammar,
      );
      expect(tight, name).not.toBe(wide);
    }
  });

  it.each([null, undefined, "string", 5, []])("%j is refused as a schema", (schema) => {
    expect(() => jsonSchemaToGbnf(schema as never)).toThrow(expect.objectContaining({ code: "unknown-schema" }));
  });

  it.each([
    { enum: ["a"], ui: { type: "string" } },
    { const: 1, meta: { type: "object" } },
    { items: { type: "string" }, widget: { type: "array" } },
    { type: "string", "x-format": "slug", formats: ["a"] },
  ])("keywords of other systems are accepted: %j", (schema) => expect(jsonSchemaToGbnf(schema)).toBeDefined());

  it.each([
    [{ type: "objct" }, "", /valid: type should be a JSON type, is "objct"\. Did you mean "object"\?$/],
    [{ type: "array", items: { type: ["strng"] } }, "/items", /\/items type .* Did you mean "string"\?$/],
    [{ type: "object", proprties: { a: {} } }, "", /Did you mean "properties"\?$/],
    [{ city: { type: "string" } }, "", /Did you mean "properties": \{ "city": … \}\?$/],
    [{ type: "object", required: true }, "", /valid: required should be a list of keys, is true\.$/],
  ])("%j is refused: the grammar would admit anything", (schema, path, message) => {
    const error = { name: "SchemaError", code: "invalid-schema", path, message: expect.stringMatching(message) };
    expect(() => jsonSchemaToGbnf(schema)).toThrow(expect.objectContaining(error));
  });

  it("a keyword that is only probably misspelt is not enforced", () => {
    const { unenforced } = jsonSchemaToGbnf({ type: "string", maxLenght: 5 });
    expect(unenforced).toEqual([{ path: "", keyword: "maxLenght" }]);
  });

  it("empty lines and comments in a grammar are skipped", () => {
    expect(toEbnf('# a grammar\n\nroot ::= "a"\n  \n')).toBe('root ::= "a"\n');
  });

  it.each(["", "# only words", "root ::= (", "nonsense"])("%j is refused as a grammar", (text) => {
    expect(errorOf(() => toEbnf(text)).code).toBe("bad-grammar");
  });
});
