import { describe, expect, test } from "vitest";
import { createReplyParser, type Protocol, protocols, type ToolDefinition } from "../src/index.js";

// What models write between the markers of a call besides the call.

const tools: ToolDefinition[] = [
  {
    name: "count_boxes",
    parameters: {
      type: "object",
      properties: { shelf: { type: "string" }, floor: { type: "integer" } },
      required: ["shelf"],
    },
  },
];
const call = { name: "count_boxes", arguments: { shelf: "north" } };

function read(reply: string, protocol: Protocol) {
  const found = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    const text = events.flatMap((event) => (event.type === "text" ? event.text : [])).join("");
    const calls = events.flatMap((event): unknown[] => {
      if (event.type === "call-end") return [{ name: event.call.name, arguments: event.call.arguments }];
      return event.type === "call-invalid" ? [event.call.error.message] : [];
    });
    return { calls, text };
  });
  expect(found[1]).toEqual(found[0]);
  return found[0];
}

/** A call with the JSON in it, and what is around that; undefined if it is not between markers. */
function parts(protocol: Protocol) {
  const written = protocol.renderCalls([call], { tools });
  const from = written.search(/\{["\\]/);
  const end = written.lastIndexOf("}") + 1;
  const closer = written.slice(end);
  return from > 0 && closer !== "" && !/^[\]\s]*$/.test(closer)
    ? { opener: written.slice(0, from), json: written.slice(from, end), closer }
    : undefined;
}

const json = Object.values<Protocol>(protocols).flatMap((protocol) => {
  const found = parts(protocol);
  return found ? [{ name: protocol.name, protocol, ...found }] : [];
});

/** Formats whose calls end with a closing tag. In YAML, what comes before it belongs to the last value. */
const tagged = Object.values<Protocol>(protocols).flatMap((protocol) => {
  if (protocol.syntax.call.some((part) => typeof part === "object" && "body" in part && part.body === "yaml"))
    return [];
  const [, start, closer] = /^(.*)(<\/[^<>]+>)$/s.exec(protocol.renderCalls([call], { tools })) ?? [];
  return start !== undefined && closer !== undefined ? [{ name: protocol.name, protocol, start, closer }] : [];
});

const signs = [";", ",", ".", " ;", ";\n", "。", "\n```\n", "```", "\\n", "\n---\n", "\n...\n", "**", "!", "\n~~~\n"];
const comments = [
  " // count them\n",
  "\n// count them\n",
  " # count\n",
  "\n<!-- a\nb -->\n",
  " /* c */",
  ";\n// a\n# b\n",
  " // a",
];

const labels = [
  "Function: ",
  "1. ",
  "- ",
  "* ",
  "json\n",
  "Tool call:\n",
  "function_call: ",
  "**Function call:** ",
  "> ",
];
const others = [
  "## Tool call\n",
  "JSON:\n\n",
  "\\n",
  "`",
  "```json ",
  "Call 1:\n```json\n",
  "// count\n",
  "Arguments: ",
];

describe.each(json)("between the markers of $name", ({ protocol, opener, json: body, closer }) => {
  test.each([...signs, ...comments])("%j after the call says nothing", (remark) => {
    expect(read(opener + body + remark + closer, protocol)).toEqual({ calls: [call], text: "" });
  });

  test.each([' // floor", "floor": 2}', ' # b"}', ' // "floor": 3'])("%j may be a part of the call", (rest) => {
    expect(read(opener + body + rest + closer, protocol)?.calls).not.toEqual([call]);
  });
});

/** Those whose own fence comes before the JSON are left out. */
const unfenced = json.filter(({ opener }) => !opener.includes("```"));

describe.each(unfenced)("after the markers of $name", ({ protocol, opener, json: body, closer }) => {
  test.each([...labels, ...others])("%j before the call says nothing", (label) => {
    expect(read(opener + label + body + closer, protocol)).toEqual({ calls: [call], text: "" });
  });

  test("a word of a label may be a tool's name", () => {
    for (const name of ["tool", "function"]) {
      const others = [{ name, parameters: { type: "object", properties: { shelf: {} } } }, ...tools];
      const parser = createReplyParser({ protocol, tools: others });
      const events = [...parser.push(`${opener}call ${name}: ${body}${closer}`), ...parser.end()];
      expect(events.some(({ type }) => type === "call-end")).toBe(false);
    }
  });

  test("a label is none of another object, and an example is no call", () => {
    for (const before of ["Function: ", "json\n", "1. "])
      expect(read(`${opener}${before}{"color": "red"}${closer}`, protocol)?.calls).not.toEqual([call]);
    for (const before of ["Example: ", "Not ", "Instead of "])
      expect(read(opener + before + body + closer, protocol)?.calls).not.toEqual([call]);
  });
});

test.each(unfenced)(
  "the quotes in $name may be escaped, and line breaks be written as in a string",
  ({ protocol, opener, json: body, closer }) => {
    const broken = body.replaceAll(/(?<=[{,])/g, "\\n ").replaceAll("}", "\\n}");
    const escaped = body.replaceAll('"', '\\"');
    for (const written of [`\\n${broken}\\n`, escaped, `\\n${escaped.replaceAll(",", ",\\n")}\\n`])
      expect(read(opener + written + closer, protocol)).toEqual({ calls: [call], text: "" });
  },
);

/** Formats that begin with a tag before a bracket or another tag. */
const opened = Object.values<Protocol>(protocols).flatMap((protocol) => {
  const [, name, rest] = /^<([\w:]+)>\s*([{[<].*)$/s.exec(protocol.renderCalls([call], { tools })) ?? [];
  return name !== undefined && rest !== undefined && name !== call.name
    ? [{ of: protocol.name, protocol, name, rest }]
    : [];
});

test.each(opened)(
  "the first tag of $of may close itself, or have one bracket too many or none",
  ({ protocol, name, rest }) => {
    for (const tag of [
      `<${name}/>\n`,
      `<${name} />`,
      `<${name}\n`,
      `<${name} `,
      `<${name}`,
      `< ${name} >`,
      `<${name}>>\n`,
    ])
      expect(read(tag + rest, protocol)).toEqual({ calls: [call], text: "" });
    for (const words of [`Use <${name} and ${rest.slice(0, 1)}.`, `Write <${name}/> or <${name} [a].`])
      expect(read(words, protocol)?.calls).not.toEqual([call]);
  },
);

/** Formats whose markers are around one object with the name. */
const named = json.filter(({ json: body }) => body.includes("count_boxes"));

test.each(named)(
  "the items of a list between the markers of $name are calls",
  ({ protocol, opener, json: body, closer }) => {
    for (const [first, second] of [
      ["1. ", "\n2. "],
      ["- ", "\n- "],
      ["Call 1: ", ",\nCall 2: "],
      ["", "\n// and\n"],
    ]) {
      const { calls } = read(opener + first + body + second + body + closer, protocol) ?? {};
      expect(calls).toEqual([call, call]);
    }
  },
);

describe.each(tagged)("before the last tag of $name", ({ protocol, start, closer }) => {
  test.each([...signs, ...comments])("%j says nothing, or leaves the value in doubt", (remark) => {
    const found = read(start + remark + closer, protocol);
    const isDoubtful = found?.calls.length === 1 && typeof found.calls[0] === "string";
    expect(isDoubtful ? { calls: [call], text: found.text } : found).toEqual({ calls: [call], text: "" });
  });
});

const end = "<｜tool▁call▁end｜><｜tool▁calls▁end｜>";
const elements = "\n<arg_key>shelf</arg_key>\n<arg_value>north</arg_value>\n</tool_call>";

test.each([
  ["deepseek-v3", `function<｜tool▁sep｜>count_boxes\n\`\`\`json\n{"shelf": "north"}\n\`\`\`${end}`],
  ["deepseek-v3", `count_boxes<｜tool▁sep｜>{"shelf": "north"}${end}`],
  ["deepseek-v31", `count_boxes<｜tool▁sep｜>{"shelf": "north"}${end}`],
  ["deepseek-v31", `count_boxes<|tool_sep|>{"shelf": "north"}<|tool_call_end|>`],
  ["glm45", `count_boxes${elements}`],
] as const)("in %s, the first tokens may be missing where the reply begins: %j", (name, reply) => {
  const protocol = protocols[name];
  const rendered = protocol.renderCalls([call], { tools });
  expect(read(reply, protocol)).toEqual({ calls: [call], text: "" });
  expect(read(`${reply}\n${rendered}`, protocol)).toEqual({ calls: [call, call], text: "" });
  expect(read(reply.replace("count_boxes", "other"), protocol)?.calls).toEqual([]);
  expect(read(`I call ${reply}`, protocol)?.calls).toEqual([]);
  expect(read(`${reply.replace("<｜tool▁calls▁end｜>", "")} is a call.`, protocol)?.calls).toEqual([]);
});
