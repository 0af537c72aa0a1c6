import { hasSpaceBeforeEnd } from "../../notation/lookahead.js";
import { isToken, LABEL_COLONS, LABEL_MARKS } from "../../syntax/spelling.js";
import { type Syntax, spansOf } from "../../syntax/syntax.js";
import { isLabel } from "../../syntax/tokens.js";
import { type Forbidden, inAnyCase, LINE_START, SPACE, word } from "../text/forbidden.js";

/**
 * The openers of results as the reply parser reads them, because it keeps other text: a label as `labelEnd` reads it, any
 * other marker as `Lookahead.markerEnd` does. A small model continues with a result where it should call: `<tool_call>`
 * and `<tool_response>` begin alike, and the reply would end there without either.
 */
export const forbiddenResults = (syntax: Syntax): Forbidden[] =>
  spansOf(syntax).flatMap(({ as, open }) => (as === "dropped" ? [isLabel(open) ? labelled(open) : marked(open)] : []));

function marked(open: string): Forbidden {
  if (!hasSpaceBeforeEnd(open)) return word(open);
  const name = word(open.slice(0, -1));
  // Where the end alone is refused, a model that began the name writes on: `<tool_response_2>`.
  return isToken(open) ? name : [...name, { chars: `\n${SPACE}`, many: true }, ...word(open.slice(-1))];
}

/** A label at the beginning of a line, with everything that the parser allows around it. */
export const labelled = (label: string): Forbidden => [
  ...LINE_START,
  ...inAnyCase(label.slice(0, -1)),
  { chars: " \t", many: true },
  { chars: "0123456789", many: true },
  { chars: ` \t${LABEL_MARKS}`, many: true },
  { chars: LABEL_COLONS },
];
