import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  SharedV3Warning,
} from "@ai-sdk/provider";

/** What the model writes to one request: text, or content with text in it; an error is thrown. */
export type Reply = string | Error | ((call: LanguageModelV3CallOptions) => string) | Partial<Answer>;

interface Answer {
  content: LanguageModelV3Content[];
  finish: LanguageModelV3FinishReason["unified"];
  warnings: SharedV3Warning[];
}

export interface Script {
  replies: readonly Reply[];
  /** How many characters a piece of text has. Default 1. */
  size?: number;
  /** Whether a part that keeps the connection alive follows each piece, as in version 4. */
  pings?: boolean;
  modelId?: string;
  provider?: string;
}

/** A model of the AI SDK that writes what its script says, and remembers what it was asked. It knows nothing of tools. */
export class ScriptedModel implements LanguageModelV3 {
  readonly specificationVersion = "v3";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls = {};
  readonly calls: LanguageModelV3CallOptions[] = [];
  /** How many parts were read of the streams, and whether one was cancelled. */
  read = 0;
  cancelled = false;

  constructor(private readonly script: Script) {
    this.provider = script.provider ?? "scripted.chat";
    this.modelId = script.modelId ?? "scripted";
  }

  /** The text of a request, by its number; -1 for the last. */
  text(at: number): string {
    const prompt = this.calls.at(at)?.prompt ?? [];
    return prompt
      .map(({ content }) =>
        typeof content === "string"
          ? content
          : content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(""),
      )
      .join("\n");
  }

  async doGenerate(call: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    const { content, finish, warnings } = this.#next(call);
    return {
      content,
      finishReason: { unified: finish, raw: `raw-${finish}` },
      usage: usage(),
      warnings,
      request: { body: "sent" },
      response: { id: `response-${this.calls.length}`, modelId: this.modelId },
    };
  }

  async doStream(call: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    const parts = this.#parts(this.#next(call));
    const stream = new ReadableStream<LanguageModelV3StreamPart>(
      {
        pull: (controller) => {
          const next = parts.next();
          if (next.done) return controller.close();
          this.read++;
          controller.enqueue(next.value);
        },
        cancel: () => {
          this.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    return { stream, request: { body: "sent" }, response: { headers: { served: "yes" } } };
  }

  #next(call: LanguageModelV3CallOptions): Answer {
    call.abortSignal?.throwIfAborted();
    this.calls.push(call);
    const next = this.script.replies[this.calls.length - 1] ?? "";
    const reply = typeof next === "function" ? next(call) : next;
    if (reply instanceof Error) throw reply;
    const given = typeof reply === "string" ? { content: [{ type: "text" as const, text: reply }] } : reply;
    return { content: [], finish: "stop", warnings: [], ...given };
  }

  *#parts({ content, finish, warnings }: Answer): Generator<LanguageModelV3StreamPart> {
    yield { type: "stream-start", warnings };
    yield { type: "response-metadata", id: `response-${this.calls.length}`, modelId: this.modelId };
    for (const [i, part] of content.entries()) {
      const id = String(i);
      if (part.type === "text" || part.type === "reasoning") {
        const { type, text, ...about } = part;
        yield { type: `${type}-start`, id };
        for (const delta of pieces(text, this.script.size ?? 1)) {
          yield { type: `${type}-delta`, id, delta };
          if (this.script.pings) yield { type: "ping" } as never;
        }
        yield { type: `${type}-end`, id, ...about };
      } else yield part;
    }
    yield { type: "finish", finishReason: { unified: finish, raw: `raw-${finish}` }, usage: usage() };
  }
}

const pieces = (text: string, size: number): string[] => {
  const signs = [...text];
  return Array.from({ length: Math.ceil(signs.length / size) }, (_, i) =>
    signs.slice(i * size, (i + 1) * size).join(""),
  );
};

/** Ten tokens in, five out. */
export const usage = () => ({
  inputTokens: { total: 10, noCache: 8, cacheRead: 2, cacheWrite: 0 },
  outputTokens: { total: 5, text: 4, reasoning: 1 },
});

/** A call as Hermes' models write it. */
export const call = (name: string, args: object): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
