import { isObject } from "../../common/plain-object.js";
import { reportedUsage } from "../../common/usage.js";
import type { Usage } from "../../types.js";
import { readFinishReason } from "./finish-reason.js";
import type { ReadReply } from "./types.js";

/** A provider's names of token counts, within objects as a path; the values of several names are added. */
interface TokenNames {
  input: readonly [string, ...string[]];
  output: readonly [string, ...string[]];
  cacheRead: string;
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
  const count = (name = ""): number | undefined => {
    const value = name.split(".").reduce((at: unknown, key) => (isObject(at) ? at[key] : undefined), given);
    return typeof value === "number" ? value : undefined;
  };
  const sum = (all: readonly string[]) => all.reduce((total, name) => total + (count(name) ?? 0), 0);
  const { input, output, cacheRead, cacheWrite, reasoning } = names;
  if (count(input[0]) === undefined || count(output[0]) === undefined) return undefined;
  return reportedUsage({
    inputTokens: sum(input),
    outputTokens: sum(output),
    cacheReadTokens: count(cacheRead),
    cacheWriteTokens: count(cacheWrite),
    reasoningTokens: count(reasoning),
  });
}
