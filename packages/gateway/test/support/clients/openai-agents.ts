import {
  Agent,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import OpenAI from "openai";
import { type Asking, type Client, type Got, nothing, question, runTool, tools } from "./client.js";

setTracingDisabled(true);

/** The piece of arguments in an event of either API. */
function argumentsIn(event: unknown): string {
  const { type, delta, choices } = event as Partial<OpenAI.ChatCompletionChunk> & { type?: string; delta?: string };
  if (type === "response.function_call_arguments.delta") return delta ?? "";
  return choices?.[0]?.delta.tool_calls?.[0]?.function?.arguments ?? "";
}

const askWith =
  (modelOf: (openai: OpenAI) => Model) =>
  async ({ url, stream, signal, onPiece }: Asking): Promise<Got> => {
    const got = nothing();
    const agent = new Agent({
      name: "weather",
      model: modelOf(new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 })),
      modelSettings: { store: false },
      tools: tools.map(({ name, description, schema }) =>
        tool({
          name,
          description,
          parameters: { ...schema, additionalProperties: true } as never,
          strict: false,
          execute: async (input: unknown) => runTool(got, name, input),
          errorFunction: null,
        }),
      ),
    });
    const streamed = async () => {
      const result = await run(agent, question, { stream: true, signal });
      for await (const event of result) {
        if (event.type !== "raw_model_stream_event") continue;
        if (event.data.type === "output_text_delta") onPiece?.(event.data.delta);
        if (event.data.type === "model") onPiece?.(argumentsIn(event.data.event));
      }
      await result.completed;
      if (signal.aborted) throw new Error("aborted");
      return result;
    };
    const { newItems } = stream ? await streamed() : await run(agent, question, { signal });
    for (const item of newItems) {
      if (item.type === "message_output_item") got.text += item.content;
      if (item.type === "reasoning_item") got.reasoning += JSON.stringify(item.rawItem);
    }
    return got;
  };

export const openaiAgentsClients: Client[] = [
  {
    package: "@openai/agents",
    api: "Chat Completions",
    // It reads `reasoning`, as OpenRouter writes it, and not `reasoning_content`.
    reasoning: false,
    ask: askWith((openai) => new OpenAIChatCompletionsModel(openai, "m")),
  },
  { package: "@openai/agents", api: "Responses", ask: askWith((openai) => new OpenAIResponsesModel(openai, "m")) },
];
