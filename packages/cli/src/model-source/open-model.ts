import type { TextModel, ToolStyle } from "@toolingua/core";
import type { ConstraintBackend } from "@toolingua/core/grammar";
import { chatEndpoint } from "@toolingua/endpoints";
import { CliError } from "../terminal/errors.js";
import type { Terminal } from "../terminal/terminal.js";
import type { Server } from "./ask-server.js";
import type { GivenKey } from "./given-key.js";
import { onlyModel, unlistedModel } from "./listed-models.js";
import { baseUrlOf, type ServerFacts, serverFacts } from "./server-facts.js";

/** The options that select a model, its location, and how it is called. */
export interface ModelOptions {
  upstream?: string;
  upstreamKey?: GivenKey;
  embedded?: string | true;
  model?: string;
  protocol?: string;
  style?: ToolStyle;
  backend?: ConstraintBackend;
  constraint?: "off" | "auto" | "required" | "fallback";
  startWithReasoning?: boolean;
}

/** A model ready for use, and the known facts about it. */
export interface OpenedModel {
  model: string;
  textModel: TextModel;
  /** Undefined: the model runs in this process. */
  server: Server | undefined;
  facts: ServerFacts;
  close(): Promise<void>;
}

/** Where the model is. */
type ModelPlace = {
  [Option in "upstream" | "upstreamKey" | "embedded" | "model" | "backend"]?: ModelOptions[Option] | undefined;
};

/** Options for opening a model. */
interface OpenModelOptions {
  /** Tokens that a model in this process is loaded for. Default: what it was trained for, at most 8192. */
  contextSize?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Opens the model that a command line names: one of a server; an embedded one, downloaded if needed; else the model of
 * this name on a local server.
 *
 * Errors: {@link CliError} if the command line is ambiguous; those of `serverFacts` and of `resolveModel`.
 *
 * @example const { textModel, close } = await openModel(terminal, { upstream: "localhost:8080" });
 */
export async function openModel(
  terminal: Terminal,
  place: ModelPlace,
  options: OpenModelOptions = {},
): Promise<OpenedModel> {
  const { upstream, embedded, model } = place;
  if (embedded !== undefined) return openEmbedded(terminal, embedded === true ? model : embedded, options);
  if (upstream !== undefined) return openUpstream(terminal, upstream, place, options);
  if (model === undefined)
    throw new CliError("usage", "Which model? Give --model NAME, --upstream URL or --embedded [MODEL].");
  const { findModel } = await import("./find-model.js");
  const { url, backend, model: name } = await findModel(model);
  return openUpstream(terminal, url, { backend, ...place, model: name }, options);
}

async function openUpstream(
  terminal: Terminal,
  address: string,
  { upstreamKey, model: named, backend: said }: ModelPlace,
  { signal }: OpenModelOptions,
): Promise<OpenedModel> {
  const server: Server = { baseURL: baseUrlOf(address), apiKey: upstreamKey?.() };
  const facts = await serverFacts(server, named, signal);
  const model = named ?? onlyModel(server.baseURL, facts.models);
  const unlisted = unlistedModel(model, facts);
  if (unlisted !== undefined) terminal.note(unlisted);
  const backend = said ?? facts.backend;
  return {
    model,
    textModel: chatEndpoint({ ...server, model, backend }),
    server,
    facts: backend === undefined ? facts : { ...facts, backend },
    close: async () => {},
  };
}

async function openEmbedded(
  terminal: Terminal,
  name: string | undefined,
  { contextSize, signal }: OpenModelOptions,
): Promise<OpenedModel> {
  const { pullModel } = await import("../models/pull-model.js");
  const { path, chatTemplate, name: model } = await pullModel(terminal, name);
  signal?.throwIfAborted();
  const { LlamaCppEngine, toTextModel } = await import("@toolingua/llama-cpp");
  const engine = await LlamaCppEngine.load({ modelPath: path, chatTemplate, contextSize });
  if (contextSize !== undefined && contextSize !== engine.contextSize)
    terminal.note(`The context has ${engine.contextSize} tokens: llama.cpp rounds ${contextSize} up.`);
  return {
    model: name ?? model,
    textModel: toTextModel(engine),
    server: undefined,
    facts: { models: [], modelNames: [model] },
    close: () => engine.dispose(),
  };
}
