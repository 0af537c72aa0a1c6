import { describe, expect, it } from "vitest";
import { anthropic, gemini, openai, openaiFunctions, openaiResponses } from "./index.js";

/** Which result (`output`) answers which call (`x`), and how many losses report it. */
function pairs(contents: object[]) {
  const { value, losses } = gemini.fromRequest({ contents });
  const calls = value.messages.flatMap((one) => (one.role === "assistant" ? (one.toolCalls ?? []) : []));
  const found = value.messages.flatMap((one) =>
    one.role === "tool" ? [[one.content, calls.find(({ id }) => id === one.toolCallId)?.arguments.x]] : [],
  );
  return { pairs: found, losses: losses.length, ids: calls.map(({ id }) => id) };
}
const model = (...calls: object[]) => ({
  role: "model",
  parts: calls.map((one) => ({ functionCall: { name: "a", ...one } })),
});
const user = (...results: object[]) => ({
  role: "user",
  parts: results.map((one) => ({ functionResponse: { name: "a", ...one } })),
});
const x = (x: number) => ({ args: { x } });
const out = (output: string) => ({ response: { output } });

describe("Gemini's results", () => {
  it("without an id answer calls that have one", () => {
    expect(pairs([model({ id: "c1", ...x(1) }), user(out("1"))])).toEqual({
      pairs: [["1", 1]],
      losses: 0,
      ids: ["c1"],
    });
  });

  it("with an id answer calls without one, which get that id", () => {
    expect(pairs([model(x(1)), user({ id: "c1", ...out("1") })])).toEqual({
      pairs: [["1", 1]],
      losses: 0,
      ids: ["c1"],
    });
  });

  it("answer the calls of the model's last turn, not earlier unanswered ones", () => {
    const contents = [model(x(1)), { role: "user", parts: [{ text: "never mind" }] }, model(x(2)), user(out("2"))];
    expect(pairs(contents).pairs).toEqual([["2", 2]]);
  });

  it("answer the calls of a tool in order, whatever comes between them", () => {
    const contents = [model(x(1), { name: "b", ...x(9) }, x(2)), user(out("1"), out("2"), { name: "b", ...out("9") })];
    expect(pairs(contents)).toMatchObject({
      pairs: [
        ["1", 1],
        ["2", 2],
        ["9", 9],
      ],
      losses: 0,
    });
  });

  it("with an id leave the other calls of the tool open", () => {
    const contents = [model({ id: "c1", ...x(1) }, { id: "c2", ...x(2) }), user({ id: "c2", ...out("2") }, out("1"))];
    expect(pairs(contents).pairs).toEqual([
      ["2", 2],
      ["1", 1],
    ]);
  });

  it("are reported if no call is open", () => {
    expect(pairs([model(x(1)), user(out("1"), out("2"))])).toMatchObject({
      pairs: [
        ["1", 1],
        ["2", undefined],
      ],
      losses: 1,
    });
  });
});

describe("separate results", () => {
  const calls = [
    { id: "i1", name: "a" },
    { id: "i2", name: "a" },
  ];
  const ids = ({ value }: { value: { toolCallId: string }[] }) => value.map(({ toolCallId }) => toolCallId);

  it("answer Gemini's parallel calls of one tool in order", () => {
    const read = gemini.fromResults(user(out("1"), out("2"), out("3")).parts, { calls });
    expect(ids(read)).toEqual(["i1", "i2", "function_2"]);
    expect(read.losses.map(({ path }) => path)).toEqual(["/2/functionResponse/id"]);
  });

  it("answer deprecated functions of one name in order", () => {
    const given = ["1", "2", "3"].map((content) => ({ role: "function", name: "a", content }));
    const read = openaiFunctions.fromResults(given, { calls });
    expect(ids(read)).toEqual(["i1", "i2", "function_2"]);
    expect(read.losses.map(({ path }) => path)).toEqual(["/2"]);
  });

  it("do not change the given calls", () => {
    const mine = [{ id: "i1", name: "a" }];
    gemini.fromResults(user({ id: "other", ...out("1") }).parts, { calls: mine });
    expect(mine).toEqual([{ id: "i1", name: "a" }]);
  });
});

it("a deprecated function is answered once, and a second result is reported", () => {
  const messages = [
    { role: "assistant", content: null, function_call: { name: "a", arguments: "{}" } },
    { role: "function", name: "a", content: "1" },
    { role: "function", name: "a", content: "2" },
  ];
  const { value, losses } = openai.fromRequest({ messages });
  expect(value.messages.slice(1)).toMatchObject([{ toolCallId: "function_0" }, { toolCallId: "function_2" }]);
  expect(losses.map(({ path }) => path)).toEqual(["/messages/2"]);
});

it("texts that are empty or white space are not written for Anthropic, which refuses them", () => {
  const { value, losses } = anthropic.toRequest({
    messages: [
      { role: "system", content: "" },
      { role: "user", content: "Hi" },
      { role: "assistant", content: " \n", toolCalls: [{ id: "1", name: "a", arguments: {} }] },
      { role: "tool", toolCallId: "1", name: "a", content: "" },
      { role: "assistant", content: "" },
      { role: "tool", toolCallId: "1", name: "a", content: "", isError: true },
      { role: "user", content: " " },
    ],
  });
  expect(value).toEqual({
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "a", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1" },
          { type: "tool_result", tool_use_id: "1", content: "error", is_error: true },
        ],
      },
    ],
  });
  expect(losses.map(({ path }) => path)).toEqual([
    "/messages/0",
    "/messages/4",
    "/messages/6",
    "/messages/2/content",
    "/messages/5/content",
  ]);
});

describe("results with messages between them", () => {
  const call = (id: string) => ({ id, name: "a", arguments: {} });
  const asks = (...ids: string[]) => ({ role: "assistant" as const, content: "", toolCalls: ids.map(call) });
  const result = (toolCallId: string) => ({ role: "tool" as const, toolCallId, name: "a", content: toolCallId });
  const wait = { role: "user" as const, content: "wait" };
  const messages = [asks("1", "2"), result("1"), wait, result("2"), asks("3"), result("3")];

  it.each([anthropic, gemini])("are moved directly after their calls for $name, which is reported", (provider) => {
    const { value, losses } = provider.toRequest({ messages });
    const read = provider.fromRequest(value as never).value.messages;
    expect(read).toEqual([asks("1", "2"), result("1"), result("2"), wait, asks("3"), result("3")]);
    expect(losses).toMatchObject([{ path: "/messages/3", what: "order", instead: ["/messages/2"] }]);
  });

  it("follow their own calls, even after later calls and repeated ids", () => {
    const later = [asks("1"), asks("2"), result("2"), result("1"), asks("1"), result("1")];
    const { value, losses } = anthropic.toRequest({ messages: later });
    const read = anthropic.fromRequest(value as never).value.messages;
    expect(read).toEqual([asks("1"), result("1"), asks("2"), result("2"), asks("1"), result("1")]);
    expect(losses.map(({ path }) => path)).toEqual(["/messages/3"]);
  });

  it("keep their place if they answer no call", () => {
    const alone = [asks("1"), result("1"), wait, result("9")];
    const { value } = anthropic.toRequest({ messages: alone });
    expect(anthropic.fromRequest(value as never).value.messages).toMatchObject([{}, {}, wait, { toolCallId: "9" }]);
  });
});

it("results give their ids to calls without one, and generated ids are unique", () => {
  const call = (id?: string) => ({ type: "function", function: { name: "a", arguments: "{}" }, ...(id && { id }) });
  const messages = [
    { role: "assistant", content: null, tool_calls: [call("call_0_1"), call()] },
    { role: "tool", tool_call_id: "x", content: "2" },
    { role: "tool", tool_call_id: "call_0_1", content: "1" },
    { role: "tool", content: "3" },
  ];
  const { value, losses } = openai.fromRequest({ messages });
  expect(value.messages).toMatchObject([
    { toolCalls: [{ id: "call_0_1" }, { id: "x" }] },
    { toolCallId: "x", name: "a" },
    { toolCallId: "call_0_1", name: "a" },
    { toolCallId: "call_3", name: "tool" },
  ]);
  expect(losses.map(({ path }) => path)).toEqual(["/messages/0/tool_calls/1/id", "/messages/3/tool_call_id"]);
});

it.each([anthropic, gemini, openai, openaiFunctions, openaiResponses])(
  "many calls and results are paired in linear time for $name",
  { timeout: 20_000 },
  ({ toRequest, fromRequest }) => {
    const ids = Array.from({ length: 40_000 }, (_, i) => `c${i}`);
    const messages = [
      { role: "user" as const, content: "Go." },
      { role: "assistant" as const, content: "", toolCalls: ids.map((id) => ({ id, name: "a", arguments: {} })) },
      ...ids.map((toolCallId) => ({ role: "tool" as const, toolCallId, name: "a", content: "done" })).reverse(),
    ];
    const { value } = fromRequest(JSON.parse(JSON.stringify(toRequest({ messages }).value)));
    expect(value.messages.filter(({ role }) => role === "tool").length).toBeGreaterThan(0);
  },
);
