import type { Body } from "../protocol.js";
import { expressionAfter } from "./bodies/between-calls.js";
import { ARGUMENT_KEYS, ASIDE_KEYS, CALL_KEYS } from "./bodies/call-keys.js";
import type { CallHost } from "./bodies/call-router.js";
import { inputFollows } from "./bodies/input-follows.js";
import type { Call } from "./call.js";
import { blockEnd } from "./closers.js";
import { type GrowingPattern, growingPattern } from "./growing-pattern.js";
import { type Input, LOOKAHEAD } from "./input.js";
import type { FormNode } from "./opening/forms.js";
import { holdsMore, isWhole } from "./opening/token-fit.js";

type Place = Pick<Input, "text" | "pos" | "final">;

/** The call that was read last, the body it was in, and what is known of the tools. */
export interface LastCall {
  body: Body;
  call: Pick<Call, "plan" | "hasArguments" | "isUnbalanced">;
  tools: Pick<CallHost, "isTool">;
}

const SEPARATORS = "[\\]\\}),;\\s]*";
const QUOTED = (quote: string) => [quote, "([^\"'\\n]{1,64})", quote, "\\s*", ":"];

/** Another key of the object that has been read, and its colon, or its equals sign and what is none. */
const KEY = growingPattern([
  [SEPARATORS, ...QUOTED('"')],
  [SEPARATORS, ...QUOTED("'")],
  ["[\\]\\})\\s]*", ",", "\\s*", "[\\p{L}_]", "[\\p{L}\\p{N}_]{0,63}", "\\s*", "[:=]", "[^=]"],
]);

/** Another object, and its first key. */
const OBJECT = growingPattern([
  [SEPARATORS, "\\{", "\\s*", ...QUOTED('"')],
  [SEPARATORS, "\\{", "\\s*", ...QUOTED("'")],
  [SEPARATORS, "\\{", "\\s*", "([\\p{L}_][\\p{L}\\p{N}_]{0,63})", "\\s*", ":"],
]);

/** Another value. */
const VALUE = growingPattern([
  [SEPARATORS, "[\"'“]"],
  ["\\s*", ",", "\\s*", "[\\d[-]"],
]);

/** A brace, and a string that is no key. */
const ITEM = growingPattern([[SEPARATORS, "\\{", "\\s*", '"', '[^"\\n]{1,64}', '"', "\\s*", "[,}\\]]"]]);

/** Another argument of Python's, and the beginning of its value, on the same line. */
const ARGUMENT = growingPattern([
  ["[^\\S\\n]*", "[\\p{L}_]", "[\\p{L}\\p{N}_]{0,63}", "[^\\S\\n]*", "=", "[^\\S\\n]*", "[\"'[({\\dTFN-]"],
]);

/** What models write before arguments, if anything. */
const LABEL_OF_ARGUMENTS = /^(?:\p{L}[\p{L} _-]{0,32}:?)?\s*/u;

/**
 * Whether something like arguments follows a name that may be all of a call, or a part of their label. Undefined: more input is needed.
 */
export function argumentsFollow({ text, pos, final }: Place, node: FormNode, call: Call): boolean | undefined {
  if (!holdsMore(node) || !call.isStarted || call.plan.properties.size === 0) return false;
  const rest = text.slice(pos, pos + LOOKAHEAD);
  const isCut = node.branches.some(
    ({ token }) => "text" in token && token.text.toLowerCase().startsWith(rest.toLowerCase()),
  );
  const label = labelFollows(rest, node);
  if (label) return true;
  const isWaiting = label === undefined && rest.length < LOOKAHEAD && !final;
  const at = LABEL_OF_ARGUMENTS.exec(rest)![0].length;
  if (rest.length < LOOKAHEAD && !final && (at === rest.length || !/[\n{[(]/.test(rest))) return undefined;
  if (isWaiting) return undefined;
  return isCut || /["'{[(]/.test(rest.charAt(at));
}

/**
 * Whether the label of arguments begins a later line, with no other label before it; undefined: it may when more has come.
 */
function labelFollows(rest: string, node: FormNode): boolean | undefined {
  const labels = node.branches.flatMap(({ token }) => (token.kind === "label" ? [token.text.toLowerCase()] : []));
  if (labels.length === 0) return false;
  for (const line of rest.toLowerCase().split("\n")) {
    const words = line.replace(/^[\s*]+/, "");
    if (labels.some((label) => words.startsWith(label))) return true;
    if (words.includes(":")) return false;
  }
  return undefined;
}

/**
 * Whether something in braces follows a call that may be a part of its arguments: any object after arguments alone; the arguments after
 * a name alone; else one that begins as no call does, where brackets are missing or the tool has that argument. Undefined: more input is needed.
 */
export function partFollows(place: Place, { body, call, tools }: LastCall): boolean | undefined {
  const mark = call.isUnbalanced && "quote" in body ? markFollows(place, body.quote) : false;
  if (mark !== false) return mark;
  const found = patternAt(place, OBJECT);
  if (found === false && call.isUnbalanced) return patternAt(place, ITEM) && true;
  if (!found || !isWhole(body)) return found && true;
  const key = found.slice(1).find((name) => name !== undefined)!;
  const isArguments = !call.hasArguments && (ARGUMENT_KEYS.has(key) || ("arguments" in body && key === body.arguments));
  const isOwn = isArguments || call.plan.properties.has(key);
  const isCall = beginsCall(key, body, tools);
  return call.isUnbalanced ? isOwn || !isCall : isArguments || (isOwn && !isCall);
}

/** Whether a string between the marks of its format follows, perhaps after punctuation of JSON. */
function markFollows({ text, pos, final }: Place, mark: string | undefined): boolean | undefined {
  const rest = text.slice(pos, pos + 2 * LOOKAHEAD);
  const words = rest.replace(/^[\]}),;{[\s]+/, "");
  if (mark === undefined || words.startsWith(mark)) return mark !== undefined;
  return !final && rest.length < 2 * LOOKAHEAD && mark.startsWith(words) ? undefined : false;
}

/** Whether an object with a call may begin with that key. */
function beginsCall(key: string, body: Body, tools: LastCall["tools"]): boolean {
  if (tools.isTool(key) !== false) return true;
  if (body.body === "keyed-call") return false;
  return CALL_KEYS.has(key) || ASIDE_KEYS.has(key) || Object.values(body).includes(key);
}

/** Whether the arguments go on after a call, as if it had ended too early; undefined: more input is needed. */
export function goesOn(place: Place, last: LastCall): boolean | undefined {
  const { body } = last.body;
  const patterns = [KEY];
  if (last.call.isUnbalanced && /json|call|action|input/.test(body)) patterns.push(VALUE);
  if (body === "python-arguments") patterns.push(ARGUMENT);
  const ways = [partFollows(place, last), ...patterns.map((pattern) => patternAt(place, pattern) && true)];
  return ways.includes(true) || (ways.includes(undefined) ? undefined : false);
}

/** What a pattern matches at a place; undefined: more input is needed. */
function patternAt({ text, pos, final }: Place, { whole, part }: GrowingPattern): RegExpExecArray | false | undefined {
  const rest = text.slice(pos, pos + 2 * LOOKAHEAD) + (final ? "\n" : "");
  const found = whole.exec(rest);
  return found ?? (!final && rest.length < 2 * LOOKAHEAD && part.test(rest) ? undefined : false);
}

/**
 * Why the arguments that end here may be incomplete, judged by the text that follows them, and where that text ends.
 * False: there is no such reason; undefined: more input is needed. `labels`: the labels of the arguments of a call that
 * begins a line.
 */
export function doubtAfter(
  input: Input,
  node: FormNode,
  last: LastCall,
  labels: readonly string[] | undefined,
): { reason: string; end: number } | false | undefined {
  const end = input.pos;
  const continues = argumentFollows(input, node, last);
  if (continues !== false) return continues && { reason: "an object continues after its last bracket", end };
  const close = node.block?.close ?? node.literals;
  const isPython = last.body.body === "python-arguments";
  const expression = isPython && expressionAfter(input, close, !close.includes("]"));
  if (expression !== false) return expression;
  const string = isPython && close.includes("]") && stringEndsAgain(input);
  if (string !== false) return string && { reason: "a string's quotes can be read in more than one way", end };
  const another = labels !== undefined && inputFollows(input, labels);
  return another && { reason: "more than one input follows its name", end };
}

/**
 * Whether a string and its call end once more on the line after a call in a list, as in `to="a") # b")]`: the first end
 * may be a part of that string. Undefined: more input is needed.
 */
function stringEndsAgain({ text, pos, final }: Input): boolean | undefined {
  const rest = text.slice(pos, pos + LOOKAHEAD);
  if (ENDS_AGAIN.test(rest)) return true;
  const isWhole = final || rest.length === LOOKAHEAD || !/^[\s;]*(?:$|[^\s;,\]<][^\n]*$)/.test(rest);
  return isWhole ? false : undefined;
}

/** A comment, or text other than the next call or the end of the list, with a quote before a bracket or comma. */
const ENDS_AGAIN = /^(?:[\s;]*#|[^\S\n]*(?![\p{L}_][\p{L}\p{N}_.]*\()[^\s;,\]<])[^\n]*["'][^\S\n]*[),\]]/u;

/** Whether another argument follows the body or, where brackets are missing, the end of its block. */
function argumentFollows(input: Input, { block }: FormNode, last: LastCall): boolean | undefined {
  const { text, pos, final } = input;
  const end = block && last.call.isUnbalanced ? blockEnd(input, block.close) : false;
  if (end === undefined && !final) return undefined;
  // A fence may name a language.
  const word = end ? /^\w*/.exec(text.slice(end, end + LOOKAHEAD))![0].length : 0;
  return goesOn({ text, pos: (end || pos) + word, final }, last);
}
