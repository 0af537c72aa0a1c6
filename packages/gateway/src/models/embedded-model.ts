import type { TextModel } from "@toolingua/core";
import type { LlamaCppEngine } from "@toolingua/llama-cpp";
import { Failure } from "../failure.js";

/** A model in this process. It is loaded at its first request. */
export interface EmbeddedModel {
  model: TextModel;
  /** Frees its memory. */
  close(): Promise<void>;
}

/**
 * A GGUF file, or a model that `resolveModel` knows by name, run by `@toolingua/llama-cpp`, which is imported only
 * here.
 *
 * Errors of a request: {@link Failure}, `invalid` if the prompt is too long, else `overloaded` or `upstream`.
 */
export function embeddedModel(name: string, contextSize: number): EmbeddedModel {
  let loading: Promise<{ engine: LlamaCppEngine; model: TextModel }> | undefined;

  async function load() {
    const { LlamaCppEngine, resolveModel, toTextModel } = await import("@toolingua/llama-cpp");
    const { path, chatTemplate } = await resolveModel(name);
    const engine = await LlamaCppEngine.load({ modelPath: path, chatTemplate, contextSize });
    return { engine, model: toTextModel(engine) };
  }
  function loaded() {
    loading ??= load();
    // A failure may be temporary (a download, memory): the next request tries again.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  }

  return {
    async *model(request) {
      try {
        const { model } = await loaded();
        yield* model(request);
      } catch (error) {
        if (request.signal?.aborted) throw error;
        throw failed(error);
      }
    },
    async close() {
      const ready = await loading?.catch(() => undefined);
      loading = undefined;
      await ready?.engine.dispose();
    },
  };
}

function failed(error: unknown): Failure {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const words = String(message);
  if (code === "context-overflow")
    return new Failure("invalid", words, { code: "context_length_exceeded", cause: error });
  const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  return new Failure(
    "upstream",
    isMissing ? "An embedded model needs @toolingua/llama-cpp and node-llama-cpp." : words,
    {
      code: "embedded_model",
      cause: error,
    },
  );
}
