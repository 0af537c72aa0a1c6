import { parseArgs } from "node:util";
import type { TextModel } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { chatEndpoint } from "@toolingua/endpoints";
import { LlamaCppEngine, resolveModel, toTextModel } from "@toolingua/llama-cpp";
import { examples, Notes } from "./tools.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "base-url": { type: "string" }, model: { type: "string" } },
});
const options = { protocol: "hermes", style: "signature", temperature: 0, messages: examples } as const;
const conversation = new ToolConversation({ model: await loadModel(), tools: new Notes().toToolList(), ...options });
const question = positionals.join(" ") || "Please note: buy bread.";
for await (const event of conversation.run(question)) {
  if (event.type === "text") process.stdout.write(event.text);
  if (event.type === "tool-end") console.log(`${event.call.name} → ${event.result.content}`);
  if (event.type === "end") console.log(`\n(${event.result.stopReason})`, event.result.error ?? "");
}

async function loadModel(): Promise<TextModel> {
  const { "base-url": baseURL, model } = values;
  if (baseURL) return chatEndpoint({ baseURL, model: model ?? "default" });
  const { path, chatTemplate } = await resolveModel(model);
  return toTextModel(await LlamaCppEngine.load({ modelPath: path, chatTemplate, contextSize: 4096 }), {
    maxTokens: 200,
  });
}
