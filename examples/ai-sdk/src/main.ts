import { withToolCalling } from "@toolingua/ai-sdk";
import { portOf, run } from "@toolingua/example-command-line";
import { withDownloadBar } from "@toolingua/example-command-line/download-bar";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/ai-sdk";
import { serveChat } from "./server.js";

const commandLine = {
  command: "npm run start:ai-sdk",
  about: "Serves a page with a chat, with a small model in this process.",
  options: {
    model: {
      value: "NAME",
      what: "gemma3-270m (default), smollm2-135m, or the path of a GGUF file",
    },
    port: { value: "N", default: "3000", what: "where it listens; 0: any that is free" },
  },
};

await run(commandLine, async ({ options: { model, port } }) => start(model, portOf(port)));

async function start(model: string | undefined, port: number): Promise<void> {
  const embedded = await loadModel(model);
  try {
    // So small a model needs its calls constrained; one of some billion parameters does not.
    const chat = await serveChat(withToolCalling(embedded, { protocol: "hermes", constraint: "auto" }), port);
    console.log(`The chat is at ${chat.url}`);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, async () => {
        await chat.close();
        await embedded.dispose();
      });
    }
  } catch (error) {
    await embedded.dispose();
    throw error;
  }
}

function loadModel(model: string | undefined): Promise<EmbeddedChatModel> {
  return withDownloadBar(async (onProgress) => {
    const embedded = new EmbeddedChatModel({ model, temperature: 0, maxTokens: 300, resolveOptions: { onProgress } });
    await embedded.load();
    return embedded;
  });
}
