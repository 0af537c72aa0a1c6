import Anthropic from "@anthropic-ai/sdk";
import { type Asking, type Client, type Got, nothing, question, runTool, tools } from "./client.js";

async function ask({ url, stream, signal, onPiece }: Asking): Promise<Got> {
  const api = new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0 }).messages;
  const got = nothing();
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
  const request = {
    model: "m",
    max_tokens: 2000,
    thinking: { type: "enabled" as const, budget_tokens: 1024 },
    messages,
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema as never })),
  };
  const streamed = async () => {
    const reading = api.stream(request, { signal });
    reading.on("text", (text) => onPiece?.(text)).on("inputJson", (json) => onPiece?.(json));
    return reading.finalMessage();
  };
  for (;;) {
    const { content, stop_reason } = stream ? await streamed() : await api.create(request, { signal });
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const block of content) {
      if (block.type === "text") got.text += block.text;
      if (block.type === "thinking") got.reasoning += block.thinking;
      if (block.type === "tool_use")
        results.push({
          type: "tool_result",
          tool_use_id: block.id,
          content: runTool(got, block.name, block.input),
        });
    }
    if (stop_reason !== (results.length > 0 ? "tool_use" : "end_turn")) throw new Error(`ended by ${stop_reason}`);
    if (results.length === 0) return got;
    messages.push({ role: "assistant", content }, { role: "user", content: results });
  }
}

export const anthropicClients: Client[] = [{ package: "@anthropic-ai/sdk", api: "Messages", ask }];
