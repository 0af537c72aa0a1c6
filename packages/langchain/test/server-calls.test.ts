import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { NativeModel, type NativeTurn } from "./native-model.js";
import { ScriptedTextModel } from "./scripted-text-model.js";

const add = tool(({ a, b }) => String(a + b), { name: "add", schema: z.object({ a: z.number(), b: z.number() }) });
const args = { a: 2, b: 3 };
const made = { name: "add", args };
type Options = NonNullable<Parameters<typeof withToolCalling>[1]>;
const wrap = (turns: NativeTurn[], options: Options = {}) => withToolCalling(new NativeModel({ turns }), options);

type Asked = (model: ReturnType<typeof wrap>, call?: object) => Promise<AIMessage | AIMessageChunk>;
const invoked: Asked = (model, call) => model.bindTools([add]).invoke("2 + 3?", call);
const streamed: Asked = async (model, call) => {
  let message: AIMessageChunk | undefined;
  for await (const piece of await model.bindTools([add]).stream("2 + 3?", call)) {
    message = message ? concat(message, piece) : piece;
  }
  return message!;
};

describe.each([
  ["invoke", invoked],
  ["stream", streamed],
])("a call that the server extracted from the reply: %s", (_, ask) => {
  it.each(["hermes", "xml", "pythonic", "react", "json-action"] as const)(
    "is the answer's call, under %s",
    async (protocol) => {
      const message = await ask(wrap([{ text: "Adding.", calls: [made] }], { protocol }));
      expect(message.text.trim()).toBe("Adding.");
      expect(message.tool_calls).toMatchObject([made]);
      expect(message.response_metadata.finish_reason).toBe("tool_calls");
    },
  );

  it("may have others next to it if the turn allows it", async () => {
    const other = { ...made, args: { a: 1, b: 1 } };
    const turns = [{ calls: [made, other] }];
    expect((await ask(wrap(turns))).tool_calls).toMatchObject([made, other]);
    expect((await ask(wrap(turns), { parallel_tool_calls: false })).tool_calls).toMatchObject([made]);
  });

  it("satisfies the tool choice, without a second request", async () => {
    const inner = new NativeModel({ turns: [{ calls: [made] }] });
    const message = await ask(withToolCalling(inner), { tool_choice: "any" });
    expect(message.tool_calls).toMatchObject([made]);
    expect(inner.requests).toHaveLength(1);
  });

  it("is checked, and reported to the model for a retry", async () => {
    for (const wrong of [
      { calls: [{ ...made, raw: '{"a": 2, "b": oops' }] },
      { calls: [{ ...made, raw: '{"a": 2, "b": 3' }], finish: "stop" },
      { calls: [{ name: "add", args: { a: "two" } }] },
    ]) {
      const message = await ask(wrap([wrong, { calls: [made] }]));
      expect(message.tool_calls).toMatchObject([made]);
      expect(message.invalid_tool_calls).toEqual([]);
      const shown = await ask(wrap([wrong], { onInvalidCall: "surface" }));
      expect(shown.tool_calls).toEqual([]);
      expect(shown.invalid_tool_calls).toMatchObject([{ name: "add" }]);
    }
  });

  it("is not asked for again if the token limit cut it off", async () => {
    const inner = new NativeModel({ turns: [{ calls: [{ ...made, raw: '{"a": 2, "b": 3' }], finish: "length" }] });
    const message = await ask(withToolCalling(inner, { protocol: "hermes" }));
    expect(message).toMatchObject({ tool_calls: [], invalid_tool_calls: [{ name: "add" }] });
    expect(message.response_metadata).toMatchObject({ finish_reason: "length" });
    expect(inner.requests).toHaveLength(1);
  });

  it("is dropped if no call is wanted", async () => {
    const message = await ask(wrap([{ text: "Five.", calls: [made] }]), { tool_choice: "none" });
    expect(message).toMatchObject({ text: "Five.", tool_calls: [] });
  });
});

describe("a call that the server extracted from the reply", () => {
  it("is run by an agent", async () => {
    const model = wrap([{ calls: [made] }, { text: "5." }]);
    const { messages } = await createAgent({ model, tools: [add] }).invoke({ messages: "2 + 3?" });
    expect(messages.map((message) => message.text)).toEqual(["2 + 3?", "", "5", "5."]);
  });
});

describe("the other fields of the wrapped model's message", () => {
  class Carrying extends ScriptedTextModel {
    override async _generate(): Promise<ChatResult> {
      const additional_kwargs = { citations: ["u"], reasoning_content: "Hm." };
      const message = new AIMessage({ content: "Hi", name: "bob", additional_kwargs });
      return { generations: [{ text: "Hi", message }] };
    }
    override async *_streamResponseChunks(_: BaseMessage[]): AsyncGenerator<ChatGenerationChunk> {
      for (const token of ["H", "i"]) {
        const message = new AIMessageChunk({
          content: token,
          name: "bob",
          additional_kwargs: token === "H" ? { citations: ["u"] } : {},
          response_metadata: { logprobs: { content: [{ token, logprob: -1 }] } },
        });
        yield new ChatGenerationChunk({ message, text: token });
      }
      const end = new AIMessageChunk({ content: "", response_metadata: { finish_reason: "stop", logprobs: null } });
      yield new ChatGenerationChunk({ message: end, text: "" });
    }
  }
  const carrying = () => withToolCalling(new Carrying({ replies: [] }));

  it.each([
    ["invoke", invoked],
    ["stream", streamed],
  ])("are kept: %s", async (how, ask) => {
    const message = await ask(carrying());
    expect(message.additional_kwargs).toEqual({ citations: ["u"] });
    expect(message.response_metadata.logprobs).toEqual({
      content: [
        { token: "H", logprob: -1 },
        { token: "i", logprob: -1 },
      ],
    });
    // LangChain's own messages lose the name when their pieces are put together.
    expect(message.name).toBe(how === "invoke" ? "bob" : undefined);
  });
});
