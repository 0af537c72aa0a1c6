import OpenAI from "openai";
import { type Asking, type Client, type Got, nothing, question, runTool, tools } from "./client.js";

const clientAt = (url: string) => new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
/** What servers of open models add to a message and to a delta. */
const thoughtIn = (said: object | undefined) => (said as { reasoning_content?: string })?.reasoning_content ?? "";

async function chat({ url, stream, signal, onPiece }: Asking): Promise<Got> {
  const { completions } = clientAt(url).chat;
  const got = nothing();
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
  const functions = tools.map(({ name, description, schema }) => ({ name, description, parameters: schema }));
  const request = {
    model: "m",
    messages,
    tools: functions.map((one) => ({ type: "function" as const, function: one })),
  };
  const streamed = async () => {
    const reading = completions.stream(request, { signal });
    for await (const { choices } of reading) {
      const said = choices[0]?.delta;
      onPiece?.(said?.content ?? said?.tool_calls?.[0]?.function?.arguments ?? "");
      got.reasoning += thoughtIn(said);
    }
    return reading.finalChatCompletion();
  };
  for (;;) {
    const { choices } = stream ? await streamed() : await completions.create(request, { signal });
    const { message, finish_reason } = choices[0]!;
    got.text += message.content ?? "";
    if (!stream) got.reasoning += thoughtIn(message);
    if (!message.tool_calls?.length) {
      if (finish_reason !== "stop") throw new Error(`ended by ${finish_reason}`);
      return got;
    }
    if (finish_reason !== "tool_calls") throw new Error(`calls ended by ${finish_reason}`);
    messages.push(message);
    for (const call of message.tool_calls) {
      if (call.type !== "function") throw new Error(call.type);
      const content = runTool(got, call.function.name, JSON.parse(call.function.arguments));
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
}

async function responses({ url, stream, signal, onPiece }: Asking): Promise<Got> {
  const api = clientAt(url).responses;
  const got = nothing();
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: question }];
  const functions = tools.map(({ name, description, schema }) => ({ name, description, parameters: schema }));
  const all = functions.map((one) => ({ type: "function" as const, strict: false, ...one }));
  const request = { model: "m", input, tools: all, store: false };
  const streamed = async () => {
    const reading = api.stream(request, { signal });
    for await (const event of reading) {
      if (event.type === "response.output_text.delta") onPiece?.(event.delta);
      if (event.type === "response.function_call_arguments.delta") onPiece?.(event.delta);
    }
    return reading.finalResponse();
  };
  for (;;) {
    const { output, output_text, status, error } = stream ? await streamed() : await api.create(request, { signal });
    if (status !== "completed") throw new Error(error?.message ?? `ended by ${status}`);
    got.text += output_text;
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    let isDone = true;
    for (const item of output) {
      if (item.type === "reasoning") got.reasoning += item.summary.map(({ text }) => text).join("");
      if (item.type !== "function_call") continue;
      isDone = false;
      const result = runTool(got, item.name, JSON.parse(item.arguments));
      input.push({ type: "function_call_output", call_id: item.call_id, output: result });
    }
    if (isDone) return got;
  }
}

export const openaiClients: Client[] = [
  { package: "openai", api: "Chat Completions", ask: chat },
  { package: "openai", api: "Responses", ask: responses },
];
