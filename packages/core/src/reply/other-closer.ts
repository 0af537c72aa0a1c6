import { goesOn, type LastCall } from "./after-call.js";
import { closingTagLength, readTag } from "./bodies/markup.js";
import type { Call } from "./call.js";
import type { Input } from "./input.js";
import type { FormNode } from "./opening/forms.js";
import { elementOpens } from "./opening/token-fit.js";

/** What stands where a call should be closed: the length of a closing tag of another name, or 0. */
interface OtherCloser {
  length: number;
  /** Why the call may not be whole. */
  doubts: string[];
}

/** What stands in the place of a call's closing marker; undefined: more input is needed. `from`: where its arguments begin. */
export function otherCloser(
  input: Input,
  from: FormNode,
  last: LastCall | undefined,
  call: Pick<Call, "plan" | "isUnbalanced">,
): OtherCloser | undefined {
  const { text, pos, final } = input;
  const length = closingTagLength(text, pos, final);
  if (length === undefined) return undefined;
  const continues = length === 0 && last !== undefined && goesOn(input, last);
  if (continues === undefined) return undefined;
  const tag = readTag(text, pos);
  if (tag === "more" && !final) return undefined;
  const opens = length === 0 && elementOpens(from, text, pos);
  if (opens === undefined && !final) return undefined;
  const isElement = typeof tag === "object" && call.plan.properties.has(tag.name);
  const isWord = length === 0 && /[\p{L}"',:]/u.test(text.charAt(pos));
  const doubts: string[] = [];
  if (continues) doubts.push("an object continues after its last bracket");
  if (isWord && call.isUnbalanced) doubts.push("brackets are missing where something else stands");
  if (isElement || opens) doubts.push("arguments follow its end");
  return { length, doubts };
}
