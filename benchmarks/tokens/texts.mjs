// The texts that are counted, by what they say: tools, one call, a result, a conversation.
import { peers } from "@toolingua/benchmark-peers";
import { listTools, protocols, renderPrompt } from "@toolingua/core";
import { tools as all } from "./tools.mjs";

export const sizes = [3, 10, 50];
const sharedStyles = ["json", "signature", "compact"];
export const styles = ["native", ...sharedStyles];

const openAiTools = (tools) => tools.map((tool) => ({ type: "function", function: tool }));
const anthropicTools = (tools) =>
  tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));

const writers = {
  "OpenAI JSON": (tools) => JSON.stringify(openAiTools(tools)),
  "OpenAI JSON, pretty": (tools) => JSON.stringify(openAiTools(tools), null, 2),
  "Anthropic JSON": (tools) => JSON.stringify(anthropicTools(tools)),
  ...Object.fromEntries(sharedStyles.map((style) => [`style ${style}`, (tools) => listTools(tools, style)])),
};

/** Tools alone, with no word on how to call them. `group`: which so many of the fifty. */
export function lists(count) {
  const groups = Array.from({ length: Math.floor(all.length / count) }, (_, i) =>
    all.slice(i * count, (i + 1) * count),
  );
  return groups.flatMap((tools, group) =>
    Object.entries(writers).map(([what, write]) => ({ what, group, text: write(tools) })),
  );
}

const question = [{ role: "user", content: "?" }];
const joined = (messages) => messages.map(({ content }) => content).join("\n");

/** All that a model is told before a question: the tools, and how to call them. */
export async function prompts(count) {
  const tools = all.slice(0, count);
  const ours = Object.keys(protocols).flatMap((protocol) =>
    styles.map((style) => ({
      what: protocol,
      style,
      text: joined(renderPrompt({ messages: question, tools, protocol, style }).messages),
    })),
  );
  const theirs = peers.map(async ({ name, prompt }) => ({
    what: name,
    text: joined((await prompt(question, tools)).messages),
  }));
  return [...ours, ...(await Promise.all(theirs))];
}

const weather = { name: "get_weather", arguments: { city: "Reykjavík", days: 3, units: "metric" } };
const mail = {
  name: "send_email",
  arguments: {
    to: ["ann@example.com", "bo@example.com"],
    subject: "Weather in Reykjavík",
    body: 'Hi Ann, hi Bo,\n\nit will be "fresh": 4 °C, wind 9 m/s from the west.\nBring a coat.\n\nBest\nKim',
    priority: "high",
  },
};
const event = {
  name: "create_event",
  arguments: {
    title: "Dinner",
    start: "2026-03-04T19:00:00Z",
    end: "2026-03-04T21:30:00Z",
    attendees: [{ email: "ann@example.com" }, { email: "bo@example.com", optional: true }],
    reminders: [60, 10],
  },
};
const edit = {
  name: "edit_file",
  arguments: {
    path: "src/area.ts",
    edits: [
      {
        old_text: "export function area(w: number, h: number) {\n  return w + h;\n}\n",
        new_text:
          'export function area(width: number, height: number): number {\n  if (width < 0 || height < 0) throw new RangeError("sides must not be negative");\n  return width * height;\n}\n',
      },
    ],
  },
};
const samples = { "short arguments": weather, "a text": mail, "nested values": event, "a change of code": edit };

const openAiCall = ({ name, arguments: args }) =>
  JSON.stringify({ id: "call_9f2c41", type: "function", function: { name, arguments: JSON.stringify(args) } });
const anthropicCall = ({ name, arguments: input }) =>
  JSON.stringify({ type: "tool_use", id: "toolu_9f2c41", name, input });

/** One call: `{ what, sample, text }`. The bare call is the JSON that says the same and no more. */
export function calls() {
  return Object.entries(samples).flatMap(([sample, call]) => [
    { what: "bare JSON", sample, text: JSON.stringify(call) },
    { what: "OpenAI JSON", sample, text: openAiCall(call) },
    { what: "Anthropic JSON", sample, text: anthropicCall(call) },
    ...Object.values(protocols).map(({ name, renderCalls }) => ({
      what: name,
      sample,
      text: renderCalls([call], { tools: all }),
    })),
  ]);
}

const answers = [
  '{"city":"Reykjavík","days":[{"celsius":4,"wind":"9 m/s W","rain":true},{"celsius":2,"wind":"14 m/s W","rain":false}]}',
  "Sent to 2 recipients.",
  "Created event ev_5521.",
];
const resultOf = (i, name) => ({ toolCallId: `call_${i}`, name, content: answers[i] });

/** One result. */
export function results() {
  const result = resultOf(0, "get_weather");
  const { toolCallId, content } = result;
  return [
    { what: "OpenAI JSON", text: JSON.stringify({ role: "tool", tool_call_id: toolCallId, content }) },
    { what: "Anthropic JSON", text: JSON.stringify({ type: "tool_result", tool_use_id: toolCallId, content }) },
    ...Object.values(protocols).map(({ name, renderResults }) => ({
      what: name,
      text: renderResults([result], { tools: all }),
    })),
  ];
}

const history = [
  { role: "system", content: "You are a helpful assistant." },
  {
    role: "user",
    content: "What will the weather be in Reykjavík? Write it to Ann and Bo, and invite them to dinner.",
  },
  ...[weather, mail, event].flatMap((call, i) => [
    { role: "assistant", content: "", toolCalls: [{ id: `call_${i}`, ...call }] },
    { role: "tool", ...resultOf(i, call.name) },
  ]),
  { role: "assistant", content: "It will be fresh, 4 °C. Ann and Bo know, and are invited." },
  { role: "user", content: "Thanks. What else can you do?" },
];

const openAiMessage = (message) => {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
  if (!message.toolCalls) return message;
  const tool_calls = message.toolCalls.map((call) => JSON.parse(openAiCall(call)));
  return { role: "assistant", content: null, tool_calls };
};

/** A conversation with three calls and their results, tools and all; in each protocol's own style. */
export async function histories(count) {
  const tools = all.slice(0, count);
  const openAi = { messages: history.map(openAiMessage), tools: openAiTools(tools) };
  const ours = Object.keys(protocols).map((protocol) => ({
    what: protocol,
    text: joined(renderPrompt({ messages: history, tools, protocol }).messages),
  }));
  const withHistory = peers.filter(({ name }) => name.startsWith("ai-sdk-tool"));
  const theirs = withHistory.map(async ({ name, prompt }) => ({
    what: name,
    text: joined((await prompt(history, tools)).messages),
  }));
  return [{ what: "OpenAI JSON", text: JSON.stringify(openAi) }, ...ours, ...(await Promise.all(theirs))];
}
