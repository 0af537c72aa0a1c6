import { LOOKAHEAD } from "../../notation/input.js";
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
  doubt?: string | undefined;
}

/** Examines the text in place of a call's closing marker, one of `closers`. `from`: where its arguments begin. */
export function otherCloser(
  look: Lookahead,
  at: number,
  from: FormNode,
  last: LastCall | undefined,
  call: Pick<Call, "plan" | "isUnbalanced">,
  closers: readonly string[],
): OtherCloser {
  const length = closingTagLength(look, at);
  const later = length === 0 && last ? laterEnd(look, at, last, closers) : undefined;
  if (later !== undefined) return { length: later - at, doubt: GOES_ON };
  // A comma may come before a closing tag.
  const tag = at + look.text.slice(at, at + LOOKAHEAD).search(/[^\s,;]|$/);
  const tagLength = closingTagLength(look, tag);
  if (last && argumentsContinue(look, tagLength > 0 ? tag + tagLength : at, last)) return { length, doubt: GOES_ON };
  const doubt = length === 0 ? otherDoubt(look, at, from, call) : undefined;
  if (length > 0 || doubt) return { length, doubt };
  return {
    length: respelledLength(look, at, closers),
    doubt: last && textFollows(look, at, last) ? TEXT_FOLLOWS : undefined,
  };
}

const ARGUMENTS_FOLLOW = "arguments follow its end";

/** Why a call may be incomplete before text that is no closing tag. */
function otherDoubt(
  look: Lookahead,
  at: number,
  from: FormNode,
  { plan, isUnbalanced }: Pick<Call, "plan" | "isUnbalanced">,
): string | undefined {
  if (isUnbalanced && /[\p{L}"',:]/u.test(look.text.charAt(at)))
    return "brackets are missing where something else stands";
  const tag = readTag(look, at);
  if ((tag && plan.properties.has(tag.name)) || elementOpens(look, at, from)) return ARGUMENTS_FOLLOW;
  return orFollows(look, at) ? "another call follows that may be meant instead" : undefined;
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
