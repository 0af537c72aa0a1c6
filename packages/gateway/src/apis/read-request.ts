import { isObject, keptJson, unkeptNumber } from "@toolingua/core/adapters";
import { bodyLimit } from "hono/body-limit";
import { Failure } from "../failure.js";
import type { ServedModel } from "../models/served-model.js";
import type { GatewayContext, Middleware } from "../operation/context.js";
import type { Api, TurnRequest } from "./api.js";
import { refuseDepth } from "./depth.js";

/** Refuses a body that is larger than the configuration allows, before it is read. Errors: {@link Failure}. */
export const limitedBody: Middleware = (c, next) => {
  const maxSize = c.get("setup").limits.body;
  const onError = () => {
    throw new Failure("too-large", `The body is larger than ${maxSize} bytes.`, { code: "request_too_large" });
  };
  // A body with a declared length needs no counting, and is read without the cost of a stream.
  const length = c.req.header("content-length");
  if (length === undefined || c.req.header("transfer-encoding") !== undefined)
    return bodyLimit({ maxSize, onError })(c, next);
  if (!(Number(length) <= maxSize)) onError();
  return next();
};

/** Parses the request and finds its model. Errors: {@link Failure}. */
export async function readRequest(c: GatewayContext, api: Api): Promise<{ request: TurnRequest; model: ServedModel }> {
  const { models, limits } = c.get("setup");
  refuseCompressed(c.req.header("content-encoding"));
  const body = await jsonBody(c.req);
  refuseDepth(body);
  c.set("asked", { body, answerSchemas: api.answerSchemas });
  const request = await api.read(body, {
    memory: c.get("memory"),
    sees: (name) => models.get(name).vision,
  });
  const { messages, tools } = request.conversation;
  checkCount("messages", messages.length, limits.messages);
  checkCount("tools", tools?.length ?? 0, limits.tools);
  checkCount("n", request.choices, limits.choices);
  // The whole reply is searched for each of them.
  checkCount(api.name === "messages" ? "stop_sequences" : "stop", request.options.stop?.length ?? 0, limits.stops);
  // OpenAI's arguments are JSON in a string, so their depth is known only after parsing.
  for (const [i, message] of messages.entries())
    if (message.role === "assistant" && message.toolCalls)
      refuseDepth(message.toolCalls, ["messages", i, "tool_calls"]);
  return { request, model: models.get(request.model) };
}

function refuseCompressed(encoding = ""): void {
  if (/^(identity)?$/i.test(encoding)) return;
  const message = `The body is compressed (${encoding.slice(0, 100)}). Send it as it is, without \`content-encoding\`.`;
  throw new Failure("invalid", message, { code: "unsupported_encoding" });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

async function jsonBody(request: { arrayBuffer(): Promise<ArrayBuffer> }): Promise<unknown> {
  const text = textOf(await request.arrayBuffer());
  try {
    return withDigits(JSON.parse(text), text);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new Failure("invalid", `The body is not JSON: ${why}`, { code: "invalid_json" });
  }
}

/**
 * The body, in whose conversation a number that JavaScript cannot represent, as in the input of an earlier call, is the string
 * of its digits. Elsewhere it is rounded: limits of a schema, such as the largest integer of 64 bits, stay numbers.
 */
function withDigits(body: unknown, text: string): unknown {
  if (!isObject(body) || unkeptNumber(text) === undefined) return body;
  const kept = keptJson(text) as Record<string, unknown>;
  const conversation = ["messages", "input"].filter((field) => Object.hasOwn(body, field));
  return { ...body, ...Object.fromEntries(conversation.map((field) => [field, kept[field]])) };
}

/** Other encodings, such as Latin-1 of old PowerShells, would lose characters silently. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure("invalid", "The body is not UTF-8, the encoding of JSON.", { code: "unsupported_encoding" });
  }
}

function checkCount(field: string, count: number, most: number): void {
  if (count <= most) return;
  throw new Failure("invalid", `\`${field}\`: at most ${most} are allowed, not ${count}.`, {
    param: field,
    code: "limit_exceeded",
  });
}
