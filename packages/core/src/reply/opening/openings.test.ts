import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import { parseReply } from "../../full/index.js";
import type { ProtocolName } from "../../protocols/index.js";

const json = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const marked = `<tool_call>${json}</tool_call>`;

describe("calls without a marker begin", () => {
  test.each<[string, string, Piece[]]>([
    ["at the beginning of the reply", json, [["call", "get_weather"]]],
    [
      "on a line of their own",
      `So:\n${json}`,
      [
        ["text", "So:"],
        ["call", "get_weather"],
      ],
    ],
    ["not within a line of another format", `So: ${json}`, [["text", `So: ${json}`]]],
    ["not inside other JSON", `Data:\n{"items": [\n${json}\n]}`, [["text", `Data:\n{"items": [\n${json}\n]}`]]],
  ])("%s", (_, reply, wanted) => expect(pieces(reply, "hermes")).toEqual(wanted));

  test.each([
    "Tool call:",
    "tool_call:",
    "**Tool Call:**",
    "TOOL_CALL :",
    "Function call:",
    "Call:",
    "JSON:",
    "API call:",
  ])("on the line of a label that says so, if the reply ends with it: %s", (label) => {
    for (const before of ["", "I look it up.\n\n"])
      expect(pieces(`${before}${label} ${json}`, "hermes")).toEqual([
        ["text", `${before}${label}`],
        ["call", "get_weather"],
      ]);
    expect(pieces(`${label} [${json}]`, "hermes")).toHaveLength(2);
    for (const text of [
      `${label} ${json}\nThat is how.`,
      `An example of a ${label} ${json}`,
      `> ${label} ${json}`,
      `It would be of another kind of ${" ".repeat(64)}${label} ${json}`,
      `It would be a re${label}${" ".repeat(63 - label.length)} ${json}`,
      `\`${label} ${json}\``,
      `${label} {"status": "ok"}`,
      `# ${label} ${json}`,
      `${label} // ${json}`,
    ])
      expect(pieces(text, "hermes")).toEqual([["text", text]]);
  });

  test("anywhere in the requested format", () =>
    expect(pieces("So: [get_weather(city='Oslo')]", "pythonic")).toEqual([
      ["text", "So:"],
      ["call", "get_weather"],
    ]));
});

describe("a marker without meaning is", () => {
  test.each<[string, string, Piece[]]>([
    [
      "dropped at the end of the reply",
      "Done.<|im_end|>",
      [
        ["text", "Done."],
        ["dropped", "<|im_end|>"],
      ],
    ],
    ["text before more text", "The token <|im_end|> ends it.", [["text", "The token <|im_end|> ends it."]]],
    [
      "dropped after a call",
      `${marked}</tool_call>`,
      [
        ["call", "get_weather"],
        ["dropped", "</tool_call>"],
      ],
    ],
    ["text before any call", "A </tool_call> alone.", [["text", "A </tool_call> alone."]]],
  ])("%s", (_, reply, wanted) => expect(pieces(reply, "hermes")).toEqual(wanted));
});

test("a tag of reasoning counts at the beginning of a line, and is mentioned in a sentence", () => {
  expect(pieces("<think>hm</think>\nHi.", "hermes")).toEqual([
    ["reasoning", "hm"],
    ["text", "Hi."],
  ]);
  for (const text of [
    "The tag <think> is for thoughts.",
    "Write <think>why</think> first.",
    "One tag: <think> is it.",
    "Two tags. <think> opens it and </think> closes it.",
    "Steps:\n1. <thinking> – why\n2. <answer>",
    "Note: e.g. <think>why</think> is dropped.",
    "The tags are <reasoning>, </reasoning>\nand others.",
    '{"html": "Tags. <think>a</think> b"}',
  ]) {
    expect(pieces(text, "hermes")).toEqual([["text", text]]);
  }
});

test.each([
  ["after a sentence", "Hi.", "hm "],
  ["after a sentence and a space", "Let me see! ", "hm "],
  ["before the end of its line", "So ", "\nhm\n"],
])("within a line, the tag of reasoning counts %s", (_, before, thought) => {
  const reply = `${before}<think>${thought}${marked}</think>Hi.`;
  expect(pieces(reply, "hermes").map(([kind, text]) => [kind, text.trim()])).toEqual([
    ["text", before.trim()],
    ["reasoning", `${thought}${marked}`.trim()],
    ["text", "Hi."],
  ]);
});

test.each([
  ...["thinking", "thought", "Thoughts", "REASONING", "reflection", "INNER_MONOLOGUE", "mm:think"].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ["<|begin_of_thought|>", "<|end_of_thought|>"] as const,
  ["◁think▷", "◁/think▷"] as const,
])("reasoning has other marks, such as %s", (open, close) => {
  expect(pieces(`${open}hm ${marked}${close}\nHi.`, "hermes")).toEqual([
    ["reasoning", `hm ${marked}`],
    ["text", "Hi."],
  ]);
});

test("a marker of the requested format in a sentence is text, unless its closing tag follows", () => {
  const text = "Use <function=get_weather> for that. Which city?";
  expect(pieces(text, "qwen3-coder")).toEqual([["text", text]]);
  const broken = "Sure. <function=get_weather> city is Oslo </function>";
  expect(pieces(broken, "qwen3-coder").map(([kind]) => kind)).toEqual(["text", "invalid"]);
});

test("a tag that a tool is named after is one of the tool", () => {
  const tools = [{ name: "reflection", parameters: { type: "object", properties: { text: { type: "string" } } } }];
  const { toolCalls, reasoning } = parseReply('<reflection>{"text": "x"}</reflection>', { protocol: "hermes", tools });
  expect({ calls: toolCalls.map(({ arguments: args }) => args), reasoning }).toEqual({
    calls: [{ text: "x" }],
    reasoning: "",
  });
});

describe("the end of reasoning that the prompt opened", () => {
  const pairs = "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>";
  const element = "<get_weather><city>Oslo</city></get_weather>";
  test.each<[string, ProtocolName, string]>([
    ["a call", "hermes", marked],
    ["a call of another format", "hermes", pairs],
    ["a call after a space", "glm45", ` ${pairs}`],
    ["a call named after its tool", "tool-tags", element],
  ])("is dropped before %s", (_, protocol, call) => {
    for (const words of ["The forecast helps.", "The forecast helps.\n"]) {
      const found = pieces(`${words}</think>${call}`, protocol);
      expect(found.filter(([kind]) => kind !== "dropped")).toEqual([
        ["text", "The forecast helps."],
        ["call", "get_weather"],
      ]);
      expect(found[1]?.[1]).toMatch(/^<\/think>/);
    }
  });

  test.each([
    "A thought ends with </think>, then words.",
    "Models write </think><tool_call> and then JSON.",
    `Such as \`</think>${marked}\``,
    `> Such as</think>${marked}`,
  ])("is text in %j", (reply) => expect(pieces(reply, "hermes")).toEqual([["text", reply]]));
});

describe("tags of an answer", () => {
  test.each(["answer", "response", "final", "assistant"])("<%s> are dropped around calls only", (name) => {
    const [open, close] = [`<${name}>`, `</${name}>`];
    const dropped = (markup: string): Piece => ["dropped", markup];
    for (const by of ["hermes", "glm45", "auto"] as const) {
      for (const space of ["", "\n"]) {
        const call: Piece = ["call", "get_weather"];
        const around = open + space + marked + space + close;
        expect(pieces(around, by)).toEqual([dropped(open), call, dropped(close)]);
        expect(pieces(`${around}\n${open}It rains.${close}`, by).at(-1)).toEqual(["text", `${open}It rains.${close}`]);
      }
      const answer = `${open}It rains.${close}`;
      expect(pieces(answer, by).at(-1)).toEqual(["text", answer]);
    }
  });
});
