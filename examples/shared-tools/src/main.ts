import { run } from "@toolingua/example-command-line";
import { withDownloadBar } from "@toolingua/example-command-line/download-bar";
import { LlamaCppEngine, resolveModel } from "@toolingua/llama-cpp";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import { EmbeddedLLM } from "@toolingua/llama-cpp/llamaindex";
import { askLangChain } from "./langchain-agent.js";
import { askLlamaIndex } from "./llamaindex-agent.js";
import { Shop } from "./shop.js";

const commandLine = {
  command: "npm run start:shared-tools",
  about: "Gives the tools of one class to an agent of LangChain and to one of LlamaIndex.",
  words: "question",
  options: {},
};

await run(commandLine, async ({ words }) => {
  const question = words || "Where is my order 1042?";
  const { path, chatTemplate } = await withDownloadBar((onProgress) => resolveModel("gemma3-270m", { onProgress }));
  const engine = await LlamaCppEngine.load({ modelPath: path, chatTemplate, contextSize: 4096 });
  const sampling = { engine, temperature: 0, maxTokens: 100 };
  try {
    console.log(`you         ${question}`);
    const shop = new Shop();
    console.log(`LangChain   ${await askLangChain(new EmbeddedChatModel(sampling), shop, question)}`);
    console.log(`LlamaIndex  ${await askLlamaIndex(new EmbeddedLLM(sampling), shop, question)}`);
    console.log(`tools used  ${shop.used.join(", ")}`);
  } finally {
    await engine.dispose();
  }
});
