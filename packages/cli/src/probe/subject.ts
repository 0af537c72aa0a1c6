import type { TextModel } from "@toolingua/core";
import { nearestNames } from "@toolingua/core";
import { chatEndpoint } from "@toolingua/endpoints";
import type { ProbeOptions as Options } from "../commands/probe.js";
import { CliError } from "../terminal/errors.js";
import type { Terminal } from "../terminal/terminal.js";
import { baseUrlOf, type Server, type ServerFacts, serverFacts } from "./server.js";

/** A model that can be asked, and what is known of it. */
export interface OpenSubject {
  model: string;
  textModel: TextModel;
  /** Undefined: it is in this process. */
  server: Server | undefined;
  facts: ServerFacts;
  close(): Promise<void>;
}

/** Tokens that an embedded model is loaded for: a question with its tools takes some hundreds. */
const CONTEXT = 4096;

/**
 * The model that a command line names: one of a server, or one in this process.
 *
 * Errors: {@link CliError} where it is not clear which model is meant; those of `serverFacts` and of `resolveModel`.
 */
export async function openSubject(
  terminal: Terminal,
  address: string | undefined,
  options: Options,
  signal: AbortSignal,
): Promise<OpenSubject> {
  if (address === undefined) return embedded(options.embedded ?? "");
  const server: Server = { baseURL: checkedUrl(address), apiKey: options.apiKey };
  const facts = await serverFacts(server, options.model, signal);
  const model = options.model ?? onlyModel(facts);
  if (facts.models.length > 0 && !facts.models.includes(model) && facts.backend !== "llama.cpp") {
    const { meant } = nearestNames(model, facts.models);
    terminal.note(`The server lists no model ${model}${meant === undefined ? "" : `; did you mean ${meant}?`}`);
  }
  const backend = options.backend ?? facts.backend;
  const textModel = chatEndpoint({ ...server, model, backend });
  return { model, textModel, server, facts, close: async () => {} };
}

function checkedUrl(address: string): string {
  try {
    return baseUrlOf(address);
  } catch {
    throw new CliError("usage", `${address} is no address: it is given as http://localhost:8080/v1.`);
  }
}

function onlyModel({ models }: ServerFacts): string {
  const [only, ...others] = models;
  if (only !== undefined && others.length === 0) return only;
  const known = models.length > 0 ? ` It has ${models.slice(0, 10).join(", ")}${models.length > 10 ? ", …" : ""}.` : "";
  throw new CliError("usage", `Which model? Give its name as --model.${known}`);
}

async function embedded(name: string): Promise<OpenSubject> {
  const { LlamaCppEngine, resolveModel, toTextModel } = await import("@toolingua/llama-cpp");
  const { path, chatTemplate, name: model } = await resolveModel(name);
  const engine = await LlamaCppEngine.load({ modelPath: path, chatTemplate, contextSize: CONTEXT });
  return {
    model: name,
    textModel: toTextModel(engine),
    server: undefined,
    facts: { models: [], modelNames: [model] },
    close: () => engine.dispose(),
  };
}
