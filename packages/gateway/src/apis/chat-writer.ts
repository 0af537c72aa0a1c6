import type { Failure } from "../failure.js";
import type { CallPart, Part, Piece } from "../turn/parts.js";
import { customInput, type Finish, newId, type Reply, type ReplyWriter, totalOf } from "./api.js";
import { openaiError } from "./openai-errors.js";

interface ChatWriterOptions {
  model: string;
  /** The request has `functions`, so calls are `function_call`s. */
  isDeprecated: boolean;
  /** The names of the tools that take free text. */
  custom: ReadonlySet<string>;
  withUsage: boolean;
}

const data = (payload: unknown) => `data: ${JSON.stringify(payload)}\n\n`;

/** Writes answers of Chat Completions. */
export class ChatWriter implements ReplyWriter {
  readonly #id = newId("chatcmpl-");
  readonly #created = Math.floor(Date.now() / 1000);
  /** The number of calls so far, by choice. */
  readonly #calls: number[] = [];
  readonly #begun = new Set<number>();

  constructor(private readonly options: ChatWriterOptions) {}

  begin(): string {
    return this.#begin(0);
  }

  piece(piece: Piece, choice: number): string {
    const { part } = piece;
    const begin = this.#begin(choice);
    if (part.type !== "call") {
      if (piece.type !== "delta") return begin;
      return (
        begin + this.#delta(part.type === "text" ? { content: piece.text } : { reasoning_content: piece.text }, choice)
      );
    }
    return begin + this.#call(piece, part, choice);
  }

  finish({ finish }: Reply, choice: number): string {
    return (
      this.#begin(choice) +
      this.#chunk([{ index: choice, delta: {}, logprobs: null, finish_reason: this.#reason(finish) }])
    );
  }

  end(replies: readonly Reply[]): string {
    const usage = this.options.withUsage ? this.#chunk([], { usage: usageOf(replies) }) : "";
    return `${usage}data: [DONE]\n\n`;
  }

  fail(failure: Failure): string {
    return `${data(openaiError(failure))}data: [DONE]\n\n`;
  }

  whole(replies: readonly Reply[]): object {
    const choices = replies.map(({ parts, finish }, index) => ({
      index,
      message: this.#message(parts),
      logprobs: null,
      finish_reason: this.#reason(finish),
    }));
    return { ...this.#head("chat.completion"), choices, usage: usageOf(replies) };
  }

  #begin(choice: number): string {
    if (this.#begun.has(choice)) return "";
    this.#begun.add(choice);
    return this.#delta({ role: "assistant", content: "" }, choice);
  }

  #call(piece: Piece, part: CallPart, choice: number): string {
    if (this.options.isDeprecated) {
      if (piece.type === "open") return this.#delta({ function_call: { name: part.name, arguments: "" } }, choice);
      return piece.type === "delta" ? this.#delta({ function_call: { arguments: piece.text } }, choice) : "";
    }
    const isCustom = this.options.custom.has(part.name);
    if (piece.type === "open") {
      const index = this.#calls[choice] ?? 0;
      this.#calls[choice] = index + 1;
      const begun = isCustom
        ? { custom: { name: part.name, input: "" } }
        : { function: { name: part.name, arguments: "" } };
      return this.#delta(
        { tool_calls: [{ index, id: part.id, type: isCustom ? "custom" : "function", ...begun }] },
        choice,
      );
    }
    const index = this.#calls[choice]! - 1;
    // The free text is complete only when its JSON is.
    if (isCustom)
      return piece.type === "close"
        ? this.#delta({ tool_calls: [{ index, custom: { input: customInput(part.text) } }] }, choice)
        : "";
    return piece.type === "delta"
      ? this.#delta({ tool_calls: [{ index, function: { arguments: piece.text } }] }, choice)
      : "";
  }

  #message(parts: readonly Part[]): object {
    const textOf = (type: Part["type"]) => parts.map((part) => (part.type === type ? part.text : "")).join("");
    const [content, reasoning] = [textOf("text"), textOf("reasoning")];
    const calls = parts.filter((part) => part.type === "call");
    const [first] = calls;
    return {
      role: "assistant",
      content: content === "" && first ? null : content,
      refusal: null,
      ...(reasoning !== "" && { reasoning_content: reasoning }),
      ...(first &&
        (this.options.isDeprecated
          ? { function_call: { name: first.name, arguments: first.text } }
          : { tool_calls: calls.map((call) => this.#wholeCall(call)) })),
    };
  }

  #wholeCall({ id, name, text }: CallPart): object {
    if (this.options.custom.has(name)) return { id, type: "custom", custom: { name, input: customInput(text) } };
    return { id, type: "function", function: { name, arguments: text } };
  }

  #reason(finish: Finish): string {
    if (finish === "content-filter") return "content_filter";
    if (finish !== "calls") return finish;
    return this.options.isDeprecated ? "function_call" : "tool_calls";
  }

  #delta(delta: object, choice: number): string {
    return this.#chunk([{ index: choice, delta, logprobs: null, finish_reason: null }]);
  }

  #chunk(choices: object[], more: object = {}): string {
    return data({ ...this.#head("chat.completion.chunk"), choices, ...more });
  }

  #head(object: string) {
    return { id: this.#id, object, created: this.#created, model: this.options.model };
  }
}

function usageOf(replies: readonly Reply[]): object {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = totalOf(replies);
  const hasCache = cacheReadTokens !== undefined || cacheWriteTokens !== undefined;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    // What the upstream does not report is not 0.
    ...(hasCache && {
      prompt_tokens_details: { cached_tokens: cacheReadTokens ?? 0, cache_write_tokens: cacheWriteTokens },
    }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}
