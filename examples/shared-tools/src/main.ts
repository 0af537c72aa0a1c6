import { LlamaCppEngine, resolveModel } from "@toolingua/llama-cpp";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import { EmbeddedLLM } from "@toolingua/llama-cpp/llamaindex";
import { askLangChain } from "./langchain-agent.js";
import { askLlamaIndex } from "./llamaindex-agent.js";
import { Shop } from "./shop.js";

const question = process.argv.slice(2).join(" ") || "Where is my order 1042?";

const { path, chatTemplate } = await resolveModel("gemma3-270m", {
  onProgress: ({ received, total }) => process.stderr.write(`\rmodel       ${Math.round((100 * received) / total)}%  `),
});
const engine = await LlamaCppEngine.load({ modelPath: path, chatTemplate, contextSize: 4096 });
const sampling = { engine, temperature: 0, maxTokens: 100 };
try {
  console.log(`you         ${question}`);
  const shop = new Shop();
  console.log(`LangChain   ${await askLangChain(new EmbeddedChatModel(sampling), shop, question)}`);
  console.log(`LlamaIndex  ${await askLlamaIndex(new EmbeddedLLM(sampling), shop, question)}`);
  console.log(`tools used  ${shop.used.join(", ")}`);
} catch (error) {
  // A model this small may call for ever; both agents stop it, LangChain's with an error.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await engine.dispose();
}
