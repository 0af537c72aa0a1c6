import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const [first, second] = [1, 2].map((a) => ["f", { a }]);

describe("several calls between the markers of one", () => {
  test.each([
    ["gemma4", "<|tool_call>call:f{a:1}", "call:f{a:2}", "<tool_call|>"],
    ["functiongemma", "<start_function_call>call:f{a:1}", "call:f{a:2}", "<end_function_call>"],
  ] as const)("are as many calls in %s", (protocol, open, next, close) => {
    expect(readings(open + next + close, protocol)).toEqual([first, second]);
    expect(readings(`${open}\n${next}${close}`, protocol)).toEqual([first, second]);
    expect(readings(open + next, protocol)).toEqual([first, second]);
  });

  test.each(["call: me later", "call:g{a:2}", "call:", "Call me, f{a:2}"])("are one call before the text %s", (text) =>
    expect(readings(`<|tool_call>call:f{a:1}${text}`, "gemma4")).toEqual([first]),
  );
});

describe("a call of a block without its own first marker", () => {
  test.each([
    ["deepseek-v31", "<｜tool▁calls▁begin｜>", 'f<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜>', "<｜tool▁calls▁end｜>"],
    [
      "kimi-k2",
      "<|tool_calls_section_begin|>",
      'functions.f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>',
      "<|tool_calls_section_end|>",
    ],
    [
      "hunyuan-v3",
      "<tool_calls>",
      "f<tool_sep>\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
      "</tool_calls>",
    ],
  ] as const)("is read in %s", (protocol, open, call, close) => {
    expect(readings(open + call + close, protocol)).toEqual([first]);
    expect(readings(`${open}\n${call}\n${close}`, protocol)).toEqual([first]);
    expect(readings(open + call.replace(/\bf\b/, "g") + close, protocol)).not.toEqual([["g", { a: 1 }]]);
  });
});
