// Small models on the same questions, held to the grammar and free.
import { getProtocol, renderPrompt } from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
import { LlamaCppEngine, resolveModel } from "@toolingua/llama-cpp";
import { check } from "./check.mjs";

export async function loadModel(name) {
  const { path, chatTemplate } = await resolveModel({ model: name });
  return LlamaCppEngine.load({ modelPath: path, threads: 1, contextSize: 2048, ...(chatTemplate && { chatTemplate }) });
}

/** Two worked examples before every question; with other tools than are asked for, so that they teach the form only. */
const tools = [
  {
    name: "find_book",
    description: "Books on a subject.",
    parameters: {
      type: "object",
      properties: { subject: { type: "string" }, count: { type: "integer" } },
      required: ["subject", "count"],
      additionalProperties: false,
    },
  },
  {
    name: "open_door",
    description: "Opens a door.",
    parameters: {
      type: "object",
      properties: { door: { enum: ["front", "back"] } },
      required: ["door"],
      additionalProperties: false,
    },
  },
];
const worked = (id, question, name, args, content) => [
  { role: "user", content: question },
  { role: "assistant", content: "", toolCalls: [{ id, name, arguments: args }] },
  { role: "tool", toolCallId: id, name, content },
  { role: "assistant", content: "Done." },
];
const examples = [
  ...worked("a", "Open the back door.", "open_door", { door: "back" }, "open"),
  ...worked("b", "Find 3 books on gardening.", "find_book", { subject: "gardening", count: 3 }, "3 found"),
];

const same = (given, wanted) =>
  Object.keys(given).length === Object.keys(wanted).length &&
  Object.entries(wanted).every(([key, value]) => String(given[key]).trim().toLowerCase() === String(value).toLowerCase());

/** What the model makes of a question. `tool`: it called the right one; `right`: with the right arguments as well. */
export async function answer(engine, protocol, { question, tools: asked, name, args }, constrained) {
  const shown = [...tools, ...asked];
  const messages = [...examples, { role: "user", content: question }];
  const prompt = renderPrompt({ messages, tools: shown, protocol, toolChoice: "required", prefill: false });
  const options = { tools: shown, protocol: getProtocol(protocol), toolChoice: "required", parallel: false };
  const { text, finish, usage, timings } = await engine.generate({
    messages: prompt.messages,
    stop: prompt.stop,
    maxTokens: 128,
    ...(constrained && { grammar: toolCallGrammar({ ...options, maxStringLength: 60 }).grammar }),
  });
  const { calls, wrong } = check(text, { tools: shown, protocol, finish });
  const [call] = calls;
  const tool = !wrong && call.name === name;
  const speed = { prompt: usage.inputTokens, tokens: usage.outputTokens, ms: Math.round(timings.decodeMs) };
  return { finish, valid: !wrong, tool, right: tool && same(call.args, args), ...speed, text, ...(wrong && { wrong }) };
}
