import type { FinishReason, GenerateOptions, JsonSchema, Usage } from "@toolingua/core";
import { addUsage, isObject } from "@toolingua/core/adapters";
import type { Conversation } from "@toolingua/core/providers";
import { type Failure, wrongValue } from "../failure.js";
import type { ResponseMemory } from "../store/response-memory.js";
import type { Part, Parts, Piece } from "../turn/parts.js";
import type { AskedBody } from "./schema-place.js";

/** How a reply ended: with calls, at the token limit, or with an end token. */
export type Finish = "calls" | FinishReason;

/** One complete reply. */
export interface Reply {
  parts: readonly Part[];
  finish: Finish;
  /** The stop sequence of the request that ended the text. */
  stop?: string | undefined;
  usage: Usage;
}

/** A request, independent of its API. */
export interface TurnRequest {
  /** The model's name, as the client gave it. */
  model: string;
  stream: boolean;
  conversation: Conversation;
  /** Options of the turn besides the conversation: limits, sampling, the schema of the answer. */
  options: Pick<
    GenerateOptions,
    | "maxTokens"
    | "temperature"
    | "seed"
    | "stop"
    | "fields"
    | "parallel"
    | "answerSchema"
    | "generateId"
    | "startWithReasoning"
  >;
  /** Whether the client has tools that this request does not allow, so that a call of an unknown tool must not reach it. */
  hasForbidden: boolean;
  /** Whether the answer includes the model's reasoning. */
  reasoning: boolean;
  /** How many replies are requested. */
  choices: number;
  /** The writer of the answer. */
  writer(): ReplyWriter;
  /** Stores the complete answer. Called before the client gets the event that completes it. */
  keep?(answer: unknown): Promise<void>;
}

/** Writes replies in the shape of an API: as server-sent events (text), or as one object. */
export interface ReplyWriter {
  /** `usage`: what is known of it yet. */
  begin(usage: Usage): string;
  /** `choice`: the index of the reply. */
  piece(piece: Piece, choice: number): string;
  /** Called at the end of a reply. */
  finish(reply: Reply, choice: number): string;
  /** Called at the end of all replies. */
  end(replies: readonly Reply[]): string;
  /** Writes the failure of a reply whose stream has begun. */
  fail(failure: Failure, requestId: string): string;
  /** The complete answer; a text is its JSON. */
  whole(replies: readonly Reply[]): object | string;
}

/** The shape of an API's errors. */
export interface ErrorShape {
  error(failure: Failure, requestId: string): object;
}

/** What an API needs to read requests. */
export interface ReadContext {
  /** The stored responses of the client. */
  memory: ResponseMemory;
  /** Whether the model of this name accepts images. Errors: {@link Failure} `not-found`. */
  sees(model: string): boolean;
}

/** One of the APIs: it reads requests and writes errors. */
export interface Api extends ErrorShape {
  name: "chat" | "messages" | "responses";
  /** Where requests have the schema of an answer: each place as its keys, the first that is there counts. */
  answerSchemas: AskedBody["answerSchemas"];
  /**
   * Errors: {@link Failure} `invalid` and `not-found`, and those of the provider formats.
   */
  read(body: unknown, context: ReadContext): TurnRequest | Promise<TurnRequest>;
}

/** Whether a tool choice of OpenAI allows only some of the tools. */
export const allowsSome = (choice: unknown): boolean => isObject(choice) && choice.type === "allowed_tools";

/** A new id in the form that the APIs use. */
export const newId = (prefix: string): string => `${prefix}${crypto.randomUUID().replaceAll("-", "")}`;

/** The usage of an answer. All replies share the prompt. */
export const totalOf = ([first, ...others]: readonly Reply[]): Usage =>
  others.reduce(
    (sum, { usage: { outputTokens, reasoningTokens } }) =>
      addUsage(sum, { inputTokens: 0, outputTokens, reasoningTokens }),
    first!.usage,
  );

/** How a reply ended, by its parts and the model's finish reason. A content filter is reported beside calls too. */
export function finishOf({ cut, calls }: Parts, finish: FinishReason | undefined): Finish {
  if (finish === "content-filter") return finish;
  if (cut) return "length";
  return calls.length > 0 ? "calls" : (finish ?? "stop");
}

/**
 * Reads `{ type: "json_schema", … }` or `{ type: "json_object" }`, OpenAI's request for a structured answer. `param`:
 * the place of the schema in the request.
 *
 * Errors: {@link Failure} `invalid` without a schema, which would allow any JSON.
 */
export function answerSchemaOf(
  format: { type?: unknown; schema?: unknown } | null | undefined,
  param: string,
): JsonSchema | undefined {
  if (format?.type === "json_object") return { type: "object" };
  if (format?.type !== "json_schema") return undefined;
  if (isObject(format.schema)) return format.schema as JsonSchema;
  throw wrongValue(param, "must be a JSON Schema, an object", format.schema ?? undefined, "invalid_type");
}

/** The names of the tools that take one free text instead of JSON. */
export function customTools(tools: unknown): ReadonlySet<string> {
  const list = Array.isArray(tools) ? (tools as { type?: unknown; name?: unknown; custom?: { name?: unknown } }[]) : [];
  const names = list.flatMap((tool) => (tool?.type === "custom" ? [tool.custom?.name ?? tool.name] : []));
  return new Set(names.filter((name) => typeof name === "string"));
}

/** The text that a call passes to a custom tool; empty if the call was truncated. */
export function customInput(args: string): string {
  try {
    const { input } = JSON.parse(args) as { input?: unknown };
    return typeof input === "string" ? input : args;
  } catch {
    return "";
  }
}
