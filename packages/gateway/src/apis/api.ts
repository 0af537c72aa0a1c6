import type { FinishReason, GenerateOptions, JsonSchema, Usage } from "@toolingua/core";
import type { ReadConversation } from "@toolingua/core/providers";
import type { Failure } from "../failure.js";
import type { ResponseMemory } from "../store/response-memory.js";
import type { Part, Parts, Piece } from "../turn/parts.js";

/** How a reply ended: with calls, at the token limit, or by itself. */
export type Finish = "calls" | FinishReason;

/** One reply that was read to its end. */
export interface Reply {
  parts: readonly Part[];
  finish: Finish;
  usage: Usage;
}

/** What a request of any API asks for. */
export interface TurnRequest {
  /** The model by the name that the client knows. */
  model: string;
  stream: boolean;
  conversation: ReadConversation;
  /** What the turn takes beyond the conversation: limits, sampling, the schema of the answer. */
  options: Pick<
    GenerateOptions,
    "maxTokens" | "temperature" | "seed" | "stop" | "fields" | "parallel" | "answerSchema" | "generateId"
  >;
  /** Whether thoughts are part of the answer. */
  reasoning: boolean;
  /** How many replies are asked for. */
  choices: number;
  /** The writer of the answer. */
  writer(): ReplyWriter;
  /** Keeps the whole answer, before the client gets the event that completes it. */
  keep?(answer: object): Promise<void>;
}

/** Writes replies in the shape of an API: events of a stream, or a whole answer. Texts are server-sent events. */
export interface ReplyWriter {
  begin(): string;
  /** `choice`: which of several replies. */
  piece(piece: Piece, choice: number): string;
  /** A reply is over. */
  finish(reply: Reply, choice: number): string;
  /** All are. */
  end(replies: readonly Reply[]): string;
  /** The reply fails in the middle of the stream. */
  fail(failure: Failure, requestId: string): string;
  /** The answer in one piece. */
  whole(replies: readonly Reply[]): object;
}

/** The shape of an API's errors. */
export interface ErrorShape {
  error(failure: Failure, requestId: string): object;
}

/** What requests are read with. */
export interface ReadContext {
  /** What is stored of who asks. */
  memory: ResponseMemory;
  /** Whether the model of this name sees images. Errors: {@link Failure} `not-found`. */
  sees(model: string): boolean;
}

/** One of the APIs: how its requests are read and its errors written. */
export interface Api extends ErrorShape {
  name: "chat" | "messages" | "responses";
  /**
   * Errors: {@link Failure} `invalid` and `not-found`, and those of the provider formats.
   */
  read(body: unknown, context: ReadContext): TurnRequest | Promise<TurnRequest>;
}

/** An id as the APIs have them. */
export const newId = (prefix: string): string => `${prefix}${crypto.randomUUID().replaceAll("-", "")}`;

export const totalOf = (replies: readonly Reply[]): Usage => ({
  // The prompt is the same for all.
  inputTokens: replies[0]?.usage.inputTokens ?? 0,
  outputTokens: replies.reduce((sum, { usage }) => sum + usage.outputTokens, 0),
});

/** How a reply ended, by its parts and the model's own word. */
export function finishOf({ cut, calls }: Parts, finish: FinishReason | undefined): Finish {
  if (cut) return "length";
  return calls.length > 0 ? "calls" : (finish ?? "stop");
}

/** `{ type: "json_schema", … }` or `{ type: "json_object" }`, as OpenAI's APIs ask for an answer of a form. */
export function answerSchemaOf(
  format: { type?: unknown; schema?: unknown } | null | undefined,
): JsonSchema | undefined {
  if (format?.type === "json_object") return { type: "object" };
  return format?.type === "json_schema" ? ((format.schema ?? {}) as JsonSchema) : undefined;
}

/** The tools that take one free text instead of JSON. */
export function customTools(tools: unknown): ReadonlySet<string> {
  const list = Array.isArray(tools) ? (tools as { type?: unknown; name?: unknown; custom?: { name?: unknown } }[]) : [];
  const names = list.flatMap((tool) => (tool?.type === "custom" ? [tool.custom?.name ?? tool.name] : []));
  return new Set(names.filter((name) => typeof name === "string"));
}

/** What a call of a custom tool was given; nothing, where the call was cut. */
export function customInput(args: string): string {
  try {
    const { input } = JSON.parse(args) as { input?: unknown };
    return typeof input === "string" ? input : args;
  } catch {
    return "";
  }
}
