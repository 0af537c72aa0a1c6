import type { Failure } from "../failure.js";
import type { CallPart, Part, Piece } from "../turn/parts.js";
import { customInput, type Finish, newId, type Reply, type ReplyWriter, totalOf } from "./api.js";
import { openaiError } from "./openai-errors.js";

type Status = "in_progress" | "completed" | "incomplete" | "failed";

const outputText = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });
const summaryText = (text: string) => ({ type: "summary_text", text });

/**
 * Writes answers of Responses. Each part is an output item with the same index, and with one id in all events.
 * Reasoning is written as summaries, because more clients show summaries than reasoning text.
 */
export class ResponsesWriter implements ReplyWriter {
  readonly #id = newId("resp_");
  readonly #created = Math.floor(Date.now() / 1000);
  readonly #ids: string[] = [];
  /** The completed items. */
  readonly #output: object[] = [];
  #events = 0;

  /**
   * `asked`: the request. `custom`: names of the tools that take free text. `namespaces`: the namespace of each tool
   * that has one.
   */
  constructor(
    private readonly asked: Record<string, unknown>,
    private readonly custom: ReadonlySet<string>,
    private readonly namespaces: ReadonlyMap<string, string>,
  ) {}

  begin(): string {
    const response = this.#response("in_progress");
    return this.#event("response.created", { response }) + this.#event("response.in_progress", { response });
  }

  piece(piece: Piece): string {
    const { part } = piece;
    if (piece.type === "delta") return this.#delta(part, piece.text);
    return piece.type === "open" ? this.#open(part) : this.#close(part);
  }

  finish(): string {
    return "";
  }

  end(replies: readonly Reply[]): string {
    const response = this.whole(replies);
    return this.#event(`response.${statusOf(replies[0]!.finish)}`, { response });
  }

  fail(failure: Failure): string {
    const { message, code, kind, retryAfterSeconds } = failure;
    const wait = retryAfterSeconds === undefined ? "" : ` Please try again in ${retryAfterSeconds}s.`;
    const error = {
      code: kind === "rate-limit" ? "rate_limit_exceeded" : (code ?? "server_error"),
      message: message + wait,
    };
    // OpenAI's SDKs throw at `error`, and treat `response.failed` as an answer; other clients read only the latter.
    return (
      this.#event("error", { ...error, param: null, ...openaiError(failure) }) +
      this.#event("response.failed", { response: { ...this.#response("failed"), output: this.#output, error } })
    );
  }

  whole(replies: readonly Reply[]): object {
    const { parts, finish } = replies[0]!;
    const { inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens = 0 } = totalOf(replies);
    const reason = incompleteReasons[finish];
    return {
      ...this.#response(statusOf(finish)),
      completed_at: reason === undefined ? Math.floor(Date.now() / 1000) : null,
      incomplete_details: reason === undefined ? null : { reason },
      output: parts.map((part) => this.#item(part, part.isCut ? "incomplete" : "completed")),
      usage: {
        input_tokens: inputTokens,
        input_tokens_details: { cached_tokens: cacheReadTokens },
        output_tokens: outputTokens,
        output_tokens_details: { reasoning_tokens: reasoningTokens },
        total_tokens: inputTokens + outputTokens,
      },
    };
  }

  #open(part: Part): string {
    const at = this.#at(part);
    const added = this.#event("response.output_item.added", {
      output_index: part.index,
      item: this.#item({ ...part, text: "" }, "in_progress"),
    });
    if (part.type === "text")
      return added + this.#event("response.content_part.added", { ...at, content_index: 0, part: outputText("") });
    if (part.type === "reasoning")
      return (
        added + this.#event("response.reasoning_summary_part.added", { ...at, summary_index: 0, part: summaryText("") })
      );
    return added;
  }

  #delta(part: Part, delta: string): string {
    const at = this.#at(part);
    if (part.type === "text")
      return this.#event("response.output_text.delta", { ...at, content_index: 0, delta, logprobs: [] });
    if (part.type === "reasoning")
      return this.#event("response.reasoning_summary_text.delta", { ...at, summary_index: 0, delta });
    // The free text is complete only when its JSON is.
    return this.custom.has(part.name) ? "" : this.#event("response.function_call_arguments.delta", { ...at, delta });
  }

  #close(part: Part): string {
    const item = this.#item(part, part.isCut ? "incomplete" : "completed");
    this.#output.push(item);
    return this.#closed(part) + this.#event("response.output_item.done", { output_index: part.index, item });
  }

  #closed(part: Part): string {
    const at = this.#at(part);
    const { text } = part;
    if (part.type === "text") {
      const content = { ...at, content_index: 0 };
      return (
        this.#event("response.output_text.done", { ...content, text, logprobs: [] }) +
        this.#event("response.content_part.done", { ...content, part: outputText(text) })
      );
    }
    if (part.type === "reasoning") {
      const summary = { ...at, summary_index: 0 };
      return (
        this.#event("response.reasoning_summary_text.done", { ...summary, text }) +
        this.#event("response.reasoning_summary_part.done", { ...summary, part: summaryText(text) })
      );
    }
    if (!this.custom.has(part.name))
      return this.#event("response.function_call_arguments.done", { ...at, name: part.name, arguments: text });
    const input = customInput(text);
    return (
      this.#event("response.custom_tool_call_input.delta", { ...at, delta: input }) +
      this.#event("response.custom_tool_call_input.done", { ...at, input })
    );
  }

  /** A part as an output item. */
  #item(part: Part, status: Status): object {
    const id = this.#idOf(part);
    if (part.type === "text") {
      const content = status === "in_progress" ? [] : [outputText(part.text)];
      return { id, type: "message", status, role: "assistant", content };
    }
    if (part.type === "reasoning")
      return { id, type: "reasoning", status, summary: status === "in_progress" ? [] : [summaryText(part.text)] };
    return this.#callItem(part, id, status);
  }

  #callItem({ id: call_id, name, text }: CallPart, id: string, status: Status): object {
    const namespace = this.namespaces.get(name);
    const call = { id, status, call_id, name, ...(namespace !== undefined && { namespace }) };
    if (this.custom.has(name))
      return { ...call, type: "custom_tool_call", input: text === "" ? "" : customInput(text) };
    return { ...call, type: "function_call", arguments: text };
  }

  #at(part: Part): object {
    return { item_id: this.#idOf(part), output_index: part.index };
  }

  #idOf(part: Part): string {
    const { index, type } = part;
    const prefix =
      type === "text" ? "msg_" : type === "reasoning" ? "rs_" : this.custom.has(part.name) ? "ctc_" : "fc_";
    this.#ids[index] ??= newId(prefix);
    return this.#ids[index];
  }

  #event(type: string, fields: object): string {
    const payload = { type, sequence_number: this.#events++, ...fields };
    return `event: ${type}\ndata: ${JSON.stringify(payload)}\n\n`;
  }

  /** The response before any output: it repeats the request's settings. */
  #response(status: Status): object {
    const { asked } = this;
    return {
      id: this.#id,
      object: "response",
      created_at: this.#created,
      status,
      completed_at: null,
      background: false,
      error: null,
      incomplete_details: null,
      instructions: asked.instructions ?? null,
      max_output_tokens: asked.max_output_tokens ?? null,
      max_tool_calls: asked.max_tool_calls ?? null,
      metadata: asked.metadata ?? {},
      model: asked.model,
      output: [],
      parallel_tool_calls: asked.parallel_tool_calls ?? true,
      presence_penalty: asked.presence_penalty ?? 0,
      frequency_penalty: asked.frequency_penalty ?? 0,
      previous_response_id: asked.previous_response_id ?? null,
      prompt_cache_key: asked.prompt_cache_key ?? null,
      reasoning: asked.reasoning ?? { effort: null, summary: null },
      safety_identifier: asked.safety_identifier ?? null,
      service_tier: "default",
      store: asked.store === true,
      temperature: asked.temperature ?? 1,
      text: asked.text ?? { format: { type: "text" } },
      tool_choice: asked.tool_choice ?? "auto",
      tools: asked.tools ?? [],
      top_logprobs: 0,
      top_p: asked.top_p ?? 1,
      truncation: asked.truncation ?? "disabled",
      usage: null,
      user: asked.user ?? null,
    };
  }
}

/** Why an answer is not complete. */
const incompleteReasons: Partial<Record<Finish, string>> = {
  length: "max_output_tokens",
  "content-filter": "content_filter",
};

const statusOf = (finish: Finish): Status => (incompleteReasons[finish] === undefined ? "completed" : "incomplete");
