import { describe, expect, test } from "vitest";
import { pieces } from "../../test/support/pieces.js";
import { parseReply, renderPrompt } from "../index.js";

describe("functionary, whose prompt ends with the first mark,", () => {
  test("drops the recipient of an answer", () => {
    expect(pieces("all\nIt is warm.", "functionary")).toEqual([
      ["dropped", "all\n"],
      ["text", "It is warm."],
    ]);
    expect(pieces("all\nI look.\n>>>now\n{}", "functionary").at(-1)).toEqual(["call", "now"]);
  });

  test.each(["That is all\n", "That is\nall\nof it", "Call\nme", "all"])("keeps the word elsewhere: %j", (reply) =>
    expect(pieces(reply, "functionary")).toEqual([["text", reply]]),
  );

  test("reads the name of a tool there, and no other word before an object", () => {
    expect(pieces('get_weather\n{"city": "Oslo"}', "functionary")).toEqual([["call", "get_weather"]]);
    const reply = 'Answer\n{"city": "Oslo"}';
    expect(parseReply(reply, { protocol: "functionary" })).toMatchObject({ text: reply, toolCalls: [] });
  });

  test("the word in a message is not escaped", () => {
    const messages = [{ role: "user" as const, content: "List all\nfiles." }];
    const prompt = renderPrompt({ messages, tools: [{ name: "now" }], protocol: "functionary" });
    expect(prompt.messages.at(-1)?.content).toContain("List all\nfiles.");
  });
});
