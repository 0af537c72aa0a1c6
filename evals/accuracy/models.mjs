// The models that are asked: embedded ones by name or path, in this process or by llama.cpp's own server; and any
// endpoint that speaks OpenAI's chat completions.
import { readFileSync } from "node:fs";
import { chatEndpoint } from "@toolingua/endpoints";
import { LlamaCppEngine, MODELS, resolveModel, toTextModel } from "@toolingua/llama-cpp";
import OpenAI from "openai";
import { loadFunctions } from "./functions.mjs";
import { SERVER_WHEEL, startServer } from "./server/start.mjs";

export const embeddedModels = MODELS.map(({ name }) => name);

/**
 * The models to ask, not loaded yet. `server`: embedded ones are asked through llama.cpp's own server. `config`: a JSON
 * file with `[{ "name", "baseURL", "model", "apiKeyEnv", "backend", "prefill", "native", "schema" }]`, see the README;
 * or such a list.
 */
export function modelsOf(names, config, { server = false } = {}) {
  const listed = typeof config === "string" ? endpointsIn(config) : (config ?? []);
  return [...names.map(server ? served : embedded), ...listed.map(endpoint)];
}

function endpointsIn(path) {
  try {
    const list = JSON.parse(readFileSync(path, "utf8"));
    if (Array.isArray(list)) return list;
  } catch (error) {
    throw new Error(`${path} is no JSON list of endpoints (${error.message}).`);
  }
  throw new Error(`${path} is no JSON list of endpoints: give [{ "name", "baseURL", "model" }].`);
}

/** The supported ways of an in-process model. */
const inProcess = { grammar: true, lazy: true, prefill: true, "node-llama-cpp": true };

function embedded(name) {
  return {
    name,
    embedded: true,
    engine: "node-llama-cpp",
    can: inProcess,
    async load({ concurrency, threads }) {
      const { path, chatTemplate } = await resolveModel(name);
      const options = { modelPath: path, chatTemplate, sequences: concurrency, ...(threads && { threads }) };
      const engine = await LlamaCppEngine.load({ ...options, contextSize: 4096 });
      // Loaded again, and only for cells that need it: node-llama-cpp's functions have a session of their own.
      const functions = loadFunctions(path, { threads });
      return {
        model: toTextModel(engine),
        functions: functions.ask,
        async dispose() {
          await functions.dispose();
          await engine.dispose();
        },
      };
    },
  };
}

/** An embedded model served by llama.cpp's own server. */
function served(name) {
  return {
    name,
    embedded: true,
    engine: SERVER_WHEEL,
    can: { grammar: true, lazy: true, prefill: true, native: true, "json-schema": true },
    async load({ threads }) {
      const { path, chatTemplate } = await resolveModel(name);
      const turns = chatTemplate === undefined ? "chatml" : "document";
      const { baseURL, stop } = await startServer({ modelPath: path, turns, threads });
      const client = clientOf({ baseURL, model: name, backend: "llama.cpp", stop: chatTemplate?.stop });
      return { ...client, dispose: stop };
    },
  };
}

/** Servers that accept a grammar. Only llama.cpp's supports lazy grammars. */
const GRAMMARS = ["llama.cpp", "vllm", "sglang"];

function endpoint({ name, baseURL, model, apiKeyEnv, backend, prefill, native = true, schema = true }) {
  return {
    name,
    engine: backend ?? "an endpoint",
    can: {
      grammar: GRAMMARS.includes(backend),
      lazy: backend === "llama.cpp",
      prefill: prefill ?? (backend !== undefined && backend !== "openai"),
      native,
      "json-schema": schema,
    },
    async load() {
      const apiKey = apiKeyEnv ? process.env[apiKeyEnv] : "none";
      if (!apiKey) throw new Error(`${name}: ${apiKeyEnv} is not set.`);
      return { ...clientOf({ baseURL, model, apiKey, backend, prefill }), dispose: async () => {} };
    },
  };
}

/** A server as a text model, and for requests that are its own (`chat`). `stop`: what ends each reply besides. */
function clientOf({ baseURL, model, apiKey = "none", backend, prefill, stop = [] }) {
  const client = new OpenAI({ baseURL, apiKey });
  const text = chatEndpoint({ baseURL, model, apiKey, ...(backend && { backend }), ...(prefill && { prefill }) });
  return {
    model: (request) => text({ ...request, stop: [...(request.stop ?? []), ...stop] }),
    chat: (body) =>
      client.chat.completions.create({
        model,
        ...(stop.length > 0 && { stop }),
        // How many tokens were written is otherwise told at the end only.
        ...(body.stream && backend === "llama.cpp" && { timings_per_token: true }),
        ...body,
      }),
  };
}
