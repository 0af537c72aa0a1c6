import {
  type ChatMessage,
  type GenerateOptions,
  generateWithTools,
  type TextModel,
  type TextModelRequest,
  type ToolDefinition,
  type ToolSelection,
} from "../../src/index.js";

/** What the tools are about. */
export const words = ["weather", "stock", "mail", "calendar", "music", "map", "photo", "recipe", "taxi", "hotel"];
/** Three tools for each word. */
export const tools: ToolDefinition[] = words.flatMap((word) =>
  ["get", "find", "delete"].map((verb) => ({
    name: `${verb}_${word}`,
    description: `Will ${verb} the ${word} that is asked for. A second sentence that only matters for calling it.`,
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  })),
);
/** A call in the Hermes format. */
export const call = (name: string, query = "x") =>
  `<tool_call>\n${JSON.stringify({ name, arguments: { query } })}\n</tool_call>`;

/** A model whose replies are given one after the other, in pieces of `cut` characters. */
export function scripted(replies: string[], cut = 5) {
  const requests: TextModelRequest[] = [];
  const model: TextModel = async function* (request) {
    const reply = replies[requests.length] ?? "";
    requests.push(request);
    yield* reply.match(new RegExp(`[\\s\\S]{1,${cut}}`, "g")) ?? [];
    yield { usage: { inputTokens: 100, outputTokens: 10 } };
  };
  return { model, requests, text: (i: number) => requests[i]?.messages.map(({ content }) => content).join("\n") ?? "" };
}

export const user = (content: string): ChatMessage => ({ role: "user", content });
/** A turn with all these tools, in the Hermes format. */
export const turnOf = (model: TextModel, selection: ToolSelection, options: Partial<GenerateOptions> = {}) =>
  generateWithTools({
    model,
    toolSelection: selection,
    tools,
    protocol: "hermes",
    messages: [user("Rain today?")],
    ...options,
  });
