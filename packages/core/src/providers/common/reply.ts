import { isObject } from "../../common/plain-object.js";
import type { Usage } from "../../types.js";
import { readFinishReason } from "./finish-reason.js";
import type { ReadReply } from "./types.js";

/** A provider's names of token counts; the values of several names are added. */
interface TokenNames {
  input: readonly [string, ...string[]];
  output: readonly [string, ...string[]];
}

/** The finish reason and the usage of a reply, if reported. `ended`: the provider's finish reason. */
export function readEnd(
  ended: Readonly<Record<string, unknown>>,
  usage: unknown,
  names: TokenNames,
): Omit<ReadReply, "messages"> {
  const finish = readFinishReason(ended);
  const counted = isObject(usage) ? tokensOf(usage, names) : undefined;
  return { ...(finish && { finish }), ...(counted && { usage: counted }) };
}

function tokensOf(given: Record<string, unknown>, { input, output }: TokenNames): Usage | undefined {
  if (typeof given[input[0]] !== "number" || typeof given[output[0]] !== "number") return undefined;
  const sum = (names: readonly string[]) =>
    names.reduce((total, name) => total + (typeof given[name] === "number" ? given[name] : 0), 0);
  return { inputTokens: sum(input), outputTokens: sum(output) };
}
