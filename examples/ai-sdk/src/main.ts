import { withToolCalling } from "@toolingua/ai-sdk";
import { portOf, run } from "@toolingua/example-command-line";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/ai-sdk";
import { serveChat } from "./server.js";

const commandLine = {
  command: "npm run start:ai-sdk",
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
  const embedded = new EmbeddedChatModel({
    temperature: 0,
    maxTokens: 300,
    ...(model?.endsWith(".gguf") ? { modelPath: model } : { model }),
    resolveOptions: {
      onProgress: ({ received, total }) => process.stderr.write(`\rmodel: ${Math.floor((100 * received) / total)} %`),
    },
  });
  try {
    await embedded.load();
    // So small a model needs its calls constrained; one of some billion parameters does not.
    const chat = await serveChat(withToolCalling(embedded, { protocol: "hermes", constraint: "auto" }), port);
    console.log(`\nThe chat is at ${chat.url}`);
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
