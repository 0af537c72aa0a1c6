import { describe, expect, test } from "vitest";
import { readings } from "../../test/support/readings.js";
import { parseReply } from "../index.js";
import type { ProtocolName } from "../protocols/index.js";
import { turnEndTokens } from "../syntax/turn-tokens.js";

// A server that does not know the token which ends the model's turn leaves it at the end of the reply.

const call = '<tool_call>{"name": "read_meter", "arguments": {"room": "hall"}}</tool_call>';

describe("a reply reads the same with a token at its end, whatever is open there", () => {
  test.each<[string, ProtocolName, string]>([
    ["reasoning", "hermes", `<think>I need it.\n${call}`],
    [
      "reasoning, in XML",
      "qwen3-coder",
      "<think>Hm\n<function=read_meter>\n<parameter=room>\nhall\n</parameter>\n</function>",
    ],
    ["a line", "react", "Action: read_meter[hall]"],
    ["a name", "at-command", "@read_meter"],
    ["a label", "react", 'Action: read_meter\nAction Input: {"room": "hall"'],
    ["an object", "hermes", call.replace("}}", "}").replace("</tool_call>", "")],
    ["an object without a marker", "llama3-json", '{"name": "read_meter", "parameters": {"room": "hall"}'],
    ["a call", "qwen3-coder", "<tool_call>\n<function=read_meter>\n<parameter=room>\nhall\n</parameter>"],
    [
      "an invocation",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="read_meter">\n<parameter name="room">hall</parameter>',
    ],
    ["a value", "glm45", "<tool_call>read_meter\n<arg_key>room</arg_key>\n<arg_value>hall"],
    ["an opener for a closer", "hermes", call.replace("</", "<")],
    ["a statement", "pythonic", 'read_meter(room="hall"'],
  ])("%s", (_, protocol, reply) => {
    const bare = readings(reply, protocol);
    expect(bare).not.toEqual([]);
    for (const token of turnEndTokens)
      for (const end of [token, `\n${token}\n`, `${token}</s> `]) expect(readings(reply + end, protocol)).toEqual(bare);
  });
});

describe("the token", () => {
  test.each([
    ["Hi", "<|im_end|>", "Hi"],
    ["Hi \n", "<|im_end|>\n", "Hi"],
    ["A <b>word</b>", "<|eot_id|>", "A <b>word</b>"],
    ["> quote", " </s>", "> quote"],
    ["or ```\nx\n```", `</s>${" ".repeat(61)}`, "or ```\nx\n```"],
  ])("is dropped: %j%s", (reply, token, text) => {
    expect(parseReply(reply + token, { protocol: "hermes" })).toMatchObject({ text, toolCalls: [] });
  });

  test.each(["```html\n<s>old</s>", "Write `<|im_end|>` there.", "<|im_end|> ends it.", "The token <|im_e"])(
    "is text in code, before text, and in part: %j",
    (reply) => expect(parseReply(reply, { protocol: "hermes" }).text).toBe(reply),
  );
});
