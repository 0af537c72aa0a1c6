import { getLlama } from "node-llama-cpp";

const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 1 });

/**
 * llama.cpp's own judgement of whole texts, without a model. Throws for a grammar that llama.cpp does not read.
 * `_testText` is internal to node-llama-cpp, whose version is pinned.
 */
export async function matcher(grammar: string): Promise<(text: string) => boolean> {
  const parsed = (await llama.createGrammar({ grammar })) as unknown as { _testText(text: string): boolean };
  return (text) => parsed._testText(text);
}
