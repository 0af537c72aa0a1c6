import { type Input, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { planOfTool } from "../../schema/tool-plan.js";
import { isDefinition } from "../arguments/definition.js";
import type { ToolTable } from "../arguments/tool-table.js";
import type { FormNode } from "../forms/forms.js";
import { type Branch, type KnownTools, matchBranch, plainBranch } from "../forms/match-branch.js";
import { plainNameEnd } from "../forms/match-token.js";
import { type BodyKinds, bodyStarts, type WholeBody } from "../readers/body-kind.js";

/** What a plain call may contain. */
interface CallPlace {
  tools: ToolTable;
  bodies: BodyKinds;
}

/** A call that was read as a whole, and where its closing markers end. */
export interface PlainCall {
  body: WholeBody;
  end: number;
}

/**
 * The call that begins at the input's position, if all of it was received and it has no second reading: each marker is
 * there exactly as it is declared, the tool is known, the arguments can be read as a whole, and nothing but space is
 * between these. Most calls are like this. Undefined: the call is left to a {@link CallReader}, which would read such a call
 * the same. It does not move the input.
 */
export function plainCall(input: Input, forms: FormNode, { tools, bodies }: CallPlace): PlainCall | undefined {
  if (!tools.areKnown) return undefined;
  const { text } = input;
  let node = forms;
  let name: string | undefined;
  let pos = input.pos;
  for (;;) {
    pos = spaceEnd(text, pos);
    const marker = plainBranch(text, pos, node);
    if (marker) {
      if (marker.token.kind === "tag") name = marker.token.name;
      pos += marker.text.length;
      node = marker.node;
      continue;
    }
    const [first] = node.branches;
    if (first?.token.kind !== "name" || first.token.line || node.branches.length > 1) break;
    const end = plainNameEnd(text, pos, first.token.ends);
    if (end < 0) return undefined;
    name = text.slice(pos, end);
    pos = end;
    node = first.node;
  }
  const after = bodyAt(input, pos, node, { tools, bodies });
  if (after?.token.kind !== "body") return undefined;
  const { body } = after.token;
  const found = bodies.get(body.body)?.whole?.(body, { node: after.node, tools, name }, input, pos);
  if (!found || isDefinition(found.arguments, planOfTool(tools.resolve(found.name)?.tool))) return undefined;
  const end = closed(text, found.end, after.node);
  return end === undefined ? undefined : { body: found, end };
}

/** The branch of the body at an index, if it begins with an object's bracket or a tag. */
function bodyAt(input: Input, at: number, node: FormNode, { tools, bodies }: CallPlace): Branch | undefined {
  const char = input.text.charAt(at);
  if (char !== "{" && (char !== "<" || input.text.charAt(at + 1) === "!")) return undefined;
  const look = new Lookahead(input);
  const isTool = (written: string) => tools.knows(written);
  // No text begins with these characters.
  const starts: KnownTools["starts"] = (body, ahead, index) => bodyStarts(body, ahead, index, bodies);
  const found = matchBranch(look, at, node, { isTool, starts });
  return look.hitEnd ? undefined : found;
}

/** Where the markers after the arguments end, if they are all there and the call is not in a block. */
function closed(text: string, from: number, after: FormNode): number | undefined {
  let node = after;
  let pos = from;
  while (node.branches.length > 0) {
    pos = spaceEnd(text, pos);
    const marker = plainBranch(text, pos, node);
    if (!marker) return undefined;
    pos += marker.text.length;
    node = marker.node;
  }
  return node !== after && node.ends && !node.block ? pos : undefined;
}
