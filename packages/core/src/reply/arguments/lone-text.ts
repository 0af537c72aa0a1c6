import { escapeRegExp } from "../../common/escape-reg-exp.js";
import { LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { readPlain } from "../../notation/markup/nested.js";
import type { Plan } from "../../schema/plan.js";
import { requiredOf } from "../../schema/required.js";

/**
 * The argument for text without a name, as in `<post_note>The pump is off.</post_note>`: the only string parameter, if
 * no other parameter is required. `given`: the arguments that were read before the text, beside which it must be required.
 *
 * @example loneArgument(planFor({ properties: { body: { type: "string" } } })); // "body"
 */
export function loneArgument({ properties, schema }: Plan, given: readonly string[] = []): string | undefined {
  let only: string | undefined;
  for (const [key, { kind }] of properties) {
    if (kind !== "string" || given.includes(key)) continue;
    if (only !== undefined) return undefined;
    only = key;
  }
  const needed = requiredOf(schema).filter((key) => !given.includes(key));
  if (needed.some((key) => key !== only) || (given.length > 0 && needed.length === 0)) return undefined;
  return only;
}

/** Elements of HTML that a text may begin with, and that hardly any argument is named after. */
const TEXT_ELEMENTS = /^(?:[bip]|h[1-6]|em|strong|span|div|br|hr|[uo]l|li|table|pre)$/;

/**
 * Whether a tag that is not an argument's is markup in the text of the {@link loneArgument}: HTML's, and no short name for
 * that.
 */
export const isMarkupOf = (tag: string, lone: string | undefined): boolean =>
  TEXT_ELEMENTS.test(tag) && lone?.startsWith(tag) === false;

/** Words for yes and no, and lists of numbers. */
const OTHER_VALUE = /^\s*(?:yes|no|on|off|true|false|[\d.,\s+-]+)\s*$/i;

/** Whether a text without a name may be the value of another argument than the {@link loneArgument}. */
export const mayBeOther = (text: string, { properties }: Plan): boolean =>
  properties.size > 1 && (readPlain(text.trim()) !== undefined || OTHER_VALUE.test(text));

const WORDS_FOR_NOTHING = ["none", "null", "nil", "n/a", "not applicable", "(none)"];

/** What models write for empty input. */
export const NOTHING = new RegExp(`^(?:${WORDS_FOR_NOTHING.map(escapeRegExp).join("|")}|-+)\\.?$`, "i");

/** Whether a text may be the beginning of that. */
export const mayBeNothing = (text: string): boolean =>
  ["-", ...WORDS_FOR_NOTHING].some((word) => word.startsWith(text.trim().toLowerCase()));

/** Whether the arguments at an index may be text without a name. */
export const mayBeText = (look: Lookahead, at: number, plan: Plan | undefined): boolean =>
  look.text.charAt(at) !== "<" && plan !== undefined && loneArgument(plan) !== undefined;

/** A line of YAML, or the beginning of one. */
const KEY = /^[\p{L}\p{N}_.-]+[^\S\n]*:(?:\s|$)/u;
const WORD = /^[\p{L}\p{N}_.-]*[^\S\n]*:?$/u;

/** Whether the text at an index is neither markup nor JSON nor YAML. */
export function textBegins(look: Lookahead, at: number): boolean {
  const window = look.text.slice(at, at + LOOKAHEAD);
  if (/^[<{[("'`&*|>!%@#\\.,;:?)-]/.test(window)) return false;
  if (window.length < LOOKAHEAD && WORD.test(window)) look.atEnd();
  return !KEY.test(window);
}

/**
 * Whether text may be the remains of arguments: escaped twice, with quotes after an equals sign, with a closing tag
 * that nothing opens, or with the name of an argument and a separator after it.
 */
export function mayContainArguments(text: string, names: readonly string[]): boolean {
  if (/\\[nrt"]|=\s*["']/.test(text)) return true;
  const lower = text.toLowerCase();
  return (
    hasStrayCloser(text) ||
    names.some((name) =>
      lower
        .split(name.toLowerCase())
        .slice(1)
        .some((rest) => /^["'*`]*\s*[:=]/.test(rest)),
    )
  );
}

/** Whether a text has a closing tag without an opening tag before it. */
function hasStrayCloser(text: string): boolean {
  const opened = new Set<string>();
  for (const [, slash, name = ""] of text.matchAll(/<(\/?)([^\s<>]*)/g)) {
    if (slash === "") opened.add(name.replace(/\/$/, ""));
    else if (!opened.has(name)) return true;
  }
  return false;
}
