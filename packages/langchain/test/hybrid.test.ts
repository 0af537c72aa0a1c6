import { type AIMessage, type AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { createAgent } from "langchain";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { NativeModel } from "./native-model.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

const tools = ["weather", "stock", "mail", "calendar", "music", "taxi", "hotel", "map"].flatMap((word) =>
  ["get", "find", "delete"].map((verb) =>
    tool(() => `${verb} ${word} done`, {
      name: `${verb}_${word}`,
      description: `Will ${verb} a ${word}.`,
      schema: z.object({ query: z.string() }),
    }),
  ),
);
const query = { query: "x" };
const question = { messages: [new HumanMessage("Rain?")] };
const textOf = (requests: { text: string }[][], i: number) => requests[i]?.map(({ text }) => text).join("\n") ?? "";

describe("hybrid mode", () => {
  it("shows an agent's model the selected tools, and more on request, and reports that in the metadata", async () => {
    const replies = [
      "get_weather",
      call("get_weather", query),
      "I need more. <am:request_tools>stock</am:request_tools>",
      call("get_stock", query),
      "Done.",
    ];
    const inner = new ScriptedTextModel({ replies, usage: true });
    const model = withToolCalling(inner, { protocol: "hermes", toolSelection: true });
    const { messages } = await createAgent({ model, tools }).invoke(question);
    expect(messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.content)).toEqual([
      "get weather done",
      "get stock done",
    ]);
    expect(inner.requests).toHaveLength(5);
    expect(textOf(inner.requests, 1)).not.toContain("get_stock");
    expect(textOf(inner.requests, 4).startsWith(textOf(inner.requests, 3))).toBe(true);
    const [first, second] = messages.filter((message) => message.getType() === "ai") as AIMessage[];
    expect(first?.response_metadata.tool_selection).toEqual({ shown: ["get_weather"], added: [], of: 24 });
    expect(second?.response_metadata.tool_selection).toMatchObject({ added: expect.arrayContaining(["get_stock"]) });
    expect((first?.usage_metadata as { output_tokens: number } | undefined)?.output_tokens).toBe(
      replies[0]!.length + replies[1]!.length,
    );
  });

  it("streams no text of the selection or of requests", async () => {
    const replies = ["none", "Wait. <am:request_tools>weather</am:request_tools>", call("get_weather", query)];
    const model = withToolCalling(new ScriptedTextModel({ replies }), {
      protocol: "hermes",
      toolSelection: { limit: 2 },
    });
    let message: AIMessageChunk | undefined;
    for await (const chunk of await model.bindTools(tools).stream("Rain?")) {
      message = message ? concat(message, chunk) : chunk;
    }
    expect(message?.content).toBe("Wait.");
    expect(message?.tool_calls).toMatchObject([{ name: "get_weather" }]);
    expect(message?.response_metadata.tool_selection).toMatchObject({
      added: [expect.any(String), expect.any(String)],
    });
  });

  it("selects by the model's native tool calling if it has it; the calls go through the prompt", async () => {
    const inner = new NativeModel({
      turns: [
        { calls: [{ name: "select_tools", args: { names: ["get_weather", "fly"] } }] },
        { text: call("get_weather", query) },
      ],
    });
    const model = withToolCalling(inner, { protocol: "hermes", toolSelection: true, native: "auto" });
    const message = await model.bindTools(tools).invoke("Rain?");
    expect(message.tool_calls).toMatchObject([{ name: "get_weather" }]);
    expect(inner.bound).toEqual([[[undefined], { tool_choice: "select_tools" }]]);
    expect(inner.requests[0]?.[0]?.text).toContain("get_hotel: Will get a hotel.");
    expect(message.response_metadata.tool_selection).toMatchObject({ shown: ["get_weather"] });
  });

  it("selects by text if the model refuses tools, does not use them, or by option", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const refuse = { error: new Error("gemma does not support tools"), when: "tools" as const };
    const turns = [{ text: "get_weather" }, { text: call("get_weather", query) }];
    const bind = (inner: NativeModel, by?: "text") =>
      withToolCalling(inner, { protocol: "hermes", toolSelection: { by } }).bindTools(tools);
    for (const bound of [
      bind(new NativeModel({ turns, refuse })),
      bind(new NativeModel({ turns: [{ text: "Hm." }, ...turns] })),
      bind(new NativeModel({ turns }), "text"),
    ]) {
      expect((await bound.invoke("Rain?")).tool_calls).toMatchObject([{ name: "get_weather" }]);
    }
    warn.mockRestore();
  });

  it("uses the application's `select` first, and `by` if it returns nothing", async () => {
    const selectors = [async () => ({ names: ["get_mail"] }), async () => undefined];
    const shown = selectors.map(async (select) => {
      const inner = new NativeModel({
        turns: [{ calls: [{ name: "select_tools", args: { names: ["get_weather"] } }] }, { text: "Done." }],
      });
      const model = withToolCalling(inner, { protocol: "hermes", toolSelection: { select } });
      return (await model.bindTools(tools).invoke("Rain?")).response_metadata.tool_selection;
    });
    expect(await Promise.all(shown)).toMatchObject([{ shown: ["get_mail"] }, { shown: ["get_weather"] }]);
  });

  it("does nothing for few tools", async () => {
    const inner = new ScriptedTextModel({ replies: [call("get_weather", query)] });
    const model = withToolCalling(inner, { protocol: "hermes", toolSelection: true });
    const message = await model.bindTools(tools.slice(0, 5)).invoke("Rain?");
    expect(inner.requests).toHaveLength(1);
    expect(message.response_metadata.tool_selection).toBeUndefined();
  });
});
