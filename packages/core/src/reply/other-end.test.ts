import { describe, expect, test } from "vitest";
import { pieces } from "../../test/support/pieces.js";
import { hermes, read } from "../../test/support/read.js";
import { createReplyParser } from "../index.js";

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
    "The tag </thinking> is one.",
    "<thinking>a</thinking>\nis one.",
    "<thought>a\n</thought>\nis one.",
    "a</think\nb",
    "a</thinkers>\nb",
    "a</b>\nb",
  ])("does not end where the tag is a part of it: %s", (thought) =>
    expect(pieces(`<think>${thought}`, "hermes")).toEqual([["reasoning", thought]]),
  );

  test("is all of a reply that was cut off", () => {
    const parser = createReplyParser({ protocol: "hermes" });
    const events = [...parser.push(`<think>a</thinking>\n${call}`), ...parser.end({ finish: "length" })];
    expect(events).toEqual([
      { type: "reasoning", text: "a" },
      { type: "reasoning", text: `</thinking>\n${call}` },
    ]);
  });

  test("may begin in the prompt", () =>
    expect(read("Hm.</thinking>\nHi.", { prefill: "<think>\n" })).toMatchObject({ reasoning: "Hm.", text: "Hi." }));

  test("takes linear time", () => {
    const time = (text: string, size: number) => {
      const parser = createReplyParser({ protocol: "hermes" });
      const start = performance.now();
      for (let i = 0; i < text.length; i += size) parser.push(text.slice(i, i + size));
      parser.end();
      return performance.now() - start;
    };
    for (const piece of ["<think>a</thinking>\n", "a</thinking>\n", "<thinking>", "`</thinking>`", "</ ", "[", "```"])
      for (const size of [7, 1e9]) expect(time(`<think>${piece.repeat(4000)}`, size)).toBeLessThan(1000);
  });
});
