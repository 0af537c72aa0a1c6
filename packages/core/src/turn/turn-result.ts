import { addUsage } from "../common/usage.js";
import type { TurnResult } from "./lazy-turn.js";
import type { RawReply } from "./reply-reader.js";

/** Copies the fields of the last attempt to the result. */
export function takeReply(result: TurnResult, { text, usage, finish, repeatedCall }: RawReply): void {
  result.raw = text;
  if (usage) result.usage = addUsage(result.usage, usage);
  // Deleting a field would make the object slow.
  if (finish) result.finish = finish;
  else if (result.finish !== undefined) delete result.finish;
  if (repeatedCall) result.repeatedCall = repeatedCall;
  else if (result.repeatedCall !== undefined) delete result.repeatedCall;
}
