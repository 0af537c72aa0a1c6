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

/** The callbacks that would see a run of the model, including tracing configured by the environment. */
function watchers(model: BaseChatModel | undefined, callbacks: Callbacks | undefined): CallbackManager["handlers"] {
  const options = { verbose: model?.verbose ?? false };
  return CallbackManager.configure(callbacks, model?.callbacks, [], [], {}, {}, options)?.handlers ?? [];
}

/** The runs of a stream, to end them if the reader leaves early. LangChain leaves them open in the trace forever. */
export interface StreamedRuns {
  /** Records a streamed piece. */
  add(piece: BaseMessage | string): void;
  /** The stream ended or failed, so LangChain has ended its runs. */
  close(): void;
  /** Ends open runs, the innermost first, with the pieces streamed so far as output. */
  end(): Promise<void>;
}

/** The same configuration with a record of its runs; no record if nothing observes them. */
export function recordedRuns(
  config: RunnableConfig,
  runnable: unknown,
): { config: RunnableConfig; runs?: StreamedRuns } {
  const model = boundModel(runnable);
  const handlers = watchers(model, config.callbacks);
  if (handlers.length === 0) return { config };
  const manager = CallbackManager.configure(config.callbacks) ?? new CallbackManager();
  if (!model) {
    const runs = new OpenRuns(handlers);
    return { config: { ...config, callbacks: manager.copy([runs]) }, runs };
  }
  // A model has one run with a known id: a handler would cost as much per token as the stream itself.
  const runId = crypto.randomUUID();
  return { config: { ...config, runId }, runs: new OpenRun(handlers, runId, manager.getParentRunId()) };
}

/** The streamed pieces as the output of a run. */
function outputOf(said: readonly BaseMessage[]) {
  const pieces = said.filter((piece) => AIMessageChunk.isInstance(piece));
  const message = pieces.length > 0 ? pieces.reduce((sum, piece) => concat(sum, piece)) : new AIMessageChunk("");
  return { message, generation: new ChatGenerationChunk({ message, text: message.text }) };
}

const asMessage = (piece: BaseMessage | string) => (typeof piece === "string" ? new AIMessageChunk(piece) : piece);

/** The single run of a model. */
class OpenRun implements StreamedRuns {
  readonly #said: BaseMessage[] = [];
  #isOpen = true;

  constructor(
    private readonly handlers: CallbackManager["handlers"],
    private readonly id: string,
    private readonly parent: string | undefined,
  ) {}

  add(piece: BaseMessage | string): void {
    this.#said.push(asMessage(piece));
  }

  close(): void {
    this.#isOpen = false;
  }

  async end(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { generation } = outputOf(this.#said);
    const manager = new CallbackManagerForLLMRun(this.id, this.handlers, [], [], [], {}, {}, this.parent);
    await manager.handleLLMEnd({ generations: [[generation]] });
  }
}

/** The runs of a runnable that has several, such as one with fallbacks. */
class OpenRuns extends BaseCallbackHandler implements StreamedRuns {
  readonly name = "toolingua_open_runs";
  override awaitHandlers = true;
  readonly #open = new Map<string, Run>();
  readonly #said: BaseMessage[] = [];

  constructor(private readonly handlers: CallbackManager["handlers"]) {
    super();
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

  add(piece: BaseMessage | string): void {
    this.#said.push(asMessage(piece));
  }

  close(): void {}

  async end(): Promise<void> {
    const open = [...this.#open.values()].reverse();
    if (open.length === 0) return;
    const { message, generation } = outputOf(this.#said);
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
