import { spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { cleanName } from "./clean-name.js";
import type { FormNode } from "./forms.js";
import { labelEnd } from "./labels.js";
import { type Branch, type KnownTools, matchBranch } from "./match-branch.js";
import { isMarker, nameEnd } from "./match-token.js";

// Between the markers of a block, or of one call, the first marker of a call may be missing.

/** The beginning of a tag or token. */
const MARKER = /^[<[]./;

/**
 * The branch that the text at an index matches, after the first marker of a block; where a call begins, also without the
 * first marker of that call.
 */
export function callBegins(look: Lookahead, at: number, from: FormNode, tools: KnownTools): Branch | undefined {
  const branch = matchBranch(look, at, from, tools);
  // A name is not waited for where a tag or token begins.
  if (branch || !from.begins || look.text.charAt(at) === "<") return branch;
  const unopened = from.branches.find(
    ({ token, node }) => token.kind === "literal" && MARKER.test(token.text) && nameFollows(look, at, node, tools),
  );
  return unopened && matchBranch(look, at, unopened.node, tools);
}

/**
 * Whether the text after a whole call is another one between the same markers: it begins with a marker of its own. A name
 * alone is text, and so is a JSON object, which may continue the arguments before it.
 */
export function callFollows(look: Lookahead, at: number, inside: FormNode | undefined, tools: KnownTools): boolean {
  const token = inside && matchBranch(look, at, inside, tools)?.token;
  if (token?.kind === "literal") return isMarker(token.text);
  return token?.kind === "label" && nameFollows(look, at, inside!, tools);
}

/** Whether a tool's name is here, with a marker of its call before it, or one after it. */
function nameFollows(look: Lookahead, at: number, from: FormNode, tools: KnownTools, isMarked = false): boolean {
  const branch = matchBranch(look, at, from, tools);
  if (!branch) return false;
  const { token, node } = branch;
  const { text } = look;
  if (token.kind === "literal" || token.kind === "label") {
    const end = token.kind === "label" ? labelEnd(look, at, token.text) : look.markerEnd(token.text, at);
    return end !== false && nameFollows(look, spaceEnd(text, end), node, tools, true);
  }
  if (token.kind !== "name" || token.line) return false;
  const end = nameEnd(look, at, token.ends);
  if (end < 0 || tools.isTool(cleanName(text.slice(at, end))) === false) return false;
  return isMarked || token.ends.some((marker) => MARKER.test(marker) && look.has(marker, end));
}
