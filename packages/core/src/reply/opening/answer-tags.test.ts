import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { tools } from "../../../test/support/read.js";
import { createReplyParser, type ProtocolName } from "../../index.js";

const json = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const call = `<tool_call>${json}</tool_call>`;
const list = `<tool_calls>[${json}]</tool_calls>`;
const mistral = '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}';

/** The parts of a reply that are not dropped. */
const shown = (reply: string, protocol: ProtocolName | "auto") =>
  pieces(reply, protocol).filter(([kind]) => kind !== "dropped");

describe("the tags of an answer", () => {
  test.each<[ProtocolName, string, string]>([
    ["ernie", "response", call],
    ["hunyuan-a13b", "answer", list],
  ])("are dropped before, after and around a call: %s", (protocol, name, written) => {
    for (const space of ["\n", ""]) {
      const answer = `<${name}>${space}It is warm.${space}</${name}>`;
      const text = ["text", "It is warm."];
      const weather = ["call", "get_weather"];
      expect(shown(answer, protocol)).toEqual([text]);
      expect(shown(`${answer}\n${written}`, protocol)).toEqual([text, weather]);
      expect(shown(`${answer}${written}`, protocol)).toEqual([text, weather]);
      expect(shown(`${written}\n${answer}`, protocol)).toEqual([weather, text]);
      expect(shown(`<${name}>${space}${written}${space}</${name}>\nIt is warm.`, protocol)).toEqual([weather, text]);
      expect(shown(`Let me see.\n<${name}>${space}${written}`, protocol)).toEqual([["text", "Let me see."], weather]);
    }
    expect(shown(`Yes.\n<${name}>\nIt is warm.\n</${name}>`, protocol)).toEqual([
      ["text", "Yes."],
      ["text", "\nIt is warm."],
    ]);
  });

  test("are dropped after reasoning in granite, whose models write them", () =>
    expect(pieces("<think>Hot?</think><response>It is warm.</response>", "granite")).toEqual([
      ["reasoning", "Hot?"],
      ["dropped", "<response>"],
      ["text", "It is warm."],
      ["dropped", "</response>"],
    ]));
});

describe("the closing tag of an element around calls", () => {
  test.each(["<answer>", "<answer >"])("is dropped in other spellings than those of its opener: %s", (open) => {
    for (const close of ["</answer>", "</answer >"]) {
      expect(shown(open + call + close, "hermes")).toEqual([["call", "get_weather"]]);
      expect(shown(`${`${open}${call}${close}`.repeat(2)}Done.`, "hermes")).toEqual([
        ["call", "get_weather"],
        ["call", "get_weather"],
        ["text", "Done."],
      ]);
    }
  });

  test.each(["tools", "functions", "calls"])("is dropped after a call without its opener: </%s>", (name) => {
    expect(shown(`${call}\n</${name}>`, "hermes")).toEqual([["call", "get_weather"]]);
    expect(shown(`${call}</${name}>\nDone.`, "hermes").at(-1)).toEqual(["text", "Done."]);
  });

  test.each<[ProtocolName, string, string]>([
    ["hermes", `<answer>\n${call}`, "The tag </answer> ends it."],
    ["hermes", call, "The tag </tool_call> ends it, and </tools> a list."],
    ["hunyuan-a13b", `<answer>${list}`, "The tag </answer> ends it."],
    ["mistral", mistral, "Then [/TOOL_CALLS] closes."],
  ])("stays in a sentence after a call: %s, %s", (protocol, written, sentence) => {
    expect(shown(`${written}\n${sentence}`, protocol)).toEqual([
      ["call", "get_weather"],
      ["text", sentence],
    ]);
  });
});

test("a closing tag of reasoning is read the same in any chunks, however far away the call after it is", () => {
  for (const between of [40, 55, 62, 64, 80])
    for (const end of ["", "\n"])
      expect(pieces(`Hi</think>${" ".repeat(between)}${end}${call}`, "hermes").at(-1)).toEqual(["call", "get_weather"]);
});

test("white space after a fence is read in linear time", () => {
  const parser = createReplyParser({ protocol: "hermes", tools });
  const events = [call, "\n```", ...Array<string>(400_000).fill(" "), "js"].flatMap((chunk) => parser.push(chunk));
  expect([...events, ...parser.end()].filter(({ type }) => type === "call-end")).toHaveLength(1);
});

test("a fence after reasoning alone is text", () =>
  expect(pieces("<think>Hot?</think>\n```", "hermes")).toEqual([
    ["reasoning", "Hot?"],
    ["text", "```"],
  ]));

describe("what is left of markup around a call", () => {
  test.each<[string, ProtocolName, string, string]>([
    ["the declaration of XML", "hermes", '<?xml version="1.0" encoding="UTF-8"?>\n', call],
    ["a closing tag in place of the opening one", "hermes", "</tool_call>\n", `${json}\n</tool_call>`],
    ["the bracket of a list that was not opened", "mistral-list", "", `[TOOL_CALLS] ${json}]`],
    ["the bracket of a list that was not opened", "granite", "", `<|tool_call|>${json}\n]\n`],
  ])("is dropped: %s, %s", (_, protocol, before, written) => {
    expect(shown(before + written, protocol)).toEqual([["call", "get_weather"]]);
    if (before !== "") expect(shown(`Now.\n${before}It is.`, protocol)).toEqual([["text", `Now.\n${before}It is.`]]);
  });

  test("is text in a sentence", () => {
    for (const text of ['<?xml version="1.0"?>\n<a/>', "</tool_call> is a tag.", 'Write <?xml version="1.0"?> first.'])
      expect(pieces(text, "hermes")).toEqual([["text", text]]);
    expect(shown(`[TOOL_CALLS] ${json}] is one.`, "mistral-list").at(-1)).toEqual(["text", "] is one."]);
  });

  test.each<[ProtocolName, string, string, string]>([
    ["kimi-k2", "◁think▷", "◁/think▷", "<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{}"],
    ["am-xml", "<am:thinking>", "</am:thinking>", '<am:tool_call name="get_weather"></am:tool_call>'],
  ])("of reasoning in the format's own spelling is reasoning: %s", (protocol, open, close, written) => {
    expect(pieces(`${open}Hot?${close}\n${written}`, protocol)[0]).toEqual(["reasoning", "Hot?"]);
    expect(pieces(`The marker ${open} is one.`, protocol)).toEqual([["text", `The marker ${open} is one.`]]);
  });
});
