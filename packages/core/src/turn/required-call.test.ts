import { describe, expect, it } from "vitest";
import { add, call, eventsOf, scripted, turnOf } from "../../test/support/scripted-turn.js";
import { type ProtocolName, protocols } from "../protocols/index.js";
import { collectReply } from "../reply/index.js";
import type { TextModel } from "../types.js";
import { ToolChoiceError } from "./errors.js";

describe("a required call", () => {
  it("is opened by the prefill, which the model does not repeat", async () => {
    const { model, requests } = scripted(' {"a": 2, "b": 3}}\n</tool_call>');
    const result = await turnOf(model, { toolChoice: { name: "add" } }).result();
    expect(requests[0]?.prefill).toBe('<tool_call>\n{"name": "add", "arguments":');
    expect(result.toolCalls).toMatchObject([{ name: "add", arguments: { a: 2, b: 3 } }]);
    expect(result.attempts).toBe(1);
  });

  it.each(Object.keys(protocols) as ProtocolName[])(
    "is read whether or not the model follows the prefill, in %s",
    async (protocol) => {
      const whole = protocols[protocol].renderCalls([{ name: "add", arguments: { a: 2, b: 3 } }], { tools: [add] });
      for (const toolChoice of ["required", { name: "add" }] as const) {
        const heeds: TextModel = async function* ({ prefill = "" }) {
          yield* whole.slice(prefill.length);
        };
        const repeats: TextModel = async function* () {
          yield* `\n${whole}`;
        };
        const talks: TextModel = async function* () {
          yield* `Sure, I will add these:\n${whole}`;
        };
        const marked = protocols[protocol].syntax.at !== "reply";
        for (const model of marked ? [heeds, repeats, talks] : [heeds, repeats]) {
          const result = await turnOf(model, { protocol, toolChoice }).result();
          expect(result.toolCalls).toMatchObject([{ name: "add", arguments: { a: 2, b: 3 } }]);
          expect(result.invalidToolCalls).toEqual([]);
          expect(result.attempts).toBe(1);
        }
      }
    },
  );

  it.each(Object.keys(protocols) as ProtocolName[])(
    "is not made of a call of another tool that takes the same arguments, in %s",
    async (protocol) => {
      const tools = ["add", "say"].map((name) => ({ name, parameters: { properties: { a: { type: "string" } } } }));
      const reply = protocols[protocol].renderCalls([{ name: "say", arguments: { a: "x" } }], { tools });
      const { model } = scripted(reply, reply);
      const options = {
        tools,
        protocol,
        toolChoice: { name: "add" },
        onMissingCall: "surface",
        prefill: false,
      } as const;
      const { toolCalls } = await turnOf(model, options).result();
      expect(toolCalls).toEqual([]);
    },
  );

  it("streams once it begins", async () => {
    let writing = true;
    const model: TextModel = async function* () {
      yield "Well.";
      yield '<tool_call>\n{"name": "say", "arguments": {"text": "a long enough text that some of it can be sent at once, and more than that';
      yield " and the end.";
      writing = false;
      yield '"}}\n</tool_call>';
    };
    const turn = turnOf(model, { toolChoice: "required", prefill: false });
    const seen: [string, boolean][] = [];
    for await (const event of turn) seen.push([event.type, writing]);
    expect(seen).toContainEqual(["call-delta", true]);
    expect(seen[0]).toEqual(["text", true]);
  });

  it("is requested once more if it is missing, and the other text is not sent", async () => {
    const { model, requests } = scripted("It is five.", call({ a: 2, b: 3 }));
    const turn = turnOf(model, { toolChoice: "required" });
    const events = await eventsOf(turn);
    expect(events.some((event) => event.type === "text")).toBe(false);
    expect((await turn.result()).attempts).toBe(2);
    expect(requests[1]?.messages.slice(-2)).toEqual([
      { role: "assistant", content: "It is five." },
      { role: "user", content: "Answer this with a tool call." },
    ]);
  });

  it("is not satisfied by another tool's call", async () => {
    const { model } = scripted(call({ text: "hm" }, "say"), call({ a: 2, b: 3 }));
    const result = await turnOf(model, { toolChoice: { name: "add" } }).result();
    expect(result.toolCalls.map((one) => one.name)).toEqual(["add"]);
    expect(result.attempts).toBe(2);
  });

  it("that names a tool, and gets only other tools' calls, leaves these as the text of the answer under surface", async () => {
    const broken = '<tool_call>\n{"name": "say", "arguments": {"text": "a", "text": "b"}}\n</tool_call>';
    const said: [string, string][] = [
      [call({ text: "hm" }, "say"), call({ text: "hm" }, "say")],
      [`Well.\n${call({ text: "hm" }, "say")}\nSo.`, `Well.\n${call({ text: "hm" }, "say")}\nSo.`],
      [`${call({ text: "hm" }, "say")}\nSo.`, `${call({ text: "hm" }, "say")}\nSo.`],
      [call({}, "sing"), call({}, "sing")],
      [broken, broken],
    ];
    for (const [reply, text] of said) {
      for (const onInvalidCall of ["surface", "retry", "throw"] as const) {
        const { model } = scripted(reply, reply, reply);
        const options = {
          ...{ toolChoice: { name: "add" }, parallel: true },
          ...({ onInvalidCall, onMissingCall: "surface" } as const),
        };
        const turn = turnOf(model, options);
        const events = await eventsOf(turn);
        expect(collectReply(events)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
        expect((await turn.result()).attempts).toBe(onInvalidCall === "retry" ? 3 : 2);
        await expect(turnOf(scripted(reply).model, { ...options, onMissingCall: "throw" }).result()).rejects.toThrow(
          'The model was required to call the tool "add" but did not',
        );
      }
    }
  });

  it("drops other tools' calls, valid or not, if one is named and several may come", async () => {
    const { model, requests } = scripted(
      [call({ text: "hm" }, "say"), call({ a: 2, b: 3 }), call({}, "say"), call({ a: 1, b: 1 })].join("\n"),
    );
    for (const onInvalidCall of ["surface", "retry", "throw"] as const) {
      const turn = turnOf(model, { toolChoice: { name: "add" }, parallel: true, onInvalidCall });
      requests.length = 0;
      const events = await eventsOf(turn);
      expect(events.flatMap((event) => (event.type === "call-start" ? event.index : []))).toEqual([0, 1]);
      expect(collectReply(events).toolCalls.map((one) => one.arguments)).toEqual([
        { a: 2, b: 3 },
        { a: 1, b: 1 },
      ]);
      expect(await turn.result()).toMatchObject({ attempts: 1, invalidToolCalls: [] });
    }
  });

  it("fails the turn if it is never made", async () => {
    const { model, requests } = scripted("Five.", "");
    const failure = turnOf(model, { toolChoice: "required" }).result();
    await expect(failure).rejects.toBeInstanceOf(ToolChoiceError);
    await expect(failure).rejects.toMatchObject({ code: "tool-choice-unmet", raw: "" });
    expect(requests).toHaveLength(2);
  });

  it("is requested again after an empty reply without sending an empty message", async () => {
    const { model, requests } = scripted("", call({ a: 2, b: 3 }));
    await turnOf(model, { toolChoice: "required", prefill: false }).result();
    expect(requests[1]?.messages.map((message) => message.role)).toEqual(["system", "user"]);
  });

  it("is constrained by a grammar if the model accepts one", async () => {
    const { model, requests } = scripted(call({ a: 2, b: 3 }));
    await turnOf(model, { toolChoice: "required", constraint: "required" }).result();
    expect(requests[0]?.constraint?.type).toBe("gbnf");
    expect(requests[0]?.prefill).toBeUndefined();
  });
});
