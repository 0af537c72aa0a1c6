import type { LineName, Token } from "../syntax/tokens.js";
import { READABLE_NAME } from "../tool-name.js";
import type { CallHost } from "./bodies/call-router.js";
import { callStands } from "./bodies/call-tag.js";
import { readTag } from "./bodies/markup.js";
import { type Input, LOOKAHEAD, spaceEnd, standsAt, standsFirst } from "./input.js";
import type { FormNode } from "./opening/forms.js";
import { labelEnd } from "./opening/labels.js";
import {
  afterBody,
  bodyStands,
  endFits,
  hasMoreAttributes,
  isTag,
  isThere,
  lineNameEnd,
  nameFits,
  plainName,
  wordStandsAt,
} from "./opening/token-fit.js";

/** One way on from a place in a form. */
export type Branch = FormNode["branches"][number];

/** Says which names are those of tools; undefined: it is not known. */
type KnownTools = Pick<CallHost, "isTool" | "takesText">;

/** The first branch that the text here matches; undefined: more input is needed. */
export function fittingBranch(input: Input, from: FormNode, tools: KnownTools): Branch | undefined | false {
  let waits = false;
  for (const branch of from.branches) {
    if (branch.token.kind === "tag" && hasMoreAttributes(input, branch.token, from)) continue;
    let fits = tokenStands(input, branch.token, branch.node, tools);
    if (fits && goesOn(branch, from)) fits = continues(input, branch, tools);
    // What comes first goes first, also when it is not there yet.
    if (fits === true) return waits && !input.final ? undefined : branch;
    if (fits === undefined) waits = true;
  }
  return waits ? undefined : false;
}

/**
 * Whether the literal may be the beginning of another way on: `@tool ` before a name, or `@` before the name `tool`; the
 * word `function`, or a tool of that name.
 */
const goesOn = ({ token }: Branch, from: FormNode) =>
  token.kind === "literal" &&
  (token.line === true || WORD.test(token.text)) &&
  from.branches.some(({ token: other }) => {
    if (other.kind === "name") return true;
    return other.kind === "literal" && other.text !== token.text && token.text.startsWith(other.text);
  });

const WORD = /^[\p{L}_]+$/u;

/** Whether what comes after a literal fits it, up to the first thing that is no literal. */
function continues(input: Input, { token, node }: Branch, tools: KnownTools): boolean | undefined {
  const { text, pos } = input;
  const next = spaceEnd(text, pos + (token.kind === "literal" ? token.text.length : 0));
  if (next === text.length) return input.final ? false : undefined;
  input.pos = next;
  const branch = fittingBranch(input, node, tools);
  const fits = branch && branch.token.kind === "literal" ? continues(input, branch, tools) : branch && true;
  input.pos = pos;
  return fits;
}

/**
 * Whether what begins this line is a call: arguments follow the name or, when it is a tool's, nothing does.
 * In another protocol than the one asked for it must be a tool's anyway, or at least stand between labels.
 */
function lineNameFits(
  input: Input,
  ends: readonly string[],
  line: LineName,
  node: FormNode,
  tools: KnownTools,
): boolean | undefined {
  const at = lineNameEnd(input, ends);
  if (typeof at !== "number") return at;
  const { text, pos } = input;
  const name = plainName(text.slice(pos, at));
  const isName = READABLE_NAME.test(name);
  // Text between two labels is meant as a name.
  const isLabelled = line.own && node.branches.some(({ token }) => token.kind === "label") && /^[^(]+$/.test(name);
  if (!isName && !isLabelled) return false;
  const known = tools.isTool(name);
  if (!line.own && !(known ?? line.labelled)) return false;
  const next = spaceEnd(text, at);
  if (next === text.length && !input.final) return next - at > LOOKAHEAD ? known === true : undefined;
  input.pos = next;
  const branch = next < text.length && fittingBranch(input, node, tools);
  input.pos = pos;
  if (branch === undefined) return undefined;
  if (!isName) return branch !== false && branch.token.kind === "label";
  return branch ? true : known === true && (next === text.length || text.slice(at, next).includes("\n"));
}

/** Whether a token is here; undefined: more input is needed. */
function tokenStands(input: Input, token: Token, node: FormNode, tools: KnownTools): boolean | undefined {
  const { text, pos } = input;
  switch (token.kind) {
    case "literal":
      return wordStandsAt(input, token.text);
    case "label":
      return isThere(labelEnd(text, pos, token.text, input.final));
    case "tag": {
      const tag = readTag(text, pos);
      // A tag that cannot become this one is not waited for: its attributes may be long.
      if (tag === "more") return standsAt(text, pos, `<${token.name}`) === false ? false : undefined;
      return isTag(tag, token);
    }
    case "name":
      return token.line ? lineNameFits(input, token.ends, token.line, node, tools) : nameFits(input, token.ends);
    case "index":
      return isThere(endFits(input, token.ends));
    case "body": {
      if (token.body.body === "attributes") return callStands(token.body, input);
      const stands = bodyStands(token.body, input, tools.takesText());
      return stands === false ? standsFirst(afterBody(node).markers, text, pos) : stands;
    }
  }
}
