import type { Input } from "../../notation/input.js";
import { MAX_DEPTH } from "../../notation/json/brackets.js";
import { endsWhole } from "../../notation/json/string-end.js";
import { wholeJson, withoutSpace } from "../../notation/json/whole-json.js";
import type { WholeValue } from "../../notation/value-sink.js";
import { planOfTool } from "../../schema/tool-plan.js";
import type { JsonCallBody } from "../../syntax/syntax.js";
import { matchAsIs } from "../arguments/emitter.js";
import type { FormNode } from "../forms/forms.js";
import { afterBody } from "../forms/match-token.js";
import type { WholeBody, WholeBodyPlace } from "./body-kind.js";
import { partsOf } from "./call-parts.js";

/** The call in one JSON object, see `BodyKind.whole`. */
export function wholeCall(
  body: JsonCallBody,
  { node, tools }: WholeBodyPlace,
  input: Input,
  at: number,
): WholeBody | undefined {
  const found = objectAt(input, at, node);
  const parts = found && partsOf(found.whole.value, body, (key) => tools.knows(key));
  const tool = parts && tools.resolve(parts.name)?.tool;
  const asked = tool && matchAsIs(parts.args, planOfTool(tool));
  if (!asked || parts.renamed) return undefined;
  const { end, whole } = found;
  return {
    name: parts.name,
    arguments: parts.args,
    matches: asked.matches,
    json: () => withoutSpace(whole.inner),
    end,
  };
}

/** The object of strict JSON at an index, if a JSON reader would read it as a whole there. */
function objectAt(input: Input, at: number, node: FormNode): { end: number; whole: WholeValue } | undefined {
  if (input.text.charAt(at) !== "{" || !input.mayReadWhole(at)) return undefined;
  const { whole, end } = wholeJson(input.text, at, MAX_DEPTH);
  if (!whole) return undefined;
  const { closes } = afterBody(node);
  return endsWhole(input, end, { stack: [], dirty: false, options: { closes } }) ? { end, whole } : undefined;
}
