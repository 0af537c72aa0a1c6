import { describe, expect, it } from "vitest";
import { call, eventsOf, scripted, turnOf } from "../../test/support/scripted-turn.js";
import { collectReply } from "../reply/index.js";
import type { FinishReason } from "../types.js";
import { InvalidToolCallError } from "./errors.js";

describe("an invalid call", () => {
  const bad = call({ a: 2 });

  it("is surfaced next to the valid ones", async () => {
    const result = await turnOf(scripted(`${bad}\n${call({ a: 1, b: 2 })}`).model).result();
    expect(result.invalidToolCalls).toMatchObject([{ name: "add", error: { code: "invalid-arguments" } }]);
    expect(result.toolCalls).toHaveLength(1);
    expect(result.attempts).toBe(1);
  });

  it("is sent back with the error under retry, and the calls wait for the valid reply", async () => {
    const { model, requests } = scripted(
      ["Adding.\n", bad, { usage: { inputTokens: 10, outputTokens: 5 } }],
      [call({ a: 2, b: 3 }), { usage: { inputTokens: 30, outputTokens: 6 } }],
    );
    const turn = turnOf(model, { onInvalidCall: "retry" });
    const events = await eventsOf(turn);
    expect(events.map((event) => event.type).filter((type) => type !== "call-delta")).toEqual([
      "text",
      "call-start",
      "call-end",
    ]);
    const result = await turn.result();
    expect(result).toMatchObject({
      text: "Adding.",
      attempts: 2,
      usage: { inputTokens: 40, outputTokens: 11 },
      toolCalls: [{ arguments: { a: 2, b: 3 } }],
    });
    const [first, second] = requests;
    expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages);
    const [reply, feedback] = second!.messages.slice(first!.messages.length);
    expect(reply).toEqual({ role: "assistant", content: `Adding.\n${bad}` });
    expect(feedback?.role).toBe("user");
    expect(feedback?.content).toContain("b");
    expect(result.request).toEqual(second!.messages);
  });

  it.each([
    ["the same words", "Adding.\n", "Adding.\n", "Adding."],
    ["the same words and more", "It is", "It is five, I think.\n", "It is five, I think."],
    ["part of the words", "Adding. Wait for it.\n", "Adding.\n", "Adding. Wait for it."],
    ["other words", "Adding.\n", "Again, then:\n", "Adding.\n\nAgain, then:"],
    ["words that begin alike", "Adding two.\n", "Adding 2 and 3:\n", "Adding two.\n\nAdding 2 and 3:"],
    ["no words", "Adding.\n", "", "Adding."],
  ])("does not repeat the model's text when it is retried with %s", async (_, first, second, text) => {
    for (const cut of [1, 3, 100]) {
      const pieces = (reply: string) => reply.match(new RegExp(`[\\s\\S]{1,${cut}}`, "g")) ?? [];
      const { model } = scripted(pieces(first + bad), pieces(second + call({ a: 2, b: 3 })));
      const turn = turnOf(model, { onInvalidCall: "retry" });
      const events = await eventsOf(turn);
      const result = await turn.result();
      expect(result).toMatchObject({ text, attempts: 2, toolCalls: [{ arguments: { a: 2, b: 3 } }] });
      expect(collectReply(events).text).toBe(text);
    }
  });

  it("is surfaced when every retry failed", async () => {
    const { model, requests } = scripted(bad, bad, bad, bad);
    const result = await turnOf(model, { onInvalidCall: "retry" }).result();
    expect(requests).toHaveLength(3);
    expect(result.invalidToolCalls).toHaveLength(1);
    expect(
      (await turnOf(scripted(bad).model, { onInvalidCall: "retry", maxInvalidCallRetries: 0 }).result()).attempts,
    ).toBe(1);
  });

  it("that the token limit cut off is not asked for again: it would be cut off again", async () => {
    const cut = call({ a: 2, b: 3 }).slice(0, 40);
    const whole = call({ a: 2, b: 3 });
    const attemptsOf = async (reply: string, finish: FinishReason | undefined, liveCalls = false) => {
      const { model } = scripted([reply, finish ? { finish } : {}], whole);
      return (await turnOf(model, { onInvalidCall: "retry", liveCalls }).result()).attempts;
    };
    for (const liveCalls of [true, false])
      expect([await attemptsOf(cut, "length", liveCalls), await attemptsOf(cut, "content-filter", liveCalls)]).toEqual([
        1, 1,
      ]);
    const { model } = scripted([cut, { finish: "length" }], whole);
    const result = await turnOf(model, { onInvalidCall: "retry" }).result();
    expect(result).toMatchObject({
      finish: "length",
      toolCalls: [],
      invalidToolCalls: [{ error: { code: "truncated" } }],
    });
    // Its own mistake is another matter, and so is a model that stops by itself.
    expect(await attemptsOf(`${bad}\n${cut}`, "length")).toBe(2);
    expect([await attemptsOf(cut, "stop"), await attemptsOf(cut, undefined)]).toEqual([2, 2]);
  });

  it("ends the turn under throw, and the model with it", async () => {
    const { model, closed } = scripted([bad, "more", "and more"]);
    const turn = turnOf(model, { onInvalidCall: "throw" });
    await expect(eventsOf(turn)).rejects.toBeInstanceOf(InvalidToolCallError);
    await expect(turn.result()).rejects.toMatchObject({ code: "invalid-arguments", call: { name: "add" } });
    expect(closed()).toBe(1);
  });

  it("streams a plain answer live under retry", async () => {
    const events = await eventsOf(turnOf(scripted(["It is ", "five."]).model, { onInvalidCall: "retry" }));
    expect(events.length).toBeGreaterThan(1);
  });
});
