import type { Request, Settings } from "./api.js";
import { said } from "./scenarios.js";

/** Requests with a list of messages that a server must reject, alike in OpenAI's and Anthropic's API. */
export function wrongMessages({ model }: Settings): Request[] {
  const messages = [{ role: "user", content: said.greeting }];
  const unknown = { model: "no-such-model-of-the-doctor", messages, max_tokens: 16 };
  return [
    { name: "unknown model", body: unknown },
    { name: "unknown model, streamed", body: { ...unknown, stream: true } },
    { name: "no JSON", body: '{"model": "' },
    { name: "no messages", body: { model, max_tokens: 16 } },
    { name: "messages that are text", body: { model, messages: "Say hello.", max_tokens: 16 } },
    { name: "messages that are text, streamed", body: { model, messages: "Say hello.", max_tokens: 16, stream: true } },
  ];
}
