import type { Usage } from "../types.js";
import type { RawReply } from "./read-reply.js";
import type { TurnResult } from "./turn.js";

/** Copies the fields of the last attempt to the result. */
export function takeReply(result: TurnResult, { text, usage, finish, repeatedCall }: RawReply): void {
  result.raw = text;
  addUsage(result, usage);
  // Deleting a field would make the object slow.
  if (finish) result.finish = finish;
  else if (result.finish !== undefined) delete result.finish;
  if (repeatedCall) result.repeatedCall = repeatedCall;
  else if (result.repeatedCall !== undefined) delete result.repeatedCall;
}

/** Adds the tokens of a request. */
export function addUsage(result: TurnResult, usage: Usage | undefined): void {
  if (!usage) return;
  const before = result.usage ?? { inputTokens: 0, outputTokens: 0 };
  const inputTokens = before.inputTokens + usage.inputTokens;
  const outputTokens = before.outputTokens + usage.outputTokens;
  // A sum is estimated if one of its parts is.
  const estimated = before.estimated || usage.estimated;
  result.usage = estimated ? { inputTokens, outputTokens, estimated } : { inputTokens, outputTokens };
}
