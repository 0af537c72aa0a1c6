import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../test/support/pieces.js";
import { tools } from "../../test/support/read.js";
import { collectReply, createReplyParser } from "../index.js";

const json = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';

describe("a source that cannot be read further is", () => {
  test.each<[string, string, Piece[]]>([
    [
      "a call that lacks its closing marker, before the next opener",
      `<tool_call>${json}\n<tool_call>${json}</tool_call>`,
      [
        ["call", "get_weather"],
        ["call", "get_weather"],
      ],
    ],
    [
      "an opener written twice",
      `<tool_call><tool_call>${json}</tool_call>`,
      [
        ["dropped", "<tool_call>"],
        ["call", "get_weather"],
      ],
    ],
    ["text, where a sentence mentions the marker", "Use <tool_call> to call.", [["text", "Use <tool_call> to call."]]],
  ])("%s", (_, reply, wanted) => expect(pieces(reply, "hermes")).toEqual(wanted));
});

test("otherwise it is a broken call, up to its closing marker", () => {
  const reply =
    "<tool_call>\n<function=get_weather>\nby the way\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>\nHi.";
  expect(pieces(reply, "qwen3-coder")).toEqual([
    ["invalid", "malformed"],
    ["text", "Hi."],
  ]);
});

describe("at the end of the reply", () => {
  test("a call that lacks only its closing marker is a call", () =>
    expect(pieces(`<tool_call>${json}`, "hermes")).toEqual([["call", "get_weather"]]));

  test("a call that lacks a part of its arguments is truncated", () =>
    expect(pieces(`<tool_call>${json.slice(0, -4)}`, "hermes")).toEqual([["invalid", "truncated"]]));

  test("a call whose closing marker lies in a text with an unescaped quote is malformed, unless the reply was cut off", () => {
    const args = '{"city": "the "Oslo", "days": 2"}';
    const reply = `<tool_call>\n{"name": "get_weather", "arguments": ${args}}\n</tool_call>`;
    const read = (end: string, finish: "stop" | "length" = "stop") => {
      const parser = createReplyParser({ protocol: "hermes", tools });
      const events = [...reply, end].flatMap((text) => [...parser.push(text)]);
      return collectReply([...events, ...parser.end({ finish })]).invalidToolCalls[0]?.error;
    };
    // The other reason for such a reply is named, too.
    expect(read("")?.feedback).toContain("or no end");
    for (const end of ["", "\n", "\nDone."]) {
      expect(read(end)).toMatchObject({ code: "malformed", feedback: expect.stringContaining("unescaped quote") });
      expect(read(end, "length")?.code).toBe("truncated");
    }
  });
});

describe("an opener at the end of the reply", () => {
  const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}';

  test("directly after a whole call is dropped", () => {
    for (const closer of ["", "</tool_call>"])
      for (const after of ["<tool_call>", "\n<tool_call>\n"])
        expect(pieces(call + closer + after, "hermes").map(([kind]) => kind)).toEqual(["call", "dropped"]);
    const bare = '{"name": "get_weather", "parameters": {"city": "Oslo"}}';
    expect(pieces(`${bare}<|python_tag|>`, "llama3-json")).toEqual([
      ["call", "get_weather"],
      ["dropped", "<|python_tag|>"],
    ]);
  });

  test("alone, after words, or in a reply that was cut off, is a call that was cut off", () => {
    for (const before of ["", "Now.\n", `${call}</tool_call>\nAnd Bergen:\n`])
      expect(pieces(`${before}<tool_call>`, "hermes").at(-1)).toEqual(["invalid", "truncated"]);
    const parser = createReplyParser({ protocol: "hermes", tools });
    const events = [...parser.push(`${call}<tool_call>`), ...parser.end({ finish: "length" })];
    expect(events.at(-1)?.type).toBe("call-invalid");
  });
});

test.each(["mistral", "mistral-list", "auto"] as const)(
  "a token that is written again before a list or a name, in %s",
  (protocol) => {
    const calls = ['get_weather[ARGS]{"city": "Oslo"}', '[{"name": "get_weather", "arguments": {"city": "Oslo"}}]'];
    const weather = { name: "get_weather", arguments: { city: "Oslo" } };
    for (const call of [...calls, 'get_weather{"city": "Oslo"}'])
      for (const between of ["", "\n", " "])
        for (const times of [1, 2, 3])
          for (const before of ["", "I look.", "I look.\n"]) {
            const reply = before + `[TOOL_CALLS]${between}`.repeat(times) + call;
            for (const chunks of [[reply], [...reply]]) {
              const parser = createReplyParser({ protocol, tools });
              const found = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
              expect(found).toMatchObject({ toolCalls: [weather], invalidToolCalls: [], text: before.trim() });
            }
          }
  },
);
