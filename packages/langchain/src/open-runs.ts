import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import {
  CallbackManager,
  CallbackManagerForChainRun,
  CallbackManagerForLLMRun,
  type Callbacks,
} from "@langchain/core/callbacks/manager";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { RunnableConfig } from "@langchain/core/runnables";
import { concat } from "@langchain/core/utils/stream";
import { boundModel } from "./inner-runnable.js";

type Run = { kind: "model" | "chain"; id: string; parent: string | undefined };

/** Who a run of the model would be reported to: LangChain's own answer, tracing by environment included. */
export function watchers(
  model: BaseChatModel | undefined,
  callbacks: Callbacks | undefined,
): CallbackManager["handlers"] {
  const options = { verbose: model?.verbose ?? false };
  return CallbackManager.configure(callbacks, model?.callbacks, [], [], {}, {}, options)?.handlers ?? [];
}

/**
 * The runs that a stream has begun and not ended. LangChain ends no run of a stream that is left early: in a trace it
 * would seem to go on for ever.
 */
export class OpenRuns extends BaseCallbackHandler {
  readonly name = "toolingua_open_runs";
  override awaitHandlers = true;
  readonly #open = new Map<string, Run>();
  readonly #said: BaseMessage[] = [];

  private constructor(private readonly handlers: CallbackManager["handlers"]) {
    super();
  }

  /** The same configuration with a record of its runs; none where nobody watches them. */
  static in(config: RunnableConfig, runnable: unknown): { config: RunnableConfig; runs?: OpenRuns } {
    const handlers = watchers(boundModel(runnable), config.callbacks);
    if (handlers.length === 0) return { config };
    const runs = new OpenRuns(handlers);
    const manager = CallbackManager.configure(config.callbacks) ?? new CallbackManager();
    return { config: { ...config, callbacks: manager.copy([runs]) }, runs };
  }

  override handleChatModelStart(_llm: unknown, _messages: unknown, id: string, parent?: string): void {
    this.#open.set(id, { kind: "model", id, parent });
  }

  override handleLLMStart(_llm: unknown, _prompts: unknown, id: string, parent?: string): void {
    this.#open.set(id, { kind: "model", id, parent });
  }

  override handleChainStart(_chain: unknown, _inputs: unknown, id: string, parent?: string): void {
    this.#open.set(id, { kind: "chain", id, parent });
  }

  override handleLLMEnd(_output: unknown, id: string): void {
    this.#open.delete(id);
  }

  override handleLLMError(_error: unknown, id: string): void {
    this.#open.delete(id);
  }

  override handleChainEnd(_outputs: unknown, id: string): void {
    this.#open.delete(id);
  }

  override handleChainError(_error: unknown, id: string): void {
    this.#open.delete(id);
  }

  /** Keeps a piece of what was streamed. */
  add(piece: BaseMessage | string): void {
    this.#said.push(typeof piece === "string" ? new AIMessageChunk(piece) : piece);
  }

  /** Ends what is open, the innermost first, with what was streamed so far. */
  async end(): Promise<void> {
    const open = [...this.#open.values()].reverse();
    if (open.length === 0) return;
    const pieces = this.#said.filter((piece) => AIMessageChunk.isInstance(piece));
    const message = pieces.length > 0 ? pieces.reduce((sum, piece) => concat(sum, piece)) : new AIMessageChunk("");
    const generation = new ChatGenerationChunk({ message, text: message.text });
    for (const { kind, id, parent } of open) {
      this.#open.delete(id);
      if (kind === "chain") await this.#manager(CallbackManagerForChainRun, id, parent).handleChainEnd(message);
      else await this.#manager(CallbackManagerForLLMRun, id, parent).handleLLMEnd({ generations: [[generation]] });
    }
  }

  #manager<T>(
    Manager: new (...args: ConstructorParameters<typeof CallbackManagerForLLMRun>) => T,
    id: string,
    parent: string | undefined,
  ): T {
    return new Manager(id, this.handlers, [], [], [], {}, {}, parent);
  }
}
