import { type AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { NativeModel, type NativeTurn } from "./native-model.js";
import { call } from "./scripted-text-model.js";

const add = tool(({ a, b }) => String(a + b), { name: "add", schema: z.object({ a: z.number(), b: z.number() }) });
const args = { a: 2, b: 3 };
const good = { name: "add", args };
const broken = { ...good, raw: "{a: oops" };
const options = { native: "auto", protocol: "hermes" } as const;
const wrap = (turns: NativeTurn[], more: Partial<Parameters<typeof withToolCalling>[1]> = {}) =>
  withToolCalling(new NativeModel({ turns }), { ...options, ...more });

async function streamed(model: ReturnType<typeof wrap>, call: object = {}) {
  const pieces: AIMessageChunk[] = [];
  for await (const piece of await model.bindTools([add]).stream("2 + 3?", call)) pieces.push(piece);
  const message = pieces.reduce((sum, piece) => concat(sum, piece));
  return { pieces, message };
}

describe("a native stream", () => {
  it("with only unreadable calls is followed by the prompt: its text is kept, its calls are not shown", async () => {
    const turns = [{ text: "Adding.", calls: [broken] }, { text: `Adding it. ${call("add", args)}` }];
    const { message, pieces } = await streamed(wrap(turns));
    expect(message.tool_calls).toMatchObject([{ name: "add", args }]);
    expect(message.invalid_tool_calls).toEqual([]);
    expect(message.text).toBe("Adding.Adding it.");
    expect(message.usage_metadata).toMatchObject({ input_tokens: 2 });
    expect(pieces.flatMap((piece) => piece.tool_call_chunks ?? []).some(({ args }) => args?.includes("oops"))).toBe(
      false,
    );
  });

  it("is followed by the prompt in content-block events too, after the text that was shown", async () => {
    const turns = [{ text: "Adding.", calls: [broken] }, { text: `So: ${call("add", args)}` }];
    const events = wrap(turns).streamEvents("2 + 3?", { tools: [add] });
    expect(await events.text).toBe("Adding.So:");
    expect(await events.toolCalls).toMatchObject([{ name: "add", args }]);
    expect((await events.output).response_metadata).toMatchObject({ finish_reason: "tool_use" });
  });

  it("without the required call shows none of its text, and is followed by the prompt", async () => {
    const turns = [{ text: "It is five." }, { text: call("add", args) }];
    const { message } = await streamed(wrap(turns), { tool_choice: "any" });
    expect(message.tool_calls).toMatchObject([{ name: "add", args }]);
    expect(message.text).toBe("");
  });

  it("with a required call is shown unchanged", async () => {
    const { message } = await streamed(wrap([{ text: "Adding.", calls: [good] }]), { tool_choice: "any" });
    expect(message).toMatchObject({ content: "Adding.", tool_calls: [{ ...good, id: "call_1" }] });
  });

  it("shows invalid calls next to a valid one, like invoke", async () => {
    const { message } = await streamed(wrap([{ calls: [broken, good] }]));
    expect(message.tool_calls).toHaveLength(1);
    expect(message.invalid_tool_calls).toHaveLength(1);
  });

  it("streams its arguments under surface, and shows unreadable ones", async () => {
    const surface = { onInvalidCall: "surface" } as const;
    const { pieces } = await streamed(wrap([{ text: "Adding.", calls: [good] }], surface));
    const first = pieces.findIndex((piece) => (piece.tool_call_chunks ?? []).length > 0);
    expect(pieces.length - first).toBeGreaterThan(3);
    expect((await streamed(wrap([{ calls: [broken] }], surface))).message.invalid_tool_calls).toHaveLength(1);
  });

  it("with only an unreadable required call is followed by the prompt under surface too", async () => {
    const surface = { onInvalidCall: "surface", onMissingCall: "throw" } as const;
    const turns = [{ text: "Adding.", calls: [broken] }, { text: call("add", args) }];
    const { message } = await streamed(wrap(turns, surface), { tool_choice: "any" });
    expect(message).toMatchObject({ tool_calls: [{ name: "add", args }], invalid_tool_calls: [] });
    await expect(
      streamed(wrap([{ calls: [broken] }, { text: "No." }], surface), { tool_choice: "any" }),
    ).rejects.toMatchObject({ code: "tool-choice-unmet" });
  });
});

describe("a native call truncated at the token limit", () => {
  const cut = { calls: [{ ...good, raw: '{"a": 2, "b": 3' }], finish: "length" };
  const empty = { calls: [{ ...good, raw: "" }], finish: "length" };
  const invoked = async (model: ReturnType<typeof wrap>) => model.bindTools([add]).invoke("2 + 3?");
  const read = async (model: ReturnType<typeof wrap>) => (await streamed(model)).message;

  it.each([
    ["invoke", cut, invoked],
    ["stream", cut, read],
    ["invoke, before its arguments", empty, invoked],
    ["stream, before its arguments", empty, read],
  ])("is dropped, and the model is prompted: %s", async (_, turn, ask) => {
    for (const onInvalidCall of ["retry", "throw"] as const) {
      const message = await ask(wrap([turn, { text: call("add", { a: 1, b: 1 }) }], { onInvalidCall }));
      expect(message.tool_calls).toMatchObject([{ name: "add", args: { a: 1, b: 1 } }]);
      expect(message.invalid_tool_calls).toEqual([]);
    }
    const shown = await ask(wrap([turn], { onInvalidCall: "surface" }));
    expect(shown.tool_calls).toEqual([]);
    expect(shown.invalid_tool_calls).toMatchObject([{ name: "add" }]);
  });

  it.each([
    ["invoke", invoked],
    ["stream", read],
  ])("is dropped next to a valid one too: %s", async (_, ask) => {
    const message = await ask(wrap([{ ...cut, calls: [good, ...cut.calls] }]));
    expect(message.tool_calls).toMatchObject([{ args, id: "call_1" }]);
    expect(message.invalid_tool_calls).toMatchObject([{ name: "add", id: "call_2" }]);
  });

  it("is dropped in content-block events", async () => {
    const events = wrap([cut], { onInvalidCall: "surface" }).streamEvents("2 + 3?", { tools: [add] });
    expect(await events.toolCalls).toEqual([]);
  });

  it("is not run by an agent whose messages are streamed", async () => {
    const ran: number[] = [];
    const counted = tool(({ a, b }) => ran.push(a + b) && "5", {
      name: "add",
      schema: z.object({ a: z.number(), b: z.number() }),
    });
    const model = wrap([cut, { text: call("add", { a: 1, b: 1 }) }, { text: "2." }]);
    const stream = await createAgent({ model, tools: [counted] }).stream(
      { messages: [new HumanMessage("2 + 3?")] },
      { streamMode: "messages" },
    );
    for await (const _ of stream);
    expect(ran).toEqual([2]);
  });

  it("does not affect a complete call", async () => {
    const whole = { calls: [good], finish: "length" };
    expect((await read(wrap([whole]))).tool_calls).toMatchObject([{ args }]);
    expect((await read(wrap([{ calls: [{ ...good, raw: "" }] }]))).tool_calls).toMatchObject([{ args: {} }]);
  });
});
