import { ToolSpec, tool as toolMethod } from "@toolingua/tools";
import { asSchema, generateText, jsonSchema, stepCountIs, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fromAiSdkTools, toAiSdkTools, withToolCalling } from "../src/index.js";
import { call, ScriptedModel } from "./scripted-model.js";

class Desk extends ToolSpec {
  @toolMethod({ description: "Adds", schema: z.object({ a: z.number(), b: z.number().default(1) }) })
  add({ a, b }: { a: number; b: number }) {
    return a + b;
  }

  @toolMethod({ description: "Opens" })
  open() {
    throw new Error("no key");
  }
}

describe("toAiSdkTools", () => {
  const run = async (...replies: string[]) => {
    const inner = new ScriptedModel({ replies: [...replies, "Done."] });
    const model = withToolCalling(inner, { protocol: "hermes" });
    const tools = toAiSdkTools(new Desk());
    const { steps } = await generateText({ model, tools, stopWhen: stepCountIs(3), prompt: "?" });
    return { steps, inner };
  };

  it("returns tools that run, with their defaults", async () => {
    const { steps } = await run(call("add", { a: 2 }));
    expect(steps[0]?.toolResults.map(({ output }) => output)).toEqual([3]);
  });

  it("reports to the model how one failed, and arguments that do not match", async () => {
    expect((await run(call("open", {}))).inner.text(1)).toContain("no key");
    const { steps, inner } = await run(call("add", { a: "x" }));
    expect(steps[0]?.toolResults).toEqual([]);
    expect(inner.text(1)).toContain("expected number");
  });

  it("keeps description, schema and approval", async () => {
    const [first] = new Desk().toToolList();
    if (!first) throw new Error("no tool");
    const careful = { name: first.name, parameters: first.parameters ?? {}, execute: () => 1 };
    const tools = toAiSdkTools([
      { ...careful, needsApproval: ({ a }) => a === 2 },
      { ...careful, name: "throwing", needsApproval: () => Promise.reject(new Error("?")) },
    ]);
    expect(await asSchema(tools.add?.inputSchema).jsonSchema).toMatchObject({ properties: { a: { type: "number" } } });
    expect(await tools.add?.needsApproval?.({ a: 2 })).toBe(true);
    expect(await tools.add?.needsApproval?.({ a: 3 })).toBe(false);
    expect(await tools.throwing?.needsApproval?.({})).toBe(true);
    expect(toAiSdkTools(new Desk()).add?.description).toBe("Adds");
  });
});

describe("fromAiSdkTools", () => {
  const made = fromAiSdkTools({
    add: tool({
      description: "Adds",
      inputSchema: z.object({ a: z.coerce.number(), b: z.number().default(1) }),
      execute: ({ a, b }, { toolCallId }) => `${toolCallId}: ${a + b}`,
    }),
    raw: {
      inputSchema: jsonSchema({ type: "object", properties: { x: { type: "number" } } }),
      execute: ({ x }: { x: number }) => x,
    },
    several: tool({
      inputSchema: z.object({}),
      async *execute() {
        yield "first";
        yield "last";
      },
    }),
    client: tool({ inputSchema: z.object({}) }),
    careful: tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 1 }),
  });
  const run = (name: string, args: Record<string, unknown>) => {
    const found = made.find((each) => each.name === name);
    return found?.execute(args, { toolCallId: "c1" });
  };

  it("returns core's tools, whose arguments are read by their own schema", async () => {
    expect(made[0]).toMatchObject({ name: "add", description: "Adds", parameters: { required: ["a"] } });
    expect(await run("add", { a: "4" })).toBe("c1: 5");
    expect(await run("raw", { x: 7 })).toBe(7);
    const raw = made.find(({ name }) => name === "raw")!;
    expect(await Reflect.apply(raw.execute, raw, [{ x: 7 }])).toBe(7);
    expect(await run("several", {})).toBe("last");
    expect(made.at(-1)?.needsApproval).toBe(true);
  });

  it("refuses arguments that do not match, and reports that a client's tool runs elsewhere", async () => {
    expect(await run("add", { a: "four" })).toMatchObject({ message: expect.stringContaining("/a") });
    expect(await run("raw", { x: "seven" })).toBeInstanceOf(Error);
    expect(await run("client", {})).toMatchObject({ message: expect.stringContaining("no implementation") });
  });

  it("refuses provider tools, and invalid schemas", () => {
    expect(() => fromAiSdkTools({ search: { type: "provider" } })).toThrow("a provider's server");
    expect(() => fromAiSdkTools({ odd: { inputSchema: 7 } })).toThrow("cannot be read synchronously");
  });
});

describe("an invalid list of tools", () => {
  const convert = Reflect.apply.bind(undefined, toAiSdkTools, undefined);
  const back = Reflect.apply.bind(undefined, fromAiSdkTools, undefined);
  it.each([
    [convert, null, "a list of tools or a ToolSpec, not null"],
    [convert, undefined, "not undefined"],
    [convert, "add", 'not "add"'],
    [convert, { add: {} }, "Tools of the AI SDK are the SDK's already"],
    [convert, [{ name: "add" }], 'The tool "add" has no function `execute`', "missing-execute"],
    [back, null, "an object of tools by their names, such as { weather: tool({ … }) }, not null"],
    [back, [], "not a list"],
    [back, { add: 3 }, '"add" must be a tool'],
    [back, { add: {} }, 'The tool "add" has no `inputSchema`', "missing-schema"],
  ])("is refused with the correct form", (way, given, message, code = "unknown-shape") => {
    const run = () => way([given]);
    expect(run).toThrow(message);
    expect(run).toThrow(expect.objectContaining({ name: "ToolDefinitionError", code }));
  });
});
