import { shallowJson } from "@toolingua/core/adapters";
import { at, textAt } from "../json.js";
import { type Check, everyReply, hasCalls, isStream, isWhole, NO_CALL, NO_STREAM, NO_WHOLE } from "./check.js";
import { type ApiName, among, type Breaks } from "./clients.js";
import type { Reply } from "./reply.js";

/** A check without what all checks of its API have in common. */
interface CheckOfApi extends Pick<Check, "title" | "says" | "judge" | "costs"> {
  /** Without the API's name: `stream.index`. */
  id: string;
  /** Default: a fault. */
  level?: Check["level"];
  /** Default: none. */
  breaks?: Breaks;
}

/**
 * Makes the checks of an API. `sources`: where its specification describes whole answers, and streams.
 *
 * @example const check = checksOf("chat", { whole: "https://…/object", stream: "https://…/streaming" });
 */
export const checksOf =
  (api: ApiName, sources: { whole: string; stream: string }) =>
  ({ id, level = "fault", breaks = {}, ...check }: CheckOfApi): Check => ({
    ...check,
    id: `${api}.${id}`,
    level,
    source: id.startsWith("stream") ? sources.stream : sources.whole,
    breaks: among(api, breaks),
  });

/** Looks at the JSON of each whole answer, or of those of a kind. */
export const ofWhole = (
  wrong: (json: unknown, reply: Reply) => string | undefined,
  of: (reply: Reply) => boolean = () => true,
): Check["judge"] =>
  everyReply({
    of: (reply) => isWhole(reply) && of(reply),
    wrong: (reply) => wrong(shallowJson(reply.exchange.text), reply),
    unseen: of === hasCalls ? NO_CALL : NO_WHOLE,
  });

/** Looks at each stream, or at those of a kind. */
export const ofStreams = (
  wrong: (reply: Reply) => string | undefined,
  of: (reply: Reply) => boolean = () => true,
): Check["judge"] =>
  everyReply({ of: (reply) => isStream(reply) && of(reply), wrong, unseen: of === hasCalls ? NO_CALL : NO_STREAM });

/** The texts with these names that a JSON object lacks, in words; `undefined`: none. */
export function missingIn(json: unknown, names: readonly string[]): string | undefined {
  const missing = names.filter((name) => textAt(json, name) === undefined);
  return missing.length > 0 ? `there is no ${missing.join(" and no ")}` : undefined;
}

/** Which of these token counts a `usage` lacks, in words; `undefined`: none. */
export function usageProblem(usage: unknown, counts: readonly string[]): string | undefined {
  const missing = counts.filter((name) => typeof at(usage, name) !== "number");
  return missing.length > 0 ? `\`usage\` has no ${missing.join(", no ")}` : undefined;
}
