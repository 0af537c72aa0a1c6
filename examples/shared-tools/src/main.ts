import { run } from "@toolingua/example-command-line";
import { LlamaCppEngine, resolveModel } from "@toolingua/llama-cpp";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import { EmbeddedLLM } from "@toolingua/llama-cpp/llamaindex";
import { askLangChain } from "./langchain-agent.js";
import { askLlamaIndex } from "./llamaindex-agent.js";
import { Shop } from "./shop.js";

await run({ command: "npm run start:shared-tools", words: "question", options: {} }, async ({ words }) => {
  const question = words || "Where is my order 1042?";
  const { path, chatTemplate } = await resolveModel("gemma3-270m", {
    onProgress: ({ received, total }) =>
      process.stderr.write(`\rmodel       ${Math.round((100 * received) / total)}%  `),
  });
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
