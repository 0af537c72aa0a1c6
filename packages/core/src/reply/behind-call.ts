import type { Body } from "../protocol.js";
import { expressionBehind } from "./bodies/between-calls.js";
import { inputFollows } from "./bodies/input-reader.js";
import { blockEnd } from "./closers.js";
import { type Input, LOOKAHEAD } from "./input.js";
import type { FormNode } from "./opening/forms.js";

/** Another key of the object that has been read, and its colon. */
const KEY = /[\]}),\s]*(["'])[^"'\n]{1,64}\1\s*:|[\]})\s]*,\s*[\p{L}_][\p{L}\p{N}_]{0,63}\s*[:=](?!=)/uy;

/** Whether a key stands behind an object, as if it had ended too early; undefined: too little is there to tell. */
export function keyFollows({ text, pos, final }: Pick<Input, "text" | "pos" | "final">): boolean | undefined {
  KEY.lastIndex = pos;
  if (KEY.test(text)) return true;
  const rest = text.slice(pos, pos + 2 * LOOKAHEAD);
  return !final && rest.length < 2 * LOOKAHEAD && /^[\]}),\s]*(?:["'][^"'\n]*["']?\s*|[\p{L}\p{N}_]*\s*)?$/u.test(rest)
    ? undefined
    : false;
}

/**
 * Why the arguments that end here may not be all of the call, by what stands behind them, and where that ends; false:
 * nothing says so; undefined: too little is there to tell. `labels`: what labels the arguments of a call that begins a line.
 */
export function doubtBehind(
  input: Input,
  { body: { body }, node }: { body: Body; node: FormNode },
  call: { labels: readonly string[] | undefined; isUnbalanced: boolean },
): { reason: string; end: number } | false | undefined {
  const end = input.pos;
  const goesOn = argumentFollows(input, node, call.isUnbalanced);
  if (goesOn !== false) return goesOn && { reason: "an object goes on behind its last bracket", end };
  const close = node.block?.close ?? node.literals;
  const expression = body === "python-arguments" && expressionBehind(input, close, !close.includes("]"));
  if (expression !== false) return expression;
  const another = call.labels !== undefined && inputFollows(input, call.labels);
  return another && { reason: "more than one input stands behind its name", end };
}

/** Whether another argument stands behind the body or, where its brackets are missing, behind the end of its block. */
function argumentFollows(input: Input, { block }: FormNode, isUnbalanced: boolean): boolean | undefined {
  const { text, pos, final } = input;
  const end = block && isUnbalanced ? blockEnd(input, block.close) : false;
  if (end === undefined && !final) return undefined;
  // A fence may name a language.
  const word = end ? /^\w*/.exec(text.slice(end, end + LOOKAHEAD))![0].length : 0;
  return keyFollows({ text, pos: (end || pos) + word, final });
}
