import { describe, expect, test } from "vitest";
import { callOf, conversationOf, text, toolOf } from "../../test/support/scripted-conversation.js";
import { type Decision, fold, ToolConversation } from "./index.js";

const mail = (needsApproval = true) => toolOf("mail", { to: text }, () => "Sent.", { needsApproval });

/** A conversation with a call that waits for a decision. */
async function waiting() {
  const made = conversationOf([{ calls: [callOf("mail", { to: "Ada" })] }, "Done.", "Bye."], { tools: [mail()] });
  const { pending } = await made.conversation.run("Write to Ada.").result();
  return { ...made, id: pending[0]!.call.id };
}

describe("a message without text is refused, and nothing is stored", () => {
  test.each([5, null, { content: "Hi" }, ["Hi"], "", " \n"] as unknown[])("%o", async (content) => {
    const { conversation } = conversationOf(["Hello."]);
    const bad = { name: "ConversationError", code: "bad-message" };
    await expect(conversation.run(content as string).result()).rejects.toMatchObject(bad);
    await expect(conversation.send(content as string)).rejects.toMatchObject(bad);
    expect(conversation.log).toHaveLength(1);
    expect((await conversation.run("Hi").result()).text).toBe("Hello.");
  });
});

describe("an invalid decision is refused, and the call still waits", () => {
  test.each([
    [{ type: "aprove" }, /not "aprove"\. Did you mean "approve"\?/],
    ["approve", /an object such as .*, not "approve"/],
    [null, /not null/],
    [{}, /not undefined/],
    [{ type: "respond" }, /`content` .* must be a string, not undefined/],
    [{ type: "respond", content: { ok: true } }, /`content` .* must be a string, not an object/],
    [{ type: "reject", message: 5 }, /`message` .* must be a string, not 5/],
    [{ type: "reject", mesage: "No." }, /no "mesage".* Did you mean "message"\?/],
    [{ type: "edit" }, /`arguments` .* must be an object, not undefined/],
    [{ type: "edit", arguments: ["Ada"] }, /`arguments` .* must be an object, not a list/],
  ])("%o", async (decision, message) => {
    const { conversation, id } = await waiting();
    const { length } = conversation.log;
    await expect(conversation.decide(id, decision as Decision)).rejects.toMatchObject({
      name: "DecisionError",
      code: "bad-decision",
      callId: id,
      message: expect.stringMatching(message),
    });
    expect(conversation.log).toHaveLength(length);
    await conversation.decide(id, { type: "approve" });
    expect((await conversation.run().result()).text).toBe("Done.");
  });
});

describe("results that are not text are refused, and the call still waits", () => {
  test.each([
    [
      (id: string) => [{ toolCallId: id, content: { sent: true } }],
      /results\[0\]\.content must be a string, not an object/,
    ],
    [(id: string) => [{ toolCallId: id }], /results\[0\]\.content must be a string, not undefined/],
    [(id: string) => [{ toolCallId: id, content: "", isError: "no" }], /results\[0\]\.isError must be true or false/],
    [
      (id: string) => [{ callId: id, content: "" }],
      /results\[0\]\.toolCallId must be a string, the id of the call, not/,
    ],
    [() => [null], /results\[0\] must be/],
    [() => "Sent.", /a list/],
  ])("%o", async (results, message) => {
    const { conversation, id } = await waiting();
    const bad = { code: "bad-message", message: expect.stringMatching(message) };
    await expect(conversation.submitToolResults(results(id) as never)).rejects.toMatchObject(bad);
    const turn = await conversation.submitToolResults([{ toolCallId: id, name: "mail", content: "Sent." }]);
    expect(turn.text).toBe("Done.");
  });
});

test("a log with an unknown decision is refused", async () => {
  const { conversation, id } = await waiting();
  const open = fold(conversation.log).calls.get(id)!;
  const bad = { at: 0, type: "decision", callId: id, argumentsHash: open.argumentsHash, decision: { type: "aprove" } };
  const { model } = conversationOf([]);
  const state = { version: 1, log: [...conversation.log, bad] } as never;
  expect(() => ToolConversation.fromJSON(state, { model })).toThrow(expect.objectContaining({ code: "bad-log" }));
});

describe("a malformed record of a log is refused as `bad-log`", () => {
  const bad = (record: object) => ({ at: 0, ...record });
  const call = { id: "c", name: "mail", arguments: {} };
  test.each([
    null,
    5,
    bad({ type: "user", content: 5 }),
    bad({ type: "user" }),
    bad({ type: "reply", text: "" }),
    bad({ type: "reply", text: "", calls: [{}] }),
    bad({ type: "reply", text: "", calls: [{ ...call, arguments: null }] }),
    bad({ type: "reply", text: "", calls: [], invalid: [{}] }),
    bad({ type: "reply", text: "", calls: [], usage: null }),
    bad({ type: "tools" }),
    bad({ type: "decision" }),
    bad({ type: "call-settled", callId: "c" }),
    bad({ type: "call-settled", callId: "c", result: { content: 5 } }),
    bad({ type: "compacted" }),
    bad({ type: "end" }),
    bad({ type: "wat" }),
  ])("%o", async (record) => {
    const { conversation, model } = conversationOf([]);
    const log = [...conversation.log, record] as never[];
    const refused = expect.objectContaining({ name: "ConversationLogError", code: "bad-log" });
    expect(() => ToolConversation.fromJSON({ version: 1, log }, { model })).toThrow(refused);
    expect(() => fold(log)).toThrow(refused);
    const store = { append: async () => {}, read: async () => log };
    await expect(ToolConversation.resume({ store, model })).rejects.toEqual(refused);
  });

  test.each([null, undefined, "[]", { log: [] }])("also %o instead of all records", async (read) => {
    const { model } = conversationOf([]);
    const store = { append: async () => {}, read: async () => read as never };
    await expect(ToolConversation.resume({ store, model })).rejects.toMatchObject({
      code: "bad-log",
      message: expect.stringContaining(
        "`read` of the store must return a list of records, empty for a new conversation",
      ),
    });
  });

  test("also as the first record", () => {
    const { model } = conversationOf([]);
    for (const first of [
      null,
      bad({ type: "begin" }),
      bad({ type: "begin", version: 1, id: "x", messages: [5], tools: {} }),
    ])
      expect(() => ToolConversation.fromJSON({ version: 1, log: [first] as never }, { model })).toThrow(
        expect.objectContaining({ code: "bad-log" }),
      );
  });
});

test("several pending reads get one event each, in order", async () => {
  const { conversation } = conversationOf(["Hello."]);
  const iterator = conversation.run("Hi")[Symbol.asyncIterator]();
  const all = await Promise.all(Array.from({ length: 12 }, () => iterator.next()));
  const types = all.flatMap(({ done, value }) => (done ? [] : [value.type]));
  expect(types.slice(0, 1)).toEqual(["text"]);
  expect(types.slice(-2)).toEqual(["turn-end", "end"]);
  expect(all.at(-1)?.done).toBe(true);
});

test("send() reports invalid direct triggers next to valid ones", async () => {
  const { conversation } = conversationOf([], { tools: [mail(false)], triggers: "direct" });
  const turn = await conversation.send('[#mail: to="Ada"] [#mail: from="Bob"]', { trusted: true });
  expect(turn.toolCalls).toMatchObject([{ name: "mail" }]);
  expect(turn.invalidToolCalls).toMatchObject([{ name: "mail" }]);
});

test("a run that ends at the limit of one tool reports that", async () => {
  const again = { calls: [callOf("mail", { to: "Ada" })] };
  const { conversation } = conversationOf([again, again, "Done."], {
    tools: [mail(false)],
    budget: { callsPerTool: { mail: 1 } },
  });
  const { stopReason, budget } = await conversation.run("Go.").result();
  expect({ stopReason, budget }).toEqual({ stopReason: "budget", budget: { limit: "callsPerTool" } });
});
