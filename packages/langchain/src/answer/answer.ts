import type { ContentBlock, UsageMetadata } from "@langchain/core/messages";
import type { InvalidToolCall, RepeatedCall, ReplyEvent, SelectionSummary, ToolCall, Turn } from "@toolingua/core";
import type { InnerModel } from "../inner/inner-model.js";

/** What of a reply an application is shown. */
export type AnswerEvent = Exclude<ReplyEvent, { type: "dropped" }>;

/** What the end of an answer carries. */
export interface Ending {
  usage: UsageMetadata | undefined;
  metadata: Record<string, unknown>;
  /** The wrapped model's own `additional_kwargs`. */
  kwargs?: Record<string, unknown> | undefined;
  name?: string | undefined;
  /** Images and the like that the model made. */
  made: ContentBlock[];
}

/** One answer of a wrapped model: what of the reply is shown as it comes, and what is known at its end. */
export class Answer {
  #called = false;
  #selection: SelectionSummary | undefined;
  #repeatedCall: RepeatedCall | undefined;
  /** The answer where it is data and not text. */
  #value: { value: unknown } | undefined;

  /** `last`: nobody deals with invalid calls after this, see {@link LastWord}. */
  constructor(
    private readonly reply: Turn,
    private readonly inner: InnerModel,
    private readonly last: boolean,
  ) {
    this.id = inner.runId === undefined ? `run-${crypto.randomUUID()}` : undefined;
  }

  async *events(): AsyncGenerator<AnswerEvent> {
    const lastWord = this.last ? new LastWord() : undefined;
    for await (const event of this.reply) {
      if (event.type === "dropped") continue;
      const shown = lastWord ? lastWord.on(event) : event;
      this.#called ||= shown.type === "call-end";
      yield shown;
    }
    const result = await this.reply.result();
    this.#selection = result.selection;
    this.#repeatedCall = result.repeatedCall;
    if ("value" in result) this.#value = { value: result.value };
    const words = lastWord?.end();
    if (words) yield words;
  }

  /**
   * The id of the answer; none where there is a run, for then LangChain gives it one. Not the server's: agents tell
   * messages apart by their ids, and not every server gives another one each time (Ollama counts to 999).
   */
  readonly id: string | undefined;

  /** The wrapped model's own metadata, but for what would misname the content, which is not the provider's any more. */
  ending(): Ending {
    const { model_provider: _provider, output_version: _version, ...metadata } = this.inner.metadata;
    const { model_name: model } = metadata;
    return {
      usage: this.inner.usage,
      made: this.inner.made,
      kwargs: this.inner.kwargs,
      name: this.inner.name,
      metadata: {
        // Some providers' classes say only the one, some readers know only the other.
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

  /** Why the answer ended, in the words of content-block events. */
  get reason(): "tool_use" | "length" | "stop" {
    if (this.#called) return "tool_use";
    return this.inner.finish === "length" ? "length" : "stop";
  }
}

/**
 * The last word on invalid calls after the turn's own retries: an agent must neither run them nor stop without a word.
 *
 * A call that was read but is wrong (no such tool, arguments against the schema) goes on as a call, as a native model's
 * would: the agent's tool node answers with its error. One that could not be read has no arguments anyone may trust: it
 * stays invalid, and if nothing else was called the text says so.
 */
class LastWord {
  #called = false;
  readonly #unreadable: InvalidToolCall[] = [];
  /** The arguments that were sent of each call. */
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

  end(): AnswerEvent | undefined {
    if (this.#called || this.#unreadable.length === 0) return undefined;
    return { type: "text", text: this.#unreadable.map(({ error }) => `[${error.message}]`).join("\n") };
  }
}

/** `sent`: the arguments that have gone out already. */
function readable(
  { id, name, arguments: args, error }: InvalidToolCall,
  sent: string | undefined,
): ToolCall | undefined {
  const wasRead = error.code === "unknown-tool" || error.code === "invalid-arguments";
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  if (!wasRead || !isObject || !name || (sent && !isWritten(args, sent))) return undefined;
  return { id, name, arguments: args as Record<string, unknown> };
}

function isWritten(args: object, json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(json)) === JSON.stringify(args);
  } catch {
    return false;
  }
}
