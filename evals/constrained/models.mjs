// Small models on the same questions, constrained by the grammar and free.
import { getProtocol, renderPrompt } from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
import { LlamaCppEngine, resolveModel } from "@toolingua/llama-cpp";
import { check } from "./check.mjs";

export async function loadModel(name) {
  const { path, chatTemplate } = await resolveModel(name);
  return LlamaCppEngine.load({ modelPath: path, threads: 1, contextSize: 2048, ...(chatTemplate && { chatTemplate }) });
}

const worked = ({ question, name, args }, i) => [
  { role: "user", content: question },
  { role: "assistant", content: "", toolCalls: [{ id: `${i}`, name, arguments: args }] },
  { role: "tool", toolCallId: `${i}`, name, content: "done" },
  { role: "assistant", content: "Done." },
];

const same = (given, wanted) =>
  Object.keys(given).length === Object.keys(wanted).length &&
  Object.entries(wanted).every(
    ([key, value]) => String(given[key]).trim().toLowerCase() === String(value).toLowerCase(),
  );

/** What the model makes of a question. `tool`: it called the right one; `right`: with the right arguments as well. */
export async function answer(engine, protocol, { question, tools, examples, name, args }, constrained) {
  const messages = [...examples.flatMap(worked), { role: "user", content: question }];
  const prompt = renderPrompt({ messages, tools, protocol, toolChoice: "required", prefill: false });
  const options = { tools, protocol: getProtocol(protocol), toolChoice: "required", parallel: false };
  const { text, finish, usage, timings } = await engine.generate({
    messages: prompt.messages,
    stop: prompt.stop,
    maxTokens: 128,
    ...(constrained && { grammar: toolCallGrammar({ ...options, maxStringLength: 60 }).grammar }),
  });
  const { calls, wrong } = check(text, { tools, protocol, finish });
  const [call] = calls;
  const tool = !wrong && call.name === name;
  const speed = { prompt: usage.inputTokens, tokens: usage.outputTokens, ms: Math.round(timings.decodeMs) };
  return { finish, valid: !wrong, tool, right: tool && same(call.args, args), ...speed, text, ...(wrong && { wrong }) };
}
