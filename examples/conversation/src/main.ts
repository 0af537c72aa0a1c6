import type { TextModel } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { chatEndpoint } from "@toolingua/endpoints";
import { run } from "@toolingua/example-command-line";
import { withDownloadBar } from "@toolingua/example-command-line/download-bar";
import { LlamaCppEngine, resolveModel, toTextModel } from "@toolingua/llama-cpp";
import { examples, Notes } from "./tools.js";

const commandLine = {
  command: "npm run start:conversation",
  about: "Runs a conversation with three tools for notes, without a framework.",
  words: "question",
  options: {
    "base-url": {
      value: "URL",
      what: "a server, up to what comes before /chat/completions; default: a model in this process",
    },
    model: {
      value: "NAME",
      what: "the server's model; without a server gemma3-270m, smollm2-135m, or the path of a GGUF file",
    },
  },
};

await run(commandLine, async ({ options: { "base-url": baseURL, model }, words }) => {
  const options = { protocol: "hermes", style: "signature", temperature: 0, messages: examples } as const;
  const tools = new Notes().toToolList();
  const conversation = new ToolConversation({ model: await loadModel(baseURL, model), tools, ...options });
  for await (const event of conversation.run(words || "Please note: buy bread.")) {
    if (event.type === "text") process.stdout.write(event.text);
    if (event.type === "tool-end") console.log(`${event.call.name} → ${event.result.content}`);
    if (event.type !== "end") continue;
    console.log(`\n(${event.result.stopReason})`);
    if (event.result.error) throw event.result.error;
  }
});

async function loadModel(baseURL: string | undefined, model: string | undefined): Promise<TextModel> {
  if (baseURL) return chatEndpoint({ baseURL, model: model ?? "default" });
  const { path, chatTemplate } = await withDownloadBar((onProgress) => resolveModel(model, { onProgress }));
  return toTextModel(await LlamaCppEngine.load({ modelPath: path, chatTemplate, contextSize: 4096 }), {
    maxTokens: 200,
  });
}
