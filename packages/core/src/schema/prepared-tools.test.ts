import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  defineProtocol,
  generateWithTools,
  getProtocol,
  type JsonSchema,
  renderPrompt,
  type ToolDefinition,
  toJsonSchema,
} from "../index.js";
import { BYTES, KEPT, preparedTools } from "./prepared-tools.js";

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/** After a tick, since a weak reference holds its object until the end of the task. */
async function collected(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve));
    gc();
  }
}

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
  it("are the same definitions if their content is the same, in the same list", () => {
    const first = preparedTools([weather(), { name: "now" }]);
    expect(preparedTools([weather(), { name: "now" }])).toBe(first);
    const openAi = { type: "function" as const, function: { ...weather() } };
    expect(preparedTools([openAi])[0]).toBe(first[0]);
    expect(preparedTools([{ ...weather(), description: "Other" }])[0]).not.toBe(first[0]);
    expect(first).toEqual([weather(), { name: "now" }]);
  });

  it("are the same for a schema of zod and for its JSON Schema", () => {
    const zod = { name: "weather", parameters: z.object({ city: z.string() }) };
    const first = preparedTools([zod]);
    expect(preparedTools([{ ...zod }])).toBe(first);
    expect(preparedTools([{ name: "weather", parameters: toJsonSchema(z.object({ city: z.string() })) }])).toBe(first);
    expect(() => preparedTools([{ name: "weather", parameters: { city: z.string() } }])).toThrow("not a usable schema");
  });

  it("may be changed between two turns, anywhere: the next turn shows the change", async () => {
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

  it("cannot be changed by another caller: the cache keeps a frozen copy", async () => {
    const tool = weather();
    const [definition] = preparedTools([tool]);
    tool.parameters.properties.city.enum[0] = "Lima";
    expect(definition).toEqual(weather());
    expect(() => Object.assign(Object(definition).parameters.properties.city, { description: "!" })).toThrow(TypeError);
  });

  it("are different if only the order of keys differs, because the prompt differs", async () => {
    const turned = { ...weather(), parameters: Object.fromEntries(Object.entries(schema()).reverse()) };
    expect(preparedTools([turned])[0]).not.toBe(preparedTools([weather()])[0]);
    expect(await shownIn([turned])).not.toBe(await shownIn([weather()]));
  });

  it("are accepted if they contain themselves, are not plain data or are too large for the cache", async () => {
    const node: JsonSchema = { type: "object", properties: {} };
    Object.assign(Object(node).properties, { next: node });
    const pattern = { ...weather(), parameters: { ...schema(), default: new URL("https://example.com") } };
    const large = {
      ...weather(),
      parameters: { ...schema(), enum: Array.from({ length: KEPT.bytesOfOne / BYTES.value }, String) },
    };
    for (const tool of [{ name: "walk", parameters: node }, pattern, large]) {
      const [first, second] = [preparedTools([tool]), preparedTools([tool])];
      expect(first[0]).not.toBe(second[0]);
      expect(first[0]?.parameters).toEqual(tool.parameters);
    }
    expect(preparedTools([{ name: "walk", parameters: node }])[0]?.name).toBe("walk");
  });

  it("are cached up to a bound: per name, and in total", () => {
    const version = (i: number) => ({ name: "bounded", description: `Version ${i}` });
    const first = preparedTools([version(0)])[0];
    for (let i = 1; i < KEPT.versions; i++) preparedTools([version(i)]);
    expect(preparedTools([version(0)])[0]).toBe(first);
    preparedTools([version(KEPT.versions)]);
    expect(preparedTools([version(0)])[0]).not.toBe(first);

    const large = (i: number) => ({ name: `large_${i}`, parameters: { type: "object", title: "x".repeat(100_000) } });
    const fits = Math.floor(KEPT.bytes / (BYTES.character * 100_000 + 20 * BYTES.value));
    // Other tests of this process have used definitions, which are dropped the second time only.
    for (let i = 0; i < 2 * fits; i++) preparedTools([large(1000 + i)]);
    const kept = preparedTools([large(0)])[0];
    for (let i = 1; i < fits; i++) preparedTools([large(i)]);
    expect(preparedTools([large(0)])[0]).toBe(kept);
    for (let i = 1; i <= fits + 1; i++) preparedTools([large(i)]);
    expect(preparedTools([large(0)])[0]).not.toBe(kept);
  });

  it.each<[string, (text: string) => ToolDefinition]>([
    ["a name", (text) => ({ name: text })],
    ["a description", (text) => ({ name: "long", description: text })],
    ["a string", (text) => ({ name: "long", parameters: { type: "object", title: text } })],
    ["a key", (text) => ({ name: "long", parameters: { type: "object", properties: { [text]: {} } } })],
  ])("are cached by the length of %s", (_, tool) => {
    const most = KEPT.bytesOfOne / BYTES.character;
    const short = tool("a".repeat(most - 1_000));
    expect(preparedTools([structuredClone(short)])).toBe(preparedTools([short]));
    const long = tool("b".repeat(most));
    expect(preparedTools([structuredClone(long)])[0]).not.toBe(preparedTools([long])[0]);
  });

  it("are cached in lists only while each of them is cached", async () => {
    const small = { name: "small" };
    const listOf = (i: number) => preparedTools([small, { name: `other_${i}`, description: "x".repeat(200_000) }]);
    const given = new WeakRef(listOf(0)[1] ?? {});
    for (let i = 1; i <= KEPT.bytes / (BYTES.character * 200_000) + 1; i++) listOf(i);
    for (let i = 0; i < 8; i++) preparedTools([small, { name: "huge", description: "x".repeat(KEPT.bytesOfOne) }]);
    const huge = new WeakRef(
      preparedTools([small, { name: "huge", description: "y".repeat(KEPT.bytesOfOne) }])[1] ?? {},
    );
    await collected();
    expect([given.deref(), huge.deref()]).toEqual([undefined, undefined]);
    expect(preparedTools([small])).toBe(preparedTools([{ ...small }]));
  });

  it("are not kept alive by the prompts that showed them", async () => {
    const small = { name: "small" };
    const shown = async (i: number) => {
      const other = { name: "other", description: `${i} ${"x".repeat(KEPT.bytesOfOne)}` };
      await shownIn([small, other]);
    };
    await shown(0);
    await collected();
    const before = process.memoryUsage().heapUsed;
    for (let i = 1; i < 4; i++) await shown(i);
    await collected();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(KEPT.bytesOfOne);
  });

  it("are shared by users, and one user's protocol never shows its changes to another", async () => {
    const record = () => ({
      name: "store",
      parameters: {
        type: "object",
        properties: {
          path: { type: "string", description: "Where" },
          tags: { type: "object", additionalProperties: false },
        },
      },
    });
    const seen: string[] = [];
    const renderTools = (tools: readonly ToolDefinition[]) => {
      const path: unknown = Object(tools[0]?.parameters).properties?.path;
      if (tools[0]?.name === "store" && typeof path === "object" && path !== null) {
        seen.push(JSON.stringify(tools));
        Reflect.set(path, "description", "for alice");
      }
      return JSON.stringify(tools);
    };
    for (const name of ["alices", "bobs"]) {
      const protocol = defineProtocol({ ...getProtocol("hermes"), name, renderTools });
      const model = async function* () {
        yield "Hello.";
      };
      await generateWithTools({ model, messages, tools: [record()], protocol }).result();
    }
    expect(seen).toHaveLength(2);
    expect(seen.join()).not.toContain("alice");
    const [definition] = preparedTools([record()]);
    expect(Object(definition).parameters.properties.tags).toEqual({ type: "object" });
    expect(() => Object.assign(Object(definition).parameters.properties.path, { description: "!" })).toThrow(TypeError);
  });

  it("are the same without a cache, whatever was asked before", async () => {
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
