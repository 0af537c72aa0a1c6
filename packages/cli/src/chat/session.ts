import { type ProtocolName, protocolForModel } from "@toolingua/core";
import {
  type ConversationRun,
  type ConversationStore,
  type Decision,
  fold,
  memoryStore,
  type PendingCall,
  ToolConversation,
} from "@toolingua/core/conversation";
import type { ModelOptions, OpenedModel } from "../model-source/open-model.js";
import { nativeFormat } from "../model-source/server-facts.js";
import { namedProtocol } from "../protocols/named-protocol.js";
import type { LoadedTool } from "../tool-sources/loaded-tool.js";

/** The settings of a chat. */
export interface ChatSetting extends Pick<ModelOptions, "protocol" | "style" | "constraint" | "startWithReasoning"> {
  opened: OpenedModel;
  tools: readonly LoadedTool[];
  store?: ConversationStore | undefined;
  system?: string;
  maxTokens?: number;
  temperature?: number;
  /** Which calls wait for approval: those of tools that may change something, all, or none. */
  ask: "changes" | "all" | "never";
}

/** A conversation whose wire format can change between turns, and which keeps the model's raw replies. */
export class ChatSession {
  readonly #setting: ChatSetting;
  readonly #store: ConversationStore;
  /** Tools whose calls are approved in advance. */
  readonly #trusted = new Set<string>();
  #conversation!: ToolConversation;
  #protocol: ProtocolName;
  /** How the wire format was determined, for the user. */
  #from: string;
  #raw: string[] = [];

  private constructor(setting: ChatSetting) {
    this.#setting = setting;
    this.#store = setting.store ?? memoryStore();
    const { opened, protocol } = setting;
    const native = nativeFormat(opened.facts, opened.model);
    this.#protocol =
      protocol === undefined ? (native?.protocol ?? protocolForModel(opened.model)) : namedProtocol(protocol);
    this.#from = protocol !== undefined ? "as you said" : native ? `by ${native.from}` : "the model's own is unknown";
  }

  /**
   * Starts a chat, or resumes the one in the store.
   *
   * Errors: `CliError` (`usage`) for an unknown protocol; those of `ToolConversation.resume`.
   *
   * @example const session = await ChatSession.open({ opened, tools, ask: "changes" });
   */
  static async open(setting: ChatSetting): Promise<ChatSession> {
    const session = new ChatSession(setting);
    await session.#resume(session.#protocol);
    return session;
  }

  get protocol(): ProtocolName {
    return this.#protocol;
  }

  get protocolFrom(): string {
    return this.#from;
  }

  get tools(): readonly LoadedTool[] {
    return this.#setting.tools;
  }

  /** The raw replies to the last message. */
  get raw(): readonly string[] {
    return this.#raw;
  }

  get conversation(): ToolConversation {
    return this.#conversation;
  }

  /** Who is next: `user`, unless the chat ended in the middle of an answer. */
  get next(): "user" | "model" | "calls" {
    return fold(this.#conversation.log).next;
  }

  /** The tools that were called in this chat and are not given now. */
  get goneTools(): readonly string[] {
    const given = new Set(this.tools.map(({ name }) => name));
    const called = fold(this.#conversation.log).messages.flatMap((message) =>
      message.role === "assistant" ? (message.toolCalls ?? []).map(({ name }) => name) : [],
    );
    return [...new Set(called)].filter((name) => !given.has(name));
  }

  /** Whether calls of the tool wait for approval. */
  waits(name: string): boolean {
    const { ask, tools } = this.#setting;
    if (ask === "never" || this.#trusted.has(name)) return false;
    const { readOnly, needsApproval } = tools.find((tool) => tool.name === name) ?? {};
    return ask === "all" || !readOnly || (needsApproval !== undefined && needsApproval !== false);
  }

  /** Approves all further calls of the tool. */
  trust(tool: string): void {
    this.#trusted.add(tool);
  }

  /** Sends the message, if any, and continues until a decision or a message is needed. */
  run(message: string | undefined, signal: AbortSignal): ConversationRun {
    if (message !== undefined) this.#raw = [];
    return this.#conversation.run(message, { signal });
  }

  /** Errors: `DecisionError`; those of the store. */
  decide({ call, argumentsHash }: PendingCall, decision: Decision): Promise<void> {
    return this.#conversation.decide(call.id, decision, { argumentsHash });
  }

  /** Uses another wire format for the rest of the chat. Errors: `CliError` (`usage`). */
  async changeProtocol(name: string): Promise<void> {
    const protocol = namedProtocol(name);
    await this.#resume(protocol);
    this.#protocol = protocol;
    this.#from = "as you said";
  }

  async #resume(protocol: ProtocolName): Promise<void> {
    const { opened, tools, style, constraint, startWithReasoning, system, maxTokens, temperature } = this.#setting;
    this.#conversation = await ToolConversation.resume({
      model: opened.textModel,
      store: this.#store,
      tools,
      instructions: system,
      protocol,
      style,
      constraint,
      startWithReasoning,
      maxTokens,
      temperature,
      needsApproval: ({ name }) => this.waits(name),
      onTrace: (event) => {
        if (event.type === "reply") this.#raw.push(event.prefill + event.raw);
      },
    });
  }
}
