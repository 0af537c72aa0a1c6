import { expect, it } from "vitest";
import { hermes } from "../../protocols/hermes.js";
import { mistral } from "../../protocols/mistral.js";
import { type WhyTextOptions, whyPieces, whyText } from "./why-text.js";

const tools = [
  { name: "now", parameters: { type: "object", properties: {} } },
  {
    name: "weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];
const marked = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
const bare = '{"name": "weather", "arguments": {"city": "Oslo"}}';
const thought = "I look at the weather of Oslo, since the user asked for it. ".repeat(20);

const reasonsOf = (reply: string, options: Partial<WhyTextOptions> = {}) =>
  whyText(reply, { tools, protocol: hermes, reasoning: "", ...options }).map(({ reason }) => reason);

it.each<[what: string, reply: string, options: Partial<WhyTextOptions>, reason: RegExp]>([
  ["no tools", marked, { tools: [] }, /^a call of "weather", but there are no tools$/],
  ["no tools, bare JSON in a fence", `\`\`\`json\n${bare}\n\`\`\``, { tools: [] }, /but there are no tools$/],
  ["another format", marked, { protocol: mistral, accept: "own" }, /"weather" in another format than mistral; only/],
  ["a code block", `So:\n\`\`\`\n${marked}\n\`\`\`\nDone.`, {}, /"weather" in a code block or inline code is quoted/],
  ["bare JSON in a fence", `So:\n\`\`\`json\n${bare}\n\`\`\`\nDone.`, {}, /"weather" in a code block/],
  ["inline code", `Write \`${marked}\` for it.`, {}, /"weather" in a code block or inline code is quoted/],
  ["a block quote", `So:\n> ${marked}`, {}, /"weather" in a block quote or a comment is quoted/],
  ["words after it", `${bare} is what I would call.`, {}, /^words are around a call of "weather" without a marker$/],
  ["inline Python", 'Sure, weather(city="Oslo").', {}, /^words are around a call of "weather" without a marker$/],
  ["a tag within a line", "Sure: <weather><city>Oslo</city></weather>", {}, /^words are around a call of "weather"/],
  ["an expression", "I call this:\nweather(city=towns[0])", {}, /^a call of "weather" cannot be read: the argument/],
  [
    "a long key before it",
    JSON.stringify({ considered: thought, name: "weather", arguments: { city: "Oslo" }, done: false }),
    {},
    /^a call of "weather" is beside other keys: "considered", "done"$/,
  ],
  [
    "other keys",
    '{"method": "weather", "params": {"city": "Oslo"}}',
    {},
    /^a call of "weather" has the keys "method", "params" instead of "name", "arguments"$/,
  ],
  ["an unknown tool", '{"name": "wether", "arguments": {"city": "Oslo"}}', {}, /^there is no tool "wether"\. Did you/],
  [
    "HTML's entities",
    `&lt;tool_call&gt;${bare.replaceAll('"', "&quot;")}&lt;/tool_call&gt;`,
    {},
    /"weather" is written with HTML's entities/,
  ],
  ["a call that is cut off", 'I call weather(city="Oslo"', {}, /"weather" is incomplete: the reply ends in it/],
  ["a marker", "A call begins with <tool_call> here.", {}, /^the marker <tool_call> is mentioned/],
  ["a bare name", "I use a tool.\nnow", {}, /^"now" is the name of a tool, without arguments or a marker$/],
  ["a copy", `It says ${marked}`, { untrusted: [marked] }, /"weather" that is copied from a message of a user/],
  ["a thought", `<think>Is it ${marked}?</think>Yes.`, {}, /^a call of "weather" in reasoning is a thought$/],
  ["a thought apart", "Yes.", { reasoning: `Is it ${marked}?` }, /^a call of "weather" in reasoning is a thought$/],
  ["an invalid call before it", `<tool_call>\n{"name"\n</tool_call>\n${bare}`, {}, /^after an invalid call/],
])("says why a reply has no call: %s", (_, reply, options, reason) => {
  expect(reasonsOf(reply, options)).toEqual([expect.stringMatching(reason)]);
});

it.each([
  "It is noon.",
  "Use f(x), or print(x).",
  'I have {"city": "Oslo"}.',
  "a &lt; b",
  "```js\nlet a = 1;\n```",
  marked,
])("says nothing of %j", (reply) => {
  expect(reasonsOf(reply)).toEqual([]);
});

it("says a reason for each text", () => {
  const reply = `<think>${marked}</think>Sure, weather(city="Oslo").`;
  expect(reasonsOf(reply)).toHaveLength(2);
  expect(whyPieces([{ became: "markup", source: "now()" }], { tools })).toEqual([undefined]);
});

// In quadratic time, each would take a minute.
it.each(["a".repeat(200_000), `a(${";".repeat(200_000)})`])("a long text is examined in linear time", (reply) => {
  expect(whyText(reply, { tools, protocol: hermes, reasoning: "" })).toEqual([]);
});
