import fc from "fast-check";
import { type Protocol, protocols } from "../../src/index.js";
import { markersOf } from "../../src/prompt/markers.js";
import { PLAIN_NAME } from "../../src/schema/names.js";

const allMarkers = [...new Set(Object.values(protocols).flatMap(({ syntax }) => markersOf(syntax)))];

/** Names of tools and arguments that are words of some format's own markers. */
export const hostileName: fc.Arbitrary<string> = fc.constantFrom(
  ...[...new Set(allMarkers.flatMap((marker) => marker.match(/[\p{L}_][\p{L}\p{N}_.-]*/gu) ?? []))].filter((word) =>
    PLAIN_NAME.test(word),
  ),
  ...["name", "arguments", "item", "string", "result", "error"],
);

/**
 * Parts of the markers of a format: whole, broken off, in another case, and with text that its reader treats as layout.
 */
export function hostilePieces({ syntax }: Protocol, names: readonly string[]): fc.Arbitrary<string> {
  const literals = [syntax, ...(syntax.also ?? [])].flatMap(({ call, block }) => [
    ...call.flatMap((part) =>
      typeof part === "string" ? part : "body" in part && part.body === "elements" ? [...part.open, ...part.close] : [],
    ),
    ...(block ? [block.open, block.separator, block.close] : []),
  ]);
  const marks = [...literals.filter((part) => typeof part === "string"), ...markersOf(syntax)].filter((m) => m !== "");
  const tags = names.flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} `, `< /${name}`, `${name}`, `<${name}/>`]);
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...marks, ...marks.map((mark) => mark.trim())) },
    { weight: 3, arbitrary: fc.constantFrom(...tags) },
    { weight: 2, arbitrary: fc.constantFrom(..."<>/\n \t\r\"'&`{}[]()=:,.x") },
    { weight: 1, arbitrary: fc.constantFrom("<!--", "-->", "<![CDATA[", "]]>", "```", "&lt;", "\n\n", "é", "😀") },
  );
  const cut = fc.tuple(piece, fc.nat(), fc.nat()).map(([text, a, b]) => {
    const from = a % (text.length + 1);
    return text.slice(from, from + (b % (text.length + 1 - from)) + 1);
  });
  const cased = piece.map((text) => text.replace(/\p{L}/gu, (c, i: number) => (i % 2 ? c.toUpperCase() : c)));
  return fc
    .array(fc.oneof({ weight: 3, arbitrary: piece }, cut, cased), { minLength: 1, maxLength: 3 })
    .map((list) => list.join(""));
}
