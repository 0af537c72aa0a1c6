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
  const sum = (all: readonly string[]) => all.reduce((total, name) => total + (numberAt(given, name) ?? 0), 0);
  if (numberAt(given, input[0]) === undefined || numberAt(given, output[0]) === undefined) return undefined;
  return reportedUsage({
    inputTokens: sum(input),
    outputTokens: sum(output),
    cacheReadTokens: numberAt(given, cacheRead) ?? numberAt(given[`${input[0]}_details`], "cached_tokens"),
    cacheWriteTokens: numberAt(given, cacheWrite),
    reasoningTokens: numberAt(given, reasoning) ?? numberAt(given[`${output[0]}_details`], "reasoning_tokens"),
  });
}

/** The number in a field; undefined for anything else. */
function numberAt(given: unknown, name: string | undefined): number | undefined {
  const value = isObject(given) && name !== undefined ? given[name] : undefined;
  return typeof value === "number" ? value : undefined;
}
