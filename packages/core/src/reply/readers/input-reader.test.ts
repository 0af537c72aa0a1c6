import { describe, expect, test } from "vitest";
import { collectReply, createReplyParser, type ParsedReply, parseReply } from "../../index.js";
import type { ToolDefinition } from "../../types.js";

const tool = (name: string, ...keys: string[]): ToolDefinition => ({
  name,
  parameters: {
    type: "object",
    properties: Object.fromEntries(keys.map((key) => [key, { type: "string" }])),
    required: keys.slice(0, 1),
  },
});
const tools = [tool("look_up", "topic"), tool("run", "script", "shell"), tool("now")];

/** The reply, which must be the same whole and in pieces of any length. */
function read(text: string): ParsedReply {
  const options = { tools, protocol: "react", generateId: () => "id" } as const;
  const whole = parseReply(text, options);
  for (const size of [1, 2, 5]) {
    const parser = createReplyParser(options);
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
    const { text: answer, toolCalls, invalidToolCalls } = collectReply([...events, ...parser.end()]);
    expect({ answer, toolCalls, invalidToolCalls }).toEqual({
      answer: whole.text,
      toolCalls: whole.toolCalls,
      invalidToolCalls: whole.invalidToolCalls,
    });
  }
  return whole;
}

const looksUp = (input: string) => read(`Action: look_up\nAction Input: ${input}`);
const topics = (input: string) => looksUp(input).toolCalls.map(({ arguments: args }) => args.topic);

test("words in place of arguments are dropped if the tool has none", () => {
  expect(read("Action: now\nAction Input: the time, please")).toMatchObject({
    toolCalls: [{ name: "now", arguments: {}, repairs: [{ code: "dropped-input" }] }],
  });
});

describe("a token that ends the turn", () => {
  test.each(["<|im_end|>", "</s>\n", "<|end|><|endoftext|>"])("is no input: %s", (token) => {
    expect(looksUp(token)).toMatchObject({
      toolCalls: [],
      invalidToolCalls: [{ error: { code: "invalid-arguments" } }],
    });
    expect(read(`Action: now\nAction Input: ${token}`)).toMatchObject({ text: "", toolCalls: [{ arguments: {} }] });
  });

  test.each(["\nObservation: many", "\n\nThought: hm", "Observation: many", "\n**Observation:** many"])(
    "is no part of an input before a label: %j",
    (rest) => {
      for (const token of ["<|im_end|>", "</s>", "<|end|>\n<|endoftext|>"])
        expect([topics(`moths${token}${rest}`), looksUp(`moths${token}${rest}`).text]).toEqual([["moths"], ""]);
    },
  );

  test("is no part of an input before the end of its fence", () => {
    expect(topics("\n```\nmoths</s>\n```\nObservation: many")).toEqual(["moths"]);
  });

  test("with much space after it ends an input, in linear time", { timeout: 5000 }, () => {
    const parser = createReplyParser({ tools, protocol: "react" });
    parser.push("Action: look_up\nAction Input: moths<|im_end|>");
    const events = [];
    for (let i = 0; i < 40_000; i++) events.push(...parser.push(" "));
    expect(collectReply([...events, ...parser.end()]).toolCalls).toMatchObject([{ arguments: { topic: "moths" } }]);
  });
});

describe("words after an input that is text", () => {
  test.each([
    "moths\nThen we shall see.",
    "moths\n\nLet me see what it finds",
    "moths\n(I wait for the result.)",
    "moths\n现在等待结果。",
    "moths\n\nPAUSE",
    "moths\nHuman: and bees?",
    "moths\n\n**Question:** what of bees?",
    "moths\nStep 2: read it",
    "moths Observation: there are many",
    "moths. Thought: many",
    "`moths`\nThen we shall see.",
    "topic: moths\nThen we shall see.",
    "\n```\nmoths\nThen we shall see.",
  ])("may be none of it, so that no call is made: %j", (input) => {
    expect(looksUp(input)).toMatchObject({ text: "", toolCalls: [], invalidToolCalls: [{ name: "look_up" }] });
  });

  test.each([
    "moths\nand butterflies",
    "import moths\n\n# Then we shall see.\nprint(moths)\nmoths.fly()",
    "SELECT name\nFROM moths\nWHERE wings = 4;",
    "kind: moth\nuser: me\nsystem: none",
    "- moths\n- All the butterflies.",
    'def fly():\n    """Flies.\n\n    Returns the height.\n    """',
    "Moths fly by night. They like light.",
    "how to pause\nin Step 2",
    "an observation: moths",
    "wait",
    "`moths` or `bees`",
  ])("are a part of it where no sentence, turn or label begins: %j", (input) => {
    expect(topics(input)).toEqual([input]);
  });

  test("are without the backticks around all of it", () => expect(topics("`moths`")).toEqual(["moths"]));

  test("are a part of it in a code fence or an object", () => {
    expect(topics("\n```\nmoths\nThen we shall see.\n```\nI wait for it.")).toEqual(["moths\nThen we shall see."]);
    expect(topics('{"topic": "moths\\n\\nThen we shall see. Thought: hm"}')).toEqual([
      "moths\n\nThen we shall see. Thought: hm",
    ]);
  });

  test.each(["Step 2:", "### Step 2", "**Round 2:**\n"])("are none of it as the heading of a label: %s", (heading) => {
    const reply = looksUp(`moths\n\n${heading}\nAction: look_up\nAction Input: bees`);
    expect(reply.toolCalls.map(({ arguments: args }) => args.topic)).toEqual(["moths", "bees"]);
    expect(reply.text).toBe(heading.trim());
  });
});

test.each(["cat <<EOF\nThis is a note to all.\nEOF", 'git commit -m "Mend it\n\nThis mends what was broken."'])(
  "lines within a document or quotes of a command are a part of it: %j",
  (script) => {
    const { toolCalls } = read(`Action: look_up\nAction Input: ${script}`);
    expect(toolCalls).toMatchObject([{ arguments: { topic: script } }]);
  },
);

test.each([
  "topic=moths",
  "topic = moths",
  '(topic="moths")',
  'look_up(topic="moths")',
  '[{"topic": "moths"}]',
  "<topic>moths</topic>",
])("text that may be arguments in another format is refused: %s", (input) => {
  expect(looksUp(input)).toMatchObject({ toolCalls: [], invalidToolCalls: [{ error: { code: "malformed" } }] });
});

test.each(["topic = 1\nprint(topic)", "```\ntopic = 1\n```"])("a program is the input: %j", (input) => {
  expect(topics(input)).toEqual([input.replace(/^```\n|\n```$/g, "")]);
});

test.each([
  ["body", "<body>moths</body>"],
  ["svg", '<svg class="a"></svg>'],
])("markup is the text of the argument %s, although an element has its name", (key, input) => {
  const reply = `Action: draw\nAction Input: ${input}`;
  const { toolCalls } = parseReply(reply, { protocol: "react", tools: [tool("draw", key)] });
  expect(toolCalls).toMatchObject([{ arguments: { [key]: input } }]);
});

test.each(["color = blue", "(moths)", "f(x=1)", "topic == moths", "<b>moths</b>", "topics: moths", "see topic=1"])(
  "other text is the input: %s",
  (input) => expect(topics(input)).toEqual([input]),
);

test.each([
  'ls "shell": "zsh"',
  'ls\n"shell": "zsh"',
  "`ls 'shell': zsh`",
  "script: ls, shell=zsh",
  "'script': ls; shell: zsh",
])("text with the name of another argument is refused: %j", (input) =>
  expect(read(`Action: run\nAction Input: ${input}`)).toMatchObject({
    toolCalls: [],
    invalidToolCalls: [{ error: { code: "malformed" } }],
  }),
);

test.each(["ls shell: zsh", 'ls "other": 1', "ls, shell=zsh"])("text with other names is the input: %s", (input) =>
  expect(read(`Action: run\nAction Input: ${input}`).toolCalls).toMatchObject([{ arguments: { script: input } }]),
);
