import type { ContentBlock, UsageMetadata } from "@langchain/core/messages";
import type { InvalidToolCall, RepeatedCall, ReplyEvent, SelectionSummary, ToolCall, Turn } from "@toolingua/core";
import { FILTERED, hasOneReading, isObject } from "@toolingua/core/adapters";
import type { InnerModel } from "../inner/inner-model.js";

/** The events of a reply that an application sees. */
export type AnswerEvent = Exclude<ReplyEvent, { type: "dropped" }>;

type CallEnd = Extract<AnswerEvent, { type: "call-end" }>;

/** The data at the end of an answer. */
export interface Ending {
  usage: UsageMetadata | undefined;
  metadata: Record<string, unknown>;
  /** The wrapped model's own `additional_kwargs`. */
  kwargs?: Record<string, unknown> | undefined;
  name?: string | undefined;
  /** Images and other media that the model generated. */
  made: ContentBlock[];
}

/** One answer of a wrapped model: its events while it streams, and its usage and metadata at the end. */
export class Answer {
  #called = false;
  #selection: SelectionSummary | undefined;
  #repeatedCall: RepeatedCall | undefined;
  /** The structured answer, if a schema was requested. */
  #value: { value: unknown } | undefined;

  /** `last`: nothing handles invalid calls after this answer, see {@link LastWord}. */
  constructor(
    private readonly reply: Turn,
    private readonly inner: InnerModel,
    private readonly last: boolean,
  ) {
    this.id = inner.runId === undefined ? `run-${crypto.randomUUID()}` : undefined;
  }

  /** Calls end after all else: only then it is known that no content filter ended the reply, of which no call may run. */
  async *events(): AsyncGenerator<AnswerEvent> {
    const lastWord = this.last ? new LastWord() : undefined;
    const ended: CallEnd[] = [];
    let said = "";
    for await (const event of this.reply) {
      if (event.type === "dropped") continue;
      const shown = lastWord ? lastWord.on(event) : event;
      if (shown.type === "text" && shown.text !== "") said = shown.text;
      if (shown.type === "call-end") ended.push(shown);
      else yield shown;
    }
    const result = await this.reply.result();
    const isFiltered = result.finish === "content-filter";
    this.#called = ended.length > 0 && !isFiltered;
    for (const end of ended) yield isFiltered ? filtered(end) : end;
    this.#selection = result.selection;
    this.#repeatedCall = result.repeatedCall;
    if ("value" in result) this.#value = { value: result.value };
    const words = lastWord && isFiltered && ended.length > 0 ? `[${FILTERED}]` : lastWord?.end();
    if (words) yield { type: "text", text: said === "" || said.endsWith("\n") ? words : `\n${words}` };
  }

  /**
   * The id of the answer; undefined inside a run, because LangChain then sets it. The server's id is not used: agents
   * identify messages by their ids, and some servers reuse ids (Ollama counts to 999).
   */
  readonly id: string | undefined;

  /** The wrapped model's metadata, without the fields that describe the provider's content, which was converted. */
  ending(): Ending {
    const { model_provider: _provider, output_version: _version, ...metadata } = this.inner.metadata;
    const { model_name: model } = metadata;
    return {
      usage: this.inner.usage,
      made: this.inner.made,
      kwargs: this.inner.kwargs,
      name: this.inner.name,
      metadata: {
        // Some providers' classes set only one of the two names, and some readers read only the other.
        ...(model !== undefined && { model }),
        ...metadata,
        ...(this.#called && { finish_reason: "tool_calls" }),
        ...(this.inner.usageEstimated && { usage_estimated: true }),
        ...(this.#repeatedCall && { repeated_call: this.#repeatedCall }),
        ...(this.#selection && { tool_selection: this.#selection }),
        ...this.#value,
      },
    };
  }

  /** The finish reason, as content-block events name it. */
  get reason(): "tool_use" | "length" | "content_filter" | "stop" {
    if (this.#called) return "tool_use";
    const { finish = "stop" } = this.inner;
    return finish === "content-filter" ? "content_filter" : finish;
  }
}

/**
 * Handles calls that are still invalid after the turn's retries: an agent must neither run them nor stop silently.
 *
 * A call that could be read but is wrong (unknown tool, arguments that do not match the schema) stays a call, as with a
 * native model: the agent's tool node answers with an error. A call that could not be read stays invalid, because its
 * arguments cannot be trusted; if the answer has no other call, its text mentions the failure.
 */
class LastWord {
  #called = false;
  readonly #unreadable: InvalidToolCall[] = [];
  /** The part of each call's arguments that was sent. */
  readonly #sent = new Map<number, string>();

  on(event: AnswerEvent): AnswerEvent {
    if (event.type === "call-start") this.#sent.set(event.index, "");
    if (event.type === "call-delta") {
      this.#sent.set(event.index, (this.#sent.get(event.index) ?? "") + event.argumentsDelta);
    }
    const call = event.type === "call-invalid" ? readable(event.call, this.#sent.get(event.index)) : undefined;
    this.#called ||= event.type === "call-end" || call !== undefined;
    if (event.type !== "call-invalid") return event;
    if (call) return { type: "call-end", index: event.index, call };
    this.#unreadable.push(event.call);
    return event;
  }

  end(): string | undefined {
    if (this.#called || this.#unreadable.length === 0) return undefined;
    return this.#unreadable.map(({ error }) => `[${error.message}]`).join("\n");
  }
}

/** The call as one that must not run. */
function filtered({ index, call: { id, name, arguments: args } }: CallEnd): AnswerEvent {
  const error = { code: "truncated" as const, message: FILTERED, feedback: FILTERED };
  return { type: "call-invalid", index, call: { id, name, raw: JSON.stringify(args), error } };
}

/** `sent`: the part of the arguments that was already sent. */
function readable(call: InvalidToolCall, sent: string | undefined): ToolCall | undefined {
  const { id, name, arguments: args } = call;
  if (!hasOneReading(call) || !isObject(args) || !name || (sent && !isWritten(args, sent))) return undefined;
  return { id, name, arguments: args };
}

function isWritten(args: object, json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(json)) === JSON.stringify(args);
  } catch {
    return false;
  }
}
