import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import { AIMessage, HumanMessage, ToolMessage } from "langchain";
import { createFileAgent } from "./agent.js";
import { connectFiles } from "./files.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: "string", default: fileURLToPath(new URL("../notes", import.meta.url)) },
    model: { type: "string", default: "gemma3-270m" },
  },
});
const question = positionals.join(" ") || "What does shopping.txt say?";

const model = new EmbeddedChatModel({
  model: values.model,
  temperature: 0,
  maxTokens: 200,
  engineOptions: { contextSize: 4096 },
  resolveOptions: {
    onProgress: ({ received, total }) => process.stderr.write(`\rmodel   ${Math.round((100 * received) / total)}%  `),
  },
});
const files = await connectFiles(values.folder);
try {
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
  await model.dispose();
}

function print(message: unknown) {
  if (ToolMessage.isInstance(message)) console.log(`result  ${message.text.trim()}`);
  if (!AIMessage.isInstance(message)) return;
  for (const { name, args } of message.tool_calls ?? []) console.log(`call    ${name} ${JSON.stringify(args)}`);
  if (message.text.trim()) console.log(`answer  ${message.text.trim()}`);
}
