import { describe, expect, test } from "vitest";
import {
  collectReply,
  createReplyParser,
  defineProtocol,
  parseReply,
  protocols,
  type ToolDefinition,
} from "../src/index.js";
import { markersIn } from "../src/syntax/markers.js";
import { type Form, isSlot, type Part } from "../src/syntax/syntax.js";
import { protocolNames } from "./arbitraries.js";

// One call with the arguments of two: which of them are meant is unknown, so it does not run. A list of both in their place
// is two
// calls: models write parallel calls so, and their tool is the same.

const tools: ToolDefinition[] = [
  { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
];

/** What may stand between the two. */
const between = ["", "\n", " ", "\n\n", ", ", ",\n"];

/** The same with a short word or a line. */
const joined = [" and ", "\nor\n", "\nOder:\n", " | ", "\n---\n", " + ", " then: "];

/** The same with a closing tag that is wrong. */
const closed = ["</name>", ", </name>", "</name>, "];

/** A call in one form of a protocol, also in one that it never writes. */
function written(protocol: (typeof protocols)[keyof typeof protocols], form: Form, city: string): string {
  const { block: _, ...syntax } = protocol.syntax;
  return defineProtocol({ ...protocol, syntax: { ...syntax, ...form, also: [] } }).renderCalls(
    [{ name: "get_weather", arguments: { city } }],
    { tools },
  );
}

const isText = (part: Part | undefined): part is string => typeof part === "string";

/** Whether a part closes a call with a tag or token. */
const hasTag = (part: Part | undefined) => isText(part) && /<[^<>]+>/.test(part);

/** Other arguments in the place after those of a call. */
function others(arguments_: string, kind: string, form: Form, body: number): string[] {
  if (kind === "python-arguments") return [arguments_, "()", '("Rome")'];
  const [before, after] = [form.call[body - 1], form.call[body + 1]];
  const isNamed = kind !== "json";
  // Without the name before it, a marker begins another call.
  const isLed = !isNamed && isText(before) && form.call.slice(0, body).some(isSlot);
  const lead = isLed
    ? [...markersIn(before).slice(-1), before.trim()].filter((marker) => !marker.startsWith("</"))
    : [];
  const isClosed = isText(after) && markersIn(after).length > 0;
  const fenced = !isNamed && isClosed ? [`\`\`\`json\n${arguments_}\n\`\`\``, `\`\`\`\n\`\`\`json\n${arguments_}`] : [];
  const lists = isNamed ? [] : [`[${arguments_}]`, '["Rome"]'];
  return [arguments_, "{}", ...lists, ...fenced, ...lead.map((marker) => marker + arguments_)];
}

/** Where the outermost object ends around an index of a call in JSON. */
function objectEnd(call: string, at: number): number {
  let open = [...call.slice(0, at).replaceAll(/[^{}]/g, "")].reduce((n, char) => n + (char === "{" ? 1 : -1), 0);
  for (let end = at; end < call.length; end++) {
    if (call[end] === "{") open++;
    else if (call[end] === "}" && --open === 0) return end + 1;
  }
  return at;
}

/** Replies with such a call. */
function replies(protocol: (typeof protocols)[keyof typeof protocols]): string[] {
  return [protocol.syntax, ...(protocol.syntax.also ?? [])].flatMap((form) => {
    const body = form.call.findIndex((part) => typeof part === "object" && "body" in part);
    const { body: kind } = form.call[body] as Extract<Part, { body: string }>;
    const [oslo, rome] = [written(protocol, form, "Oslo"), written(protocol, form, "Rome")];
    const [found] = /[{(][^{}()]*Oslo[^{}()]*[)}]/.exec(oslo) ?? [];
    if (found === undefined || !/json|python|keyed|input|action/.test(kind)) return [];
    const from = oslo.indexOf(found);
    const end = from + found.length;
    const second = others(rome.slice(from, end), kind, form, body);
    const texts = hasTag(form.call[body + 1]) ? [...between, ...closed] : between;
    const reply = (text: string, other: string) => oslo.slice(0, end) + text + other + oslo.slice(end);
    const apart = kind === "python-arguments" ? [] : joined;
    const whole = objectEnd(oslo, from);
    const afterWhole = (text: string) => oslo.slice(0, whole) + text + rome.slice(from, end) + oslo.slice(whole);
    return [
      ...(whole > end ? [...between, ...joined] : []).map(afterWhole),
      ...second.flatMap((other) => texts.map((text) => reply(text, other))),
      ...second
        .filter((other) => other.endsWith(rome.slice(from, end)) && !other.includes("`"))
        .flatMap((other) => apart.map((text) => reply(text, other))),
    ];
  });
}

describe.each(protocolNames)("%s", (name) => {
  test("a call with two objects of arguments does not run", () => {
    const wrong = replies(protocols[name]).flatMap((reply) => {
      const ran = [[reply], [...reply]].map((chunks) => {
        const parser = createReplyParser({ protocol: name, tools });
        const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
        return events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []));
      });
      return ran.flat().length > 0 ? [{ reply, ran }] : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe("an object after a call is text", () => {
  test.each([
    ["the data of a sentence, with a key that the tool lacks", 'and then {"city": "Rome", "degrees": 21} is returned.'],
    ["the call's own arguments", 'so {"city": "Oslo"} was asked for.'],
    ["after a longer word", 'Result: {"city": "Rome"}'],
    ["braces of prose", "where {city} is the name."],
  ])("%s", (_, text) => {
    for (const name of ["mistral", "gigachat3", "react", "glm4", "granite-20b"] as const) {
      const call = protocols[name].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools });
      const reply = `${call}\n${text}`;
      expect(parseReply(reply, { protocol: name, tools })).toMatchObject({
        toolCalls: [{ arguments: { city: "Oslo" } }],
        invalidToolCalls: [],
      });
    }
  });
});

test.each([
  ["hermes", '<tool_call>{"name": "get_weather", "arguments": {"name": "now", "city": "Oslo"}}</tool_call>'],
  ["hermes", '<tool_call>{"name": "get_weather", "arguments": {"tool": "now", "city": "Oslo"}}</tool_call>'],
  [
    "xml",
    '<tool_call>\n<name>get_weather</name>\n<name>now</name>\n<arguments>{"city": "Oslo"}</arguments>\n</tool_call>',
  ],
] as const)("a call with the name of another tool among its arguments does not run: %s", (protocol, reply) => {
  const known = [...tools, { name: "now" }];
  expect(parseReply(reply, { protocol, tools: known })).toMatchObject({ toolCalls: [], invalidToolCalls: [{}] });
  // Also where the key is dropped, because the schema is closed.
  const closed = { type: "object", properties: { city: {} }, additionalProperties: false } as const;
  const closedTools = [{ name: "get_weather", parameters: closed }, { name: "now" }];
  expect(parseReply(reply, { protocol, tools: closedTools })).toMatchObject({ toolCalls: [], invalidToolCalls: [{}] });
  expect(parseReply(reply, { protocol, tools: closedTools.slice(0, 1) }).toolCalls).toHaveLength(1);
  // Where the tool has such an argument, or no tool has that name, it is an argument.
  expect(parseReply(reply, { protocol, tools }).toolCalls).toHaveLength(1);
  const named = {
    name: "get_weather",
    parameters: { type: "object" as const, properties: { city: {}, name: {}, tool: {} } },
  };
  expect(parseReply(reply, { protocol, tools: [named, { name: "now" }] }).toolCalls).toHaveLength(1);
});

test.each([
  '{"name": "now", "arguments": {"name": "get_weather"}}',
  '{"name": "now", "arguments": {"name": "get_weather", "arguments": {"city": "Oslo"}}}',
  '{"name": "now", "arguments": {"tool": "get_weather", "args": {"city": "Oslo"}}}',
  '{"name": "now", "arguments": {"name": "x", "tool_name": "get_weather"}}',
])("a call of a tool without parameters does not run if its arguments are the call of another one: %s", (json) => {
  const reply = `<tool_call>${json}</tool_call>`;
  const known = [...tools, { name: "now" }];
  for (const step of [1, 5, reply.length]) {
    const parser = createReplyParser({ protocol: "hermes", tools: known });
    const events = reply.match(new RegExp(`.{1,${step}}`, "gs"))?.flatMap((text) => [...parser.push(text)]) ?? [];
    expect(collectReply([...events, ...parser.end()])).toMatchObject({ toolCalls: [], invalidToolCalls: [{}] });
  }
  expect(parseReply(reply, { protocol: "hermes", tools: [{ name: "now" }] }).toolCalls).toMatchObject([
    { arguments: {} },
  ]);
});
