import { fileURLToPath } from "node:url";
import { run } from "@toolingua/example-command-line";
import { withDownloadBar } from "@toolingua/example-command-line/download-bar";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import { AIMessage, HumanMessage, ToolMessage } from "langchain";
import { createFileAgent } from "./agent.js";
import { connectFiles } from "./files.js";

const ownNotes = fileURLToPath(new URL("../notes", import.meta.url));
const commandLine = {
  command: "npm run start:mcp",
  about: "Asks a small local model about files, which it reads through an MCP server.",
  words: "question",
  options: {
    folder: { value: "FOLDER", what: "whose files the agent reads; default: the notes of this example" },
    model: { value: "NAME", default: "gemma3-270m", what: "gemma3-270m, smollm2-135m, or the path of a GGUF file" },
  },
};

await run(commandLine, async ({ options, words }) => {
  const question = words || "What does shopping.txt say?";
  const files = await connectFiles(options.folder ?? ownNotes);
  let model: EmbeddedChatModel | undefined;
  try {
    model = await loadModel(options.model);
    console.log(`server  ${files.tools.length} tools\nyou     ${question}`);
    const stream = await createFileAgent(model, files).stream(
      { messages: [new HumanMessage(question)] },
      { streamMode: "updates", recursionLimit: 12 },
    );
    for await (const update of stream) {
      for (const message of Object.values(update).flatMap(({ messages = [] }) => messages)) print(message);
    }
  } finally {
    await files.close();
    await model?.dispose();
  }
});

function loadModel(model: string | undefined): Promise<EmbeddedChatModel> {
  return withDownloadBar(async (onProgress) => {
    const engineOptions = { contextSize: 4096 };
    const settings = { model, temperature: 0, maxTokens: 200, engineOptions, resolveOptions: { onProgress } };
    const embedded = new EmbeddedChatModel(settings);
    await embedded.load();
    return embedded;
  });
}

function print(message: unknown) {
  if (ToolMessage.isInstance(message)) console.log(`result  ${message.text.trim()}`);
  if (!AIMessage.isInstance(message)) return;
  for (const { name, args } of message.tool_calls ?? []) console.log(`call    ${name} ${JSON.stringify(args)}`);
  if (message.text.trim()) console.log(`answer  ${message.text.trim()}`);
}
