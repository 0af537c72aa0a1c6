import { SchemaError, ToolDefinitionError } from "@toolingua/core";
import { transformWithEsbuild } from "vite";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { ToolSpec, tool, toolsOf } from "./index.js";

const schema = z.object({ city: z.string(), unit: z.enum(["C", "F"]).default("C") });

describe("tool() as a function", () => {
  it("makes a tool whose function has the schema's types", async () => {
    const weather = tool("Get the weather", { description: "The weather", schema }, (args, context) => {
      expectTypeOf(args).toEqualTypeOf<{ city: string; unit: "C" | "F" }>();
      expectTypeOf(context.toolCallId).toEqualTypeOf<string>();
      return `${args.city} ${args.unit}`;
    });
    expectTypeOf(weather.run).parameter(0).toEqualTypeOf<{ city: string; unit?: "C" | "F" | undefined }>();
    expect(weather.name).toBe("Get_the_weather");
    expectTypeOf(await weather.run({ city: "Oslo" })).toEqualTypeOf<string>();
    expect(await weather.run({ city: "Oslo" })).toBe("Oslo C");
  });

  it("reads the types of a literal JSON Schema", async () => {
    const search = tool(
      "search",
      {
        description: "Searches",
        schema: {
          type: "object",
          properties: {
            query: { type: "string" },
            limit: { type: "integer", default: 5 },
            tags: { type: "array", items: { enum: ["a", "b"] } },
            near: { type: ["object", "null"], properties: { lat: { type: "number" } }, required: ["lat"] },
            by: { anyOf: [{ const: "date" }, { type: "boolean" }] },
            more: {},
          },
          required: ["query"],
        },
      },
      (args) => {
        expectTypeOf(args).toEqualTypeOf<{
          query: string;
          limit: number;
          tags?: ("a" | "b")[];
          near?: { lat: number } | null;
          by?: "date" | boolean;
          more?: unknown;
        }>();
        return args.limit;
      },
    );
    expectTypeOf(search.run).parameter(0).toHaveProperty("limit").toEqualTypeOf<number | undefined>();
    expect(await search.run({ query: "x" })).toBe(5);
  });

  it("accepts zod 3, and any schema known only at run time", async () => {
    const old = tool("old", { description: "x", schema: z3.object({ n: z3.number() }) }, ({ n }) => {
      expectTypeOf(n).toEqualTypeOf<number>();
      return n;
    });
    expect(await old.run({ n: 1 })).toBe(1);
    const remote: object = JSON.parse('{"type":"object","properties":{"n":{"type":"number"}}}');
    const late = tool("late", { description: "x", schema: remote }, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
      return args.n;
    });
    expect(await late.run({ n: 2 })).toBe(2);
  });

  it("treats zod's JSON Schema as JSON Schema", async () => {
    const written = tool("t", { description: "x", schema: z.toJSONSchema(schema, { io: "input" }) }, (args) => args);
    expect(await written.run({ city: "Oslo" })).toEqual({ city: "Oslo", unit: "C" });
  });

  it("types the arguments of cacheFunction, which have the defaults", async () => {
    const asked: unknown[] = [];
    const cacheFunction = (args: { city: string; unit: "C" | "F" }) => asked.push(args) > 0 && args.city !== "";
    let runs = 0;
    const counter = tool("t", { description: "x", schema, cacheFunction }, () => ++runs);
    tool(
      "t",
      {
        description: "x",
        schema,
        cacheFunction: (args) => {
          expectTypeOf(args).toEqualTypeOf<{ city: string; unit: "C" | "F" }>();
          return true;
        },
      },
      () => 1,
    );
    for (const city of ["Oslo", "Oslo", "", ""]) await counter.run({ city });
    expect(runs).toBe(3);
    expect(asked).toEqual([
      { city: "Oslo", unit: "C" },
      { city: "", unit: "C" },
      { city: "", unit: "C" },
    ]);
  });

  it("reports at once what a tool lacks", () => {
    expect(() => tool("", { description: "x" }, () => 1)).toThrow(expect.objectContaining({ code: "missing-name" }));
    expect(() => tool("t", { description: "" }, () => 1)).toThrow(
      expect.objectContaining({ code: "missing-description" }),
    );
    expect(() => tool("t", { description: "x" }, (args) => args)).toThrow(
      expect.objectContaining({
        code: "missing-schema",
        message: expect.stringContaining("takes arguments but has no schema"),
      }),
    );
    expect(() => tool("t", { description: "x" }, (_, { signal }) => signal)).not.toThrow();
    for (const [code, schema] of [
      ["invalid-schema", { city: z.string() }],
      ["invalid-schema", z.object({ at: z.date() })],
      ["parameters-not-object", z.string()],
    ] as const) {
      expect(() => tool("t", { description: "x", schema }, () => 1)).toThrow(expect.objectContaining({ code }));
    }
    const resultSchema = { n: z.number() };
    expect(() => tool("t", { description: "x", resultSchema }, () => 1)).toThrow(SchemaError);
    const mistaken = { type: "object", required: true };
    expect(() => tool("t", { description: "x", resultSchema: mistaken }, () => 1)).toThrow(
      expect.objectContaining({ name: "SchemaError", code: "invalid-schema" }),
    );
    expect(() => tool("t", undefined as never, () => 1)).toThrow(ToolDefinitionError);
    expect(() => tool("t", { description: "x", maxUsageCount: -1 }, () => 1)).toThrow(/-1.*whole number from 1/);
  });

  it("uses the description of the schema by default", () => {
    const described = z.object({ n: z.number() }).describe("Counts");
    expect(tool("count", { schema: described }, ({ n }) => n).description).toBe("Counts");
    expect(tool("count", { schema: described, description: "Own" }, ({ n }) => n).description).toBe("Own");
    const plain = { description: "Plain", type: "object", properties: {} } as const;
    expect(tool("count", { schema: plain }, () => 1).description).toBe("Plain");
    expect(() => tool("count", { schema: z.object({}) }, () => 1)).toThrow(
      expect.objectContaining({ code: "missing-description" }),
    );
  });

  it("accepts a whole definition before the function, such as one made at build time", async () => {
    const definition = {
      name: "double",
      description: "Doubles",
      parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      resultSchema: { type: "number" },
    } as const;
    const double = tool(definition, ({ n }) => {
      expectTypeOf(n).toEqualTypeOf<number>();
      return n === 0 ? "none" : n * 2;
    });
    expect(double).toMatchObject({ name: "double", parameters: { required: ["n"] } });
    expect(await double.run({ n: 2 })).toBe(4);
    expect(await double.execute({ n: 0 }, { toolCallId: "1" })).toMatchObject({ code: "invalid-result" });
    expect(tool({ name: "now", description: "x", schema }, ({ city }) => city).name).toBe("now");
    const loose = tool as (...args: unknown[]) => unknown;
    expect(() => loose({ description: "x" }, () => 1)).toThrow(expect.objectContaining({ code: "missing-name" }));
    expect(() => loose("t", () => 1)).toThrow(/options before the function.*tool\("name"/);
    expect(() => loose(() => 1, { name: "t", description: "x" })).toThrow(/Write tool\("name"/);
  });

  it("refuses an unknown option, with a suggestion", () => {
    const make = (options: object) => () => tool("t", { description: "x", ...options }, () => 1);
    expect(make({ timeoutMs: 5 })).toThrow(/no "timeoutMs" in the options of the tool "t"\. Did you mean "timeout"\?/);
    expect(make({ returnDirect: true })).toThrow(/Did you mean "resultAsAnswer"/);
    expect(make({ args_schema: {} })).toThrow(/There is no "args_schema"/);
    for (const name of ["parameters", "inputSchema"]) expect(make({ [name]: {} })).toThrow(/Did you mean "schema"\?/);
    expect(make({ resultAsAnswer: "yes" })).toThrow(/`t.resultAsAnswer` is true or false, not "yes"/);
    expect(make({ failurePolicy: "warn" })).toThrow(/"report" or "throw", not "warn"/);
    expect(make({ timeout: -1 })).toThrow(expect.objectContaining({ code: "bad-timeout" }));
  });

  it("keeps an argument named __proto__ a plain key", async () => {
    const echo = tool("echo", { description: "x", schema: { type: "object", properties: {} } }, (args) => args);
    const result = await echo.run(JSON.parse('{"__proto__":{"x":1}}'));
    expect(Object.keys(result)).toEqual(["__proto__"]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

// Source text, so that the same code runs under both kinds of decorators, without types.
const source = `
class Base extends ToolSpec {
  greeting = "Hello";
  @tool({ description: "Greets", schema: { properties: { name: { type: "string" } } } })
  greet({ name }) { return this.greeting + " " + name; }
  @tool("Count up", { description: "Counts", maxUsageCount: 2 })
  async count() { return 1; }
  helper() {}
}
class Derived extends Base {
  greet({ name }) { return "Dear " + name; }
  @tool({ description: "Counts down" })
  count() { return -1; }
  @tool({ description: "More" })
  more() { return "more"; }
}
class Plain {
  #secret = 42;
  @tool({ description: "Tells" })
  tell() { return this.#secret; }
}
return { Base, Derived, Plain };
`;

describe.each([
  ["standard", false],
  ["legacy", true],
])("a decorator without parentheses, %s", (_, experimentalDecorators) => {
  it("reports that it needs a description", async () => {
    const { code } = await transformWithEsbuild(
      "export function make() { class Bare { @tool list() {} } return Bare; }",
      "bare.ts",
      {
        target: "es2022",
        format: "cjs",
        tsconfigRaw: { compilerOptions: { experimentalDecorators } },
      },
    );
    const module = { exports: {} as { make(): unknown } };
    new Function("module", "exports", "tool", code)(module, module.exports, tool);
    expect(() => module.exports.make()).toThrow(
      expect.objectContaining({ code: "missing-description", message: expect.stringContaining('@tool on "list"') }),
    );
  });
});

describe.each([
  ["standard", false],
  ["legacy", true],
])("tool() as a %s decorator", async (_, experimentalDecorators) => {
  const { code } = await transformWithEsbuild(`export const make = () => {${source}};`, "fixture.ts", {
    target: "es2022",
    format: "cjs",
    tsconfigRaw: { compilerOptions: { experimentalDecorators } },
  });
  const module = {
    exports: {} as { make(): Record<"Base" | "Derived", new () => ToolSpec> & { Plain: new () => object } },
  };
  new Function("module", "exports", "tool", "ToolSpec", code)(module, module.exports, tool, ToolSpec);
  const { Base, Derived, Plain } = module.exports.make();

  it("makes a method a tool, bound to its object", async () => {
    const base = Object.assign(new Base(), { greeting: "Hi" });
    const [greet, count] = base.toToolList();
    expect([greet?.name, count?.name]).toEqual(["greet", "Count_up"]);
    expect(await greet?.run({ name: "Ann" })).toBe("Hi Ann");
    expect(await new Base().toToolList()[0]?.run({ name: "Ann" })).toBe("Hello Ann");
    expect(count?.maxUsageCount).toBe(2);
  });

  it("is inherited: an override without decorator keeps the definition, one with it replaces it", async () => {
    const tools = new Derived().toToolList();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ["greet", "Greets"],
      ["count", "Counts down"],
      ["more", "More"],
    ]);
    expect(await Promise.all(tools.map((one) => one.run({ name: "Ann" })))).toEqual(["Dear Ann", -1, "more"]);
    expect(new Base().toToolList().map(({ name }) => name)).toEqual(["greet", "Count_up"]);
  });

  it("works on a class without a base class, with private fields", async () => {
    expect(await toolsOf(new Plain())[0]?.run({})).toBe(42);
  });
});

describe("tool() as a decorator", () => {
  class Weather extends ToolSpec {
    @tool({ description: "The weather", schema })
    forecast({ city, unit }: { city: string; unit: "C" | "F" }) {
      return `${city} ${unit}`;
    }

    // @ts-expect-error: the schema gives a string.
    @tool({ description: "Wrong", schema })
    wrong({ city }: { city: number }) {
      return city;
    }
  }

  it("checks the method against the schema's types", async () => {
    expect(await new Weather().toToolList(["forecast"])[0]?.run({ city: "Oslo" })).toBe("Oslo C");
  });

  it("requires a function", () => {
    const loose = tool as (...args: unknown[]) => void;
    for (const func of [null, "nofn", {}]) {
      expect(() => loose("t", { description: "x" }, func)).toThrow(expect.objectContaining({ code: "not-a-function" }));
    }
  });

  it("refuses anything but a public method with a name", () => {
    const mark = tool({ description: "x" }) as (...args: unknown[]) => void;
    const method = { value: () => 1 };
    for (const [target, key, descriptor] of [
      [{}, Symbol("s"), method],
      [{}, "field", undefined],
      [{}, "getter", { get: () => 1 }],
      [() => 1, { name: "#p", private: true, kind: "method" }, undefined],
    ]) {
      expect(() => mark(target, key, descriptor)).toThrow(expect.objectContaining({ code: "not-a-method" }));
    }
  });
});
