import { parseArgs } from "node:util";
import { withToolCalling } from "@toolingua/ai-sdk";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/ai-sdk";
import { serveChat } from "./server.js";

const USAGE = `npm run start:ai-sdk [-- options]
  --model NAME   a model of the store, or a GGUF file; default: Gemma 3 with 270 million parameters
  --port N       default 3000; 0: any that is free`;

const { values } = parseArgs({
  options: { model: { type: "string" }, port: { type: "string", default: "3000" }, help: { type: "boolean" } },
});

if (values.help) console.log(USAGE);
else {
  const { model } = values;
  const embedded = new EmbeddedChatModel({
    temperature: 0,
    maxTokens: 300,
    ...(model?.endsWith(".gguf") ? { modelPath: model } : { model }),
    resolveOptions: {
      onProgress: ({ received, total }) => process.stderr.write(`\rmodel: ${Math.floor((100 * received) / total)} %`),
    },
  });
  await embedded.load();
  // So small a model needs its calls constrained; one of some billion parameters does not.
  const chat = await serveChat(
    withToolCalling(embedded, { protocol: "hermes", constraint: "auto" }),
    Number(values.port),
  );
  console.log(`\nThe chat is at ${chat.url}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      await chat.close();
      await embedded.dispose();
    });
  }
}
