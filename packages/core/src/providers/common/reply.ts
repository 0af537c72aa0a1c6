import { isObject } from "../../common/plain-object.js";
import { reportedUsage } from "../../common/usage.js";
import type { Usage } from "../../types.js";
import { readFinishReason } from "./finish-reason.js";
import type { ReadReply } from "./types.js";

/** A provider's names of token counts; the values of several names are added. OpenAI's parts are in objects of their own. */
interface TokenNames {
  input: readonly [string, ...string[]];
  output: readonly [string, ...string[]];
  cacheRead?: string;
  cacheWrite?: string;
  reasoning?: string;
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

function tokensOf(given: Record<string, unknown>, names: TokenNames): Usage | undefined {
  const { input, output, cacheRead, cacheWrite, reasoning } = names;
  const count = (name = "", { [name]: value } = given) => (typeof value === "number" ? value : undefined);
  const part = (name: string, details = given[`${name}_details`]) => (isObject(details) ? details : {});
  const sum = (all: readonly string[]) => all.reduce((total, name) => total + (count(name) ?? 0), 0);
  if (count(input[0]) === undefined || count(output[0]) === undefined) return undefined;
  return reportedUsage({
    inputTokens: sum(input),
    outputTokens: sum(output),
    cacheReadTokens: count(cacheRead) ?? count("cached_tokens", part(input[0])),
    cacheWriteTokens: count(cacheWrite),
    reasoningTokens: count(reasoning) ?? count("reasoning_tokens", part(output[0])),
  });
}
