import { getProtocol } from "@toolingua/core";
import { extractReasoningMiddleware } from "ai";
import { z } from "zod";
import { type Call, type Conversation, type DescribedTool, type Format, textsOf } from "./conversations.js";

// What the peer's documentation beyond its README shows, in our own words: the pages of its `docs` (August 2025 to January
// 2026, when they were removed) and the README of its `examples`. Each in the format of the page, or in Hermes'.

export type Documented = Conversation & { format: Format };

const place: DescribedTool = { description: "Where the user is", inputSchema: z.object({}) };
const weather: DescribedTool = {
  description: "The weather in a city",
  inputSchema: z.object({ city: z.string(), unit: z.enum(["celsius", "fahrenheit"]).optional() }),
  inputExamples: [{ input: { city: "Busan", unit: "celsius" } }],
};
const convert: DescribedTool = {
  description: "Converts an amount of money",
  inputSchema: z.object({ amount: z.number(), from: z.string(), to: z.string() }),
};
const writeFile: DescribedTool = { inputSchema: z.object({ path: z.string(), content: z.string() }) };
const plot: DescribedTool = {
  inputSchema: z.looseObject({
    points: z.array(z.number()).optional(),
    labels: z.array(z.string()).optional(),
    range: z.tuple([z.number(), z.number()]).optional(),
    style: z.object({ width: z.number(), bold: z.boolean() }).optional(),
    count: z.number().optional(),
    bold: z.boolean().optional(),
    title: z.string().optional(),
  }),
};
const release: DescribedTool = {
  inputSchema: z.object({
    id: z.string(),
    window: z.object({ from: z.string(), to: z.string() }),
    steps: z.array(z.object({ order: z.number(), action: z.string(), needs: z.array(z.string()) })),
    rollback: z.object({ required: z.boolean(), minutes: z.number(), triggers: z.array(z.string()) }),
  }),
};

const tools = { place, weather, convert, writeFile, plot, release };
const definitions = Object.entries(tools).map(([name, { inputSchema }]) => ({
  name,
  parameters: z.toJSONSchema(inputSchema),
}));
const written = (format: Format, ...made: Call[]): string =>
  getProtocol(format).renderCalls(
    made.map(([name, args]) => ({ name, arguments: args })),
    { tools: definitions },
  );

const DONE = "Done.";
const seoul: Call = ["weather", { city: "Seoul" }];
const oslo: Call = ["weather", { city: "Oslo" }];
const markdown = Array.from(
  { length: 8 },
  (_, i) => `## Part ${i}\n\n- one\n- two <b>bold</b> & more\n\n\`\`\`ts\nconst a = ${i} < 3 && "x";\n\`\`\`\n`,
)
  .join("\n")
  .trim();
const bundle: Call = [
  "release",
  {
    id: "r-1",
    window: { from: "2026-03-01T10:00", to: "2026-03-01T12:00" },
    steps: [
      { order: 1, action: "Drain", needs: [] },
      { order: 2, action: "Switch over", needs: ["a key", "a friend"] },
    ],
    rollback: { required: true, minutes: 15, triggers: ["errors", "slowness"] },
  },
];

/** A call as JSON in Hermes' tags. */
const json = (name: string, args: string) => `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;
const element = (name: string, inside: string) => `<${name}>\n${inside}\n</${name}>`;

const calls = (
  group: string,
  name: string,
  format: Format,
  tools: Documented["tools"],
  ...made: Call[]
): Documented => ({
  ...{ group, name, format },
  ...(tools && { tools }),
  replies: [written(format, ...made), DONE],
  expected: { runs: made, text: DONE },
});

const START = "documented: getting started, examples";
const start: Documented[] = [
  ...(["hermes", "tool-tags", "yaml", "qwen3-coder"] as const).map(
    (format): Documented => ({
      ...{ group: START, name: `a place, then its weather, in ${format}`, format },
      tools: { place, weather },
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "How is the weather here?" },
      ],
      replies: [written(format, ["place", {}]), `I look.\n${written(format, seoul)}`, DONE],
      expected: { runs: [["place", {}], seoul], text: DONE },
    }),
  ),
  calls(START, "the weather in two cities", "tool-tags", { weather }, seoul, oslo),
  {
    ...calls(START, "examples of inputs are shown to the model", "tool-tags", { weather }, seoul),
    expected: {
      runs: [seoul],
      text: DONE,
      asked: ([request]) => textsOf(request).some((said) => said.includes("Busan") && said.includes("celsius")),
    },
  },
  {
    ...{ group: START, name: "a file as it is written", format: "tool-tags", tools: { writeFile } },
    replies: [element("writeFile", `<path>a.md</path>\n<content>${markdown}</content>`), DONE],
    expected: { runs: [["writeFile", { path: "a.md", content: markdown }]], text: DONE, pieces: 100 },
  },
  {
    ...calls(START, "many nested arguments as they are written", "hermes", { release }, bundle),
    expected: { runs: [bundle], text: DONE, pieces: 50 },
  },
  calls(START, "many nested arguments", "tool-tags", { release }, bundle),
  {
    ...{ group: START, name: "reasoning in tags that another middleware reads", format: "hermes" },
    tools: { weather },
    below: [extractReasoningMiddleware({ tagName: "think" })],
    replies: [`<think>Perhaps ${written("hermes", oslo)}</think>\n${written("hermes", seoul)}`, DONE],
    expected: { runs: [seoul], text: DONE },
  },
];

const CHOICE = "documented: tool choice";
const joke: Documented["messages"] = [{ role: "user", content: "Tell me a joke." }];
const choice: Documented[] = (["tool-tags", "hermes"] as const).flatMap((format) => {
  const obliging: Documented["replies"][number] = ({ responseFormat }) =>
    responseFormat?.type === "json" ? JSON.stringify({ name: "weather", arguments: seoul[1] }) : written(format, seoul);
  const one = (name: string, rest: Pick<Documented, "replies" | "expected"> & Partial<Documented>): Documented => ({
    ...{ group: CHOICE, name: `${name}, in ${format}`, format, tools: { weather, convert }, messages: joke },
    ...rest,
  });
  return [
    one("any tool", { toolChoice: "required", replies: [obliging], expected: { runs: [seoul] } }),
    one("one tool", {
      toolChoice: { type: "tool", toolName: "weather" },
      replies: [obliging],
      expected: { runs: [seoul] },
    }),
    one("none: tools are not shown", {
      toolChoice: "none",
      replies: ["A joke."],
      expected: {
        runs: [],
        text: "A joke.",
        asked: ([request]) => !textsOf(request).some((said) => said.includes("Converts an amount")),
      },
    }),
    one("a tool that there is not: an error", {
      toolChoice: { type: "tool", toolName: "whether" },
      replies: [obliging],
      expected: { runs: [], error: /whether/ },
    }),
  ];
});

const COERCION = "documented: argument coercion";
const coerced = (name: string, format: Format, reply: string, args: Record<string, unknown>): Documented => ({
  ...{ group: COERCION, name, format },
  tools: { plot },
  replies: [reply, DONE],
  expected: { runs: [["plot", args]], text: DONE },
});
const coercion: Documented[] = [
  coerced("a number in quotes", "hermes", json("plot", '{"count": "42"}'), { count: 42 }),
  coerced("a number with an exponent", "tool-tags", element("plot", "<count>1.5e3</count>"), { count: 1500 }),
  coerced("a truth value in quotes", "hermes", json("plot", '{"bold": "true"}'), { bold: true }),
  coerced("a truth value in an element", "tool-tags", element("plot", "<bold>false</bold>"), { bold: false }),
  coerced("numbers with commas", "hermes", json("plot", '{"points": "1, 2, 3"}'), { points: [1, 2, 3] }),
  coerced("numbers on lines", "tool-tags", element("plot", "<points>\n1\n2\n3\n</points>"), { points: [1, 2, 3] }),
  coerced("a list as text", "hermes", json("plot", '{"labels": "[\\"a\\", \\"b\\"]"}'), { labels: ["a", "b"] }),
  coerced("an object as text", "hermes", json("plot", '{"style": "{\\"width\\":\\"1\\",\\"bold\\":\\"true\\"}"}'), {
    style: { width: 1, bold: true },
  }),
  coerced("an object as text, in Python's quotes", "hermes", json("plot", `{"style": "{'width': 1, 'bold': true}"}`), {
    style: { width: 1, bold: true },
  }),
  coerced("an object of elements", "tool-tags", element("plot", "<style><width>2</width><bold>true</bold></style>"), {
    style: { width: 2, bold: true },
  }),
  coerced("items in elements", "tool-tags", element("plot", "<labels><item>a</item><item>b</item></labels>"), {
    labels: ["a", "b"],
  }),
  coerced("repeated elements", "tool-tags", element("plot", "<labels>a</labels>\n<labels>b</labels>"), {
    labels: ["a", "b"],
  }),
  coerced("numbered elements", "tool-tags", element("plot", "<range><0>1</0><1>5</1></range>"), { range: [1, 5] }),
  coerced("numbered keys", "hermes", json("plot", '{"range": {"0": 1, "1": 5}}'), { range: [1, 5] }),
  coerced("items in an object", "hermes", json("plot", '{"labels": {"item": ["a", "b"]}}'), { labels: ["a", "b"] }),
  coerced("a list in an object of one key", "hermes", json("plot", '{"labels": {"values": ["a", "b"]}}'), {
    labels: ["a", "b"],
  }),
  coerced("one text for a list", "hermes", json("plot", '{"labels": "one"}'), { labels: ["one"] }),
  coerced("one number for a list", "hermes", json("plot", '{"points": 7}'), { points: [7] }),
  coerced("another key of an open schema", "hermes", json("plot", '{"title": "T", "more": "1"}'), {
    title: "T",
    more: "1",
  }),
];

const PROTOCOLS = "documented: protocols, streaming, handlers";
const protocols: Documented[] = [
  {
    ...{ group: PROTOCOLS, name: "keys without quotes, comments and a last comma", format: "hermes" },
    tools: { weather },
    replies: ['<tool_call>\n{name: "weather", /* here */ arguments: {city: "Seoul",}}\n</tool_call>', DONE],
    expected: { runs: [seoul], text: DONE },
  },
  ...["<!DOCTYPE html>\n<p>1 < 2 <br></p>", "<i>this &amp; that</i>"].map(
    (content): Documented => ({
      ...{ group: PROTOCOLS, name: `markup in a text: ${content}`, format: "tool-tags", tools: { writeFile } },
      replies: [element("writeFile", `<path>a.html</path>\n<content>${content}</content>`), DONE],
      expected: { runs: [["writeFile", { path: "a.html", content }]], text: DONE },
    }),
  ),
  {
    ...{ group: PROTOCOLS, name: "elements that are no tool's", format: "tool-tags" },
    tools: { weather },
    replies: ["This is <b>bold</b>, and <weatherman>he</weatherman> too."],
    expected: { runs: [], text: "This is <b>bold</b>, and <weatherman>he</weatherman> too." },
  },
  {
    ...{ group: PROTOCOLS, name: "a text argument that is there twice: no call runs", format: "tool-tags" },
    tools: { writeFile },
    replies: [element("writeFile", "<path>a</path>\n<content>one</content>\n<content>two</content>"), DONE],
    expected: { runs: [] },
  },
  {
    ...{ group: PROTOCOLS, name: "words before and after a call", format: "tool-tags" },
    tools: { weather },
    replies: [`I look.\n${written("tool-tags", seoul)}\nA moment.`, DONE],
    expected: {
      runs: [seoul],
      text: DONE,
      asked: (requests) => textsOf(requests[1]).some((said) => said.includes("I look.") && said.includes("A moment.")),
    },
  },
  ...(["hermes", "tool-tags"] as const).flatMap((format): Documented[] => [
    {
      ...{ group: PROTOCOLS, name: `the beginning of a marker at the end, in ${format}`, format },
      tools: { weather },
      replies: [format === "hermes" ? "One writes <tool_ca" : "One writes <weath"],
      expected: { runs: [], text: format === "hermes" ? "One writes <tool_ca" : "One writes <weath" },
    },
    {
      ...{ group: PROTOCOLS, name: `a call that the token limit cut off, in ${format}`, format },
      tools: { weather },
      replies: [{ content: [{ type: "text", text: written(format, seoul).slice(0, -22) }], finish: "length" }],
      expected: { runs: [] },
    },
    {
      ...{ group: PROTOCOLS, name: `earlier calls and results are text of users and assistants, in ${format}`, format },
      tools: { weather },
      messages: [
        { role: "user", content: "Weather in Oslo?" },
        { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "weather", input: oslo[1] }] },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "c", toolName: "weather", output: { type: "text", value: "It rains." } },
          ],
        },
        { role: "user", content: "And now?" },
        { role: "user", content: "Quickly!" },
      ],
      replies: [DONE],
      expected: {
        runs: [],
        text: DONE,
        asked: ([request]) => {
          const roles = request?.prompt.flatMap(({ role }) => (role === "system" ? [] : role)).join(" ");
          const said = textsOf(request).join("\n");
          const isThere = ["Oslo", "It rains.", "And now?", "Quickly!"].every((text) => said.includes(text));
          return roles === "user assistant user" && isThere && (request?.tools ?? []).length === 0;
        },
      },
    },
  ]),
];

const LATER = "documented: the README of version 5";
const bare = JSON.stringify({ name: "weather", arguments: seoul[1] });
const later: Documented[] = [bare, `\`\`\`json\n${bare}\n\`\`\``].map((reply, i) => ({
  ...{ group: LATER, name: i === 0 ? "a bare call" : "a bare call in a fence", format: "hermes", tools: { weather } },
  replies: [reply, DONE],
  expected: { runs: [seoul], text: DONE },
}));

export const documented: readonly Documented[] = [...start, ...choice, ...coercion, ...protocols, ...later];
