import type { WebLlmChunk, WebLlmEngine, WebLlmRequest } from "./web-llm-model.js";

/**
 * An engine without weights, for the tests: it writes these replies, some characters at a time, and keeps what it was asked.
 */
export function scriptedEngine(replies: readonly string[]) {
  const requests: WebLlmRequest[] = [];
  let isInterrupted = false;
  async function* write(reply: string): AsyncGenerator<WebLlmChunk> {
    for (const content of reply.match(/[\s\S]{1,4}/g) ?? []) yield { choices: [{ delta: { content } }] };
    yield { choices: [{ delta: {}, finish_reason: "stop" }] };
    yield { choices: [], usage: { prompt_tokens: 10, completion_tokens: reply.length } };
  }
  const engine: WebLlmEngine = {
    chat: {
      completions: {
        async create(request) {
          requests.push(request);
          return write(replies[requests.length - 1] ?? "");
        },
      },
    },
    interruptGenerate() {
      isInterrupted = true;
    },
  };
  return { engine, requests, interrupted: () => isInterrupted };
}
