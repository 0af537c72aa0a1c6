import { describe, expect, it } from "vitest";
import { add, both } from "./both-halves.js";
import { call } from "./scripted-model.js";

const good = call("add", { a: 2, b: 3 });
const names = (content: readonly { type: string }[]) =>
  content.flatMap((part) => (part.type === "tool-call" && "toolName" in part ? [part.toolName] : []));

describe("toolChoice, whole and streamed", () => {
  it("auto: a call is optional", async () => {
    expect(names((await both([good], { toolChoice: { type: "auto" } })).generated.content)).toEqual(["add"]);
    expect(names((await both(["It is 5."], { toolChoice: { type: "auto" } })).generated.content)).toEqual([]);
  });

  it("none: the tools are not shown, and a call is dropped", async () => {
    const { generated, whole } = await both([good], { toolChoice: { type: "none" } });
    expect(names(generated.content)).toEqual([]);
    expect(whole.text(0)).not.toContain("Adds two numbers");
  });

  it("required: all of its calls are returned, and other replies are requested again", async () => {
    const { generated, parts } = await both(["It is 5.", `${good}\n${call("now", {})}`], {
      toolChoice: { type: "required" },
    });
    expect(names(generated.content)).toEqual(["add", "now"]);
    expect(names(parts)).toEqual(["add", "now"]);
    expect(parts.some((part) => part.type === "text-delta")).toBe(false);
  });

  it("tool: only that tool is called, even if the model writes only its arguments", async () => {
    const toolChoice = { type: "tool" as const, toolName: "add" };
    expect(names((await both([call("now", {}), good], { toolChoice })).generated.content)).toEqual(["add"]);
    const { generated } = await both(['{"a": 2, "b": 3}'], { toolChoice });
    expect(generated.content).toMatchObject([{ toolName: "add", input: '{"a":2,"b":3}' }]);
  });

  it("that is not met is an error, and so is an unknown tool, at once", async () => {
    const toolChoice = { type: "required" as const };
    await expect(both(["No.", "No.", "No."], { toolChoice })).rejects.toMatchObject({ code: "tool-choice-unmet" });
    const unknown = { type: "tool" as const, toolName: "nope" };
    await expect(both([good], { toolChoice: unknown })).rejects.toMatchObject({
      code: "unknown-tool-choice",
      message: 'toolChoice names the tool "nope", which there is not. There are "add", "now".',
    });
    await expect(both([good], { toolChoice: { ...unknown, toolName: "Addd" } })).rejects.toThrow('Did you mean "add"?');
  });

  it("tool: a tool of the provider, which calls it itself, leaves every reply as it is", async () => {
    const search = { type: "provider" as const, id: "p.search" as const, name: "search", args: {} };
    const toolChoice = { type: "tool" as const, toolName: "search" };
    const { generated } = await both(["It is 5."], { tools: [add, search], toolChoice });
    expect(generated.content).toEqual([{ type: "text", text: "It is 5." }]);
  });

  const shapes = '"auto", "required", "none" or { type: "tool", toolName: "…" }';
  it.each([
    [{ type: "function", function: { name: "add" } }, `toolChoice is ${shapes}, not {"type":"function","function"`],
    [{ type: "tool" }, `toolChoice names no tool. It is ${shapes}.`],
    [{ type: "tool", name: "add" }, `toolChoice names no tool. It is ${shapes}.`],
  ])("of a wrong shape is an error that names the right one: %j", async (asked, message) => {
    const toolChoice: { type: "auto" } = JSON.parse(JSON.stringify(asked));
    await expect(both([good], { toolChoice })).rejects.toMatchObject({
      code: "unknown-tool-choice",
      message: expect.stringContaining(message),
    });
  });

  it("streams the arguments of a required call as they are written", async () => {
    const { parts } = await both([call("add", { a: 1, b: 2, note: "z".repeat(500) })], {
      toolChoice: { type: "required" },
    });
    expect(parts.filter(({ type }) => type === "tool-input-delta").length).toBeGreaterThan(500);
  });

  it("opens a required call only for a model that accepts a prefill", async () => {
    const rest = good.replace("<tool_call>\n", "");
    const toolChoice = { type: "required" as const };
    const prefilled = await both([rest], { toolChoice }, { prefill: true });
    expect(prefilled.whole.calls[0]?.prompt.at(-1)?.role).toBe("assistant");
    expect(names(prefilled.generated.content)).toEqual(["add"]);
    const plain = await both([good], { toolChoice });
    expect(plain.whole.calls[0]?.prompt.at(-1)?.role).toBe("user");
  });
});

describe("schemas that the SDK closes", () => {
  const closed = (schema: object) => ({ type: "function" as const, name: "save", inputSchema: { ...schema } });
  const inputOf = async (schema: object, args: object) => {
    const { generated } = await both([call("save", args)], { tools: [closed(schema)] });
    return JSON.parse(
      generated.content.flatMap((part) => (part.type === "tool-call" ? [part.input] : []))[0] ?? "null",
    );
  };
  const $schema = "http://json-schema.org/draft-07/schema#";

  it("keep every key of records and loose objects at any depth", async () => {
    const args = { scores: { ann: 1, bob: 2 }, extra: true, nested: { left: 1, right: 2 } };
    const record = { type: "object", additionalProperties: false };
    const nested = { type: "object", properties: { left: {} }, additionalProperties: false };
    const schema = { $schema, type: "object", properties: { scores: record, nested }, additionalProperties: false };
    expect(await inputOf(schema, args)).toEqual(args);
    expect(await inputOf({ type: "object", properties: {}, additionalProperties: false }, args)).toEqual(args);
  });

  it("written by hand are respected, because nobody else checks them", async () => {
    const schema = { type: "object", properties: { a: { type: "number" } }, additionalProperties: false };
    expect(await inputOf(schema, { a: "1", b: 2 })).toEqual({ a: 1 });
  });
});
