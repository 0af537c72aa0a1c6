import type { TextModel, TextModelRequest } from "@toolingua/core";

/** What is used of an engine of `@mlc-ai/web-llm`: those in the page, in a worker and in a service worker all have it. */
export interface WebLlmEngine {
  chat: { completions: { create(request: WebLlmRequest): Promise<AsyncIterable<WebLlmChunk>> } };
  interruptGenerate(): void;
}

/** A request, in the words of OpenAI's Chat Completions. */
export interface WebLlmRequest {
  stream: true;
  stream_options: { include_usage: true };
  messages: { role: "system" | "user" | "assistant"; content: string }[];
  stop?: string[];
  max_tokens?: number;
  temperature?: number;
  seed?: number;
  response_format?: WebLlmFormat;
}
export type WebLlmFormat = { type: "grammar"; grammar: string };

/** A piece of the reply. */
export interface WebLlmChunk {
  choices: { delta: { content?: string | null }; finish_reason?: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number };
}

/**
 * A model of WebLLM as a text model. It takes no beginning of its reply (`prefill: false`). With `backend: "vllm"` replies are
 * constrained: WebLLM's `response_format` takes the same grammars.
 *
 * Errors: those of the engine, such as that of a model that is not loaded; an `Error` for another `backend`.
 *
 * @example
 * const model = webLlmModel(await CreateMLCEngine("Qwen2.5-1.5B-Instruct-q4f16_1-MLC"));
 * new ToolConversation({ model, tools, protocol: "hermes", prefill: false, constraint: "auto", backend: "vllm" });
 */
export function webLlmModel(engine: WebLlmEngine): TextModel {
  return async function* generate(request) {
    const stop = () => engine.interruptGenerate();
    let isRead = false;
    request.signal?.throwIfAborted();
    request.signal?.addEventListener("abort", stop);
    try {
      for await (const { choices, usage } of await engine.chat.completions.create(requestOf(request))) {
        const [choice] = choices;
        if (choice?.delta.content) yield choice.delta.content;
        if (choice?.finish_reason) yield { finish: choice.finish_reason === "length" ? "length" : "stop" };
        if (usage) yield { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } };
      }
      isRead = true;
    } finally {
      request.signal?.removeEventListener("abort", stop);
      if (!isRead) stop();
    }
  };
}

function requestOf(request: TextModelRequest): WebLlmRequest {
  const { messages, stop, maxTokens, temperature, seed } = request;
  return {
    stream: true,
    stream_options: { include_usage: true },
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(stop && { stop: [...stop] }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...formatOf(request),
  };
}

/** What constrains the reply, in WebLLM's words. */
function formatOf({ constraint, fields }: TextModelRequest): { response_format?: WebLlmFormat } {
  const { grammar }: Record<string, unknown> = Object(fields?.structured_outputs);
  if (typeof grammar === "string") return { response_format: { type: "grammar", grammar } };
  if (constraint === undefined && fields === undefined) return {};
  throw new Error('WebLLM takes the grammars of vLLM: set `backend: "vllm"` beside `constraint`, and no other fields.');
}
