import { type GrowingPattern, growingPattern, matchAt } from "../../notation/growing-pattern.js";
import { LOOKAHEAD } from "../../notation/input.js";
import { MAX_DEPTH } from "../../notation/json/brackets.js";
import { wholeJson } from "../../notation/json/whole-json.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { takesNothing } from "../../schema/plan.js";
import { type Body, factsOf } from "../../syntax/bodies.js";
import { ARGUMENT_KEYS, ASIDE_KEYS, CALL_KEYS, NAME_KEYS } from "../arguments/call-keys.js";
import { blockEnd } from "../forms/closers.js";
import type { FormNode } from "../forms/forms.js";
import { definitionFollows } from "../forms/match-branch.js";
import { closesList, holdsMore, holdsName, isMessage } from "../forms/match-token.js";
import type { Call } from "../output/call.js";
import { inputFollows } from "../readers/input-follows.js";
import { expressionAfter } from "./between-calls.js";
import type { LastCall } from "./last-call.js";
import { GOES_ON, laterEnd } from "./later-end.js";

/** What may stand before it. */
const PUNCTUATION = "[\\]\\}),;\\s]*";
const QUOTED = ["[\"']", "([^\"'\\n]{1,64})", "[\"']", "\\s*", ":"];

/** Another key of the object that was read, with its colon, or with a single `=`. */
const KEY = growingPattern([
  [PUNCTUATION, ...QUOTED],
  ["[\\]\\})\\s]*", ",", "\\s*", "[\\p{L}_]", "[\\p{L}\\p{N}_]{0,63}", "\\s*", "[:=]", "[^=]"],
]);

/** An object up to its first key. */
const FIRST_KEY = ["\\{", "\\s*", "[\"']?", "([^\"':,{}\\n]{1,64}?)", "[\"']?", "\\s*", ":"];

/** Another object, and its first key. */
const OBJECT = growingPattern([[PUNCTUATION, ...FIRST_KEY]]);

/** Another object or list of arguments, perhaps in a code fence, or after the end of a tag. */
const AGAIN = growingPattern([
  [PUNCTUATION, '[">`\\s]*', "\\{"],
  [PUNCTUATION, '[">`\\s]*', "\\[", "\\s*", '[{"]'],
  [PUNCTUATION, '[">`\\s]*', "json", "\\s*", "[{[]"],
]);

/** An object after a line or a short word (`and`, `then:`), and its first key. */
const OTHERS = growingPattern([["[\\s,;|+-]*", "(\\p{L}{0,5})", '[">`:\\s]*', ...FIRST_KEY]]);

/** The most characters of such an object. */
const MAX_OTHERS = 256;

/** Another value. */
const VALUE = growingPattern([
  [PUNCTUATION, "[\"'“]"],
  ["\\s*", ",", "\\s*", "[\\d[-]"],
]);

/** A brace and a string that is not a key, or nothing. */
const ITEM = growingPattern([
  [PUNCTUATION, "\\{", "\\s*", '"', '[^"\\n]{1,64}', '"', "\\s*", "[,}\\]]"],
  [PUNCTUATION, "\\{", "\\s*", "\\}"],
]);

/** Another Python argument and the beginning of its value, on the same line; or other arguments in their parentheses. */
const ARGUMENT = growingPattern([
  ["[,;\\s]*", "\\(", "\\s*", "[\"'[{)]"],
  ["[,;\\s]*", "\\(", "\\s*", "[\\p{L}_]", "[\\p{L}\\p{N}_]{0,63}", "\\s*", "=", "[^=]"],
  ["[^\\S\\n]*", "[\\p{L}_]", "[\\p{L}\\p{N}_]{0,63}", "[^\\S\\n]*", "=", "[^\\S\\n]*", "[\"'[({\\dTFN-]"],
]);

/** What models write before arguments, if anything. */
const LABEL_OF_ARGUMENTS = /^(?:\p{L}[\p{L} _-]{0,32}:?)?\s*/u;

/** Whether text like arguments follows a name that may be the whole call or a part of the arguments' label. */
export function argumentsFollow(
  look: Lookahead,
  from: number,
  node: FormNode,
  call: Pick<Call, "isStarted" | "plan">,
): boolean {
  if (!holdsMore(node) || !call.isStarted || call.plan.properties.size === 0) return false;
  const rest = look.text.slice(from, from + LOOKAHEAD);
  if (labelFollows(look, rest, node)) return true;
  const at = LABEL_OF_ARGUMENTS.exec(rest)?.[0].length ?? 0;
  if (rest.length < LOOKAHEAD && (at === rest.length || !/[\n{[(]/.test(rest))) look.atEnd();
  const isCut = node.branches.some(
    ({ token }) => "text" in token && token.text.toLowerCase().startsWith(rest.toLowerCase()),
  );
  return isCut || /["'{[(]/.test(rest.charAt(at));
}

const inOneWord = (label: string) => label.toLowerCase().replace(/[\s_-]/g, "");

/** Whether the label of arguments begins a later line, with no other label before it. */
function labelFollows(look: Lookahead, rest: string, node: FormNode): boolean {
  const labels = node.branches.flatMap(({ token }) => (token.kind === "label" ? [inOneWord(token.text)] : []));
  if (labels.length === 0) return false;
  for (const line of rest.split("\n")) {
    const words = inOneWord(line.replace(/^[\s*]+/, ""));
    if (labels.some((label) => words.startsWith(label))) return true;
    if (words.includes(":")) return false;
  }
  if (rest.length < LOOKAHEAD) look.atEnd();
  return false;
}

/** The text in braces after a call: its arguments, after a name alone; what may be a part of them; or neither. */
type ObjectAfter = "arguments" | "part" | "other";

/**
 * What text in braces after a call is. After arguments alone any object may be a part of them; otherwise one that cannot
 * begin a call, if brackets are missing or the tool has that argument.
 */
export function objectAfter(look: Lookahead, at: number, { body, call, tools }: LastCall): ObjectAfter {
  const partIf = (isPart: boolean) => (isPart ? "part" : "other");
  if (call.isUnbalanced && "quote" in body && markFollows(look, at, body.quote)) return "part";
  // In brackets of its own, a Python call has ended before an object that begins a call in JSON.
  const isPython = factsOf(body).language === "python";
  const found = patternAt(look, at, holdsName(body) || isPython ? OBJECT : AGAIN);
  if (!found) return partIf(call.isUnbalanced && follows(look, at, ITEM));
  const [, key] = found;
  if (key === undefined) return "part";
  const isKey = ARGUMENT_KEYS.has(key) || ("arguments" in body && key === body.arguments);
  const isArguments = isKey && (call.isSplit || !call.hasArguments);
  const isOwn = isArguments || call.plan.properties.has(key);
  const isCall = beginsCall(key, body, tools);
  // Where brackets are missing, an object with the name of no tool is data.
  if (call.isUnbalanced || isPython)
    return partIf(isOwn || !isCall || (NAME_KEYS.has(key) && namesNoTool(look, at + found[0].length, tools)));
  if (isArguments) return call.isSplit || factsOf(body).holdsName !== "beside" ? "part" : "arguments";
  return partIf(isOwn && !isCall);
}

/** Whether a string at an index is the name of no tool, and no arguments follow it. */
function namesNoTool(look: Lookahead, at: number, tools: LastCall["tools"]): boolean {
  const rest = look.text.slice(at, at + 2 * LOOKAHEAD);
  const [found, , name = "", key = ""] = NAME_AND_KEY.exec(rest) ?? [];
  if (found === undefined && rest.length < 2 * LOOKAHEAD) look.atEnd();
  return found !== undefined && tools.isTool(name) === false && !ARGUMENT_KEYS.has(key);
}

/** A string, and the next key or the end of its object. */
const NAME_AND_KEY = /^\s*(["'])([^"'\n]*)\1\s*(?:,\s*["']?([\w-]+)["']?\s*:|[}\]])/;

/** Whether a string between the format's quote marks follows, perhaps after JSON punctuation. */
function markFollows(look: Lookahead, at: number, mark: string | undefined): boolean {
  if (mark === undefined) return false;
  const rest = look.text.slice(at, at + 2 * LOOKAHEAD);
  const words = rest.replace(/^[\]}),;{[\s]+/, "");
  if (words.startsWith(mark)) return true;
  if (rest.length < 2 * LOOKAHEAD && mark.startsWith(words)) look.atEnd();
  return false;
}

/** Whether an object with a call may begin with that key. */
function beginsCall(key: string, body: Body, tools: LastCall["tools"]): boolean {
  if (tools.isTool(key) !== false) return true;
  if (factsOf(body).holdsName === "key") return false;
  return CALL_KEYS.has(key) || ASIDE_KEYS.has(key) || Object.values(body).includes(key);
}

/** Whether the arguments continue after a call, so that the call seems to have ended too early. */
export function argumentsContinue(look: Lookahead, at: number, last: LastCall): boolean {
  const { language } = factsOf(last.body);
  const patterns = [KEY];
  if (last.call.isUnbalanced && language === "json") patterns.push(VALUE);
  if (language === "python") patterns.push(ARGUMENT);
  const ways = patterns.map((pattern) => () => follows(look, at, pattern));
  return look.any(
    () => objectAfter(look, at, last) !== "other",
    () => leadFollows(look, at, last.node),
    () => othersFollow(look, at, last),
    ...ways,
  );
}

/**
 * Whether other arguments of the same call follow after a line or a short word: an object of which every key is the tool's,
 * with another value; one that is not strict JSON by its first key. Any other object is data of a text.
 */
function othersFollow(look: Lookahead, at: number, { body, call, tools }: LastCall): boolean {
  const { properties } = call.plan;
  const [, word = "", key = ""] = patternAt(look, at, OTHERS) ?? [];
  if (!properties.has(key) || tools.isTool(word) || (holdsName(body) && beginsCall(key, body, tools))) return false;
  const from = look.text.indexOf("{", at);
  const text = look.text.slice(from, from + MAX_OTHERS);
  const { end, whole } = wholeJson(text, 0, MAX_DEPTH);
  if (whole) return Object.keys(whole.value).every((name) => properties.has(name)) && !call.hasAll(whole.value);
  if (end === text.length && end < MAX_OTHERS) look.atEnd();
  return end < text.length || text.endsWith("}");
}

/** Whether the text between the name and the arguments comes again. `node`: the one after these. */
export function leadFollows(look: Lookahead, from: number, node: FormNode | undefined): boolean {
  const leads = node?.leads ?? [];
  const [gap = ""] = GAP.exec(look.text.slice(from, from + LOOKAHEAD)) ?? [];
  if (leads.length > 0 && from + gap.length === look.text.length) look.atEnd();
  return look.find(leads, (lead) => look.has(lead, from + gap.length)) !== undefined;
}

/** Punctuation or a short word before it. */
const GAP = /^[\s,;|+-]*(?:\p{L}{1,5}(?:[:\s]+|$))?/u;

/** The match of a pattern at an index. */
const patternAt = (look: Lookahead, at: number, pattern: GrowingPattern) =>
  matchAt(look, at, pattern, 2 * LOOKAHEAD, "\n");

const follows = (look: Lookahead, at: number, pattern: GrowingPattern) => patternAt(look, at, pattern) !== undefined;

/**
 * Why the arguments that end at an index may be incomplete, judged by the text after them, and where that text ends.
 * `labels`: the labels of the arguments, if a call begins a line.
 */
export function doubtAfter(
  look: Lookahead,
  end: number,
  last: LastCall,
  labels: readonly string[] | undefined,
): { reason: string; end: number } | undefined {
  if (argumentFollows(look, end, last)) return { reason: GOES_ON, end };
  const { block, literals } = last.node;
  const close = block?.close ?? literals;
  const later = laterEnd(look, end, last, close);
  if (later !== undefined) return { reason: GOES_ON, end: later };
  if (textFollows(look, end, last)) return { reason: TEXT_FOLLOWS, end };
  // Without a marker, words on its line may say that the object is not meant.
  if (isMessage(last.body) && follows(look, end, WORDS))
    return { reason: "words follow it on its line; write the object alone", end };
  if (factsOf(last.body).language === "python") {
    const isList = closesList(close);
    const expression = expressionAfter(look, end, close, !isList);
    if (expression) return expression;
    const isRemark = labels !== undefined && (follows(look, end, WORD) || definitionFollows(look, end));
    if (isRemark) return { reason: MUST_BE_ALONE, end };
    if (isList && stringEndsAgain(look, end))
      return { reason: "a string's quotes can be read in more than one way", end };
  }
  const isOnLine = "closer" in last.body && labels !== undefined;
  if (isOnLine && follows(look, end, REST)) return { reason: MUST_BE_ALONE, end };
  const isAgain = labels !== undefined && inputFollows(look, end, labels);
  return isAgain ? { reason: "more than one input follows its name", end } : undefined;
}

/** Why a call is rejected whose arguments may be a longer text than their string. */
export const TEXT_FOLLOWS = "text follows its last quote";

/** Whether the arguments are a string in JSON, and text goes on on its line, which may belong to it: `"rm" -rf`. */
export function textFollows(look: Lookahead, at: number, { body, call, source }: LastCall): boolean {
  if (factsOf(body).language !== "json" || call.isUnbalanced) return false;
  if (!/["'][^\S\n]*$/.test(source().slice(-LOOKAHEAD))) return false;
  return follows(look, at, MORE_TEXT);
}

const MUST_BE_ALONE = "its line goes on, or a definition follows, and a call must be alone";

/** Anything but extra braces on the line. */
const REST = growingPattern([["(?:[^\\S\\n]|\\})*", "[^\\s}]"]]);

/** A word on the line, perhaps after punctuation. */
const WORD = growingPattern([["[^\\S\\n]*", "[,;.]?", "[^\\S\\n]*", "\\p{L}"]]);

/** Words on the line, perhaps after the end of inline code. */
const WORDS = growingPattern([["(?:[^\\S\\n]|`)*", "[\\p{L}?]"]]);

/** Text on the line that may belong to a string before it. */
const MORE_TEXT = growingPattern([["[^\\S\\n]*", "[\\p{L}\\p{N}\"'=+&|>(-]"]]);

/**
 * Whether a string and its call end once more on the line after a call in a list, as in `to="a") # b")]`: the first end
 * may be a part of that string.
 */
function stringEndsAgain(look: Lookahead, at: number): boolean {
  return matchAt(look, at, ENDS_AGAIN) !== undefined;
}

/** A comment, or text other than the next call or the end of the list, with a quote before a bracket or comma. */
const ENDS_AGAIN = {
  whole: /^(?:[\s;]*#|[^\S\n]*(?![\p{L}_][\p{L}\p{N}_.]*\()[^\s;,\]<])[^\n]*["'][^\S\n]*[),\]]/u,
  part: /^[\s;]*(?:$|[^\s;,\]<][^\n]*$)/,
};

/** Whether another argument follows the body or, where brackets are missing, the end of its block. */
function argumentFollows(look: Lookahead, at: number, last: LastCall): boolean {
  const { block } = last.node;
  const end = block && last.call.isUnbalanced ? blockEnd(look, at, block.close) : false;
  if (end === false) return argumentsContinue(look, at, last);
  // A fence may name a language.
  const [word = ""] = /^\w*/.exec(look.text.slice(end, end + LOOKAHEAD)) ?? [];
  return argumentsContinue(look, end + word.length, last);
}

/** Whether no argument was read of a call that can have arguments, in a format without JSON. */
export const isUnread = (call: Pick<Call, "isStarted" | "argumentNames" | "plan">, body: Body | undefined): boolean =>
  !(body && factsOf(body).language === "json") &&
  call.isStarted &&
  call.argumentNames.length === 0 &&
  call.plan.properties.size > 0;

/** Whether only the arguments are missing of a tool that has none. `node`: what may follow. */
export const needsNothing = ({ isStarted, plan }: Call, node: FormNode): boolean =>
  isStarted && takesNothing(plan) && node.branches.some(({ token }) => token.kind === "body");
