import { type JsonSchema, normalizeTools, parseReply, type Tool } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { defineTool } from "./index.js";

const begun = defineTool("get_weather")
  .description("The weather in a city")
  .parameter("city", { type: "string" }, { required: true });

describe("defineTool", () => {
  it("builds the schema step by step, and its types flow to the function", async () => {
    const weather = begun
      .parameter("unit", { enum: ["C", "F"], default: "C" })
      .parameter("days", { type: "integer" })
      .execute((args) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string; unit: "C" | "F"; days?: number }>();
        return `20 °${args.unit} in ${args.city}`;
      });
    expect(weather.parameters).toEqual({
      type: "object",
      properties: { city: { type: "string" }, unit: { enum: ["C", "F"], default: "C" }, days: { type: "integer" } },
      required: ["city"],
      additionalProperties: false,
    });
    expectTypeOf(weather.run).parameter(0).toEqualTypeOf<{ city: string; unit?: "C" | "F"; days?: number }>();
    expect(await weather.run({ city: "Oslo" })).toBe("20 °C in Oslo");
  });

  it("does not change the earlier step", () => {
    begun.parameter("unit", { type: "string" }, { required: true }).options({ maxUsageCount: 1 });
    expect(begun.execute(() => 1)).toMatchObject({ maxUsageCount: undefined, parameters: { required: ["city"] } });
  });

  it("refuses a second parameter of one name, whatever the name", () => {
    const error = {
      name: "ToolDefinitionError",
      code: "duplicate-parameter",
      tool: "get_weather",
      path: "/properties/city",
    };
    const twice = () => begun.parameter("city", { type: "array" });
    expect(twice).toThrow(expect.objectContaining(error));
    expect(twice).toThrow('The tool "get_weather" has two parameters "city". Give each a name of its own.');
    const proto = defineTool("a").parameter("__proto__", { type: "string" });
    expect(() => proto.parameter("__proto__", { type: "string" })).toThrow("two parameters");
    expect(() => begun.parameter("toString", { type: "string" })).not.toThrow();
  });

  it("accepts the options of tool()", async () => {
    const run = vi.fn();
    const once = begun.options({ maxUsageCount: 1, resultAsAnswer: true }).execute(run);
    expect(once).toMatchObject({ resultAsAnswer: true, maxUsageCount: 1, description: "The weather in a city" });
  });

  it("fills in the defaults of items, and within defaults", async () => {
    const item = { type: "object", properties: { q: { type: "number", default: 2 } } } as const;
    const lists = begun
      .parameter("list", { type: "array", items: item }, { required: true })
      .parameter("one", { ...item, default: {} })
      .execute((args) => {
        expectTypeOf(args.list).toEqualTypeOf<{ q: number }[]>();
        expectTypeOf(args.one).toEqualTypeOf<{ q: number }>();
        return args;
      });
    const given = { city: "Oslo", list: [{}, { q: 3 }] };
    expect(await lists.run(given)).toEqual({ city: "Oslo", list: [{ q: 2 }, { q: 3 }], one: { q: 2 } });
    expect(given.list).toEqual([{}, { q: 3 }]);
  });

  it("types a branch by what is filled in, and the keywords next to branches fully", async () => {
    const tool = begun
      .parameter("maybe", {
        anyOf: [{ type: "object", properties: { q: { type: "number", default: 1 } } }, { type: "null" }],
      })
      .parameter("both", {
        type: "object",
        properties: { a: { type: "string" }, d: { type: "number", default: 1 } },
        required: ["a"],
        anyOf: [{ properties: { b: { type: "number" } }, required: ["b"] }, { properties: { c: { type: "number" } } }],
      })
      .execute(({ maybe, both }) => {
        expectTypeOf(maybe).toEqualTypeOf<{ q?: number } | null | undefined>();
        expectTypeOf(both!.a).toEqualTypeOf<string>();
        expectTypeOf(both!.d).toEqualTypeOf<number>();
        return { maybe, both };
      });
    expect(await tool.run({ city: "Oslo", maybe: {}, both: { a: "x", b: 2 } })).toEqual({
      maybe: {},
      both: { a: "x", b: 2, d: 1 },
    });
  });

  it.each([
    [{ enum: ["C", "F"], default: "K" }, '"K"'],
    [{ type: "string", default: null }, "null"],
    [{ type: "object", properties: { q: { type: "number" } }, required: ["q"], default: {} }, "q"],
    [{ type: "array", items: { type: "integer" }, default: [1, "2"] }, '"2"'],
  ])("refuses a default that its own schema refuses: %j", (parameter, word) => {
    const error = { code: "bad-default", tool: "get_weather", path: "/properties/unit/default" };
    const message = expect.stringMatching(
      new RegExp(`^The default of the parameter "unit" of the tool "get_weather" does not match its schema: .*${word}`),
    );
    expect(() => begun.parameter("unit", parameter as JsonSchema).execute(() => 1)).toThrow(
      expect.objectContaining({ ...error, message }),
    );
  });

  it("is no tool without its function, and says so to all that take tools", () => {
    const unfinished = [defineTool("t").description("d")] as unknown as Tool[];
    const error = expect.objectContaining({
      code: "missing-execute",
      message: expect.stringContaining(".execute(fn)"),
    });
    const model = async function* () {};
    expect(() => normalizeTools(unfinished)).toThrow(error);
    expect(() => parseReply("", { tools: unfinished })).toThrow(error);
    expect(() => new ToolConversation({ model, tools: unfinished })).toThrow(error);
  });

  it("requires a description", () => {
    expect(() => defineTool("t").execute(() => 1)).toThrow(expect.objectContaining({ code: "missing-description" }));
  });
});
