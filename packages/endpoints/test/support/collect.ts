import type { FinishReason, TextModelChunk, Usage } from "@toolingua/core";

export const messages = [{ role: "user" as const, content: "What is the weather in Oslo?" }];

/** Everything that a model said. */
export async function collect(chunks: AsyncIterable<TextModelChunk>) {
  const all = {
    text: "",
    reasoning: "",
    pieces: [] as string[],
    usage: undefined as Usage | undefined,
    finish: undefined as FinishReason | undefined,
  };
  for await (const chunk of chunks) {
    if (typeof chunk === "string") {
      all.text += chunk;
      all.pieces.push(chunk);
      continue;
    }
    all.reasoning += chunk.reasoning ?? "";
    all.usage = chunk.usage ?? all.usage;
    all.finish = chunk.finish ?? all.finish;
  }
  return all;
}

/** The error that a model's reply ended with. */
export async function failure(chunks: AsyncIterable<TextModelChunk>): Promise<unknown> {
  try {
    await collect(chunks);
  } catch (error) {
    return error;
  }
  throw new Error("The reply did not fail.");
}
