// The models that are asked: embedded ones by name or path, and any endpoint that speaks OpenAI's chat completions.
import { readFileSync } from "node:fs";
import { LlamaCppEngine, MODELS, resolveModel, toTextModel } from "@toolingua/llama-cpp";
import OpenAI from "openai";

export const embeddedModels = MODELS.map(({ name }) => name);

/**
 * The models to ask, not loaded yet. `config`: a JSON file with `[{ "name", "baseURL", "model", "apiKeyEnv", "grammar",
 * "prefill", "native" }]`, see the README.
 */
export function modelsOf(names, config) {
  return [...names.map(embedded), ...(config ? endpointsIn(config) : [])];
}

function endpointsIn(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).map(endpoint);
  } catch (error) {
    throw new Error(`${path} is no JSON list of endpoints (${error.message}).`);
  }
}

function embedded(name) {
  return {
    name,
    embedded: true,
    can: { grammar: true, prefill: true, native: false },
    async load({ concurrency, threads }) {
      const { path, chatTemplate } = await resolveModel(name);
      const options = { modelPath: path, chatTemplate, sequences: concurrency, ...(threads && { threads }) };
      const engine = await LlamaCppEngine.load({ ...options, contextSize: 4096 });
      return { model: toTextModel(engine), dispose: () => engine.dispose() };
    },
  };
}

function endpoint({ name, baseURL, model, apiKeyEnv, grammar = false, prefill = false, native = true }) {
  return {
    name,
    can: { grammar, prefill, native },
    async load() {
      const apiKey = apiKeyEnv ? process.env[apiKeyEnv] : "none";
      if (!apiKey) throw new Error(`${name}: ${apiKeyEnv} is not set.`);
      const client = new OpenAI({ baseURL, apiKey });
      return { model: textModel(client, model), native: nativeModel(client, model), dispose: async () => {} };
    },
  };
}

const sampling = ({ maxTokens, temperature, seed, stop }) => ({
  max_tokens: maxTokens,
  temperature,
  seed,
  ...(stop?.length && { stop: stop.slice(0, 4) }), // more are refused
});

const textModel = (client, model) =>
  async function* (request) {
    const { messages, prefill, constraint, signal } = request;
    const stream = await client.chat.completions.create(
      {
        model,
        messages: prefill ? [...messages, { role: "assistant", content: prefill }] : messages,
        ...sampling(request),
        ...(constraint && { grammar: constraint.grammar }),
        stream: true,
        stream_options: { include_usage: true },
      },
      { signal },
    );
    for await (const { choices, usage } of stream) {
      const [choice] = choices;
      if (choice?.delta.content) yield choice.delta.content;
      if (choice?.finish_reason) yield { finish: choice.finish_reason === "length" ? "length" : "stop" };
      if (usage) yield { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } };
    }
  };

/** Calls by the endpoint's own interface. Names have no dots there. */
const nativeModel = (client, model) =>
  async function native({ messages, tools, ...request }) {
    const names = new Map(tools.map(({ name }) => [name.replaceAll(/[^\w-]/g, "_"), name]));
    const { choices, usage } = await client.chat.completions.create({
      model,
      messages,
      ...sampling(request),
      tools: tools.map((tool) => ({
        type: "function",
        function: { ...tool, name: tool.name.replaceAll(/[^\w-]/g, "_") },
      })),
    });
    const { message } = choices[0];
    let failed = false;
    const calls = (message.tool_calls ?? []).flatMap(({ function: { name, arguments: text } }) => {
      try {
        return [{ name: names.get(name) ?? name, arguments: JSON.parse(text || "{}") }];
      } catch {
        failed = true;
        return [];
      }
    });
    return {
      calls,
      failed,
      reply: JSON.stringify(message),
      tokensIn: usage.prompt_tokens,
      tokensOut: usage.completion_tokens,
    };
  };
