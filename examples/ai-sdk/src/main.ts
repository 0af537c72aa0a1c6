import { withToolCalling } from "@toolingua/ai-sdk";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/ai-sdk";
import { readOptions, USAGE } from "./options.js";
import { serveChat } from "./server.js";

try {
  const { model, port, help } = readOptions(process.argv.slice(2));
  if (help) console.log(USAGE);
  else await start(model, port);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

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
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw isTaken ? new Error(`Port ${port} is taken: choose another with --port; 0 chooses a free one.`) : error;
  }
}
