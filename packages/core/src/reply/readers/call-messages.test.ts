import { describe, expect, test } from "vitest";
import { argumentsOf, hermes, read, tools } from "../../../test/support/read.js";
import { createReplyParser, type ProtocolName } from "../../index.js";
import { collectReply } from "../parse-reply.js";

describe("a whole message", () => {
  const call = { id: "c1", type: "function", function: { name: "get_weather", arguments: '{"city": "Oulu"}' } };
  const text = { type: "text", text: "I look it up." };

  test.each([
    ["OpenAI's", { role: "assistant", content: null, tool_calls: [call] }],
    ["OpenAI's, with a text", { role: "assistant", content: "I look it up.", tool_calls: [call] }],
  ])("%s", (_, message) => {
    for (const protocol of ["auto", "llama3-json"] as const)
      expect(argumentsOf(JSON.stringify(message), { protocol })).toEqual([{ city: "Oulu" }]);
    expect(argumentsOf(hermes(JSON.stringify(message)))).toEqual([{ city: "Oulu" }]);
  });

  test.each([
    [[text]],
    [{ role: "assistant", content: "Hello." }],
    [{ role: "user", content: "Hello.", tool_calls: [call] }],
    [{ role: "assistant", content: "Hello.", tool_calls: [] }],
  ])("without a call of the model is text: %j", (message) => {
    const reply = JSON.stringify(message);
    for (const protocol of ["auto", "hermes", "llama3-json", "json-list"] as const)
      expect(read(reply, { protocol })).toMatchObject({ text: reply, toolCalls: [], invalidToolCalls: [] });
  });
});

describe("a list of calls after the text of an answer, without a marker", () => {
  const list = (key: string) => `"${key}": [{"name": "get_weather", "arguments": {"city": "Oulu"}}]`;
  const own: [ProtocolName, string][] = [
    ["llama3-json", "tool_calls"],
    ["json-list", "actions"],
    ["llama3-json", "toolCalls"],
  ];
  const shown = (reply: string, protocol: ProtocolName) => {
    const [whole, single] = [[reply], [...reply]].map((chunks) => {
      const parser = createReplyParser({ protocol, tools });
      const found = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
      return {
        calls: found.toolCalls.map((call) => call.arguments),
        invalid: found.invalidToolCalls,
        text: found.text,
      };
    });
    expect(single?.calls).toEqual(whole?.calls);
    expect(single?.text).toEqual(whole?.text);
    return whole;
  };

  test.each(["content", "message", "response", "text", "answer"])("is read after %s in formats without one", (key) => {
    for (const [protocol, calls] of own)
      for (const said of ["I look.", 'It\'s "ok", I look: {}', "", null])
        expect(shown(`{"${key}": ${JSON.stringify(said)}, ${list(calls)}}`, protocol)).toMatchObject({
          calls: [{ city: "Oulu" }],
          invalid: [],
          text: said ?? "",
        });
    const reply = `{"${key}": "I look.", ${list("tool_calls")}}`;
    expect(shown(reply, "hermes")).toEqual({ calls: [], invalid: [], text: reply });
  });

  test("is separated from the text after it", () => {
    const reply = `{${list("tool_calls")}, "content": "I look."}`;
    expect(shown(`${reply}\n\nOne moment.`, "llama3-json")?.text).toBe("I look.\n\nOne moment.");
    expect(shown(`${reply}\n`, "llama3-json")?.text.trimEnd()).toBe("I look.");
  });

  test.each([
    '{"content": "I look.", "name": "get_weather", "arguments": {"city": "Oulu"}}',
    '{"response": {"name": "get_weather", "arguments": {"city": "Oulu"}}}',
    '{"message": "No.", "tool_calls": []}',
    '{"message": "No.", "tool_calls": [{"name": "send", "arguments": {"city": "Oulu"}}]}',
    '{"command": "get_weather", "arguments": {"city": "Oulu"}}',
    '{"actions": ["get_weather", "now"]}',
    '{"actions": [{"name": "jump", "arguments": {}}]}',
    `{"note": "I look.", ${list("tool_calls")}}`,
  ])("but is text in another place, or with another key: %s", (reply) => {
    for (const protocol of ["llama3-json", "json-list", "hermes"] as const)
      expect(shown(reply, protocol)?.calls).toEqual([]);
    expect(shown(reply, "llama3-json")?.text).toBe(reply);
  });

  test("a list of actions is one of calls in every format", () => {
    for (const before of ["", '"thought": "I look.", '])
      for (const protocol of ["llama3-json", "json-list", "hermes", "xml"] as const)
        expect(shown(`{${before}${list("actions")}}`, protocol)).toMatchObject({ calls: [{ city: "Oulu" }], text: "" });
  });
});
