import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateWithTools, type JsonSchema, renderPrompt, type ToolDefinition } from "../index.js";
import { KEPT, preparedTools } from "./prepared-tools.js";

const messages = [{ role: "user" as const, content: "Hi" }];

/** The system message that a turn sends for these tools. */
async function shownIn(tools: readonly ToolDefinition[]): Promise<string | undefined> {
  const model = async function* () {
    yield "Hello.";
  };
  const { request } = await generateWithTools({ model, messages, tools, protocol: "hermes" }).result();
  return request[0]?.content;
}

const schema = () => ({
  type: "object",
  properties: { city: { type: "string", description: "The city", enum: ["Oslo", "Rome"] } },
  required: ["city"],
});
const weather = () => ({ name: "weather", description: "The weather", parameters: schema() });

describe("the tools of a turn", () => {
  it("are the same definitions where their content is the same, in the same list", () => {
    const first = preparedTools([weather(), { name: "now" }]);
    expect(preparedTools([weather(), { name: "now" }])).toBe(first);
    const openAi = { type: "function" as const, function: { ...weather() } };
    expect(preparedTools([openAi])[0]).toBe(first[0]);
    expect(preparedTools([{ ...weather(), description: "Other" }])[0]).not.toBe(first[0]);
    expect(first).toEqual([weather(), { name: "now" }]);
  });

  it("may be changed between two turns, wherever they are: the next turn shows it", async () => {
    const tool = weather();
    const tools = [tool];
    expect(await shownIn(tools)).toContain("Oslo");
    tool.parameters.properties.city.enum[0] = "Lima";
    expect(await shownIn(tools)).toContain("Lima");
    tool.parameters.properties.city.description = "Where";
    expect(await shownIn(tools)).toContain("Where");
    tool.description = "Rain or sun";
    expect(await shownIn(tools)).toContain("Rain or sun");
    expect(await shownIn([weather()])).toContain("Oslo");
  });

  it("are not what another caller changes: what is kept is a copy that cannot be changed", async () => {
    const tool = weather();
    const [definition] = preparedTools([tool]);
    tool.parameters.properties.city.enum[0] = "Lima";
    expect(definition).toEqual(weather());
    expect(() => Object.assign(Object(definition).parameters.properties.city, { description: "!" })).toThrow(TypeError);
  });

  it("are other ones where only the order of keys differs, since the prompt does", async () => {
    const turned = { ...weather(), parameters: Object.fromEntries(Object.entries(schema()).reverse()) };
    expect(preparedTools([turned])[0]).not.toBe(preparedTools([weather()])[0]);
    expect(await shownIn([turned])).not.toBe(await shownIn([weather()]));
  });

  it("are taken where they contain themselves, are no plain data or are too large to be kept", async () => {
    const node: JsonSchema = { type: "object", properties: {} };
    Object.assign(Object(node).properties, { next: node });
    const pattern = { ...weather(), parameters: { ...schema(), default: new Map([["a", 1]]) } };
    const large = { ...weather(), parameters: { ...schema(), enum: Array.from({ length: KEPT.valuesOfOne }, String) } };
    for (const tool of [{ name: "walk", parameters: node }, pattern, large]) {
      const [first, second] = [preparedTools([tool]), preparedTools([tool])];
      expect(first[0]).not.toBe(second[0]);
      expect(first[0]?.parameters).toEqual(tool.parameters);
    }
    expect(preparedTools([{ name: "walk", parameters: node }])[0]?.name).toBe("walk");
  });

  it("are kept up to a bound: of one name, and in all", () => {
    const version = (i: number) => ({ name: "bounded", description: `Version ${i}` });
    const first = preparedTools([version(0)])[0];
    for (let i = 1; i < KEPT.versions; i++) preparedTools([version(i)]);
    expect(preparedTools([version(0)])[0]).toBe(first);
    preparedTools([version(KEPT.versions)]);
    expect(preparedTools([version(0)])[0]).not.toBe(first);

    const listing = { type: "object", enum: Array.from({ length: 5_000 }, String) };
    const large = (i: number) => ({ name: `large_${i}`, parameters: listing });
    const fits = Math.floor(KEPT.values / 5_100);
    const kept = preparedTools([large(0)])[0];
    for (let i = 1; i < fits; i++) preparedTools([large(i)]);
    expect(preparedTools([large(0)])[0]).toBe(kept);
    for (let i = 1; i <= fits + 1; i++) preparedTools([large(i)]);
    expect(preparedTools([large(0)])[0]).not.toBe(kept);
  });

  it("are what they are without a cache, whatever was asked with before", async () => {
    const words = fc.constantFrom("a", "b", "__proto__", "constructor", "type", "enum", "<tool_call>");
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(0, 1, null, true, "a", "b", ""),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value"), { maxKeys: 3 }),
      ),
    }));
    const definition = fc.record({
      name: fc.constantFrom("find", "put"),
      description: fc.option(words, { nil: undefined }),
      parameters: fc.record({
        type: fc.constant("object"),
        default: value,
        examples: fc.array(value, { maxLength: 2 }),
      }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(definition, { minLength: 1, maxLength: 6 }), async (asked) => {
        for (const { description, ...rest } of asked) {
          const tool = { ...rest, ...(description !== undefined && { description }) };
          const alone = renderPrompt({ messages, tools: [structuredClone(tool)], protocol: "hermes" });
          expect(await shownIn([tool])).toBe(alone.messages[0]?.content);
        }
      }),
    );
  });
});
