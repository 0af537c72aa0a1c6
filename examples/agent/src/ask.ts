import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from "langchain";
import { type AgentOptions, createExampleAgent } from "./agent.js";

/** What happens while a question is answered, in order. */
export type AgentEvent =
  /** What the model is sent. */
  | { type: "request"; messages: { role: string; content: string }[] }
  /** What it wrote, as it wrote it. */
  | { type: "reply"; text: string }
  /** The call that became of it. */
  | { type: "call"; name: string; args: unknown }
  | { type: "invalid-call"; text: string; error: string }
  | { type: "result"; name: string; text: string }
  /** A piece of the answer, as it streams. */
  | { type: "text"; text: string };

/** Asks the agent one question. Ends when it has answered; throws what the model or a tool throws. */
export async function* ask(
  model: BaseChatModel,
  question: string,
  options: AgentOptions & { signal?: AbortSignal | undefined },
): AsyncGenerator<AgentEvent> {
  const watcher = new Watcher();
  model.callbacks = [watcher];
  const stream = await createExampleAgent(model, options).stream(
    { messages: [new HumanMessage(question)] },
    { streamMode: ["messages", "updates"], recursionLimit: 12, ...(options.signal && { signal: options.signal }) },
  );
  for await (const [mode, data] of stream) {
    yield* watcher.take();
    if (mode === "messages") {
      const [message] = data;
      if (AIMessageChunk.isInstance(message) && message.text) yield { type: "text", text: message.text };
      continue;
    }
    yield* watcher.end();
    for (const message of Object.values(data).flatMap((update) => update?.messages ?? [])) {
      if (AIMessage.isInstance(message)) yield* callsOf(message);
      if (ToolMessage.isInstance(message)) yield { type: "result", name: message.name ?? "", text: message.text };
    }
  }
}

function* callsOf(message: AIMessage): Generator<AgentEvent> {
  for (const { name, args } of message.tool_calls ?? []) yield { type: "call", name, args };
  for (const { args, error } of message.invalid_tool_calls ?? []) {
    yield { type: "invalid-call", text: args ?? "", error: error ?? "" };
  }
}

/** Listens to the model itself, below Toolingua: the messages it is sent and the text it writes. */
class Watcher extends BaseCallbackHandler {
  readonly name = "watcher";
  override awaitHandlers = true;
  #events: AgentEvent[] = [];
  #reply = "";

  override handleChatModelStart(
    ...[, [messages = []]]: Parameters<NonNullable<BaseCallbackHandler["handleChatModelStart"]>>
  ) {
    this.#endReply();
    const sent = messages.map((message) => ({ role: message.type, content: message.text }));
    this.#events.push({ type: "request", messages: sent });
  }

  override handleLLMNewToken(token: string) {
    this.#reply += token;
  }

  /** What happened since this was last called. */
  take(): AgentEvent[] {
    return this.#events.splice(0);
  }

  /** The same, when the model's reply is complete. */
  end(): AgentEvent[] {
    this.#endReply();
    return this.take();
  }

  #endReply() {
    if (this.#reply) this.#events.push({ type: "reply", text: this.#reply });
    this.#reply = "";
  }
}
