import { oncePer } from "../../common/once-per.js";
import { growingPattern, matchAt } from "../../notation/growing-pattern.js";
import { isAt, LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { MAX_TOKEN } from "../../notation/json/word-limit.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { readTag } from "../../notation/markup/markup.js";
import { READABLE_NAME } from "../../schema/names.js";
import type { Plan } from "../../schema/plan.js";
import type { Body } from "../../syntax/syntax.js";
import type { LineName, Token } from "../../syntax/tokens.js";
import { answerIn } from "../arguments/answer-in-call.js";
import type { FormNode, PlainMarker } from "./forms.js";
import { callLabelEnd } from "./input-label.js";
import { labelEnd } from "./labels.js";
import {
  afterBody,
  hasMoreAttributes,
  hasWord,
  holdsName,
  isTag,
  lineNameEnd,
  matchesIndex,
  matchesName,
  nameEnd,
  otherTagAfter,
  plainName,
} from "./match-token.js";
import { restOfTag } from "./named-tag.js";

/** One way to continue from a node of a form. */
export type Branch = FormNode["branches"][number];

/** The tools and the current call, as far as a form depends on them. */
export interface KnownTools {
  /** Whether a tool has this name; undefined: the tools are unknown. */
  isTool(name: string): boolean | undefined;
  /** Whether a body begins at an index. */
  starts(body: Body, look: Lookahead, at: number): boolean;
  /** The plan of the call whose name is all of the line before. */
  readonly planOfLine?: Plan | undefined;
}

type NameOfLine = Omit<Extract<Token, { kind: "name" }>, "line"> & { line: LineName };

/** The first branch that the text at an index matches. A branch that needs more input makes all later ones wait. */
export function matchBranch(look: Lookahead, at: number, from: FormNode, tools: KnownTools): Branch | undefined {
  let likely: Branch | undefined;
  for (const branch of from.branches) {
    if (branch.token.kind === "tag" && hasMoreAttributes(look.text, at, branch.token, from)) continue;
    if (!matchesToken(look, at, branch.token, branch.node, tools)) continue;
    if (needsTextAfter(look, at, branch, from) && !continues(look, at, branch, tools)) continue;
    const end = branch.token.kind === "name" ? otherTagAfter(look, at, branch.token.ends) : undefined;
    if (end === undefined) return branch;
    // The tag may be a marker of another branch.
    if (tools.isTool(look.text.slice(at, end).trim()) !== false) likely ??= branch;
  }
  return likely;
}

/** Whether the label at an index may open a call: before a name that must be a tool's, only if that follows. */
export function labelOpens(look: Lookahead, at: number, from: FormNode, tools: KnownTools): boolean {
  const { token, node } = matchBranch(look, at, from, tools) ?? {};
  const mustBeTool = token?.kind === "label" && node?.branches.every((branch) => isName(branch) && branch.token.known);
  return !mustBeTool || lineOpens(look, at, from, tools);
}

/** Whether the marker of a line that is at an index opens a call: what follows it in one of the forms is here too. */
export function lineOpens(look: Lookahead, at: number, from: FormNode, tools: KnownTools): boolean {
  const branch = matchBranch(look, at, from, tools);
  if (!branch) return false;
  const { token, node } = branch;
  const end =
    token.kind === "label" ? labelEnd(look, at, token.text) : "text" in token && look.markerEnd(token.text, at);
  const next = spaceEnd(look.text, end || at);
  return !look.endsAt(next) && matchBranch(look, next, node, tools) !== undefined;
}

/** The branch of a marker that is at an index exactly as it is declared, if no other branch can match. */
export function plainBranch(text: string, at: number, { plain = [] }: FormNode): PlainMarker | undefined {
  for (const branch of plain) {
    if (isAt(text, at, branch.text)) return branch;
    // The text may end within this marker.
    if (text.length - at < branch.text.length) return undefined;
  }
  return undefined;
}

/**
 * Whether a literal is decided only with the text after it: it may be the beginning of another branch, or of another body, or
 * the mark of any tag.
 */
function needsTextAfter(look: Lookahead, at: number, branch: Branch, from: FormNode): boolean {
  const { token } = branch;
  const isUndecided = token.kind === "literal" && undecidedOf(from).has(branch);
  return isUndecided && (!token.text.endsWith(".") || isNamespace(look, at, token.text));
}

/** The literals that may need it, computed once. */
const undecidedOf = oncePer(
  (from: FormNode): ReadonlySet<Branch> =>
    new Set(
      from.branches.filter(
        ({ token, node }) =>
          token.kind === "literal" &&
          (token.tag !== undefined ||
            opensNames(token.text, node) ||
            opensElement(token.text, from) ||
            ((beginsMore(token) || token.text.endsWith(".")) && mayBeOther(token.text, from))),
      ),
    ),
);

/** Whether it is the bracket of a list of names, where a body may be a list as well. */
const opensNames = (text: string, { branches }: FormNode) => text.endsWith("[") && branches.every(isName);

/** Whether the tag of an argument begins with it in another branch. */
const opensElement = (text: string, { branches }: FormNode) =>
  branches.some(
    ({ token }) => token.kind === "body" && "open" in token.body && `${token.body.open[0]}`.startsWith(text),
  );

/** Whether it is a word, or begins a line. */
const beginsMore = ({ text, line }: Extract<Token, { kind: "literal" }>) => line === true || WORD.test(text);

/** Whether it is the namespace of a name in another form: `functions.` before `add(`, or before `add` and its object. */
function isNamespace(look: Lookahead, at: number, text: string): boolean {
  if (!text.endsWith(".")) return false;
  const [name = ""] = DOTTED_NAME.exec(look.text.slice(at, at + LOOKAHEAD)) ?? [];
  return /[({\n]/.test(look.charAt(at + name.length)) || name === text;
}

const DOTTED_NAME = /^[\p{L}\p{N}_.]*/u;

/** Whether another branch is a name, or a shorter literal: `@tool ` before a name, or `@` before the name `tool`. */
const mayBeOther = (text: string, { branches }: FormNode) =>
  branches.some(
    (branch) =>
      isName(branch) ||
      (branch.token.kind === "literal" && branch.token.text !== text && text.startsWith(branch.token.text)),
  );

const isName = (branch: Branch): branch is Branch & { token: Extract<Token, { kind: "name" }> } =>
  branch.token.kind === "name";

const WORD = /^[\p{L}_]+$/u;

/** Whether the text after a literal matches the branch, up to the first token that is not a literal. */
export function continues(look: Lookahead, at: number, { token, node }: Branch, tools: KnownTools): boolean {
  const end = (token.kind === "literal" && look.markerEnd(token.text, at)) || at;
  const next = spaceEnd(look.text, end);
  // After more white space than this, nothing follows.
  if (next - end > MAX_TOKEN || look.endsAt(next)) return false;
  const branch = matchBranch(look, next, node, tools);
  return branch?.token.kind === "literal" ? continues(look, next, branch, tools) : branch !== undefined;
}

/**
 * Whether the beginning of this line is a call: arguments follow the name, or nothing does and the name is a tool's or one that
 * means no tool (see {@link answerIn}). In another protocol than the requested one, it must be a tool's name, or at least be
 * between labels. A name that must be a tool's is read in the requested protocol only, and before a marker.
 */
function matchesLineName(
  look: Lookahead,
  from: number,
  { ends, line, known: mustBeTool }: NameOfLine,
  node: FormNode,
  tools: KnownTools,
): boolean {
  const at = lineNameEnd(look, from, ends);
  if (at === false) return false;
  const { text } = look;
  const name = plainName(text.slice(from, at));
  const isReadable = READABLE_NAME.test(name);
  // Text between two labels is a name.
  const isLabelled = line.own && node.branches.some(({ token }) => token.kind === "label") && /^[^(]+$/.test(name);
  if (!isReadable && !isLabelled) return false;
  const isTool = tools.isTool(name);
  // Before a marker on its line, a space comes only in a sentence.
  if (mustBeTool && !(line.own && isTool === true && !/[^\S\n]$/.test(text.slice(from, at)))) return false;
  const isNone = isTool === false && line.own && line.labelled && answerIn(name, undefined) !== undefined;
  const known = isNone || isTool;
  if (!line.own && !(known ?? line.labelled)) return false;
  const next = spaceEnd(text, at);
  // After more white space than this, nothing follows.
  if (next - at > LOOKAHEAD) return known === true;
  if (!line.labelled && definitionFollows(look, at)) return false;
  const branch = look.endsAt(next) ? undefined : matchBranch(look, next, node, tools);
  // Another label than the format's comes only after a tool's name.
  const isOther =
    isTool !== true && branch?.token.kind === "label" && labelEnd(look, next, branch.token.text) === false;
  if (!isReadable) return branch?.token.kind === "label" && !isOther;
  return (
    (branch !== undefined && !isOther) ||
    (!mustBeTool && known === true && (next === text.length || text.slice(at, next).includes("\n")))
  );
}

/** Whether the line that ends at an index is followed by a definition of Python, so that it is a decorator. */
export const definitionFollows = (look: Lookahead, at: number): boolean => matchAt(look, at, DEFINITION) !== undefined;

const LINE_BREAK = ["[^\\S\\n]*", "\\n", "\\s*"];
const DEFINITION = growingPattern(
  ["def", "class", "async def"].map((word) => [...LINE_BREAK, ...word, " ", "[\\p{L}_]"]),
);

function matchesToken(look: Lookahead, at: number, token: Token, node: FormNode, tools: KnownTools): boolean {
  switch (token.kind) {
    case "literal":
      return hasWord(look, at, token.text);
    case "label":
      return callLabelEnd(look, at, token.text, { node, plan: tools.planOfLine }) !== false;
    case "tag":
      // A tag that cannot match is not waited for, because its attributes may be long.
      return look.has(`<${token.name}`, at) && isTag(readTag(look, at), token);
    case "name": {
      if (token.line) return matchesLineName(look, at, { ...token, line: token.line }, node, tools);
      if (!matchesName(look, at, token.ends, node)) return restOfTag(look, at, token.ends) !== undefined;
      if (!token.known) return true;
      const written = look.text.slice(at, nameEnd(look, at, token.ends));
      // Before a parenthesis, a space comes only in a sentence.
      if (token.ends.includes("(") && written.endsWith(" ")) return false;
      return tools.isTool(written.trimEnd()) === true;
    }
    case "index":
      return matchesIndex(look, at, token.ends);
    case "body": {
      if (tools.starts(token.body, look, at)) return true;
      // A block may be empty, but a call that contains its own name is not.
      if (node.block && holdsName(token.body)) return false;
      return look.find(afterBody(node).markers, (marker) => look.has(marker, at)) !== undefined;
    }
  }
}
