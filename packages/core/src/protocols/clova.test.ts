import { describe, expect, test } from "vitest";
import { pieces } from "../../test/support/pieces.js";
import { parseReply } from "../index.js";

const tools = [{ name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } }];
const calls = '[{"name": "get_weather", "arguments": {"city": "Oslo"}}]';

// The prompt may end with the role, or a server may drop the token before it.
describe.each(["", "assistant"])("after %j", (role) => {
  test.each([calls, calls.slice(1, -1)])(
    "a call without its first token is read where the reply begins: %s",
    (written) => {
      const reply = `${role} -> tool/function_call\n${written}<|im_end|><|stop|>`;
      const { text, toolCalls } = parseReply(reply, { protocol: "clova", tools });
      expect({ text, toolCalls }).toMatchObject({ text: "", toolCalls: [{ arguments: { city: "Oslo" } }] });
    },
  );
});

test("thoughts before the answer are reasoning, in this format only", () => {
  const reply = "/think\nIs it cold?<|im_end|>\n<|im_start|>assistant\nIt is cold.<|im_end|><|endofturn|>";
  expect(pieces(reply, "clova").filter(([kind]) => kind !== "dropped")).toEqual([
    ["reasoning", "Is it cold?"],
    ["text", "It is cold."],
  ]);
  expect(pieces("Write\n/think\nbefore it.", "hermes")).toEqual([["text", "Write\n/think\nbefore it."]]);
});

test.each(["Switch it on with /think\nand ask again.", "cat /usr/think\nis the command."])(
  "a word of an answer that looks like the beginning of thoughts is text: %j",
  (reply) => expect(pieces(reply, "clova")).toEqual([["text", reply]]),
);

test("the tokens after an answer are no text", () =>
  expect(parseReply("\nIt is cold.<|im_end|><|endofturn|>", { protocol: "clova" }).text.trim()).toBe("It is cold."));
