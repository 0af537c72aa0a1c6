import { basename } from "node:path";
import type { LlamaContext, LlamaContextOptions, LlamaModel, Token } from "node-llama-cpp";
import type { PromptPiece, TemplateVocabulary } from "../chat-template.js";
import { LlamaCppError } from "../errors.js";
import { whyNoGguf } from "./gguf-header.js";
import type { Native } from "./native.js";

/** The name of the model in a file: the file's name without ".gguf". */
export const modelNameOf = (path: string): string => basename(path).replace(/\.gguf$/i, "");

/** Loads a GGUF. Throws `model-not-found`, `not-a-model` or `out-of-memory`, with llama.cpp's own messages. */
export async function loadModelFile(native: Native, path: string, signal?: AbortSignal): Promise<LlamaModel> {
  await checkHeader(path);
  const outcome = await native.complaints(() =>
    native.llama.loadModel({ modelPath: path, ...(signal && { loadSignal: signal }) }),
  );
  if ("value" in outcome) return outcome.value;
  signal?.throwIfAborted();
  if (outcome.error instanceof native.module.InsufficientMemoryError) {
    throw new LlamaCppError("out-of-memory", `The model ${path} does not fit into memory.`, { cause: outcome.error });
  }
  const reason = outcome.complaints[0] ?? (outcome.error as Error).message;
  throw new LlamaCppError("not-a-model", `llama.cpp cannot load ${path}: ${reason}`, { cause: outcome.error });
}

/** Allocates the context for prompts and replies. Throws `out-of-memory`. */
export async function createContext(
  native: Native,
  model: LlamaModel,
  threads: number,
  options: LlamaContextOptions,
): Promise<LlamaContext> {
  const owner = {};
  native.threads.demand(owner, owner, threads); // a context never uses more threads than the limit was when it was made
  const outcome = await native.complaints(() => model.createContext({ ...options, threads }));
  native.threads.release(owner);
  if ("value" in outcome) return outcome.value;
  options.createSignal?.throwIfAborted();
  const reason = outcome.complaints[0] ?? (outcome.error as Error).message;
  throw new LlamaCppError("out-of-memory", `There is no room for the context: ${reason}. Try a smaller contextSize.`, {
    cause: outcome.error,
  });
}

async function checkHeader(path: string): Promise<void> {
  let reason: string | undefined;
  try {
    reason = await whyNoGguf(path);
  } catch (cause) {
    throw new LlamaCppError("model-not-found", `The model file ${path} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (reason !== undefined) throw new LlamaCppError("not-a-model", `llama.cpp cannot load ${path}: ${reason}.`);
}

const NORMAL = 1; // llama.cpp's two token types that are never markup
const BYTE = 6;

/** The tokens that a chat template writes. */
export function templateVocabulary(model: LlamaModel): TemplateVocabulary {
  const { tokens = [], token_type: types = [] } = model.fileInfo.metadata?.tokenizer?.ggml ?? {};
  const control: string[] = [];
  const markup: string[] = [];
  for (let id = 0; id < tokens.length; id++) {
    if (types[id] === NORMAL || types[id] === BYTE || tokens[id] === "") continue;
    // llama.cpp's own attributes, not the file's: llama.cpp corrects files whose end-of-turn token is not marked as
    // control.
    const attributes = model.getTokenAttributes(id as Token);
    if (attributes.control || attributes.unknown) control.push(tokens[id]!);
    else if (attributes.userDefined) markup.push(tokens[id]!);
  }
  return { bos: model.tokens.bosString ?? undefined, eos: model.tokens.eosString ?? undefined, control, markup };
}

/** The tokens of a prompt, with the BOS token first if the model wants one. */
export function tokenizePrompt(model: LlamaModel, pieces: readonly PromptPiece[]): Token[] {
  const tokens = pieces.flatMap(({ text, trusted }, index) => {
    // Tokenizers that add a space before a text must not add one within the prompt.
    const read = (part: string) => model.tokenize(part, trusted, index > 0 ? "trimLeadingSpace" : undefined);
    const tokens = read(text);
    // The tokenizer recognises a user-defined token even in plain text.
    const isMarkup = !trusted && tokens.some((token) => model.getTokenAttributes(token).userDefined);
    return isMarkup ? Array.from(text).flatMap(read) : tokens;
  });
  const { bos, eos, shouldPrependBosToken } = model.tokens;
  if (tokens.length === 0) return [bos ?? eos ?? (0 as Token)]; // the reply needs a preceding token
  return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens;
}
