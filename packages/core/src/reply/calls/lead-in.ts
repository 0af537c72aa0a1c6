import { type Input, LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { type Body, factsOf } from "../../syntax/bodies.js";
import { ASIDE_KEYS, CALL_KEYS } from "../arguments/call-keys.js";
import type { FormNode } from "../forms/forms.js";
import type { Branch, KnownTools } from "../forms/match-branch.js";
import { holdsName } from "../forms/match-token.js";
import { FENCE } from "../forms/wrapping.js";
import type { CallSequence } from "./call-sequence.js";

/** The longest label. */
const MAX_LABEL = 48;

/** An object, perhaps in a list, its first key and the separator after that. */
const OBJECT = /^\[?\s*(?:\{(?:\s|\\[nrt])*[\\"'`]*([\p{L}\p{N}_.-]*)[\\"'`]*\s*([:=]?))?/u;

/** The words and marks of a list's item, a heading or a label that say nothing of the call. */
const SAYS_NOTHING =
  /^(?:\\[nrt]?|#[^\n]*\n|[^\p{L}\\/#]|(?:json|python|assistant|(?:tool|function|call|action|request|arg(?:ument)?|param(?:eter)?|input|output)s?)(?!\p{L}))+$/iu;

/** Moves the input past the label at its position, before the JSON of a call that is expected. Undefined: there is none. */
export function passLeadIn(
  input: Input,
  look: Lookahead,
  node: FormNode,
  calls: CallSequence,
): "passed" | "more" | undefined {
  const end = leadInEnd(look, input.pos, node, calls);
  if (look.hitEnd) return "more";
  if (end === undefined) return undefined;
  input.pos = end;
  return "passed";
}

/**
 * Where a label before the JSON of a call ends, as in `<tool_call>Function: {"name": …}`: the object has the keys of a call, or the
 * tool's own. Undefined: there is none.
 */
export function leadInEnd(look: Lookahead, at: number, node: FormNode, calls: CallSequence): number | undefined {
  const char = look.text.charAt(at);
  if (char !== "" && "{[<\"'".includes(char)) return undefined;
  const bodies = jsonBodies(node);
  // A second bracket of the marker, unless it is expected or may be text.
  if (char === ">" && !node.branches.some(takesBracket))
    return bodies.length > 0 || takesTag(node) ? at + 1 : undefined;
  if (bodies.length === 0) return undefined;
  const window = look.text.slice(at, at + 2 * LOOKAHEAD);
  const [lead = ""] = window.split(/[[{"'<]|`{3}/, 1);
  const rest = window.slice(lead.length);
  const words = rest === "" ? lead.replace(/\p{L}*$/u, "\n") : lead;
  if (lead.length > MAX_LABEL || !SAYS_NOTHING.test(words)) return undefined;
  // A word may be the tool's name.
  if (words.match(/[\p{L}\p{N}_-]*\p{L}[\p{L}\p{N}_-]*/gu)?.some((word) => calls.isTool(word) !== false))
    return undefined;
  // A fence is the wrapping of what it contains.
  if (rest.startsWith(FENCE)) return /\p{L}/u.test(lead) ? at + lead.length : undefined;
  const [found = "", key = "", separator = ""] = OBJECT.exec(rest) ?? [];
  if (separator === "" && found.length === rest.length) look.atEnd();
  const isKey = (body: Body) =>
    holdsName(body) ? beginsCall(key, body, calls) : calls.startedPlan?.properties.has(key) === true;
  return separator !== "" && bodies.some(isKey) ? at + lead.length : undefined;
}

const takesBracket = ({ token }: Branch) =>
  token.kind === "body" ? !holdsName(token.body) : "text" in token && token.text.startsWith(">");

const takesTag = ({ branches }: FormNode) =>
  branches.some(({ token }) => token.kind === "tag" || ("text" in token && token.text.startsWith("<")));

/** The bodies in JSON that may be next, perhaps in a list. */
const jsonBodies = ({ branches }: FormNode): Body[] =>
  branches.flatMap(({ token, node }) => {
    if (token.kind === "body") return factsOf(token.body).language === "json" ? [token.body] : [];
    return token.kind === "literal" && token.text === "[" ? jsonBodies(node) : [];
  });

/** Whether an object with a call may begin with that key. */
export function beginsCall(key: string, body: Body, tools: Pick<KnownTools, "isTool">): boolean {
  if (tools.isTool(key) !== false) return true;
  if (factsOf(body).holdsName === "key") return false;
  return CALL_KEYS.has(key) || ASIDE_KEYS.has(key) || Object.values(body).includes(key);
}
