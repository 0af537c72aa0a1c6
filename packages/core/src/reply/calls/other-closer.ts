import type { Lookahead } from "../../notation/lookahead.js";
import { closingTagLength, readTag } from "../../notation/markup/markup.js";
import { closedBy } from "../../syntax/spelling.js";
import type { FormNode } from "../forms/forms.js";
import { elementOpens } from "../forms/match-token.js";
import { orFollows } from "../forms/or-follows.js";
import type { Call } from "../output/call.js";
import { argumentsContinue, TEXT_FOLLOWS, textFollows } from "./after-call.js";
import type { LastCall } from "./last-call.js";
import { GOES_ON, laterEnd } from "./later-end.js";

/** The text in place of a call's closer: the length of a closing tag of another name, or of the rest of its object, or 0. */
interface OtherCloser {
  length: number;
  /** Why the call may be incomplete. */
  doubts: string[];
}

/** Examines the text in place of a call's closing marker, one of `closers`. `from`: where its arguments begin. */
export function otherCloser(
  look: Lookahead,
  at: number,
  from: FormNode,
  last: LastCall | undefined,
  call: Pick<Call, "plan" | "isUnbalanced">,
  closers: readonly string[] = [],
): OtherCloser {
  const length = closingTagLength(look, at);
  const later = length === 0 && last !== undefined ? laterEnd(look, at, last, closers) : undefined;
  const continues = later !== undefined || (length === 0 && last !== undefined && argumentsContinue(look, at, last));
  const tag = readTag(look, at);
  const opens = length === 0 && elementOpens(look, at, from);
  const isElement = tag !== undefined && call.plan.properties.has(tag.name);
  const isWord = length === 0 && /[\p{L}"',:]/u.test(look.text.charAt(at));
  const doubts: string[] = [];
  if (continues) doubts.push(GOES_ON);
  if (isWord && call.isUnbalanced) doubts.push("brackets are missing where something else stands");
  if (isElement || opens) doubts.push("arguments follow its end");
  if (length === 0 && orFollows(look, at)) doubts.push("another call follows that may be meant instead");
  if (length > 0 || doubts.length > 0) return { length: later === undefined ? length : later - at, doubts };
  const respelled = respelledLength(look, at, closers);
  if (last && textFollows(look, at, last)) doubts.push(TEXT_FOLLOWS);
  return { length: respelled, doubts };
}

/**
 * The length of a closing tag that is written as an empty one, or with the bars of a token (`<tool_call/>`, `</|tool_call|>`),
 * or of a marker that is cut off at the end of the reply.
 */
function respelledLength(look: Lookahead, at: number, closers: readonly string[]): number {
  const names = closers.flatMap((closer) => closedBy(closer) ?? []);
  const spellings = names.flatMap((name) => [`<${name}/>`, `</|${name}|>`]);
  const found = look.find(spellings, (spelling) => look.has(spelling, at));
  if (found !== undefined) return found.length;
  const rest = look.isWhole ? look.text.length - at : 0;
  return rest > 0 && closers.some((closer) => look.cuts(closer, at)) ? rest : 0;
}
