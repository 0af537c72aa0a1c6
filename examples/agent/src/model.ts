import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { withDownloadBar } from "@toolingua/example-command-line/download-bar";
import { ModelNotFoundError, resolveModel, writeTinyModel } from "@toolingua/llama-cpp";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";

export interface LoadOptions {
  /** A name or a path. Without it the default model, or the toy model where no weights can be had. */
  model: string | undefined;
  temperature: number;
  seed: number;
  signal?: AbortSignal | undefined;
}

/** A model that is loaded. `toy`: it has random weights, and knows nothing. */
export interface LoadedModel {
  model: EmbeddedChatModel;
  name: string;
  toy: boolean;
}

/** Finds the model, downloads it if need be (with a progress bar on stderr) and loads it. */
export async function loadModel({ model: wanted, temperature, seed, signal }: LoadOptions): Promise<LoadedModel> {
  const { path, name, chatTemplate, toy } = await find(wanted, signal);
  const engineOptions = { chatTemplate, contextSize: 4096 };
  const model = new EmbeddedChatModel({ modelPath: path, engineOptions, temperature, seed, maxTokens: 200 });
  await model.load();
  return { model, name, toy };
}

async function find(wanted: string | undefined, signal: AbortSignal | undefined) {
  try {
    const found = await withDownloadBar((onProgress) => resolveModel(wanted, { onProgress, signal }));
    return { ...found, toy: false };
  } catch (error) {
    if (wanted !== undefined || !(error instanceof ModelNotFoundError)) throw error;
    console.error(`${error.message}\n`);
    const path = join(tmpdir(), `toolingua-toy-${userInfo().username}.gguf`);
    await writeTinyModel(path);
    return { path, name: "toy model", chatTemplate: undefined, toy: true };
  }
}
