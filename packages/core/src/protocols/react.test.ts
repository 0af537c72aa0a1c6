import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplyParser, parseReply } from "../full/index.js";
import type { ToolDefinition } from "../types.js";
import { react } from "./react.js";

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});
const tools: ToolDefinition[] = [
  { name: "search", parameters: object({ query: { type: "string" } }, ["query"]) },
  { name: "add", parameters: object({ a: { type: "integer" }, b: { type: "integer" } }, ["a", "b"]) },
  { name: "double", parameters: object({ n: { type: "integer" } }, ["n"]) },
  { name: "run_python", parameters: object({ code: { type: "string" }, timeout: { type: "integer" } }, ["code"]) },
  { name: "get_time", parameters: object({}) },
];

const read = (text: string, protocol: "react" | "hermes" | "auto" = "react") => parseReply(text, { tools, protocol });
const calls = (text: string) => read(text).toolCalls.map(({ name, arguments: args }) => [name, args]);

/** The parts of a reply: a call's arguments, or the text; the same in any chunks. */
function pieces(text: string, protocol: "react" | "hermes" | "auto"): string[][] {
  const [whole = [], single] = [[text], [...text]].map((chunks) => {
    const parser = createReplyParser({ tools, protocol });
    const found: string[][] = [];
    for (const event of [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]) {
      const last = found.at(-1);
      if (event.type === "call-end") found.push(["call", JSON.stringify(event.call.arguments)]);
      else if (event.type === "call-invalid") found.push(["invalid", event.call.error.code]);
      else if (event.type !== "text" && event.type !== "reasoning") continue;
      else if (last?.[0] === event.type) last[1] += event.text;
      else found.push([event.type, event.text]);
    }
    return found;
  });
  expect(single).toEqual(whole);
  return whole;
}

describe("react", () => {
  test("the thought is reasoning, and the call follows it", () => {
    const reply = read('Thought: I must add\nthem up.\nAction: add\nAction Input: {"a": 2, "b": 3}');
    expect(reply).toMatchObject({ text: "", reasoning: "I must add\nthem up.", invalidToolCalls: [] });
    expect(reply.toolCalls).toMatchObject([{ name: "add", arguments: { a: 2, b: 3 } }]);
  });

  test("named arguments are not read as the text of the first one", () => {
    const { toolCalls, invalidToolCalls } = read("Action: run_python\nAction Input: code=x, timeout=3");
    expect([toolCalls, invalidToolCalls.length]).toEqual([[], 1]);
    expect(calls("Action: run_python\nAction Input: get(url, timeout=3)")).toEqual([
      ["run_python", { code: "get(url, timeout=3)" }],
    ]);
  });

  test("the final answer is the text, with any number of lines", () => {
    expect(read("Thought: I know.\nFinal Answer: It is 5.\n\nAnything else?")).toMatchObject({
      text: "It is 5.\n\nAnything else?",
      reasoning: "I know.",
      toolCalls: [],
    });
  });

  test.each([
    'Action: search\nAction Input: {"query": "cats"}',
    "\nAction: search\nAction Input: cats",
    "Thought: hm\n**Action:** search\nAction Input: cats",
    'Action: search(query="cats")',
    '<tool_call>\n{"name": "search", "arguments": {"query": "cats"}}\n</tool_call>',
  ])("a call after the label of the answer does not run, since it may be an example: %s", (call) => {
    const text = `Thought: I know.\nFinal Answer: Write this:\n${call}`;
    const reply = read(text);
    expect(reply).toMatchObject({ toolCalls: [], invalidToolCalls: [{ error: { code: "malformed" } }] });
    expect(reply.text).toBe("Write this:");
    const parser = createReplyParser({ tools, protocol: "react" });
    const events = [...text].flatMap((char) => parser.push(char)).concat(parser.end());
    expect(events.filter(({ type }) => type === "call-end")).toEqual([]);
  });

  test.each([
    '{"name": "search", "arguments": {"query": "cats"}}',
    'Write:\n```\n<tool_call>\n{"name": "get_time"}\n</tool_call>\n```\nYes.',
  ])("what has no marker of its own, or is in a fence, is text after that label: %s", (answer) => {
    expect(read(`Final Answer:\n${answer}`)).toMatchObject({ text: answer, toolCalls: [], invalidToolCalls: [] });
  });

  test("emphasis in an answer is kept", () => {
    for (const label of ["Final Answer:", "**Final Answer:**", "**Final Answer**:"]) {
      expect(read(`${label} **42** it is`).text, label).toBe("**42** it is");
    }
  });

  test("labels are read with numbers, emphasis and in any case", () => {
    expect(calls('**Thought 1:** hm\n**Action 1:** `add`\n**Action Input 1:** {"a": 1, "b": 2}')).toEqual([
      ["add", { a: 1, b: 2 }],
    ]);
    expect(calls('### ACTION: add\naction input : {"a": 1, "b": 2}')).toEqual([["add", { a: 1, b: 2 }]]);
  });

  test("labels may have other marks between their words, and the model's role before them", () => {
    const emphasis = fc.constantFrom("", "**", "### ", "- ", "_");
    const label = (...words: string[]) =>
      fc
        .tuple(
          emphasis,
          fc.constantFrom(" ", "_", "-", ""),
          fc.constantFrom(...words),
          fc.constantFrom(":", " :", "："),
        )
        .map(([mark, between, text, colon]) => {
          const written = text.replace(" ", between);
          return mark.endsWith(" ") ? `${mark}${written}${colon}` : `${mark}${written}${mark}${colon}`;
        });
    const role = fc.constantFrom("", "Assistant: ", "assistant:\n", "**Assistant:** ", "AI: ", "Assistant:\n\n");
    const written = fc.record({
      role,
      thought: fc.constantFrom("", "Thought: hm\n"),
      action: label("Action", "action", "ACTION"),
      input: label("Action Input", "action input", "Action input", "ACTION INPUT"),
    });
    fc.assert(
      fc.property(
        written,
        fc.constantFrom<["react" | "hermes" | "auto", boolean][]>(["react", true], ["hermes", false]),
        ({ role: speaker, thought, action, input }, [protocol, hasThoughts]) => {
          const text = `${speaker}${hasThoughts ? thought : ""}${action} add\n${input} {"a": 1, "b": 2}`;
          expect(pieces(text, protocol)).toEqual([
            ...(hasThoughts && thought !== "" ? [["reasoning", "hm"]] : []),
            ["call", '{"a":1,"b":2}'],
          ]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    'User: Action: add {"a": 1, "b": 2}',
    'Assistant: I add.\nReaction: add {"a": 1, "b": 2}',
    "Assistant: my action: none",
    '> Assistant: Action: add {"a": 1, "b": 2}',
    '`Action: add {"a": 1, "b": 2}`',
    'Write:\n```\nAssistant: Action: add {"a": 1, "b": 2}\n```\nYes.',
    "Action: add {a} and {b}",
    "Action: add {}s of cats",
    "note: add\nsize: 3",
  ])("is text: %s", (text) => {
    for (const protocol of ["react", "hermes"] as const)
      expect(pieces(text, protocol).filter(([kind]) => kind === "call")).toEqual([]);
    if (!text.includes("{}")) expect(pieces(text, "react")).toEqual([["text", text]]);
  });

  test("the object may be on the line of the name, and nothing after it there", () => {
    for (const name of ["add", "`add`", "**add**", "add:"])
      for (const end of ["", "\n", "\nObservation: 3", "\n\nI add them."])
        for (const protocol of name === "add:" ? (["react"] as const) : (["react", "hermes"] as const))
          expect(pieces(`Action: ${name} {"a": 1, "b": 2}${end}`, protocol)[0]).toEqual(["call", '{"a":1,"b":2}']);
    for (const more of [" and more", ", then search", ' or {"a": 2}', '\nAction Input: {"a": 3, "b": 2}'])
      expect(pieces(`Action: add {"a": 1, "b": 2}${more}`, "react").map(([kind]) => kind)).toContain("invalid");
  });

  test("an input may be nested, of many lines, or in a fence", () => {
    expect(calls('Action: add\nAction Input: {\n  "a": 1,\n  "b": {"c": [1]}\n}')).toEqual([]);
    expect(read('Action: add\nAction Input: {\n  "a": 1,\n  "b": {"c": [1]}\n}').invalidToolCalls).toMatchObject([
      { arguments: { a: 1, b: { c: [1] } }, error: { code: "invalid-arguments" } },
    ]);
    expect(calls('Action: add\nAction Input:\n```json\n{"a": 1, "b": 2}\n```\n')).toEqual([["add", { a: 1, b: 2 }]]);
  });

  test("an input may be in inline code", () => {
    const input = 'Action: `add`\nAction Input: `{"a": 1, "b": 2}`';
    for (const end of ["", "\n", "\nObservation: 3"]) expect(calls(input + end)).toEqual([["add", { a: 1, b: 2 }]]);
    for (const more of [" or ", ", ", "\n"]) expect(calls(`${input}${more}\`{"a": 3, "b": 4}\``)).toEqual([]);
    for (const code of ["{ls; pwd; }", "{ls}"])
      expect(calls(`Action: run_python\nAction Input: \`${code}\``)).toEqual([["run_python", { code }]]);
  });

  test.each([
    ["an object", 'Action: add({"a": 1, "b": 2})'],
    ["names", "Action: add(a=1, b=2)"],
    ["positions", "**Action:** add(1, 2)\nObservation: 3"],
    ["an object of both", 'Action:\n```json\n{\n  "action": "add",\n  "action_input": {"a": 1, "b": 2}\n}\n```'],
    ["an object of both in one line", 'Action: {"action": "add", "action_input": {"a": 1, "b": 2}}\nObservation: 3'],
  ])("the input may follow the name, as %s", (_, text) => {
    const reply = read(`Thought: I add.\n${text}`);
    expect(reply).toMatchObject({ text: "", reasoning: "I add.", invalidToolCalls: [] });
    expect(reply.toolCalls).toMatchObject([{ name: "add", arguments: { a: 1, b: 2 } }]);
  });

  test.each([
    ["search[cats]", { query: "cats" }],
    ["Search[cats [big ones]]", { query: "cats [big ones]" }],
    ['search["cats"]', { query: "cats" }],
    ['add[{"a": 1, "b": 2}]', { a: 1, b: 2 }],
    ['add: {"a": 1, "b": 2}', { a: 1, b: 2 }],
    ["get_time[]", {}],
  ])("the input of a tool may be on the line of its name: %s", (written, args) => {
    for (const end of ["", "\nObservation: 3"])
      expect(read(`Thought: hm\nAction: ${written}${end}`)).toMatchObject({
        text: "",
        toolCalls: [{ arguments: args }],
        invalidToolCalls: [],
      });
  });

  test.each([
    "search[cats] or search[dogs]",
    "search[cats] to find cats",
    "search[cats\nObservation: 3",
    "run_python[code=f(), timeout=2]",
    "run_python[f(1, 2)]",
    "search: look for cats",
    "search: cats",
    "search[]",
  ])("a remark after its name may not be the input: %s", (written) => {
    expect(read(`Action: ${written}`)).toMatchObject({ text: "", toolCalls: [], invalidToolCalls: [{}] });
  });

  test.each(["Action: fly[cats]", "Action: search [the web]", "Action: search for: cats"])(
    "without a tool's name before its bracket, a line is text: %s",
    (text) => expect(read(text)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] }),
  );

  test("the labels may be Tool and Tool Input", () => {
    for (const input of ["cats", '{"query": "cats"}'])
      expect(read(`Thought: hm\nTool: search\nTool Input: ${input}\nObservation: 3`)).toMatchObject({
        reasoning: "hm",
        toolCalls: [{ arguments: { query: "cats" } }],
      });
    for (const label of ["Tool Input", "Input", "Arguments", "Parameters"])
      expect(read(`Thought: hm\nTool: add\n${label}: {"a": 1, "b": 2}\nObservation: 3`)).toMatchObject({
        text: "",
        toolCalls: [{ arguments: { a: 1, b: 2 } }],
      });
    const lines = ["Tool: a hammer", "Tool: get_time", "Tool: search\nUse: for cats", "Tool: search\nInput: a query"];
    for (const line of lines)
      expect(read(`Thought: hm\n${line}`)).toMatchObject({ text: "", reasoning: `hm\n${line}`, toolCalls: [] });
    const list = "Tool: get_time\nTool: search\nTool Input: a query";
    expect(read(list, "hermes")).toMatchObject({ text: list, toolCalls: [], invalidToolCalls: [] });
  });

  test("an object on the line of a label that is English is text, in other formats too", () => {
    const call = '{"name": "add", "arguments": {"a": 1, "b": 2}}';
    for (const protocol of ["react", "hermes", "auto"] as const)
      for (const text of [
        'Summary\nTool call: {"status": "ok"}\nAll went well.',
        `Never write\nTool Call: ${call}\nbecause it adds everything.`,
      ])
        expect(read(text, protocol)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
  });

  test("a reply in a code fence is read", () => {
    const call = 'Thought: I add.\nAction: add\nAction Input: {"a": 1, "b": 2}';
    expect(read(`\`\`\`\n${call}\n\`\`\``)).toMatchObject({
      text: "",
      reasoning: "I add.",
      toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }],
    });
    expect(read("```text\nThought: I know.\nFinal Answer: It is 5.\nYes.\n```\n")).toMatchObject({
      text: "It is 5.\nYes.",
      reasoning: "I know.",
    });
    expect(read("Thought: I know.\nFinal Answer:\n```js\nf()\n```").text).toBe("```js\nf()\n```");
  });

  test("an input that is not an object is the only argument, or the only required one", () => {
    expect(calls("Action: search\nAction Input: cats\nand { dogs }\n")).toEqual([
      ["search", { query: "cats\nand { dogs }" }],
    ]);
    expect(calls('Action: search\nAction Input: "cats"')).toEqual([["search", { query: "cats" }]]);
    expect(calls("Action: double\nAction Input: 21")).toEqual([["double", { n: 21 }]]);
    expect(calls("Action: run_python\nAction Input:\n```python\nif x:\n    print(1)\n```")).toEqual([
      ["run_python", { code: "if x:\n    print(1)" }],
    ]);
    expect(read("Action: add\nAction Input: 1 and 2").invalidToolCalls).toMatchObject([
      { error: { code: "invalid-arguments" } },
    ]);
  });

  test.each([
    ["query: cats and dogs", "cats and dogs"],
    ['query="cats"', "cats"],
    ["Query = 'cats'", "cats"],
    ['"query": "cats"', "cats"],
    ["query: SELECT a, b: c", "SELECT a, b: c"],
    ["queryx: cats", "queryx: cats"],
    ["query", "query"],
    ["query:", "query:"],
  ])("a parameter name before the input is not part of it: %s", (input, query) => {
    const text = `Action: search\nAction Input: ${input}`;
    expect(calls(text)).toEqual([["search", { query }]]);
    const parser = createReplyParser({ tools, protocol: "react" });
    expect(
      [...text]
        .flatMap((char) => parser.push(char))
        .concat(parser.end())
        .at(-1),
    ).toMatchObject({
      call: { arguments: { query } },
    });
  });

  test("a label may have the wide colon of Chinese and Japanese text", () => {
    expect(calls('Thought: 我来查一下。\nAction：search\nAction Input：{"query": "cats"}')).toEqual([
      ["search", { query: "cats" }],
    ]);
  });

  test.each(["Action: search", "Tool: search", "Tool name: search"])(
    "a second label before the name is no part of it: %s",
    (name) =>
      expect(calls(`Action: ${name}\nAction Input: {"query": "cats"}`)).toEqual([["search", { query: "cats" }]]),
  );

  test.each(["<|im_end|>", "</s>", "\n<|eot_id|>", "<end_of_turn>\n<start_of_turn>", "<|end|><|endoftext|>"])(
    "a token that ends the turn is no part of the input: %s",
    (token) => {
      for (const input of ["cats", "query: cats", '{"query": "cats"}', '"cats"']) {
        const text = `Action: search\nAction Input: ${input}${token}`;
        expect(calls(text)).toEqual([["search", { query: "cats" }]]);
        const parser = createReplyParser({ tools, protocol: "react" });
        const events = [...text].flatMap((char) => parser.push(char)).concat(parser.end());
        expect(events.filter(({ type }) => type === "call-end")).toMatchObject([
          { call: { arguments: { query: "cats" } } },
        ]);
      }
      const mention = `how ${token.trim().split("\n", 1)[0]} ends a turn`;
      expect(calls(`Action: search\nAction Input: ${mention}`)).toEqual([["search", { query: mention }]]);
    },
  );

  test("a tool without arguments needs no input", () => {
    for (const end of ["", "\n", "\nAction Input:", "\nAction Input: None", "\nAction Input: {}", "\nObservation: x"]) {
      expect(calls(`Action: get_time${end}`), end).toEqual([["get_time", {}]]);
    }
  });

  test.each([
    'Action: search (not add)\nAction Input: {"query": "cats"}',
    'Action: search (careful)\nAction Input: {"query": "cats"}',
    'Action: search("dogs")\nAction Input: {"query": "cats"}',
    'Action: search(\n  query="dogs")\nAction Input: {"query": "cats"}',
    'Action: search - look it up\nAction Input: {"query": "cats"}',
    'Action: search [careful]\nAction Input: {"query": "cats"}',
    'Action: search # for cats\nAction Input: {"query": "cats"}',
    'Action: search, add\nAction Input: {"query": "cats"}',
    'Action: search\nAction Input: {"query": "dogs"}\nAction Input: {"query": "cats"}',
    "Action: search\nAction Input: dogs\nAction Input: cats",
    'Action: search\nAction Input: dogs\n**Action Input:** {"query": "cats"}',
    'Action: search\nAction Input: {"query": "dogs"} or {"query": "cats"}',
    'Action: search\nAction Input: {"query": "dogs"}\n{"query": "cats"}',
    'Action: search\nAction Input: {"query": "dogs"}, {"query": "cats"}',
    'Action: search("dogs") or search("cats")',
  ])("an ambiguous input makes no call: %s", (text) => {
    for (const chunks of [[text], [...text]]) {
      const parser = createReplyParser({ tools, protocol: "react" });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      expect(events.filter(({ type }) => type === "call-end")).toEqual([]);
      expect(events.filter(({ type }) => type === "call-invalid")).toHaveLength(1);
    }
  });

  test.each([
    'Action: search()\nAction Input: {"query": "cats"}',
    'Action: `search()`\nAction Input: {"query": "cats"}',
    'Action: search("cats")\nAction Input:',
    'Action: search("cats")\nAction Input: None\nObservation: many',
    'Action: search\nAction Input: {"query": "cats"} # not dogs',
    'Action: search\nAction Input: {"query": "cats"}\n\nI look for {them}.',
  ])("an unambiguous input is read: %s", (text) => {
    for (const chunks of [[text], [...text]]) {
      const parser = createReplyParser({ tools, protocol: "react" });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      expect(events.find(({ type }) => type === "call-end")).toMatchObject({ call: { arguments: { query: "cats" } } });
    }
  });

  test.each(["None", "N/A", "null", "none.", "-", ""])(
    "a missing input is an error for a tool that needs one: %j",
    (input) => {
      for (const end of ["", "\n", "\nObservation: x"]) {
        const text = `Action: search\nAction Input: ${input}${end}`;
        expect(read(text), text).toMatchObject({
          toolCalls: [],
          invalidToolCalls: [{ error: { code: "invalid-arguments" } }],
        });
      }
      expect(calls("Action: search\nAction Input: None of these")).toEqual([["search", { query: "None of these" }]]);
      expect(calls('Action: search\nAction Input: "None"')).toEqual([["search", { query: "None" }]]);
    },
  );

  test("an observation that the model made up is dropped, with the text after it", () => {
    const reply = read(
      "Action: search\nAction Input: cats\nObservation: many\nThought: now\nAction: get_time\nFinal Answer: many cats",
    );
    expect(reply.toolCalls).toHaveLength(1);
    expect(reply).toMatchObject({ text: "", reasoning: "" });
  });

  test("a sentence that begins with the label is not a call", () => {
    const text = "Action: search for the cats.\nAction: none of these";
    expect(read(text)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
  });

  test("an unknown tool is reported", () => {
    expect(read("Action: fly\nAction Input: {}").invalidToolCalls).toMatchObject([
      { name: "fly", error: { code: "unknown-tool" } },
    ]);
  });

  test("in another protocol its calls are read, and thoughts are text", () => {
    const reply = read("Thought: hm\nAction: search\nAction Input: cats", "hermes");
    expect(reply.text).toBe("Thought: hm");
    expect(reply.toolCalls).toMatchObject([{ name: "search", arguments: { query: "cats" } }]);
    expect(read("Action: fly\nto the moon", "auto")).toMatchObject({ text: "Action: fly\nto the moon" });
  });

  test("an input truncated at the token limit is no value", () => {
    const parser = createReplyParser({ tools, protocol: "react" });
    parser.push("Action: search\nAction Input: cats and");
    expect(parser.end({ finish: "length" })).toMatchObject([
      { type: "call-invalid", call: { error: { code: "truncated" } } },
    ]);
  });

  test("a text input streams", () => {
    const parser = createReplyParser({ tools, protocol: "react" });
    parser.push("Action: search\nAction Input: ");
    const events = parser.push("cats and dogs ");
    expect(events.at(-1)).toMatchObject({ type: "call-delta", argumentsDelta: '{"query":"cats and dogs' });
  });

  test("results are observations, before which the model must stop", () => {
    const result = { toolCallId: "1", name: "add", content: "5" };
    expect(react.renderResults([result], { tools })).toBe("Observation: 5");
    expect(react.syntax.stop).toEqual(["\nObservation:"]);
  });
});
