import { describe, expect, test } from "vitest";
import { pieces } from "../../test/support/pieces.js";
import { hermes, read, tools } from "../../test/support/read.js";
import { collectReply, createReplyParser } from "../index.js";

const call = hermes('{"name": "now"}');

describe("reasoning that another closing tag ends", () => {
  test.each([
    ["<think>", "</thinking>"],
    ["<thinking>", "</think>"],
    ["<think>", "</thought>"],
    ["<reflection>", "</reasoning>"],
    ["[THINK]", "</think>"],
    ["[THINK]", "[/think]"],
    ["<think>", "[/THINK]"],
    ["<think>", "</ think>"],
    ["<think>", "< / Think >"],
    ["<think>", "<\\think>"],
    ["<think>", "<|/think|>"],
    ["<think>", "</seed:think>"],
    ["<think>", "<|end_of_thought|>"],
    ["<|begin_of_thought|>", "</think>"],
    ["◁think▷", "</think>"],
  ])("ends there if its own never comes: %s…%s", (open, close) => {
    const kept = (reply: string) => pieces(reply, "mistral").filter(([kind]) => kind !== "dropped");
    const hm = ["reasoning", "Hm."];
    expect(kept(`${open}Hm.${close}\n\nHi.`)).toEqual([hm, ["text", "Hi."]]);
    expect(kept(`${open}Hm.${close}Hi.`)).toEqual([hm, ["text", "Hi."]]);
    expect(kept(`${open}Hm.${close}`)).toEqual([hm]);
    expect(kept(`${open}Hm.${close}\n${call}\nI'll wait.`)).toEqual([hm, ["call", "now"], ["text", "I'll wait."]]);
  });

  test.each([
    ["its own follows", `Hm.</thinking>\n${call} and more</think>`, "Yes."],
    ["its own follows in the answer", `Hm.</thinking>\nThe tag </think>`, "is it."],
    ["a tag within the reasoning is closed", `<thought>a</thought>\n${call}</think>`, "Yes."],
  ])("does not end before its own closing tag: %s", (_, thought, answer) =>
    expect(read(`<think>${thought}${answer}`)).toMatchObject({
      reasoning: thought.replace(/<\/think>$/, ""),
      text: answer,
      toolCalls: [],
    }),
  );

  test.each([
    "The tag `</thinking>`\nis one.",
    'The tag "</thinking>"\nis one.',
    "> quoted </thinking>\nis one.",
    "```\n</thinking>\n```\nis one.",
    "```html\n<b>a</b>\n</thinking>\n```\nis one.",
    "The tag </thinking> is one.",
    "<thinking>a</thinking>\nis one.",
    "<thought>a\n</thought>\nis one.",
    "a</think\nb",
    "a</thinkers>\nb",
    "a</b>\nb",
  ])("does not end where the tag is a part of it: %s", (thought) =>
    expect(pieces(`<think>${thought}`, "hermes")).toEqual([["reasoning", thought]]),
  );

  test.each([
    ["hermes", "<think>", "</thinking>", hermes('{"name": "write_file", "arguments": {"content": "a </think>\\nb"}}')],
    [
      "hermes",
      "<think>",
      "</thought>",
      `${hermes('{"name": "get_weather", "arguments": {"city": "</think>"}}')}\n${call}`,
    ],
    [
      "glm45",
      "<think>",
      "</thinking>",
      "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value></think></arg_value>",
    ],
    ["functionary", "<think>", "</thinking>", '<function=get_weather>{"city": "</think>"}</function>'],
    ["lfm2", "<think>", "</thinking>", '<|tool_call_start|>[get_weather(city="</think>")]<|tool_call_end|>'],
    ["mistral", "[THINK]", "</think>", '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "[/THINK]"}}]'],
  ] as const)("does not end in a call at the end of the reply, in %s: %s…%s", (protocol, open, close, calls) =>
    expect(new Set(pieces(`${open}Hm.${close}\n${calls}`, protocol).map(([kind]) => kind))).toEqual(
      new Set(["reasoning", "call"]),
    ),
  );

  describe("of a reply that was cut off", () => {
    const cutOff = (rest: string) =>
      [[rest], [...rest]].map((chunks) => {
        const parser = createReplyParser({ protocol: "hermes", tools });
        const read = ["<think>a</thinking>", ...chunks].flatMap((chunk) => parser.push(chunk));
        return collectReply([...read, ...parser.end({ finish: "length" })]);
      });

    test("goes on to the end without a call", () => {
      for (const reply of cutOff("\nHi. I"))
        expect(reply).toMatchObject({ reasoning: "a</thinking>\nHi. I", text: "", toolCalls: [] });
    });

    test("ends before a call at the end, also one that is cut off", () => {
      for (const reply of cutOff(`\n${call}`)) expect(reply).toMatchObject({ toolCalls: [{ name: "now" }] });
      for (const reply of cutOff('\n<tool_call>\n{"name": "get_weather", "arguments": {"ci'))
        expect(reply).toMatchObject({ invalidToolCalls: [{ error: { code: "truncated" } }] });
    });
  });

  test("may begin in the prompt", () =>
    expect(read("Hm.</thinking>\nHi.", { prefill: "<think>\n" })).toMatchObject({ reasoning: "Hm.", text: "Hi." }));

  test.each(["<think>a</thinking>\n", "a</thinking>\n", "<thinking>", "`</thinking>`", "</ ", "[", "```"])(
    "is found in linear time after many of %j",
    { timeout: 5000 },
    (piece) => {
      const reply = `<think>${piece.repeat(20_000)}`;
      const [whole, inPieces] = [reply.length, 7].map((size) => {
        const parser = createReplyParser({ protocol: "hermes" });
        const events = [];
        for (let i = 0; i < reply.length; i += size) events.push(...parser.push(reply.slice(i, i + size)));
        return collectReply([...events, ...parser.end()]);
      });
      expect(inPieces).toEqual(whole);
      expect(whole?.reasoning).not.toBe("");
    },
  );
});
