import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { resolveModel, writeTinyModel } from "@toolingua/llama-cpp";
import { EmbeddedChatModel, type EmbeddedChatModelFields } from "@toolingua/llama-cpp/langchain";
import type { McpToolset } from "@toolingua/mcp";
import { AIMessage, HumanMessage, ToolMessage } from "langchain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFileAgent } from "./agent.js";
import { connectFiles } from "./files.js";

const notes = fileURLToPath(new URL("../notes", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "toolingua-mcp-files-"));
/** Only where it is in the cache: tests need no network. */
const gemma = await resolveModel("gemma3-270m", { sources: [] }).catch(() => undefined);
let files: McpToolset;

beforeAll(async () => {
  files = await connectFiles(notes);
});
afterAll(async () => {
  await files.close();
  rmSync(folder, { recursive: true });
});

async function ask(fields: EmbeddedChatModelFields, question: string, constrain: boolean) {
  const model = new EmbeddedChatModel({ maxTokens: 100, ...fields });
  try {
    const agent = createFileAgent(model, files, { constrain });
    return (await agent.invoke({ messages: [new HumanMessage(question)] }, { recursionLimit: 12 })).messages;
  } finally {
    await model.dispose();
  }
}

describe("an agent with the tools of the MCP filesystem server", () => {
  test("calls a tool under a grammar with a model that knows nothing", async () => {
    const modelPath = join(folder, "toy.gguf");
    await writeTinyModel(modelPath, { contextSize: 8192 });
    const messages = await ask({ modelPath, temperature: 0.7, seed: 1 }, "What does shopping.txt say?", true);
    const [call] = messages.filter(AIMessage.isInstance).flatMap(({ tool_calls = [] }) => tool_calls);
    expect(["read_text_file", "list_directory"]).toContain(call?.name);
    const result = messages.find(ToolMessage.isInstance);
    // What the server says to that call, be it of a file or of a path that the model made up.
    const said = await files.tools.find(({ name }) => name === call?.name)?.execute(call!.args, { toolCallId: "" });
    expect(result?.text).toBe(said instanceof Error ? said.message : said);
    expect(messages.at(-1)).toBeInstanceOf(AIMessage);
  }, 300_000);

  test.runIf(gemma)(
    "answers from a file on Gemma 3 270M, which was never trained to call tools",
    async () => {
      const { path, chatTemplate } = gemma!;
      const fields = {
        modelPath: path,
        temperature: 0,
        engineOptions: { chatTemplate, contextSize: 4096, threads: 1 },
      };
      const messages = await ask(fields, "What does shopping.txt say?", false);
      const [call] = messages.filter(AIMessage.isInstance).flatMap(({ tool_calls = [] }) => tool_calls);
      expect(call).toMatchObject({ name: "read_text_file", args: { path: "shopping.txt" } });
      expect(messages.find(ToolMessage.isInstance)?.text).toBe("Milk, eggs, a dozen apples.\n");
      expect(messages.at(-1)?.text).toContain("Milk, eggs, a dozen apples.");
    },
    120_000,
  );
});
